"""
Infer a provider's conventions by probing it: ``tertium fingerprint``.
"""

from __future__ import annotations

from typing import Any

import click


@click.command("fingerprint", short_help="Infer the conventions of a provider by probing it.")
@click.argument("provider", metavar="P")
@click.option("--metric", metavar="NAME", help="The native metric that P computes, where its name does not say so.")
@click.option(
    "--probes",
    type=click.IntRange(min=10),
    default=200,
    show_default=True,
    metavar="N",
    help="Probes at most: scoring calls of P, each with one small corpus.",
)
@click.option(
    "--tolerance",
    type=click.FloatRange(min=0, max=1, max_open=True),
    default=1e-9,
    show_default=True,
    help="How far apart equal answers may lie, relative to the larger one.",
)
@click.option(
    "--digits",
    type=click.IntRange(min=0, max=15),
    metavar="N",
    help="Decimals that P rounds to; by default its answers tell.",
)
@click.option("--seed", type=int, default=12345, show_default=True, help="Where invented inputs begin.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object at full precision.")
@click.option("--output", metavar="FILE", help="Write to this file, whole or not at all, instead of standard output.")
@click.option("--allow-unpinned", is_flag=True, help="Accept other versions of libraries than the pinned ones.")
def command(provider: str, **options: Any) -> int:
    """
    Infer the conventions of a provider, or of a Python callable, by probing it.

    \b
      tertium fingerprint bleu@nltk
      tertium fingerprint 'rougeL@rouge-score(stemmer=true).recall'
      tertium fingerprint py:package:function --metric wer
      tertium fingerprint 'py:package:function(result=f1)' --metric squad-f1

    P is asked about small inputs, as in twenty questions: each is chosen to part the native settings that still give
    all of its answers. What P says of itself, parameters and declared equivalent, is not looked at until all is over.
    It prints the settings that are consistent with every answer, what is known axis by axis, how many probes it took,
    the smallest input that would separate settings that remain, and probes that no setting explains.

    The exit code is 0 where one setting, or several that do the same on all inputs tried, explains every answer, and 1
    otherwise.
    """
    from tertium.console.notes import Notes, Progress
    from tertium.console.output import check, emit, show
    from tertium.console.pairs import look_here
    from tertium.fingerprinting import fingerprint

    check(options["output"])
    look_here([provider])
    with Notes().listening(), Progress("fingerprint", options["probes"], "probes") as progress:
        found = fingerprint(
            provider,
            metric=options["metric"],
            probes=options["probes"],
            tolerance=options["tolerance"],
            digits=options["digits"],
            seed=options["seed"],
            allow_unpinned=options["allow_unpinned"],
            progress=progress,
        )
    report = found.to_dict()
    if options["as_json"]:
        from tertium.reports import json

        emit(json.document(report), options["output"])
    else:
        from tertium.reports.fingerprint import fingerprint as drawn

        show(*drawn(report), file=options["output"])
    return 0 if found.explained else 1

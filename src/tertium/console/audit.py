"""
Audit a function of one's own: ``tertium audit``.
"""

from __future__ import annotations

from typing import Any

import click

from tertium.console.corpus import corpus_options


@click.command("audit", short_help="Audit a Python function that computes a metric.")
@click.argument("words", metavar="FUNCTION [DATA]", nargs=-1, required=True)
@click.option("--metric", metavar="NAME", help="The metric that it computes, for instance bleu.")
@corpus_options
@click.option(
    "--probes",
    type=click.IntRange(min=10),
    default=200,
    show_default=True,
    metavar="N",
    help="Calls at most by which its conventions are inferred.",
)
@click.option("--seed", type=int, default=12345, show_default=True, help="Where invented probes begin.")
@click.option("--html", "page", metavar="FILE", help="Write the report as one page of HTML, too.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object at full precision.")
@click.option("--output", metavar="FILE", help="Write to this file, whole or not at all, instead of standard output.")
@click.option("--allow-unpinned", is_flag=True, help="Accept other versions of libraries than the pinned ones.")
def command(words: tuple[str, ...], **options: Any) -> int:
    """
    Audit a Python function that computes a metric.

    \b
      tertium audit py:my_module:my_bleu --metric bleu
      tertium audit py:my_module:my_wer --metric wer data.jsonl --html report.html
      tertium audit 'py:my_module:my_bleu(metric=bleu,input=tokens,level=corpus)' --hyp sys.txt --ref ref.txt

    FUNCTION is py:module:name; the module is found as Python finds it, and in this folder. How the function is called
    (strings or tokens, a segment or a corpus, how references are laid out, which argument comes first) is found out by
    trying, or declared in parentheses: `tertium show` explains the words.

    The audit looks at how the function behaves (what it raises, changes, draws and remembers), infers the native
    setting that it does as, holds it to the conformance cases of the metric, and sets it against the native default
    on DATA, or on an example corpus, with the conventions that make the difference.

    The exit code is 0 where it equals a native setting in everything that was tried, and 1 otherwise.
    """
    from tertium.auditing import audit
    from tertium.console.notes import Notes, Progress
    from tertium.console.output import check, emit, show
    from tertium.console.pairs import look_here, read_one

    check(options["output"])
    check(options["page"])
    function, data = _parted(words, options["hypotheses"])
    look_here([function])
    notes = Notes()
    with notes.listening():
        cases = None if data is None and not options["hypotheses"] else read_one(data, options, notes.say)
        with Progress("audit", options["probes"], "probes") as progress:
            found = audit(
                function,
                options["metric"],
                cases,
                probes=options["probes"],
                seed=options["seed"],
                corpus=data or ", ".join(options["hypotheses"]),
                allow_unpinned=options["allow_unpinned"],
                progress=progress,
            )
        for note in found.difference.notes:
            notes.say(note)
        report = found.to_dict()
    if options["page"]:
        emit(found.html, options["page"])
    if options["as_json"]:
        from tertium.reports import json

        emit(json.document(report), options["output"])
    else:
        from tertium.reports.audit import audit as drawn

        show(*drawn(report), file=options["output"])
    return 0 if found.equal else 1


def _parted(words: tuple[str, ...], hypotheses: tuple[str, ...]) -> tuple[str, str | None]:
    from tertium.errors import UsageError

    if len(words) > (1 if hypotheses else 2):
        raise UsageError(
            "`tertium audit` takes one function and one corpus",
            f"{len(words)} words were given: {' '.join(words)}",
            "Write `tertium audit FUNCTION DATA`, or `tertium audit FUNCTION --hyp FILE --ref FILE`",
        )
    if len(hypotheses) > 1:
        raise UsageError(f"an audit on {len(hypotheses)} systems", "it looks at one corpus at a time", "Give one --hyp")
    return words[0], words[1] if len(words) == 2 else None

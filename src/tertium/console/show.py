"""
Explain a metric: ``tertium show SPEC``.
"""

from __future__ import annotations

import click


@click.command("show", short_help="Explain a metric: parameters, outputs, scale, versions.")
@click.argument("specs", metavar="SPEC...", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(specs: tuple[str, ...], as_json: bool) -> None:
    """
    Explain what a SPEC such as bleu@sacrebleu measures: its definition, parameters with choices and defaults,
    outputs, scale, direction, what it needs, where it was published, the pinned and the installed version, and the
    resources it uses. With parameters (bleu@sacrebleu:tokenize=intl) it shows the values in force.
    """
    from tertium.console.catalogue import describe
    from tertium.console.output import emit, show
    from tertium.console.pairs import look_here
    from tertium.registry import registry

    look_here(specs)
    found = registry()
    described = [describe(found, spec) for text in specs for spec in found.expand(text)]
    if as_json:
        from tertium.reports import json

        emit(json.document({"metrics": described}))
        return
    from tertium.reports import catalogue

    for number, facts in enumerate(described):
        show(*([""] if number else []), *catalogue.description(facts))

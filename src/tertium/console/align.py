"""
Show alignments: ``tertium align``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from tertium.console.corpus import corpus_options, read_systems
from tertium.errors import MissingReferences, Refused, UsageError

if TYPE_CHECKING:
    from tertium.cases import Case, Cases
    from tertium.native.error_rates import ErrorRate

_WORST = 5


@click.command("align", short_help="Show texts aligned, with every edit marked.")
@click.argument("words", metavar="[REFERENCE HYPOTHESIS | DATA]", nargs=-1)
@click.option("--metric", default="wer", show_default=True, metavar="SPEC", help="wer, cer, mer, wil or wip.")
@click.option("--worst", type=click.IntRange(min=1), metavar="N", help=f"The N worst cases; by default {_WORST}.")
@click.option("--case", "chosen", metavar="ID", multiple=True, help="The case of this id. Repeat it for several.")
@corpus_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--output", metavar="FILE", help="Write to this file, whole or not at all, instead of standard output.")
def command(words: tuple[str, ...], **options: Any) -> int:
    """
    Show how a hypothesis is aligned with its reference, and every hit, substitution, deletion and insertion.

    \b
      tertium align "the cat sat" "a cat sat down"
      tertium align "naïve café" "naive cafe" --metric cer
      tertium align --hyp sys.txt --ref ref.txt --worst 3
      tertium align data.jsonl --metric 'wer(costs=sclite,ties=sclite)' --case talk-7

    The alignment is the one that the metric counts, so the metric's parameters decide it: where words end, what a step
    costs, and which of several equally cheap alignments is taken. Of several references the one is shown that the
    metric counts.
    """
    from tertium.console.notes import Notes
    from tertium.console.output import check

    check(options["output"])
    metric = _metric(options["metric"])
    texts = len(words) == 2 and not options["hypotheses"]
    if texts:
        for name, flag in (("worst", "--worst"), ("chosen", "--case")):
            if options[name]:
                raise UsageError(f"{flag} beside two texts", "it chooses cases of a corpus", f"Leave {flag} out")
        from tertium.cases import Cases

        records = _records(metric, [("", Cases([words[1]], [[words[0]]]))], options)
        return _write(metric, records, options, numbered=False)
    if len(words) > 1 or bool(words) == bool(options["hypotheses"]):
        raise UsageError(
            "texts to align",
            f"{len(words)} were given" + (" beside --hyp" if options["hypotheses"] else ""),
            "Give a reference and a hypothesis, one data file, or --hyp FILE --ref FILE",
        )
    if options["hypotheses"] and not options["references"]:
        raise UsageError("an alignment with references", "no references are given", "Add --ref FILE")
    notes = Notes()
    with notes.listening():
        systems = read_systems(words[0] if words else None, options, notes.say)
        records = _records(metric, [(name or "", cases) for name, cases in systems], options)
    return _write(metric, records, options)


def _metric(text: str) -> ErrorRate:
    from tertium.native.error_rates import ErrorRate
    from tertium.registry import registry
    from tertium.spec import parse

    metric = registry().load(parse(text))
    if not isinstance(metric, ErrorRate):
        raise Refused(
            f"an alignment by {metric.name}@{metric.provider}",
            "it does not give one",
            "Choose wer, cer, mer, wil or wip of the provider native",
        )
    if metric.joined:
        raise Refused(
            f"an alignment by {_spec(metric)}",
            "a joined corpus has one alignment, and what is shown here is that of each case",
            "Leave joined out",
        )
    return metric


def _records(metric: ErrorRate, systems: Sequence[tuple[str, Cases]], options: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        ({"system": system} if system else {}) | _record(metric, cases[row])
        for system, cases in systems
        for row in _rows(metric, cases, options)
    ]


def _write(metric: ErrorRate, records: Sequence[dict[str, Any]], options: dict[str, Any], numbered: bool = True) -> int:
    if options["as_json"]:
        from importlib.metadata import version

        from tertium.console.output import emit
        from tertium.reports import json

        report = {"tertium": version("tertium"), "metric": str(_spec(metric)), "cases": records}
        emit(json.document(report), options["output"])
        return 0
    from tertium.console.output import show
    from tertium.reports.alignment import Alignment, heading, legend

    parts: list[Any] = []
    edits = False
    for record in records:
        title = " ".join(filter(None, (record.get("system"), f"case {record['id']}"))) + "  " if numbered else ""
        facts = [(metric.name, _number(record["value"]))]
        facts += [(name, record["outputs"][name]) for name in ("hits", "substitutions", "deletions", "insertions")]
        steps = [(step["operation"], step["reference"], step["hypothesis"]) for step in record["steps"]]
        edits = edits or any(step[0] != "hit" for step in steps)
        parts += [heading(title, facts), Alignment(steps, joined=metric.unit != "word"), ""]
    show(*parts, *([legend()] if edits else []), file=options["output"])
    return 0


def _rows(metric: ErrorRate, cases: Cases, options: dict[str, Any]) -> list[int]:
    if options["chosen"]:
        places = {name: row for row, name in enumerate(cases.ids)}
        missing = [name for name in options["chosen"] if name not in places]
        if missing:
            raise UsageError(
                f"--case {missing[0]}", f"none of the {len(cases):,} cases has this id", "Ids are 0, 1... without --ids"
            )
        return [places[name] for name in options["chosen"]][: options["worst"]]
    import numpy as np

    from tertium.guarding import check_needs
    from tertium.scoring import score

    check_needs(metric.info, cases)
    found = score(metric, cases)
    values = found.per_case[metric.name]
    losses = np.where(np.isnan(values), -np.inf, -values if metric.higher_is_better else values)
    outputs = found.per_case
    errors = outputs["substitutions"] + outputs["deletions"] + outputs["insertions"]
    order = np.lexsort((np.arange(len(cases)), -errors, -losses))
    return [int(row) for row in order[: options["worst"] or _WORST]]


def _record(metric: ErrorRate, case: Case) -> dict[str, Any]:
    from tertium.cases import Cases
    from tertium.scoring import json_number, score

    if not case.references:
        raise MissingReferences(f"{metric.name}@native", case.position, case.id, 1, case.references is not None)
    ids = (
        [case.id]
        if len(case.references) == 1
        else [f"{case.id}, reference {n + 1}" for n in range(len(case.references))]
    )
    single = Cases([case.hypothesis] * len(ids), [[text] for text in case.references], ids=ids)
    outputs = score(metric, single).per_case
    errors = outputs["substitutions"] + outputs["deletions"] + outputs["insertions"]
    losses = (
        errors if metric.references != "best-value" else outputs[metric.name] * (-1 if metric.higher_is_better else 1)
    )
    best = min(range(len(ids)), key=lambda n: (losses[n] != losses[n], losses[n]))
    reference = case.references[best]
    return {
        "id": case.id,
        "position": case.position,
        "value": json_number(float(outputs[metric.name][best])),
        "outputs": {name: int(values[best]) for name, values in outputs.items() if name != metric.name},
        "reference": reference,
        "hypothesis": case.hypothesis,
        "steps": [step._asdict() for step in metric.align(reference, case.hypothesis)],
    }


def _spec(metric: ErrorRate) -> Any:
    from tertium.registry import registry
    from tertium.spec import Spec

    return registry().canonical(Spec(metric.name, metric.provider).with_params(metric.parameters))


def _number(value: float | str | None) -> str:
    from tertium.reports.text import number

    return number(value, 4)

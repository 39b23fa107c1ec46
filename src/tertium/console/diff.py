"""
Show where two metrics part: ``tertium diff``.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import click

from tertium.console.corpus import corpus_options
from tertium.errors import TertiumError

if TYPE_CHECKING:
    from tertium.cases import Cases
    from tertium.shrinking import Shrunk


@click.command("diff", short_help="Show where two implementations part.")
@click.argument("words", metavar="A B [DATA]", nargs=-1, required=True)
@corpus_options
@click.option("--top", type=click.IntRange(min=0), default=5, show_default=True, metavar="N", help="Cases to show.")
@click.option(
    "--tolerance",
    type=click.FloatRange(min=0),
    metavar="X",
    help="Differ by more than this, on one scale, and the exit code is 1; by default 1e-9 of the larger value.",
)
@click.option("--shrink", is_flag=True, help="Find the smallest input on which the two differ, as a conformance case.")
@click.option(
    "--budget",
    type=click.IntRange(min=1),
    default=2000,
    show_default=True,
    metavar="N",
    help="Inputs that --shrink tries.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object at full precision.")
@click.option("--output", metavar="FILE", help="Write to this file, whole or not at all, instead of standard output.")
@click.option("--workers", type=click.IntRange(min=1), default=1, show_default=True, help="Threads or processes.")
@click.option("--allow-unpinned", is_flag=True, help="Accept other versions of libraries than the pinned ones.")
def command(words: tuple[str, ...], **options: Any) -> int:
    """
    Set two metrics against each other on the same cases.

    \b
      tertium diff bleu@nltk bleu@sacrebleu --hyp sys.txt --ref ref.txt
      tertium diff wer@jiwer 'wer(split=unicode)' data.jsonl --top 20
      tertium diff rougeL rougeL@rouge-score data.jsonl --tolerance 1e-6
      tertium diff chrf 'chrf(whitespace=keep)' data.jsonl --shrink

    It shows both values on one scale, how many cases differ, and the cases that carry the gap: what the gap loses when
    the case is left out. Texts are shown with nothing hidden in them, and as both cut them into tokens.

    The exit code is 0 where the two agree and 1 where they differ by more than the tolerance, or only one of them has a
    value.
    """
    from tertium.console.notes import Notes
    from tertium.console.output import check, emit, show
    from tertium.console.pairs import read_one, two_specs
    from tertium.differing import diff

    check(options["output"])
    a, b, data = two_specs(words, options["hypotheses"], "diff")
    notes = Notes()
    with notes.listening():
        cases = read_one(data, options, notes.say)
        top = max(options["top"], 20) if options["shrink"] else options["top"]
        found = diff(a, b, cases, top=top, workers=options["workers"], allow_unpinned=options["allow_unpinned"])
        for note in found.notes:
            notes.say(note)
        report = found.to_dict()
        report["carriers"] = report["carriers"][: options["top"]]
        differs = found.exceeds(options["tolerance"])
        if options["shrink"] and differs:
            smallest = _shrunk(a, b, cases, options, [case.row for case in found.carriers])
            axes = _axes(a, b, smallest)
            report["shrunk"] = {"calls": smallest.calls, "complete": smallest.complete, "case": smallest.case(axes)}
        elif options["shrink"]:
            notes.say("the two agree within the tolerance, so there is nothing to shrink")
    from tertium.reports import json

    if options["as_json"]:
        emit(json.document(report), options["output"])
    else:
        from tertium.reports.difference import difference

        line = [json.line(report["shrunk"]["case"]).rstrip("\n")] if "shrunk" in report else []
        show(*difference(report), *line, file=options["output"])
    return 1 if differs else 0


def _shrunk(a: str, b: str, cases: Cases, options: dict[str, Any], likely: list[int]) -> Shrunk:
    from tertium.console.notes import Progress
    from tertium.shrinking import shrink

    tolerance, budget = options["tolerance"], options["budget"]
    with Progress("shrink", budget, "inputs") as progress:
        return shrink(a, b, cases, tolerance=tolerance, budget=budget, likely=likely, progress=progress)


def _axes(a: str, b: str, smallest: Shrunk) -> list[str]:
    """
    Name the conventions that explain a shrunk difference, ``unexplained`` among them where a remainder is left.
    """
    from tertium.explaining import explain

    noise = 1e-9 * max(smallest.a.unit, smallest.b.unit)
    with contextlib.suppress(TertiumError):
        found = explain(a, b, smallest.cases, infer=False)
        moved = [part for part in found.conventions if not abs(part.share) <= noise]
        axes = [axis for part in moved for axis in part.axes]
        return axes if abs(found.remainder) <= noise or found.remainder != found.remainder else [*axes, "unexplained"]
    return []

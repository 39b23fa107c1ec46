"""
Hold implementations against the conformance suite: ``tertium conform``.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tertium.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from click.shell_completion import CompletionItem

    from tertium.conformance.report_file import Report

DIFFERS = 1


def _providers(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    from tertium.registry import registry

    names = sorted({name for found in registry().metrics.values() for name in found})
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


@click.command("conform", short_help="Hold implementations against the suite of edge cases.")
@click.argument("providers", metavar="[PROVIDER...]", nargs=-1, shell_complete=_providers)
@click.option("--metric", "metrics", multiple=True, metavar="NAME", help="Only cases of this metric; may be repeated.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Only cases with this tag; with all, if repeated.")
@click.option("--case", "ids", multiple=True, metavar="ID", help="Only this case, shown in full; may be repeated.")
@click.option("--only-disagreements", is_flag=True, help="List the cases on which implementations part, in groups.")
@click.option("--odd-one-out", is_flag=True, help="List the cases on which one implementation stands alone.")
@click.option("--explained", is_flag=True, help="List what is explained or skipped as well.")
@click.option("--jobs", type=click.IntRange(min=1), default=2, show_default=True, help="Groups of cases at a time.")
@click.option("--time-limit", type=click.FloatRange(min=0.1), default=30.0, show_default=True, help="Seconds a case.")
@click.option("--memory-limit", type=click.FloatRange(min=0.1), default=4.0, show_default=True, help="GB a provider.")
@click.option("-o", "--output", metavar="FILE", help="Write the report, JSON Lines, to this file as it grows.")
@click.option("--html", metavar="FILE", help="Write the matrix, cases by implementation, as one page to this file.")
@click.option("--resume", is_flag=True, help="Go on with the interrupted report in --output.")
@click.option("--from", "source", metavar="FILE", help="Show this report instead of running anything.")
@click.option("--cases", "place", metavar="PATH", help="A file or folder of cases instead of those that come along.")
@click.option("--divergences", metavar="FILE", help="Known differences instead of those that come along.")
@click.option("--recorded", metavar="FOLDER", help="Stored reports instead of those that come along.")
@click.option("--save-recorded", metavar="FOLDER", help="Store each provider's results there, by version.")
@click.option("--allow-unpinned", is_flag=True, help="Accept other versions of libraries than the pinned ones.")
def command(providers: tuple[str, ...], **options: Any) -> int:
    """
    Run edge cases through implementations and judge what they give.

    \b
      tertium conform
      tertium conform native sacrebleu --metric bleu --tag empty
      tertium conform nltk --allow-unpinned
      tertium conform -o report.jsonl --html matrix.html

    Every outcome is held against textbook values, against what the same library gave when it was measured on its own,
    against the stored report of its version, against the native metric, and against the native metric under the
    parameters that the provider declares to be its own. It agrees, differs for a reason that has a name (explained),
    differs without one (unexplained), breaks (error), or is not offered (skipped). Each case runs in a process of its
    provider under limits of time and memory. Exit code 1: something is unexplained or broken, a known difference is none any more,
    the table of conventions says otherwise, or a plugin's cases cannot be read.
    """
    from tertium.console.output import check, check_folder

    check(options["output"])
    check(options["html"])
    check_folder(options["save_recorded"])
    if options["source"] is not None:
        from tertium.conformance.report_file import read_report

        return _show(read_report(options["source"]), [], options)
    if options["resume"] and options["output"] is None:
        raise UsageError("--resume", "no report is named", "Add -o FILE with the interrupted report")
    report, wrong = _run(providers, options)
    if options["save_recorded"] is not None:
        from tertium.conformance.recorded import save_recorded

        for file in save_recorded(report, Path(options["save_recorded"])):
            click.echo(f"note: stored {file}", err=True)
    return _show(report, [*wrong, *_contradicted(report, options)], options)


def _run(providers: Sequence[str], options: dict[str, Any]) -> tuple[Report, list[str]]:
    from tertium.conformance.case_files import load_cases, load_suite
    from tertium.conformance.divergences import load_divergences
    from tertium.conformance.headers import Selection
    from tertium.conformance.recorded import load_recorded
    from tertium.conformance.running import Options, run_all
    from tertium.console.notes import Progress
    from tertium.registry import registry

    place, output = options["place"], options["output"]
    cases, left_out = load_suite() if place is None else (load_cases(Path(place)), ())
    metrics = tuple(registry().name(name)[0] for name in options["metrics"])
    selection = Selection(tuple(providers), metrics, options["tags"], options["ids"])
    _known("tag", options["tags"], {tag for case in cases for tag in case.tags})
    _known("case", options["ids"], {case.id for case in cases}, left_out)
    picked = sum(map(selection.picks, cases))
    if not picked:
        raise UsageError("cases were selected", "none has this metric and these tags", "Select fewer things at once")
    given = options["divergences"]
    known = {case.id for case in cases} if place is None or given is not None else None
    with Progress("conform", picked) as progress:
        found = run_all(
            cases,
            providers,
            selection,
            Options(
                jobs=options["jobs"],
                time_limit=options["time_limit"],
                memory_limit=options["memory_limit"],
                allow_unpinned=options["allow_unpinned"],
                output=None if output is None else Path(output),
                resume=options["resume"],
                suite=place or "",
                progress=progress,
                recorded=None if options["recorded"] is None else load_recorded(Path(options["recorded"])),
                divergences=load_divergences(None if given is None else Path(given), known),
            ),
        )
    stale = [f"stale: {one}. Take the entry out" for one in found.unneeded]
    return found.report, [*left_out, *stale, *(f"known differences of {one}" for one in found.refused)]


def _known(kind: str, asked: Iterable[str], there: set[str], left_out: Sequence[str] = ()) -> None:
    for name in asked:
        if name not in there:
            few = f": {', '.join(sorted(there))}" if len(there) < 40 else ""
            hint = f"Mend the {left_out[0]}" if left_out else did_you_mean(name, there) or f"See the suite's {kind}s"
            raise UsageError(f"--{kind} {name}", f"no case has it; there are {len(there):,}{few}", hint)


def _contradicted(report: Report, options: dict[str, Any]) -> list[str]:
    # The table of conventions speaks of the suite that comes along and of the pinned versions.
    if options["place"] is not None or options["allow_unpinned"]:
        return []
    from tertium.conformance.case_files import load_cases
    from tertium.conformance.convention_table import load_conventions, verify

    cases = {case.id: case for case in load_cases()}
    found = verify(load_conventions().values(), cases, report.results).contradictions
    return [f"convention {one}. See `tertium conventions {one.axis}`" for one in found]


def _show(report: Report, wrong: Sequence[str], options: dict[str, Any]) -> int:
    from tertium.console.output import show
    from tertium.reports import conformance as drawn

    lines = report.lines()
    if options["html"] is not None:
        from tertium.console.axes import meanings
        from tertium.console.output import emit
        from tertium.reports import matrix

        emit(matrix.page(lines, meanings()), options["html"])
    verdicts = ("unexplained", "error", "explained") if options["explained"] else ("unexplained", "error")
    parts: list[Any] = []
    if options["ids"]:
        parts += [part for case in options["ids"] if case in report.cases for part in _case(report, case)]
    if options["only_disagreements"] or options["odd_one_out"]:
        parts += drawn.groups(_parted(report, options["odd_one_out"]))
    parts += drawn.problems(lines, verdicts)
    parts += drawn.drift(lines)
    parts += drawn.skipped(lines, every=options["explained"])
    parts += wrong
    show(*parts, *([""] if parts else []), *drawn.summary(lines))
    return DIFFERS if report.counts["unexplained"] + report.counts["error"] + len(wrong) else 0


def _parted(report: Report, odd_only: bool) -> list[tuple[str, str, Sequence[tuple[str, Sequence[str]]]]]:
    from tertium.conformance.clusters import clusters

    return [
        (one.case, one.title, one.groups)
        for one in clusters(report)
        if (one.odd_one is not None if odd_only else one.disagree)
    ]


def _case(report: Report, case: str) -> list[Any]:
    from tertium.reports import conformance as drawn

    results = [one.to_json() for one in report.results if one.case == case]
    return drawn.case(report.cases[case], results)

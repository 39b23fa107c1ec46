"""
Show what implementations do, axis by axis: ``tertium conventions [FAMILY | METRIC | AXIS]``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tertium.errors import UsageError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

DIFFERS = 1


def _names(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    from tertium.console.axes import all_axes, families

    return [CompletionItem(name) for name in (*families(), *all_axes()) if name.startswith(incomplete)]


@click.command("conventions", short_help="Show what implementations do, axis by axis.")
@click.argument("name", required=False, shell_complete=_names)
@click.option("--all", "everyone", is_flag=True, help="Also implementations that were measured but are no provider.")
@click.option("--verify", is_flag=True, help="Run the cases that the table points to, and hold every cell to them.")
@click.option("--jobs", type=click.IntRange(min=1), default=2, show_default=True, help="Groups of cases at a time.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(name: str | None, everyone: bool, verify: bool, jobs: int, as_json: bool) -> int:
    """
    Show the choices that can change a number, and what each implementation does.

    \b
      tertium conventions                  the families
      tertium conventions bleu             axes by installed provider
      tertium conventions bleu --all       measured implementations as well
      tertium conventions bleu.smoothing   one axis, with the cases that show it
      tertium conventions --verify         is it all still so?

    A cell in grey gives the native parameters that reproduce the provider. Every other cell is a claim that cases of
    the suite show; --verify runs them. Exit code 1: a claim does not hold.
    """
    from tertium.console.output import emit, show
    from tertium.registry import registry
    from tertium.reports import conventions as drawn
    from tertium.reports import json

    found = registry()
    if verify:
        findings = _verified(name, jobs)
        if as_json:
            emit(json.document(findings))
        else:
            show(*drawn.verified(findings))
        return DIFFERS if findings["contradictions"] else 0
    if name is not None and "." in name:
        facts = _axis(name)
        if as_json:
            emit(json.document(facts))
        else:
            show(
                *(part for number, one in enumerate(facts["axes"]) for part in ([""] * bool(number) + drawn.axis(one)))
            )
        return 0
    from tertium.console.axes import describe_family, families, family_name

    names = families() if name is None else [family_name(found, name)]
    described = [describe_family(found, one) for one in names]
    if as_json:
        emit(json.document({"families": described}))
    elif name is None:
        show(*drawn.families(described))
    else:
        (facts,) = described
        show(
            *drawn.family(
                facts, facts["implementations"] if everyone else facts["installed"] or facts["implementations"]
            )
        )
    return 0


def _axis(name: str) -> dict[str, Any]:
    from tertium.console.axes import all_axes, describe_family, families
    from tertium.errors import did_you_mean
    from tertium.registry import registry

    if name not in all_axes():
        hint = did_you_mean(name, all_axes()) or "See `tertium conventions FAMILY`"
        raise UsageError(f"the axis {name!r}", f"there are {len(all_axes())} axes, and it is not one of them", hint)
    rows = []
    for family in families():
        facts = describe_family(registry(), family)
        rows += [axis for axis in facts["axes"] if axis["id"] == name]
    if not rows:  # the table treats it together with others
        rows = _covering(name)
    return {"axes": rows}


def _covering(name: str) -> list[dict[str, Any]]:
    from tertium.conformance.convention_table import load_conventions
    from tertium.console.axes import describe_family
    from tertium.registry import registry

    found = []
    for family, sheet in load_conventions().items():
        wanted = {row.id for row in sheet.rows if name in row.covers}
        if wanted:
            found += [axis for axis in describe_family(registry(), family)["axes"] if axis["id"] in wanted]
    return found


def _verified(name: str | None, jobs: int) -> dict[str, Any]:
    from tertium.conformance.case_files import load_cases
    from tertium.conformance.convention_table import cases_of, load_conventions, verify
    from tertium.conformance.running import run
    from tertium.console.axes import family_name
    from tertium.console.notes import Progress
    from tertium.registry import registry

    sheets = load_conventions()
    if name is not None:
        family = name if name in sheets else family_name(registry(), name.partition(".")[0])
        sheets = {family: sheets[family]} if family in sheets else {}
    wanted = cases_of(sheets.values())
    cases = {case.id: case for case in load_cases()}
    picked = [case for case in cases.values() if case.id in wanted]
    with Progress("verify", len(picked)) as progress:
        results = run(picked, jobs=jobs, progress=progress).results if picked else ()
    findings = verify(sheets.values(), cases, results)
    return {
        "held": findings.held,
        "unseen": findings.unseen,
        "unshown": findings.unshown,
        "contradictions": [str(one) for one in findings.contradictions],
    }

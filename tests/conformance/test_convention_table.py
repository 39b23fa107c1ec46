"""
The table of conventions: read strictly, complete, and held to the cases that it points to.
"""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from tertium import conventions
from tertium.conformance import load_cases
from tertium.conformance.convention_table import cases_of, load_conventions, verify
from tertium.conformance.outcomes import Failed, Number, Rejected
from tertium.conformance.report_file import Result
from tertium.conformance.running import run
from tertium.errors import FormatError
from tertium.registry import KNOWN_PROVIDERS, registry

AXES = Path(__file__).resolve().parents[3] / "shared" / "conventions.json"
CASES = {case.id: case for case in load_cases()}
FAMILY = {
    "line": "family",
    "family": "bleu",
    "title": "BLEU",
    "implementations": {"native": {}, "other": {"version": "1"}},
}
AXIS = {
    "line": "axis",
    "id": "bleu.scale",
    "family": "bleu",
    "values": [{"says": "0–1", "by": {"other": {"shows": {"8-3-exact-match-bleu": 1.0}}}}],
}


def written(folder: Path, *lines: Any) -> Path:
    file = folder / "table.jsonl"
    file.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines))
    return file


def result(case: str, provider: str, outcome: Any) -> Result:
    return Result(case, "bleu", provider, None, "agrees", "", (), outcome, (), "", None, "")


def test_every_cell_is_what_the_library_gave() -> None:
    """Whatever a cell says of an implementation outside of tertium is what was measured of it."""
    findings = verify(load_conventions().values(), CASES)

    assert findings.contradictions == ()
    assert findings.held > 800


def test_cells_point_to_cases_that_exist() -> None:
    """No cell names a case that the suite does not have."""
    assert cases_of(load_conventions().values()) - set(CASES) == set()


@pytest.mark.parametrize("family", ["chrf", "squad"])
def test_providers_do_what_their_cells_say(family: str) -> None:
    """Run anew, every provider gives on each case what its cell says."""
    sheet = load_conventions()[family]
    wanted = cases_of([sheet])
    results = run([case for case in CASES.values() if case.id in wanted], jobs=2).results

    findings = verify([sheet], CASES, results)

    assert findings.contradictions == ()
    assert {one.provider for one in results} >= {"native"}


def runnable() -> dict[str, set[str]]:
    """Name the installed providers of each family of the table."""
    found: dict[str, set[str]] = {}
    for metric, providers in registry().metrics.items():
        family = conventions.family_of(metric)
        if family is not None:
            found.setdefault(family.name, set()).update(providers)
    return found


def test_every_provider_of_a_family_has_its_column() -> None:
    """Each adapter that comes with tertium stands in the table of each family that it has a metric of."""
    sheets = load_conventions()
    missing = [
        (family, provider)
        for family, providers in runnable().items()
        for provider in sorted(providers & {"native", *KNOWN_PROVIDERS})
        if family in sheets and provider not in sheets[family].versions
    ]

    assert missing == []


def test_cells_about_providers_are_shown_by_cases() -> None:
    """Every claim about what tertium can run points to cases that show it."""
    installed = {provider for providers in runnable().values() for provider in providers}
    cells = [
        (row.id, name, cell)
        for sheet in load_conventions().values()
        for row in sheet.rows
        for name, cell in row.cells.items()
        if name in installed
    ]

    assert [(axis, name) for axis, name, cell in cells if not cell.shows] == []
    assert len(cells) > 400


@pytest.mark.skipif(not AXES.is_file(), reason="the table that tertium's was made of is not beside this checkout")
def test_no_axis_of_a_provider_is_missing() -> None:
    """Each axis on which the measured table speaks of what tertium can run has that provider's cell here."""
    sheets = load_conventions()
    rows = {(sheet.family, row.id): row for sheet in sheets.values() for row in sheet.rows}
    asked, missing = 0, []
    for found in json.loads(AXES.read_text(encoding="utf-8")):
        for family, providers in runnable().items():
            row = rows.get((family, found["axis"]))
            for name, measured in sheets[family].measured.items() if row is not None and family in sheets else ():
                if name in providers - {"native"} and found["implementation"] in (name, measured):
                    asked += 1
                    missing += [(found["axis"], name)] if name not in row.cells else []  # type: ignore[union-attr]
    known = {axis for _, axis in rows}
    about = {one["axis"] for one in json.loads(AXES.read_text(encoding="utf-8"))}

    assert missing == []
    assert about - known == {"performance"}
    assert asked > 200


def test_a_case_axis_has_a_meaning() -> None:
    """Each axis that a case names is explained in the table or in the vocabulary."""
    explained = {row.id for sheet in load_conventions().values() for row in sheet.rows if row.meaning}
    explained |= {axis.id for family in conventions.families().values() for axis in family.axes.values()}
    named = {axis for case in CASES.values() for axis in case.axes}

    assert named - explained - {"performance"} == set()


def test_a_wrong_claim_is_found(tmp_path: Path) -> None:
    """A value that the library does not give is a contradiction that names axis, implementation, case and both values."""
    claim = {**AXIS, "values": [{"says": "0–1", "by": {"other": {"shows": {"8-3-exact-match-bleu": 0.5}}}}]}
    sheets = load_conventions(written(tmp_path, FAMILY, claim))

    findings = verify(sheets.values(), CASES, [result("8-3-exact-match-bleu", "other", Number(1.0, 1.0))])

    assert [str(one) for one in findings.contradictions] == [
        "bleu.scale: other gives 1.0 on 8-3-exact-match-bleu, not 0.5"
    ]
    assert findings.held == 0


@pytest.mark.parametrize(
    ("expected", "outcome", "holds"),
    [
        ("none", Failed("ValueError", ""), True),
        ("none", Rejected("tertium", "", ""), True),
        ("none", Number(0.0, 0.0), False),
        ("failed", Rejected("provider", "", ""), True),
        ("rejected", Rejected("provider", "", ""), True),
        ("undefined", Rejected("provider", "", ""), False),
        (0.0, Number(1e-300, 1e-300), False),
        (0.5, Number(50.0, 0.5), True),
    ],
)
def test_claims_compare_by_kind_and_unit_value(tmp_path: Path, expected: Any, outcome: Any, holds: bool) -> None:
    """Numbers compare on the unit scale, 0 only with 0; what is no number compares by its kind."""
    claim = {**AXIS, "values": [{"says": "x", "by": {"other": {"shows": {"8-3-exact-match-bleu": expected}}}}]}
    sheets = load_conventions(written(tmp_path, FAMILY, claim))

    findings = verify(sheets.values(), CASES, [result("8-3-exact-match-bleu", "other", outcome)])

    assert (findings.held, len(findings.contradictions)) == ((1, 0) if holds else (0, 1))


def test_native_is_not_excused_where_tertium_refuses(tmp_path: Path) -> None:
    """What tertium refuses is unseen of a library, whose measured value stands; of native it is a contradiction."""
    case = dataclasses.replace(CASES["8-3-exact-match-bleu"])
    both = {name: {"shows": {case.id: 1.0}} for name in ("native", "other")}
    head = {**FAMILY, "implementations": {"native": {"measured": "sacrebleu"}, "other": {"measured": "sacrebleu"}}}
    sheets = load_conventions(written(tmp_path, head, {**AXIS, "values": [{"says": "x", "by": both}]}))
    refused = [result(case.id, name, Rejected("tertium", "", "no")) for name in ("native", "other")]

    findings = verify(sheets.values(), {case.id: case}, refused)

    assert [one.implementation for one in findings.contradictions] == ["native"]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["{"], "it is not JSON"),
        ([{"line": "family", "family": "bleu"}], "$"),
        ([AXIS], "there is no family 'bleu' above"),
        ([FAMILY, AXIS, AXIS], "bleu.scale stands above already"),
        (
            [FAMILY, {**AXIS, "values": [{"says": "x", "by": {"stranger": {"evidence": "run"}}}]}],
            "'stranger' is not listed",
        ),
        ([FAMILY, {**AXIS, "values": [*AXIS["values"], *AXIS["values"]]}], "two values for 'other'"),  # type: ignore[misc]
        ([FAMILY, {**AXIS, "id": "bleu.nothing"}], "no meaning"),
        ([FAMILY, {**AXIS, "covers": ["bleu.nothing"]}], "covers what is not in it"),
    ],
)
def test_malformed_tables_are_refused(tmp_path: Path, lines: list[Any], words: str) -> None:
    """A line that cannot be taken as it stands is an error that names file and line."""
    with pytest.raises(FormatError) as caught:
        load_conventions(written(tmp_path, *lines))

    assert words in str(caught.value)
    assert f"table.jsonl:{len(lines)}" in str(caught.value) or f"line {len(lines)}" in str(caught.value)

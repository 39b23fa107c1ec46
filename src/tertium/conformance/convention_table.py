"""
Read the table of conventions, axis by implementation, and hold each cell to the cases that show it.

The table is data, ``conventions.jsonl`` in the suite's folder. A line for a family lists implementations in the order
in which they are shown; the lines for its axes follow. A cell says in words what an implementation does, and names
cases with the value, on the unit scale, that the implementation gives there: a number, ``Infinity``, ``-Infinity``, or
one of ``undefined``, ``rejected``, ``failed`` and ``none``, where ``none`` is any of the three. A provider of that name
that is installed is held to the same values as the library was when it was measured.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from tertium import conventions
from tertium.conformance.case_files import ConformanceCase
from tertium.conformance.outcomes import Failed, Number, Outcome, Rejected, Tolerance, Unsupported, no_number
from tertium.conformance.places import folder
from tertium.conformance.report_file import Result
from tertium.conformance.schemas import problem
from tertium.conformance.settings import MEASURED, ROUGH
from tertium.errors import FormatError
from tertium.registry import DEFAULT_PROVIDER

Evidence = Literal["cases", "run", "read"]
Shown = float | str

FILE = "conventions.jsonl"


@dataclass(frozen=True)
class Cell:
    """
    Say what one implementation does on one axis.

    Attributes:
        says: The value, in words.
        evidence: ``cases``, ``run`` where it was seen in a run that no case repeats, ``read`` where it was read only.
        shows: Case ids to what the implementation gives there.
    """

    says: str
    evidence: Evidence
    shows: Mapping[str, Shown]


@dataclass(frozen=True)
class Row:
    """
    Hold one axis with the cells of all implementations that have a value on it.

    Attributes:
        covers: Axes of the vocabulary of native parameters that it is about.
    """

    id: str
    family: str
    meaning: str
    covers: tuple[str, ...]
    cells: Mapping[str, Cell]

    @property
    def parameters(self) -> tuple[str, ...]:
        """
        The native parameters that move the axis.
        """
        names: list[str] = []
        for axis in self.covers:
            family, _, name = axis.partition(".")
            names += conventions.families()[family].axes[name].parameters
        return tuple(dict.fromkeys(names))


@dataclass(frozen=True)
class Sheet:
    """
    Hold the axes of one family of metrics.

    Attributes:
        versions: Implementation to the version that was measured; empty for what tertium runs.
        measured: Implementation to the name under which the cases keep what it gave.
    """

    family: str
    title: str
    versions: Mapping[str, str]
    measured: Mapping[str, str]
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Contradiction:
    """
    Name a cell that a case does not bear out.
    """

    axis: str
    implementation: str
    case: str
    expected: Shown
    found: str

    def __str__(self) -> str:
        return f"{self.axis}: {self.implementation} gives {self.found} on {self.case}, not {self.expected}"


@dataclass(frozen=True)
class Findings:
    """
    Gather what holding the table to outcomes gives.

    Attributes:
        held: Cells that at least one case bears out and none contradicts.
        unseen: Cells none of whose cases was run or measured.
        unshown: Cells that name no case.
    """

    held: int
    unseen: int
    unshown: int
    contradictions: tuple[Contradiction, ...]


def load_conventions(place: Path | None = None) -> Mapping[str, Sheet]:
    """
    Read the table, family by family.

    Raises:
        FormatError: A line is no JSON, does not fit its schema, or says something twice; names file and line.
    """
    file = folder() / FILE if place is None else place
    heads: dict[str, dict[str, Any]] = {}
    rows: dict[str, list[Row]] = {}
    for number, record in _records(file):
        family = record["family"]
        if record["line"] == "family":
            heads[family] = record
            rows[family] = []
            continue
        if family not in heads:
            remedy = "Put the line of a family before those of its axes"
            raise FormatError(str(file), f"there is no family {family!r} above", remedy, line=number)
        row = _row(file, number, record)
        unknown = [name for name in row.cells if name not in heads[family]["implementations"]]
        if unknown or any(row.id == other.id for other in rows[family]):
            truth = f"{unknown[0]!r} is not listed with its family" if unknown else f"{row.id} stands above already"
            raise FormatError(str(file), truth, "Describe each axis once, for listed implementations", line=number)
        rows[family].append(row)
    return {name: _sheet(head, rows[name]) for name, head in heads.items()}


def _records(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(file.read_bytes().split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError as error:
            raise FormatError(str(file), f"it is not JSON ({error})", "Write one object a line", line=number) from error
        wrong = problem(record, "conventions")
        if wrong:
            raise FormatError(str(file), wrong, "See the schema conventions.schema.json", line=number)
        yield number, record


def _row(file: Path, number: int, record: Mapping[str, Any]) -> Row:
    cells: dict[str, Cell] = {}
    for value in record["values"]:
        for name, found in value["by"].items():
            if name in cells:
                truth = f"{record['id']} has two values for {name!r}"
                raise FormatError(str(file), truth, "Keep the one that holds", line=number)
            shows = found.get("shows", {})
            cells[name] = Cell(value["says"], found.get("evidence", "cases"), shows)
    family, _, name = record["id"].partition(".")
    known = conventions.families().get(family)
    axis = None if known is None else known.axes.get(name)
    covers = tuple(record.get("covers", [record["id"]] if axis is not None else []))
    meaning = record.get("meaning") or (axis.meaning if axis is not None else "")
    if not meaning or any(not _is_axis(one) for one in covers):
        truth = f"{record['id']} is not in the vocabulary and has no meaning, or covers what is not in it"
        raise FormatError(str(file), truth, "Give it a meaning, and name axes of conventions.toml", line=number)
    return Row(record["id"], record["family"], meaning, covers, cells)


def _is_axis(text: str) -> bool:
    family, _, name = text.partition(".")
    return family in conventions.families() and name in conventions.families()[family].axes


def _sheet(head: Mapping[str, Any], rows: Iterable[Row]) -> Sheet:
    listed = head["implementations"]
    versions = {name: facts.get("version", "") for name, facts in listed.items()}
    measured = {name: facts.get("measured", name) for name, facts in listed.items()}
    return Sheet(head["family"], head["title"], versions, measured, tuple(rows))


def cases_of(sheets: Iterable[Sheet]) -> set[str]:
    """
    Return the ids of all cases that cells point to.
    """
    return {case for sheet in sheets for row in sheet.rows for cell in row.cells.values() for case in cell.shows}


def verify(sheets: Iterable[Sheet], cases: Mapping[str, ConformanceCase], results: Iterable[Result] = ()) -> Findings:
    """
    Hold every cell to what its cases show: to results of a run, and else to what was measured.

    Args:
        cases: The suite's cases by id.
        results: Those of a run; only what they hold is looked at in them.
    """
    found = {(one.case, one.provider): one.outcome for one in results}
    held = unseen = unshown = 0
    contradictions: list[Contradiction] = []
    for sheet in sheets:
        for row in sheet.rows:
            for name, cell in row.cells.items():
                seen, against = _hold(sheet, row, name, cases, found)
                contradictions += against
                held += bool(seen) and not against
                unseen += bool(cell.shows) and not seen
                unshown += not cell.shows
    return Findings(held, unseen, unshown, tuple(contradictions))


def _hold(
    sheet: Sheet,
    row: Row,
    name: str,
    cases: Mapping[str, ConformanceCase],
    found: Mapping[tuple[str, str], Outcome],
) -> tuple[int, list[Contradiction]]:
    seen, against = 0, []
    for id_, expected in row.cells[name].shows.items():
        case = cases.get(id_)
        if case is None:
            against.append(Contradiction(row.id, name, id_, expected, "nothing, since there is no such case,"))
            continue
        measured = case.measured.get(sheet.measured[name])
        outcome = found.get((id_, name))
        if name != DEFAULT_PROVIDER and measured is not None and not _asked(outcome):
            outcome = measured.outcome  # the library was not asked; what it does by itself is known all the same
        if outcome is None:
            continue
        seen += 1
        if isinstance(outcome, Rejected) and (id_, name) in found:
            outcome = Failed(outcome.kind, outcome.notice)  # adapters turn a library's exceptions into refusals
            expected = "failed" if expected == "rejected" else expected
        if not _is(outcome, expected, _tolerance(case, name)):
            against.append(Contradiction(row.id, name, id_, expected, str(outcome)))
    return seen, against


def _asked(outcome: Outcome | None) -> bool:
    refused = isinstance(outcome, Rejected) and outcome.by == "tertium"
    return outcome is not None and not isinstance(outcome, Unsupported) and not refused


def _tolerance(case: ConformanceCase, name: str) -> Tolerance:
    return ROUGH.get(MEASURED.get((name, case.metric), ""), case.tolerance)


def _is(outcome: Outcome, expected: Shown, tolerance: Tolerance) -> bool:
    kind = str(outcome.to_json()["type"])
    if isinstance(expected, str) and expected not in ("Infinity", "-Infinity"):
        return isinstance(outcome, Unsupported) or no_number(outcome) if expected == "none" else kind == expected
    if isinstance(outcome, Number):
        return tolerance.same(outcome.unit, float(expected))
    return kind == "infinite" and outcome.to_json()["value"] == expected

"""
Read the suite: files of JSON Lines, one case a line, each checked against its schema.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tertium.cases import Cases
from tertium.conformance.compact import written_out
from tertium.conformance.outcomes import (
    USUAL,
    Failed,
    Outcome,
    Rejected,
    Tolerance,
    Undefined,
    value_outcome,
)
from tertium.conformance.places import folder
from tertium.conformance.schemas import problem
from tertium.errors import DataError, FormatError
from tertium.extensions import offered

SWITCHES = frozenset(
    {
        "auto_reweigh",
        "bs_ref_len",
        "bs_smooth",
        "fb_smooth",
        "ig_smooth",
        "nltk_smooth",
        "rouge",
        "tm_smooth",
        "transposed",
        "raw",
        "limit_length",
    }
)
"""Names in ``params`` that no two implementations share: what one of them was switched to when it was measured."""

SCALES = {"0-100": 100.0}
"""Divisors that bring a scale to the unit scale; 1 where none stands here."""


@dataclass(frozen=True)
class Measured:
    """
    Hold what an implementation outside of tertium gave when it was run.
    """

    version: str
    outcome: Outcome


@dataclass(frozen=True)
class ConformanceCase:
    """
    Hold one case of the suite: one idea, shown on an input.

    Args:
        family: Name of its file.
        metric: The metric that it is scored with.
        output: The output that it is about, or None for the headline.
        axes: The conventions that explain the spread.
        params: Settings that all implementations share.
        switches: Settings of single implementations.
        segments: The input as it stands in the file, compact descriptions included.
        textbook: Value and scale of a definition or a paper, or None.
        measured: Implementation to what it gave.
    """

    id: str
    family: str
    metric: str
    output: str | None
    title: str
    explanation: str
    tags: tuple[str, ...]
    axes: tuple[str, ...]
    params: Mapping[str, Any]
    switches: Mapping[str, Any]
    segments: tuple[Mapping[str, Any], ...]
    textbook: Mapping[str, Any] | None
    tolerance: Tolerance
    measured: Mapping[str, Measured]

    def columns(self) -> tuple[list[Any], list[Any], list[Any] | None]:
        """
        Return hypotheses, references and sources as the case has them, which need not be what can be scored.
        """
        sources = [written_out(row["src"]) for row in self.segments if "src" in row]
        return (
            [written_out(row["hyp"]) for row in self.segments],
            [written_out(row["refs"]) for row in self.segments],
            sources or None,
        )

    def cases(self) -> Cases:
        """
        Return the input as cases.

        Raises:
            DataError: The case is about an input that tertium refuses.
        """
        hypotheses, references, sources = self.columns()
        return Cases(hypotheses, references, sources)

    def textbook_value(self) -> float | None:
        """
        Return the textbook's value on the unit scale, or None where it leaves the value open.
        """
        if self.textbook is None or self.textbook["value"] is None:
            return None
        return float(self.textbook["value"]) / SCALES.get(self.textbook["scale"], 1.0)

    def to_json(self) -> dict[str, Any]:
        """
        Return the case as a line of a report.
        """
        line: dict[str, Any] = {"line": "case", "id": self.id, "metric": self.metric}
        if self.output is not None:
            line["output"] = self.output
        line |= {
            "title": self.title,
            "explanation": self.explanation,
            "tags": list(self.tags),
            "axes": list(self.axes),
            "params": {**self.params, **self.switches},
            "segments": [dict(row) for row in self.segments],
            "textbook": None if self.textbook is None else dict(self.textbook),
            "tolerance": None,
            "measured": {
                name: {"version": one.version, "outcome": one.outcome.to_json()} for name, one in self.measured.items()
            },
        }
        if self.tolerance is not USUAL:
            given = self.tolerance
            line["tolerance"] = {"relative": given.relative, "absolute": given.absolute, "why": given.why}
        return line


def load_cases(place: Path | None = None) -> tuple[ConformanceCase, ...]:
    """
    Read all cases, ordered by file and then as they stand in it.

    Args:
        place: A folder of ``*.jsonl`` files, or one such file; by default the suite that comes along, and what
            plugins add to it.

    Raises:
        FormatError: A line is no JSON, does not fit the schema, or repeats an id; names file, line and path.
        DataError: There is no such file.
    """
    if place is None:
        return load_suite()[0]
    return tuple(_of(place, {}))


def load_suite() -> tuple[tuple[ConformanceCase, ...], tuple[str, ...]]:
    """
    Read the suite and what plugins add to it, and say whose file is left out because it cannot be read, a sentence each.
    """
    seen: dict[str, str] = {}
    found, refused = _of(folder() / "cases", seen), []
    for offer in offered("cases").values():
        try:
            found += _new(Path(offer.value), seen)
        except DataError as error:  # a plugin's file must not keep others from being run
            refused.append(f"cases of {offer.distribution}: {error}")
            if str(error) not in offer.problems:
                offer.problems.append(str(error))
    return tuple(found), tuple(refused)


def _of(where: Path, seen: dict[str, str]) -> list[ConformanceCase]:
    files = sorted(where.glob("*.jsonl")) if where.is_dir() else [where]
    if not files or not all(file.is_file() for file in files):
        raise DataError(f"cases were asked for in {where}", "there is no file of JSON Lines", "Name a folder or a file")
    return [case for file in files for case in _new(file, seen)]


def _new(file: Path, seen: dict[str, str]) -> list[ConformanceCase]:
    fresh = dict(seen)
    found: list[ConformanceCase] = []
    for number, case in _read(file):
        if case.id in fresh:
            truth = f"the id {case.id!r} stands at {fresh[case.id]} already"
            raise FormatError(str(file), truth, "Give every case an id of its own", line=number)
        fresh[case.id] = f"{file.name}:{number}"
        found.append(case)
    seen.update(fresh)
    return found


def _read(file: Path) -> Iterator[tuple[int, ConformanceCase]]:
    for number, line in enumerate(file.read_bytes().split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError as error:
            raise FormatError(str(file), f"it is not JSON ({error})", "Write one object a line", line=number) from error
        wrong = problem(record, "case")
        if wrong:
            raise FormatError(str(file), wrong, "See the schema case.schema.json", line=number)
        if record["family"] != file.stem:
            truth = f"$.family is {record['family']!r} in a file of {file.stem!r}"
            raise FormatError(str(file), truth, "A family has a file of its own", line=number)
        yield number, case_of(record)


def case_of(record: Mapping[str, Any]) -> ConformanceCase:
    """
    Make a case of an object that has passed its schema.
    """
    params = record["params"]
    given = record.get("tolerance")
    tolerance = USUAL
    if given is not None:
        tolerance = Tolerance(given.get("relative", USUAL.relative), given.get("absolute", 0.0), given["why"])
    return ConformanceCase(
        id=record["id"],
        family=record["family"],
        metric=record["metric"],
        output=record.get("output"),
        title=record["title"],
        explanation=record["explanation"],
        tags=tuple(record["tags"]),
        axes=tuple(record["axes"]),
        params={name: value for name, value in params.items() if name not in SWITCHES},
        switches={name: value for name, value in params.items() if name in SWITCHES},
        segments=tuple(record["cases"]),
        textbook=record.get("textbook"),
        tolerance=tolerance,
        measured={name: _measured(one) for name, one in record["results"].items()},
    )


def _measured(found: Mapping[str, Any]) -> Measured:
    components, status = found.get("components", {}), found["status"]
    outcome: Outcome
    if status in ("ok", "non-finite"):
        divisor = SCALES.get(found["scale"], 1.0)
        outcome = value_outcome(float(found["score"]), divisor, components, "the implementation returns NaN")
    elif status == "undefined":
        outcome = Undefined("the implementation returns no value", components)
    elif status == "rejected":
        outcome = Rejected("provider", "", "it prints a notice and returns nothing")
    else:
        outcome = Failed(found["error"], "")
    return Measured(found["version"], outcome)


def digest(cases: Iterable[ConformanceCase]) -> str:
    """
    Return the SHA-256 of cases in hexadecimal: equal digests mean equal cases.
    """
    total = hashlib.sha256()
    for case in cases:
        total.update(json.dumps(case.to_json(), sort_keys=True).encode() + b"\n")
    return total.hexdigest()

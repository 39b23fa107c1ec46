"""
Read the cases of this folder: invented inputs with the outcome that each implementation gave when it was run.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CASES = Path(__file__).parent / "cases"

PER_CENT = {"0-100"}


@dataclass(frozen=True)
class Outcome:
    """
    Hold what one implementation gave.

    Args:
        status: ``ok``, ``non-finite``, ``undefined``, ``rejected`` or ``error``.
        score: The number on the implementation's own scale, or None where there is none.
        unit: The number divided by 100 where the scale is 0 to 100.
        components: What else it gave: counts, precisions, lengths.
    """

    implementation: str
    version: str
    status: str
    score: float | None
    unit: float | None
    components: dict[str, Any]


@dataclass(frozen=True)
class Record:
    """
    Hold one case with its measured outcomes.

    Args:
        hypotheses: One text a segment; None where the case is about a missing one.
        references: One list a segment, or None where the segment has no entry.
        params: Settings that the implementations share, in the names of the cases' README.
        textbook: The value of a definition or a paper, with its scale, or None.
    """

    id: str
    family: str
    params: dict[str, Any]
    hypotheses: list[Any]
    references: list[Any]
    sources: list[Any] | None
    textbook: dict[str, Any] | None
    outcomes: tuple[Outcome, ...]


def records(family: str) -> Iterator[Record]:
    """
    Yield the cases of one family, in the order of the file.
    """
    for line in (CASES / f"{family}.jsonl").read_text(encoding="utf-8").splitlines():
        found = json.loads(line)
        rows = found["cases"]
        outcomes = tuple(_outcome(name, given) for name, given in found["results"].items())
        yield Record(
            id=found["id"],
            family=found["family"],
            params=found["params"],
            hypotheses=[written_out(row["hyp"]) for row in rows],
            references=[written_out(row["refs"]) for row in rows],
            sources=[written_out(row["src"]) for row in rows] if rows and "src" in rows[0] else None,
            textbook=found.get("textbook"),
            outcomes=outcomes,
        )


def _outcome(name: str, given: dict[str, Any]) -> Outcome:
    score = given.get("score")
    number = float(score) if isinstance(score, (int, float)) or score in ("nan", "inf", "-inf") else None
    unit = None if number is None else number / (100 if given["scale"] in PER_CENT else 1)
    return Outcome(name, given.get("version", ""), given["status"], number, unit, given.get("components") or {})


def written_out(value: Any) -> Any:
    """
    Make the text or list that a compact description stands for.

    ``{"$repeat": s, "times": n, "suffix": t}`` is s n times and then t; ``{"$range": "w%d", "start": a, "stop": b}``
    numbered tokens; ``{"$concat": [x, y]}`` one after the other; ``{"$list": s, "times": n}`` n equal references;
    ``{"$nan": 1}`` the number that is none.
    """
    if isinstance(value, list):
        return [written_out(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "$repeat" in value:
        return value["$repeat"] * value["times"] + value.get("suffix", "")
    if "$range" in value:
        numbers = range(value.get("start", 0), value["stop"])
        return value.get("sep", " ").join(value["$range"] % number for number in numbers)
    if "$concat" in value:
        return "".join(written_out(item) for item in value["$concat"])
    if "$list" in value:
        return [written_out(value["$list"])] * value["times"]
    return float("nan")

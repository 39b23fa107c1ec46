"""
Show where two metrics give different numbers: how far apart, on how many cases, and which cases carry it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium.cases import Cases
from tertium.errors import DataError, TertiumError
from tertium.guarding import errstate
from tertium.metric import Matrix
from tertium.scoring import BLOCK, Score, aggregated, json_number, total
from tertium.sides import Asked, Side, distance, near, no_gap, rescaled, scale_of, shared_unit, sides

Reals = NDArray[np.float64]

SAME = 1e-9
"""Relative difference up to which two values of a case count as equal."""


@dataclass(frozen=True)
class CaseDifference:
    """
    Show one case on which two metrics differ.

    Attributes:
        row: Its place among the cases; ``position`` is that in the corpus that was read.
        values: What each metric says about the case alone, each on its own scale.
        difference: The second less the first, on one scale.
        influence: What the case adds to the gap of the corpus: the gap less the gap without the case; NaN where the
            gap without it is undefined.
        columns: Statistics in which the two part, in order, each with both values.
        tokens: The hypothesis and each reference as both metrics cut them, where both show it.
        refused: Which metric has a rule that makes the value of the case alone an error.
    """

    row: int
    id: str
    position: int
    hypothesis: str
    references: tuple[str, ...]
    values: tuple[float, float]
    difference: float
    influence: float
    columns: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    tokens: tuple[tuple[list[str], list[str]], ...] | None = None
    refused: tuple[bool, bool] = (False, False)

    def to_dict(self) -> dict[str, Any]:
        """
        Return the case as JSON-ready values.
        """
        found: dict[str, Any] = {
            "id": self.id,
            "position": self.position,
            "values": [json_number(value) for value in self.values],
            "difference": json_number(self.difference),
            "influence": json_number(self.influence),
            "hypothesis": self.hypothesis,
            "references": list(self.references),
            "columns": {name: list(pair) for name, pair in self.columns.items()},
        }
        if self.tokens is not None:
            found["tokens"] = [{"a": one, "b": other} for one, other in self.tokens]
        return found | ({"refused": list(self.refused)} if any(self.refused) else {})


@dataclass(frozen=True)
class ColumnDifference:
    """
    Show one column of statistics in which two metrics part.

    Attributes:
        cases: Cases in which it differs.
        first: Cases in which it is the first column that differs.
        totals: Both sums over the cases.
    """

    name: str
    cases: int
    first: int
    totals: tuple[float, float]


@dataclass(frozen=True)
class Difference:
    """
    Hold how two metrics differ on the same cases.

    Attributes:
        a: The first metric with its score, or the reason why it has none.
        b: The second.
        cases: Number of cases.
        unit: The number that stands for 1 on the scale of ``gap`` and of the cases' differences: that of both metrics
            where they share one, else 1.
        gap: The second value less the first, on one scale; NaN where one of them is no number.
        differing: Cases on which the metrics differ by more than 1e-9 of the larger value, or None where one of them
            has no values of cases.
        carriers: The cases with the greatest influence on the gap, in its direction, and where the gap is 0 those with
            the greatest difference.
        columns: Statistics in which the two part, where both have columns of the same name.
    """

    a: Side
    b: Side
    cases: int
    unit: float
    gap: float
    differing: int | None
    carriers: tuple[CaseDifference, ...]
    columns: tuple[ColumnDifference, ...]

    def exceeds(self, tolerance: float | None = None) -> bool:
        """
        Say whether the corpus values differ by more than a tolerance, or one of them alone is no number.

        Args:
            tolerance: On the scale of the gap; by default 1e-9 of the larger value.
        """
        if tolerance is None:
            values = [abs(rescaled(side.value, side.unit, self.unit)) for side in (self.a, self.b)]
            tolerance = 0.0 if math.isnan(self.gap) else SAME * max(values)
        return self.distance > tolerance

    @property
    def distance(self) -> float:
        """
        How far the corpus values lie apart on one scale; infinite where one of them alone is no number.
        """
        one, other = (
            (
                side.state if side.error is None else type(side.error).__name__,
                rescaled(side.value, side.unit, self.unit),
            )
            for side in (self.a, self.b)
        )
        return distance(one, other)

    @property
    def finding(self) -> str | None:
        """
        What to say where the values cannot be subtracted, or None where they can.
        """
        return no_gap(self.a, self.b) if math.isnan(self.gap) else None

    @property
    def notes(self) -> tuple[str, ...]:
        """
        What is to be said about plain functions on either side: their shape, and how they behave.
        """
        return tuple(dict.fromkeys((*self.a.notes, *self.b.notes)))

    def to_dict(self) -> dict[str, Any]:
        """
        Return the difference as JSON-ready values.
        """
        found: dict[str, Any] = {
            "cases": self.cases,
            "a": self.a.to_dict(),
            "b": self.b.to_dict(),
            "unit": self.unit,
            "on": scale_of(self.a, self.b),
            "gap": json_number(self.gap),
            "differing": self.differing,
            "columns": [
                {"name": one.name, "cases": one.cases, "first": one.first, "totals": list(one.totals)}
                for one in self.columns
            ],
            "carriers": [case.to_dict() for case in self.carriers],
        }
        return found | ({} if self.finding is None else {"finding": self.finding})

    def __repr__(self) -> str:
        many = "differs" if self.differing == 1 else "differ"
        counted = "" if self.differing is None else f", {self.differing:,} of {self.cases:,} cases {many}"
        said = self.finding or f"{self.gap:+.6g} {scale_of(self.a, self.b)}"
        return f"Difference({self.a.label} = {self.a.value:.6g}, {self.b.label} = {self.b.value:.6g}: {said}{counted})"


def diff(
    a: Asked,
    b: Asked,
    cases: Cases,
    *,
    top: int = 5,
    workers: int = 1,
    allow_unpinned: bool = False,
) -> Difference:
    """
    Set two metrics against each other on the same cases.

    Args:
        a: A spec, a metric, or a plain function (see :func:`tertium.adapt`).
        b: Another one of the same name or family. A function that does not say which metric it computes is taken to
            compute that of the other side.
        top: How many cases to show.
        workers: Threads or processes that each scoring may use.

    Raises:
        Refused: The metrics measure different things.
        TertiumError: One of them cannot be loaded. That one of them refuses the *cases* is no error but a finding.

    Example:
        >>> import tertium
        >>> cases = tertium.Cases(["The cat", "a dog"], [["the cat"], ["a dog"]])
        >>> found = tertium.diff("exact-match", "exact-match(normalizer=lowercase)", cases)
        >>> found.gap, found.differing, found.carriers[0].hypothesis
        (0.5, 1, 'The cat')
    """
    left, right = sides(a, b, "a diff", allow_unpinned)
    for side in (left, right):
        side.look(cases)
        side.run(cases, workers, allow_unpinned)
    unit = shared_unit((left, right))
    gap = rescaled(right.value, right.unit, unit) - rescaled(left.value, left.unit, unit)
    gap = gap if math.isfinite(gap) else math.nan
    values = [_per_case(side) for side in (left, right)]
    differing: int | None = None
    carriers: tuple[CaseDifference, ...] = ()
    columns: tuple[ColumnDifference, ...] = ()
    if values[0] is not None and values[1] is not None and left.score is not None and right.score is not None:
        pair = (values[0], values[1])
        scaled = [rescaled(one, side.unit, unit) for one, side in zip(pair, (left, right), strict=True)]
        apart = unequal(scaled[0], scaled[1])
        differing = int(apart.sum())
        shared = _shared_columns(left.score, right.score)
        columns = _columns(left.score, right.score, shared)
        influence = _influence(left, right, unit, gap)
        rows = _carriers(gap, influence, scaled[1] - scaled[0], apart)[:top]
        carriers = tuple(_case(left, right, cases, row, pair, scaled, influence, shared) for row in rows)
    return Difference(left, right, len(cases), unit, gap, differing, carriers, columns)


def unequal(one: Reals, other: Reals, relative: float = SAME, absolute: float = 0.0) -> NDArray[np.bool_]:
    """
    Mark where values are not near each other, only one of them is a number, or one is infinite in another way.

    Args:
        relative: The share of the larger value within which two are near.
        absolute: The distance within which they are near, too.
    """
    same: NDArray[np.bool_] = near(one, other, relative, absolute) | (one == other) | (np.isnan(one) & np.isnan(other))
    return ~same


def _per_case(side: Side) -> Reals | None:
    if side.score is None or not side.metric.info.additive:
        return None
    try:
        return side.score.per_case[side.headline]
    except DataError:  # a rule makes the value of some case an error, and NaN stands for it
        with errstate():
            return np.asarray(side.metric.per_case(side.score.statistics), np.float64)[:, side.column]


def _refused(side: Side, row: int) -> bool:
    """
    Say whether a rule makes the value of a case by itself an error, so that NaN stands for it.
    """
    assert side.score is not None
    assert side.score.statistics is not None
    try:
        side.metric.check_cases(side.score.statistics[row : row + 1])
    except TertiumError:
        return True
    return False


def without_each(side_score: Score, column: int) -> Reals:
    """
    Return an output's corpus value without each case, shape (cases,): the finaliser on the total less each row.
    """
    rows = side_score.statistics
    assert rows is not None
    whole = total(rows)
    found = np.empty(len(rows))
    for start in range(0, len(rows), BLOCK):
        block = whole - rows[start : start + BLOCK]
        found[start : start + len(block)] = aggregated(side_score.metric, block)[:, column]
    return found


def _influence(left: Side, right: Side, unit: float, gap: float) -> Reals:
    assert left.score is not None
    assert right.score is not None
    if left.score.cases == 1:
        return np.array([gap])
    one, other = (
        rescaled(without_each(side.score, side.column), side.unit, unit) for side in (left, right) if side.score
    )
    with np.errstate(invalid="ignore"):
        found: Reals = gap - (other - one)
    found[~np.isfinite(found)] = np.nan
    return found


def _carriers(gap: float, influence: Reals, difference: Reals, apart: NDArray[np.bool_]) -> list[int]:
    """
    Order the cases that differ by what they add to the gap; where there is no gap to add to, by their difference.
    """
    size = np.where(np.isnan(difference), np.inf, np.abs(difference))
    if gap and not math.isnan(gap):
        weight = np.nan_to_num(influence * math.copysign(1, gap), nan=-np.inf)
    else:
        weight = size
    order = np.lexsort((np.arange(len(size)), -size, -weight))
    return [int(row) for row in order if apart[row]]


def _shared_columns(one: Score, other: Score) -> list[tuple[str, int, int]]:
    names = {name: place for place, name in enumerate(other.info.columns)}
    # A column that holds an output is written on the output's scale, so that only equal scales compare.
    outputs = {*one.info.outputs[:1], "score", "value"} if one.info.scale != other.info.scale else set()
    return [
        (name, place, names[name])
        for place, name in enumerate(one.info.columns)
        if name in names and name not in outputs
    ]


def _columns(one: Score, other: Score, shared: list[tuple[str, int, int]]) -> tuple[ColumnDifference, ...]:
    left, right = one.statistics, other.statistics
    assert left is not None
    assert right is not None
    sums = total(left), total(right)
    seen = np.zeros(len(left), np.bool_)
    found = []
    for name, place, there in shared:
        apart = unequal(left[:, place], right[:, there])
        if apart.any():
            totals = float(sums[0][place]), float(sums[1][there])
            found.append(ColumnDifference(name, int(apart.sum()), int((apart & ~seen).sum()), totals))
            seen |= apart
    return tuple(found)


def _case(
    left: Side,
    right: Side,
    cases: Cases,
    row: int,
    values: tuple[Reals, Reals],
    scaled: list[Reals],
    influence: Reals,
    shared: list[tuple[str, int, int]],
) -> CaseDifference:
    case = cases[row]
    assert left.score is not None
    assert right.score is not None
    rows: list[Matrix] = [side.statistics for side in (left.score, right.score) if side.statistics is not None]
    pairs = {name: (float(rows[0][row, i]), float(rows[1][row, j])) for name, i, j in shared}
    return CaseDifference(
        row,
        case.id,
        case.position,
        case.hypothesis,
        case.references or (),
        (float(values[0][row]), float(values[1][row])),
        float(scaled[1][row] - scaled[0][row]),
        float(influence[row]),
        {name: pair for name, pair in pairs.items() if unequal(np.array(pair[:1]), np.array(pair[1:]))[0]},
        tokens_of(left, right, (case.hypothesis, *(case.references or ()))),
        (_refused(left, row), _refused(right, row)),
    )


def tokens_of(left: Side, right: Side, texts: tuple[str, ...]) -> tuple[tuple[list[str], list[str]], ...] | None:
    """
    Cut texts as both metrics do, or return None where one of them does not show how.
    """
    found = []
    for text in texts:
        one, other = left.tokens(text), right.tokens(text)
        if one is None or other is None:
            return None
        found.append((one, other))
    return tuple(found)

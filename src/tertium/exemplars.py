"""
Find the case that shows best what a convention does.

Sought first is the case that bears most of the convention's share of the gap; where the convention has no share, the
case whose own value it changes most.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium.coalitions import Coalitions, Contradiction
from tertium.errors import TertiumError
from tertium.metric import Matrix, Metric
from tertium.scoring import aggregated, json_number
from tertium.sides import near, rescaled, unit_of

Reals = NDArray[np.float64]

CANDIDATES = 16
"""Cases whose influence is worked out exactly, after a first look at all of them."""

BLOCK = 1024
"""Cases that are looked at together where a convention has no share: the first block in which it changes any value."""

NOTHING = 1e-12
"""A share or influence below this on the scale of 0 to 1 is noise of the arithmetic."""


@dataclass(frozen=True)
class Effect:
    """
    Show what a convention does to one case.

    Attributes:
        before: The case's value with the first metric's choice on the shared scale.
        after: Its value when this convention alone changes.
        refused: Which of the two is an error by the rules of the metric, and not undefined.
    """

    row: int
    id: str
    hypothesis: str
    references: tuple[str, ...]
    before: float
    after: float
    refused: tuple[bool, bool] = (False, False)

    def to_dict(self) -> dict[str, Any]:
        """
        Return the effect as JSON-ready values.
        """
        found = {
            "id": self.id,
            "row": self.row,
            "hypothesis": self.hypothesis,
            "references": list(self.references),
            "before": json_number(self.before),
            "after": json_number(self.after),
        }
        return found | ({"refused": list(self.refused)} if any(self.refused) else {})


class _View:
    """
    Look at the cases under one coalition.
    """

    def __init__(self, game: Coalitions, mask: int) -> None:
        self.metric: Metric = game.metric(mask)
        self.column = game.column(mask, self.metric)
        self._unit, self._shared, self._cases = unit_of(self.metric), game.shared, len(game.cases)
        rows, sums = game.rows(self.metric), game.sums(self.metric)
        if rows is None or sums is None:
            raise _NoRows
        self.rows, self.sums, self._way = rows, sums, (game.finish(self.metric), self.column)
        self._game, self._mask = game, mask
        self._blocks: dict[int, Reals] = {}

    @property
    def whole(self) -> float:
        """
        The value of all cases.
        """
        return self._game.value(self._mask)

    def _finish(self, sums: Matrix) -> Reals:
        values = aggregated(self.metric, sums)[..., self.column]
        return np.asarray(rescaled(values, self._unit, self._shared), np.float64)

    @cached_property
    def sensitivity(self) -> Reals:
        """
        Estimate what each case adds to the value, shape (rows,): the value's slope in each column times the row.
        """
        steps = self.sums / self._cases
        moved = self._finish(self.sums - np.diag(steps))
        slopes = np.where(steps != 0, (self.whole - moved) / np.where(steps != 0, steps, 1.0), 0.0)
        # not with `@`: BLAS starts threads for a product of this size, and they wait for each other where others work, too
        return np.asarray(np.einsum("ij,j", self.rows, np.nan_to_num(slopes, posinf=0.0, neginf=0.0)))

    def added(self, rows: NDArray[np.int64]) -> Reals:
        """
        Return what some cases add to the value, each by itself: the value less that without the case.
        """
        return np.asarray(self.whole - self._finish(self.sums - self.rows[rows]))

    def block(self, start: int) -> Reals:
        """
        Return the values of a block of cases by themselves, shape (cases from ``start``, at most ``BLOCK``).
        """
        if start not in self._blocks:
            self._blocks[start] = self._values(slice(start, start + BLOCK))
        return self._blocks[start]

    def value(self, row: int) -> float:
        """
        Return the value of one case by itself.
        """
        start = row - row % BLOCK
        found = self._blocks[start][row - start :] if start in self._blocks else self._values(slice(row, row + 1))
        return float(found[0])

    def refuses(self, row: int) -> bool:
        """
        Say whether a rule makes the value of one case by itself an error, so that NaN stands for it.
        """
        try:
            self.metric.check_cases(self.rows[row : row + 1])
        except TertiumError:
            return True
        return False

    def _values(self, rows: slice) -> Reals:
        with np.errstate(all="ignore"):
            found = np.asarray(self.metric.per_case(self.rows[rows]), np.float64)[:, self.column]
        return np.asarray(rescaled(found, self._unit, self._shared))

    def moved(self, other: _View, start: int) -> Reals:
        """
        Measure how far the values of a block of cases lie from those under another coalition.
        """
        rows = slice(start, start + BLOCK)
        if self._way == other._way and np.array_equal(self.rows[rows], other.rows[rows]):
            return np.zeros(len(self.rows[rows]))  # the same counts, finished and read in the same way
        return _moved(self.block(start), other.block(start))


class _NoRows(Exception):
    """
    A metric has a corpus value only, so no case can be looked at.
    """


def effects(game: Coalitions, shares: Sequence[float]) -> list[Effect | None]:
    """
    Return, for every player of a game, the case that shows it best, or None where no case does.

    Args:
        shares: Each player's share of the gap.
    """
    known: dict[int, _View] = {}

    def view(mask: int) -> _View:
        if mask not in known:
            known[mask] = _View(game, mask)
        return known[mask]

    found: list[Effect | None] = []
    for place, share in enumerate(shares):
        alone = 1 << place
        try:
            views = (view(0), view(alone), view(game.everybody ^ alone), view(game.everybody))
            found.append(_effect(game, views, share))
        except (TertiumError, Contradiction, _NoRows):
            found.append(None)
    return found


def _effect(game: Coalitions, views: tuple[_View, _View, _View, _View], share: float) -> Effect | None:
    cases = game.cases
    row = None
    if abs(share) > NOTHING * game.shared:
        row = _bearer(views, len(cases), float(np.sign(share)))
    if row is None:
        row = _changed(views)
    if row is None:
        return None
    pairs = ((views[0], views[1]), (views[2], views[3]))
    shown = [(one.value(row), other.value(row)) for one, other in pairs]
    # The change that is greater, and greatest of all one to a value or from one.
    place = int(np.argmax([np.nan_to_num(abs(after - before), nan=np.inf) for before, after in shown]))
    case = cases[row]
    refused = pairs[place][0].refuses(row), pairs[place][1].refuses(row)
    return Effect(row, case.id, case.hypothesis, case.references or (), *shown[place], refused)


def _bearer(views: tuple[_View, _View, _View, _View], cases: int, sign: float) -> int | None:
    """
    Return the row that adds most to a share, or None where no row adds anything.
    """
    if cases == 1:
        return 0
    guess = sign * _change([view.sensitivity for view in views])
    few = min(CANDIDATES, len(guess))
    likely = np.sort(np.argpartition(-guess, few - 1)[:few])
    exact = np.nan_to_num(sign * _change([view.added(likely) for view in views]), nan=-np.inf)
    best = int(np.argmax(exact))
    return int(likely[best]) if exact[best] > 0 else None


def _change(found: Sequence[Reals]) -> Reals:
    # The mean of what the convention does when it comes first and when it comes last.
    none, alone, others, everybody = found
    return (alone - none + everybody - others) / 2


def _changed(views: tuple[_View, _View, _View, _View]) -> int | None:
    """
    Return the row whose own value changes most, of the first block in which any does.
    """
    none, alone, others, everybody = views
    for start in range(0, len(none.rows), BLOCK):
        moved = np.fmax(none.moved(alone, start), others.moved(everybody, start))
        best = int(np.argmax(moved))
        if moved[best] > 0:
            return start + best
    return None


def _moved(before: Reals, after: Reals) -> Reals:
    """
    Measure how far values move, 0 where that is noise beside the values, without end where one becomes undefined.
    """
    with np.errstate(invalid="ignore"):
        size = np.abs(after - before)
        size[near(before, after, NOTHING)] = 0.0
    return np.where(np.isnan(size), np.where(np.isnan(before) != np.isnan(after), np.inf, 0.0), size)

"""
Turn counts of shared units into precision, recall and F: one reference, several, and a corpus.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Offsets

Reals = NDArray[np.float64]
FULL = (1 << 48) - 1


@dataclass(frozen=True)
class Scoring:
    """
    Say how counts become scores.

    Args:
        multi_reference: What several references make: ``best-f`` and ``best-recall`` take the reference that is best
            so (the first of equals), ``best-each`` the best precision and the best recall whichever reference gives
            them, ``pooled`` sums counts over references (Lin 2004, equation 1), ``mean`` averages scores.
        jackknife: Score all sets that lack one of the references, and average.
        alpha: F = PR / ((1 - alpha) P + alpha R).
        f_epsilon: Added to P + R where F1 divides by it.
        empty: What counts without units make: ``zero``; ``one`` if both sides have none; ``skip`` leaves a case out
            whose hypothesis, or each of whose references, has none.
        decimals: Round precision and recall, and then F.
        root: The power to which ratios are raised.
        ranked_rounded: Whether the best recall is looked for after rounding.
    """

    multi_reference: str = "best-f"
    jackknife: bool = False
    alpha: float = 0.5
    f_epsilon: float = 0.0
    empty: str = "zero"
    decimals: int | None = None
    root: float = 1.0
    ranked_rounded: bool = True

    def ratios(self, matches: Reals, hypothesis: Reals, reference: Reals) -> tuple[Reals, Reals]:
        """
        Give precision and recall, unrounded.
        """
        precision = np.divide(matches, hypothesis, out=np.zeros(len(matches)), where=hypothesis > 0)
        recall = np.divide(matches, reference, out=np.zeros(len(matches)), where=reference > 0)
        if self.root != 1.0:
            precision, recall = precision**self.root, recall**self.root
        if self.empty == "one":
            nothing = (hypothesis == 0) & (reference == 0)
            precision[nothing] = recall[nothing] = 1.0
        return precision, recall

    def f(self, precision: Reals, recall: Reals) -> Reals:
        """
        Give F of precision and recall, any shape.
        """
        if self.alpha == 0.5:
            above, below = 2 * precision * recall, precision + recall + self.f_epsilon
        else:
            above, below = precision * recall, (1 - self.alpha) * precision + self.alpha * recall
        return np.divide(above, below, out=np.zeros(np.shape(above)), where=below > 0)

    def scores(self, matches: Reals, hypothesis: Reals, reference: Reals) -> Reals:
        """
        Give F, precision and recall of counts, shape (rows, 3).
        """
        return self._completed(*self.ratios(matches, hypothesis, reference))

    def of_totals(self) -> Scoring:
        """
        Give what ROUGE-1.5.5 does to its resamples' counts (-t 1): neither rounding nor, for ROUGE-W, the root.
        """
        return replace(self, decimals=None, root=1.0)

    def shown(self, values: Reals) -> Reals:
        """
        Round finished values.
        """
        return rounded(values, self.decimals)

    def _completed(self, precision: Reals, recall: Reals) -> Reals:
        precision, recall = rounded(precision, self.decimals), rounded(recall, self.decimals)
        return np.column_stack([rounded(self.f(precision, recall), self.decimals), precision, recall])

    def per_case(self, counts: Reals, bounds: Offsets, ranks: Reals | None = None) -> Reals:
        """
        Score cases.

        Args:
            counts: For each reference its matches, the hypothesis's units and its own, shape (references, 3).
            bounds: Case i owns the references ``bounds[i]:bounds[i + 1]``; each case has at least one.
            ranks: What ``best-recall`` ranks by, where it is not the recall.

        Returns:
            F, precision, recall and 1 (0 for a case left out) of each case, shape (cases, 4).
        """
        starts, sizes = bounds[:-1], np.diff(bounds)
        single = self.scores(*counts.T)
        if len(single) == len(sizes):
            values = single
        elif self.jackknife:
            without = self._without_one(single, counts, bounds, ranks)
            several = np.repeat(sizes, sizes) > 1
            rows = np.where(several[:, None], without, single)
            values = np.add.reduceat(rows, starts, axis=0) / sizes[:, None]
        elif self.multi_reference == "pooled":
            values = self.scores(*np.add.reduceat(counts, starts, axis=0).T)
        elif self.multi_reference == "mean":
            values = np.add.reduceat(single, starts, axis=0) / sizes[:, None]
        elif self.multi_reference == "best-each":
            best = np.maximum.reduceat(single, starts, axis=0)
            values = self._completed(best[:, 1], best[:, 2])
        else:
            values = single[self.best(single, counts, bounds, ranks)]
        shown = np.ones((len(sizes), 4))
        shown[:, :3] = values
        if self.empty == "skip":
            most = np.maximum.reduceat(counts, starts, axis=0)
            shown[(most[:, 1] == 0) | (most[:, 2] == 0)] = 0.0
        return shown

    def chosen(self, counts: Reals, bounds: Offsets, ranks: Reals | None = None) -> Reals:
        """
        Give the counts that a case puts into a pooled corpus value, shape (cases, 3).
        """
        if self.multi_reference == "pooled":
            return np.add.reduceat(counts, bounds[:-1], axis=0)
        return counts[self.best(self.scores(*counts.T), counts, bounds, ranks)]

    def best(
        self, single: Reals, counts: Reals, bounds: Offsets, ranks: Reals | None, without: Offsets | None = None
    ) -> Offsets:
        """
        Give the row of each case's best reference, the first of equals.

        Args:
            without: Rows that are not to be chosen, unless there is no other.
        """
        if self.multi_reference == "best-f":
            key = single[:, 0]
        elif ranks is not None:
            key = ranks
        elif self.ranked_rounded:
            key = single[:, 2]
        else:
            key = self.ratios(*counts.T)[1]
        return first_best(key, bounds, without)

    def _without_one(self, single: Reals, counts: Reals, bounds: Offsets, ranks: Reals | None) -> Reals:
        """
        Give, for each reference, the scores of its case without it.
        """
        starts, sizes = bounds[:-1], np.diff(bounds)
        rows, others = np.arange(len(single)), np.repeat(sizes, sizes) - 1
        if self.multi_reference == "pooled":
            return self.scores(*(np.repeat(np.add.reduceat(counts, starts, axis=0), sizes, axis=0) - counts).T)
        if self.multi_reference == "mean":
            totals = np.repeat(np.add.reduceat(single, starts, axis=0), sizes, axis=0)
            return np.asarray((totals - single) / np.maximum(others, 1)[:, None], np.float64)

        def left(key: Reals) -> Offsets:
            first = first_best(key, bounds)
            second = np.repeat(first_best(key, bounds, first), sizes)
            leader = np.repeat(first, sizes)
            return np.asarray(np.where(rows == leader, second, leader), np.int64)

        if self.multi_reference == "best-each":
            return self._completed(single[left(single[:, 1]), 1], single[left(single[:, 2]), 2])
        first = self.best(single, counts, bounds, ranks)
        second = np.repeat(self.best(single, counts, bounds, ranks, first), sizes)
        leader = np.repeat(first, sizes)
        return single[np.where(rows == leader, second, leader)]


def first_best(key: Reals, bounds: Offsets, without: Offsets | None = None) -> Offsets:
    """
    Give the row of each case's highest key, the first of equals.

    Args:
        without: Rows that count as lowest.
    """
    starts, sizes = bounds[:-1], np.diff(bounds)
    if without is not None:
        key = key.copy()
        key[without] = -np.inf
    highest = np.repeat(np.maximum.reduceat(key, starts), sizes)
    rows = np.where(key == highest, np.arange(len(key)), len(key))
    return np.asarray(np.minimum.reduceat(rows, starts), np.int64)


def rounded(values: Reals, decimals: int | None) -> Reals:
    """
    Round to decimals as printing does: by the exact binary value, not by a multiplied one.
    """
    if decimals is None:
        return values
    different, places = np.unique(values, return_inverse=True)
    shown = np.array([round(value, decimals) for value in different.tolist()], np.float64)
    return shown[places.reshape(values.shape)]


def bootstrap_sums(values: Reals, resamples: int) -> Reals:
    """
    Sum cases over resamples that are drawn as ROUGE-1.5.5 draws them: resample b with Perl's generator seeded by b.

    The generator is POSIX's drand48. Evaluations are numbered from 1 and stand in the order of their names as texts
    (1, 10, 11, ..., 2, 20, ...).

    Args:
        values: Shape (cases, columns).
        resamples: How many.

    Returns:
        Shape (resamples, columns).
    """
    cases = len(values)
    ordered = values[sorted(range(cases), key=lambda case: f"{case + 1}.X")]
    state = (np.arange(resamples, dtype=np.uint64) << np.uint64(16)) + np.uint64(0x330E)
    sums = np.zeros((resamples, values.shape[1]))
    for _ in range(cases):
        state = (state * np.uint64(0x5DEECE66D) + np.uint64(0xB)) & np.uint64(FULL)
        sums += ordered[(state / float(1 << 48) * cases).astype(np.int64)]
    return sums

"""
Choose among several references of a case.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tertium.metric import Matrix


def choose(rule: str, table: Matrix, losses: Matrix, bounds: NDArray[np.int64]) -> Matrix:
    """
    Give each case one row: of the reference that the rule chooses, or the mean over its references.

    Args:
        rule: ``fewest-errors``, ``best-value`` or ``mean``.
        table: Rows of counts, one a reference.
        losses: What ``best-value`` makes small, one a reference.
        bounds: Case i owns the rows ``bounds[i]:bounds[i + 1]``.
    """
    sizes = np.diff(bounds)
    if len(table) == len(sizes):
        return table
    if rule == "mean":
        means: Matrix = np.add.reduceat(table, bounds[:-1], axis=0) / sizes[:, None]
        return means
    keys = table[:, 1] + table[:, 2] + table[:, 3] if rule == "fewest-errors" else losses
    keys = np.where(np.isnan(keys), np.inf, keys)
    order = np.lexsort((keys, np.repeat(np.arange(len(sizes)), sizes)))  # stable: the first of equals stays first
    return table[order[bounds[:-1]]]


def best_rows(scores: NDArray[np.float64], bounds: NDArray[np.int64]) -> NDArray[np.int64]:
    """
    Find each case's highest score, the first of equals.

    Args:
        scores: One a reference, no NaN.
        bounds: Case i owns the rows ``bounds[i]:bounds[i + 1]``, at least one.

    Returns:
        The row of each case.
    """
    highest = np.repeat(np.maximum.reduceat(scores, bounds[:-1]), np.diff(bounds))
    rows = np.where(scores == highest, np.arange(len(scores)), len(scores))
    best: NDArray[np.int64] = np.minimum.reduceat(rows, bounds[:-1])
    return best

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

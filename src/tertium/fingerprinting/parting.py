"""
Tell how evenly an input parts settings by their answers.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tertium.fingerprinting.answering import INFINITE, NUMBER, UNDEFINED, Tolerance, settled


def entropy(names: NDArray[np.int64]) -> float:
    """
    Return the bits that an answer tells: 0 where all settings give the same one.

    Args:
        names: Of the settings' answers, as :func:`named` gives them.
    """
    counts = Counter(names.tolist()).values()
    total = sum(counts)
    return -sum(count / total * math.log2(count / total) for count in counts)


def named(values: NDArray[np.float64], kinds: NDArray[np.int8], tolerance: Tolerance) -> NDArray[np.int64]:
    """
    Name the answers of each column: numbers whose neighbours in order lie within twice the tolerance share a name.

    Args:
        values: Shape (settings, inputs).
        kinds: The same shape.

    Returns:
        The same shape.
    """
    ranked = np.where(kinds == NUMBER, settled(values), np.where(kinds == INFINITE, np.sign(values) * 1e300, np.nan))
    order = np.argsort(ranked, axis=0)
    ordered = np.take_along_axis(ranked, order, axis=0)
    with np.errstate(invalid="ignore", over="ignore"):
        gap = np.diff(ordered, axis=0)
        size = np.maximum(np.abs(ordered[1:]), np.abs(ordered[:-1]))
        apart = gap > 2 * np.maximum(tolerance.relative * size, tolerance.absolute)
    names = np.zeros(values.shape, np.int64)
    np.put_along_axis(names, order[1:], np.cumsum(apart, axis=0), axis=0)
    return np.where(kinds >= UNDEFINED, -kinds.astype(np.int64), names)


def telling(
    values: NDArray[np.float64], kinds: NDArray[np.int8], tolerance: Tolerance, sizes: Sequence[int], smallest: bool
) -> int | None:
    """
    Choose the input that parts settings most evenly; of equals, the smallest.

    Args:
        values: The settings' answers, shape (settings, inputs).
        kinds: The same shape.
        sizes: Of the inputs.
        smallest: Whether to choose the smallest of all that part settings.

    Returns:
        The place of the input, or None where none parts them.
    """
    moved = ((values != values[0]) & ~(np.isnan(values) & np.isnan(values[0]))) | (kinds != kinds[0])
    columns = np.flatnonzero(moved.any(axis=0))
    if not len(columns):
        return None
    spread = [entropy(column) for column in named(values[:, columns], kinds[:, columns], tolerance).T]
    most = max(spread)
    if most <= 0:
        return None
    enough = 1e-9 if smallest else most - 1e-9
    best = (int(columns[at]) for at, value in enumerate(spread) if value >= enough)
    return min(best, key=lambda at: sizes[at])

"""
Measure edit distances within a band around the diagonal, as sacreBLEU 2.6.0 does.

The diagonal is scaled to the two lengths; row i of the table holds the columns within a beam of it, and the last row
all that follow. Cells outside are out of reach, so that a distance can be larger than the true one.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from tertium.native.interning import Whole
from tertium.native.kernels import inner_kernel
from tertium.native.shifts import DELETIONS, INSERTIONS, SUBSTITUTIONS, Flags, Longs

FAR = 1 << 40
"""More than any distance."""
SAME, OTHER, EXTRA, MISSING = range(4)


@inner_kernel
def band_width(length: Whole, size: Whole, beam: Whole) -> Whole:
    """
    Give half the band's width: the beam, or more where the lengths are so far apart that rows would not meet.
    """
    ratio = size / length
    return math.ceil(ratio / 2 + beam) if beam < ratio / 2 else beam


@inner_kernel
def detour(length: Whole, size: Whole, width: Whole) -> Whole:
    """
    Bound from below the edits of any path that leaves the band: while the true distance is less, the band changes
    nothing, alignment included.

    A path through row i and column j has at least |i - j| insertions or deletions before it and |(length - i) - (size -
    j)| after it, together at least |2(i - j) - (length - size)|. Outside the band, j is more than ``width - 1`` from the
    diagonal i * size / length, which itself is off i by what makes up for the lengths.

    Args:
        length: The hypothesis' length.
        size: The reference's.
        width: See :func:`band_width`.

    Returns:
        The bound, or FAR where the band holds the whole table.
    """
    if size < width:
        return FAR
    return int(max(abs(length - size), 2 * (width - 1) - abs(length - size)))


@inner_kernel
def band_distance(
    words: Longs, length: Whole, target: Longs, size: Whole, width: Whole, table: NDArray[np.int64], operations: Flags
) -> Whole:
    """
    Give the edit distance within the band.

    Args:
        words: The hypothesis.
        length: Its length, at least 1.
        target: The reference.
        size: Its length, at least 1.
        width: See :func:`band_width`.
        table: Room for two rows of ``size + 1``.
        operations: How each cell is reached, row after row: written to unless it is empty. A match or substitution
            goes before an extra word, and that before a missing one.
    """
    ratio = size / length
    stride = min(size + 1, 2 * width)
    keep = len(operations) > 0
    first = 0
    last = size + 1
    for column in range(size + 1):
        table[0, column] = column
    for row in range(1, length + 1):
        before = table[(row - 1) & 1]
        now = table[row & 1]
        diagonal = math.floor(row * ratio)
        low = max(0, diagonal - width)
        high = size + 1 if row == length else min(size + 1, diagonal + width)
        word = words[row - 1]
        start = (row - 1) * stride - low
        left = FAR
        for column in range(low, high):
            best = FAR
            operation = SAME
            if column > first and column <= last:
                best = before[column - 1]
                if word != target[column - 1]:
                    best += 1
                    operation = OTHER
            if column >= first and column < last and before[column] + 1 < best:
                best = before[column] + 1
                operation = EXTRA
            if left + 1 < best:
                best = left + 1
                operation = MISSING
            now[column] = best
            left = best
            if keep:
                operations[start + column] = operation
        first = low
        last = high
    return int(table[length & 1, size])


@inner_kernel
def trace_band(
    length: Whole,
    size: Whole,
    width: Whole,
    operations: Flags,
    aligned: Longs,
    wrong: Flags,
    missed: Flags,
    counts: Longs,
) -> None:
    """
    Read the alignment that :func:`band_distance` kept; see ``shifts.trace_rows`` for what is written.
    """
    ratio = size / length
    stride = min(size + 1, 2 * width)
    counts[INSERTIONS] = 0
    counts[DELETIONS] = 0
    counts[SUBSTITUTIONS] = 0
    row = length
    column = size
    while row > 0 or column > 0:
        operation = MISSING
        if row > 0:
            low = max(0, math.floor(row * ratio) - width)
            operation = int(operations[(row - 1) * stride + column - low])
        if operation == EXTRA:
            row -= 1
            wrong[row] = 1
            counts[INSERTIONS] += 1
        elif operation == MISSING:
            column -= 1
            aligned[column] = row - 1
            missed[column] = 1
            counts[DELETIONS] += 1
        else:
            row -= 1
            column -= 1
            aligned[column] = row
            wrong[row] = operation
            missed[column] = operation
            counts[SUBSTITUTIONS] += operation

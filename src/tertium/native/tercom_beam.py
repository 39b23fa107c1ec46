"""
Measure edit distances under a beam, as TERCOM 0.10.0 does.

The distance table is filled one hypothesis word after the other. Where a cell costs more than the cheapest diagonal
step into its column by more than the beam, nothing goes on from it, so that a distance can be larger than the true
one. Costs are reals.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tertium.native.interning import Whole
from tertium.native.kernels import inner_kernel
from tertium.native.shifts import DELETIONS, INSERTIONS, SUBSTITUTIONS, Flags, Longs

Floats = NDArray[np.float64]

UNSET = -1.0
SAME, OTHER, EXTRA, MISSING = range(4)


@inner_kernel
def beam_distance(
    words: Longs,
    length: Whole,
    target: Longs,
    size: Whole,
    beam: float,
    costs: Floats,
    table: NDArray[np.float64],
    operations: Flags,
    work: Longs,
) -> float:
    """
    Give the edit distance under the beam.

    A cell takes its first value from a match or substitution, then from an extra word, then from a missing one; a
    later value counts only if it is lower.

    Args:
        words: The hypothesis.
        length: Its length.
        target: The reference.
        size: Its length.
        beam: See ``tercom.search_beam``, also for ``costs``.
        table: Room for two columns of ``size + 1``.
        operations: How the cell of hypothesis word j and reference word i was reached, at ``j * (size + 1) + i``;
            written to unless it is empty.
        work: One number, to which the cells visited are added.
    """
    keep = len(operations) > 0
    stride = size + 1
    table[0, 0] = 0.0
    known: Whole = 0  # the last row of this column that holds a value or UNSET
    first = 0
    last = 0
    lowest = np.inf
    for column in range(length + 1):
        now = table[column & 1]
        after = table[(column + 1) & 1]
        limit = lowest + beam
        lowest = np.inf
        first_kept = -1
        last_kept = 0
        row = first
        after[row] = UNSET
        while row <= last and row <= size:
            if row < size:
                after[row + 1] = UNSET
            score = now[row]
            if score < 0 or (column < length and score > limit):
                row += 1
                continue
            if first_kept < 0:
                first_kept = row
            if row < size and column < length:
                if words[column] == target[row]:
                    after[row + 1] = score
                    lowest = min(lowest, score)
                    if keep:
                        operations[(column + 1) * stride + row + 1] = SAME
                else:
                    after[row + 1] = score + costs[2]
                    lowest = min(lowest, score + costs[2])
                    if keep:
                        operations[(column + 1) * stride + row + 1] = OTHER
            last_kept = row + 1
            if column < length and (after[row] < 0 or after[row] > score + costs[0]):
                after[row] = score + costs[0]
                if keep:
                    operations[(column + 1) * stride + row] = EXTRA
            if row < size and (row + 1 > known or now[row + 1] < 0 or now[row + 1] > score + costs[1]):
                now[row + 1] = score + costs[1]
                known = max(known, row + 1)
                if keep:
                    operations[column * stride + row + 1] = MISSING
                last = max(last, row + 1)
            row += 1
        work[0] += row - first
        known = min(row, size)
        first = first_kept
        last = last_kept
    return float(table[length & 1, size])


@inner_kernel
def trace_beam(
    length: Whole, size: Whole, operations: Flags, aligned: Longs, wrong: Flags, missed: Flags, counts: Longs
) -> None:
    """
    Read the alignment that :func:`beam_distance` kept; see ``shifts.trace_rows`` for what is written.
    """
    counts[INSERTIONS] = 0
    counts[DELETIONS] = 0
    counts[SUBSTITUTIONS] = 0
    column = length
    row = size
    while column > 0 or row > 0:
        operation = np.int64(operations[column * (size + 1) + row])
        if operation == EXTRA:
            column -= 1
            wrong[column] = 1
            counts[INSERTIONS] += 1
        elif operation == MISSING:
            row -= 1
            aligned[row] = column - 1
            missed[row] = 1
            counts[DELETIONS] += 1
        else:
            column -= 1
            row -= 1
            aligned[row] = column
            wrong[column] = operation
            missed[row] = operation
            counts[SUBSTITUTIONS] += operation

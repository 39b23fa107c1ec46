"""
Align pairs of sequences at any costs, by any ranking of the steps that cost the same.

A sequence is a span of int32 numbers; only their equality matters.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Ids
from tertium.native.edits import trim
from tertium.native.interning import Longs
from tertium.native.kernels import kernel

MATCH, SUBSTITUTION, INSERTION, DELETION = range(4)


@kernel
def weighted(
    left: Ids, right: Ids, spans: Longs, costs: Longs, ranks: Longs, trimmed: bool, totals: Longs, counts: Longs,
    found: Longs,
) -> None:  # fmt: skip
    """
    Count hits, substitutions, deletions and insertions of each pair of spans for any costs.

    Of all alignments of least cost one is followed from its end, and wherever several steps are open, the one of the
    lowest rank is taken. What such a path counts is known as soon as its cell is, so two rows of cells are enough.

    Args:
        left: References.
        right: Hypotheses.
        spans: Shape (pairs, 4): start and end in ``left``, start and end in ``right``. Left as trimmed.
        costs: Of a match, substitution, insertion and deletion.
        ranks: Of the same; 0 to 3.
        trimmed: Whether what the spans have in common at their ends is matched first.
        totals: Work space, one longer than the longest span of ``right``.
        counts: Work space of the same length.
        found: Shape (pairs, 4): hits, substitutions, deletions, insertions.
    """
    # A key is the cost with the rank in its lowest bits, so that the least key is the step to take.
    match = costs[MATCH] * 4 + ranks[MATCH]
    substitution = costs[SUBSTITUTION] * 4 + ranks[SUBSTITUTION]
    insertion = costs[INSERTION] * 4 + ranks[INSERTION]
    deletion = costs[DELETION] * 4 + ranks[DELETION]
    one_substitution = np.int64(1) << 32
    for pair in range(len(spans)):
        span = spans[pair]
        hits = np.int64(0)
        if trimmed:
            hits = np.int64(trim(left, right, span))
        first, rows = span[0], span[1] - span[0]
        begin, columns = span[2], span[3] - span[2]
        for column in range(columns + 1):
            totals[column] = 4 * costs[INSERTION] * column
            counts[column] = 0  # substitutions << 32 | deletions
        for row in range(rows):
            symbol = left[first + row]
            diagonal = totals[0]
            diagonal_count = counts[0]
            beside = diagonal + 4 * costs[DELETION]
            beside_count = diagonal_count + 1
            totals[0] = beside
            counts[0] = beside_count
            for column in range(columns):
                above = totals[column + 1]
                above_count = counts[column + 1]
                if right[begin + column] == symbol:
                    key = diagonal + match
                    count = diagonal_count
                else:
                    key = diagonal + substitution
                    count = diagonal_count + one_substitution
                other = above + deletion
                if other < key:
                    key = other
                    count = above_count + 1
                other = beside + insertion
                if other < key:
                    key = other
                    count = beside_count
                diagonal = above
                diagonal_count = above_count
                beside = key & ~3
                beside_count = count
                totals[column + 1] = beside
                counts[column + 1] = count
        substitutions = counts[columns] >> 32
        deletions = counts[columns] & 0xFFFFFFFF
        found[pair, 0] = hits + rows - substitutions - deletions
        found[pair, 1] = substitutions
        found[pair, 2] = deletions
        found[pair, 3] = columns - rows + deletions


@kernel
def trace(
    left: Ids, right: Ids, span: Longs, costs: Longs, ranks: Longs, totals: Longs, steps: NDArray[np.uint8],
    path: NDArray[np.uint8],
) -> int:  # fmt: skip
    """
    Write down the alignment that ``weighted`` counts, without trimming.

    Args:
        left: References.
        right: Hypotheses.
        span: Start and end in ``left``, start and end in ``right``.
        costs: Of a match, substitution, insertion and deletion.
        ranks: Of the same; 0 to 3.
        totals: Work space, one longer than the span of ``right``.
        steps: Work space, as long as the two lengths multiplied.
        path: As long as the two lengths together: the steps, last one first.

    Returns:
        The number of steps.
    """
    first, rows = span[0], span[1] - span[0]
    begin, columns = span[2], span[3] - span[2]
    for column in range(columns + 1):
        totals[column] = costs[INSERTION] * column
    cell = 0
    for row in range(rows):
        diagonal = totals[0]
        totals[0] = diagonal + costs[DELETION]
        for column in range(columns):
            above = totals[column + 1]
            step = SUBSTITUTION
            if left[first + row] == right[begin + column]:
                step = MATCH
            total = diagonal + costs[step]
            other = above + costs[DELETION]
            if other < total or (other == total and ranks[DELETION] < ranks[step]):
                total = other
                step = DELETION
            other = totals[column] + costs[INSERTION]
            if other < total or (other == total and ranks[INSERTION] < ranks[step]):
                total = other
                step = INSERTION
            steps[cell] = step
            totals[column + 1] = total
            diagonal = above
            cell += 1
    taken = 0
    row = rows
    column = columns
    while row > 0 or column > 0:
        step = DELETION
        if row == 0:
            step = INSERTION
        elif column > 0:
            step = int(steps[(row - 1) * columns + column - 1])
        path[taken] = step
        taken += 1
        if step != INSERTION:
            row -= 1
        if step != DELETION:
            column -= 1
    return taken

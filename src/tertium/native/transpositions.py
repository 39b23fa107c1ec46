"""
Count edits where two neighbours may change places at the cost of one edit.
"""

from __future__ import annotations

from tertium.native.columns import Ids
from tertium.native.edits import trim
from tertium.native.interning import Longs
from tertium.native.kernels import kernel


@kernel
def restricted(left: Ids, right: Ids, spans: Longs, rows: Longs, found: Longs) -> None:
    """
    Give the optimal string alignment distance of each pair: no number is edited twice, so that nothing comes between
    two that changed places. It is not a metric.

    Args:
        left: Numbers.
        right: Numbers.
        spans: Shape (pairs, 4): start and end in ``left``, start and end in ``right``. Left as trimmed.
        rows: Work space, shape (3, one more than the longest span of ``right``).
        found: The distance of each pair.
    """
    for pair in range(len(spans)):
        span = spans[pair]
        trim(left, right, span)
        first, height = span[0], span[1] - span[0]
        begin, width = span[2], span[3] - span[2]
        for column in range(width + 1):
            rows[0, column] = column
        for row in range(1, height + 1):
            here, above, before = row % 3, (row - 1) % 3, (row - 2) % 3
            symbol = left[first + row - 1]
            rows[here, 0] = row
            for column in range(1, width + 1):
                other = right[begin + column - 1]
                cost = rows[above, column - 1]
                if other != symbol:
                    cost = min(cost, rows[above, column], rows[here, column - 1]) + 1
                    if (
                        row > 1
                        and column > 1
                        and symbol == right[begin + column - 2]
                        and left[first + row - 2] == other
                    ):
                        cost = min(cost, rows[before, column - 2] + 1)
                rows[here, column] = cost
        found[pair] = rows[height % 3, width]


@kernel
def unrestricted(left: Ids, right: Ids, spans: Longs, seen: Longs, rows: Longs, found: Longs) -> None:
    """
    Give the Damerau-Levenshtein distance of each pair: others may be inserted or deleted between two that changed
    places (Lowrance and Wagner 1975), in linear memory (Zhao and Sahni 2019).

    Two numbers that change places cost the gaps between them, so only a swap with a gap on one side at most can pay:
    for each column the cell before the last row that holds its number is kept, and for each row the one before its
    last match.

    Args:
        left: Numbers from 0 to below ``len(seen)``.
        right: The same.
        spans: Shape (pairs, 4): start and end in ``left``, start and end in ``right``. Left as trimmed.
        seen: Zeros; left so.
        rows: Work space, shape (3, two more than the longest span of ``right``).
        found: The distance of each pair.
    """
    for pair in range(len(spans)):
        span = spans[pair]
        trim(left, right, span)
        first, height = span[0], span[1] - span[0]
        begin, width = span[2], span[3] - span[2]
        never = height + width + 1
        # Cell j of a row of the table stands at j + 1, so that there is one before the first.
        for column in range(width + 2):
            rows[0, column] = column - 1
            rows[1, column] = never
            rows[2, column] = never
        rows[0, 0] = never
        for row in range(1, height + 1):
            symbol = left[first + row - 1]
            here, above = row & 1, (row - 1) & 1
            last = 0  # the last column of this row that matched
            corner = never  # two rows up, one column before that match
            two_up = rows[here, 1]  # the row in hand still holds the one two rows up
            rows[here, 1] = row
            for column in range(1, width + 1):
                other = right[begin + column - 1]
                if other == symbol:
                    cost = min(rows[above, column], rows[above, column + 1] + 1, rows[here, column] + 1)
                    last = column
                    rows[2, column + 1] = rows[above, column - 1]
                    corner = two_up
                else:
                    cost = min(rows[above, column], rows[above, column + 1], rows[here, column]) + 1
                    met = seen[other]  # the last row before this one that held the column's number
                    if met > 0 and last > 0:
                        if column - last == 1:
                            cost = min(cost, rows[2, column + 1] + row - met)
                        elif row - met == 1:
                            cost = min(cost, corner + column - last)
                two_up = rows[here, column + 1]
                rows[here, column + 1] = cost
            seen[symbol] = row
        found[pair] = rows[height & 1, width + 1]
        for row in range(height):
            seen[left[first + row]] = 0

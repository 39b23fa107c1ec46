"""
Count the edits between pairs of sequences.

A sequence is a span of int32 numbers; only their equality matters. With unit costs the columns of the dynamic
programming table are kept as differences, one bit a row (Myers 1999; Hyyrö 2003, section 4). A word holds 62 rows, so
that no sum leaves the signed 64 bits, and the table is worked off in strips of one word: a strip hands the horizontal
differences of its last row on to the next, and the memory stays linear.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Ids
from tertium.native.interning import Longs
from tertium.native.kernels import kernel

WORD = 62
FULL = (1 << 62) - 1


@kernel
def trim(left: Ids, right: Ids, span: Longs) -> int:
    """
    Cut off what two spans have in common at their start, and then at their end.

    Args:
        left: Numbers.
        right: Numbers.
        span: Start and end in ``left``, start and end in ``right``; changed in place.

    Returns:
        How many equal pairs were cut off.
    """
    start, end, begin, stop = span[0], span[1], span[2], span[3]
    while start < end and begin < stop and left[start] == right[begin]:
        start += 1
        begin += 1
    cut = start - span[0]
    while start < end and begin < stop and left[end - 1] == right[stop - 1]:
        end -= 1
        stop -= 1
    cut += span[1] - end
    span[0], span[1], span[2], span[3] = start, end, begin, stop
    return cut  # type: ignore[no-any-return]


@kernel
def distances(left: Ids, right: Ids, spans: Longs, table: Longs, carry: NDArray[np.int8], found: Longs) -> None:
    """
    Count the fewest insertions, deletions and substitutions of each pair of spans.

    Args:
        left: Numbers from 0 to below ``len(table)``.
        right: The same.
        spans: Shape (pairs, 4): start and end in ``left``, start and end in ``right``. Left as trimmed.
        table: Zeros; left so.
        carry: Work space, as long as the longest span of either side.
        found: The distance of each pair.
    """
    for pair in range(len(spans)):
        span = spans[pair]
        trim(left, right, span)
        first, rows = span[0], span[1] - span[0]
        begin, columns = span[2], span[3] - span[2]
        down_side = left
        across = right
        if (rows + WORD - 1) // WORD * columns > (columns + WORD - 1) // WORD * rows:  # fewer words the other way round
            first, rows, begin, columns = begin, columns, first, rows
            down_side = right
            across = left
        if rows == 0 or columns == 0:
            found[pair] = rows + columns
            continue
        distance = rows
        done = 0
        while done < rows:
            size = min(rows - done, WORD)
            for row in range(size):
                table[down_side[first + done + row]] |= np.int64(1) << row
            up = np.int64(FULL)
            down = np.int64(0)
            last = size - 1
            if done == 0:
                for column in range(columns):
                    same = table[across[begin + column]]
                    zero = (((same & up) + up) ^ up) | same | down
                    more = down | ~(zero | up)
                    less = zero & up
                    carry[column] = ((more >> last) & 1) - ((less >> last) & 1)
                    more = more << 1 | 1
                    less = less << 1
                    up = (less | ~(zero | more)) & FULL
                    down = more & zero & FULL
            else:
                for column in range(columns):
                    step = np.int64(carry[column])
                    below = np.int64(step < 0)
                    same = table[across[begin + column]] | below
                    zero = (((same & up) + up) ^ up) | same | down
                    more = down | ~(zero | up)
                    less = zero & up
                    carry[column] = ((more >> last) & 1) - ((less >> last) & 1)
                    more = more << 1 | np.int64(step > 0)
                    less = less << 1 | below
                    up = (less | ~(zero | more)) & FULL
                    down = more & zero & FULL
            for row in range(size):
                table[down_side[first + done + row]] = 0
            done += size
        for column in range(columns):
            distance += carry[column]
        found[pair] = distance


@kernel
def breakdowns(
    left: Ids, right: Ids, spans: Longs, table: Longs, carry: NDArray[np.int8], ups: Longs, downs: Longs, found: Longs
) -> None:
    """
    Count hits, substitutions, deletions and insertions of each pair of spans, as rapidfuzz splits them.

    Of all alignments with the fewest edits one is followed from its end: a deletion where there can be one, else a
    substitution, else an insertion, else a match.

    Args:
        left: References: numbers from 0 to below ``len(table)``.
        right: Hypotheses: the same.
        spans: Shape (pairs, 4): start and end in ``left``, start and end in ``right``. Left as trimmed.
        table: Zeros; left so.
        carry: Work space, as long as the longest span of ``right``.
        ups: Work space: words of the longest span of ``left`` times the length of the span of ``right``.
        downs: Work space of the same length.
        found: Shape (pairs, 4): hits, substitutions, deletions, insertions.
    """
    for pair in range(len(spans)):
        span = spans[pair]
        hits = trim(left, right, span)
        first, rows = span[0], span[1] - span[0]
        begin, columns = span[2], span[3] - span[2]
        substitutions = np.int64(0)
        deletions = np.int64(0)
        insertions = np.int64(0)
        row = rows
        column = columns
        if rows > 0 and columns > 0:
            done = 0
            kept = 0
            while done < rows:
                size = min(rows - done, WORD)
                for position in range(size):
                    table[left[first + done + position]] |= np.int64(1) << position
                up = np.int64(FULL)
                down = np.int64(0)
                last = size - 1
                for position in range(columns):
                    step = np.int64(1)
                    if done > 0:
                        step = np.int64(carry[position])
                    below = np.int64(step < 0)
                    same = table[right[begin + position]] | below
                    zero = (((same & up) + up) ^ up) | same | down
                    more = down | ~(zero | up)
                    less = zero & up
                    carry[position] = ((more >> last) & 1) - ((less >> last) & 1)
                    more = more << 1 | np.int64(step > 0)
                    less = less << 1 | below
                    up = (less | ~(zero | more)) & FULL
                    down = more & zero & FULL
                    ups[kept + position] = up
                    downs[kept + position] = down
                for position in range(size):
                    table[left[first + done + position]] = 0
                done += size
                kept += columns
            distance = rows
            for position in range(columns):
                distance += carry[position]
            spare = distance - abs(rows - columns)
            if spare < 2:  # no deletion beside an insertion: the lengths say it all
                substitutions = spare
                hits += min(rows, columns) - spare
                row = max(rows - columns, 0)
                column = max(columns - rows, 0)
            else:
                bit = (rows - 1) % WORD
                place = (rows - 1) // WORD * columns + columns - 1
                while row > 0 and column > 0:
                    stepped = True
                    if (ups[place] >> bit) & 1:
                        deletions += 1
                    else:
                        column -= 1
                        place -= 1
                        if column > 0 and (downs[place] >> bit) & 1:
                            insertions += 1
                            stepped = False
                        elif left[first + row - 1] == right[begin + column]:
                            hits += 1
                        else:
                            substitutions += 1
                    if stepped:
                        row -= 1
                        bit -= 1
                        if bit < 0:
                            bit = WORD - 1
                            place -= columns
        found[pair, 0] = hits
        found[pair, 1] = substitutions
        found[pair, 2] = deletions + row
        found[pair, 3] = insertions + column


@kernel
def margin(
    left: Ids, right: Ids, span: Longs, backwards: bool, table: Longs, carry: NDArray[np.int8], found: Longs
) -> None:
    """
    Give the distances of all prefixes of one span to the whole of another; or of all suffixes.

    Args:
        left: Numbers from 0 to below ``len(table)``.
        right: The same.
        span: Start and end in ``left``, start and end in ``right``.
        backwards: Whether both are read from their ends.
        table: Zeros; left so.
        carry: Work space, as long as the span of ``right``.
        found: One longer than the span of ``left``: the distance of its first (or last) i numbers at i.
    """
    rows = span[1] - span[0]
    columns = span[3] - span[2]
    first, begin, step = span[0], span[2], np.int64(1)
    if backwards:
        first, begin, step = span[1] - 1, span[3] - 1, np.int64(-1)
    found[0] = columns
    done = 0
    while done < rows:
        size = min(rows - done, WORD)
        for row in range(size):
            table[left[first + step * (done + row)]] |= np.int64(1) << row
        up = np.int64(FULL)
        down = np.int64(0)
        last = size - 1
        for column in range(columns):
            change = np.int64(1)
            if done > 0:
                change = np.int64(carry[column])
            below = np.int64(change < 0)
            same = table[right[begin + step * column]] | below
            zero = (((same & up) + up) ^ up) | same | down
            more = down | ~(zero | up)
            less = zero & up
            carry[column] = ((more >> last) & 1) - ((less >> last) & 1)
            more = more << 1 | np.int64(change > 0)
            less = less << 1 | below
            up = (less | ~(zero | more)) & FULL
            down = more & zero & FULL
        for row in range(size):
            table[left[first + step * (done + row)]] = 0
            found[done + row + 1] = found[done + row] + ((up >> row) & 1) - ((down >> row) & 1)
        done += size

"""
Count the edits between pairs of sequences.

A sequence is a span of int32 numbers; only their equality matters. With unit costs the columns of the dynamic
programming table are kept as differences, one bit a row (Myers 1999; Hyyrö 2003, section 4). A word holds 62 rows, so
that no sum leaves the signed 64 bits, and the table is worked off in strips of one word: a strip hands the horizontal
differences of its last row on to the next, and the memory stays linear. Other costs take the plain table, row by row.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Ids
from tertium.native.interning import Longs
from tertium.native.kernels import kernel

WORD = 62
FULL = (1 << 62) - 1

MATCH, SUBSTITUTION, INSERTION, DELETION = range(4)


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
    return cut


@kernel
def distances(left: Ids, right: Ids, spans: Longs, table: Longs, carry: NDArray[np.int8], found: Longs) -> None:
    """
    Count the fewest insertions, deletions and substitutions of each pair of spans.

    Args:
        left: Numbers from 0 to below ``len(table)``.
        right: The same.
        spans: Shape (pairs, 4): start and end in ``left``, start and end in ``right``. Left as trimmed.
        table: Zeros; left so.
        carry: Work space, as long as the longest span of ``right``.
        found: The distance of each pair.
    """
    for pair in range(len(spans)):
        span = spans[pair]
        trim(left, right, span)
        first, rows = span[0], span[1] - span[0]
        begin, columns = span[2], span[3] - span[2]
        if rows == 0 or columns == 0:
            found[pair] = rows + columns
            continue
        distance = rows
        done = 0
        while done < rows:
            size = min(rows - done, WORD)
            for row in range(size):
                table[left[first + done + row]] |= np.int64(1) << row
            up = np.int64(FULL)
            down = np.int64(0)
            last = size - 1
            if done == 0:
                for column in range(columns):
                    same = table[right[begin + column]]
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
                    same = table[right[begin + column]] | below
                    zero = (((same & up) + up) ^ up) | same | down
                    more = down | ~(zero | up)
                    less = zero & up
                    carry[column] = ((more >> last) & 1) - ((less >> last) & 1)
                    more = more << 1 | np.int64(step > 0)
                    less = less << 1 | below
                    up = (less | ~(zero | more)) & FULL
                    down = more & zero & FULL
            for row in range(size):
                table[left[first + done + row]] = 0
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
    first, begin, step = span[0], span[2], 1
    if backwards:
        first, begin, step = span[1] - 1, span[3] - 1, -1
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
            hits = trim(left, right, span)
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
        if row == 0:
            step = INSERTION
        elif column == 0:
            step = DELETION
        else:
            step = np.int64(steps[(row - 1) * columns + column - 1])
        path[taken] = step
        taken += 1
        if step != INSERTION:
            row -= 1
        if step != DELETION:
            column -= 1
    return taken

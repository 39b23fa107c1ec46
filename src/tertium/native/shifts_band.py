"""
Search block moves with an edit distance that looks at a band around the diagonal only, as sacreBLEU 2.6.0 does.

The diagonal is scaled to the two lengths; row i of the table holds the columns within a beam of it, and the last row
all that follow. Cells outside are out of reach.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Ids, Offsets
from tertium.native.interning import Whole
from tertium.native.kernels import kernel
from tertium.native.shifts import (
    CELL,
    CUT_OFF,
    DELETIONS,
    EDITS,
    INSERTIONS,
    LIMITED,
    MOST_MOVES,
    PART,
    SHIFTS,
    SUBSTITUTIONS,
    Flags,
    Longs,
    number_words,
    rotate,
    unmatched_words,
)
from tertium.native.shifts_best import FAR, PENDING, band_width, list_moves, rotation_of

SAME, OTHER, EXTRA, MISSING = range(4)


def search_band(
    hypotheses: Ids,
    hypothesis_offsets: Offsets,
    references: Ids,
    reference_offsets: Offsets,
    owners: Longs,
    beam: int,
    max_size: int,
    max_distance: int,
    max_candidates: int,
    max_work: int,
    numbers: Ids,
    texts: NDArray[np.int64],
    sides: NDArray[np.int64],
    flags: NDArray[np.uint8],
    moves: Longs,
    found: NDArray[np.int64],
) -> None:
    """
    Search the pairs that ``found`` marks as pending; arguments as in ``shifts_best.search_rows``.
    """
    lengths = np.diff(hypothesis_offsets)[owners]
    sizes = np.diff(reference_offsets)
    pending = np.flatnonzero(found[:, EDITS] == PENDING)
    cells = 0
    for pair in pending:
        length, size = int(lengths[pair]), int(sizes[pair])
        cells = max(cells, length * min(size + 1, 2 * band_width(length, size, beam)) + size + 1)
    search_pending(
        hypotheses,
        hypothesis_offsets,
        references,
        reference_offsets,
        owners,
        pending,
        beam,
        max_size,
        max_distance,
        max_candidates,
        max_work,
        numbers,
        texts,
        sides,
        flags,
        np.empty((2, int(sizes.max()) + 1), np.int64),
        np.empty(cells, np.uint8),
        np.empty(0, np.uint8),
        moves,
        found,
    )


@kernel
def band_distance(
    words: Longs, length: Whole, target: Longs, size: Whole, beam: Whole, table: NDArray[np.int64], operations: Flags
) -> Whole:
    """
    Give the edit distance within the band.

    Args:
        words: The hypothesis.
        length: Its length, at least 1.
        target: The reference.
        size: Its length, at least 1.
        beam: See ``shifts_best.search``.
        table: Room for two rows of ``size + 1``.
        operations: How each cell is reached, row after row: written to unless it is empty. A match or substitution
            goes before an extra word, and that before a missing one.
    """
    ratio = size / length
    width = band_width(length, size, beam)
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


@kernel
def trace_band(
    length: Whole,
    size: Whole,
    beam: Whole,
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
    width = band_width(length, size, beam)
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


@kernel
def search_pending(
    hypotheses: Ids,
    hypothesis_offsets: Offsets,
    references: Ids,
    reference_offsets: Offsets,
    owners: Longs,
    pending: Longs,
    beam: Whole,
    max_size: Whole,
    max_distance: Whole,
    max_candidates: Whole,
    max_work: Whole,
    numbers: Ids,
    texts: NDArray[np.int64],
    sides: NDArray[np.int64],
    flags: NDArray[np.uint8],
    table: NDArray[np.int64],
    operations: Flags,
    nothing: Flags,
    moves: Longs,
    found: NDArray[np.int64],
) -> None:
    """
    Do the work of :func:`search_band`.
    """
    words, spare, moved = texts[0], texts[1], texts[2]
    target, starts, positions, aligned, spent = sides[0], sides[1], sides[2], sides[3], sides[4]
    wrong, missed = flags[0], flags[1]
    for pair in pending:
        first = hypothesis_offsets[owners[pair]]
        length = hypothesis_offsets[owners[pair] + 1] - first
        begin = reference_offsets[pair]
        size = reference_offsets[pair + 1] - begin
        known = number_words(
            hypotheses, first, length, references, begin, size, numbers, words, target, starts, positions
        )
        fewest = unmatched_words(words, length, known, starts, size, spent)
        cost = length * min(size + 1, 2 * band_width(length, size, beam)) * CELL
        counts = found[pair]
        checked = 0
        work = 0
        while True:
            distance = band_distance(words, length, target, size, beam, table, operations)
            trace_band(length, size, beam, operations, aligned, wrong, missed, counts)
            counts[EDITS] = counts[SHIFTS] + distance
            if distance == fewest:
                break
            most = min(max_candidates - checked, MOST_MOVES)
            count = list_moves(
                words, length, target, size, known, starts, positions, aligned, wrong, missed,
                max_size, max_distance, most, moves,
            )  # fmt: skip
            checked += count
            work += cost * (count + 1)
            if checked >= max_candidates:
                counts[CUT_OFF] = 1
                break
            if count >= most or work > max_work:
                counts[LIMITED] = 1
                break
            gain = 0
            chosen = np.int64(-1)
            for place in range(count):
                move = moves[place]
                span = move >> (2 * PART)
                # the longer block first, then the lower number: an earlier start or place
                better = gain > 0 and (span > chosen >> (2 * PART) or (span == chosen >> (2 * PART) and move < chosen))
                if distance - fewest < gain or (distance - fewest == gain and not better):
                    continue
                for row in range(length):
                    moved[row] = words[row]
                left, middle, right = rotation_of(move, length)
                rotate(moved, left, middle, right, spare)
                won = distance - band_distance(moved, length, target, size, beam, table, nothing)
                if won > gain or (won == gain and better):
                    gain = won
                    chosen = move
            if chosen < 0:
                break
            left, middle, right = rotation_of(chosen, length)
            rotate(words, left, middle, right, spare)
            counts[SHIFTS] += 1

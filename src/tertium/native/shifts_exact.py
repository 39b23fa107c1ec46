"""
Search block moves without limits of length, distance or beam, as pyter3 0.3 does.

A block is the longest run of words that stands alike on both sides from two given places on. It is taken out and put
in again at the reference's place. Of the moves that gain most, the one counts whose text sorts last, word by word.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Ids, Offsets
from tertium.native.interning import Whole
from tertium.native.kernels import inner_kernel, kernel
from tertium.native.shifts import (
    CUT_OFF,
    DELETIONS,
    EDITS,
    FOUND,
    INSERTIONS,
    LIMITED,
    SHIFTS,
    WIDTH,
    Longs,
    fill_rows,
    longest,
    number_words,
    rotate,
    rotated_distance,
    unmatched_words,
)
from tertium.native.shifts_band import band_distance, trace_band


def search_exact(
    hypotheses: Ids,
    hypothesis_offsets: Offsets,
    references: Ids,
    reference_offsets: Offsets,
    owners: Longs,
    ranks: Longs,
    max_candidates: int,
    max_work: int,
) -> NDArray[np.int64]:
    """
    Count the edits from each reference's hypothesis to it, block moves included.

    Args:
        hypotheses: Token ids of all hypotheses.
        hypothesis_offsets: Where each hypothesis starts, and the end of the last.
        references: Token ids of all references.
        reference_offsets: Where each reference starts, and the end of the last.
        owners: The hypothesis that each reference belongs to.
        ranks: The place of each token of the vocabulary among all in the order of their texts.
        max_candidates: A search that has found this many moves ends, and the round in hand moves nothing.
        max_work: So does one that would go beyond this many cells of distance tables.

    Returns:
        int64 of shape (references, ``FOUND``), see the columns in ``shifts``.
    """
    found = np.zeros((len(owners), FOUND), np.int64)
    cells = (np.diff(hypothesis_offsets)[owners] + 1) * (np.diff(reference_offsets) + 1)
    room, size = longest(hypothesis_offsets) + 1, longest(reference_offsets) + 1
    search_exactly(
        hypotheses,
        hypothesis_offsets,
        references,
        reference_offsets,
        owners,
        max_candidates,
        max_work,
        ranks,
        np.full(len(ranks), -1, np.int32),
        np.empty((4, room), np.int64),
        np.empty((5, size + 2), np.int64),
        np.empty((2, max(room, size)), np.uint8),
        np.empty((2, size + 1), np.int64),
        np.empty((3, room + 1), np.int64),
        np.empty(int(cells.max(initial=1)), np.uint8),
        np.empty(0, np.uint8),
        found,
    )
    return found


@inner_kernel
def rotated_place(place: Whole, left: Whole, middle: Whole, right: Whole) -> Whole:
    """
    Give where the word stands that a rotation brings to a place.
    """
    if place < left or place >= right:
        return place
    if place < left + right - middle:
        return place + middle - left
    return place - (right - middle)


@inner_kernel
def sorts_after(
    orders: Longs,
    length: Whole,
    left: Whole,
    middle: Whole,
    right: Whole,
    old_left: Whole,
    old_middle: Whole,
    old_right: Whole,
) -> bool:
    """
    Whether a text sorts after one rotation behind what it is after another.
    """
    for place in range(length):
        new = orders[rotated_place(place, left, middle, right)]
        old = orders[rotated_place(place, old_left, old_middle, old_right)]
        if new != old:
            return bool(new > old)
    return False


@kernel
def search_exactly(
    hypotheses: Ids,
    hypothesis_offsets: Offsets,
    references: Ids,
    reference_offsets: Offsets,
    owners: Longs,
    max_candidates: Whole,
    max_work: Whole,
    ranks: Longs,
    numbers: Ids,
    texts: NDArray[np.int64],
    sides: NDArray[np.int64],
    flags: NDArray[np.uint8],
    table: NDArray[np.int64],
    rows: NDArray[np.int64],
    operations: NDArray[np.uint8],
    nothing: NDArray[np.uint8],
    found: NDArray[np.int64],
) -> None:
    """
    Do the work of :func:`search_exact`; arguments as in ``shifts_best.search_pairs``.
    """
    words, spare, orders, moved = texts[0], texts[1], texts[2], texts[3]
    target, starts, positions, aligned, masks = sides[0], sides[1], sides[2], sides[3], sides[4]
    wrong, missed = flags[0], flags[1]
    for pair in range(len(owners)):
        first = hypothesis_offsets[owners[pair]]
        length = hypothesis_offsets[owners[pair] + 1] - first
        begin = reference_offsets[pair]
        size = reference_offsets[pair + 1] - begin
        counts = found[pair]
        if length == 0 or size == 0:
            counts[EDITS] = length + size
            counts[INSERTIONS] = length
            counts[DELETIONS] = size
            continue
        known = number_words(
            hypotheses, first, length, references, begin, size, numbers, words, target, starts, positions
        )
        fewest = unmatched_words(words, length, known, starts, size, masks)
        for place in range(length):
            orders[place] = ranks[hypotheses[first + place]]
        moved_from: Whole = np.int64(0)
        checked = 0
        work: Whole = 0
        while True:
            distance = band_distance(words, length, target, size, size + 1, table, operations)
            trace_band(length, size, size + 1, operations, aligned, wrong, missed, counts)
            counts[EDITS] = counts[SHIFTS] + distance
            if distance == fewest:
                break
            if size <= WIDTH:
                fill_rows(words, moved_from, length, target, size, masks, rows)
            gain = 0
            best_left = np.int64(0)
            best_middle = np.int64(0)
            best_right = np.int64(0)
            for start in range(length):
                word = words[start]
                if word == known:
                    continue
                for occurrence in range(starts[word], starts[word + 1]):
                    there = positions[occurrence]
                    if work > max_work:
                        break
                    if there == start:
                        continue
                    span = np.int64(1)
                    while start + span < length and there + span < size and words[start + span] == target[there + span]:
                        span += 1
                    checked += 1
                    work += span
                    if min(2 * span, distance - fewest) < gain:
                        continue
                    goal = min(there, length - span)
                    left = min(np.int64(start), goal)
                    middle = np.int64(start) if goal < start else start + span
                    right = max(start + span, goal + span)
                    if size <= WIDTH:
                        trial = rotated_distance(words, length, left, middle, right, size, masks, rows)
                    else:
                        for row in range(length):
                            moved[row] = words[row]
                        rotate(moved, left, middle, right, spare)
                        trial = band_distance(moved, length, target, size, size + 1, table, nothing)
                    work += length * size
                    won = distance - trial
                    if won > gain or (
                        won == gain
                        and gain > 0
                        and sorts_after(orders, length, left, middle, right, best_left, best_middle, best_right)
                    ):
                        gain = won
                        best_left = left
                        best_middle = middle
                        best_right = right
                if checked >= max_candidates:
                    counts[CUT_OFF] = 1
                    break
                if work > max_work:
                    counts[LIMITED] = 1
                    break
            if gain == 0 or counts[CUT_OFF] + counts[LIMITED] > 0:
                break
            rotate(words, best_left, best_middle, best_right, spare)
            rotate(orders, best_left, best_middle, best_right, spare)
            moved_from = best_left
            counts[SHIFTS] += 1

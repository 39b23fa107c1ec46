"""
Search block moves round by round, each time the one that gains most, as sacreBLEU 2.6.0 does.
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
    LOW,
    MOST_MOVES,
    PART,
    SHIFTS,
    WIDTH,
    Flags,
    Longs,
    fill_rows,
    longest,
    number_words,
    rotate,
    rotated_distance,
    unmatched_words,
)
from tertium.native.shifts_band import FAR, band_distance, band_width, detour, trace_band


def search(
    hypotheses: Ids,
    hypothesis_offsets: Offsets,
    references: Ids,
    reference_offsets: Offsets,
    owners: Longs,
    vocabulary: int,
    beam: int,
    max_size: int,
    max_distance: int,
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
        vocabulary: Ids are below this.
        beam: Half the width of the band, in words.
        max_size: Words that move at once, at most.
        max_distance: How far apart a block and its place in the reference may be.
        max_candidates: A search that has listed this many moves ends, and the round in hand moves nothing.
        max_work: So does one that would go beyond this many cells of distance tables.

    Returns:
        int64 of shape (references, ``FOUND``), see the columns in ``shifts``.
    """
    found = np.zeros((len(owners), FOUND), np.int64)
    lengths, sizes = np.diff(hypothesis_offsets)[owners], np.diff(reference_offsets)
    room, size = longest(hypothesis_offsets) + 1, longest(reference_offsets) + 1
    # see band_distance: a row is twice as wide as the band, or as the reference
    rows = np.minimum(sizes + 1, 2 * np.maximum(beam, sizes // (2 * np.maximum(lengths, 1)) + beam + 1))
    search_pairs(
        hypotheses,
        hypothesis_offsets,
        references,
        reference_offsets,
        owners,
        beam,
        max_size,
        max_distance,
        max_candidates,
        max_work,
        np.full(vocabulary, -1, np.int32),
        np.empty((3, room), np.int64),
        np.empty((5, size + 2), np.int64),
        np.empty((2, max(room, size)), np.uint8),
        np.empty((2, size + 1), np.int64),
        np.empty((3, room + 1), np.int64),
        np.empty(int((lengths * rows + sizes + 1).max(initial=1)), np.uint8),
        np.empty(0, np.uint8),
        np.empty(min(max_candidates, MOST_MOVES) + min(max_size, size) + 2, np.int64),
        found,
    )
    return found


@inner_kernel
def list_moves(
    words: Longs,
    length: Whole,
    target: Longs,
    size: Whole,
    known: Whole,
    starts: Longs,
    positions: Longs,
    aligned: Longs,
    wrong: Flags,
    missed: Flags,
    max_size: Whole,
    max_distance: Whole,
    most: Whole,
    moves: Longs,
) -> Whole:
    """
    List the moves worth a trial, until there are ``most``.

    A block moves if it stands word by word in the reference, has a wrong word on either side, and is not aligned
    with itself. It goes before the word that is aligned with its place in the reference, or after one of those that
    are aligned with the block's words there.

    Args:
        words: The hypothesis, of ``length`` words.
        target: The reference, of ``size`` words.
        known: See ``shifts.number_words``, also for ``starts`` and ``positions``.
        aligned: See ``shifts.trace_rows``, also for ``wrong`` and ``missed``.
        max_size: See :func:`search`, also for ``max_distance``.
        most: When to stop.
        moves: The moves, each as ``words << 42 | start << 21 | place``; written to.

    Returns:
        How many there are.
    """
    count = 0
    for start in range(length):
        word = words[start]
        if word == known:
            continue
        for occurrence in range(starts[word], starts[word + 1]):
            there = positions[occurrence]
            if abs(there - start) > max_distance:
                continue
            anchor = aligned[there]
            faulty = 0
            needed = 0
            for span in range(1, min(max_size, length - start, size - there) + 1):
                if words[start + span - 1] != target[there + span - 1]:
                    break
                faulty |= wrong[start + span - 1]
                needed |= missed[there + span - 1]
                if faulty == 0 or needed == 0:
                    continue
                if anchor >= start and anchor < start + span:
                    break
                tried = np.int64(-1)
                for offset in range(there - 1, there + span):
                    place = np.int64(0)
                    if offset >= 0:
                        place = aligned[offset] + 1
                    if place != tried:
                        tried = place
                        moves[count] = (np.int64(span) << (2 * PART)) | (np.int64(start) << PART) | place
                        count += 1
                if count >= most:
                    return count
    return count


@inner_kernel
def rotation_of(move: Whole, length: Whole) -> tuple[Whole, Whole, Whole]:
    """
    Turn a move into a rotation: before its place, after it, or inside the block, to the right by as much.
    """
    span = move >> (2 * PART)
    start = (move >> PART) & LOW
    place = move & LOW
    if place < start:
        return place, start, start + span
    return start, start + span, place if place > start + span else min(length, place + span)


@kernel
def search_pairs(
    hypotheses: Ids,
    hypothesis_offsets: Offsets,
    references: Ids,
    reference_offsets: Offsets,
    owners: Longs,
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
    rows: NDArray[np.int64],
    operations: Flags,
    nothing: Flags,
    moves: Longs,
    found: NDArray[np.int64],
) -> None:
    """
    Do the work of :func:`search`.

    Args:
        numbers: See ``shifts.number_words``.
        texts: Room for three numbers a hypothesis word.
        sides: Room for five numbers a reference word, and two more each.
        flags: Room for a flag a word of either side.
        table: See ``shifts_band.band_distance``, also for ``operations``.
        rows: See ``shifts.fill_rows``.
        nothing: Empty.
        moves: Room for as many moves as a round may list.
        found: Written to.
    """
    words, spare, moved = texts[0], texts[1], texts[2]
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
        width = band_width(length, size, beam)
        around = detour(length, size, width)
        cost = length * min(size + 1, 2 * width)
        checked = 0
        work = 0
        filled: Whole = np.int64(0)  # rows of bits that stand
        while True:
            distance = band_distance(words, length, target, size, width, table, operations)
            trace_band(length, size, width, operations, aligned, wrong, missed, counts)
            counts[EDITS] = counts[SHIFTS] + distance
            most_gain = distance - fewest
            if most_gain == 0:
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
            # A move of w words changes a true distance by at most 2w. No order of the words has less than the fewest edits.
            exact = distance < around
            if exact and size <= WIDTH:
                fill_rows(words, filled, length, target, size, masks, rows)
            gain = 0
            chosen = np.int64(-1)
            span = np.int64(FAR)
            while gain < most_gain:
                # the moves of the longest blocks that are left
                below = span
                span = np.int64(0)
                for place in range(count):
                    own = moves[place] >> (2 * PART)
                    if own < below and own > span:
                        span = own
                if span == 0 or (exact and 2 * span < gain):
                    break
                bound = min(2 * span, most_gain) if exact else most_gain
                for place in range(count):
                    move = moves[place]
                    # of moves with blocks of one length, a lower number starts earlier or goes to an earlier place
                    better = gain > 0 and move < chosen and span == chosen >> (2 * PART)
                    if move >> (2 * PART) != span or bound < gain or (bound == gain and not better):
                        continue
                    left, middle, right = rotation_of(move, length)
                    if exact and size <= WIDTH:
                        trial = rotated_distance(words, length, left, middle, right, size, masks, rows)
                    else:
                        for row in range(length):
                            moved[row] = words[row]
                        rotate(moved, left, middle, right, spare)
                        trial = band_distance(moved, length, target, size, width, table, nothing)
                    won = distance - trial
                    if won > gain or (won == gain and better):
                        gain = won
                        chosen = move
            if chosen < 0:
                break
            left, middle, right = rotation_of(chosen, length)
            rotate(words, left, middle, right, spare)
            filled = left if exact else 0
            counts[SHIFTS] += 1

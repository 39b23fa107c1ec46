"""
Search block moves round by round, each time the one that gains most, as sacreBLEU 2.6.0 does.

Its edit distance looks at a band around the diagonal only (see ``shifts_band``), so it can be larger than the true one.
A path that leaves the band costs some least number of edits; while the true distance is below that, the band changes
nothing, alignment included, and the rows of bits of ``shifts`` serve. Pairs for which it does are left to the band.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Ids, Offsets
from tertium.native.interning import Whole
from tertium.native.kernels import kernel
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
    STEP,
    WIDTH,
    Flags,
    Longs,
    fill_masks,
    fill_rows,
    longest,
    number_words,
    rotate,
    rotated_distance,
    trace_rows,
    unmatched_words,
)

FAR = 1 << 40
"""More than any distance."""
MOST_BLOCKS = 8
"""Up to this many blocks the rows of bits are tried where a band may matter."""
PENDING = -1
"""What stands for the edits of a pair whose distances depend on the band."""


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
    lengths = np.diff(hypothesis_offsets)[owners]
    sizes = np.diff(reference_offsets)
    blocks = np.maximum(1, -(-sizes // WIDTH))
    usable = (blocks <= MOST_BLOCKS) | (sizes < beam)  # there, the band holds the whole table
    room, size = longest(hypothesis_offsets) + 1, longest(reference_offsets) + 1
    pairs = (hypotheses, hypothesis_offsets, references, reference_offsets, owners)
    limits = (max_size, max_distance, max_candidates, max_work)
    moves = np.empty(min(max_candidates, MOST_MOVES) + min(max_size, size) + 2, np.int64)
    texts = np.empty((3, room), np.int64)
    sides = np.empty((5, size + 2), np.int64)
    flags = np.empty((2, max(room, size)), np.uint8)
    numbers = np.full(vocabulary, -1, np.int32)
    search_rows(
        *pairs,
        np.where(usable, blocks, 0),
        beam,
        *limits,
        numbers,
        texts,
        sides,
        flags,
        np.empty(int(((sizes + 1) * blocks)[usable].max(initial=1)), np.int64),
        np.empty((5, int(((lengths + 2) * blocks)[usable].max(initial=1))), np.int64),
        moves,
        found,
    )
    if (found[:, EDITS] == PENDING).any():
        from tertium.native.shifts_band import search_band

        search_band(*pairs, beam, *limits, numbers, texts, sides, flags, moves, found)
    return found


@kernel
def band_width(length: Whole, size: Whole, beam: Whole) -> Whole:
    """
    Give half the band's width: the beam, or more where the lengths are so far apart that rows would not meet.
    """
    ratio = size / length
    return math.ceil(ratio / 2 + beam) if beam < ratio / 2 else beam


@kernel
def cheapest_detour(length: Whole, size: Whole, beam: Whole) -> Whole:
    """
    Give the fewest edits of any path that leaves the band, or FAR where the band holds the whole table.
    """
    ratio = size / length
    width = band_width(length, size, beam)
    least = FAR
    if size < width:
        return least
    for row in range(1, length + 1):
        diagonal = math.floor(row * ratio)
        # of the columns outside, the nearest to the straight ways from the start and to the end
        column = diagonal - width - 1
        if column >= 0:
            column = min(column, max(row, row + size - length))
            least = min(least, abs(row - column) + abs(length - row - size + column))
        column = diagonal + width
        if column <= size and row < length:
            column = max(column, min(row, row + size - length))
            least = min(least, abs(row - column) + abs(length - row - size + column))
    return least


@kernel
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


@kernel
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
def best_move(
    words: Longs,
    length: Whole,
    size: Whole,
    fewest: Whole,
    blocks: Whole,
    masks: Longs,
    rows: Longs,
    moves: Longs,
    count: Whole,
) -> Whole:
    """
    Find the move that gains most: then the longest block, the earliest, and the earliest place.

    A move of w words changes the distance by at most 2w, and no order of the words has less than ``fewest`` edits: what
    cannot be best is not tried.

    Returns:
        The move, or -1 if none gains.
    """
    distance = rows[4, length]
    most = distance - fewest
    gain = 0
    chosen = np.int64(-1)
    span = FAR
    while True:
        # the longest blocks that are left
        below = span
        span = 0
        for place in range(count):
            own = moves[place] >> (2 * PART)
            if own < below and own > span:
                span = own
        if span == 0 or 2 * span < gain or gain == most:
            return chosen
        bound = min(2 * span, most)
        for place in range(count):
            move = moves[place]
            # of moves with blocks of one length, a lower number starts earlier or goes to an earlier place
            better = gain > 0 and move < chosen and span == chosen >> (2 * PART)
            if move >> (2 * PART) != span or bound < gain or (bound == gain and not better):
                continue
            left, middle, right = rotation_of(move, length)
            found = distance - rotated_distance(words, length, left, middle, right, size, blocks, masks, rows)
            if found > gain or (found == gain and better):
                gain = found
                chosen = move


@kernel
def search_rows(
    hypotheses: Ids,
    hypothesis_offsets: Offsets,
    references: Ids,
    reference_offsets: Offsets,
    owners: Longs,
    blocks_of: Longs,
    beam: Whole,
    max_size: Whole,
    max_distance: Whole,
    max_candidates: Whole,
    max_work: Whole,
    numbers: Ids,
    texts: NDArray[np.int64],
    sides: NDArray[np.int64],
    flags: NDArray[np.uint8],
    masks: Longs,
    rows: NDArray[np.int64],
    moves: Longs,
    found: NDArray[np.int64],
) -> None:
    """
    Do the work of :func:`search` with rows of bits, for pairs whose distances do not depend on the band.

    Args:
        blocks_of: Blocks a row of each pair, or 0 for a pair left to the band.
        numbers: See ``shifts.number_words``.
        texts: Room for three numbers a hypothesis word.
        sides: Room for five numbers a reference word, and one more each.
        flags: Room for a flag a word of either side.
        masks: See ``shifts.fill_masks``.
        rows: See ``shifts.fill_rows`` and ``shifts.rotated_distance``.
        moves: Room for as many moves as a round may list.
        found: Written to.
    """
    words, spare = texts[0], texts[1]
    target, starts, positions, aligned, counts = sides[0], sides[1], sides[2], sides[3], sides[4]
    wrong, missed = flags[0], flags[1]
    for pair in range(len(owners)):
        first = hypothesis_offsets[owners[pair]]
        length = hypothesis_offsets[owners[pair] + 1] - first
        begin = reference_offsets[pair]
        size = reference_offsets[pair + 1] - begin
        if length == 0 or size == 0:
            found[pair, EDITS] = length + size
            found[pair, INSERTIONS] = length
            found[pair, DELETIONS] = size
            continue
        blocks = blocks_of[pair]
        if blocks == 0:
            found[pair, EDITS] = PENDING
            continue
        known = number_words(
            hypotheses, first, length, references, begin, size, numbers, words, target, starts, positions
        )
        fewest = unmatched_words(words, length, known, starts, size, counts)
        fill_masks(target, size, known, blocks, masks)
        detour = cheapest_detour(length, size, beam)
        start: Whole = np.int64(0)
        checked = 0
        work = 0
        while True:
            distance = fill_rows(words, start, length, size, blocks, masks, rows)
            if distance >= detour:
                found[pair, :] = 0
                found[pair, EDITS] = PENDING
                break
            trace_rows(words, length, target, size, blocks, rows, aligned, wrong, missed, found[pair])
            found[pair, EDITS] = found[pair, SHIFTS] + distance
            if distance == fewest:
                break
            most = min(max_candidates - checked, MOST_MOVES)
            count = list_moves(
                words, length, target, size, known, starts, positions, aligned, wrong, missed,
                max_size, max_distance, most, moves,
            )  # fmt: skip
            checked += count
            work += length * blocks * STEP * (count + 1)
            if checked >= max_candidates:
                found[pair, CUT_OFF] = 1
                break
            if count >= most or work > max_work:
                found[pair, LIMITED] = 1
                break
            chosen = best_move(words, length, size, fewest, blocks, masks, rows, moves, count)
            if chosen < 0:
                break
            left, middle, right = rotation_of(chosen, length)
            rotate(words, left, middle, right, spare)
            start = left
            found[pair, SHIFTS] += 1

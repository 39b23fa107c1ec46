"""
Search block moves as TERCOM 0.10.0 does: an edit distance under a beam, blocks from the longest to the shortest.
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
    SUBSTITUTIONS,
    Flags,
    Longs,
    longest,
    number_words,
    rotate,
)
from tertium.native.tercom_beam import beam_distance, trace_beam

Floats = NDArray[np.float64]


def search_beam(
    hypotheses: Ids,
    hypothesis_offsets: Offsets,
    references: Ids,
    reference_offsets: Offsets,
    owners: Longs,
    vocabulary: int,
    beam: float,
    max_size: int,
    max_distance: int,
    max_candidates: int,
    max_work: int,
    costs: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0),
    history: Longs | None = None,
) -> tuple[NDArray[np.int64], Floats]:
    """
    Count the edits from each reference's hypothesis to it, block moves included.

    Args:
        hypotheses: Token ids of all hypotheses.
        hypothesis_offsets: Where each hypothesis starts, and the end of the last.
        references: Token ids of all references.
        reference_offsets: Where each reference starts, and the end of the last.
        owners: The hypothesis that each reference belongs to.
        vocabulary: Ids are below this.
        beam: How much more than the cheapest diagonal step a cell may cost.
        max_size: Words that move at once, at most.
        max_distance: How far apart a block and its place in the reference may be.
        max_candidates: A search that has listed this many moves ends, and the round in hand moves nothing.
        max_work: So does one that has filled this many cells of distance tables.
        costs: Of an extra word, a missing word, a substitution and a move, each above 0.
        history: The moves of the only pair, each as ``words << 42 | start << 21 | place``, where the block stands
            after the word before ``place``; written to as far as it reaches.

    Returns:
        int64 of shape (references, ``FOUND``), see the columns in ``shifts`` (edits are counted there with a cost of
        1), and float64 with the costs of each pair's edits.
    """
    found = np.zeros((len(owners), FOUND), np.int64)
    total = np.zeros(len(owners))
    room, size = longest(hypothesis_offsets) + 1, longest(reference_offsets) + 1
    lengths, sizes = np.diff(hypothesis_offsets)[owners], np.diff(reference_offsets)
    capacity = min(max_candidates, MOST_MOVES)
    search_all(
        hypotheses,
        hypothesis_offsets,
        references,
        reference_offsets,
        owners,
        float(beam),
        max_size,
        max_distance,
        max_candidates,
        max_work,
        np.array(costs, np.float64),
        np.full(vocabulary, -1, np.int32),
        np.empty((3, room), np.int64),
        np.empty((6, size + 2), np.int64),
        np.empty((2, max(room, size)), np.uint8),
        np.empty((2, size + 1)),
        # most of this is never touched, and takes no memory
        np.empty(int(((lengths + 1) * (sizes + 1)).max(initial=1)), np.uint8),
        np.empty(0, np.uint8),
        np.empty(capacity + (min(max_size, size) + 2) * size, np.int64),
        np.zeros(1, np.int64),
        np.empty(0, np.int64) if history is None else history,
        found,
        total,
    )
    return found, total


@inner_kernel
def list_blocks(
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
    active: Longs,
    max_size: Whole,
    max_distance: Whole,
    most: Whole,
    moves: Longs,
    work: Longs,
) -> Whole:
    """
    List the moves worth a trial, until there are ``most``; arguments as in ``shifts_best.list_moves``.

    Args:
        active: Room for a number a reference word.
        work: One number, to which the places looked at are added.
    """
    count = 0
    for start in range(length):
        if words[start] == known:
            continue
        held = 0
        near = False
        for occurrence in range(starts[words[start]], starts[words[start] + 1]):
            there = positions[occurrence]
            active[held] = there
            held += 1
            gap = aligned[there] - start
            near = near or (gap != 0 and gap <= max_distance and -gap - 1 <= max_distance)
        faulty = 0
        for span in range(1, min(max_size, length - start) + 1):
            if not near:
                break
            # of the places that matched one word less, those that match this one, too
            kept = 0
            for place in range(held):
                there = active[place]
                if there + span <= size and target[there + span - 1] == words[start + span - 1]:
                    active[kept] = there
                    kept += 1
            work[0] += held
            held = kept
            if held == 0:
                break
            faulty |= wrong[start + span - 1]
            if faulty == 0:
                continue
            near = False
            for place in range(held):
                there = active[place]
                gap = aligned[there] - start
                if (gap >= 0 and gap < span) or abs(gap) > max_distance:
                    continue
                near = True
                needed = 0
                for offset in range(there, there + span):
                    needed |= missed[offset]
                if needed == 0:
                    continue
                block = (np.int64(span) << (2 * PART)) | (np.int64(start) << PART)
                if there == 0:
                    moves[count] = block
                    count += 1
                for offset in range(max(there - 1, 0), there + span):
                    goal = aligned[offset]
                    if goal != start and (offset == there or goal != aligned[there]):
                        moves[count] = block | (goal + 1)
                        count += 1
            if count >= most:
                return count
    return count


@inner_kernel
def block_rotation(move: Whole, length: Whole) -> tuple[Whole, Whole, Whole]:
    """
    Turn a move into a rotation: after the word before its place, or inside the block, to the right by as much.
    """
    span = move >> (2 * PART)
    start = (move >> PART) & LOW
    goal = (move & LOW) - 1
    if goal < start:
        return goal + 1, start, start + span
    return start, start + span, goal + 1 if goal >= start + span else min(length, goal + span)


@kernel
def search_all(
    hypotheses: Ids,
    hypothesis_offsets: Offsets,
    references: Ids,
    reference_offsets: Offsets,
    owners: Longs,
    beam: float,
    max_size: Whole,
    max_distance: Whole,
    max_candidates: Whole,
    max_work: Whole,
    costs: Floats,
    numbers: Ids,
    texts: NDArray[np.int64],
    sides: NDArray[np.int64],
    flags: NDArray[np.uint8],
    table: NDArray[np.float64],
    operations: Flags,
    nothing: Flags,
    moves: Longs,
    work: Longs,
    history: Longs,
    found: NDArray[np.int64],
    total: Floats,
) -> None:
    """
    Do the work of :func:`search_beam`; ``found``, ``total`` and ``history`` are written to.
    """
    words, spare, moved = texts[0], texts[1], texts[2]
    target, starts, positions, aligned, active = sides[0], sides[1], sides[2], sides[3], sides[4]
    wrong, missed = flags[0], flags[1]
    for pair in range(len(owners)):
        first = hypothesis_offsets[owners[pair]]
        length = hypothesis_offsets[owners[pair] + 1] - first
        begin = reference_offsets[pair]
        size = reference_offsets[pair + 1] - begin
        counts = found[pair]
        known = number_words(
            hypotheses, first, length, references, begin, size, numbers, words, target, starts, positions
        )
        checked = 0
        work[0] = 0
        spent = 0.0
        while True:
            distance = beam_distance(words, length, target, size, beam, costs, table, operations, work)
            trace_beam(length, size, operations, aligned, wrong, missed, counts)
            if distance == 0:
                break
            most = min(max_candidates - checked, MOST_MOVES)
            count = list_blocks(
                words, length, target, size, known, starts, positions, aligned, wrong, missed, active,
                max_size, max_distance, most, moves, work,
            )  # fmt: skip
            checked += count
            if checked >= max_candidates:
                counts[CUT_OFF] = 1
                break
            if count >= most or work[0] > max_work:
                counts[LIMITED] = 1
                break
            best = distance
            paid = 0.0
            chosen = np.int64(-1)
            span = np.int64(LOW)
            while counts[LIMITED] == 0:
                # the longest blocks that are left
                below = span
                span = np.int64(0)
                for place in range(count):
                    own = moves[place] >> (2 * PART)
                    if own < below and own > span:
                        span = own
                won = distance - (paid + best)
                if span == 0 or won > 2 * span or (chosen >= 0 and won == 2 * span):
                    break
                for place in range(count):
                    move = moves[place]
                    if move >> (2 * PART) != span:
                        continue
                    won = distance - (paid + best)
                    if won > 2 * span or (chosen >= 0 and won == 2 * span):
                        break
                    if work[0] > max_work:
                        counts[LIMITED] = 1
                        break
                    for row in range(length):
                        moved[row] = words[row]
                    left, middle, right = block_rotation(move, length)
                    rotate(moved, left, middle, right, spare)
                    trial = beam_distance(moved, length, target, size, beam, costs, table, nothing, work)
                    gain = (best + paid) - (trial + costs[3])
                    if gain > 0 or (gain == 0 and chosen < 0):
                        chosen = move
                        best = trial
                        paid = costs[3]
            if chosen < 0 or counts[LIMITED] != 0:
                break
            left, middle, right = block_rotation(chosen, length)
            rotate(words, left, middle, right, spare)
            if counts[SHIFTS] < len(history):
                history[counts[SHIFTS]] = chosen
            counts[SHIFTS] += 1
            spent += costs[3]
        total[pair] = distance + spent
        counts[EDITS] = counts[SHIFTS] + counts[INSERTIONS] + counts[DELETIONS] + counts[SUBSTITUTIONS]

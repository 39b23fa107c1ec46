"""
Choose among matches as CMU Meteor 1.5 does: a beam over the positions of the reference, compiled.

Its quirks are part of the algorithm: coverage is cut to a whole number at each addition, so that a stem, a synonym or
a paraphrase of one word adds nothing to it; and the distance of a new match counts for the branches after it, not for
its own.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Ids, Offsets
from tertium.native.interning import Longs, Whole
from tertium.native.kernels import kernel
from tertium.native.phrase_matches import HYPOTHESIS, HYPOTHESIS_WORDS, MODULE, REFERENCE, REFERENCE_WORDS

LEFT, RIGHT, CHUNKS, DISTANCE, OPEN, PARENT, MATCH, TRAIL, END = range(9)
"""Columns of a path: covered words of both sides, closed chunks, distance, where a chunk goes on (-1: none is open), the
path that it came from, the match that it took (-1: none), its last step, and where that match ends in the reference."""


@kernel
def covered(known: Whole, words: Whole, module: Whole) -> Whole:
    """
    Add words to a coverage: whole for exact matches, halved for others, and cut to a whole number.
    """
    return known + words if module == 0 else np.int64(known + words * 0.5)


@kernel
def before(paths: Longs, one: Whole, other: Whole) -> bool:
    """
    Tell whether a path comes before another: by more coverage, then fewer chunks, then less distance.
    """
    more: int = paths[one, LEFT] + paths[one, RIGHT] - paths[other, LEFT] - paths[other, RIGHT]
    if more != 0:
        return more > 0
    fewer: int = paths[other, CHUNKS] - paths[one, CHUNKS]
    if fewer != 0:
        return fewer > 0
    nearer: int = paths[other, DISTANCE] - paths[one, DISTANCE]
    return nearer > 0


@kernel
def rank(following: Longs, order: Longs, count: Whole, beam: int) -> Whole:
    """
    Put a new branch in its place among the best, after those that tie with it.

    Args:
        following: The branches; the new one is in the row ``order[count]``.
        order: The rows of the best branches, the best first, and after them a free row; written to.
        count: How many branches there are.
        beam: How many are kept: the last of more gives its row up.

    Returns:
        How many there are now.
    """
    row = order[count]
    place = int(count)
    while place > 0 and before(following, row, order[place - 1]):
        order[place] = order[place - 1]
        place -= 1
    order[place] = row
    return min(count + 1, beam)


@kernel
def take(paths: Longs, path: Whole, matches: Longs, row: Whole) -> None:
    """
    Let a path take a match: its coverage, its chunk, and where it ends.
    """
    module = matches[row, MODULE]
    paths[path, LEFT] = covered(paths[path, LEFT], matches[row, HYPOTHESIS_WORDS], module)
    paths[path, RIGHT] = covered(paths[path, RIGHT], matches[row, REFERENCE_WORDS], module)
    if paths[path, OPEN] >= 0 and paths[path, OPEN] != matches[row, HYPOTHESIS]:
        paths[path, CHUNKS] += 1
    paths[path, OPEN] = matches[row, HYPOTHESIS] + matches[row, HYPOTHESIS_WORDS]
    paths[path, END] = matches[row, REFERENCE] + matches[row, REFERENCE_WORDS]
    paths[path, MATCH] = row


@kernel
def preselect(matches: Longs, starts: Longs, fixed: Longs, left: Ids, right: Ids) -> int:
    """
    Mark matches without a rival: alone at their start, and alone on each word that they cover.

    Args:
        matches: The matches of all pairs.
        starts: The matches at position j of the reference are the rows ``starts[j]`` to ``starts[j + 1]``.
        fixed: For each position of the reference the match that is fixed to start there, or -1; written to.
        left: For each word of the hypothesis 0; afterwards -1 where it is covered by a fixed match, and a number of its
            own, from 0 on, where other matches contend for it.
        right: For each word of the reference 0; afterwards -1 where it is covered by a fixed match.

    Returns:
        For how many words of the hypothesis matches contend.
    """
    for row in range(starts[0], starts[len(fixed)]):
        for word in range(matches[row, HYPOTHESIS], matches[row, HYPOTHESIS] + matches[row, HYPOTHESIS_WORDS]):
            left[word] += 1
        for word in range(matches[row, REFERENCE], matches[row, REFERENCE] + matches[row, REFERENCE_WORDS]):
            right[word] += 1
    for position in range(len(fixed)):
        fixed[position] = -1
        if starts[position + 1] - starts[position] == 1:
            row = starts[position]
            alone = True
            for word in range(matches[row, HYPOTHESIS], matches[row, HYPOTHESIS] + matches[row, HYPOTHESIS_WORDS]):
                alone = alone and left[word] == 1
            for word in range(matches[row, REFERENCE], matches[row, REFERENCE] + matches[row, REFERENCE_WORDS]):
                alone = alone and right[word] == 1
            if alone:
                fixed[position] = row
    for position in range(len(fixed)):
        row = fixed[position]
        if row >= 0:
            for word in range(matches[row, HYPOTHESIS], matches[row, HYPOTHESIS] + matches[row, HYPOTHESIS_WORDS]):
                left[word] = -1
            for word in range(matches[row, REFERENCE], matches[row, REFERENCE] + matches[row, REFERENCE_WORDS]):
                right[word] = -1
    contested = 0
    for word in range(len(left)):
        if left[word] > 0:
            left[word] = contested
            contested += 1
    for word in range(len(right)):
        right[word] = min(right[word], 0)
    return contested


@kernel
def fits(matches: Longs, row: Whole, bits: Longs, path: Whole, left: Ids, right: Ids) -> bool:
    """
    Tell whether a path can take a match: all of its words are free.
    """
    for word in range(matches[row, REFERENCE], matches[row, REFERENCE] + matches[row, REFERENCE_WORDS]):
        if right[word] != 0:
            return False
    for word in range(matches[row, HYPOTHESIS], matches[row, HYPOTHESIS] + matches[row, HYPOTHESIS_WORDS]):
        if left[word] < 0 or bits[path, left[word] >> 5] >> (left[word] & 31) & 1:
            return False
    return True


@kernel
def search(
    matches: Longs,
    starts: Longs,
    fixed: Longs,
    left: Ids,
    right: Ids,
    beam: int,
    paths: Longs,
    following: Longs,
    bits: NDArray[np.int64],
    next_bits: NDArray[np.int64],
    width: int,
    order: Longs,
    trail: Longs,
    chosen: Longs,
) -> None:
    """
    Find the alignment of one pair.

    Args:
        matches: See :func:`preselect`, as ``starts``, ``fixed``, ``left`` and ``right``.
        beam: How many paths are kept at each position.
        paths: Room for the paths at a position, and one more.
        following: The same, for their best branches.
        bits: Room for the contested words of the hypothesis that each kept path has used, 32 to a number.
        next_bits: The same.
        width: How many such numbers are used.
        order: Room for their order, holding each number below its length once.
        trail: Room for steps, each a match and the step before: one for each kept path at each position.
        chosen: For each position of the reference the match that starts there, -1 for none; written to.
    """
    # Written as np.int64, so that numba does not take the first value for a constant and compile what is called twice.
    count: Whole = np.int64(1)
    steps: Whole = np.int64(0)
    for column in range(END + 1):
        paths[0, column] = 0
    paths[0, OPEN] = -1
    paths[0, TRAIL] = -1
    for word in range(width):
        bits[0, word] = 0
    for position in range(len(fixed)):
        branches: Whole = np.int64(0)
        for path in range(count):
            inside = right[position] != 0 or paths[path, END] > position
            if not inside:
                for row in range(starts[position], starts[position + 1]):
                    if fits(matches, row, bits, path, left, right):
                        for column in range(END + 1):
                            following[order[branches], column] = paths[path, column]
                        take(following, order[branches], matches, row)
                        following[order[branches], PARENT] = path
                        branches = rank(following, order, branches, beam)
                        paths[path, DISTANCE] += abs(matches[row, REFERENCE] - matches[row, HYPOTHESIS])
            slot = order[branches]
            for column in range(END + 1):
                following[slot, column] = paths[path, column]
            following[slot, PARENT] = path
            following[slot, MATCH] = -1
            if inside:
                if fixed[position] >= 0:
                    take(following, slot, matches, fixed[position])
            elif following[slot, OPEN] >= 0:
                following[slot, CHUNKS] += 1
                following[slot, OPEN] = -1
            branches = rank(following, order, branches, beam)
        count = branches
        settle(following, count, matches, left, bits, next_bits, width, order, trail, steps, paths)
        steps += count
        bits, next_bits = next_bits, bits
    best = np.int64(0)
    for path in range(count):
        if paths[path, OPEN] >= 0:
            paths[path, CHUNKS] += 1
        if before(paths, path, best):
            best = np.int64(path)
    for position in range(len(fixed)):
        chosen[position] = -1
    step = paths[best, TRAIL]
    while step >= 0:
        row = trail[step, 0]
        chosen[matches[row, REFERENCE]] = row
        step = trail[step, 1]


@kernel
def settle(
    following: Longs,
    count: Whole,
    matches: Longs,
    left: Ids,
    bits: NDArray[np.int64],
    next_bits: NDArray[np.int64],
    width: int,
    order: Longs,
    trail: Longs,
    steps: Whole,
    paths: Longs,
) -> None:
    """
    Let the best branches be the paths of the next position, the best first.
    """
    for path in range(count):
        branch = order[path]
        parent = following[branch, PARENT]
        for column in range(END + 1):
            paths[path, column] = following[branch, column]
        for word in range(width):
            next_bits[path, word] = bits[parent, word]
        row = following[branch, MATCH]
        if row >= 0:
            trail[steps + path, 0] = row
            trail[steps + path, 1] = following[branch, TRAIL]
            paths[path, TRAIL] = steps + path
            for word in range(matches[row, HYPOTHESIS], matches[row, HYPOTHESIS] + matches[row, HYPOTHESIS_WORDS]):
                if left[word] >= 0:
                    next_bits[path, left[word] >> 5] |= np.int64(1) << np.int64(left[word] & 31)


@kernel
def align_pairs(
    matches: Longs,
    starts: Longs,
    left_offsets: Offsets,
    right_offsets: Offsets,
    owners: Offsets,
    beam: int,
    left_fixed: Ids,
    right_fixed: Ids,
    fixed: Longs,
    paths: Longs,
    following: Longs,
    bits: NDArray[np.int64],
    next_bits: NDArray[np.int64],
    order: Longs,
    trail: Longs,
    chosen: Longs,
) -> None:
    """
    Find the alignments of all pairs.

    Args:
        matches: The matches of all pairs.
        starts: The matches at each word of the references, and the end of the last.
        left_offsets: Where each hypothesis starts, and the end of the last.
        right_offsets: Where each reference starts.
        owners: The hypothesis of each reference.
        beam: How many paths are kept at each position.
        left_fixed: Room for each word of the longest hypothesis.
        right_fixed: Room for each word of the longest reference.
        fixed: The same.
        chosen: For each word of the references the match that starts there, -1 for none; written to.

    The other arguments are room as for :func:`search`.
    """
    for pair in range(len(owners)):
        length = left_offsets[owners[pair] + 1] - left_offsets[owners[pair]]
        opening, closing = right_offsets[pair], right_offsets[pair + 1]
        here = starts[opening : closing + 1]
        own = fixed[: closing - opening]
        left, right = left_fixed[:length], right_fixed[: closing - opening]
        for word in range(len(left)):
            left[word] = 0
        for word in range(len(right)):
            right[word] = 0
        width = (preselect(matches, here, own, left, right) + 31) >> 5
        search(
            matches, here, own, left, right, beam, paths, following, bits, next_bits, width, order, trail,
            chosen[opening:closing],
        )  # fmt: skip


@kernel
def count_words(
    matches: Longs,
    chosen: Longs,
    left_offsets: Offsets,
    right_offsets: Offsets,
    owners: Offsets,
    left_sizes: NDArray[np.int32],
    right_sizes: NDArray[np.int32],
    left_function: NDArray[np.uint8],
    right_function: NDArray[np.uint8],
    counts: Longs,
) -> None:
    """
    Count what Meteor's formula needs.

    Args:
        matches: The matches of all pairs.
        chosen: For each word of the references the match that starts there, or -1.
        left_offsets: Where each hypothesis starts, and the end of the last.
        right_offsets: Where each reference starts.
        owners: The hypothesis of each reference.
        left_sizes: What each word of the hypotheses counts: 1, or its characters.
        right_sizes: The same for the references.
        left_function: Whether each word of the hypotheses is a function word.
        right_function: The same for the references.
        counts: For each pair: size of both sides, size of the function words of both sides; for each module the
            matched content words of both sides and the matched function words of both sides; chunks; matched words of
            both sides; words of both sides; written to.
    """
    for pair in range(len(owners)):
        first, end = left_offsets[owners[pair]], left_offsets[owners[pair] + 1]
        opening, closing = right_offsets[pair], right_offsets[pair + 1]
        for position in range(first, end):
            counts[pair, 0] += left_sizes[position]
            counts[pair, 2] += left_sizes[position] * left_function[position]
        for position in range(opening, closing):
            counts[pair, 1] += right_sizes[position]
            counts[pair, 3] += right_sizes[position] * right_function[position]
        expected_left = np.int64(-1)
        expected_right = np.int64(-1)
        for position in range(opening, closing):
            row = chosen[position]
            if row < 0:
                continue
            base = 4 + 4 * matches[row, MODULE]
            start, words = matches[row, HYPOTHESIS], matches[row, HYPOTHESIS_WORDS]
            place, length = matches[row, REFERENCE], matches[row, REFERENCE_WORDS]
            for word in range(first + start, first + start + words):
                counts[pair, base + 2 * left_function[word]] += left_sizes[word]
            for word in range(opening + place, opening + place + length):
                counts[pair, base + 1 + 2 * right_function[word]] += right_sizes[word]
            if start != expected_left or place != expected_right:
                counts[pair, 20] += 1
            expected_left, expected_right = start + words, place + length
            counts[pair, 21] += words
            counts[pair, 22] += length
        counts[pair, 23] = end - first
        counts[pair, 24] = closing - opening

"""
Choose among matches as CMU Meteor 1.5 does: a beam over the positions of the reference.

Its quirks are part of the algorithm: coverage is cut to a whole number at each addition, so that a stem, a synonym or
a paraphrase of one word adds nothing to it; and the distance of a new match counts for the branches after it, not for
its own.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tertium.native.interning import Longs, Whole
from tertium.native.kernels import inner_kernel, kernel
from tertium.native.phrase_matches import (
    EXACT,
    HYPOTHESIS,
    HYPOTHESIS_WORDS,
    MODULE,
    REFERENCE,
    REFERENCE_WORDS,
    Matches,
    Pairs,
    spread,
)

START, STOP, PLACE, AFTER, GAIN, APART, BIT = range(7)
"""Columns of a choice: where the match starts and ends in the hypothesis and in the reference, by how much it raises
coverage, how far apart its sides are, and the number of its first contested word, -1 where a fixed match is in its way."""

COVERED, CHUNKS, DISTANCE, OPEN, PARENT, MATCH, TRAIL, END = range(8)
"""Columns of a path: covered words of both sides, closed chunks, distance, where a chunk goes on (-1: none is open), the
path that it came from, the match that it took (-1: none), its last step, and where that match ends in the reference."""


class Preselection(NamedTuple):
    """
    Hold what is settled before the search: matches without a rival, alone at their start and on each word they cover.

    Args:
        choices: What the search needs to know of each match.
        fixed: For each word of the references the match that is fixed to start there, or -1.
        covered: For each word of the references whether a fixed match covers it.
        contested: For each pair for how many words of the hypothesis the other matches contend.
    """

    choices: Longs
    fixed: Longs
    covered: NDArray[np.bool_]
    contested: Longs


def chosen_matches(pairs: Pairs, matches: Matches, beam: int) -> Longs:
    """
    Find the alignments of all pairs.

    Args:
        beam: How many paths are kept at each position of a reference.

    Returns:
        For each word of the references the match that starts there, -1 for none.
    """
    settled = preselected(pairs, matches)
    width = int(settled.contested.max(initial=0) + 31) >> 5
    longest = int(np.diff(pairs.right).max(initial=0))
    chosen = np.full(int(pairs.right[-1]), -1, np.int64)
    align_pairs(
        settled.choices,
        matches.starts,
        pairs.right,
        settled.fixed,
        settled.covered,
        settled.contested,
        beam,
        np.empty((2, beam + 1, END + 1), np.int64),
        np.empty((2, beam + 1, width), np.int64),
        np.arange(beam + 1),
        np.empty((beam * (longest + 1), 2), np.int64),
        chosen,
    )
    return chosen


def preselected(pairs: Pairs, matches: Matches) -> Preselection:
    """
    Fix the matches without a rival, and number the words for which the others contend.
    """
    rows, starts = matches
    words, count = int(pairs.right[-1]), len(rows)
    several = np.diff(starts)
    place = np.repeat(np.arange(words), several)
    lengths = np.diff(pairs.left)[pairs.owners]
    first = np.cumsum(lengths) - lengths  # the hypotheses' words, once a pair
    opening = first[pairs.of_words[place]]
    begin = opening + rows[:, HYPOTHESIS]
    sides = spread(begin, rows[:, HYPOTHESIS_WORDS]), spread(place, rows[:, REFERENCE_WORDS])
    sizes = int(lengths.sum()), words
    used = [np.bincount(word, minlength=size) for (_, word), size in zip(sides, sizes, strict=True)]
    rivals = np.zeros(count, np.bool_)
    for (match, word), uses in zip(sides, used, strict=True):
        rivals[match[uses[word] > 1]] = True
    alone = np.flatnonzero(several == 1)
    alone = alone[~rivals[starts[alone]]]
    fixed = np.full(words, -1, np.int64)
    fixed[alone] = starts[alone]
    settled, blocked = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
    settled[fixed[alone]] = True
    taken = [np.zeros(size, np.bool_) for size in sizes]
    for (match, word), covered in zip(sides, taken, strict=True):
        covered[word[settled[match]]] = True
        blocked[match[covered[word]]] = True
    contested = np.concatenate([[0], np.cumsum((used[0] > 0) & ~taken[0])])
    halved = (rows[:, MODULE] != EXACT).astype(np.int64)
    choices = np.column_stack(
        [
            rows[:, HYPOTHESIS],
            rows[:, HYPOTHESIS] + rows[:, HYPOTHESIS_WORDS],
            rows[:, REFERENCE],
            rows[:, REFERENCE] + rows[:, REFERENCE_WORDS],
            (rows[:, HYPOTHESIS_WORDS] >> halved) + (rows[:, REFERENCE_WORDS] >> halved),
            abs(rows[:, REFERENCE] - rows[:, HYPOTHESIS]),
            np.where(blocked, -1, contested[begin] - contested[opening]),
        ]
    )
    return Preselection(choices, fixed, taken[1], contested[first + lengths] - contested[first])


@kernel
def before(paths: Longs, one: Whole, other: Whole) -> bool:
    """
    Tell whether a path comes before another: by more coverage, then fewer chunks, then less distance.
    """
    more: int = paths[one, COVERED] - paths[other, COVERED]
    fewer: int = paths[other, CHUNKS] - paths[one, CHUNKS]
    nearer: int = paths[other, DISTANCE] - paths[one, DISTANCE]
    return (more > 0) | ((more == 0) & ((fewer > 0) | ((fewer == 0) & (nearer > 0))))


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
    place: Any = count
    while place > 0 and before(following, row, order[place - 1]):
        order[place] = order[place - 1]
        place -= 1
    order[place] = row
    return min(count + 1, beam)


@inner_kernel
def branch(paths: Longs, path: Whole, following: Longs, slot: Whole) -> None:
    """
    Let a path go on without a match.
    """
    for column in range(END + 1):
        following[slot, column] = paths[path, column]
    following[slot, PARENT] = path
    following[slot, MATCH] = -1


@inner_kernel
def take(paths: Longs, path: Whole, choices: Longs, row: Whole) -> None:
    """
    Let a path take a match: its coverage, its chunk, and where it ends.
    """
    paths[path, COVERED] += choices[row, GAIN]
    paths[path, CHUNKS] += np.int64((paths[path, OPEN] >= 0) & (paths[path, OPEN] != choices[row, START]))
    paths[path, OPEN] = choices[row, STOP]
    paths[path, END] = choices[row, AFTER]
    paths[path, MATCH] = row


@inner_kernel
def is_free(bits: Longs, path: Whole, first: Whole, end: Whole) -> bool:
    """
    Tell whether a path has used none of these contested words.
    """
    used: Any = np.int64(0)
    for bit in range(first, end):
        used |= bits[path, bit >> 5] >> (bit & 31) & 1
    return bool(used == 0)


@inner_kernel
def settle(
    following: Longs, count: Whole, choices: Longs, bits: Longs, next_bits: Longs, width: Whole, order: Longs,
    trail: Longs, steps: Whole, paths: Longs,
) -> None:  # fmt: skip
    """
    Let the best branches be the paths of the next position, the best first.
    """
    for path in range(count):
        branch(following, order[path], paths, path)
        parent = following[order[path], PARENT]
        for word in range(width):
            next_bits[path, word] = bits[parent, word]
        row = following[order[path], MATCH]
        if row >= 0:
            trail[steps + path, 0] = row
            trail[steps + path, 1] = paths[path, TRAIL]
            paths[path, TRAIL] = steps + path
            first = choices[row, BIT]
            if first >= 0:
                for bit in range(first, first + choices[row, STOP] - choices[row, START]):
                    next_bits[path, bit >> 5] |= np.int64(1) << (bit & 31)


@kernel
def align_pairs(
    choices: Longs,
    starts: Longs,
    offsets: Longs,
    fixed: Longs,
    covered: NDArray[np.bool_],
    contested: Longs,
    beam: int,
    paths: Longs,
    bits: Longs,
    order: Longs,
    trail: Longs,
    chosen: Longs,
) -> None:
    """
    Find the alignments of all pairs.

    Args:
        choices: See :class:`Preselection`, as ``fixed``, ``covered`` and ``contested``.
        starts: The matches at each word of the references, and the end of the last.
        offsets: Where each reference starts, and the end of the last.
        beam: How many paths are kept at each position.
        paths: Room for the paths at a position, and one more; and for their best branches.
        bits: Room for the contested words of the hypothesis that each path has used, 32 to a number; and for the next.
        order: Room for the order of branches, holding each number below its length once.
        trail: Room for steps, each a match and the step before: one for each kept path at each position.
        chosen: For each word of the references the match that starts there, all -1; written to.
    """
    here = paths[0]
    there = paths[1]
    for pair in range(len(contested)):
        opening = offsets[pair]
        width = (contested[pair] + 31) >> 5
        count: Whole = np.int64(1)
        steps: Whole = np.int64(0)
        for column in range(END + 1):
            here[0, column] = 0
        here[0, OPEN] = -1
        here[0, TRAIL] = -1
        for word in range(width):
            bits[0, 0, word] = 0
        for position in range(opening, offsets[pair + 1]):
            turn = (position - opening) & 1
            branches: Whole = np.int64(0)
            for path in range(count):
                inside = covered[position] | (here[path, END] > position - opening)
                if not inside:
                    for row in range(starts[position], starts[position + 1]):
                        first = choices[row, BIT]
                        end = first + choices[row, STOP] - choices[row, START]
                        if first >= 0 and is_free(bits[turn], path, first, end):
                            branch(here, path, there, order[branches])
                            take(there, order[branches], choices, row)
                            branches = rank(there, order, branches, beam)
                            here[path, DISTANCE] += choices[row, APART]
                slot = order[branches]
                branch(here, path, there, slot)
                if inside:
                    if fixed[position] >= 0:
                        take(there, slot, choices, fixed[position])
                elif there[slot, OPEN] >= 0:
                    there[slot, CHUNKS] += 1
                    there[slot, OPEN] = -1
                branches = rank(there, order, branches, beam)
            count = branches
            settle(there, count, choices, bits[turn], bits[1 - turn], width, order, trail, steps, here)
            steps += count
        best = np.int64(0)
        for path in range(count):
            here[path, CHUNKS] += np.int64(here[path, OPEN] >= 0)
            if before(here, path, best):
                best = np.int64(path)
        step = here[best, TRAIL]
        while step >= 0:
            chosen[opening + choices[trail[step, 0], PLACE]] = trail[step, 0]
            step = trail[step, 1]

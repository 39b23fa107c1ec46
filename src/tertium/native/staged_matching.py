"""
Match words of two texts stage by stage, each word at most once, compiled.

In each stage the words of the hypothesis are taken from the last to the first, and each takes the last word of the
reference that is still free and fits: METEOR's matching as NLTK does it. A stage takes time in proportion to the words.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Ids, Offsets
from tertium.native.kernels import kernel

Reals = NDArray[np.float64]
Longs = NDArray[np.int64]


@kernel
def match_equal(
    left: Ids,
    left_offsets: Offsets,
    right: Ids,
    right_offsets: Offsets,
    owners: Offsets,
    starts: Offsets,
    partners: Ids,
    taken: NDArray[np.uint8],
    last: Ids,
    previous: Ids,
) -> None:
    """
    Match free words that have the same key.

    Args:
        left: The keys of the hypotheses' words.
        left_offsets: Where each hypothesis starts, and the end of the last.
        right: The keys of the references' words.
        right_offsets: Where each reference starts.
        owners: The hypothesis of each reference.
        starts: Where the words of each reference's hypothesis start in ``partners``.
        partners: The position in its reference of what each word is matched with, -1 where it is free; written to.
        taken: For each word of the references, 1 where it is matched; written to.
        last: Room for each key, all -1, and so again afterwards.
        previous: Room for each word of the references.
    """
    for pair in range(len(owners)):
        first, end = left_offsets[owners[pair]], left_offsets[owners[pair] + 1]
        opening, closing = right_offsets[pair], right_offsets[pair + 1]
        for position in range(opening, closing):
            if taken[position] == 0:
                previous[position] = last[right[position]]
                last[right[position]] = position - opening
        for position in range(end - 1, first - 1, -1):
            place = starts[pair] + position - first
            if partners[place] < 0:
                found = last[left[position]]
                if found >= 0:
                    partners[place] = found
                    taken[opening + found] = 1
                    last[left[position]] = previous[opening + found]
        for position in range(opening, closing):
            last[right[position]] = -1


@kernel
def match_linked(
    left: Ids,
    left_offsets: Offsets,
    right: Ids,
    right_offsets: Offsets,
    owners: Offsets,
    starts: Offsets,
    edges: Offsets,
    links: Ids,
    partners: Ids,
    taken: NDArray[np.uint8],
    last: Ids,
    previous: Ids,
) -> None:
    """
    Match free words where the reference's key is the hypothesis' key, or among those linked to it.

    Args:
        edges: Key k is linked to ``links[edges[k]:edges[k + 1]]``.
        links: Keys.

    The other arguments are those of :func:`match_equal`.
    """
    for pair in range(len(owners)):
        first, end = left_offsets[owners[pair]], left_offsets[owners[pair] + 1]
        opening, closing = right_offsets[pair], right_offsets[pair + 1]
        for position in range(opening, closing):
            if taken[position] == 0:
                previous[position] = last[right[position]]
                last[right[position]] = position - opening
        for position in range(end - 1, first - 1, -1):
            place = starts[pair] + position - first
            if partners[place] < 0:
                found = np.int64(last[left[position]])
                for link in range(edges[left[position]], edges[left[position] + 1]):
                    found = max(found, np.int64(last[links[link]]))
                if found >= 0:
                    partners[place] = found
                    taken[opening + found] = 1
                    last[right[opening + found]] = previous[opening + found]
        for position in range(opening, closing):
            last[right[position]] = -1


@kernel
def mark_free(
    left: Ids, left_offsets: Offsets, owners: Offsets, starts: Offsets, partners: Ids, marks: NDArray[np.bool_]
) -> None:
    """
    Mark the keys of the hypotheses' words that are free beside any reference.

    Args:
        marks: One a key; written to.

    The other arguments are those of :func:`match_equal`.
    """
    for pair in range(len(owners)):
        first = left_offsets[owners[pair]]
        for place in range(starts[pair], starts[pair + 1]):
            if partners[place] < 0:
                marks[left[first + place - starts[pair]]] = True


@kernel
def count_matches(
    left_offsets: Offsets, right_offsets: Offsets, owners: Offsets, starts: Offsets, partners: Ids, counts: Longs
) -> None:
    """
    Count words, matches and chunks: runs of matches that are adjacent, in order, on both sides.

    Args:
        counts: For each reference: words of its hypothesis, its own words, matches, chunks; written to.
    """
    for pair in range(len(owners)):
        length = left_offsets[owners[pair] + 1] - left_offsets[owners[pair]]
        matches = np.int64(0)
        chunks = np.int64(0)
        wanted = np.int64(-1)  # what the next word would have to be matched with, to go on with the chunk
        for place in range(starts[pair], starts[pair] + length):
            partner = np.int64(partners[place])
            if partner < 0:
                wanted = np.int64(-1)
                continue
            matches += 1
            if partner != wanted:
                chunks += 1
            wanted = partner + 1
        counts[pair, 0] = length
        counts[pair, 1] = right_offsets[pair + 1] - right_offsets[pair]
        counts[pair, 2] = matches
        counts[pair, 3] = chunks


@kernel
def weigh(counts: Longs, alpha: float, beta: float, gamma: float, scores: Reals) -> None:
    """
    Weigh precision and recall into one value, lowered by fragmentation; 0 where nothing is matched.

    Every operation is done in the order of NLTK's formula, so that values are equal to the last bit.

    Args:
        counts: Rows of words of the hypothesis, words of the reference, matches, chunks.
        alpha: The weight of precision in the denominator of the mean.
        beta: The exponent of the fragmentation.
        gamma: The weight of the penalty.
        scores: Written to.
    """
    for row in range(len(counts)):
        matches = float(counts[row, 2])
        scores[row] = 0.0
        if matches == 0:
            continue
        precision = matches / float(counts[row, 0])
        recall = matches / float(counts[row, 1])
        mean = (precision * recall) / (alpha * precision + (1 - alpha) * recall)
        fragmentation = float(counts[row, 3]) / matches
        penalty = gamma * fragmentation**beta
        scores[row] = (1 - penalty) * mean

"""
Count what the formula of CMU Meteor 1.5 needs of an alignment.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tertium.metric import Matrix
from tertium.native.interning import Longs
from tertium.native.meteor_settings import COLUMNS
from tertium.native.phrase_matches import (
    HYPOTHESIS,
    HYPOTHESIS_WORDS,
    MODULE,
    REFERENCE,
    REFERENCE_WORDS,
    Matches,
    Pairs,
    spread,
)

Sides = tuple[NDArray[np.int64], NDArray[np.int64]]


def count_words(pairs: Pairs, matches: Matches, chosen: Longs, sizes: Sides, function: Sides) -> Matrix:
    """
    Count words, what is matched of them, and chunks.

    Args:
        chosen: For each word of the references the match that starts there, or -1.
        sizes: What each word of the hypotheses and of the references counts: 1, or its characters.
        function: Whether each is a function word, 1 or 0.

    Returns:
        A row of ``COLUMNS`` for each pair.
    """
    count, owners = len(pairs.owners), pairs.of_words
    counts = np.zeros((count, len(COLUMNS)))
    hypotheses = np.repeat(np.arange(len(pairs.left) - 1), np.diff(pairs.left))
    for column, weights in ((0, sizes), (2, (sizes[0] * function[0], sizes[1] * function[1]))):
        whole = np.bincount(hypotheses, weights[0], len(pairs.left) - 1)
        counts[:, column] = whole[pairs.owners]
        counts[:, column + 1] = np.bincount(owners, weights[1], count)
    places = np.flatnonzero(chosen >= 0)
    rows, pair = matches.rows[chosen[places]], owners[places]
    begin = pairs.left[pairs.owners[pair]] + rows[:, HYPOTHESIS], places
    cells = pair * len(COLUMNS) + 4 + 4 * rows[:, MODULE]
    for side, words in enumerate((rows[:, HYPOTHESIS_WORDS], rows[:, REFERENCE_WORDS])):
        match, word = spread(begin[side], words)
        at = cells[match] + side + 2 * function[side][word]
        counts += np.bincount(at, sizes[side][word], counts.size).reshape(counts.shape)
        counts[:, 21 + side] = np.bincount(pair, words, count)
    opened = np.ones(len(rows), np.bool_)
    ends = rows[:-1, HYPOTHESIS] + rows[:-1, HYPOTHESIS_WORDS], rows[:-1, REFERENCE] + rows[:-1, REFERENCE_WORDS]
    opened[1:] = (pair[1:] != pair[:-1]) | (rows[1:, HYPOTHESIS] != ends[0]) | (rows[1:, REFERENCE] != ends[1])
    counts[:, 20] = np.bincount(pair[opened], minlength=count)
    counts[:, 23], counts[:, 24] = np.diff(pairs.left)[pairs.owners], np.diff(pairs.right)
    return counts

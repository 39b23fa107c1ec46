"""
Count distinct n-grams: those of a hypothesis, of each of its references, and of both.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Ids, Offsets
from tertium.native.interning import Longs, find_pair, salt, table_size
from tertium.native.kernels import kernel
from tertium.native.lcs import longest


def distinct_grams(
    hypotheses: Ids,
    hypothesis_offsets: Offsets,
    references: Ids,
    reference_offsets: Offsets,
    bounds: Offsets,
    order: int,
) -> NDArray[np.int64]:
    """
    Count the distinct n-grams of one order that every reference and its case's hypothesis hold.

    Args:
        hypotheses: Token ids of all hypotheses, at least 0.
        hypothesis_offsets: Where each hypothesis starts, and the end of the last.
        references: Token ids of all references.
        reference_offsets: Where each reference starts, and the end of the last.
        bounds: Case i owns the references ``bounds[i]:bounds[i + 1]``.
        order: Tokens an n-gram.

    Returns:
        int64 of shape (references, 3): n-grams in both, in the hypothesis, in the reference.
    """
    counts = np.zeros((len(reference_offsets) - 1, 3), np.int64)
    most = longest(hypothesis_offsets) + longest(reference_offsets)
    count_distinct(
        hypotheses,
        hypothesis_offsets,
        references,
        reference_offsets,
        np.array(bounds, np.int64),
        order,
        np.empty((3, most), np.int64),
        np.empty(table_size(most), np.int64),
        salt(),
        counts,
    )
    return counts


@kernel
def count_distinct(
    hypotheses: Ids,
    hypothesis_offsets: Offsets,
    references: Ids,
    reference_offsets: Offsets,
    bounds: Offsets,
    order: int,
    work: NDArray[np.int64],
    table: Longs,
    salt: Longs,
    counts: NDArray[np.int64],
) -> None:
    """
    Do the work of :func:`distinct_grams`: the reference stands before the hypothesis in one table of n-grams.

    Args:
        work: Room for three numbers a token of the longest reference and the longest hypothesis.
        table: Room for a table of as many n-grams.
        salt: See ``interning.salt``.
        counts: Zeros; written to.
    """
    grams = work[0]  # by position: the shorter n-gram that starts there
    keys = work[1]  # by n-gram: what it is made of
    sides = work[2]  # by n-gram: 1 in the reference, 2 in the hypothesis, 3 in both
    for case in range(len(hypothesis_offsets) - 1):
        peer = hypotheses[hypothesis_offsets[case] : hypothesis_offsets[case + 1]]
        for reference in range(bounds[case], bounds[case + 1]):
            model = references[reference_offsets[reference] : reference_offsets[reference + 1]]
            slots = table[: table_size(len(model) + len(peer))]
            for position in range(len(model) + len(peer)):
                grams[position] = 0
            known = 0
            for length in range(1, order + 1):
                for free in range(len(slots)):
                    slots[free] = -1
                known = 0
                for side in range(1, 3):
                    tokens = model if side == 1 else peer
                    begin = 0 if side == 1 else len(model)
                    for position in range(len(tokens) - length + 1):
                        token = np.int64(tokens[position + length - 1])
                        slot = find_pair(slots, keys, grams[begin + position], token, salt)
                        gram = slots[slot]
                        if gram < 0:
                            gram = known
                            slots[slot] = gram
                            keys[gram] = grams[begin + position] << 32 | token
                            sides[gram] = 0
                            known += 1
                        sides[gram] |= side
                        grams[begin + position] = gram
            for gram in range(known):
                if sides[gram] == 3:
                    counts[reference, 0] += 1
                if sides[gram] & 2:
                    counts[reference, 1] += 1
                if sides[gram] & 1:
                    counts[reference, 2] += 1

"""
Count n-grams exactly.

An n-gram of order n is the pair of an (n-1)-gram and a token. Each pair gets an id from a table of the case, so equal
ids mean equal n-grams; no n-gram is ever written out, and a table holds one order of one case at a time.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Ids, Offsets, TokenColumn
from tertium.native.interning import Longs, find_pair, salt, table_size
from tertium.native.kernels import kernel

CLOSEST, FIRST_CLOSEST, SHORTEST, LONGEST, MEAN = range(5)


def clipped_matches(hypotheses: TokenColumn, references: TokenColumn, bounds: Offsets, max_order: int) -> Longs:
    """
    Count the n-grams of each hypothesis that its references hold, each at most as often as in one of them.

    The maximum over references is taken for each n-gram by itself (Papineni et al. 2002, section 2.1).

    Args:
        hypotheses: One row a case; its vocabulary extends the references', or the other way round.
        references: The references of all cases.
        bounds: Case i owns the references ``bounds[i]:bounds[i + 1]``.
        max_order: The longest n-gram.

    Returns:
        int64 of shape (cases, max_order): matches of the orders 1 to ``max_order``.
    """
    matches = np.zeros((len(hypotheses), max_order), np.int64)
    # where each case's references start among the tokens of all
    edges = references.offsets[bounds]
    longest = int(np.diff(edges).max(initial=0))
    count_matches(
        hypotheses.ids,
        hypotheses.offsets,
        references.ids,
        references.offsets,
        np.array(bounds, np.int64),
        np.empty(int(hypotheses.lengths.max(initial=0)), np.int64),
        np.empty((5, longest), np.int64),
        np.empty(table_size(longest), np.int64),
        salt(),
        matches,
    )
    return matches


def reference_lengths(hypothesis_lengths: Longs, lengths: Longs, bounds: Offsets, rule: int) -> NDArray[np.float64]:
    """
    Choose the length of a case's references that its hypothesis is held against.

    Args:
        hypothesis_lengths: For each case, in tokens.
        lengths: For each reference, in tokens.
        bounds: Case i owns the references ``bounds[i]:bounds[i + 1]``.
        rule: CLOSEST (the shorter on a tie), FIRST_CLOSEST (the first listed on a tie), SHORTEST, LONGEST or MEAN.

    Returns:
        float64, one a case; 0 for a case without references.
    """
    chosen = np.zeros(len(hypothesis_lengths), np.float64)
    choose_lengths(hypothesis_lengths, lengths, np.array(bounds, np.int64), rule, chosen)
    return chosen


@kernel
def count_matches(
    hypotheses: Ids,
    hypothesis_offsets: Offsets,
    references: Ids,
    reference_offsets: Offsets,
    bounds: Offsets,
    hypothesis_grams: Longs,
    by_reference: NDArray[np.int64],
    table: Longs,
    salt: Longs,
    matches: NDArray[np.int64],
) -> None:
    """
    Do the work of :func:`clipped_matches`.

    Args:
        hypotheses: Token ids of all hypotheses.
        hypothesis_offsets: Where each hypothesis starts, and the end of the last.
        references: Token ids of all references.
        reference_offsets: Where each reference starts, and the end of the last.
        bounds: Case i owns the references ``bounds[i]:bounds[i + 1]``.
        hypothesis_grams: Room for the longest hypothesis.
        by_reference: Room for five numbers a token of the case with the most reference tokens.
        table: Room for a table of as many n-grams.
        salt: See ``interning.salt``.
        matches: Zeros of shape (cases, orders); written to.
    """
    grams = by_reference[0]  # by position: the id of the shorter n-gram that starts there
    keys = by_reference[1]  # by id: the n-gram as a pair
    allowed = by_reference[2]  # by id: how often it stands in the reference that has the most of it
    counted = by_reference[3]  # by id: how often it was seen in the reference in hand
    seen_in = by_reference[4]  # by id: which reference that is
    for case in range(len(hypothesis_offsets) - 1):
        first = reference_offsets[bounds[case]]
        tokens = reference_offsets[bounds[case + 1]] - first
        start = hypothesis_offsets[case]
        length = hypothesis_offsets[case + 1] - start
        for position in range(tokens):
            grams[position] = 0
        for position in range(length):
            hypothesis_grams[position] = 0
        slots = table[: table_size(tokens)]
        for order in range(1, min(matches.shape[1], length) + 1):
            for free in range(len(slots)):
                slots[free] = -1
            known = 0
            for reference in range(bounds[case], bounds[case + 1]):
                begin = reference_offsets[reference] - first
                for position in range(begin, reference_offsets[reference + 1] - first - order + 1):
                    token = np.int64(references[first + position + order - 1])
                    slot = find_pair(slots, keys, grams[position], token, salt)
                    gram = slots[slot]
                    if gram < 0:
                        gram = known
                        slots[slot] = gram
                        keys[gram] = grams[position] << 32 | token
                        allowed[gram] = 0
                        seen_in[gram] = -1
                        known += 1
                    if seen_in[gram] != reference:
                        seen_in[gram] = reference
                        counted[gram] = 0
                    counted[gram] += 1
                    if counted[gram] > allowed[gram]:
                        allowed[gram] = counted[gram]
                    grams[position] = gram
            found = 0
            for position in range(length - order + 1):
                if hypothesis_grams[position] >= 0:
                    token = np.int64(hypotheses[start + position + order - 1])
                    gram = slots[find_pair(slots, keys, hypothesis_grams[position], token, salt)]
                    hypothesis_grams[position] = gram
                    if gram >= 0 and allowed[gram] > 0:
                        allowed[gram] -= 1
                        found += 1
            if found == 0:
                break
            matches[case, order - 1] = found


@kernel
def choose_lengths(
    hypothesis_lengths: Longs, lengths: Longs, bounds: Offsets, rule: int, chosen: NDArray[np.float64]
) -> None:
    """
    Do the work of :func:`reference_lengths`; ``chosen`` is written to.
    """
    for case in range(len(hypothesis_lengths)):
        first = bounds[case]
        last = bounds[case + 1]
        if first == last:
            continue
        target = hypothesis_lengths[case]
        best = lengths[first]
        total = best
        for reference in range(first + 1, last):
            length = lengths[reference]
            total += length
            if rule == SHORTEST:
                better = length < best
            elif rule == LONGEST:
                better = length > best
            else:
                gain = abs(best - target) - abs(length - target)
                better = gain > 0 or (gain == 0 and rule == CLOSEST and length < best)
            if better:
                best = length
        chosen[case] = total / (last - first) if rule == MEAN else best

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
    longest = int(hypotheses.lengths.max(initial=0))
    most = int(np.diff(references.offsets[bounds]).max(initial=0))
    count_matches(
        hypotheses.ids,
        hypotheses.offsets,
        references.ids,
        references.offsets,
        np.array(bounds, np.int64),
        np.empty((7, longest + 1), np.int64),
        np.empty((3, most + 1), np.int64),
        np.full(max(len(hypotheses.vocabulary), len(references.vocabulary)), -1, np.int64),
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
    by_hypothesis: NDArray[np.int64],
    by_reference: NDArray[np.int64],
    tokens: Longs,
    table: Longs,
    salt: Longs,
    matches: NDArray[np.int64],
) -> None:
    """
    Do the work of :func:`clipped_matches`.

    The table holds the hypothesis' n-grams of one order; the references only look theirs up. What matched is kept as
    a list of positions on either side, and only where two neighbours are in it can a longer n-gram match. For single
    tokens a plain array by token id does for a table: numbers go on counting from case to case, so that it need not
    be cleared.

    Args:
        hypotheses: Token ids of all hypotheses.
        hypothesis_offsets: Where each hypothesis starts, and the end of the last.
        references: Token ids of all references.
        reference_offsets: Where each reference starts, and the end of the last.
        bounds: Case i owns the references ``bounds[i]:bounds[i + 1]``.
        by_hypothesis: Room for seven numbers a token of the longest hypothesis, and one more.
        by_reference: Room for three numbers a token of the case that has the most in its references, and one more.
        tokens: For each token of the vocabulary -1; written to.
        table: Room for a table of as many n-grams as the longest hypothesis has tokens.
        salt: See ``interning.salt``.
        matches: Zeros of shape (cases, orders); written to.
    """
    places = by_hypothesis[0]  # the positions at which an n-gram starts that matched
    grams = by_hypothesis[1]  # its id
    keys = by_hypothesis[2]  # by id: the n-gram as a pair
    wanted = by_hypothesis[3]  # by id: how often it stands in the hypothesis
    allowed = by_hypothesis[4]  # by id: how often it stands in the reference that has the most of it
    counted = by_hypothesis[5]  # by id: how often it was seen in the reference in hand
    seen_in = by_hypothesis[6]  # by id: which reference that is
    reference_places = by_reference[0]
    reference_grams = by_reference[1]
    owners = by_reference[2]  # the reference that holds the n-gram
    base = 0  # where the numbers of this case's tokens start
    for case in range(len(hypothesis_offsets) - 1):
        start = hypothesis_offsets[case]
        length = hypothesis_offsets[case + 1] - start
        known = 0
        for position in range(length):
            token = hypotheses[start + position]
            gram = tokens[token] - base
            if gram < 0:
                gram = known
                tokens[token] = base + gram
                wanted[gram] = 0
                allowed[gram] = 0
                seen_in[gram] = -1
                known += 1
            wanted[gram] += 1
            places[position] = position
            grams[position] = gram
        held = length
        reference_held = 0
        for reference in range(bounds[case], bounds[case + 1]):
            for position in range(reference_offsets[reference], reference_offsets[reference + 1]):
                gram = tokens[references[position]] - base
                reference_places[reference_held] = position
                reference_grams[reference_held] = gram
                owners[reference_held] = reference
                if gram >= 0:
                    reference_held += 1
        base += known
        slots = table[: table_size(length)]
        for order in range(1, matches.shape[1] + 1):
            if order > 1:
                for free in range(len(slots)):
                    slots[free] = -1
                known = 0
                pairs = 0
                for place in range(held - 1):
                    position = places[place]
                    if places[place + 1] == position + 1:
                        before = grams[place]
                        token = hypotheses[start + position + order - 1]
                        slot = find_pair(slots, keys, before, token, salt)
                        gram = slots[slot]
                        if gram < 0:
                            gram = known
                            slots[slot] = gram
                            keys[gram] = before << 32 | np.int64(token)
                            wanted[gram] = 0
                            allowed[gram] = 0
                            seen_in[gram] = -1
                            known += 1
                        wanted[gram] += 1
                        places[pairs] = position
                        grams[pairs] = gram
                        pairs += 1
                held = pairs
                if known == 0:
                    break
                pairs = 0
                for place in range(reference_held - 1):
                    position = reference_places[place]
                    owner = owners[place]
                    if reference_places[place + 1] == position + 1 and owners[place + 1] == owner:
                        token = references[position + order - 1]
                        reference_places[pairs] = position
                        reference_grams[pairs] = slots[find_pair(slots, keys, reference_grams[place], token, salt)]
                        owners[pairs] = owner
                        pairs += reference_grams[pairs] >= 0
                reference_held = pairs
            for place in range(reference_held):
                gram = reference_grams[place]
                if seen_in[gram] != owners[place]:
                    seen_in[gram] = owners[place]
                    counted[gram] = 0
                counted[gram] += 1
                if counted[gram] > allowed[gram]:
                    allowed[gram] = counted[gram]
            found = 0
            for gram in range(known):
                found += min(wanted[gram], allowed[gram])
            if found == 0:
                break
            matches[case, order - 1] = found
            kept = 0
            for place in range(held):
                places[kept] = places[place]
                grams[kept] = grams[place]
                kept += allowed[grams[place]] > 0
            held = kept


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

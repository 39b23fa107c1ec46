"""
Count the skip-bigrams that two sequences share: pairs of tokens in order, with others in between.

Pairs are taken up one first token at a time, so that counts of second tokens are all that is kept: time grows with the
number of pairs, memory with the number of tokens.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Ids, Offsets
from tertium.native.interning import Longs
from tertium.native.kernels import kernel
from tertium.native.lcs import longest, vocabulary_size

UNLIMITED = 1 << 40


def skip_bigram_count(lengths: Longs, gap: int) -> Longs:
    """
    Count the skip-bigrams of sequences.

    Args:
        lengths: In tokens.
        gap: The most tokens that may stand in between.
    """
    reach = np.minimum(gap + 1, np.maximum(lengths - 1, 0))
    return np.asarray(reach * (lengths - reach) + reach * (reach - 1) // 2, np.int64)


def skip_bigram_matches(
    hypotheses: Ids,
    hypothesis_offsets: Offsets,
    references: Ids,
    reference_offsets: Offsets,
    bounds: Offsets,
    gap: int,
    hypothesis_units: Longs,
    reference_units: Longs,
) -> Longs:
    """
    Count, for every reference, the skip-bigrams that it shares with its case's hypothesis, with multiplicity.

    Args:
        hypotheses: Token ids of all hypotheses, at least 0.
        hypothesis_offsets: Where each hypothesis starts, and the end of the last.
        references: Token ids of all references.
        reference_offsets: Where each reference starts, and the end of the last.
        bounds: Case i owns the references ``bounds[i]:bounds[i + 1]``.
        gap: The most tokens that may stand in between.
        hypothesis_units: How many of each hypothesis's first tokens count as units of their own, too.
        reference_units: How many of each reference's first tokens do.

    Returns:
        int64, one a reference: the sum over pairs, and over those single tokens, of the smaller of their two counts.
    """
    matches = np.zeros(len(reference_offsets) - 1, np.int64)
    count_skips(
        hypotheses,
        hypothesis_offsets,
        references,
        reference_offsets,
        np.array(bounds, np.int64),
        gap,
        np.array(hypothesis_units, np.int64),
        np.array(reference_units, np.int64),
        np.zeros((3, vocabulary_size(hypotheses, references)), np.int64),
        np.empty(longest(hypothesis_offsets), np.int64),
        np.empty(longest(reference_offsets), np.int64),
        matches,
    )
    return matches


@kernel
def chain(sequence: Ids, heads: Longs, following: Longs) -> None:
    """
    Link the positions of each token: ``heads`` has one more than the first, ``following`` one more than the next.
    """
    for position in range(len(sequence) - 1, -1, -1):
        following[position] = heads[sequence[position]]
        heads[sequence[position]] = position + 1


@kernel
def count_skips(
    hypotheses: Ids,
    hypothesis_offsets: Offsets,
    references: Ids,
    reference_offsets: Offsets,
    bounds: Offsets,
    gap: int,
    hypothesis_units: Longs,
    reference_units: Longs,
    by_id: NDArray[np.int64],
    hypothesis_next: Longs,
    reference_next: Longs,
    matches: Longs,
) -> None:
    """
    Do the work of :func:`skip_bigram_matches`.

    Args:
        by_id: Zeros, three for each id.
        hypothesis_next: Room for the longest hypothesis.
        reference_next: Room for the longest reference.
    """
    left = by_id[0]
    heads = by_id[1]
    heads_here = by_id[2]
    for case in range(len(hypothesis_offsets) - 1):
        peer = hypotheses[hypothesis_offsets[case] : hypothesis_offsets[case + 1]]
        chain(peer, heads, hypothesis_next)
        for reference in range(bounds[case], bounds[case + 1]):
            model = references[reference_offsets[reference] : reference_offsets[reference + 1]]
            chain(model, heads_here, reference_next)
            found = 0
            for position in range(reference_units[reference]):
                left[model[position]] += 1
            for position in range(hypothesis_units[case]):
                if left[peer[position]] > 0:
                    left[peer[position]] -= 1
                    found += 1
            for position in range(reference_units[reference]):
                left[model[position]] = 0
            for start in range(len(model)):
                token = model[start]
                if heads_here[token] != start + 1 or heads[token] == 0:
                    continue
                first = start
                while first >= 0:
                    for second in range(first + 1, min(first + gap + 2, len(model))):
                        left[model[second]] += 1
                    first = reference_next[first] - 1
                first = heads[token] - 1
                while first >= 0:
                    for second in range(first + 1, min(first + gap + 2, len(peer))):
                        if left[peer[second]] > 0:
                            left[peer[second]] -= 1
                            found += 1
                    first = hypothesis_next[first] - 1
                first = start
                while first >= 0:
                    for second in range(first + 1, min(first + gap + 2, len(model))):
                        left[model[second]] = 0
                    first = reference_next[first] - 1
            matches[reference] = found
            for position in range(len(model)):
                heads_here[model[position]] = 0
        for position in range(len(peer)):
            heads[peer[position]] = 0

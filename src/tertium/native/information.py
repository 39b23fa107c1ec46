"""
Add up the information of the n-grams that hypotheses share with their references.

Matches are found within a case, in small tables. Only what matches is looked up in the counts of the corpus, and since
the beginning of a match is a match, each lookup goes on from that of the n-gram one token shorter.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Ids, Offsets, TokenColumn
from tertium.native.frequencies import Counts, corpus_words
from tertium.native.interning import Longs, Whole, find_pair, salt, table_size
from tertium.native.kernels import kernel

LOW_32 = 0xFFFFFFFF
UNKNOWN = -2
"""The number in the corpus of an n-gram that has not been looked up."""
Reals = NDArray[np.float64]


def shared_information(
    hypotheses: TokenColumn, references: TokenColumn, bounds: Offsets, corpus: Counts, zero: int
) -> tuple[Reals, Reals]:
    """
    Sum, order by order, the information of shared n-grams: log2 of their beginning's count over their own.

    Args:
        hypotheses: One row a case; its vocabulary extends the references'.
        references: The references of all cases.
        bounds: Case i owns the references ``bounds[i]:bounds[i + 1]``.
        corpus: Merged counts; they say how many orders there are.
        zero: The number in the corpus of the word after which a bigram is weighed like a single word, or -1.

    Returns:
        Of shape (references, orders), what each reference shares with its hypothesis; and of shape (cases, orders), the
        same with each n-gram counted as often as in the reference that has the most of it.
    """
    orders = len(corpus.keys)
    best, pooled = np.zeros((len(references), orders)), np.zeros((len(hypotheses), orders))
    most = int(hypotheses.lengths.max(initial=0))
    longest = int(np.diff(references.offsets[bounds]).max(initial=0))
    tables, table_edges, keys, counts, edges = corpus.flat
    add_information(
        hypotheses.ids,
        hypotheses.offsets,
        references.ids,
        references.offsets,
        np.array(bounds, np.int64),
        corpus_words(corpus, hypotheses.vocabulary),
        tables,
        table_edges,
        keys,
        counts,
        edges,
        float(corpus.counts[0].sum()),
        zero,
        np.empty((8, most), np.int64),
        np.empty(most),
        np.empty(longest, np.int64),
        np.full(len(hypotheses.vocabulary), -1, np.int64),
        np.empty(int(table_size(most)), np.int64),
        salt(),
        best,
        pooled,
    )
    return best, pooled


@kernel
def look_up_corpus(
    tables: Longs, table_edges: Longs, keys: Longs, edges: Longs, order: int, first: Whole, word: Whole, salt: Longs
) -> Whole:
    """
    Find an n-gram among those of the corpus, or give -1.

    Args:
        order: How many words it has, less one.
        first: The number in the corpus of what it is without its last word, or -1.
        word: That of its last word, or -1.
    """
    if first < 0 or word < 0:
        return np.int64(-1)
    begin = table_edges[order]
    slot = find_pair(tables[begin : table_edges[order + 1]], keys[edges[order] : edges[order + 1]], first, word, salt)
    found: Whole = tables[begin + slot]
    return found


@kernel
def add_information(
    hypotheses: Ids,
    hypothesis_offsets: Offsets,
    references: Ids,
    reference_offsets: Offsets,
    bounds: Offsets,
    words: Longs,
    corpus_tables: Longs,
    table_edges: Longs,
    corpus_keys: Longs,
    corpus_counts: Longs,
    edges: Longs,
    total: float,
    zero: int,
    by_hypothesis: NDArray[np.int64],
    weights: Reals,
    others: Longs,
    numbers: Longs,
    table: Longs,
    salt: Longs,
    best: Reals,
    pooled: Reals,
) -> None:
    """
    Do the work of :func:`shared_information`.

    The table holds the hypothesis' n-grams of one order, and the references only look theirs up. What did not match is
    -1 from then on, and no longer n-gram that holds it is looked at again.

    Args:
        words: By token, its number in the corpus or -1.
        corpus_tables: The corpus' tables of all orders, parted at ``table_edges``.
        corpus_keys: Its n-grams, and in ``corpus_counts`` their counts, parted at ``edges``.
        total: How many words the corpus has.
        by_hypothesis: Room for eight numbers a token of the longest hypothesis.
        weights: Room for a number a token.
        others: Room for the tokens of the case that has the most in its references.
        numbers: For each token -1; left so.
        table: Room for a table of the longest hypothesis.
        best: Zeros; written to.
        pooled: Zeros; written to.
    """
    grams = by_hypothesis[0]  # by position: the n-gram that starts there
    keys = by_hypothesis[1]  # by n-gram: what it is made of
    mine = by_hypothesis[2]  # how often the hypothesis has it
    theirs = by_hypothesis[3]  # the reference that was last seen to have it
    seen_in = by_hypothesis[4]  # which that is
    highest = by_hypothesis[5]  # how many of it match in the reference that has the most
    known = by_hypothesis[6]  # its number in the corpus
    shorter = by_hypothesis[7]  # by n-gram of the order before: its number in the corpus
    for case in range(len(hypothesis_offsets) - 1):
        text = hypotheses[hypothesis_offsets[case] : hypothesis_offsets[case + 1]]
        length = len(text)
        base = reference_offsets[bounds[case]]
        slots = table[: table_size(length)]
        for order in range(min(best.shape[1], length)):
            count = 0
            if order > 0:
                for free in range(len(slots)):
                    slots[free] = -1
            for position in range(length - order):
                token = np.int64(text[position + order])
                if order == 0:
                    first = token
                    gram = numbers[token]
                    slot: Whole = np.int64(0)
                elif grams[position] < 0 or grams[position + 1] < 0:
                    grams[position] = -1
                    continue
                else:
                    first = grams[position]
                    slot = find_pair(slots, keys, first, token, salt)
                    gram = slots[slot]
                if gram < 0:
                    gram = np.int64(count)
                    if order == 0:
                        numbers[token] = gram
                    else:
                        slots[slot] = gram
                    keys[gram] = first << 32 | token
                    mine[gram] = 0
                    highest[gram] = 0
                    seen_in[gram] = -1
                    known[gram] = UNKNOWN
                    count += 1
                mine[gram] += 1
                grams[position] = gram
            found = 0
            for reference in range(bounds[case], bounds[case + 1]):
                start = reference_offsets[reference] - base
                end = reference_offsets[reference + 1] - base
                for position in range(start, end - order):
                    token = np.int64(references[base + position + order])
                    if order == 0:
                        gram = numbers[token]
                    elif others[position] < 0 or others[position + 1] < 0:
                        others[position] = -1
                        continue
                    else:
                        gram = slots[find_pair(slots, keys, others[position], token, salt)]
                    others[position] = gram
                    if gram < 0:
                        continue
                    if seen_in[gram] != reference:
                        seen_in[gram] = reference
                        theirs[gram] = 0
                    theirs[gram] += 1
                    if theirs[gram] > mine[gram]:
                        continue
                    found += 1
                    if known[gram] == UNKNOWN:
                        word = words[keys[gram] & LOW_32]
                        before = total
                        if order == 0:
                            known[gram] = word
                        else:
                            beginning = shorter[keys[gram] >> 32]
                            known[gram] = look_up_corpus(
                                corpus_tables, table_edges, corpus_keys, edges, order, beginning, word, salt
                            )
                            if beginning >= 0 and (order > 1 or beginning != zero):
                                before = float(corpus_counts[edges[order - 1] + beginning])
                        weights[gram] = 0.0
                        if known[gram] >= 0:
                            weights[gram] = np.log2(before / corpus_counts[edges[order] + known[gram]])
                    best[reference, order] += weights[gram]
                    highest[gram] = max(highest[gram], theirs[gram])
            for gram in range(count):
                shorter[gram] = known[gram]
                if highest[gram] > 0:
                    pooled[case, order] += highest[gram] * weights[gram]
            for position in range(length - order):
                if grams[position] >= 0 and highest[grams[position]] == 0:
                    grams[position] = -1
            if order == 0:
                for position in range(length):
                    numbers[text[position]] = -1
            if found == 0:
                break

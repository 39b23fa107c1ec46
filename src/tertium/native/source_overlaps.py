"""
Count what a hypothesis shares with its reference, and with those n-grams of its source that the reference lacks.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Ids, Offsets, TokenColumn
from tertium.native.interning import Longs, find_pair, salt, table_size
from tertium.native.kernels import inner_kernel, kernel


def rewarded_matches(
    hypotheses: TokenColumn, sources: TokenColumn, references: TokenColumn, bounds: Offsets, orders: int
) -> Longs:
    """
    Count matches with the reference minus matches with what only the source has, at least 0.

    A source n-gram that stands in the reference at all is left out, however often the source repeats it.

    Args:
        hypotheses: One row a case.
        sources: One row a case.
        references: The references of all cases; the vocabularies extend one another.
        bounds: Case i owns the references ``bounds[i]:bounds[i + 1]``.
        orders: The longest n-gram.

    Returns:
        int64 of shape (references, orders).
    """
    matches = np.zeros((len(references), orders), np.int64)
    most = int(hypotheses.lengths.max(initial=0))
    longest = max(int(sources.lengths.max(initial=0)), int(references.lengths.max(initial=0)))
    words = max(len(column.vocabulary) for column in (hypotheses, sources, references))
    count_rewarded(
        hypotheses.ids,
        hypotheses.offsets,
        sources.ids,
        sources.offsets,
        references.ids,
        references.offsets,
        np.array(bounds, np.int64),
        np.empty((4, orders, most + 1), np.int64),
        np.empty(most + 1, np.int64),
        np.empty(longest + 1, np.int64),
        np.full(words, -1, np.int64),
        np.empty((orders, int(table_size(most))), np.int64),
        salt(),
        matches,
    )
    return matches


@inner_kernel
def look_up(
    tokens: Ids,
    orders: int,
    numbers: Longs,
    tables: NDArray[np.int64],
    size: int,
    keys: NDArray[np.int64],
    salt: Longs,
    grams: Longs,
    counts: NDArray[np.int64],
) -> None:
    """
    Count, order by order, the n-grams of a hypothesis in another text; ``counts`` is added to.

    Args:
        tokens: The text.
        numbers: For each token its number among the hypothesis' words, or -1.
        tables: The hypothesis' table of each order, ``size`` long.
        keys: Its n-grams of each order.
        grams: Room for a number a token.
    """
    length = len(tokens)
    for position in range(length):
        grams[position] = numbers[tokens[position]]
        if grams[position] >= 0:
            counts[0, grams[position]] += 1
    for order in range(1, orders):
        for position in range(length - order):
            if grams[position] >= 0:
                found = tables[
                    order, find_pair(tables[order, :size], keys[order], grams[position], tokens[position + order], salt)
                ]
                grams[position] = found
                if found >= 0:
                    counts[order, found] += 1


@kernel
def count_rewarded(
    hypotheses: Ids,
    hypothesis_offsets: Offsets,
    sources: Ids,
    source_offsets: Offsets,
    references: Ids,
    reference_offsets: Offsets,
    bounds: Offsets,
    by_gram: NDArray[np.int64],
    grams: Longs,
    others: Longs,
    numbers: Longs,
    tables: NDArray[np.int64],
    salt: Longs,
    matches: NDArray[np.int64],
) -> None:
    """
    Do the work of :func:`rewarded_matches`: the tables hold the hypothesis' n-grams, the others only look theirs up.

    Args:
        by_gram: Room for four numbers an n-gram of each order.
        grams: Room for a number a token of the longest hypothesis.
        others: The same for sources and references.
        numbers: For each token -1; left so.
        tables: Room for a table of the longest hypothesis, for each order.
        matches: Zeros of shape (references, orders); written to.
    """
    keys = by_gram[0]  # what an n-gram is made of
    mine = by_gram[1]  # how often the hypothesis has it
    sourced = by_gram[2]  # the source
    wanted = by_gram[3]  # the reference in hand
    for case in range(len(hypothesis_offsets) - 1):
        words = hypotheses[hypothesis_offsets[case] : hypothesis_offsets[case + 1]]
        length = len(words)
        orders = min(matches.shape[1], length)
        size = int(table_size(length))
        for order in range(orders):
            for free in range(size):
                tables[order, free] = -1
            known = 0
            for position in range(length - order):
                first = np.int64(0) if order == 0 else grams[position]
                token = np.int64(words[position + order])
                slot = find_pair(tables[order, :size], keys[order], first, token, salt)
                gram = tables[order, slot]
                if gram < 0:
                    gram = known
                    tables[order, slot] = gram
                    keys[order, gram] = first << 32 | token
                    mine[order, gram] = 0
                    sourced[order, gram] = 0
                    if order == 0:
                        numbers[token] = gram
                    known += 1
                mine[order, gram] += 1
                grams[position] = gram
            keys[order, known] = -1  # marks the end
        source = sources[source_offsets[case] : source_offsets[case + 1]]
        look_up(source, orders, numbers, tables, size, keys, salt, others, sourced)
        for reference in range(bounds[case], bounds[case + 1]):
            for order in range(orders):
                gram = 0
                while keys[order, gram] >= 0:
                    wanted[order, gram] = 0
                    gram += 1
            model = references[reference_offsets[reference] : reference_offsets[reference + 1]]
            look_up(model, orders, numbers, tables, size, keys, salt, others, wanted)
            for order in range(orders):
                total = 0
                gram = 0
                while keys[order, gram] >= 0:
                    if wanted[order, gram] > 0:
                        total += min(mine[order, gram], wanted[order, gram])
                    else:
                        total -= min(mine[order, gram], sourced[order, gram])
                    gram += 1
                matches[reference, order] = max(total, 0)
        for position in range(length):
            numbers[words[position]] = -1

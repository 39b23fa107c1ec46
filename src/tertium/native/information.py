"""
Add up the information of the n-grams that hypotheses share with their references.

Matches are found within a case, in small tables: what is found is where in the references a matching n-gram starts.
Only those are looked up in the counts of the corpus, and since the beginning of a match is a match, each look-up goes on
from that of the n-gram one token shorter.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Ids, Offsets, TokenColumn
from tertium.native.frequencies import Counts, corpus_words
from tertium.native.interning import Longs, Whole, find_pair, salt, table_size
from tertium.native.kernels import kernel, unsigned

SHARED, IN_REFERENCE, IN_CASE = 1, 2, 3
"""
An n-gram stands in the hypothesis, too; counts for its reference, where the hypothesis has as many; and counts for its
case, where no reference before has as many.
"""
Reals = NDArray[np.float64]


def shared_information(
    hypotheses: TokenColumn, references: TokenColumn, bounds: Offsets, corpus: Counts, zero: int, compared: bool
) -> tuple[Reals, Reals]:
    """
    Sum, order by order, the information of shared n-grams: log2 of their beginning's count over their own.

    Args:
        hypotheses: One row a case, numbered by the references' vocabulary; the number after its largest is any other token.
        references: The references of all cases.
        bounds: Case i owns the references ``bounds[i]:bounds[i + 1]``.
        corpus: Merged counts; they say how many orders there are.
        zero: The number in the corpus of the word after which a bigram is weighed like a single word, or -1.
        compared: Whether the sums of a case's references are compared: then each is added up in the order of the
            hypothesis, as NLTK does, so that references with the same n-grams have the same sum to the last bit.

    Returns:
        Of shape (references, orders), what each reference shares with its hypothesis; and of shape (cases, orders), the
        same with each n-gram counted as often as in the reference that has the most of it.
    """
    marks = shared_places(hypotheses, references, bounds, len(corpus.keys))
    best = np.empty((len(references), len(marks)))
    pooled = np.empty((len(hypotheses), len(marks)))
    tokens = corpus_words(corpus, references.vocabulary)
    owner = np.repeat(np.arange(len(references)), references.lengths)
    case = np.repeat(np.arange(len(hypotheses)), np.diff(bounds))
    several = len(references) > len(hypotheses)
    total = float(corpus.counts[0].sum())
    numbers = np.empty(len(owner), np.int64)  # by place: the corpus' number of the n-gram that starts there, or -1
    firsts = first_places(hypotheses, corpus, tokens) if compared and several else None
    for order, marked in enumerate(marks):
        at = np.flatnonzero(marked > 0)
        weights = np.empty(len(at))
        weigh_places(
            at,
            references.ids,
            order,
            tokens,
            numbers,
            corpus.tables[order],
            corpus.keys[order],
            corpus.counts[max(order - 1, 0)],
            corpus.counts[order],
            total,
            zero,
            salt(),
            weights,
        )
        rows, level = owner[at], marked[at]
        if firsts is None:
            best[:, order] = np.bincount(rows, weights * (level >= IN_REFERENCE), len(best))
        else:
            mine = (level >= IN_REFERENCE) & (numbers[at] >= 0)
            keys, places = firsts[order]
            found = places[np.searchsorted(keys, case[rows[mine]] << 32 | numbers[at[mine]])]
            both, once, times = np.unique(
                rows[mine] * len(hypotheses.ids) + found, return_index=True, return_counts=True
            )
            best[:, order] = np.bincount(both // len(hypotheses.ids), weights[mine][once] * times, len(best))
        if several:
            pooled[:, order] = np.bincount(case[rows], weights * (level >= IN_CASE), len(pooled))
        else:
            pooled[:, order] = best[:, order]
    return best, pooled


def first_places(hypotheses: TokenColumn, corpus: Counts, tokens: Longs) -> list[tuple[Longs, Longs]]:
    """
    Find where each hypothesis has each of its n-grams first, of those that the corpus has.

    Args:
        hypotheses: See :func:`shared_information`.
        corpus: Merged counts.
        tokens: By token, its number in the corpus or -1.

    Returns:
        For each order ``case << 32 | number in the corpus``, ascending, and the place in the hypotheses.
    """
    case = np.repeat(np.arange(len(hypotheses)), hypotheses.lengths)
    left = np.repeat(hypotheses.offsets[1:], hypotheses.lengths) - np.arange(len(case))  # tokens up to the end
    tokens = np.append(tokens, -1)
    numbers = np.empty(len(case), np.int64)
    found = []
    for order in range(len(corpus.keys)):
        at = np.flatnonzero(left > order)
        before = corpus.counts[max(order - 1, 0)]
        weigh_places(
            at,
            hypotheses.ids,
            order,
            tokens,
            numbers,
            corpus.tables[order],
            corpus.keys[order],
            before,
            corpus.counts[order],
            1.0,
            -1,
            salt(),
            np.empty(len(at)),
        )
        at = at[numbers[at] >= 0]
        keys, firsts = np.unique(case[at] << 32 | numbers[at], return_index=True)
        found.append((keys, at[firsts]))
    return found


def shared_places(hypotheses: TokenColumn, references: TokenColumn, bounds: Offsets, orders: int) -> NDArray[np.uint8]:
    """
    Find where in the references those n-grams start that their hypothesis has as well, and where they count.

    Args:
        hypotheses: One row a case, numbered by the references' vocabulary; the number after its largest is any other token.
        references: The references of all cases.
        bounds: Case i owns the references ``bounds[i]:bounds[i + 1]``.
        orders: The longest n-gram.

    Returns:
        Of shape (orders, tokens of the references): 0 where none starts, or ``SHARED``, ``IN_REFERENCE`` or ``IN_CASE``.
    """
    marks = np.zeros((orders, len(references.ids)), np.uint8)
    longest = int(hypotheses.lengths.max(initial=0))
    most = int(np.diff(references.offsets[bounds]).max(initial=0))
    mark_shared(
        hypotheses.ids,
        hypotheses.offsets,
        references.ids,
        references.offsets,
        np.array(bounds, np.int64),
        np.zeros(len(references.vocabulary) + 1, np.int64),
        np.empty(table_size(longest), np.int64),
        np.empty((9, longest + 1), np.int64),
        np.empty((3, most + 1), np.int64),
        salt(),
        marks,
    )
    return marks


@kernel
def mark_shared(
    hypotheses: Ids,
    hypothesis_offsets: Offsets,
    references: Ids,
    reference_offsets: Offsets,
    bounds: Offsets,
    by_token: Longs,
    table: Longs,
    by_hypothesis: NDArray[np.int64],
    by_reference: NDArray[np.int64],
    salt: Longs,
    marks: NDArray[np.uint8],
) -> None:
    """
    Do the work of :func:`shared_places`.

    An n-gram is the pair of what is one token shorter and its last token, and its class is its number within the case.
    Only places whose n-gram stands on both sides go on to the next order, and where it stands once on either side the
    tokens that follow are compared instead. Whether an n-gram is new or shared can hardly be foreseen: what does not
    count is written all the same, where it does no harm.

    Args:
        by_token: For each token 0; written to: it counts if it is at least the first number of the case in hand, for
            numbers go on counting from case to case.
        table: Room for a table of the tokens of the longest hypothesis.
        by_hypothesis: Room for nine numbers a token of the longest hypothesis, and nine more.
        by_reference: Room for three numbers a token of the case that has the most in its references, and three more.
        marks: Zeros; written to.
    """
    at = by_hypothesis[0]  # the places of the hypothesis that go on
    class_at = by_hypothesis[1]  # and the class of the n-gram that starts there
    keys = by_hypothesis[2]  # by class: what it is made of
    wanted = by_hypothesis[3]  # how often the hypothesis has it
    held = by_hypothesis[4]  # how often the references have it
    place = by_hypothesis[5]  # where it stands in the hypothesis
    reference_place = by_hypothesis[6]  # and in the references
    counted = by_hypothesis[7]  # how often it was seen in the reference in hand
    most = by_hypothesis[8]  # and in the reference that has the most of it
    reference_at = by_reference[0]
    reference_class = by_reference[1]
    reference_end = by_reference[2]
    orders = len(marks)
    base = np.int64(1)
    for case in range(len(bounds) - 1):
        end = hypothesis_offsets[case + 1]
        count = 0
        for position in range(hypothesis_offsets[case], end):
            at[count] = position
            class_at[count] = 0
            count += 1
        total = 0
        for reference in range(bounds[case], bounds[case + 1]):
            for position in range(reference_offsets[reference], reference_offsets[reference + 1]):
                reference_at[total] = position
                reference_class[total] = 0
                reference_end[total] = reference_offsets[reference + 1]
                total += 1
        slots = table[: table_size(count)]
        for order in range(orders):
            if order > 0:
                for free in range(len(slots)):
                    slots[free] = -1
            known = np.int64(0)
            kept = 0
            for index in range(count):
                position = at[unsigned(index)]
                if position + order < end:
                    first = class_at[unsigned(index)]
                    token = np.int64(hypotheses[unsigned(position + order)])
                    slot: Whole = np.int64(0)
                    if order == 0:
                        gram = by_token[unsigned(token)] - base
                    else:
                        slot = find_pair(slots, keys, first, token, salt)
                        gram = slots[unsigned(slot)]
                    new = int(gram < 0)
                    gram = known if new else gram
                    if order == 0:
                        by_token[unsigned(token)] = base + gram
                    else:
                        slots[unsigned(slot)] = gram
                        keys[unsigned(gram)] = first << 32 | token
                    wanted[unsigned(gram)] = (0 if new else wanted[unsigned(gram)]) + 1
                    held[unsigned(gram)] = 0
                    place[unsigned(gram)] = position
                    at[unsigned(kept)] = position
                    class_at[unsigned(kept)] = gram
                    known += new
                    kept += 1
            count = kept
            kept = 0
            for index in range(total):
                position = reference_at[unsigned(index)]
                if position + order < reference_end[unsigned(index)]:
                    token = np.int64(references[unsigned(position + order)])
                    if order == 0:
                        gram = by_token[unsigned(token)] - base
                    else:
                        gram = slots[find_pair(slots, keys, reference_class[unsigned(index)], token, salt)]
                    shared = int(gram >= 0)
                    gram = gram if shared else known
                    held[unsigned(gram)] += 1
                    reference_place[unsigned(gram)] = kept
                    reference_at[unsigned(kept)] = position
                    reference_class[unsigned(kept)] = gram
                    reference_end[unsigned(kept)] = reference_end[unsigned(index)]
                    kept += shared
            if order == 0:
                base += known
            total = kept
            for gram in range(known):
                counted[gram] = 0
                most[gram] = 0
                if wanted[gram] == 1 and held[gram] == 1:
                    held[gram] = 0  # it goes on here and now
                    ours = place[gram]
                    theirs = reference_at[reference_place[gram]]
                    stop = reference_end[reference_place[gram]]
                    further = order
                    while (
                        further < orders
                        and ours + further < end
                        and theirs + further < stop
                        and hypotheses[ours + further] == references[theirs + further]
                    ):
                        marks[further, theirs] = IN_CASE
                        further += 1
            kept = 0
            for index in range(count):
                if held[class_at[index]] > 0:
                    at[kept] = at[index]
                    class_at[kept] = class_at[index]
                    kept += 1
            count = kept
            kept = 0
            for index in range(total):
                gram = reference_class[index]
                if held[gram] > 0:
                    if kept > 0 and reference_end[index] != reference_end[kept - 1]:  # another reference
                        for other in range(known):
                            counted[other] = 0
                    counted[gram] += 1
                    level = SHARED
                    if counted[gram] <= wanted[gram]:
                        level = IN_REFERENCE
                        if counted[gram] > most[gram]:
                            most[gram] = counted[gram]
                            level = IN_CASE
                    marks[order, reference_at[index]] = level
                    reference_at[kept] = reference_at[index]
                    reference_class[kept] = gram
                    reference_end[kept] = reference_end[index]
                    kept += 1
            total = kept
            if total == 0:
                break


@kernel
def weigh_places(
    at: Offsets,
    references: Ids,
    order: int,
    tokens: Longs,
    numbers: Longs,
    slots: Ids,
    keys: Longs,
    beginnings: Longs,
    counts: Longs,
    total: float,
    zero: int,
    salt: Longs,
    weights: Reals,
) -> None:
    """
    Give the information of the n-grams that start at places, 0 where the corpus does not have it.

    The logarithm is divided by that of 2, as mteval and NLTK do, so that sums are equal where NLTK's are.

    Args:
        at: The places, in ``references``.
        order: How many tokens an n-gram has, less one.
        tokens: By token, its number in the corpus or -1.
        numbers: By place, the corpus' number of the n-gram that is one token shorter, or -1; that of this one is written.
        slots: The corpus' table of n-grams of this length.
        keys: The n-grams.
        beginnings: The counts of those that are one token shorter.
        counts: The counts of these.
        total: How many words the corpus has.
        zero: The word after which an n-gram is weighed as if nothing were before it, or -1.
        weights: Written to.
    """
    for index in range(len(at)):
        place = at[unsigned(index)]
        number = tokens[unsigned(references[unsigned(place + order)])]
        before = total
        if order > 0:
            beginning = numbers[unsigned(place)]
            if beginning >= 0 and number >= 0:
                number = np.int64(slots[find_pair(slots, keys, beginning, number, salt)])
                if order > 1 or beginning != zero:
                    before = float(beginnings[unsigned(beginning)])
            else:
                number = np.int64(-1)
        numbers[unsigned(place)] = number
        weights[unsigned(index)] = np.log(before / counts[unsigned(number)]) / np.log(2.0) if number >= 0 else 0.0

"""
Align words with a reference by the shortest context that is unique on both sides, and count pairs in order.

A word that stands once on both sides is aligned at once. Any other is looked at with more and more of its neighbours:
n-grams that end at it, n-grams that start at it. N-grams are numbered order by order among those of the reference, and
an order goes on only from what both sides hold.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Ids, Offsets, TokenColumn
from tertium.native.interning import Longs, find_pair, salt, table_size
from tertium.native.kernels import kernel

DEEP = 64
"""Context of so many words is looked for one word more at a time; beyond, suffixes are sorted."""


def aligned_ranks(
    hypotheses: TokenColumn, references: TokenColumn, bounds: Offsets, left_first: bool, whole_prefix: bool, runs: bool
) -> Longs:
    """
    Align every hypothesis with each of its references.

    Args:
        hypotheses: One row a case; its vocabulary extends the references'.
        references: The references of all cases.
        bounds: Case i owns the references ``bounds[i]:bounds[i + 1]``.
        left_first: Of two contexts of equal length, look at the one before the word first.
        whole_prefix: Whether a context may reach the start of the hypothesis where more words stand before than after.
        runs: Count only pairs inside runs of ranks that rise by one, not all rising pairs.

    Returns:
        int64 of shape (references, 2): aligned words, and pairs of them in rising order.
    """
    found = np.zeros((len(references), 2), np.int64)
    words = max(len(hypotheses.vocabulary), len(references.vocabulary))
    most, longest = int(hypotheses.lengths.max(initial=0)), int(references.lengths.max(initial=0))
    by_hypothesis, by_reference = np.empty((4, most), np.int64), np.empty((6, longest + 1), np.int64)
    by_word, slots = np.zeros((3, words), np.int64), np.empty(int(table_size(longest)), np.int64)
    owners = np.repeat(np.arange(len(hypotheses)), np.diff(bounds))
    start = 0
    while start < len(references):
        # The kernel stops at a pair whose contexts are deep; that one is done by sorting, and it goes on after it.
        stopped = align_all(
            hypotheses.ids,
            hypotheses.offsets,
            references.ids,
            references.offsets,
            owners,
            start,
            left_first,
            whole_prefix,
            runs,
            by_hypothesis,
            by_reference,
            by_word,
            slots,
            salt(),
            found,
        )
        if stopped < len(references):
            case = owners[stopped]
            ranks = deep_ranks(
                hypotheses.ids[hypotheses.offsets[case] : hypotheses.offsets[case + 1]].astype(np.int64),
                references.ids[references.offsets[stopped] : references.offsets[stopped + 1]].astype(np.int64),
                left_first,
                whole_prefix,
            )
            tree = np.zeros(longest + 2, np.int64)
            found[stopped] = len(ranks), (pairs_in_runs(ranks) if runs else rising_pairs(ranks, tree))
        start = stopped + 1
    return found


@kernel
def rising_pairs(ranks: Longs, tree: Longs) -> int:
    """
    Count pairs of positions whose ranks rise, strictly.

    Args:
        ranks: At least 0.
        tree: Zeros, two more than the highest rank; written to.
    """
    pairs = 0
    for index in range(len(ranks)):
        node = ranks[index]  # sums over ranks below this one
        while node > 0:
            pairs += tree[node]
            node -= node & -node
        node = ranks[index] + 1
        while node < len(tree):
            tree[node] += 1
            node += node & -node
    return pairs


@kernel
def pairs_in_runs(ranks: Longs) -> int:
    """
    Count pairs inside runs of ranks that rise by exactly one.
    """
    pairs = 0
    length = 1
    for index in range(1, len(ranks) + 1):
        if index < len(ranks) and ranks[index] == ranks[index - 1] + 1:
            length += 1
        else:
            pairs += length * (length - 1) // 2
            length = 1
    return pairs


@kernel
def align_all(
    hypotheses: Ids,
    hypothesis_offsets: Offsets,
    references: Ids,
    reference_offsets: Offsets,
    owners: Longs,
    start: int,
    left_first: bool,
    whole_prefix: bool,
    runs: bool,
    by_hypothesis: NDArray[np.int64],
    by_reference: NDArray[np.int64],
    by_word: NDArray[np.int64],
    slots: Longs,
    salt: Longs,
    found: NDArray[np.int64],
) -> int:
    """
    Do the work of :func:`aligned_ranks` from one reference on, up to the first whose contexts are too deep.

    Returns:
        That reference, or the number of references.
    """
    rank = by_hypothesis[0]  # by position: where it is aligned, -1 not (yet)
    gram = by_hypothesis[1]  # by position: the n-gram that starts there, -1 where the reference lacks it
    waiting = by_hypothesis[2]  # positions that are not aligned yet
    ranks = by_hypothesis[3]
    other = by_reference[0]  # by position of the reference: the n-gram that starts there
    keys = by_reference[1]  # by n-gram: what it is made of
    mine = by_reference[2]  # by n-gram: how often it stands in the hypothesis
    theirs = by_reference[3]  # and in the reference
    place = by_reference[4]  # and where, last
    tree = by_reference[5]
    for reference in range(start, len(owners)):
        case = owners[reference]
        words = hypotheses[hypothesis_offsets[case] : hypothesis_offsets[case + 1]]
        model = references[reference_offsets[reference] : reference_offsets[reference + 1]]
        length = len(words)
        size = len(model)
        for position in range(size):
            by_word[1, model[position]] += 1
            by_word[2, model[position]] = position
        for position in range(length):
            by_word[0, words[position]] += 1
        going = 0
        for position in range(length):
            word = words[position]
            rank[position] = -1
            gram[position] = -1
            if by_word[1, word] > 0:
                gram[position] = 0
                if by_word[1, word] == 1 and by_word[0, word] == 1:
                    rank[position] = by_word[2, word]
                else:
                    waiting[going] = position
                    going += 1
        for position in range(size):
            other[position] = 0 if by_word[0, model[position]] > 0 else -1
        for position in range(size):
            by_word[1, model[position]] = 0
        for position in range(length):
            by_word[0, words[position]] = 0
        # An n-gram's number is not needed for single words: where both sides have a word, the word itself is it.
        context = 0
        table = slots[: table_size(size)]
        while going > 0:
            context += 1
            if context > DEEP:
                return reference
            for free in range(len(table)):
                table[free] = -1
            known = 0
            for position in range(size):
                last = position + context
                if last >= size or other[position] < 0:
                    other[position] = -1
                    continue
                first = np.int64(model[position]) if context == 1 else other[position]
                slot = find_pair(table, keys, first, model[last], salt)
                number = table[slot]
                if number < 0:
                    number = known
                    table[slot] = number
                    keys[number] = first << 32 | np.int64(model[last])
                    mine[number] = 0
                    theirs[number] = 0
                    known += 1
                theirs[number] += 1
                place[number] = position
                other[position] = number
            for position in range(length):
                last = position + context
                if last >= length or gram[position] < 0:
                    gram[position] = -1
                    continue
                first = np.int64(words[position]) if context == 1 else gram[position]
                number = table[find_pair(table, keys, first, words[last], salt)]
                gram[position] = number
                if number >= 0:
                    mine[number] += 1
            for position in range(size):
                if other[position] >= 0 and mine[other[position]] == 0:
                    other[position] = -1
            kept = 0
            for index in range(going):
                position = waiting[index]
                before = -1
                after = gram[position]
                if position >= context and (whole_prefix or position > context or context <= length - position):
                    before = gram[position - context]
                alive = before >= 0 or after >= 0
                left = before >= 0 and mine[before] == 1 and theirs[before] == 1
                right = after >= 0 and mine[after] == 1 and theirs[after] == 1
                if left and (left_first or not right):
                    rank[position] = place[before] + context
                elif right:
                    rank[position] = place[after]
                elif alive:
                    waiting[kept] = position
                    kept += 1
            going = kept
        count = 0
        for position in range(length):
            if rank[position] >= 0:
                ranks[count] = rank[position]
                count += 1
        found[reference, 0] = count
        if runs:
            found[reference, 1] = pairs_in_runs(ranks[:count])
        else:
            for node in range(size + 1):
                tree[node] = 0
            found[reference, 1] = rising_pairs(ranks[:count], tree[: size + 1])
    return len(owners)


def deep_ranks(words: Longs, model: Longs, left_first: bool, whole_prefix: bool) -> Longs:
    """
    Align one hypothesis with one reference by sorting suffixes: the ranks of the aligned words, in their order.

    The context that starts at a word is unique from a certain length on (longer than what it shares with any other
    place of the hypothesis, and with all but one of the reference) up to what it shares with the nearest place of the
    reference. For contexts that end at it, both texts are read backwards.
    """
    size = len(words)
    after, after_place = _shortest_unique(words, model)
    before, before_place = _shortest_unique(words[::-1], model[::-1])
    before, before_place = before[::-1], len(model) - 1 - before_place[::-1]
    alone = (after == 1) & (before == 1)
    position = np.arange(size)
    # A single word is its own context; otherwise at least one neighbour is taken.
    after, before = np.where((after > 0) & ~alone, np.maximum(after, 2), after), np.where(alone, 1, before)
    unlimited = np.iinfo(np.int64).max
    reach = np.where(whole_prefix | (position <= size - position), position + 1, position)
    left = np.where((before > 0) & (before <= reach), before, unlimited)
    right = np.where(after > 0, after, unlimited)
    choose_left = (left <= right) if left_first else (left < right)
    ranks = np.where(choose_left, before_place, after_place)
    found: Longs = ranks[np.minimum(left, right) < unlimited]
    return found


def _shortest_unique(words: Longs, model: Longs) -> tuple[Longs, Longs]:
    """
    Find how long the shortest n-gram from each word on is that stands once on both sides, and where the reference has it.

    Returns:
        The length (0 where there is none) and the position in the reference.
    """
    size, total = len(words), len(words) + len(model) + 1
    text = np.concatenate([words + 1, np.zeros(1, np.int64), model + 1])
    order, rank = _sorted_suffixes(text)
    shared = np.zeros(total, np.int64)  # by place in the order: what a suffix shares with the one before
    common_prefixes(text, order, rank, size, shared)
    length, place = np.zeros(size, np.int64), np.zeros(size, np.int64)
    unique_lengths(order, shared, size, np.zeros((3, total), np.int64), length, place)
    return length, place


def _sorted_suffixes(text: Longs) -> tuple[Longs, Longs]:
    rank = np.unique(text, return_inverse=True)[1].astype(np.int64)
    step = 1
    while True:
        following = np.full(len(text), -1, np.int64)
        following[:-step] = rank[step:]
        order = np.lexsort((following, rank))
        changed = np.ones(len(text), np.int64)
        changed[1:] = (np.diff(rank[order]) != 0) | (np.diff(following[order]) != 0)
        changed[0] = 0
        rank = np.empty(len(text), np.int64)
        rank[order] = np.cumsum(changed)
        step *= 2
        if rank[order[-1]] == len(text) - 1 or step >= len(text):
            return order, rank


@kernel
def common_prefixes(text: Longs, order: Longs, rank: Longs, border: int, shared: Longs) -> None:
    """
    Count what each suffix shares with the one before it in the order; no n-gram goes over the border between the texts.
    """
    length = 0
    for start in range(len(text)):
        if rank[start] == 0:
            length = 0
            continue
        other = order[rank[start] - 1]
        while (
            start + length < len(text)
            and other + length < len(text)
            and start + length != border
            and other + length != border
            and text[start + length] == text[other + length]
        ):
            length += 1
        shared[rank[start]] = length
        if length > 0:
            length -= 1


@kernel
def unique_lengths(
    order: Longs, shared: Longs, border: int, nearest: NDArray[np.int64], length: Longs, place: Longs
) -> None:
    """
    Find the shortest n-gram from each place of the first text on that stands once in both texts.

    Args:
        order: Suffixes of both texts, sorted; those up to ``border`` are of the first.
        shared: What each shares with the one before.
        nearest: Zeros of shape (3, suffixes): what a suffix shares at most with another of the first text, and with the
            two of the second that are nearest to it.
        length: By place of the first text; written to.
        place: Where the second text has it; written to.
    """
    # Once down and once up the order: the last suffix of the first text, and the last two of the second, with what they
    # share with the one in hand.
    for direction in range(2):
        own = 0
        near = 0
        far = 0
        near_place = -1
        for index in range(len(order)):
            spot = index if direction == 0 else len(order) - 1 - index
            if direction == 0:
                step = shared[spot]
            elif spot + 1 < len(order):
                step = shared[spot + 1]
            else:
                step = 0
            own = min(own, step)
            near = min(near, step)
            far = min(far, step)
            suffix = order[spot]
            if suffix < border:
                nearest[0, suffix] = max(nearest[0, suffix], own)
                if near > nearest[1, suffix]:
                    nearest[2, suffix] = max(nearest[1, suffix], far)
                    nearest[1, suffix] = near
                    place[suffix] = near_place - border - 1
                else:
                    nearest[2, suffix] = max(nearest[2, suffix], near)
                own = len(order)
            elif suffix > border:
                far = near
                near = len(order)
                near_place = suffix
    for start in range(border):
        least = max(nearest[0, start], nearest[2, start]) + 1
        length[start] = least if least <= nearest[1, start] else 0

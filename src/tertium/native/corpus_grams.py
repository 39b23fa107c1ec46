"""
Number the n-grams of a whole chunk, find them among those of a corpus, and merge the counts of chunks.

An n-gram of order n is the pair of an (n-1)-gram and a token, so an order is a list of pairs and no n-gram is ever
written out. Equal numbers always mean equal n-grams.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Ids, Offsets
from tertium.native.interning import Longs, find_pair, salt, table_size
from tertium.native.kernels import kernel, unsigned


def chunk_grams(
    tokens: Ids, offsets: Offsets, words: int, orders: int, before: Sequence[tuple[Ids, Longs]] | None = None
) -> list[tuple[Ids, Longs]]:
    """
    Number the n-grams of all rows, order by order.

    Args:
        tokens: Token ids of all rows, at least 0 and below ``words``.
        offsets: Where each row starts, and the end of the last.
        words: How many tokens there are.
        orders: The longest n-gram.
        before: What was found in other rows with the same tokens: their numbers stay, and new ones go on from there.

    Returns:
        For each order, by position the number of the n-gram that starts there (int32, -1 where the row ends before),
        and by number the n-gram as ``number of its first n - 1 tokens << 32 | last token``; for single tokens the
        token itself. Numbers count up in order of first occurrence from the second order on.
    """
    found = [(tokens, np.arange(words, dtype=np.int64))]
    earlier = [pairs for _, pairs in before or ()][1:] or [np.empty(0, np.int64)] * (orders - 1)
    if orders == 1 or not len(tokens):
        return found + [(tokens, pairs) for pairs in earlier]
    room = len(tokens) + max(map(len, earlier))
    slots, keys = np.empty(table_size(room), np.int32), np.empty(room, np.int64)
    for order, pairs in enumerate(earlier, 2):
        grams = np.empty(len(tokens), np.int32)
        slots.fill(-1)
        keys[: len(pairs)] = pairs
        known = number_grams(tokens, offsets, found[-1][0], order, slots, keys, len(pairs), salt(), grams)
        found.append((grams, keys[:known].copy()))
    return found


@kernel
def number_grams(
    tokens: Ids, offsets: Offsets, shorter: Ids, order: int, slots: Ids, keys: Longs, known: int, salt: Longs,
    grams: Ids,
) -> int:  # fmt: skip
    """
    Number the n-grams of one order; ``slots``, ``keys`` and ``grams`` are written to.

    Args:
        shorter: By position, the number of the n-gram that is one token shorter.
        slots: Filled with -1, with room for the known n-grams and as many more as there are tokens.
        keys: The known n-grams, with as much room.
        known: How many there are.

    Returns:
        How many are known now.
    """
    for number in range(known):
        slots[find_pair(slots, keys, keys[number] >> 32, keys[number] & 0xFFFFFFFF, salt)] = number
    for row in range(len(offsets) - 1):
        end = offsets[row + 1]
        for position in range(offsets[row], end):
            last = position + order - 1
            if last >= end:
                grams[position] = -1
                continue
            first = np.int64(shorter[unsigned(position)])
            token = np.int64(tokens[unsigned(last)])
            slot = find_pair(slots, keys, first, token, salt)
            gram = np.int64(slots[unsigned(slot)])
            if gram < 0:
                gram = np.int64(known)
                slots[slot] = gram
                keys[gram] = first << 32 | token
                known += 1
            grams[unsigned(position)] = gram
    return known


@kernel
def count_grams(grams: Ids, offsets: Offsets, bounds: Offsets, once: bool, seen_in: Ids, counts: Longs) -> None:
    """
    Count the n-grams of rows: all of them, or each once a case.

    Args:
        bounds: Case i owns the rows ``bounds[i]:bounds[i + 1]``.
        once: Whether an n-gram counts once a case, in how many of its rows it may stand.
        seen_in: For each n-gram -1; written to.
        counts: Zeros; written to.
    """
    for case in range(len(bounds) - 1):
        for position in range(offsets[bounds[case]], offsets[bounds[case + 1]]):
            gram = grams[unsigned(position)]
            if gram >= 0 and (not once or seen_in[unsigned(gram)] != case):
                seen_in[unsigned(gram)] = case
                counts[unsigned(gram)] += 1


@kernel
def merge_grams(
    added: Longs,
    first_numbers: Longs,
    tokens: Longs,
    slots: Ids,
    keys: Longs,
    known: int,
    salt: Longs,
    numbers: Longs,
) -> int:
    """
    Number the n-grams of one chunk among those of a corpus, which grows by the new ones.

    Args:
        added: The chunk's n-grams of one order, as pairs.
        first_numbers: By the chunk's number of an n-gram that is one token shorter, its number in the corpus.
        tokens: The same for tokens.
        slots: The corpus' table, with room for the new n-grams; written to.
        keys: The corpus' n-grams, with room for the new ones; written to.
        known: How many the corpus has.
        numbers: Written to: each of the chunk's n-grams' number in the corpus.

    Returns:
        How many the corpus has now.
    """
    for gram in range(len(added)):
        first = first_numbers[added[gram] >> 32]
        token = tokens[added[gram] & 0xFFFFFFFF]
        slot = find_pair(slots, keys, first, token, salt)
        number = slots[slot]
        if number < 0:
            number = known
            slots[slot] = number
            keys[number] = first << 32 | token
            known += 1
        numbers[gram] = number
    return known


@kernel
def find_grams(
    wanted: Longs, first_numbers: Longs, tokens: Longs, slots: Ids, keys: Longs, salt: Longs, numbers: Longs
) -> None:
    """
    Find n-grams among those of a corpus; ``numbers`` is written to, -1 where the corpus has none.

    Args:
        wanted: N-grams of one order, as pairs.
        first_numbers: By the number of an n-gram that is one token shorter, its number in the corpus, or -1.
        tokens: The same for tokens.
        slots: The corpus' table.
        keys: The corpus' n-grams.
    """
    for gram in range(len(wanted)):
        first = first_numbers[wanted[gram] >> 32]
        token = tokens[wanted[gram] & 0xFFFFFFFF]
        numbers[gram] = -1
        if first >= 0 and token >= 0:
            numbers[gram] = slots[find_pair(slots, keys, first, token, salt)]


@kernel
def fill_table(keys: Longs, slots: Ids, salt: Longs) -> bool:
    """
    Put n-grams into an empty table; say whether all of them differ.
    """
    for gram in range(len(keys)):
        slot = find_pair(slots, keys, keys[gram] >> 32, keys[gram] & 0xFFFFFFFF, salt)
        if slots[slot] >= 0:
            return False
        slots[slot] = gram
    return True


@kernel
def weigh_captions(
    hypotheses: Ids,
    hypothesis_offsets: Offsets,
    references: Ids,
    reference_offsets: Offsets,
    bounds: Offsets,
    weights: NDArray[np.float64],
    normalised: bool,
    clipped: bool,
    damping: NDArray[np.float64],
    seen: Longs,
    distinct: Longs,
    mine: NDArray[np.float64],
    scores: NDArray[np.float64],
) -> None:
    """
    Add up, for every case, the cosines of weighted n-grams of one order between the hypothesis and its references.

    Args:
        hypotheses: By position the n-gram, or -1.
        hypothesis_offsets: Where each hypothesis starts, and the end of the last.
        references: By position the n-gram, or -1.
        reference_offsets: Where each reference starts, and the end of the last.
        bounds: Case i owns the references ``bounds[i]:bounds[i + 1]``.
        weights: What an n-gram weighs, by its number.
        normalised: Whether a count is divided by the number of n-grams of its row.
        clipped: Whether the hypothesis' weight counts at most as much as the reference's.
        damping: By reference, the factor that its cosine is multiplied by.
        seen: For each n-gram 0; written to: the row that was last seen to have it, with its count there in the lower
            half. Rows count from 1 on, references first.
        distinct: Room for the n-grams of the longest hypothesis.
        mine: Room for as many weights.
        scores: One a case; written to.
    """
    for case in range(len(bounds) - 1):
        row = len(reference_offsets) + case
        known = 0
        length = 0.0
        for position in range(hypothesis_offsets[case], hypothesis_offsets[case + 1]):
            gram = hypotheses[position]
            if gram < 0:
                break
            length += 1.0
            if seen[gram] >> 32 != row:
                seen[gram] = row << 32
                distinct[known] = gram
                known += 1
            seen[gram] += 1
        scale = length if normalised else 1.0
        norm = 0.0
        for index in range(known):
            gram = distinct[index]
            mine[index] = (seen[gram] & 0xFFFFFFFF) / scale * weights[gram]
            norm += mine[index] * mine[index]
        if norm == 0.0:
            continue
        for reference in range(bounds[case], bounds[case + 1]):
            row = reference + 1
            length = 0.0
            squares = 0.0
            for position in range(reference_offsets[reference], reference_offsets[reference + 1]):
                gram = references[unsigned(position)]
                if gram < 0:
                    break
                length += 1.0
                before = seen[unsigned(gram)] if seen[unsigned(gram)] >> 32 == row else row << 32
                seen[unsigned(gram)] = before + 1
                # The squares of counts grow by the odd numbers.
                squares += (2 * (before & 0xFFFFFFFF) + 1) * (weights[unsigned(gram)] * weights[unsigned(gram)])
            if squares == 0.0:
                continue
            scale = length if normalised else 1.0
            shared = 0.0
            for index in range(known):
                gram = distinct[index]
                if seen[gram] >> 32 == row:
                    theirs = (seen[gram] & 0xFFFFFFFF) / scale * weights[gram]
                    shared += (min(mine[index], theirs) if clipped else mine[index]) * theirs
            scores[case] += shared * scale / np.sqrt(norm * squares) * damping[reference]

"""
Number words, and measure edit distances of a text whose blocks move, fast.

One text stays (the reference), the other one is tried in many orders (the hypothesis). For references of up to 62 words
a row of the distance table is kept as bits: for each place of the reference whether the distance rises or falls from the
place before (Myers 1999, in the form of Hyyrö 2003). Moving a block leaves the rows before it as they are, so that a
trial starts at the first word that moved.

A block move is written as a rotation ``(left, middle, right)``: the words from ``left`` to ``middle`` change places
with those from ``middle`` to ``right``. Words are numbered by their place among the reference's distinct words; all
words that the reference lacks share the number after these.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Ids, Offsets
from tertium.native.interning import Whole
from tertium.native.kernels import inner_kernel

Longs = NDArray[np.int64]
Flags = NDArray[np.uint8]

WIDTH = 62
"""Words of the longest reference whose rows are bits: sums of two rows stay below 2^63, so that whole numbers hold them."""
FULL = (1 << WIDTH) - 1

EDITS, SHIFTS, INSERTIONS, DELETIONS, SUBSTITUTIONS, CUT_OFF, LIMITED = range(7)
"""Columns of what a search finds."""
FOUND = 7

PART = 21
"""Bits of each part of a move, which is one number: words, start and place. Texts are shorter than two million words."""
LOW = (1 << PART) - 1
MOST_MOVES = 1 << 22
"""A round that lists more moves than this is over the limit of work."""


@inner_kernel
def number_words(
    hypotheses: Ids,
    first: Whole,
    length: Whole,
    references: Ids,
    begin: Whole,
    size: Whole,
    numbers: Ids,
    words: Longs,
    target: Longs,
    starts: Longs,
    positions: Longs,
) -> Whole:
    """
    Number the words of a pair and list where the reference has each.

    Args:
        hypotheses: Token ids; the hypothesis has ``length`` of them from ``first`` on.
        references: Token ids; the reference has ``size`` of them from ``begin`` on.
        numbers: One for each id of the vocabulary, all -1; left as it was.
        words: The hypothesis' numbers; written to.
        target: The reference's numbers; written to.
        starts: Word w stands at ``positions[starts[w]:starts[w + 1]]`` of the reference; written to. It holds at
            least one more than the reference has words.
        positions: Written to, rising for each word.

    Returns:
        How many distinct words the reference has, which is also the number of every word that it lacks.
    """
    known = 0
    for place in range(size):
        token = references[begin + place]
        if numbers[token] < 0:
            numbers[token] = known
            starts[known] = 0
            known += 1
        word = np.int64(numbers[token])
        target[place] = word
        starts[word] += 1
    for place in range(length):
        word = np.int64(numbers[hypotheses[first + place]])
        words[place] = known if word < 0 else word
    for number in range(1, known):
        starts[number] += starts[number - 1]
    starts[known] = size
    for place in range(size - 1, -1, -1):
        numbers[references[begin + place]] = -1
        word = target[place]
        starts[word] -= 1
        positions[starts[word]] = place
    return known


@inner_kernel
def unmatched_words(words: Longs, length: Whole, known: Whole, starts: Longs, size: Whole, counts: Longs) -> Whole:
    """
    Give the fewest edits that any order of the words needs: the longer side less the words in common.
    """
    for word in range(known):
        counts[word] = starts[word + 1] - starts[word]
    common = 0
    for place in range(length):
        if words[place] < known and counts[words[place]] > 0:
            counts[words[place]] -= 1
            common += 1
    return max(length, size) - common


@inner_kernel
def fill_rows(words: Longs, first: Whole, length: Whole, target: Longs, size: Whole, masks: Longs, rows: Longs) -> None:
    """
    Fill the rows of bits of a text from some word on.

    Args:
        words: The hypothesis.
        first: Rows up to this one stand already; 0 to start anew.
        length: The number of words.
        target: The reference.
        size: The reference's length, 1 to ``WIDTH``.
        masks: For each word its places in the reference as bits; written to where ``first`` is 0. As long as there are
            words, and one more.
        rows: Three lines of ``length + 1`` or more: the places at which the distance rises, those at which it falls, and
            the distance of the first i words to the whole reference; written to.
    """
    if first == 0:
        for place in range(size):
            masks[target[place]] = 0
        for place in range(length):
            masks[words[place]] = 0
        for place in range(size):
            masks[target[place]] |= np.int64(1) << place
        rows[0, 0] = FULL
        rows[1, 0] = 0
        rows[2, 0] = size
    for row in range(first, length):
        rise = rows[0, row]
        equal = masks[words[row]]
        diagonal = (((equal & rise) + rise) ^ rise) | equal | rows[1, row]
        across = rows[1, row] | ~(diagonal | rise)
        back = diagonal & rise
        rows[2, row + 1] = rows[2, row] + ((across >> (size - 1)) & 1) - ((back >> (size - 1)) & 1)
        across = (across << 1) | 1
        rows[0, row + 1] = ((back << 1) | ~(diagonal | across)) & FULL
        rows[1, row + 1] = across & diagonal & FULL


@inner_kernel
def rotated_distance(
    words: Longs, length: Whole, left: Whole, middle: Whole, right: Whole, size: Whole, masks: Longs, rows: Longs
) -> Whole:
    """
    Give the edit distance of a text after a rotation, from the rows of the text before it.

    Args:
        words: The hypothesis before the move.
        length: The number of words.
        left: First word of the first block.
        middle: First word of the second block.
        right: First word after both.
        size: The reference's length, 1 to ``WIDTH``.
        masks: See :func:`fill_rows`.
        rows: The rows of ``words``.
    """
    rise = rows[0, left]
    fall = rows[1, left]
    distance = rows[2, left]
    place = middle
    for row in range(left, length):
        if row >= right:
            place = row
            if rise == rows[0, row] and fall == rows[1, row]:  # from here on all is as it was
                return int(distance + rows[2, length] - rows[2, row])
        elif place == right:
            place = left
        equal = masks[words[place]]
        place += 1
        diagonal = (((equal & rise) + rise) ^ rise) | equal | fall
        across = fall | ~(diagonal | rise)
        back = diagonal & rise
        distance += ((across >> (size - 1)) & 1) - ((back >> (size - 1)) & 1)
        across = (across << 1) | 1
        rise = ((back << 1) | ~(diagonal | across)) & FULL
        fall = across & diagonal & FULL
    return int(distance)


@inner_kernel
def rotate(words: Longs, left: Whole, middle: Whole, right: Whole, spare: Longs) -> None:
    """
    Move the block from ``left`` to ``middle`` behind that from ``middle`` to ``right``, in place.
    """
    for place in range(left, middle):
        spare[place - left] = words[place]
    for place in range(middle, right):
        words[left + place - middle] = words[place]
    for place in range(middle - left):
        words[left + right - middle + place] = spare[place]


def longest(offsets: Offsets) -> int:
    """
    Give the length of the longest row.
    """
    return int(np.diff(offsets).max(initial=0))

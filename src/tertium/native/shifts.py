"""
Measure edit distances of a text whose blocks move, fast.

One text stays (the reference), the other one is tried in many orders (the hypothesis). A row of the distance table is
kept as bits, 62 a number: for each position of the reference whether the distance rises or falls from the position
before (Myers 1999, in the form of Hyyrö 2003). Moving a block leaves the rows before it as they are, so a trial starts
at the first word that moved.

A block move is written as a rotation ``(left, middle, right)``: the words from ``left`` to ``middle`` change places
with those from ``middle`` to ``right``. Words are numbered by their place among the reference's distinct words; all
words that the reference lacks share the number after these.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Ids, Offsets
from tertium.native.interning import Whole
from tertium.native.kernels import kernel

Longs = NDArray[np.int64]
Flags = NDArray[np.uint8]

WIDTH = 62
"""Bits of a block: sums of two blocks stay below 2^63, so that plain whole numbers hold them."""
FULL = (1 << WIDTH) - 1

EDITS, SHIFTS, INSERTIONS, DELETIONS, SUBSTITUTIONS, CUT_OFF, LIMITED = range(7)
"""Columns of what a search finds."""
FOUND = 7

PART = 21
"""Bits of each part of a move, which is one number: words, start and place. Texts are shorter than two million words."""
LOW = (1 << PART) - 1
MOST_MOVES = 1 << 22
"""A round that lists more moves than this is over the limit of work."""

CELL, STEP = 1, 4
"""What a cell of a distance table and a block of a row of bits count as work."""


@kernel
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


@kernel
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


@kernel
def fill_masks(target: Longs, size: Whole, known: Whole, blocks: Whole, masks: Longs) -> None:
    """
    Mark, for each word, its positions in the reference as bits: word w owns ``masks[w * blocks:(w + 1) * blocks]``.
    """
    for place in range((known + 1) * blocks):
        masks[place] = 0
    for place in range(size):
        masks[target[place] * blocks + place // WIDTH] |= np.int64(1) << (place % WIDTH)


@kernel
def fill_rows(
    words: Longs, first: Whole, length: Whole, size: Whole, blocks: Whole, masks: Longs, rows: Longs
) -> Whole:
    """
    Fill the rows of bits of a text from some word on.

    Args:
        words: The hypothesis.
        first: Rows up to this one stand already; 0 to start anew.
        length: The number of words.
        size: The reference's length, at least 1.
        blocks: How many blocks of ``WIDTH`` bits hold the reference.
        masks: See :func:`fill_masks`.
        rows: Shape (5, (length + 1) * blocks) or longer, written to. Block b of row i stands at ``i * blocks + b``:
            rises, falls, kept diagonals, rises along the hypothesis; the last line holds the distance of the first i
            words to the whole reference at ``i``.

    Returns:
        The edit distance.
    """
    rises, falls, kept, along, distance = rows[0], rows[1], rows[2], rows[3], rows[4]
    if first == 0:
        for block in range(blocks):
            rises[block] = FULL
            falls[block] = 0
        distance[0] = size
    top = (size - 1) % WIDTH
    for row in range(first, length):
        up = np.int64(1)
        down = np.int64(0)
        here = row * blocks
        for block in range(blocks):
            rise = rises[here + block]
            fall = falls[here + block]
            equal = masks[words[row] * blocks + block] | down
            diagonal = ((((equal & rise) + rise) ^ rise) | equal | fall) & FULL
            across = (fall | ~(diagonal | rise)) & FULL
            back = diagonal & rise
            edge = top if block == blocks - 1 else WIDTH - 1
            kept[here + blocks + block] = diagonal
            along[here + blocks + block] = across
            shifted = ((across << 1) | up) & FULL
            rises[here + blocks + block] = (((back << 1) | down) | ~(diagonal | shifted)) & FULL
            falls[here + blocks + block] = shifted & diagonal
            up = (across >> edge) & 1
            down = (back >> edge) & 1
        distance[row + 1] = distance[row] + up - down
    return int(distance[length])


@kernel
def rotated_distance(
    words: Longs,
    length: Whole,
    left: Whole,
    middle: Whole,
    right: Whole,
    size: Whole,
    blocks: Whole,
    masks: Longs,
    rows: Longs,
) -> Whole:
    """
    Give the edit distance of a text after a rotation, from the rows of the text before it.

    Args:
        words: The hypothesis before the move.
        length: The number of words.
        left: First word of the first block.
        middle: First word of the second block.
        right: First word after both.
        size: The reference's length, at least 1.
        blocks: How many blocks of ``WIDTH`` bits hold the reference.
        masks: See :func:`fill_masks`.
        rows: The rows of ``words``, see :func:`fill_rows`, with room for two more rows behind the last.
    """
    if blocks == 1:
        top = (size - 1) % WIDTH
        rise = rows[0, left]
        fall = rows[1, left]
        distance = int(rows[4, left])
        place = middle
        for row in range(left, length):
            if row >= right:
                place = row
                if rise == rows[0, row] and fall == rows[1, row]:
                    return distance + int(rows[4, length] - rows[4, row])
            elif place == right:
                place = left
            equal = masks[words[place]]
            place += 1
            diagonal = (((equal & rise) + rise) ^ rise) | equal | fall
            across = fall | ~(diagonal | rise)
            back = diagonal & rise
            distance += int(((across >> top) & 1) - ((back >> top) & 1))
            across = (across << 1) | 1
            rise = ((back << 1) | ~(diagonal | across)) & FULL
            fall = across & diagonal & FULL
        return distance
    top = (size - 1) % WIDTH
    spare = (length + 1) * blocks
    for block in range(blocks):
        rows[0, spare + block] = rows[0, left * blocks + block]
        rows[1, spare + block] = rows[1, left * blocks + block]
    distance = int(rows[4, left])
    place = middle
    for row in range(left, length):
        if row >= right:
            place = row
        elif place == right:
            place = left
        up = np.int64(1)
        down = np.int64(0)
        own = words[place] * blocks
        place += 1
        for block in range(blocks):
            rise = rows[0, spare + block]
            fall = rows[1, spare + block]
            equal = masks[own + block] | down
            diagonal = ((((equal & rise) + rise) ^ rise) | equal | fall) & FULL
            across = (fall | ~(diagonal | rise)) & FULL
            back = diagonal & rise
            edge = top if block == blocks - 1 else WIDTH - 1
            shifted = ((across << 1) | up) & FULL
            rows[0, spare + block] = (((back << 1) | down) | ~(diagonal | shifted)) & FULL
            rows[1, spare + block] = shifted & diagonal
            up = (across >> edge) & 1
            down = (back >> edge) & 1
        distance += int(up - down)
    return distance


@kernel
def trace_rows(
    words: Longs,
    length: Whole,
    target: Longs,
    size: Whole,
    blocks: Whole,
    rows: Longs,
    aligned: Longs,
    wrong: Flags,
    missed: Flags,
    counts: Longs,
) -> None:
    """
    Read one best alignment from the rows: a match or substitution before an extra word before a missing one.

    Args:
        words: The hypothesis.
        length: The number of words.
        target: The reference.
        size: The reference's length.
        blocks: How many blocks of ``WIDTH`` bits hold the reference.
        rows: See :func:`fill_rows`.
        aligned: For each reference word the last hypothesis position used when it is reached, -1 before the first;
            written to.
        wrong: For each hypothesis word whether it is substituted or extra; written to.
        missed: For each reference word whether it is substituted or missing; written to.
        counts: A line of what a search finds, see the columns above; written to.
    """
    extra = 0
    missing = 0
    substituted = 0
    row = length
    column = size
    while row > 0 or column > 0:
        if column == 0:
            row -= 1
            wrong[row] = 1
            extra += 1
            continue
        if row == 0:
            column -= 1
            aligned[column] = -1
            missed[column] = 1
            missing += 1
            continue
        same = words[row - 1] == target[column - 1]
        place = row * blocks + (column - 1) // WIDTH
        bit = (column - 1) % WIDTH
        if same or (rows[2, place] >> bit) & 1 == 0:
            row -= 1
            column -= 1
            aligned[column] = row
            wrong[row] = missed[column] = 0 if same else 1
            substituted += 0 if same else 1
        elif (rows[3, place] >> bit) & 1:
            row -= 1
            wrong[row] = 1
            extra += 1
        else:
            column -= 1
            aligned[column] = row - 1
            missed[column] = 1
            missing += 1
    counts[INSERTIONS] = extra
    counts[DELETIONS] = missing
    counts[SUBSTITUTIONS] = substituted


@kernel
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

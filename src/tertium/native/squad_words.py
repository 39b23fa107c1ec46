"""
Cut answers into words as the SQuAD evaluators do, in one pass over their code points.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Offsets, Points
from tertium.native.interning import Longs, Whole
from tertium.native.kernels import inner_kernel, kernel

OTHER, SPACE, WORD, STRUCK = range(4)
"""Classes: stays but is no part of a word; parts tokens; a letter, mark of number or the like; goes."""

A, E, H, N, T = (ord(letter) for letter in "aehnt")


@inner_kernel
def is_article(points: Points, first: Whole, length: Whole) -> bool:
    """
    Whether a run of word characters is ``a``, ``an`` or ``the``.
    """
    if length > 3 or length == 0:
        return False
    start = points[first]
    if length == 1:
        return bool(start == A)
    if length == 2:
        return bool(start == A and points[first + 1] == N)
    return bool(start == T and points[first + 1] == H and points[first + 2] == E)


@kernel
def answer_words(
    points: Points,
    offsets: Offsets,
    classes: NDArray[np.uint8],
    kept: Points,
    starts: Longs,
    ends: Longs,
    bounds: Longs,
) -> int:
    """
    Strike punctuation, then take articles for white space, and cut.

    Args:
        points: The code points of all texts, lower-cased.
        offsets: Where each text starts, and the end of the last.
        classes: The class of each code point, 0x110000 long.
        kept: Written to: the code points that stay. As long as ``points``.
        starts: Written to: where each token starts in ``kept``.
        ends: Written to: where each token ends.
        bounds: Written to: where each text's tokens start, and the end of the last.

    Returns:
        The number of tokens.
    """
    tokens = 0
    filled = 0
    bounds[0] = 0
    for row in range(len(offsets) - 1):
        opened = filled  # where the token in hand starts
        run = filled  # where the run of word characters in hand starts
        for position in range(offsets[row], offsets[row + 1] + 1):
            kind = SPACE
            if position < offsets[row + 1]:
                kind = int(classes[points[position]])
            if kind == STRUCK:
                continue
            if kind == WORD:
                kept[filled] = points[position]
                filled += 1
                continue
            if is_article(kept, run, filled - run):
                if run > opened:
                    starts[tokens] = opened
                    ends[tokens] = run
                    tokens += 1
                opened = filled
            if kind == OTHER:
                kept[filled] = points[position]
                filled += 1
            elif filled > opened:
                starts[tokens] = opened
                ends[tokens] = filled
                tokens += 1
                opened = filled
            run = filled
        bounds[row + 1] = tokens
    return tokens


@kernel
def same_rows(
    first: NDArray[np.int32],
    first_offsets: Offsets,
    owners: Longs,
    second: NDArray[np.int32],
    second_offsets: Offsets,
    same: NDArray[np.uint8],
) -> None:
    """
    Compare each row of a column of ids with the row of another that owns it.

    Args:
        first: Ids of the owners.
        first_offsets: Where their rows start, and the end of the last.
        owners: The owner of each row of the second column.
        second: Ids.
        second_offsets: Where their rows start, and the end of the last.
        same: Written to: 1 where the rows are equal, else 0.
    """
    for row in range(len(owners)):
        begin = second_offsets[row]
        length = second_offsets[row + 1] - begin
        start = first_offsets[owners[row]]
        equal = first_offsets[owners[row] + 1] - start == length
        place = 0
        while equal and place < length:
            equal = first[start + place] == second[begin + place]
            place += 1
        same[row] = 1 if equal else 0

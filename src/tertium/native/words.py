"""
Find words by the rules of error-rate programs, compiled.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Offsets, Points
from tertium.native.interning import Longs
from tertium.native.kernels import kernel

INSIDE, SOFT, HARD = range(3)


@kernel
def cut(
    points: Points, offsets: Offsets, classes: NDArray[np.uint8], starts: Longs, ends: Longs, bounds: Longs
) -> None:
    """
    Find the words of each text: a HARD character parts words, and so do two or more white-space characters in a row.

    One SOFT character alone is part of its word, except at the ends of a text.

    Args:
        points: The code points of all texts.
        offsets: Where each text starts, and the end of the last.
        classes: INSIDE, SOFT or HARD for each code point, 0x110000 long.
        starts: Where each word starts; as long as ``points``.
        ends: Where each word ends; as long as ``points``.
        bounds: The offsets of the texts' words in these.
    """
    words = np.int64(0)
    bounds[0] = 0
    for row in range(len(offsets) - 1):
        opened = np.int64(-1)
        blank = np.int64(0)  # where the white space in hand began
        pending = False
        for position in range(offsets[row], offsets[row + 1]):
            kind = classes[points[position]]
            if kind == INSIDE:
                if pending:
                    pending = False
                    if opened >= 0 and (position - blank > 1 or classes[points[blank]] == HARD):
                        starts[words] = opened
                        ends[words] = blank
                        words += 1
                        opened = np.int64(-1)
                if opened < 0:
                    opened = np.int64(position)
            elif not pending:
                pending = True
                blank = np.int64(position)
        if opened >= 0:
            starts[words] = opened
            ends[words] = offsets[row + 1]
            if pending:
                ends[words] = blank
            words += 1
        bounds[row + 1] = words


@kernel
def cut_at_spaces(points: Points, offsets: Offsets, starts: Longs, ends: Longs, bounds: Longs) -> None:
    """
    Find the words of each text between single spaces (U+0020), empty ones too, as a C++ ``getline`` loop does.

    Nothing follows a space at the end of a text, and an empty text has no word.

    Args:
        points: The code points of all texts.
        offsets: Where each text starts, and the end of the last.
        starts: Where each word starts; as long as ``points`` and ``offsets`` together.
        ends: Where each word ends; of the same length.
        bounds: The offsets of the texts' words in these.
    """
    words = np.int64(0)
    bounds[0] = 0
    for row in range(len(offsets) - 1):
        opened = offsets[row]
        for position in range(offsets[row], offsets[row + 1]):
            if points[position] == 32:
                starts[words] = opened
                ends[words] = position
                words += 1
                opened = position + 1
        if opened < offsets[row + 1]:
            starts[words] = opened
            ends[words] = offsets[row + 1]
            words += 1
        bounds[row + 1] = words


def word_spans(points: Points, offsets: Offsets, classes: Any) -> tuple[Longs, Longs, Longs]:
    """
    Find the words of each text by a class table, or between single spaces where there is none.

    Returns:
        Starts and ends of all words in ``points``, and the offsets of the texts' words in these.
    """
    room = len(points) + (len(offsets) if classes is None else 0)
    starts, ends = np.empty(room, np.int64), np.empty(room, np.int64)
    bounds = np.empty(len(offsets), np.int64)
    if classes is None:
        cut_at_spaces(points, offsets, starts, ends, bounds)
    else:
        cut(points, offsets, classes, starts, ends, bounds)
    return starts[: bounds[-1]].copy(), ends[: bounds[-1]].copy(), bounds

"""
Cut texts into tokens in one pass over their code points.

The tokenizers of mteval and of its descendants insert spaces by a fixed list of regular expressions and then split at
white space. Each rule only looks at a character and its neighbours, so the whole list comes down to one question a
character: does it stand alone? The classes below are all that the rules tell apart.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Offsets, Places, Points
from tertium.native.kernels import kernel, unsigned

ORDINARY, DIGIT, SPACE, ALONE, POINT, DASH = range(6)
NOTHING = 255


@kernel
def scan(
    points: Points,
    offsets: Offsets,
    classes: NDArray[np.uint8],
    padded: bool,
    strip_left: bool,
    strip_right: bool,
    starts: Places,
    ends: Places,
    bounds: Offsets,
) -> int:
    """
    Find the tokens of each text.

    A SPACE ends a token and is dropped. An ALONE character is a token of its own. A POINT is one, too, unless it
    stands between digits: the first rule splits it from a preceding non-digit, pair by pair from the left, so that
    in a run of points every second one is left to the second rule, which splits it from a following non-digit. A
    DASH is one after a digit.

    Args:
        points: The code points of all texts.
        offsets: Where each text starts, and the end of the last.
        classes: The class of each code point, 0x110000 long.
        padded: Whether the rules see a space before and after the text. If not, nothing precedes its first
            character or follows its last.
        strip_left: Whether white space at the start is stripped before the rules apply (unpadded only).
        strip_right: Whether white space at the end is.
        starts: Written to: where each token starts in ``points``. One longer than ``points``: no token is empty.
        ends: Written to: where each token ends. As long.
        bounds: Written to: where each text's tokens start, and the end of the last; as long as ``offsets``.

    Returns:
        The number of tokens.
    """
    opened = 0
    closed = 0
    bounds[0] = 0
    for row in range(len(offsets) - 1):
        start = int(offsets[row])
        end = int(offsets[row + 1])
        if strip_left:
            while start < end and classes[points[start]] == SPACE:
                start += 1
        if strip_right:
            while start < end and classes[points[end - 1]] == SPACE:
                end -= 1
        # Whether the character before is inside a longer token, or a token of its own. Each place is written down
        # and counts if a token starts or ends there: a branch could not be foreseen.
        was_inside = 0
        was_alone = 0
        split_at = -2
        for position in range(start, end):
            kind = int(classes[points[unsigned(position)]])
            alone = int(kind == ALONE)
            inside = int(kind <= DIGIT)
            if kind > ALONE:
                before = SPACE if padded else NOTHING
                if position > start:
                    before = int(classes[points[position - 1]])
                if kind == DASH:
                    alone = int(before == DIGIT)
                elif before != DIGIT and before != NOTHING and split_at != position - 1:
                    split_at = position
                    alone = 1
                elif position + 1 < end:
                    alone = int(classes[points[position + 1]] != DIGIT)
                else:
                    alone = int(padded)
                inside = 1 - alone
            starts[unsigned(opened)] = position
            ends[unsigned(closed)] = position
            opened += alone | (inside & (1 - was_inside))
            closed += was_alone | (was_inside & (1 - inside))
            was_inside = inside
            was_alone = alone
        ends[closed] = end
        closed += was_inside | was_alone
        bounds[row + 1] = opened
    return opened

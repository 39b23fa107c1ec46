"""
Cut texts into tokens in one pass over their code points.

The tokenizers of mteval and of its descendants insert spaces by a fixed list of regular expressions and then split at
white space. Each rule only looks at a character and its neighbours, so the whole list comes down to one question a
character: does it stand alone? The classes below are all that the rules tell apart.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Offsets, Points
from tertium.native.interning import LOW_56, Longs, mixed, token_code
from tertium.native.kernels import kernel

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
    salt: Longs,
    starts: Longs,
    ends: Longs,
    codes: Longs,
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
        salt: See ``interning.salt``.
        starts: Written to: where each token starts in ``points``. As long as ``points``, since no token is empty.
        ends: Written to: where each token ends.
        codes: Written to: the code of each token, see ``interning.token_code``.
        bounds: Written to: where each text's tokens start, and the end of the last; as long as ``offsets``.

    Returns:
        The number of tokens.
    """
    multiplier = int(salt[2])
    seed = int(salt[3])
    tokens = 0
    bounds[0] = 0
    for row in range(len(offsets) - 1):
        start = int(offsets[row])
        end = int(offsets[row + 1])
        before = SPACE if padded else NOTHING
        if strip_left:
            while start < end and classes[points[start]] == SPACE:
                start += 1
        if strip_right:
            while start < end and classes[points[end - 1]] == SPACE:
                end -= 1
        opened = -1
        code = seed
        packed = 0
        wide = 0
        split_before = False
        for position in range(start, end):
            point = int(np.int64(points[position]))
            kind = int(np.int64(classes[point]))
            alone = kind == ALONE
            split = False
            if kind > DIGIT:
                if kind == POINT:
                    split = before != DIGIT and before != NOTHING and not split_before
                    if split:
                        alone = True
                    elif position + 1 < end:
                        alone = classes[points[position + 1]] != DIGIT
                    else:
                        alone = padded
                elif kind == DASH:
                    alone = before == DIGIT
            before = kind
            split_before = split
            if kind <= DIGIT or not (alone or kind == SPACE):
                if opened < 0:
                    opened = position
                    code = seed
                    packed = 0
                    wide = 0
                code = mixed(code, point, multiplier)
                packed = (packed << 8 | point) & LOW_56
                wide |= point
                continue
            if opened >= 0:
                starts[tokens] = opened
                ends[tokens] = position
                codes[tokens] = token_code(code, packed, wide, position - opened)
                tokens += 1
                opened = -1
            if alone:
                starts[tokens] = position
                ends[tokens] = position + 1
                codes[tokens] = token_code(mixed(seed, point, multiplier), point, point, 1)
                tokens += 1
        if opened >= 0:
            starts[tokens] = opened
            ends[tokens] = end
            codes[tokens] = token_code(code, packed, wide, end - opened)
            tokens += 1
        bounds[row + 1] = tokens
    return tokens

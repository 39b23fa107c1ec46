"""
Run an automaton over texts, always to the longest match.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Ids, Offsets
from tertium.native.interning import Longs
from tertium.native.kernels import kernel

FAR = 32
"""Units beyond the last match after which it is remembered that they led nowhere."""
BEFORE_APOSTROPHE, BEFORE_SPACE, BEFORE_DIGIT, BEFORE_NOT = -1, -2, -3, -4


@kernel
def is_gap(unit: int) -> bool:
    """
    Say whether a UTF-16 unit is white space to the rules.
    """
    return (
        unit == 0x20
        or 0x09 <= unit <= 0x0D
        or unit == 0x85
        or unit == 0xA0
        or 0x2000 <= unit <= 0x200A
        or unit == 0x2028
        or unit == 0x2029
        or unit == 0x3000
    )


@kernel
def is_apostrophe(unit: int) -> bool:
    """
    Say whether a UTF-16 unit may stand for an apostrophe inside a word.
    """
    return unit in (0x27, 0x60, 0x91, 0x92, 0x2018, 0x2019, 0x201B)


@kernel
def token_end(units: NDArray[np.uint16], start: int, end: int, cut: int) -> int:
    """
    Find where the token ends in a match that goes on with what must follow it.
    """
    if cut >= 0:
        return end - cut
    if cut == BEFORE_SPACE:
        position = start
        while position < end and not is_gap(int(units[position])):
            position += 1
        return position
    if cut == BEFORE_DIGIT:
        return end - 2 if is_gap(int(units[end - 2])) else end - 1
    if cut == BEFORE_NOT:  # n, an apostrophe or &apos;, t
        return end - 3 if is_apostrophe(int(units[end - 2])) else end - 8
    for length in range(2, 4):  # an apostrophe and one or two letters
        if is_apostrophe(int(units[end - length])):
            return end - length
    return end - 7 if units[end - 2] == 0x3B else end - 8


@kernel
def scan_longest(
    units: NDArray[np.uint16],
    offsets: Offsets,
    classes: NDArray[np.uint8],
    feed: int,
    ended: bool,
    moves: NDArray[np.int16],
    accepts: NDArray[np.int16],
    rules: NDArray[np.int64],
    hopeless: NDArray[np.int16],
    starts: Longs,
    ends: Longs,
    kinds: Ids,
    bounds: Offsets,
) -> int:
    """
    Find the tokens of each text; what no pattern matches is left out, unit by unit.

    Args:
        units: The UTF-16 units of all texts.
        offsets: Where each text starts, and the end of the last.
        classes: The class of each unit.
        feed: The class of the line feed that follows each text.
        ended: Whether none follows the last.
        moves: See ``ptb_automaton.Automaton``.
        accepts: See there.
        rules: For each pattern its kind (0: no token), its cut (see ``token_end``), how many units are scanned again,
            and whether they belong to the token as well: 0 yes, 1 no, 2 only if the token has more than two units.
        hopeless: For each unit -1; written to: a state in which nothing is matched any more from there on.
        starts: Room for as many numbers as there are units; written to.
        ends: The same.
        kinds: The same.
        bounds: Written to: where each text's tokens start, and the end of the last.

    Returns:
        The number of tokens.
    """
    tokens = 0
    bounds[0] = 0
    for row in range(len(offsets) - 1):
        position = int(offsets[row])
        stop = int(offsets[row + 1])
        reach = stop - 1 if ended and row == len(offsets) - 2 else stop
        while position < stop:
            state = 0
            matched = -1
            end = position
            ahead = position
            while ahead <= reach:
                state = int(moves[state, classes[units[ahead]] if ahead < stop else feed])
                if state < 0 or (ahead - end > FAR and ahead < stop and hopeless[ahead] == state):
                    break
                ahead += 1
                if accepts[state] >= 0:
                    matched = int(accepts[state])
                    end = ahead
            if ahead - end > FAR:
                # Nothing was matched a long way: the next token must not go the same way again.
                state = 0
                for place in range(position, min(ahead, stop)):
                    state = int(moves[state, classes[units[place]]])
                    if place > end:
                        hopeless[place] = state
            if matched < 0:
                position += 1
                continue
            end = min(token_end(units, position, end, int(rules[matched, 1])), stop)
            again = end - int(rules[matched, 2])
            apart = rules[matched, 3]
            if rules[matched, 0] != 0:
                starts[tokens] = position
                ends[tokens] = again if apart == 1 or (apart == 2 and end - position == 2) else end
                kinds[tokens] = rules[matched, 0]
                tokens += 1
            position = max(again, position + 1)
        bounds[row + 1] = tokens
    return tokens

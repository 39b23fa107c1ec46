"""
Run an automaton over texts, always to the longest match.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Ids, Offsets
from tertium.native.interning import Longs, mixed
from tertium.native.kernels import inner_kernel, kernel, unsigned

FAR = 32
"""Units beyond the last match after which it is remembered that they led nowhere."""
SPACE = 0x20
SHORT = 1 << 60
"""The codes of words that are their own code start here."""
LAST = 1 << 61
"""Is added to the code of a word that the text ends with."""
LOW_56 = (1 << 56) - 1
MULTIPLIER = 0x5851F42D
"""Spreads codes over a table. Who writes words that share a place gains nothing but that none is remembered."""
MEMO = 1 << 14
"""Words that are remembered at most."""
BEFORE_APOSTROPHE, BEFORE_SPACE, BEFORE_DIGIT, BEFORE_NOT = -1, -2, -3, -4


@inner_kernel
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


@inner_kernel
def is_apostrophe(unit: int) -> bool:
    """
    Say whether a UTF-16 unit may stand for an apostrophe inside a word.
    """
    return unit in (0x27, 0x60, 0x91, 0x92, 0x2018, 0x2019, 0x201B)


@inner_kernel
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
def longest(
    units: NDArray[np.uint16],
    position: int,
    stop: int,
    reach: int,
    classes: NDArray[np.uint8],
    feed: int,
    moves: NDArray[np.int16],
    accepts: NDArray[np.int16],
    final: NDArray[np.bool_],
    hopeless: NDArray[np.int16],
) -> tuple[int, int, int]:
    """
    Find the longest match that starts at a place.

    Args:
        stop: Where the text ends.
        reach: The last place to look at: ``stop`` where a line feed follows, else the one before.
        final: For each state whether no move leads on.

    Returns:
        The pattern or -1, where its match ends, and up to where units were looked at (a place behind the text where
        what another match had found out was used instead).
    """
    state = 0
    matched = -1
    end = position
    ahead = position
    looked = position
    while ahead <= reach:
        looked = ahead + 1
        state = int(moves[state, classes[units[ahead]] if ahead < stop else feed])
        if state < 0:
            break
        if ahead - end > FAR and ahead < stop and hopeless[ahead] == state:
            looked = stop + 2
            break
        ahead += 1
        if accepts[state] >= 0:
            matched = int(accepts[state])
            end = ahead
        if final[state]:
            break
    if ahead - end > FAR:
        # Nothing was matched a long way: the next token must not go the same way again.
        state = 0
        for place in range(position, min(ahead, stop)):
            state = int(moves[state, classes[units[place]]])
            if place > end:
                hopeless[place] = state
    return matched, end, looked


@inner_kernel
def word_code(units: NDArray[np.uint16], start: int, stop: int, last: bool) -> tuple[int, int]:
    """
    Give where the word ends that starts at a place, at a space or at the end of the text, and its code.

    Equal words have equal codes. A word of at most seven units below 256 is its own code, from ``SHORT`` on; other
    codes are hashes below. ``LAST`` is added at the end of a text.
    """
    end = start
    packed = 0
    wide = 0
    while end < stop:
        unit = int(units[unsigned(end)])
        if unit == SPACE:
            break
        packed = (packed << 8 | unit) & LOW_56
        wide |= unit
        end += 1
    if end - start <= 7 and wide < 256:
        code = SHORT | (end - start) << 56 | packed
    else:
        code = 1
        for place in range(start, end):
            code = mixed(code, int(units[place]), MULTIPLIER)
        code &= SHORT - 1
    return end, code | LAST if last and end == stop else code


@kernel
def same(units: NDArray[np.uint16], start: int, end: int, other: int, other_end: int) -> bool:
    """
    Say whether two spans hold the same units.
    """
    length = end - start
    if other_end - other != length:
        return False
    equal = 0
    while equal < length and units[start + equal] == units[other + equal]:
        equal += 1
    return equal == length


@kernel
def scan_longest(
    units: NDArray[np.uint16],
    offsets: Offsets,
    classes: NDArray[np.uint8],
    feed: int,
    ended: bool,
    moves: NDArray[np.int16],
    accepts: NDArray[np.int16],
    final: NDArray[np.bool_],
    rules: NDArray[np.int64],
    hopeless: NDArray[np.int16],
    codes: Longs,
    memo: Longs,
    starts: Longs,
    ends: Longs,
    kinds: Ids,
    numbers: Ids,
    bounds: Offsets,
) -> int:
    """
    Find the tokens of each text; what no pattern matches is left out, unit by unit.

    The words between spaces are remembered. Where the tokens of one were found without a look beyond the space behind
    it, the same word before a space has the same tokens. So has a word at the end of a text where that word stands at
    the end of another.

    Args:
        units: The UTF-16 units of all texts.
        offsets: Where each text starts, and the end of the last.
        classes: The class of each unit.
        feed: The class of the line feed that follows each text.
        ended: Whether none follows the last.
        moves: See ``ptb_automaton.Automaton``.
        accepts: See there.
        final: For each state whether no move leads on.
        rules: For each pattern its kind (0: no token), its cut (see ``token_end``), how many units are scanned again,
            and whether they belong to the token as well: 0 yes, 1 no, 2 only if the token has more than two units.
        hopeless: For each unit -1; written to: a state in which nothing is matched any more from there on.
        codes: A table of -1, a power of two long: the code of the word that is remembered there; written to. A later
            word takes the place of an earlier one.
        memo: Room for that word's start and end, its first span and how many it has, one row for each code.
        starts: Room for as many numbers as there are units; written to: where each span starts that was found by the
            automaton.
        ends: The same: where it ends.
        kinds: The same: what it is.
        numbers: The same: for each token its span.
        bounds: Written to: where each text's tokens start, and the end of the last.

    Returns:
        The number of spans.
    """
    mask = len(codes) - 1
    blank = moves[0, classes[SPACE]]
    tokens = 0
    spans = 0
    bounds[0] = 0
    for row in range(len(offsets) - 1):
        position = int(offsets[row])
        stop = int(offsets[row + 1])
        fed = not ended or row < len(offsets) - 2
        reach = stop if fed else stop - 1
        while position < stop:
            if units[position] == SPACE:
                place = position + 1
                while place < stop and units[place] == SPACE:
                    place += 1
                # Spaces make one match, and other white space may join it.
                if place > reach or moves[blank, classes[units[place]] if place < stop else feed] < 0:
                    position = place
                    continue
            begin = position
            word, code = word_code(units, begin, stop, fed)
            slot = (code ^ (code >> 31)) * MULTIPLIER >> 20 & mask
            if (
                codes[slot] == code
                and begin < word
                and (word < stop or fed)
                and (code & SHORT or same(units, begin, word, memo[slot, 0], memo[slot, 1]))
            ):
                first = memo[slot, 2]
                for span in range(first, first + memo[slot, 3]):
                    numbers[tokens] = span
                    tokens += 1
                position = word
                continue
            first = spans
            far = 0
            while True:
                matched, end, looked = longest(
                    units, position, stop, reach, classes, feed, moves, accepts, final, hopeless
                )
                far = max(far, looked)
                if matched < 0:
                    position += 1
                else:
                    end = min(token_end(units, position, end, int(rules[matched, 1])), stop)
                    again = end - int(rules[matched, 2])
                    apart = rules[matched, 3]
                    if rules[matched, 0] != 0:
                        starts[spans] = position
                        ends[spans] = again if apart == 1 or (apart == 2 and end - position == 2) else end
                        kinds[spans] = rules[matched, 0]
                        numbers[tokens] = spans
                        spans += 1
                        tokens += 1
                    position = max(again, position + 1)
                if position >= word:
                    break
            if position == word and (far <= word + 1 if word < stop else fed):
                codes[slot] = code
                memo[slot, 0] = begin
                memo[slot, 1] = word
                memo[slot, 2] = first
                memo[slot, 3] = spans - first
        bounds[row + 1] = tokens
    return spans

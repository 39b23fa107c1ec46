"""
Run an automaton over texts, always to the longest match.
"""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import WINDOW, Ids, Offsets
from tertium.native.interning import Longs, mixed
from tertium.native.kernels import inner_kernel, kernel, unsigned

FAR = 32
"""Units beyond the last match after which it is remembered that they led nowhere."""
SPACE = 0x20
SHORT = 1 << 60
"""The codes of words that are their own code start here."""
LAST = 1 << 61
"""Is added to the code of a word that the text ends with."""
WINDOW_BITS = 8 * WINDOW
MEMO = 1 << 15
"""Twice the words that are remembered at most."""
BEFORE_APOSTROPHE, BEFORE_SPACE, BEFORE_DIGIT, BEFORE_NOT = -1, -2, -3, -4


@functools.cache
def lanes(size: int) -> Longs:
    """
    Give what :func:`word_code` needs to look at several units of one or two bytes at a time.

    Returns:
        A space in each, 1 in each, the highest bit in each but the last (so that no number is negative), and the
        bits of a unit.
    """
    bits, count = 8 * size, WINDOW // size
    ones = sum(1 << bits * lane for lane in range(count))
    highs = sum(1 << bits * lane + bits - 1 for lane in range(count - 1))
    return np.array([SPACE * ones, ones, highs, bits], np.int64)


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
def unit_at(windows: Longs, unit: int, place: int) -> int:
    """
    Give the UTF-16 unit at a place.

    Args:
        windows: Units, see ``columns.windows_of``.
        unit: The mask that leaves one of a window.
    """
    return int(windows[unsigned(place)]) & unit


@inner_kernel
def token_end(windows: Longs, unit: int, start: int, end: int, cut: int) -> int:
    """
    Find where the token ends in a match that goes on with what must follow it.
    """
    if cut >= 0:
        return end - cut
    if cut == BEFORE_SPACE:
        position = start
        while position < end and not is_gap(unit_at(windows, unit, position)):
            position += 1
        return position
    if cut == BEFORE_DIGIT:
        return end - 2 if is_gap(unit_at(windows, unit, end - 2)) else end - 1
    if cut == BEFORE_NOT:  # n, an apostrophe or &apos;, t
        return end - 3 if is_apostrophe(unit_at(windows, unit, end - 2)) else end - 8
    for length in range(2, 4):  # an apostrophe and one or two letters
        if is_apostrophe(unit_at(windows, unit, end - length)):
            return end - length
    return end - 7 if unit_at(windows, unit, end - 2) == 0x3B else end - 8


@kernel
def longest(
    windows: Longs,
    unit: int,
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
        state = int(moves[state, classes[unit_at(windows, unit, ahead)] if ahead < stop else feed])
        if state < 0:
            break
        if ahead - end > FAR and ahead < stop and hopeless[ahead] == state + 1:
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
            state = int(moves[state, classes[unit_at(windows, unit, place)]])
            if place > end:
                hopeless[place] = state + 1
    return matched, end, looked


@inner_kernel
def word_code(windows: Longs, lanes: Longs, salt: Longs, start: int) -> tuple[int, int]:
    """
    Give where the word ends that starts at a place, which is at a space, and its code.

    Equal words have equal codes. A word that ends within one window is its own code, from ``SHORT`` on; other codes are
    hashes below.

    Args:
        windows: Units, see ``columns.windows_of``.
        lanes: See :func:`lanes`.
        salt: See ``interning.salt``.
        start: The place.
    """
    spaces, ones, highs, bits = int(lanes[0]), int(lanes[1]), int(lanes[2]), int(lanes[3])
    spread = int(salt[0])
    step = WINDOW_BITS // bits - 1
    full = (1 << bits * step) - 1
    place = start
    code = 1
    while True:
        window = int(windows[unsigned(place)])
        # A unit becomes 0 where it is a space, and 0 alone loses its highest bit to a 1 that is taken away. What stands
        # behind the first space may be mistaken, and does not count.
        differing = window ^ spaces
        found = (differing - ones) & ~differing & highs
        if found != 0:
            break
        code = mixed(code, window & full, spread)
        place += step
    before = ((found & -found) - 1) >> (bits - 1)  # all bits of what stands before the space
    count = ((before & ones) * ones >> (WINDOW_BITS - bits)) & 7
    if place == start:
        return place + count, SHORT | count << 56 | (window & before)
    return place + count, mixed(code + count, window & before, spread) & (SHORT - 1)


@inner_kernel
def same(windows: Longs, lanes: Longs, start: int, end: int, other: int) -> bool:
    """
    Say whether the word at another place is the same as a word that does not end within one window.
    """
    step = WINDOW_BITS // int(lanes[3])
    last = end + 1 - step  # the space behind is looked at as well
    ahead = other - start
    place = start
    while place < last and windows[place] == windows[place + ahead]:
        place += step
    return place >= last and windows[last] == windows[last + ahead]


@kernel
def scan_longest(
    windows: Longs,
    unit: int,
    lanes: Longs,
    salt: Longs,
    offsets: Offsets,
    classes: NDArray[np.uint8],
    feed: int,
    ended: bool,
    moves: NDArray[np.int16],
    accepts: NDArray[np.int16],
    final: NDArray[np.bool_],
    rules: NDArray[np.int64],
    hopeless: NDArray[np.int16],
    memo: NDArray[np.int64],
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
        windows: The UTF-16 units of all texts with a space behind each, see ``columns.windows_of``.
        unit: The mask that leaves one of a window.
        lanes: See :func:`lanes`.
        salt: See ``interning.salt``.
        offsets: Where each text starts, and one would that followed the last.
        classes: The class of each unit.
        feed: The class of the line feed that follows each text.
        ended: Whether none follows the last.
        moves: See ``ptb_automaton.Automaton``.
        accepts: See there.
        final: For each state whether no move leads on.
        rules: For each pattern its kind (0: no token), its cut (see ``token_end``), how many units are scanned again,
            and whether they belong to the token as well: 0 yes, 1 no, 2 only if the token has more than two units.
        hopeless: For each unit 0; written to: one more than a state in which nothing is matched any more from there on.
        memo: Of shape (words, 4), a power of two long, -1 throughout; written to: the code of the word that is remembered
            there, where it starts, its first span and the one after its last. Once it is half full, no more are.
        starts: Room for as many numbers as there are units; written to: where each span starts that was found by the
            automaton.
        ends: The same: where it ends.
        kinds: The same: what it is.
        numbers: The same: for each token its span.
        bounds: Written to: where each text's tokens start, and the end of the last.

    Returns:
        The number of spans.
    """
    mask = len(memo) - 1
    blank = moves[0, classes[SPACE]]
    tokens = 0
    spans = 0
    known = 0
    bounds[0] = 0
    for row in range(len(offsets) - 1):
        position = int(offsets[row])
        stop = int(offsets[row + 1]) - 1
        fed = not ended or row < len(offsets) - 2
        reach = stop if fed else stop - 1
        while position < stop:
            if unit_at(windows, unit, position) == SPACE:
                place = position + 1
                while place < stop and unit_at(windows, unit, place) == SPACE:
                    place += 1
                # Spaces make one match, and other white space may join it.
                kind = int(classes[unit_at(windows, unit, place)]) if place < stop else feed
                if place > reach or moves[blank, kind] < 0:
                    position = place
                    continue
            begin = position
            word, code = word_code(windows, lanes, salt, begin)
            if word == stop:
                code |= LAST
            slot = (code ^ (code >> 31)) * int(salt[0]) >> 20 & mask
            while memo[slot, 0] >= 0 and not (
                memo[slot, 0] == code and (code & SHORT or same(windows, lanes, begin, word, memo[slot, 1]))
            ):
                slot = (slot + 1) & mask
            if memo[slot, 0] >= 0 and begin < word and (word < stop or fed):
                for span in range(memo[slot, 2], memo[slot, 3]):
                    numbers[tokens] = span
                    tokens += 1
                position = word
                continue
            first = spans
            far = 0
            while True:
                matched, end, looked = longest(
                    windows, unit, position, stop, reach, classes, feed, moves, accepts, final, hopeless
                )
                far = max(far, looked)
                if matched < 0:
                    position += 1
                else:
                    end = min(token_end(windows, unit, position, end, int(rules[matched, 1])), stop)
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
            if position == word and (far <= word + 1 if word < stop else fed) and 2 * known < mask:
                known += 1
                memo[slot, 0] = code
                memo[slot, 1] = begin
                memo[slot, 2] = first
                memo[slot, 3] = spans
        bounds[row + 1] = tokens
    return spans

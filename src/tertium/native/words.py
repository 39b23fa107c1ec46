"""
Find words by the rules of error-rate programs, and number them case by case, compiled.

Error rates compare words of one case only, so each case has a small table of its own, which stays in the processor's
nearest cache. Numbers are equal exactly where words are: a hash finds candidates and the characters decide.
"""

from __future__ import annotations

import functools
import secrets
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Ids, Offsets, Points
from tertium.native.interning import Longs
from tertium.native.kernels import inner_kernel, kernel

INSIDE, SOFT, HARD = range(3)

BITS = (1 << 61) - 1
LONG = 4096
"""Characters of a text from which many words may share their ends, so that all characters are hashed."""


@functools.cache
def multipliers() -> Longs:
    """
    Draw what characters are multiplied with in hashes, anew in each process: 64 odd numbers below 2^31.
    """
    return np.array([secrets.randbits(30) << 1 | 1 for _ in range(64)], np.int64)


@inner_kernel
def code_of(points: Points, start: int, end: int, factors: Longs, whole: bool) -> int:
    """
    Hash a word: all its characters, or its length, both ends and the middle, which tells the words of a sentence apart.

    Args:
        points: Code points.
        start: Where the word starts.
        end: Where it ends.
        factors: See :func:`multipliers`.
        whole: Whether all characters count.
    """
    code = end - start
    if whole or code == 0:
        for position in range(start, end):
            code = (code + int(points[position]) * int(factors[(position - start) & 63])) & BITS
        return code
    code += int(points[start]) * int(factors[0]) + int(points[min(start + 1, end - 1)]) * int(factors[1])
    code += int(points[(start + end) >> 1]) * int(factors[2])
    code += int(points[max(end - 2, start)]) * int(factors[3]) + int(points[end - 1]) * int(factors[4])
    return code


@kernel
def cut(
    points: Points, offsets: Offsets, classes: NDArray[np.uint8], factors: Longs, whole: bool, edges: Longs,
    starts: Longs, ends: Longs, codes: Longs, bounds: Longs,
) -> None:  # fmt: skip
    """
    Find the words of each text: a HARD character parts words, and so do two or more white-space characters in a row.

    One SOFT character alone is part of its word, except at the ends of a text.

    Args:
        points: The code points of all texts.
        offsets: Where each text starts, and the end of the last.
        classes: INSIDE, SOFT or HARD for each code point, 0x110000 long.
        factors: See :func:`multipliers`.
        whole: Whether all characters of a word are hashed.
        edges: Work space, one longer than the longest text.
        starts: Where each word starts; as long as ``points``.
        ends: Where each word ends; as long as ``points``.
        codes: The hash of each word; as long as ``points``.
        bounds: The offsets of the texts' words in these.
    """
    words = np.int64(0)
    bounds[0] = 0
    for row in range(len(offsets) - 1):
        first = int(offsets[row])
        text = points[first : offsets[row + 1]]
        # Where runs begin and end by turns. Nothing branches here, for where words end cannot be foreseen.
        found = 0
        before = 0
        for place in range(len(text)):
            inside = int(classes[text[place]] == INSIDE)
            edges[found] = place
            found += inside ^ before
            before = inside
        edges[found] = len(text)
        found += before
        run = 0
        while run < found:
            start = int(edges[run])
            end = int(edges[run + 1])
            run += 2
            while run < found and edges[run] - end == 1 and classes[text[end]] == SOFT:
                end = int(edges[run + 1])
                run += 2
            starts[words] = first + start
            ends[words] = first + end
            codes[words] = code_of(points, first + start, first + end, factors, whole)
            words += 1
        bounds[row + 1] = words


@kernel
def cut_at_spaces(
    points: Points,
    offsets: Offsets,
    factors: Longs,
    whole: bool,
    starts: Longs,
    ends: Longs,
    codes: Longs,
    bounds: Longs,
) -> None:
    """
    Find the words of each text between single spaces (U+0020), empty ones too, as a C++ ``getline`` loop does.

    Nothing follows a space at the end of a text, and an empty text has no word.

    Args:
        points: The code points of all texts.
        offsets: Where each text starts, and the end of the last.
        factors: See :func:`multipliers`.
        whole: Whether all characters of a word are hashed.
        starts: Where each word starts; as long as ``points``.
        ends: Where each word ends; as long as ``points``.
        codes: The hash of each word; as long as ``points``.
        bounds: The offsets of the texts' words in these.
    """
    words = np.int64(0)
    bounds[0] = 0
    for row in range(len(offsets) - 1):
        position = offsets[row]
        stop = offsets[row + 1]
        while position < stop:
            start = int(position)
            while position < stop and points[position] != 32:
                position += 1
            starts[words] = start
            ends[words] = position
            codes[words] = code_of(points, start, int(position), factors, whole)
            words += 1
            position += 1
        bounds[row + 1] = words


@kernel
def number(
    points: Points, starts: Longs, ends: Longs, codes: Longs, bounds: Longs, owned: Offsets, slots: Longs, ids: Ids
) -> int:
    """
    Give equal words of a case equal numbers, from 0 on.

    Args:
        points: Code points.
        starts: Where each word starts.
        ends: Where each word ends.
        codes: The hash of each word.
        bounds: The words of each text, references first, then one hypothesis a case.
        owned: Case i owns the references ``owned[i]:owned[i + 1]``.
        slots: Work space: a power of two, at least twice the words of the largest case.
        ids: The number of each word.

    Returns:
        One more than the largest number.
    """
    cases = len(owned) - 1
    references = owned[cases]
    most = 1
    for case in range(cases):
        total = (
            bounds[owned[case + 1]] - bounds[owned[case]] + bounds[references + case + 1] - bounds[references + case]
        )
        size = 8
        while size < 2 * total:
            size *= 2
        for slot in range(size):
            slots[slot] = -1
        known = 0
        for row in range(owned[case], owned[case + 1] + 1):
            text = row
            if row == owned[case + 1]:
                text = references + case
            for word in range(bounds[text], bounds[text + 1]):
                code = codes[word]
                length = ends[word] - starts[word]
                slot = (code ^ (code >> 15) ^ (code >> 31) ^ length) & (size - 1)
                while True:
                    other = slots[slot]
                    if other < 0:
                        slots[slot] = word
                        ids[word] = known
                        known += 1
                        break
                    if codes[other] == code and ends[other] - starts[other] == length:
                        offset = 0
                        while offset < length and points[starts[other] + offset] == points[starts[word] + offset]:
                            offset += 1
                        if offset == length:
                            ids[word] = ids[other]
                            break
                    slot = (slot + 1) & (size - 1)
        most = max(most, known)
    return most


def word_spans(points: Points, offsets: Offsets, classes: Any) -> tuple[Longs, Longs, Longs, Longs]:
    """
    Find the words of each text by a class table, or between single spaces where there is none.

    Returns:
        Starts, ends and hashes of all words in ``points``, and the offsets of the texts' words in these.
    """
    starts, ends, codes = (np.empty(len(points), np.int64) for _ in range(3))
    bounds = np.empty(len(offsets), np.int64)
    longest = int(np.diff(offsets).max(initial=0))
    whole = longest > LONG
    if classes is None:
        cut_at_spaces(points, offsets, multipliers(), whole, starts, ends, codes, bounds)
    else:
        cut(
            points, offsets, classes, multipliers(), whole, np.empty(longest + 1, np.int64), starts, ends, codes, bounds
        )
    count = int(bounds[-1])
    return starts[:count], ends[:count], codes[:count], bounds

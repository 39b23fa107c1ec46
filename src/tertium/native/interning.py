"""
Give equal tokens equal numbers, exactly.

Tokens are spans of code points. A short token is a number by itself; for a longer one a hash finds candidates and a
full comparison of contents decides. So two tokens share an id exactly when they hold the same code points. Ids count up in order of first occurrence, whatever the hash
does; its multipliers are drawn anew in each process, so that no text can be written to make it slow.
"""

from __future__ import annotations

import functools
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Ids, Places, Points, TokenColumn, offsets_of, text_column, text_of
from tertium.native.kernels import allocating_kernel, kernel, unsigned

Longs = NDArray[np.int64]
Whole = int | np.integer[Any]
"""A whole number as kernels handle them: Python's, or an element of an array."""

LOW_31 = 0x7FFFFFFF
LOW_62 = 0x3FFFFFFFFFFFFFFF
SHORT = 1 << 60
"""The codes of tokens that are their own code start here."""


@functools.cache
def salt() -> Longs:
    """
    Draw the hash multipliers of this process: four odd int64 below 2^31.
    """
    return np.array([secrets.randbits(30) << 1 | 1 for _ in range(4)], np.int64)


@kernel
def pair_hash(first: Whole, second: Whole, salt: Longs) -> Whole:
    """
    Hash two whole numbers below 2^31 to one below 2^63.
    """
    mixed: Whole = np.int64(first) * salt[0] + np.int64(second) * salt[1]
    return mixed ^ (mixed >> 16) ^ (mixed >> 33)


@kernel
def find_pair(slots: Longs, keys: Longs, first: Whole, second: Whole, salt: Longs) -> Whole:
    """
    Find the slot of a pair in an open-addressing table: the one that holds it, or the free one where it belongs.

    Args:
        slots: The ids at each slot, -1 where free; a power of two long, never full.
        keys: The pair of each id, as ``first << 32 | second``.
        first: The id of what comes before, at least 0.
        second: The token, at least 0.
        salt: See :func:`salt`.
    """
    wanted = np.int64(first) << 32 | np.int64(second)
    mask = len(slots) - 1
    slot = pair_hash(first, second, salt) & mask
    while slots[slot] >= 0 and keys[slots[slot]] != wanted:
        slot = (slot + 1) & mask
    return slot


@kernel
def table_size(entries: Whole) -> int:
    """
    Give the length of a table that stays at most half full: a power of two, at least 8.
    """
    size = 8
    while size < 2 * entries:
        size *= 2
    return size


@kernel
def mixed(code: int, point: int, multiplier: int) -> int:
    """
    Go on with a hash by one code point; all numbers are at least 0 and below 2^62.
    """
    return ((code ^ point) * multiplier) & LOW_62


@kernel
def token_codes(points: Points, starts: Longs, ends: Longs, salt: Longs, codes: Longs) -> None:
    """
    Give the codes of spans of code points: below ``SHORT`` a hash, else the token itself.

    A token of at most seven code points below 256 fits into 59 bits, so that equal codes mean equal tokens and no
    comparison of contents is needed.

    Args:
        points: Code points.
        starts: Where each token starts in ``points``.
        ends: Where each token ends.
        salt: See :func:`salt`.
        codes: Written to: the code of each span.
    """
    multiplier = int(salt[2])
    for token in range(len(starts)):
        start = int(starts[token])
        end = int(ends[token])
        if end - start <= 7:
            packed = 0
            wide = 0
            for position in range(start, end):
                point = int(points[unsigned(position)])
                packed = packed << 8 | point
                wide |= point
            if wide < 256:
                codes[token] = SHORT | (end - start) << 56 | packed
                continue
        code = int(salt[3])
        for position in range(start, end):
            code = mixed(code, int(points[unsigned(position)]), multiplier)
        codes[token] = code & (SHORT - 1)


@allocating_kernel
def intern_spans(
    points: Points,
    starts: Longs,
    ends: Longs,
    codes: Longs,
    slots: Longs,
    known_codes: Longs,
    edges: Longs,
    contents: NDArray[np.uint32],
    known: int,
    salt: Longs,
    ids: Ids,
) -> tuple[Longs, int]:
    """
    Number spans of code points, going on from what is known.

    Args:
        points: Code points.
        starts: Where each token starts in ``points``.
        ends: Where each token ends.
        codes: The code of each token, see :func:`token_codes`.
        slots: Open-addressing table of ``31 mixed bits of the code << 32 | id``, -1 where free, a power of two long
            and at most half full; written to.
        known_codes: The code of each known token, with room for one more for each span; written to.
        edges: Where each known token's code points start in ``contents``, and the end of the last, with room for one
            more for each span; written to.
        contents: The code points of the known tokens, with room for those of all spans; written to.
        known: How many tokens are known.
        salt: See :func:`salt`.
        ids: Written to: the id of each span.

    Returns:
        The table (a larger one if it had to grow) and the number of tokens that are known now.
    """
    multiplier = int(salt[2])
    words = known
    filled = edges[known]
    mask = len(slots) - 1
    for token in range(len(starts)):
        code = codes[token]
        bits = mixed(int(code), 0, multiplier)
        bits = (bits ^ (bits >> 32)) & LOW_31
        slot = bits & mask
        word = -1
        while slots[slot] >= 0:
            if slots[slot] >> 32 == bits:
                found = int(slots[slot] & LOW_31)
                if known_codes[found] == code:
                    if code >= SHORT:
                        word = found
                        break
                    start = starts[token]
                    first = edges[found]
                    length = ends[token] - start
                    if edges[found + 1] - first == length:
                        offset = 0
                        while offset < length and contents[first + offset] == points[start + offset]:
                            offset += 1
                        if offset == length:
                            word = found
                            break
            slot = (slot + 1) & mask
        if word < 0:
            word = words
            slots[slot] = bits << 32 | word
            known_codes[word] = code
            for position in range(starts[token], ends[token]):
                contents[filled] = points[position]
                filled += 1
            words += 1
            edges[words] = filled
            if 2 * words > len(slots):
                old = slots
                slots = np.empty(2 * len(old), np.int64)
                for free in range(len(slots)):
                    slots[free] = -1
                mask = len(slots) - 1
                for entry in old:
                    if entry >= 0:
                        place = (entry >> 32) & mask
                        while slots[place] >= 0:
                            place = (place + 1) & mask
                        slots[place] = entry
        ids[token] = word
    return slots, words


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """
    Hold the distinct tokens of a chunk by id.

    Args:
        table: Open-addressing table of ids; see :func:`intern_spans`.
        codes: The code of each token; see :func:`token_codes`.
        edges: Token i holds ``contents[edges[i]:edges[i + 1]]``.
        contents: Code points, uint32.
    """

    table: Longs
    codes: Longs
    edges: Longs
    contents: NDArray[np.uint32]

    def __len__(self) -> int:
        return len(self.edges) - 1

    def __getitem__(self, number: int) -> str:
        return text_of(self.contents[self.edges[number] : self.edges[number + 1]])

    def words(self) -> list[str]:
        """
        Give every token as a string, by id.
        """
        text, edges = text_of(self.contents), self.edges.tolist()
        return [text[start:end] for start, end in pairwise(edges)]

    @property
    def nbytes(self) -> int:
        """
        Give the memory that the arrays take.
        """
        return self.table.nbytes + self.codes.nbytes + self.edges.nbytes + self.contents.nbytes

    def extend(
        self, points: Points, starts: Places, ends: Places, codes: Longs | None = None
    ) -> tuple[Ids, Vocabulary]:
        """
        Number spans of code points; tokens seen before keep their ids.

        Args:
            points: Code points, uint8, uint16 or uint32.
            starts: Where each token starts.
            ends: Where each token ends.
            codes: The code of each token, where it is known already; see :func:`token_codes`.

        Returns:
            The id of each span (int32), and the vocabulary that also holds them. This one stays as it is.
        """
        ids = np.empty(len(starts), np.int32)
        if not len(starts):
            return ids, self
        starts, ends = starts.astype(np.int64, copy=False), ends.astype(np.int64, copy=False)  # one kernel for both
        if codes is None:
            codes = np.empty(len(starts), np.int64)
            token_codes(points, starts, ends, salt(), codes)
        known = _with_room(self.codes, len(starts))
        edges = _with_room(self.edges, len(starts))
        contents = _with_room(self.contents, int((ends - starts).sum()))
        table, words = intern_spans(
            points, starts, ends, codes, self.table.copy(), known, edges, contents, len(self), salt(), ids
        )
        if words == len(self):
            return ids, self
        edges = edges[: words + 1].copy()
        return ids, Vocabulary(table, known[:words].copy(), edges, contents[: edges[-1]].copy())


def _with_room(array: NDArray[Any], extra: int) -> NDArray[Any]:
    room = np.empty(len(array) + extra, array.dtype)
    room[: len(array)] = array
    return room


def empty_vocabulary() -> Vocabulary:
    """
    Give the vocabulary without a token.
    """
    none = np.empty(0, np.int64)
    return Vocabulary(np.full(64, -1, np.int64), none, np.zeros(1, np.int64), np.empty(0, np.uint32))


def intern_words(rows: Sequence[Sequence[str]], vocabulary: Vocabulary | None = None) -> TokenColumn:
    """
    Number token lists that were made in Python.

    Args:
        rows: For each row its tokens; any string is a token, the empty one too.
        vocabulary: What to go on from, so that ids compare with those of earlier columns.
    """
    column = text_column(list(chain.from_iterable(rows)))
    ids, grown = (vocabulary or empty_vocabulary()).extend(column.points, column.offsets[:-1], column.offsets[1:])
    return TokenColumn(ids, offsets_of(map(len, rows), len(rows)), grown)

"""
Give equal tokens equal numbers, exactly.

Tokens are spans of code points, which are read several at a time. A hash finds candidates and a full comparison of
contents decides, so two tokens share an id exactly when they hold the same code points. Ids count up in order of first
occurrence, whatever the hash does; its multipliers are drawn anew in each process, so that no text can be written to
make it slow.
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

from tertium.native.columns import (
    ROOM,
    Ids,
    Places,
    Points,
    TokenColumn,
    offsets_of,
    place_type,
    text_column,
    text_of,
    window_masks,
    windows_of,
)
from tertium.native.kernels import inner_kernel, kernel, unsigned

Longs = NDArray[np.int64]
Whole = int | np.integer[Any]
"""A whole number as kernels handle them: Python's, or an element of an array."""

LOW_31 = 0x7FFFFFFF
LOW_32 = 0xFFFFFFFF
LOW_62 = 0x3FFFFFFFFFFFFFFF


@functools.cache
def salt() -> Longs:
    """
    Draw the hash multipliers of this process: four odd int64 below 2^31.
    """
    return np.array([secrets.randbits(30) << 1 | 1 for _ in range(4)], np.int64)


@inner_kernel
def pair_hash(first: Whole, second: Whole, salt: Longs) -> Whole:
    """
    Hash two whole numbers below 2^31 to one below 2^63.
    """
    mixed: Whole = np.int64(first) * salt[0] + np.int64(second) * salt[1]
    return mixed ^ (mixed >> 16) ^ (mixed >> 33)


@inner_kernel
def find_pair(slots: Ids | Longs, keys: Longs, first: Whole, second: Whole, salt: Longs) -> Whole:
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
    while slots[unsigned(slot)] >= 0 and keys[unsigned(slots[unsigned(slot)])] != wanted:
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


@inner_kernel
def mixed(code: int, point: int, multiplier: int) -> int:
    """
    Go on with a hash by one code point; all numbers are at least 0 and below 2^62.
    """
    return ((code ^ point) * multiplier) & LOW_62


@kernel
def intern_spans(
    windows: Longs,
    masks: Longs,
    starts: Places,
    ends: Places,
    begin: int,
    adding: bool,
    table: NDArray[np.int64],
    smaller: NDArray[np.int64],
    known_windows: Longs,
    known_starts: Longs,
    known: int,
    factors: Longs,
    firsts: Longs,
    ids: Ids,
) -> tuple[int, int]:
    """
    Number spans of code points, going on from what is known.

    The first eight bytes of a token, its next eight and its length are all there is of a token of up to 16 bytes; what
    a longer one has beyond is compared where these and a hash of all are equal.

    Args:
        windows: Code points, see ``columns.windows_of``.
        masks: See ``columns.window_masks``.
        starts: Where each token starts in ``windows``.
        ends: Where each token ends.
        begin: The first token that is to be numbered.
        adding: Whether new tokens are to be known from now on. If not, each has the number after the largest.
        table: Open-addressing table of shape (slots, 4), a power of two long: a token's first and next eight bytes, its
            hash with its length in the lower half, and its id, -1 where free; written to.
        smaller: The table from which this one, still empty, grew; or an empty one.
        known_windows: The code points of the tokens that were known before, as wide.
        known_starts: Where each of these starts, and the end of the last.
        known: How many tokens are known by now.
        factors: See :func:`factors`.
        firsts: Written to: for each token that was not known before, the first of the spans that hold it.
        ids: Written to: the id of each span.

    Returns:
        How many spans are numbered: not all, if the table would get more than half full. And how many tokens are known.
    """
    factor_0, factor_1, factor_2, factor_3 = int(factors[0]), int(factors[1]), int(factors[2]), int(factors[3])
    factor_4, factor_5, factor_6 = int(factors[4]), int(factors[5]), int(factors[6])
    step = len(masks) - 1
    before = len(known_starts) - 1
    limit = len(table) - 1
    for old in range(len(smaller)):
        if smaller[old, 3] >= 0:
            slot = smaller[old, 2] >> 32 & limit
            while table[slot, 3] >= 0:
                slot = (slot + 1) & limit
            for column in range(4):
                table[slot, column] = smaller[old, column]
    for token in range(begin, len(starts)):
        start = int(starts[unsigned(token)])
        length = int(ends[unsigned(token)]) - start
        beyond = max(length - step, 0)
        mask = masks[unsigned(min(length, step))]
        first = int(windows[unsigned(start)] & mask)
        second = int(windows[unsigned(start + step)] & masks[unsigned(min(beyond, step))])
        last = int(windows[unsigned(start + beyond)] & mask)
        # Both halves of a word are multiplied with numbers of their own: the upper bits of the sum hash well.
        code = (first & LOW_32) * factor_0 + (first >> 32 & LOW_32) * factor_1
        code += (second & LOW_32) * factor_2 + (second >> 32 & LOW_32) * factor_3
        code += (last & LOW_32) * factor_4 + (last >> 32 & LOW_32) * factor_5
        code = (code + length * factor_6) & LOW_62
        if length > 3 * step:
            for place in range(start + 2 * step, start + beyond, step):
                word = int(windows[unsigned(place)])
                code = (code ^ code >> 31) * factor_6 + (word & LOW_32) * factor_0
                code = (code + (word >> 32 & LOW_32) * factor_1) & LOW_62
        code = code >> 32 << 32 | length
        slot = code >> 32 & limit
        number = table[unsigned(slot), 3]
        while number >= 0:
            differing = (table[unsigned(slot), 0] ^ first) | (table[unsigned(slot), 1] ^ second)
            if (differing | (table[unsigned(slot), 2] ^ code)) == 0:
                if length <= 2 * step:
                    break
                others, other = known_windows, known_starts[min(number, before)]
                if number >= before:
                    others, other = windows, np.int64(starts[firsts[number - before]])
                offset = 2 * step
                while offset < length and others[other + min(offset, beyond)] == windows[start + min(offset, beyond)]:
                    offset += step
                if offset >= length:
                    break
            slot = (slot + 1) & limit
            number = table[unsigned(slot), 3]
        if number < 0:
            if adding and 2 * known >= len(table):
                return token, known
            number = known
            if adding:
                table[slot, 0] = first
                table[slot, 1] = second
                table[slot, 2] = code
                table[slot, 3] = number
                firsts[number - before] = token
                known += 1
        ids[unsigned(token)] = number
    return len(starts), known


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """
    Hold the distinct tokens of a chunk by id.

    Args:
        table: Open-addressing table of ids; see :func:`intern_spans`.
        edges: Token i holds ``contents[edges[i]:edges[i + 1]]``.
        contents: Code points, uint8, uint16 or uint32, with ``columns.ROOM`` behind the last.
    """

    table: NDArray[np.int64]
    edges: Longs
    contents: Points

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
    def spans(self) -> tuple[Points, Longs, Longs]:
        """
        Give every token as a span of code points, by id: the code points, and where each token starts and ends.
        """
        return self.contents, self.edges[:-1], self.edges[1:]

    @property
    def nbytes(self) -> int:
        """
        Give the memory that the arrays take.
        """
        return self.table.nbytes + self.edges.nbytes + self.contents.nbytes

    def extend(self, points: Points, starts: Places, ends: Places) -> tuple[Ids, Vocabulary]:
        """
        Number spans of code points; tokens seen before keep their ids.

        Args:
            points: Code points, uint8, uint16 or uint32.
            starts: Where each token starts.
            ends: Where each token ends.

        Returns:
            The id of each span (int32), and the vocabulary that also holds them. This one stays as it is.
        """
        ids, table, firsts = self._numbered(points, starts, ends, True)
        if not len(firsts):
            return ids, self
        begin, lengths = starts[firsts], ends[firsts] - starts[firsts]
        added = np.cumsum(lengths, dtype=np.int64)
        places = np.repeat(begin - (added - lengths), lengths) + np.arange(added[-1])
        edges = np.concatenate([self.edges, self.edges[-1] + added])
        parts = [self.contents[: self.edges[-1]], points[places], np.zeros(ROOM, np.uint8)]
        width = np.promote_types(points.dtype, self.contents.dtype)
        return ids, Vocabulary(table, edges, np.concatenate(parts, dtype=width))

    def find(self, points: Points, starts: Places, ends: Places) -> Ids:
        """
        Find the ids of spans of code points.

        Args:
            points: Code points, uint8, uint16 or uint32.
            starts: Where each token starts.
            ends: Where each token ends.

        Returns:
            The id of each span (int32); the number of tokens for any that is not among them.
        """
        return self._numbered(points, starts, ends, False)[0]

    def _numbered(
        self, points: Points, starts: Places, ends: Places, adding: bool
    ) -> tuple[Ids, NDArray[np.int64], Longs]:
        """
        Give the ids of spans, a table that holds the new ones as well, and for each new one the first of its spans.
        """
        ids = np.empty(len(starts), np.int32)
        firsts = np.empty(len(starts) if adding else 0, np.int64)
        if not len(starts):
            return ids, self.table, firsts
        width = np.promote_types(points.dtype, self.contents.dtype)
        if len(self) and width != self.contents.dtype:  # the table holds code points
            same = empty_vocabulary(width).extend(*self.spans)[1]
            return same._numbered(points, starts, ends, adding)
        kind = place_type(len(points))  # one kernel for all that fit
        starts, ends = starts.astype(kind, copy=False), ends.astype(kind, copy=False)
        windows = windows_of(points, int(ends.max()), width)
        known_windows = windows_of(self.contents, int(self.edges[-1]), width)
        table, smaller = self.table.copy() if adding else self.table, self.table[:0]
        done, known = 0, len(self)
        while True:
            done, known = intern_spans(
                windows, window_masks(width.itemsize), starts, ends, done, adding, table, smaller, known_windows,
                self.edges, known, factors(), firsts, ids,
            )  # fmt: skip
            if done == len(starts):
                return ids, table, firsts[: known - len(self)]
            table, smaller = np.full((4 * len(table), 4), -1, np.int64), table


def empty_vocabulary(width: Any = np.uint8) -> Vocabulary:
    """
    Give the vocabulary without a token.

    Args:
        width: What its code points are at least as wide as: uint8, uint16 or uint32.
    """
    return Vocabulary(np.full((64, 4), -1, np.int64), np.zeros(1, np.int64), np.zeros(ROOM, width))


@functools.cache
def factors() -> Longs:
    """
    Draw the hash multipliers of this process for words of eight bytes: seven odd numbers below 2^62.
    """
    return np.array([secrets.randbits(61) << 1 | 1 for _ in range(7)], np.int64)


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

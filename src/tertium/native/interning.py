"""
Give equal tokens equal numbers, exactly.

Tokens are spans of code points. A hash finds candidates and a full comparison of contents decides, so two tokens
share an id exactly when they hold the same code points. Ids count up in order of first occurrence, whatever the hash
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

from tertium.native.columns import Ids, Points, TokenColumn, offsets_of, text_column, text_of
from tertium.native.kernels import kernel

Longs = NDArray[np.int64]
Whole = int | np.integer[Any]
"""A whole number as kernels handle them: Python's, or an element of an array."""

MASK = 0x7FFFFFFF


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
def intern_spans(
    points: Points,
    starts: Longs,
    ends: Longs,
    slots: Ids,
    hashes: Ids,
    edges: Longs,
    contents: NDArray[np.uint32],
    known: int,
    salt: Longs,
    hash_mask: int,
    ids: Ids,
) -> tuple[Ids, int]:
    """
    Number spans of code points, going on from what is known.

    Args:
        points: Code points.
        starts: Where each token starts in ``points``.
        ends: Where each token ends.
        slots: Open-addressing table of ids, -1 where free, a power of two long and at most half full; written to.
        hashes: The hash of each known id, with room for one more for each span; written to.
        edges: Where each known token's code points start in ``contents``, and the end of the last; written to.
        contents: The code points of the known tokens, with room for those of all spans; written to.
        known: How many tokens are known.
        salt: See :func:`salt`.
        hash_mask: Which bits of the hash to keep: all, except in tests of collisions.
        ids: Written to: the id of each span.

    Returns:
        The table (a larger one if it had to grow) and the number of tokens that are known now.
    """
    words = known
    filled = edges[known]
    mask = len(slots) - 1
    for token in range(len(starts)):
        start = starts[token]
        length = ends[token] - start
        code = length
        for offset in range(length):
            code = ((code ^ np.int64(points[start + offset])) * salt[2] + salt[3]) & 0x7FFFFFFFFFFF
            code ^= code >> 16
            code &= 0x7FFFFFFF
        code &= hash_mask
        slot = (code ^ (code >> 15)) & mask
        while True:
            word = slots[slot]
            if word < 0:
                break
            if np.int64(hashes[word]) == code and edges[word + 1] - edges[word] == length:
                first = edges[word]
                offset = 0
                while offset < length and contents[first + offset] == points[start + offset]:
                    offset += 1
                if offset == length:
                    break
            slot = (slot + 1) & mask
        if word < 0:
            word = words
            slots[slot] = word
            hashes[word] = code
            for offset in range(length):
                contents[filled + offset] = points[start + offset]
            filled += length
            words += 1
            edges[words] = filled
            if 2 * words > len(slots):
                slots = np.empty(2 * len(slots), np.int32)
                for slot in range(len(slots)):
                    slots[slot] = -1
                mask = len(slots) - 1
                for other in range(words):
                    moved = np.int64(hashes[other])
                    slot = (moved ^ (moved >> 15)) & mask
                    while slots[slot] >= 0:
                        slot = (slot + 1) & mask
                    slots[slot] = other
        ids[token] = word
    return slots, words


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """
    Hold the distinct tokens of a chunk by id.

    Args:
        slots: Open-addressing table of ids, -1 where free.
        hashes: The hash of each token.
        edges: Token i holds ``contents[edges[i]:edges[i + 1]]``.
        contents: Code points, uint32.
    """

    slots: Ids
    hashes: Ids
    edges: Longs
    contents: NDArray[np.uint32]

    def __len__(self) -> int:
        return len(self.hashes)

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
        return self.slots.nbytes + self.hashes.nbytes + self.edges.nbytes + self.contents.nbytes

    def extend(self, points: Points, starts: Longs, ends: Longs, hash_mask: int = MASK) -> tuple[Ids, Vocabulary]:
        """
        Number spans of code points; tokens seen before keep their ids.

        Args:
            points: Code points, uint8, uint16 or uint32.
            starts: int64, where each token starts.
            ends: int64, where each token ends.
            hash_mask: Which bits of the hash to keep: all, except in tests of collisions.

        Returns:
            The id of each span (int32), and the vocabulary that also holds them. This one stays as it is.
        """
        ids = np.empty(len(starts), np.int32)
        if not len(starts):
            return ids, self
        hashes = _with_room(self.hashes, len(starts))
        edges = _with_room(self.edges, len(starts))
        contents = _with_room(self.contents, int((ends - starts).sum()))
        slots, words = intern_spans(
            points, starts, ends, self.slots.copy(), hashes, edges, contents, len(self), salt(), hash_mask, ids
        )
        if words == len(self):
            return ids, self
        edges = edges[: words + 1].copy()
        return ids, Vocabulary(slots, hashes[:words].copy(), edges, contents[: edges[-1]].copy())


def _with_room(array: NDArray[Any], extra: int) -> NDArray[Any]:
    room = np.empty(len(array) + extra, array.dtype)
    room[: len(array)] = array
    return room


def empty_vocabulary() -> Vocabulary:
    """
    Give the vocabulary without a token.
    """
    return Vocabulary(np.full(64, -1, np.int32), np.empty(0, np.int32), np.zeros(1, np.int64), np.empty(0, np.uint32))


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

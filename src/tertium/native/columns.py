"""
Hold texts and tokens as columns: one array of contents, one array of offsets.

Row i of a column occupies ``contents[offsets[i]:offsets[i + 1]]``. Columns are built for one chunk of cases and are
never changed afterwards. The references of all cases stand in one column; case i owns its rows
``bounds[i]:bounds[i + 1]``, with the ``bounds`` of ``Cases``.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from tertium.native.interning import Vocabulary

Points = NDArray[Any]
"""Code points, 1, 2 or 4 bytes each (uint8, uint16, uint32)."""
Ids = NDArray[np.int32]
Offsets = NDArray[np.int64]
Places = NDArray[np.signedinteger[Any]]
"""Places in a row of code points: int32 where all of them fit, else int64."""

ROOM = 16
"""Code points behind the last one that a kernel may read when it takes several at once."""

WINDOW = 8
"""Bytes that a kernel reads at once."""


@dataclass(frozen=True, slots=True, eq=False)
class TextColumn:
    """
    Hold strings as code points.

    Args:
        points: All code points in a row, as wide as the widest of them asks: uint8, uint16 or uint32. More may
            follow, to make room.
        offsets: int64, one more than there are rows.
    """

    points: Points
    offsets: Offsets

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, row: int) -> str:
        return text_of(self.points[self.offsets[row] : self.offsets[row + 1]])

    @property
    def lengths(self) -> Offsets:
        """
        Give the number of code points of each row, int64.
        """
        return np.diff(self.offsets)

    @property
    def nbytes(self) -> int:
        """
        Give the memory that the arrays take.
        """
        return self.points.nbytes + self.offsets.nbytes


@dataclass(frozen=True, slots=True, eq=False)
class SpanColumn:
    """
    Hold token sequences as spans of code points.

    Args:
        points: Code points; a kernel that reads several at once finds more behind the last token only if there are.
        starts: Where each token starts among them.
        ends: Where each token ends.
        offsets: int64: row i has the tokens ``offsets[i]:offsets[i + 1]``.
    """

    points: Points
    starts: Places
    ends: Places
    offsets: Offsets

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, row: int) -> list[str]:
        tokens = range(self.offsets[row], self.offsets[row + 1])
        return [text_of(self.points[self.starts[token] : self.ends[token]]) for token in tokens]

    @property
    def lengths(self) -> Offsets:
        """
        Give the number of tokens of each row, int64.
        """
        return np.diff(self.offsets)

    @property
    def nbytes(self) -> int:
        """
        Give the memory that the arrays take.
        """
        return self.points.nbytes + self.starts.nbytes + self.ends.nbytes + self.offsets.nbytes


@dataclass(frozen=True, slots=True, eq=False)
class TokenColumn:
    """
    Hold token sequences as ids that are equal exactly when the tokens are.

    Args:
        ids: int32 ids into the vocabulary.
        offsets: int64, one more than there are rows.
        vocabulary: What the ids stand for. Ids of two columns compare only if one vocabulary extends the other.
    """

    ids: Ids
    offsets: Offsets
    vocabulary: Vocabulary

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, row: int) -> list[str]:
        return [self.vocabulary[number] for number in self.ids[self.offsets[row] : self.offsets[row + 1]]]

    @property
    def lengths(self) -> Offsets:
        """
        Give the number of tokens of each row, int64.
        """
        return np.diff(self.offsets)

    @property
    def nbytes(self) -> int:
        """
        Give the memory that the arrays take, the vocabulary's included.
        """
        return self.ids.nbytes + self.offsets.nbytes + self.vocabulary.nbytes


def offsets_of(lengths: Iterable[int], count: int) -> Offsets:
    """
    Turn the lengths of ``count`` rows into offsets.
    """
    offsets = np.zeros(count + 1, np.int64)
    offsets[1:] = np.fromiter(lengths, np.int64, count)
    return np.cumsum(offsets, out=offsets)


def text_column(strings: Sequence[str], joined: str | None = None) -> TextColumn:
    """
    Lay out strings as one column of code points.

    Joining and encoding are copies inside the interpreter: no loop over characters runs here. Lone surrogates and
    NUL are code points like any other.

    Args:
        strings: The strings.
        joined: All of them in a row, where they have been joined already; more may follow.
    """
    whole = "".join(strings) if joined is None else joined
    return TextColumn(code_points(whole), offsets_of(map(len, strings), len(strings)))


def joined_with_room(strings: Sequence[str]) -> str:
    """
    Join strings, with ``ROOM`` characters more behind the last.
    """
    return "".join([*strings, "\0" * ROOM])


def span_column(rows: Sequence[Sequence[str]]) -> SpanColumn:
    """
    Lay out token lists that were made in Python; any string is a token, the empty one too.
    """
    tokens = list(chain.from_iterable(rows))
    column = text_column(tokens, joined_with_room(tokens))
    edges = column.offsets.astype(place_type(len(column.points)))
    return SpanColumn(column.points, edges[:-1], edges[1:], offsets_of(map(len, rows), len(rows)))


def place_type(count: int) -> type[np.signedinteger[Any]]:
    """
    Give the type of places among so many code points.
    """
    return np.int32 if count <= np.iinfo(np.int32).max else np.int64


def windows_of(points: Points, end: int, width: np.dtype[Any] | None = None) -> NDArray[np.int64]:
    """
    View code points as overlapping words of eight bytes, one that starts at each code point.

    Kernels are compiled once for such a view, however wide the code points are.

    Args:
        points: Code points.
        end: Where the last token ends in them. Without ``ROOM`` behind it they are copied.
        width: As what to take them: at least as wide as they are.
    """
    if end + ROOM > len(points):
        points = np.concatenate([points, np.zeros(ROOM, points.dtype)])
    points = points.astype(width or points.dtype, copy=False)
    size = points.itemsize
    windows = np.ndarray(len(points) - WINDOW // size + 1, np.int64, np.ascontiguousarray(points), 0, (size,))
    windows.flags.writeable = False
    return windows


@functools.cache
def window_masks(size: int) -> NDArray[np.int64]:
    """
    Give for 0, 1... code points of some bytes each the mask that keeps so many of a window's first.
    """
    kept = np.arange(WINDOW) < np.arange(WINDOW // size + 1)[:, None] * size
    return np.where(kept, 0xFF, 0).astype(np.uint8).view(np.int64)[:, 0].copy()


def code_points(text: str) -> Points:
    """
    Give the code points of a string, as narrow as the widest of them allows.
    """
    try:
        return np.frombuffer(text.encode("latin-1"), np.uint8)
    except UnicodeEncodeError:
        pass
    wide = text.encode("utf-16-le", "surrogatepass")
    if len(wide) == 2 * len(text):  # one unit each: nothing beyond the basic plane
        return np.frombuffer(wide, "<u2").astype(np.uint16, copy=False)
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4").astype(np.uint32, copy=False)


def text_of(points: Points) -> str:
    """
    Give the string with these code points.
    """
    return points.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")

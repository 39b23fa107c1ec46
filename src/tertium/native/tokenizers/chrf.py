"""
Cut words as chrF++ does: at white space, then one ASCII punctuation mark off one end of each word.

A word of one character stays; of a longer one the last character is split off if it is punctuation, else the first
if it is (Popović 2017, section 3; the same rule in chrF++.py and sacreBLEU).
"""

from __future__ import annotations

import functools
import string
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from tertium.native.columns import SpanColumn, TextColumn
from tertium.native.tokenizers.tokenizer import Classes, ScanTokenizer, space_classes

_MARKS = np.zeros(0x80, np.bool_)
_MARKS[[ord(mark) for mark in string.punctuation]] = True


@dataclass(frozen=True)
class WordTokenizer(ScanTokenizer):
    """
    Cut words at white space and one punctuation mark off each.

    Args:
        classes: Gives the class of each code point; only white space matters.
    """

    classes: Callable[[], Classes] = space_classes

    def spans_of(self, column: TextColumn) -> SpanColumn:
        """
        Find the words of texts that are laid out already.
        """
        from tertium.native.tokenizers.marks import part_marks

        words = super().spans_of(column)
        starts, ends = (np.empty(2 * len(words.starts), words.starts.dtype) for _ in range(2))
        offsets = np.empty(len(words) + 1, np.int64)
        count = part_marks(column.points, words.starts, words.ends, words.offsets, _MARKS, starts, ends, offsets)
        return SpanColumn(column.points, starts[:count], ends[:count], offsets)


@functools.cache
def _ascii_spaces() -> Classes:
    from tertium.native.tokenizers.scan import SPACE

    classes = np.zeros(0x110000, np.uint8)
    classes[[ord(space) for space in string.whitespace]] = SPACE
    classes.flags.writeable = False
    return classes


@dataclass(frozen=True)
class ByteWordTokenizer(WordTokenizer):
    """
    Cut words of UTF-8 bytes by the same rule, as chrF++.py does on Python 2: only ASCII white space splits.
    """

    classes: Callable[[], Classes] = _ascii_spaces

    def _prepared(self, texts: Sequence[str]) -> Sequence[str]:
        return as_bytes(super()._prepared(texts))


def as_bytes(texts: Sequence[str]) -> list[str]:
    """
    Give texts whose characters are the bytes of UTF-8.
    """
    return [text.encode("utf-8", "surrogatepass").decode("latin-1") for text in texts]


WORDS = WordTokenizer("chrf-words")
BYTE_WORDS = ByteWordTokenizer("chrf-byte-words")

"""
Cut words as chrF++ does: at white space, then one ASCII punctuation mark off one end of each word.

A word of one character stays; of a longer one the last character is split off if it is punctuation, else the first
if it is (Popović 2017, section 3; the same rule in chrF++.py and sacreBLEU).
"""

from __future__ import annotations

import string
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium.native.columns import TokenColumn, text_column
from tertium.native.tokenizers.tokenizer import Classes, ScanTokenizer, Tokenizer, cut, space_classes

if TYPE_CHECKING:
    from tertium.native.interning import Vocabulary

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

    def _column(self, texts: Sequence[str], vocabulary: Vocabulary | None) -> TokenColumn:
        from tertium.native.interning import empty_vocabulary
        from tertium.native.tokenizers.marks import part_marks

        column = text_column(texts)
        starts, ends, _, offsets = cut(column, self.classes())
        parts = np.empty((2, 2 * len(starts)), np.int64)
        rows = np.empty(len(offsets), np.int64)
        count = part_marks(column.points, starts, ends, offsets, _MARKS, parts[0], parts[1], rows)
        ids, grown = (vocabulary or empty_vocabulary()).extend(column.points, parts[0, :count], parts[1, :count])
        return TokenColumn(ids, rows, grown)


WORDS = WordTokenizer("chrf-words")


@dataclass(frozen=True)
class ByteWordTokenizer(Tokenizer):
    """
    Cut words of UTF-8 bytes by the same rule, as chrF++.py does on Python 2: only ASCII white space splits.
    """

    def _column(self, texts: Sequence[str], vocabulary: Vocabulary | None) -> TokenColumn:
        from tertium.native.interning import intern_words

        return intern_words([_byte_words(text) for text in texts], vocabulary)


BYTE_WORDS = ByteWordTokenizer("chrf-byte-words")


def _byte_words(text: str) -> list[str]:
    marks = string.punctuation.encode()
    words: list[bytes] = []
    for word in text.encode("utf-8", "surrogatepass").split():
        if len(word) > 1 and word[-1] in marks:
            words += [word[:-1], word[-1:]]
        elif len(word) > 1 and word[0] in marks:
            words += [word[:1], word[1:]]
        else:
            words.append(word)
    return [word.decode("latin-1") for word in words]

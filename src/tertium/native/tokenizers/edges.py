"""
Split punctuation from the edges of words, as the GLEU calculator does: ``end.`` becomes ``end`` and ``.``.
"""

from __future__ import annotations

import functools
import string
import sys
import unicodedata

from tertium.native.tokenizers.tokenizer import FunctionTokenizer


@functools.cache
def _punctuation() -> str:
    """
    Gather ASCII punctuation and symbols, and every character of Unicode category P.
    """
    wide = (chr(point) for point in range(0x80, sys.maxunicode + 1))
    return string.punctuation + "".join(mark for mark in wide if unicodedata.category(mark)[0] == "P")


@functools.lru_cache(maxsize=1 << 16)
def split_word(word: str) -> tuple[str, ...]:
    """
    Cut a word without white space: each punctuation mark before and after it is a token of its own.
    """
    marks = _punctuation()
    left = len(word) - len(word.lstrip(marks))
    if left == len(word):
        return tuple(word)
    right = len(word.rstrip(marks))
    return (*word[:left], word[left:right], *word[right:])


def split_edges(text: str) -> list[str]:
    """
    Cut a text at white space, and each word at its edges.
    """
    return [token for word in text.split() for token in split_word(word)]


EDGES = FunctionTokenizer(f"edge-punctuation(unicode {unicodedata.unidata_version})", function=split_edges)

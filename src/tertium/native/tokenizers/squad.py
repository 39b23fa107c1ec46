"""
Normalize and cut answers as the SQuAD evaluators do: lower case, no ASCII punctuation, no articles.

The scripts in Python know the articles by Unicode word boundaries and any white space. The evaluator in the browser
knows ASCII boundaries, so that it finds an article within a word with accents, and replaces white space by a space
only where there are two or more in a row.
"""

from __future__ import annotations

import functools
import re
import string
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tertium.native.columns import SpanColumn, text_column
from tertium.native.tokenizers.tokenizer import Classes, FunctionTokenizer, Tokenizer

_STRUCK = str.maketrans("", "", string.punctuation)
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_ASCII_ARTICLE = re.compile(r"\b(?:a|an|the)\b", re.ASCII)
# what ECMAScript takes for white space
_BLANK = "\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_BLANKS = re.compile(f"[{_BLANK}]{{2,}}")
_MARGIN = re.compile(f"^[{_BLANK}]+|[{_BLANK}]+\\Z")


@functools.cache
def answer_classes() -> Classes:
    """
    Give the class of each code point, see ``squad_words``; what is a letter depends on Python's Unicode version.
    """
    from tertium.native.squad_words import OTHER, SPACE, STRUCK, WORD

    kinds = [WORD if char.isalnum() else SPACE if char.isspace() else OTHER for char in map(chr, range(0x110000))]
    classes = np.array(kinds, np.uint8)
    classes[list(map(ord, string.punctuation))] = STRUCK
    classes.flags.writeable = False
    return classes


@dataclass(frozen=True)
class AnswerTokenizer(Tokenizer):
    """
    Cut answers as the scripts in Python do, compiled.
    """

    def _spans(self, texts: Sequence[str]) -> SpanColumn:
        from tertium.native.squad_words import answer_words

        column = text_column(texts)
        points = column.points
        kept = np.empty(len(points) + 1, points.dtype)
        starts, ends = np.empty((2, len(points) + 1), np.int64)
        offsets = np.empty(len(column) + 1, np.int64)
        count = answer_words(points, column.offsets, answer_classes(), kept, starts, ends, offsets)
        kept.flags.writeable = False  # as the points of any text are
        return SpanColumn(kept, starts[:count], ends[:count], offsets)


def normal_answer(text: str) -> str:
    """
    Normalize an answer as the scripts in Python do.
    """
    return " ".join(_ARTICLE.sub(" ", text.lower().translate(_STRUCK)).split())


def normal_answer_in_browser(text: str) -> str:
    """
    Normalize an answer as the evaluator in the browser does.
    """
    return _MARGIN.sub("", _BLANKS.sub(" ", _ASCII_ARTICLE.sub(" ", text.translate(_STRUCK).lower())))


def _browser_words(text: str) -> list[str]:
    return normal_answer_in_browser(text).split(" ")


ANSWERS = AnswerTokenizer("squad", True)
BROWSER_ANSWERS = FunctionTokenizer("squad-browser", function=_browser_words)

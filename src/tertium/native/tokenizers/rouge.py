"""
Tokenize as the ROUGE implementations do.
"""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tertium.native.columns import SpanColumn, TextColumn, code_points, joined_with_room, offsets_of
from tertium.native.tokenizers.tokenizer import Classes, FunctionTokenizer, ScanTokenizer


@functools.cache
def word_classes() -> Classes:
    """
    Give the class table in which all but letters, marks and numbers is white space.
    """
    from tertium.native.tokenizers.scan import ORDINARY, SPACE

    category = unicodedata.category
    kept = np.array([category(chr(point))[0] in "LMN" for point in range(0x110000)], np.bool_)
    classes = np.where(kept, ORDINARY, SPACE).astype(np.uint8)
    classes.flags.writeable = False
    return classes


@dataclass(frozen=True)
class AlphanumericTokenizer(ScanTokenizer):
    """
    Lower the case and keep runs of a-z and 0-9.

    Args:
        every_script: Lower the case as Unicode has it, by which the Kelvin sign becomes a k and the dotted capital I
            an i, or that of A to Z alone.
    """

    every_script: bool = True

    def _prepared(self, texts: Sequence[str]) -> Sequence[str]:
        return texts

    def _spans(self, texts: Sequence[str]) -> SpanColumn:
        from tertium.native.tokenizers.folding import fold

        every_script = self.every_script or self.lowercase
        joined = joined_with_room(texts)
        if every_script and "\u0130" in joined:
            # the only character whose lower case is two: an i, and a combining dot, which parts words
            texts = [text.replace("\u0130", "i\u0307") for text in texts]
            joined = joined_with_room(texts)
        wide = code_points(joined)
        points = np.empty(len(wide), np.uint8)
        fold(wide, every_script, points)
        return self.spans_of(TextColumn(points, offsets_of(map(len, texts), len(texts))))


def split_at_each_space(text: str) -> list[str]:
    """
    Split at every U+0020 and nothing else: two in a row have an empty token between them.
    """
    return text.split(" ")


def split_at_periods(text: str) -> list[str]:
    """
    Split at periods, then at white space; a blank piece between periods is an empty token.
    """
    return [token for piece in text.split(".") if piece for token in (piece.split() or [""])]


ROUGE_SCORE = AlphanumericTokenizer("rouge-score")
ROUGE_155 = AlphanumericTokenizer("rouge-1.5.5", every_script=False)
WORDS = ScanTokenizer(f"words (Unicode {unicodedata.unidata_version})", classes=word_classes)
SINGLE_SPACE = FunctionTokenizer("single-space", function=split_at_each_space)
PERIODS = FunctionTokenizer("periods", function=split_at_periods)

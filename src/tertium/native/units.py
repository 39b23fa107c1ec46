"""
Turn texts into the units that edits are counted in: words, code points or grapheme clusters.
"""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from tertium.cases import Cases
from tertium.native.columns import Ids, Offsets, Points, text_column
from tertium.native.graphemes import edition, graphemes, separate
from tertium.native.normalizing import Normalizer

Unit = Literal["word", "codepoint", "grapheme"]
Split = Literal["jiwer", "jiwer-ascii", "whitespace", "unicode", "ascii", "space"]
Blanks = Literal["strip", "keep", "ignore", "ignore-ascii"]

ASCII_BLANKS = " \t\n\v\f\r"
_WITHOUT_ASCII_BLANKS = {ord(blank): None for blank in ASCII_BLANKS}


@dataclass(frozen=True)
class Column:
    """
    Hold sequences of units as numbers that are equal, within a case, exactly when the units are.

    Args:
        ids: The numbers of all units in a row, below ``size``.
        offsets: Where each sequence starts, and the end of the last.
        size: One more than the largest number can be.
    """

    ids: Ids
    offsets: Offsets
    size: int

    def __len__(self) -> int:
        return len(self.offsets) - 1


@dataclass(frozen=True)
class Units:
    """
    Say how texts are cut.

    Args:
        unit: What a unit is.
        split: Where words end: ``jiwer`` at a space and at any two white-space characters, ``jiwer-ascii`` at all
            ASCII white space as well, ``whitespace`` or ``unicode`` at all Unicode white space, ``ascii`` at ASCII white space, ``space`` at each single space, empty words kept.
        blanks: White space among characters: strip the ends, keep all, ignore all of Unicode's or ASCII's.
        normalizer: What is done to each text first.
    """

    unit: Unit = "word"
    split: Split = "jiwer"
    blanks: Blanks = "strip"
    normalizer: Normalizer = field(default_factory=Normalizer)

    @property
    def editions(self) -> dict[str, str]:
        """
        Name the tables in force that decide clusters, forms and letter case.
        """
        found = {"clusters": edition()} if self.unit == "grapheme" else {}
        if self.split == "unicode":
            found["split"] = "whitespace"  # two names of one rule
        rule = self.normalizer
        changes = rule.form != "none" or rule.strip_format or rule.strip_punctuation
        if changes or rule.case in ("lower", "casefold"):
            found["unicode"] = unicodedata.unidata_version
        return found

    def pieces(self, text: str) -> list[str]:
        """
        Cut one text into its units.
        """
        text = self._shown(text)
        if self.unit != "word":
            return self.characters(text)
        from tertium.native.words import word_spans

        column = text_column([text])
        starts, ends, *_ = word_spans(_wide(column.points), column.offsets, _classes(self.split))
        return [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]

    def characters(self, text: str) -> list[str]:
        """
        Cut a text, as it stands, into code points or grapheme clusters.
        """
        return graphemes(text) if self.unit == "grapheme" else list(text)

    def columns(self, cases: Cases) -> tuple[Column, Column]:
        """
        Cut the references and hypotheses of cases, with numbers that compare within each case.
        """
        sides = [self._all_shown(texts) for texts in (cases.flat_references, cases.hypotheses)]
        if self.unit == "word":
            return _words(sides[0], sides[1], cases.bounds, _classes(self.split))
        if self.unit == "codepoint" or all(separate("".join(texts)) for texts in sides):
            return _points(sides[0]), _points(sides[1])
        from tertium.native.interning import intern_words

        references = intern_words([graphemes(text) for text in sides[0]])
        hypotheses = intern_words([graphemes(text) for text in sides[1]], references.vocabulary)
        size = max(len(hypotheses.vocabulary), 1)
        return Column(references.ids, references.offsets, size), Column(hypotheses.ids, hypotheses.offsets, size)

    def pair(self, reference: str, hypothesis: str) -> tuple[Column, Column]:
        """
        Cut one reference and one hypothesis, with numbers that compare.
        """
        return self.columns(Cases([hypothesis], [[reference]]))

    def _shown(self, text: str) -> str:
        return self._all_shown([text])[0]

    def _all_shown(self, texts: Sequence[str]) -> Sequence[str]:
        texts = self.normalizer.all(texts)
        if self.unit == "word":
            return texts
        if self.blanks == "strip":
            return [text.strip() for text in texts]
        if self.blanks == "ignore":
            return ["".join(text.split()) for text in texts]
        return [text.translate(_WITHOUT_ASCII_BLANKS) for text in texts] if self.blanks == "ignore-ascii" else texts


def _points(texts: Sequence[str]) -> Column:
    column = text_column(texts)
    size = int(column.points.max()) + 1 if len(column.points) else 1
    return Column(column.points.astype(np.int32), column.offsets, size)


def _words(references: Sequence[str], hypotheses: Sequence[str], owned: Offsets, classes: Any) -> tuple[Column, Column]:
    from tertium.native.words import number, word_spans

    column = text_column([*references, *hypotheses])
    points = _wide(column.points)
    starts, ends, codes, bounds = word_spans(points, column.offsets, classes)
    ids = np.empty(len(starts), np.int32)
    middle = bounds[len(references)]
    words = bounds[owned[1:]] - bounds[owned[:-1]] + np.diff(bounds[len(references) :])
    slots = np.empty(max(8, 1 << int(2 * words.max()).bit_length()), np.int64)
    size = number(points, starts, ends, codes, bounds, np.array(owned, np.int64), slots, ids)
    left = Column(ids[:middle], bounds[: len(references) + 1], size)
    return left, Column(ids[middle:], bounds[len(references) :] - middle, size)


def _wide(points: Points) -> Points:
    # One width fewer to compile kernels for.
    return points.astype(np.uint16) if points.dtype == np.uint8 else points


@functools.cache
def _classes(split: Split) -> Any:
    from tertium.native.words import HARD, SOFT

    if split == "space":
        return None
    classes = np.zeros(0x110000, np.uint8)
    if split != "ascii":
        classes[[point for point in range(0x3001) if chr(point).isspace()]] = (
            HARD if split in ("whitespace", "unicode") else SOFT
        )
    if split in ("ascii", "jiwer-ascii"):
        classes[[ord(blank) for blank in ASCII_BLANKS]] = HARD
    classes[32] = HARD
    return classes

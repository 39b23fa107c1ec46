"""
Turn texts into the units that edits are counted in: words, code points or grapheme clusters.
"""

from __future__ import annotations

import functools
import itertools
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tertium.cases import Cases
from tertium.errors import BadText
from tertium.native.columns import Ids, Offsets, Points, text_column
from tertium.native.graphemes import edition, graphemes, separate
from tertium.native.normalizing import Normalizer
from tertium.native.text_changes import ASCII_BLANKS, delete_blanks

Unit = Literal["word", "codepoint", "grapheme"]
Side = Literal["reference", "hypothesis"]
Blanks = Literal["strip", "keep", "ignore", "ignore-ascii"]

SPLITS = ("jiwer", "jiwer-ascii", "whitespace", "unicode", "ascii", "space")
AT = "at:"


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


class Cut(NamedTuple):
    """
    Hold both sides of cases in units.

    Attributes:
        references: Of all cases, in the order of ``Cases.flat_references``; one sequence where the corpus is joined.
        hypotheses: One sequence a case; one in all where the corpus is joined.
        left_out: Which references are taken out with their hypotheses, or None where no step takes texts out.
    """

    references: Column
    hypotheses: Column
    left_out: NDArray[np.bool_] | None


@dataclass(frozen=True)
class Units:
    """
    Say how texts are cut.

    Args:
        unit: What a unit is.
        split: Where words end: ``jiwer`` at a space and at any two white-space characters, ``jiwer-ascii`` at all
            ASCII white space as well, ``whitespace`` or ``unicode`` at all Unicode white space, ``ascii`` at ASCII
            white space, ``space`` at each single space, empty words kept, ``at:`` at the text behind it.
        blanks: White space among characters: strip the ends, keep all, ignore all of Unicode's or ASCII's.
        normalizer: What is done to each text first.
        hypothesis_normalizer: What is done to hypotheses instead, or None.
        hypothesis_split: Where the words of hypotheses end instead, or None.
        joined: Whether all texts of a side are one: those that are not empty, with a space between.
    """

    unit: Unit = "word"
    split: str = "jiwer"
    blanks: Blanks = "strip"
    normalizer: Normalizer = field(default_factory=Normalizer)
    hypothesis_normalizer: Normalizer | None = None
    hypothesis_split: str | None = None
    joined: bool = False

    @property
    def editions(self) -> dict[str, str]:
        """
        Name the tables in force that decide clusters, forms and letter case.
        """
        found = {"clusters": edition()} if self.unit == "grapheme" else {}
        for name in ("split", "hypothesis_split"):
            if getattr(self, name) == "unicode":
                found[name] = "whitespace"  # two names of one rule
        for rule in (self.normalizer, self.hypothesis_normalizer or self.normalizer):
            changes = rule.form != "none" or rule.strip_format or rule.strip_punctuation
            if changes or rule.case in ("lower", "upper", "casefold"):
                found["unicode"] = unicodedata.unidata_version
        return found

    def pieces(self, text: str, side: Side = "reference") -> list[str]:
        """
        Cut one text of a side into its units.
        """
        shown, _ = self._shown([text], side)
        if self.unit != "word":
            return self.characters("".join(shown))
        return _spelled(shown, self._split(side))[0] if shown else []

    def characters(self, text: str) -> list[str]:
        """
        Cut a text, as it stands, into code points or grapheme clusters.
        """
        return graphemes(text) if self.unit == "grapheme" else list(text)

    def columns(self, cases: Cases) -> tuple[Column, Column]:
        """
        Cut the references and hypotheses of cases, with numbers that compare within each case.
        """
        found = self.cut(cases)
        return found.references, found.hypotheses

    def cut(self, cases: Cases) -> Cut:
        """
        Cut the references and hypotheses of cases, and tell which are left out.

        Raises:
            BadText: A step takes one side of a case out and leaves the other.
        """
        references, left = self._shown(cases.flat_references, "reference")
        hypotheses, right = self._shown(cases.hypotheses, "hypothesis")
        left_out = None
        if left is not None or right is not None:
            left_out = _left_out(cases, left, right)
            references = _filled(references, left, len(cases.flat_references))
            hypotheses = _filled(hypotheses, right, len(cases))
        bounds = np.array([0, 1]) if self.joined else cases.bounds
        return Cut(*self._columns(references, hypotheses, bounds), left_out)

    def pair(self, reference: str, hypothesis: str) -> tuple[Column, Column]:
        """
        Cut one reference and one hypothesis, with numbers that compare.
        """
        return self.columns(Cases([hypothesis], [[reference]]))

    def _columns(self, references: Sequence[str], hypotheses: Sequence[str], bounds: Offsets) -> tuple[Column, Column]:
        if self.unit == "word":
            splits = self._split("reference"), self._split("hypothesis")
            if splits[0] == splits[1] and _by_character(splits[0]):
                return _words(references, hypotheses, bounds, _classes(splits[0]))
            return _numbered(_spelled(references, splits[0]), _spelled(hypotheses, splits[1]))
        if self.unit == "codepoint" or (separate("".join(references)) and separate("".join(hypotheses))):
            return _points(references), _points(hypotheses)
        return _numbered([graphemes(text) for text in references], [graphemes(text) for text in hypotheses])

    def normalized(self, text: str, side: Side) -> str:
        """
        Change one text of a side without cutting it; one that is taken out leaves nothing.
        """
        return "".join(self._normalizer(side).kept([text])[0])

    def _normalizer(self, side: Side) -> Normalizer:
        return self.normalizer if side == "reference" else self.hypothesis_normalizer or self.normalizer

    def _split(self, side: Side) -> str:
        return self.split if side == "reference" else self.hypothesis_split or self.split

    def _shown(self, texts: Sequence[str], side: Side) -> tuple[Sequence[str], Sequence[int] | None]:
        """
        Change the texts of a side, and give the places of those that are left; None where all are.
        """
        texts, places = self._normalizer(side).kept(texts)
        if self.unit != "word":
            if self.blanks == "strip":
                texts = [text.strip() for text in texts]
            elif self.blanks == "ignore":
                texts = ["".join(text.split()) for text in texts]
            elif self.blanks == "ignore-ascii":
                texts = [delete_blanks(text) for text in texts]
        if not self.joined:
            return texts, places
        spaced = self.unit == "word" or self.blanks in ("strip", "keep")
        return [(" " if spaced else "").join(filter(None, texts))], None


def _left_out(cases: Cases, left: Sequence[int] | None, right: Sequence[int] | None) -> NDArray[np.bool_]:
    references = np.zeros(len(cases.flat_references), bool)
    hypotheses = np.zeros(len(cases), bool)
    references[slice(None) if left is None else np.array(left, np.int64)] = True
    hypotheses[slice(None) if right is None else np.array(right, np.int64)] = True
    paired = np.repeat(hypotheses, cases.reference_counts)
    torn = np.flatnonzero(references != paired)
    if len(torn):
        row = int(torn[0])
        case = cases[int(np.searchsorted(cases.bounds, row, side="right")) - 1]
        side = "hypothesis" if references[row] else "reference"
        raise BadText(
            "the step drop-empty",
            f"it takes the empty {side} of case {case.position} (id {case.id!r}) out and leaves the other side, which "
            f"then has nothing to be aligned with ({len(torn):,} such pairs)",
            "Leave drop-empty out: an empty text then counts as one",
        )
    return ~references


def _filled(texts: Sequence[str], places: Sequence[int] | None, size: int) -> Sequence[str]:
    if places is None:
        return texts
    found = [""] * size
    for place, text in zip(places, texts, strict=True):
        found[place] = text
    return found


def _by_character(split: str) -> bool:
    return split in SPLITS or len(split) == len(AT) + 1


def _spelled(texts: Sequence[str], split: str) -> list[list[str]]:
    """
    Cut texts into words that are spelled out.
    """
    if not _by_character(split):
        return [[word for word in text.split(split.removeprefix(AT)) if word] for text in texts]
    from tertium.native.words import word_spans

    column = text_column(texts)
    starts, ends, _, bounds = word_spans(_wide(column.points), column.offsets, _classes(split))
    whole = "".join(texts)
    words = [whole[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    return [words[start:end] for start, end in itertools.pairwise(bounds.tolist())]


def _numbered(references: Sequence[Sequence[str]], hypotheses: Sequence[Sequence[str]]) -> tuple[Column, Column]:
    from tertium.native.interning import intern_words

    left = intern_words(references)
    right = intern_words(hypotheses, left.vocabulary)
    size = max(len(right.vocabulary), 1)
    return Column(left.ids, left.offsets, size), Column(right.ids, right.offsets, size)


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


@functools.lru_cache(maxsize=16)
def _classes(split: str) -> Any:
    from tertium.native.words import HARD, SOFT

    if split == "space":
        return None
    classes = np.zeros(0x110000, np.uint8)
    if split not in SPLITS:
        classes[ord(split.removeprefix(AT))] = HARD
        return classes
    if split != "ascii":
        classes[[point for point in range(0x3001) if chr(point).isspace()]] = (
            HARD if split in ("whitespace", "unicode") else SOFT
        )
    if split in ("ascii", "jiwer-ascii"):
        classes[[ord(blank) for blank in ASCII_BLANKS]] = HARD
    classes[32] = HARD
    return classes

"""
Measure the edit distance between texts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from tertium.cases import Cases
from tertium.errors import ParameterError
from tertium.metric import Matrix, Metric
from tertium.native.edit_parameters import (
    AverageChoice,
    CaseChoice,
    FormatChoice,
    FormChoice,
    HyphensChoice,
    PunctuationChoice,
    QuotesChoice,
    SplitChoice,
    UnitChoice,
)
from tertium.native.normalizing import Normalizer, form_notes
from tertium.native.reference_choice import choose
from tertium.native.text_steps import read
from tertium.native.units import Blanks, Column, Units

Swaps = Literal["none", "restricted", "damerau"]


class Levenshtein(Metric):
    """
    Edit distance: the fewest insertions, deletions and substitutions that turn one text into the other. The defaults give
    the numbers of RapidFuzz 3.14.6 and of NLTK 3.10.0 for each case, and their mean.

    Raw (Levenshtein 1966), or over the length of the reference, of the longer side, or of both sides together.
    """

    name = "levenshtein"
    provider = "native"
    higher_is_better = False
    releases_gil = True
    citation = "Levenshtein 1966, Binary codes capable of correcting deletions, insertions, and reversals"
    undefined = "there are no units to divide the distance by"

    def __init__(
        self,
        *,
        unit: UnitChoice = "codepoint",
        split: SplitChoice = "whitespace",
        whitespace: Annotated[
            Blanks, "White space among characters: keep all, strip the ends, ignore Unicode's or ASCII's"
        ] = "keep",
        case: CaseChoice = "sensitive",
        normalize: FormChoice = "none",
        strip_format: FormatChoice = False,
        fold_quotes: QuotesChoice = False,
        strip_hyphens: HyphensChoice = False,
        strip_punctuation: PunctuationChoice = False,
        transpositions: Annotated[
            Swaps,
            "Neighbours that change places are two edits (none), or one: unless edited again (restricted: optimal "
            "string alignment), or always (damerau)",
        ] = "none",
        divide: Annotated[
            Literal["none", "reference", "longer", "sum"],
            "Divide by the reference's length, the longer side's, or the sum of both; without units 0 over 0 is 0",
        ] = "none",
        average: AverageChoice = "mean",
        references: Annotated[
            Literal["min", "mean"], "Several references: the nearest one (the first of several), or means"
        ] = "min",
    ) -> None:
        self.unit, self.split, self.whitespace = unit, split, whitespace
        self.case, self.normalize, self.strip_format, self.fold_quotes = case, normalize, strip_format, fold_quotes
        self.strip_hyphens, self.strip_punctuation = strip_hyphens, strip_punctuation
        self.transpositions, self.divide = transpositions, divide
        self.average, self.references = average, references
        self.columns = ("edits", "length", "value", "cases", "infinite")
        self.outputs = ("levenshtein", "edits", "length")
        self.scale = (0.0, 1.0 if divide in ("longer", "sum") else float("inf"))
        read(normalize, f"levenshtein@native cannot take normalize={normalize!r}")
        normalizer = Normalizer(
            normalize, strip_format, fold_quotes, strip_hyphens, case, strip_punctuation=strip_punctuation
        )
        self._units = Units(unit, split, whitespace, normalizer)
        if unit == "word" and whitespace != "keep":
            raise ParameterError(
                f"levenshtein@native(unit=word,whitespace={whitespace})",
                "whitespace is a rule for characters; words are parted by split",
                "Choose unit=codepoint or unit=grapheme, or leave whitespace out",
            )
        if unit != "word" and split != "whitespace":
            raise ParameterError(
                f"levenshtein@native(unit={unit},split={split})",
                "split is a rule for words; white space among characters is a matter of whitespace",
                "Choose unit=word, or leave split out",
            )

    def signature(self) -> Mapping[str, object]:
        """
        Give the parameters, and what decides units and forms beside them.
        """
        return {**self.parameters, **self._units.editions}

    def tokens(self, text: str) -> list[str]:
        """
        Cut one text as the metric does.
        """
        return self._units.pieces(text)

    def notes(self, cases: Cases) -> list[str]:
        """
        Note where both sides are written in different normalisation forms.
        """
        return form_notes(self._units.normalizer, cases)

    def preprocess(self, cases: Cases) -> Any:
        """
        Cut the texts into units.
        """
        return cases.bounds, np.repeat(np.arange(len(cases)), cases.reference_counts), self._units.columns(cases)

    def statistics(self, prepared: Any, constants: Any) -> Matrix:
        """
        Count the edits between each hypothesis and the reference that the rule chooses.
        """
        bounds, owners, (left, right) = prepared
        rows = np.diff(left.offsets)
        columns = np.diff(right.offsets)[owners]
        edits = self._edits(left, right, owners).astype(np.float64)
        lengths = {"longer": np.maximum(rows, columns), "sum": rows + columns}.get(self.divide, rows).astype(np.float64)
        values = _over(edits, lengths) if self.divide != "none" else edits
        table = np.column_stack([edits, lengths, np.where(np.isinf(values), 0.0, values), np.ones(len(edits))])
        table = np.column_stack([table, np.isinf(values)])
        return choose("mean" if self.references == "mean" else "best-value", table, values, bounds)

    def _edits(self, left: Column, right: Column, owners: NDArray[np.int64]) -> NDArray[np.int64]:
        spans = np.empty((len(left), 4), np.int64)
        spans[:, 0], spans[:, 1] = left.offsets[:-1], left.offsets[1:]
        spans[:, 2], spans[:, 3] = right.offsets[owners], right.offsets[owners + 1]
        widest = int((spans[:, 3] - spans[:, 2]).max(initial=0))
        size = max(left.size, right.size)
        found = np.empty(len(spans), np.int64)
        if self.transpositions == "none":
            from tertium.native.edits import distances

            longest = max(widest, int((spans[:, 1] - spans[:, 0]).max(initial=0)))
            distances(left.ids, right.ids, spans, np.zeros(size, np.int64), np.empty(longest, np.int8), found)
        elif self.transpositions == "restricted":
            from tertium.native.transpositions import restricted

            restricted(left.ids, right.ids, spans, np.empty((3, widest + 1), np.int64), found)
        else:
            from tertium.native.transpositions import unrestricted

            work = np.empty((3, widest + 2), np.int64)
            unrestricted(left.ids, right.ids, spans, np.zeros(size, np.int64), work, found)
        return found

    def aggregate(self, sums: Matrix) -> Matrix:
        """
        Take the mean of the cases' values, or the total of edits over the total length (raw: the total of edits).
        """
        sums = np.asarray(sums, np.float64)
        edits, lengths = sums[..., 0], sums[..., 1]
        if self.average == "pooled":
            value = edits if self.divide == "none" else _over(edits, lengths)
        else:
            with np.errstate(divide="ignore", invalid="ignore"):
                value = np.where(sums[..., 4] > 0, np.inf, sums[..., 2] / sums[..., 3])
        return np.stack([value, edits, lengths], axis=-1)


def _over(edits: Matrix, lengths: Matrix) -> Matrix:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(edits == 0, 0.0, edits / lengths)

"""
Measure what an output keeps of its reference: MER, WIL and WIP.

With H hits, N reference units and P hypothesis units (Morris, Maier and Green 2004): MER = (S + D + I) / (H + S + D + I),
WIP = H/N * H/P, WIL = 1 - WIP.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from tertium.metric import Matrix
from tertium.native.edit_parameters import (
    AverageChoice,
    BlanksChoice,
    CaseChoice,
    ContractionsChoice,
    CostsChoice,
    EmptyChoice,
    FormatChoice,
    FragmentsChoice,
    HitsChoice,
    HyphensChoice,
    HypothesisSplitChoice,
    HypothesisTextChoice,
    JoinedChoice,
    MarkupChoice,
    NonWordsChoice,
    OptionalChoice,
    PunctuationChoice,
    QuotesChoice,
    ReferencesChoice,
    SplitChoice,
    TextChoice,
    TiesChoice,
    UnitChoice,
)
from tertium.native.error_rates import ErrorRate


class _WordInformation(ErrorRate):
    scale = (0.0, 1.0)
    citation: ClassVar[str] = "Morris, Maier and Green 2004, From WER and RIL to MER and WIL (Interspeech)"
    _empty_name = "empty"

    def __init__(
        self,
        *,
        unit: UnitChoice = "word",
        split: SplitChoice = "jiwer",
        hypothesis_split: HypothesisSplitChoice = "same",
        whitespace: BlanksChoice = "strip",
        case: CaseChoice = "sensitive",
        normalize: TextChoice = "none",
        hypothesis_normalize: HypothesisTextChoice = "same",
        strip_format: FormatChoice = False,
        fold_quotes: QuotesChoice = False,
        strip_hyphens: HyphensChoice = False,
        strip_punctuation: PunctuationChoice = False,
        strip_nonwords: NonWordsChoice = False,
        expand_contractions: ContractionsChoice = False,
        markup: MarkupChoice = "none",
        optional_words: OptionalChoice = False,
        fragments: FragmentsChoice = False,
        costs: CostsChoice = "unit",
        ties: TiesChoice = "jiwer",
        hits: HitsChoice = "alignment",
        empty: EmptyChoice = "bounds",
        average: AverageChoice = "pooled",
        references: ReferencesChoice = "best-value",
        joined: JoinedChoice = False,
    ) -> None:
        self.hits, self.empty = hits, empty
        self._set_up(
            empty, unit=unit, split=split, hypothesis_split=hypothesis_split, whitespace=whitespace, case=case,
            normalize=normalize, hypothesis_normalize=hypothesis_normalize,
            strip_format=strip_format, fold_quotes=fold_quotes, strip_hyphens=strip_hyphens,
            strip_punctuation=strip_punctuation, strip_nonwords=strip_nonwords,
            expand_contractions=expand_contractions, markup=markup, optional_words=optional_words,
            fragments=fragments, costs=costs, ties=ties, average=average, references=references, joined=joined,
        )  # fmt: skip

    def _parts(self, sums: Matrix) -> tuple[Matrix, Matrix, Matrix, Matrix]:
        aligned, errors = sums[..., 0], sums[..., 1] + sums[..., 2] + sums[..., 3]
        found = aligned if self.hits == "alignment" else sums[..., 4] - errors
        shared = aligned + sums[..., 1]
        return found, errors, shared + sums[..., 2], shared + sums[..., 3]

    def _preserved(self, sums: Matrix) -> Matrix:
        found, _, references, hypotheses = self._parts(sums)
        with np.errstate(divide="ignore", invalid="ignore"):
            value = np.asarray((found / references) * (found / hypotheses))
        if self.empty != "bounds":
            return np.where((references == 0) | (hypotheses == 0), np.nan, value)
        return np.where(references == 0, np.where(hypotheses == 0, 1.0, 0.0), np.where(hypotheses == 0, 0.0, value))


class Mer(_WordInformation):
    """
    Match error rate: the share of aligned positions that are errors. The defaults give the numbers of JiWER 4.0.0.

    MER = (S + D + I) / (H + S + D + I) over the counts of all cases (Morris, Maier and Green 2004). Texts change as those
    of ``wer`` do.
    """

    name = "mer"

    def _value(self, sums: Matrix) -> Matrix:
        found, errors, _, _ = self._parts(sums)
        with np.errstate(divide="ignore", invalid="ignore"):
            value = np.asarray(errors / (found + errors))
        return np.where(found + errors == 0, 0.0 if self.empty == "bounds" else np.nan, value)


class Wil(_WordInformation):
    """
    Word information lost: one minus word information preserved. The defaults give the numbers of JiWER 4.0.0.

    WIL = 1 - H² / ((H + S + D) (H + S + I)) over the counts of all cases (Morris, Maier and Green 2004). Texts change as
    those of ``wer`` do.
    """

    name = "wil"

    def _value(self, sums: Matrix) -> Matrix:
        return 1.0 - self._preserved(sums)


class Wip(_WordInformation):
    """
    Word information preserved: the share of reference words that are hits, times that of hypothesis words. The defaults
    give the numbers of JiWER 4.0.0.

    WIP = H / (H + S + D) · H / (H + S + I) over the counts of all cases (Morris, Maier and Green 2004). Texts change as
    those of ``wer`` do.
    """

    name = "wip"
    higher_is_better = True

    def _value(self, sums: Matrix) -> Matrix:
        return self._preserved(sums)

"""
Measure word and character error rates.

Both divide the errors of an alignment by the length of the reference. The defaults give the numbers of JiWER 4.0.0.
"""

from __future__ import annotations

import numpy as np

from tertium.metric import Matrix
from tertium.native.edit_parameters import (
    AverageChoice,
    BlanksChoice,
    CaseChoice,
    CharacterChoice,
    ContractionsChoice,
    CostsChoice,
    EmptyReferenceChoice,
    FormatChoice,
    FragmentsChoice,
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


class PlainRate(ErrorRate):
    scale = (0.0, float("inf"))
    _empty_name = "empty_reference"

    def _value(self, sums: Matrix) -> Matrix:
        hits, substitutions, deletions, insertions = (sums[..., i] for i in range(4))
        length = hits + substitutions + deletions
        with np.errstate(divide="ignore", invalid="ignore"):
            rate = np.asarray((substitutions + deletions + insertions) / length)
        if self._empty == "infinity":
            return rate
        return np.where(length == 0, insertions if self._empty == "insertions" else np.nan, rate)


class Wer(PlainRate):
    """
    Word error rate: substitutions, deletions and insertions over the number of reference words. The defaults give the
    numbers of JiWER 4.0.0.

    WER = (S + D + I) / (H + S + D) over the counts of all cases (Morris, Maier and Green 2004, equation 1). It can
    exceed 1. With sclite's conventions: ``wer(split=ascii,case=ascii,costs=sclite,ties=sclite)``.

    Texts change by the steps of ``normalize`` in their order, then by the options from ``strip_format`` to
    ``strip_punctuation`` in theirs, and are cut by ``split``; hypotheses may have steps and a rule of their own. The
    patterns of ``replace-patterns`` are their writer's: one that backtracks without end does so here, too. With
    ``joined=true`` the corpus is one text, so that there are no cases to resample.
    """

    name = "wer"
    citation = "Morris, Maier and Green 2004, From WER and RIL to MER and WIL (Interspeech), equation 1"

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
        empty_reference: EmptyReferenceChoice = "insertions",
        average: AverageChoice = "pooled",
        references: ReferencesChoice = "best-value",
        joined: JoinedChoice = False,
    ) -> None:
        self.empty_reference = empty_reference
        self._set_up(
            empty_reference, unit=unit, split=split, hypothesis_split=hypothesis_split, whitespace=whitespace, case=case,
            normalize=normalize, hypothesis_normalize=hypothesis_normalize,
            strip_format=strip_format, fold_quotes=fold_quotes, strip_hyphens=strip_hyphens,
            strip_punctuation=strip_punctuation, strip_nonwords=strip_nonwords,
            expand_contractions=expand_contractions, markup=markup, optional_words=optional_words,
            fragments=fragments, costs=costs, ties=ties, average=average, references=references, joined=joined,
        )  # fmt: skip


class Cer(PlainRate):
    """
    Character error rate: substitutions, deletions and insertions over the number of reference characters. The defaults
    give the numbers of JiWER 4.0.0.

    CER = (S + D + I) / (H + S + D), counted in characters. White space at the ends of a text is left out and inner white
    space counts, unless told otherwise. Texts change as those of ``wer`` do. With sclite's
    conventions: ``cer(whitespace=ignore-ascii,case=ascii,costs=sclite,ties=sclite)``.
    """

    name = "cer"
    citation = (
        "Morris, Maier and Green 2004, From WER and RIL to MER and WIL (Interspeech), equation 1, over characters"
    )

    def __init__(
        self,
        *,
        unit: CharacterChoice = "codepoint",
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
        empty_reference: EmptyReferenceChoice = "insertions",
        average: AverageChoice = "pooled",
        references: ReferencesChoice = "best-value",
        joined: JoinedChoice = False,
    ) -> None:
        self.empty_reference = empty_reference
        self._set_up(
            empty_reference, unit=unit, split="jiwer", whitespace=whitespace, case=case,
            normalize=normalize, hypothesis_normalize=hypothesis_normalize,
            strip_format=strip_format, fold_quotes=fold_quotes, strip_hyphens=strip_hyphens,
            strip_punctuation=strip_punctuation, strip_nonwords=strip_nonwords,
            expand_contractions=expand_contractions, markup=markup, optional_words=optional_words,
            fragments=fragments, costs=costs, ties=ties, average=average, references=references, joined=joined,
        )  # fmt: skip

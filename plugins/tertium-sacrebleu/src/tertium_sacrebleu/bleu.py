"""
BLEU by sacreBLEU: Papineni et al. 2002, with the tokenizers and smoothing methods of the library.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np

import tertium
from tertium import Choices, Range
from tertium.errors import ParameterError, ResourceMissing
from tertium_sacrebleu.scorer import Matrix, SacreBLEUMetric, Scorer, overheard, refuse
from tertium_sacrebleu.tokenizers import MECAB, SENTENCE_PIECE, in_force, model_file, require_model

TOKENIZED_LINES = 100
"""As many lines that end in a lone full stop make the library warn."""


class BLEU(SacreBLEUMetric):
    """
    Geometric mean of clipped n-gram precisions, times a penalty for output that is shorter than its references.
    Counts are summed over the corpus before the score is taken; the nearest reference length counts.

    ``per_case`` puts each case's counts through the same finaliser, under the same parameters. The library's
    ``sentence_bleu`` differs in that it sets ``effective_order=true``; do the same to get its values.
    """

    name = "bleu"
    scale = (0.0, 100.0)
    citation = (
        "Papineni, Roukos, Ward and Zhu 2002, BLEU: a Method for Automatic Evaluation of Machine Translation (ACL); "
        "Post 2018, A Call for Clarity in Reporting BLEU Scores (WMT)"
    )

    def __init__(
        self,
        *,
        lowercase: Annotated[bool, "Lower-case all texts first"] = False,
        force: Annotated[bool, "Say nothing about data that look tokenized"] = False,
        tokenize: Annotated[
            str,
            "Tokenizer; auto takes the library's choice for trg_lang, which is 13a for most",
            Choices(
                "auto",
                "13a",
                "none",
                "zh",
                "intl",
                "char",
                "ja-mecab",
                "ko-mecab",
                "spm",
                "flores101",
                "flores200",
                "spBLEU-1K",
            ),
        ] = "auto",
        smooth_method: Annotated[
            Literal["exp", "floor", "add-k", "none"], "What is done about orders without a match (Chen and Cherry 2014)"
        ] = "exp",
        smooth_value: Annotated[
            float | None, "Value of floor (none: 0.1) and of add-k (none: 1)", Range(0, 1_000_000)
        ] = None,
        max_ngram_order: Annotated[int, "Longest n-gram", Range(1, 100)] = 4,
        effective_order: Annotated[bool, "Leave out orders of which the output has no n-gram"] = False,
        trg_lang: Annotated[str, "Language code of the texts, for the choice of tokenizer and for advice"] = "",
    ) -> None:
        for parameter, value in (("tokenize", tokenize), ("smooth_method", smooth_method)):
            if value is None:
                raise ParameterError(f"bleu@sacrebleu cannot take {parameter}=None", "it takes a name", "Write 'none'")
        if smooth_value is not None and smooth_method not in ("floor", "add-k"):
            raise refuse(
                self,
                f"smooth_method={smooth_method} and smooth_value={smooth_value:g}",
                "only floor and add-k have a value",
                "Leave smooth_value out, or choose smooth_method=floor or add-k",
            )
        self.lowercase, self.force, self.tokenize = lowercase, force, tokenize
        self.smooth_method, self.smooth_value = smooth_method, smooth_value
        self.max_ngram_order, self.effective_order = max_ngram_order, effective_order
        self.trg_lang = trg_lang
        orders = range(1, max_ngram_order + 1)
        self.columns = (
            *(f"matches_{order}" for order in orders),
            *(f"totals_{order}" for order in orders),
            "hypothesis_length",
            "reference_length",
        )
        self.outputs = (
            "bleu",
            *(f"precision_{order}" for order in orders),
            "brevity_penalty",
            "hypothesis_length",
            "reference_length",
            *(f"matches_{order}" for order in orders),
            *(f"totals_{order}" for order in orders),
        )
        self.tokenizer = in_force(tokenize, trg_lang)
        self.resources = (MECAB[self.tokenizer],) if self.tokenizer in MECAB else ()

    def make_scorer(self) -> Scorer:
        """
        Make the library's BLEU; its tokenizer is loaded with it.

        Raises:
            ProviderMissing: A package is missing.
            ResourceMissing: A model or dictionary is missing.
        """
        facts = require_model(self.tokenizer) if self.tokenizer in SENTENCE_PIECE else {}
        import sacrebleu

        with overheard() as remarks:
            try:
                library = sacrebleu.BLEU(
                    lowercase=self.lowercase,
                    force=True,  # it would count per chunk; `notes` counts over all cases
                    tokenize=None if self.tokenize == "auto" else self.tokenize,
                    smooth_method=self.smooth_method,
                    smooth_value=self.smooth_value,
                    max_ngram_order=self.max_ngram_order,
                    effective_order=self.effective_order,
                    trg_lang=self.trg_lang,
                )
            except (AssertionError, RuntimeError) as error:
                if self.tokenizer not in MECAB:
                    raise
                problem = " ".join(str(error).split()) or "MeCab cannot load its dictionary"
                command = f'pip install "sacrebleu[{self.tokenizer[:2]}]"'
                raise ResourceMissing(MECAB[self.tokenizer], problem, command) from error
        return Scorer(library, tuple(remarks), facts)

    def statistics(self, prepared: tertium.Cases, constants: None) -> Matrix:
        """
        Return the library's sufficient statistics, its two lengths put last, shape (cases, columns).
        """
        return np.roll(super().statistics(prepared, constants), -2, axis=1)

    def finalise(self, library: Any, row: list[float]) -> list[float]:
        """
        Return the outputs for one row of sums, by ``sacrebleu.BLEU.compute_bleu``.
        """
        order = self.max_ngram_order
        matches, totals = row[:order], row[order:-2]
        score = library.compute_bleu(
            correct=list(matches),  # add-k smoothing changes both lists in place
            total=list(totals),
            sys_len=_length(row[-2]),
            ref_len=_length(row[-1]),
            smooth_method=self.smooth_method,
            smooth_value=self.smooth_value,
            effective_order=self.effective_order,
            max_ngram_order=order,
        )
        return [score.score, *score.precisions, score.bp, *row[-2:], *matches, *totals]

    def notes(self, cases: tertium.Cases) -> list[str]:
        """
        Return what the library warns of: a tokenizer that does not fit the language, and data that look tokenized.
        """
        notes = super().notes(cases)
        ends = [case for case, text in enumerate(cases.hypotheses) if text.endswith(" .")]
        if len(ends) >= TOKENIZED_LINES and not self.force:
            notes.append(
                f"{len(ends):,} outputs end in a full stop set off by a space, the first in case {cases[ends[0]].id}: "
                "they look tokenized, which may lower the score; give plain text, or force=true to say nothing"
            )
        return notes

    def equivalent(self) -> tertium.Spec:
        """
        Return the native spec that gives the same numbers.
        """
        tokenize = f"spm:{model_file(self.tokenizer)}" if self.tokenizer in SENTENCE_PIECE else self.tokenizer
        params: dict[str, Any] = {
            "tokenize": tokenize,
            "lowercase": self.lowercase,
            "max_order": self.max_ngram_order,
            "smoothing": self.smooth_method,
            "effective_order": self.effective_order,
        }
        if self.smooth_value is not None:
            params["smooth_value"] = self.smooth_value
        return tertium.Spec("bleu", "native", params=params)


class _Length(float):
    """
    Be a sum of lengths under weights that are not whole; the library prints lengths as whole numbers.
    """

    def __format__(self, pattern: str) -> str:
        return f"{float(self):.1f}" if pattern == "d" else float.__format__(self, pattern)


def _length(value: float) -> float:
    return int(value) if value == int(value) else _Length(value)

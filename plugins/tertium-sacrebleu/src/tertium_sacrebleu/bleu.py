"""
BLEU by sacreBLEU: Papineni et al. 2002, with the tokenizers and smoothing methods of the library.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

import tertium
from tertium import Choices, Range
from tertium.errors import ParameterError, ResourceMissing
from tertium_sacrebleu.scorer import SacreBLEUMetric, Scorer, overheard, refuse
from tertium_sacrebleu.tokenizers import MECAB, SENTENCE_PIECE, in_force, require_model

TOKENIZED_LINES = 100
"""As many lines that end in a lone full stop make the library warn."""

_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]{4}")


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
            "sys_len",
            "ref_len",
            *(f"correct{order}" for order in orders),
            *(f"total{order}" for order in orders),
        )
        self.outputs = ("bleu", "bp", *(f"precision{order}" for order in orders), "ratio", "sys_len", "ref_len")
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

    def finalise(self, library: Any, row: list[float]) -> list[float]:
        """
        Return the outputs for one row of sums, by ``sacrebleu.BLEU.compute_bleu``.
        """
        middle = 2 + self.max_ngram_order
        score = library.compute_bleu(
            correct=row[2:middle],
            total=row[middle:],
            sys_len=_length(row[0]),
            ref_len=_length(row[1]),
            smooth_method=self.smooth_method,
            smooth_value=self.smooth_value,
            effective_order=self.effective_order,
            max_ngram_order=self.max_ngram_order,
        )
        return [score.score, score.bp, *score.precisions, score.ratio, row[0], row[1]]

    def notes(self, cases: tertium.Cases) -> list[str]:
        """
        Return what a reader should know: the library's advice, and data that do not fit the tokenizer or the order.
        """
        notes = super().notes(cases)
        ends = [case for case, text in enumerate(cases.hypotheses) if text.endswith(" .")]
        if len(ends) >= TOKENIZED_LINES and not self.force:
            notes.append(
                f"{len(ends):,} outputs end in a full stop set off by a space, the first in case {cases[ends[0]].id}: "
                "they look tokenized, which may lower the score; give plain text, or force=true to say nothing"
            )
        preprocess = self.scorer.library._preprocess_segment
        order = self.max_ngram_order
        if not self.effective_order and not any(len(preprocess(text).split()) >= order for text in cases.hypotheses):
            notes.append(
                f"no output has {order} tokens, so there is no {order}-gram and the score says little; "
                "effective_order=true leaves out the orders that cannot occur"
            )
        if self.tokenizer in ("13a", "intl", "none"):
            unspaced = sum(_UNSPACED.search(text) is not None for text in cases.hypotheses)
            if 2 * unspaced > len(cases):
                notes.append(
                    f"{unspaced:,} of {len(cases):,} outputs are written without spaces between words, and the "
                    f"tokenizer {self.tokenizer} cuts at spaces; choose zh, ja-mecab, ko-mecab, char or flores200"
                )
        return notes


class _Length(float):
    """
    Be a sum of lengths under weights that are not whole; the library prints lengths as whole numbers.
    """

    def __format__(self, pattern: str) -> str:
        return f"{float(self):.1f}" if pattern == "d" else float.__format__(self, pattern)


def _length(value: float) -> float:
    return int(value) if value == int(value) else _Length(value)

"""
Google's GLEU: the smaller of n-gram precision and recall.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal

import numpy as np

from tertium.cases import Cases
from tertium.errors import ParameterError
from tertium.metric import Matrix, Metric
from tertium.native.cache import reference_spans
from tertium.native.tokenizers import Tokenizer, tokenizer
from tertium.parameters import Choices, Range


class Gleu(Metric):
    """
    Google's GLEU: n-grams of the orders 1 to 4 that hypothesis and reference share, over the n-grams of whichever has
    more, which is the smaller of precision and recall. Not the source-aware GLEU+ of grammatical error correction.

    With M the sum over n-grams of the smaller of its two counts and T_h, T_r the numbers of n-grams of both sides, a
    case's value is min(M / T_h, M / T_r) = M / max(T_h, T_r). Of several references the one with the best ratio counts,
    the first on a tie. The corpus value pools M and max(T_h, T_r) over cases, as NLTK's ``corpus_gleu`` does, or
    averages the cases' values, the reward that the paper speaks of. An order longer than a text has no n-grams, and two
    texts without n-grams count nothing.

    Source: Wu et al. 2016, "Google's Neural Machine Translation System", section 4.3 (arXiv:1609.08144).
    """

    name, provider = "gleu", "native"
    releases_gil = True
    columns = ("matches", "total")
    citation = "Wu et al. 2016, Google's Neural Machine Translation System, section 4.3"
    aliases = MappingProxyType({"google-gleu": MappingProxyType({})})

    def __init__(
        self,
        *,
        min_order: Annotated[int, "Shortest n-gram", Range(1, 64)] = 1,
        max_order: Annotated[int, "Longest n-gram", Range(1, 64)] = 4,
        tokenize: Annotated[
            str,
            "none: split at white space; edges: split punctuation from the edges of words, too; or another tokenizer",
            Choices(
                "none",
                "edges",
                "whitespace",
                "13a",
                "intl",
                "char",
                "zh",
                "ja-mecab",
                "ko-mecab",
                "spm:<file>",
                offers="tokenizers",
            ),
        ] = "none",
        lowercase: Annotated[bool, "Lower-case all texts first"] = False,
        aggregation: Annotated[
            Literal["pooled", "mean"], "Pool matches and totals over cases, or average the cases' values"
        ] = "pooled",
    ) -> None:
        self.min_order, self.max_order, self.tokenize = min_order, max_order, tokenize
        self.lowercase, self.aggregation = lowercase, aggregation
        if min_order > max_order:
            raise ParameterError(
                f"gleu(min_order={min_order},max_order={max_order})",
                "there is no order from one to the other",
                "Give min_order at most as large as max_order",
            )
        if aggregation == "mean":
            self.columns = ("gleu", "cases")
            self.outputs = ("gleu",)
        else:
            self.outputs = ("gleu", "matches", "total")

    @property
    def _tokenizer(self) -> Tokenizer:
        return tokenizer(self.tokenize, self.lowercase)

    def tokens(self, text: str) -> list[str]:
        """
        Cut one text as the metric does.
        """
        return self._tokenizer.tokens(text)

    def preprocess(self, cases: Cases) -> Any:
        """
        Cut texts into tokens.
        """
        references = reference_spans(cases.flat_references, self._tokenizer)
        return references, self._tokenizer.spans(cases.hypotheses), cases.bounds

    def statistics(self, prepared: Any, constants: Any) -> Matrix:
        """
        Count, for each case, the matches with its best reference and the n-grams of the longer side.
        """
        from tertium.native.numbering import case_numbers
        from tertium.native.shared_grams import shared_grams

        references, hypotheses, bounds = prepared
        ours, theirs = case_numbers(hypotheses, references, bounds)
        shared = shared_grams(ours, hypotheses.offsets, theirs, references.offsets, bounds, self.max_order)
        matches = shared[:, self.min_order - 1 :].sum(axis=1).astype(np.float64)
        owner = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
        total = np.maximum(self._ngrams(references.lengths), self._ngrams(hypotheses.lengths)[owner])
        # A pair without n-grams is left out: it loses to any other.
        ratio = np.where(total > 0, matches / np.maximum(total, 1), -1.0)
        best = np.maximum.reduceat(ratio, bounds[:-1])
        hits = np.flatnonzero(ratio == best[owner])
        chosen = hits[np.diff(owner[hits], prepend=-1) > 0]  # the first of each case, as owners ascend
        if self.aggregation == "mean":
            return np.column_stack([np.maximum(best, 0.0), np.ones(len(best))])
        return np.column_stack([matches[chosen], total[chosen]])

    def _ngrams(self, lengths: Any) -> Matrix:
        orders = np.arange(self.min_order, self.max_order + 1)
        counted: Matrix = np.maximum(lengths[:, None] - orders + 1, 0).sum(axis=1).astype(np.float64)
        return counted

    def aggregate(self, sums: Matrix) -> Matrix:
        """
        Give matches over totals (0 where there is no n-gram), or the mean.
        """
        value = np.where(sums[..., 1] > 0, sums[..., 0] / sums[..., 1], 0.0)
        if self.aggregation == "mean":
            return value[..., None]
        return np.stack([value, sums[..., 0], sums[..., 1]], axis=-1)

    def signature(self) -> Mapping[str, object]:
        """
        Give every parameter, the tokenizer by all that decides its tokens.
        """
        return {**self.parameters, "tokenize": self._tokenizer.signature}

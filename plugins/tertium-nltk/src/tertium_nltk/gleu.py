"""
Let NLTK compute Google's GLEU, case by case.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

import tertium
from tertium.errors import ParameterError
from tertium_nltk import words

Matrix = NDArray[np.float64]


class Gleu(tertium.Metric):
    """
    Google's GLEU as NLTK's ``corpus_gleu`` computes it: n-grams that hypothesis and reference share, over the n-grams of
    whichever has more, pooled over the corpus. Not the source-aware GLEU+ of grammatical error correction.
    """

    name, provider = "gleu", "nltk"
    columns, outputs, scale = ("matches", "total"), ("gleu", "matches", "total"), (0.0, 1.0)
    library, pinned = "nltk", "3.10.0"
    citation = "Wu et al. 2016, Google's Neural Machine Translation System, section 4.3"

    def __init__(
        self,
        *,
        min_len: Annotated[int, "Shortest n-gram", tertium.Range(1, 64)] = 1,
        max_len: Annotated[int, "Longest n-gram", tertium.Range(1, 64)] = 4,
        tokenizer: words.TokenizerChoice = "whitespace",
    ) -> None:
        self.min_len, self.max_len, self.tokenizer = min_len, max_len, tokenizer
        if min_len > max_len:
            raise ParameterError(
                f"gleu@nltk cannot take min_len={min_len} with max_len={max_len}",
                "there is no n-gram of such a length",
                "Give min_len at most as large as max_len",
            )

    def preprocess(self, cases: tertium.Cases) -> words.Prepared:
        """
        Return the words of hypotheses and of all references, and where each case's references begin and end.
        """
        return words.split(cases, self.tokenizer)

    def tokens(self, text: str) -> list[str]:
        """
        Cut one text as the metric does.
        """
        return list(words.tokenizer(self.tokenizer)(text))

    def statistics(self, prepared: words.Prepared, constants: object) -> Matrix:
        """
        Return the matches and n-grams of each case's best pair, shape (cases, 2).

        The library gives the ratio of a pair, and the numbers of words give its denominator; the numerator is their
        product. Of several references the best ratio counts, the first on a tie, as in the library.
        """
        from nltk.translate.gleu_score import sentence_gleu

        hypotheses, references, bounds = prepared
        rows = np.zeros((len(hypotheses), 2))
        for case, hypothesis in enumerate(hypotheses):
            own, best = self._ngrams(len(hypothesis)), -1.0
            for reference in references[bounds[case] : bounds[case + 1]]:
                total = max(own, self._ngrams(len(reference)))
                if not total:
                    continue  # a pair without n-grams is left out, as in the library
                ratio = sentence_gleu([reference], hypothesis, self.min_len, self.max_len)
                if ratio > best:
                    best = ratio
                    rows[case] = round(ratio * total), total
        return rows

    def _ngrams(self, length: int) -> int:
        return sum(max(0, length - order + 1) for order in range(self.min_len, self.max_len + 1))

    def aggregate(self, sums: Matrix) -> Matrix:
        """
        Return matches over totals, 0 where there is no n-gram, and both.
        """
        value = np.divide(sums[..., 0], sums[..., 1], out=np.zeros(sums.shape[:-1]), where=sums[..., 1] > 0)
        return np.stack([value, sums[..., 0], sums[..., 1]], axis=-1)

    def equivalent(self) -> tertium.Spec | None:
        """
        Return the native spec that gives the same numbers; None under a callable.
        """
        tokenize = words.native_name(self.tokenizer)
        if tokenize is None:
            return None
        params: dict[str, Any] = {"min_order": self.min_len, "max_order": self.max_len, "tokenize": tokenize}
        return tertium.Spec("gleu", "native", params=params)

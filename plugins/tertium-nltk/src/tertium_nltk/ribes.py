"""
Let NLTK compute RIBES, case by case.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

import tertium
from tertium_nltk import words

Matrix = NDArray[np.float64]


class Ribes(tertium.Metric):
    """
    RIBES as NLTK's ``corpus_ribes`` computes it: how well the order of matched words agrees, times powers of word
    precision and of a brevity penalty. Only pairs inside runs of consecutive ranks count as ordered, unlike in NTT's
    program.
    """

    name, provider = "ribes", "nltk"
    columns, outputs, scale = ("ribes", "cases"), ("ribes",), (0.0, 1.0)
    library, pinned = "nltk", "3.10.0"
    citation = "Isozaki, Hirao, Duh, Sudoh, Tsukada 2010, Automatic Evaluation of Translation Quality for Distant Language Pairs"
    undefined = "there is no case to average"

    def __init__(
        self,
        *,
        alpha: Annotated[float, "Exponent of the word precision", tertium.Range(0)] = 0.25,
        beta: Annotated[float, "Exponent of the brevity penalty", tertium.Range(0)] = 0.1,
        tokenizer: words.TokenizerChoice = "whitespace",
    ) -> None:
        self.alpha, self.beta, self.tokenizer = alpha, beta, tokenizer

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
        Return each case's value, the best over its references, and 1.
        """
        from nltk.translate.ribes_score import sentence_ribes

        hypotheses, references, bounds = prepared
        rows = np.ones((len(hypotheses), 2))
        for case, hypothesis in enumerate(hypotheses):
            rows[case, 0] = sentence_ribes(
                references[bounds[case] : bounds[case + 1]], hypothesis, self.alpha, self.beta
            )
        return rows

    def aggregate(self, sums: Matrix) -> Matrix:
        """
        Return the mean of the cases' values, the library's corpus value.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(sums[..., :1] / sums[..., 1:])

    def equivalent(self) -> tertium.Spec | None:
        """
        Return the native spec that gives the same numbers; None under a callable.
        """
        tokenize = words.native_name(self.tokenizer)
        if tokenize is None:
            return None
        params: dict[str, Any] = {"alpha": self.alpha, "beta": self.beta, "tokenize": tokenize, "lowercase": False}
        params |= {"pairs": "runs", "context": "right-first", "single_word": "zero", "empty_reference": "zero"}
        return tertium.Spec("ribes", "native", params=params)

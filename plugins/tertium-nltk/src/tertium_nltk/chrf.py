"""
Let NLTK compute chrF, case by case.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

import tertium
from tertium.errors import ParameterError

Matrix = NDArray[np.float64]


class Chrf(tertium.Metric):
    """
    chrF as NLTK's ``corpus_chrf`` computes it: F-scores of character n-grams, averaged over the orders, then over the
    cases; from 0 to 1. The library takes one reference; of several the best value of the case counts.
    """

    name, provider = "chrf", "nltk"
    columns, outputs, scale = ("score", "cases"), ("score",), (0.0, 1.0)
    library, pinned = "nltk", "3.10.0"
    citation = "Popović 2015, chrF: character n-gram F-score for automatic MT evaluation"
    undefined = "there is no case to average"

    def __init__(
        self,
        *,
        min_len: Annotated[int, "Shortest n-gram", tertium.Range(1, 64)] = 1,
        max_len: Annotated[int, "Longest n-gram", tertium.Range(1, 64)] = 6,
        beta: Annotated[float, "Weight of recall against precision", tertium.Range(0, 1e6)] = 3.0,
        ignore_whitespace: Annotated[bool, "Leave white space out"] = True,
    ) -> None:
        self.min_len, self.max_len, self.beta, self.ignore_whitespace = min_len, max_len, beta, ignore_whitespace
        if min_len > max_len:
            raise ParameterError(
                f"chrf@nltk cannot take min_len={min_len} with max_len={max_len}",
                "there is no n-gram of such a length",
                "Give min_len at most as large as max_len",
            )

    def statistics(self, prepared: tertium.Cases, constants: object) -> Matrix:
        """
        Return each case's value, the best over its references, and 1.
        """
        from nltk.translate.chrf_score import sentence_chrf

        references, bounds = prepared.flat_references, prepared.bounds.tolist()
        rows = np.ones((len(prepared), 2))
        arguments: dict[str, Any] = self.parameters
        for case, hypothesis in enumerate(prepared.hypotheses):
            rows[case, 0] = max(
                sentence_chrf(reference, hypothesis, **arguments)
                for reference in references[bounds[case] : bounds[case + 1]]
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
        Return the native spec that gives the same numbers; None where n-grams do not begin at one character.
        """
        if self.min_len != 1:
            return None
        params: dict[str, Any] = {"char_order": self.max_len, "beta": self.beta, "percent": False}
        params |= {"whitespace": "remove" if self.ignore_whitespace else "keep", "aggregation": "mean"}
        params |= {"order_average": "f-score", "epsilon": "nltk", "hypothesis_counts": "always"}
        return tertium.Spec("chrf", "native", params=params)

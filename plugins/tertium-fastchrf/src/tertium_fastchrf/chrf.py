"""
Let fastchrf compute chrF, all cases of a chunk in one call.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

import tertium

Matrix = NDArray[np.float64]


class Chrf(tertium.Metric):
    """
    chrF as fastchrf computes it: the F-score of averaged precision and recall of character n-grams, for each hypothesis
    and reference; from 0 to 100. The library has no corpus value; the mean over the cases stands for it.
    """

    name, provider = "chrf", "fastchrf"
    columns, outputs, scale = ("score", "cases"), ("score",), (0.0, 100.0)
    library, pinned = "fastchrf", "0.2.1"
    citation = (
        "Popović 2015, chrF: character n-gram F-score for automatic MT evaluation; for pooled references Vamvas and "
        "Sennrich 2024, Linear-time Minimum Bayes Risk Decoding with Reference Aggregation"
    )
    undefined = "there is no case to average"

    def __init__(
        self,
        *,
        char_order: Annotated[int, "Longest character n-gram", tertium.Range(1, 64)] = 6,
        beta: Annotated[float, "Weight of recall against precision", tertium.Range(0, 1e6)] = 2.0,
        remove_whitespace: Annotated[bool, "Leave white space (Unicode's White_Space) out"] = True,
        eps_smoothing: Annotated[
            bool, "Average the F-scores of the orders, a tiny number where one is missing"
        ] = False,
        references: Annotated[
            Literal["best", "mean", "aggregate"],
            "Several references: the best value, the mean of values, or the value against their averaged n-gram counts",
        ] = "best",
    ) -> None:
        self.char_order, self.beta, self.remove_whitespace = char_order, beta, remove_whitespace
        self.eps_smoothing, self.references = eps_smoothing, references

    def statistics(self, prepared: tertium.Cases, constants: object) -> Matrix:
        """
        Return each case's value and 1, shape (cases, 2).
        """
        from fastchrf import aggregate_chrf, pairwise_chrf

        bounds, texts = prepared.bounds.tolist(), prepared.flat_references
        arguments: dict[str, Any] = {
            "hypotheses": [[text] for text in prepared.hypotheses],
            "references": [list(texts[bounds[case] : bounds[case + 1]]) for case in range(len(prepared))],
            "char_order": self.char_order,
            "beta": self.beta,
            "remove_whitespace": self.remove_whitespace,
            "eps_smoothing": self.eps_smoothing,
        }
        rows = np.ones((len(prepared), 2))
        if self.references == "aggregate":
            rows[:, 0] = [values[0] for values in aggregate_chrf(**arguments)]
            return rows
        pairs = pairwise_chrf(**arguments)
        if self.references == "best":
            rows[:, 0] = [max(values[0]) for values in pairs]
        else:
            rows[:, 0] = [sum(values[0]) / len(values[0]) for values in pairs]
        return rows

    def aggregate(self, sums: Matrix) -> Matrix:
        """
        Return the mean of the cases' values.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(sums[..., :1] / sums[..., 1:])

    def equivalent(self) -> tertium.Spec | None:
        """
        Return the native spec that gives the same numbers; None where values or counts of references are averaged.
        """
        if self.references != "best":
            return None
        params: dict[str, Any] = {"char_order": self.char_order, "beta": self.beta, "aggregation": "mean"}
        params |= {"whitespace": "remove-unicode" if self.remove_whitespace else "keep", "hypothesis_counts": "always"}
        if self.eps_smoothing:
            params |= {"order_average": "f-score"}
        return tertium.Spec("chrf", "native", params=params)

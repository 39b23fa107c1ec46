"""
Let bleuscore cut, count and clip each case, and make the score of the sums by its formula.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

import tertium

Matrix = NDArray[np.float64]


class Bleu(tertium.Metric):
    """
    BLEU as bleuscore computes it: geometric mean of a corpus's n-gram precisions, times a penalty for being shorter than
    the references; from 0 to 1. The library is a port of the BLEU of Hugging Face's evaluate.
    """

    name, provider, scale = "bleu", "bleuscore", (0.0, 1.0)
    library, pinned = "bleuscore", "0.2.0"
    citation = "Papineni, Roukos, Ward, Zhu: Bleu: a Method for Automatic Evaluation of Machine Translation. ACL 2002"

    def __init__(
        self,
        *,
        max_order: Annotated[int, "The longest n-gram", tertium.Range(1, 100)] = 4,
        smooth: Annotated[bool, "Add one to matches and totals of every order"] = False,
        ref_len_method: Annotated[
            Literal["shortest", "closest"], "Which length of a case's references counts"
        ] = "shortest",
    ) -> None:
        self.max_order, self.smooth, self.ref_len_method = max_order, smooth, ref_len_method
        orders = range(1, max_order + 1)
        counts = [f"{kind}_{order}" for kind in ("matches", "totals") for order in orders]
        self.columns = (*counts, "hypothesis_length", "reference_length")
        self.outputs = ("bleu", *(f"precision_{order}" for order in orders), "brevity_penalty")

    def statistics(self, prepared: tertium.Cases, constants: object) -> Matrix:
        """
        Return each case's matches, totals and lengths, shape (cases, 2 * max_order + 2).

        The library tells precisions and lengths: the totals follow from the length, and the matches from both.
        """
        import bleuscore

        rows = np.empty((len(prepared), len(self.columns)))
        for row, case in zip(rows, prepared, strict=True):
            told: dict[str, Any] = bleuscore.compute(
                [list(case.references or ())],
                [case.hypothesis],
                max_order=self.max_order,
                ref_len_method=self.ref_len_method,
            )
            totals = np.maximum(told["translation_length"] - np.arange(self.max_order), 0)
            row[: self.max_order] = np.rint(told["precisions"] * totals)
            row[self.max_order : -2] = totals
            row[-2:] = told["translation_length"], told["reference_length"]
        return rows

    def aggregate(self, sums: Matrix) -> Matrix:
        """
        Return score, precisions and penalty, shape (..., max_order + 2).
        """
        added = float(self.smooth)
        matches, totals = sums[..., : self.max_order] + added, sums[..., self.max_order : -2] + added
        length, wanted = sums[..., -2:-1], sums[..., -1:]
        with np.errstate(divide="ignore", invalid="ignore"):
            precisions = np.where(totals > 0, matches / totals, 0.0)
            score = np.exp(np.log(precisions).mean(axis=-1, keepdims=True))
            # Two lengths of zero have no quotient, and the library sees no reason for a penalty in that.
            penalty = np.where((length > wanted) | (wanted == 0), 1.0, np.exp(1 - wanted / length))
        return np.concatenate([score * penalty, precisions, penalty], axis=-1)

    def equivalent(self) -> tertium.Spec:
        """
        Return the native spec that gives the same numbers.
        """
        params: dict[str, Any] = {"tokenize": "mteval-v13a", "max_order": self.max_order, "percent": False}
        params |= {"smoothing": "add-k-all", "no_match": "smooth"} if self.smooth else {"smoothing": "none"}
        return tertium.Spec("bleu", "native", params=params | {"reference_length": self.ref_len_method})

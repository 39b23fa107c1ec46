"""
Let TorchMetrics compute error rates over words and characters, and edit distances.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal

import numpy as np

import tertium
from tertium_torchmetrics.tensors import Matrix, TorchMetric

MORRIS = "Morris, Maier and Green 2004, From WER and RIL to MER and WIL (Interspeech)"


class Rate(TorchMetric):
    """
    Join the rates over edits, one reference a case.
    """

    needs = frozenset({"references", "one-reference"})
    citation = MORRIS
    functions: ClassVar[tuple[str, str]]
    """The library's functions that count and divide, of the module that is named after the metric."""
    native: ClassVar[dict[str, Any]] = {"split": "whitespace", "hits": "lengths", "empty": "undefined"}

    def statistics(self, prepared: tertium.Cases, constants: object) -> Matrix:
        """
        Return the library's counts of each case.
        """
        from importlib import import_module

        import torch

        count = getattr(import_module(f"torchmetrics.functional.text.{self.name}"), self.functions[0])
        pairs = zip(prepared.hypotheses, prepared.flat_references, strict=True)
        with torch.no_grad():
            rows = [[float(one) for one in count([hypothesis], [text])] for hypothesis, text in pairs]
        return np.array(rows, np.float64).reshape(len(prepared), len(self.columns))

    def finalise(self, sums: Any) -> Sequence[Any]:
        """
        Return the rate and the counts.
        """
        from importlib import import_module

        divide = getattr(import_module(f"torchmetrics.functional.text.{self.name}"), self.functions[1])
        return [divide(*sums), *sums]

    def equivalent(self) -> tertium.Spec:
        """
        Return the native spec that gives the same numbers.
        """
        return tertium.Spec(self.name, "native", params=self.native)


class Wer(Rate):
    """
    Word error rate: substitutions, deletions and insertions over the number of reference words.
    """

    name = "wer"
    scale, higher_is_better = (0.0, float("inf")), False
    columns, outputs = ("edits", "reference_length"), ("wer", "edits", "reference_length")
    undefined = "the references hold no words, and nothing is inserted"
    functions = ("_wer_update", "_wer_compute")
    native: ClassVar[dict[str, Any]] = {"split": "whitespace", "empty_reference": "infinity"}


class Cer(Rate):
    """
    Character error rate: substitutions, deletions and insertions over the number of reference characters, white space
    among them.
    """

    name = "cer"
    scale, higher_is_better = (0.0, float("inf")), False
    columns, outputs = ("edits", "reference_length"), ("cer", "edits", "reference_length")
    undefined = "the references hold no characters, and nothing is inserted"
    functions = ("_cer_update", "_cer_compute")
    native: ClassVar[dict[str, Any]] = {"whitespace": "keep", "empty_reference": "infinity"}


class Mer(Rate):
    """
    Match error rate: word errors over the longer side's number of words, summed over the cases.
    """

    name = "mer"
    higher_is_better = False
    columns, outputs = ("edits", "longer"), ("mer", "edits", "longer")
    undefined = "neither side holds a word"
    functions = ("_mer_update", "_mer_compute")


class Wip(Rate):
    """
    Word information preserved: the product of the shares of reference and output words that match.
    """

    name = "wip"
    columns = ("negative_hits", "reference_length", "hypothesis_length")
    outputs = ("wip", "negative_hits", "reference_length", "hypothesis_length")
    undefined = "a side holds no word"
    functions = ("_wip_update", "_wip_compute")


class Wil(Rate):
    """
    Word information lost: 1 less the product of the shares of reference and output words that match.
    """

    name = "wil"
    higher_is_better = False
    columns = ("negative_hits", "reference_length", "hypothesis_length")
    outputs = ("wil", "negative_hits", "reference_length", "hypothesis_length")
    undefined = "a side holds no word"
    functions = ("_word_info_lost_update", "_word_info_lost_compute")


class Levenshtein(TorchMetric):
    """
    Edit distance over characters: insertions, deletions and substitutions that turn one text into the other.

    The library looks for it within a band of 25 characters around the diagonal: of long texts it may miss the fewest.
    """

    name = "levenshtein"
    scale, higher_is_better = (0.0, float("inf")), False
    needs = frozenset({"references", "one-reference"})
    columns, outputs = ("edits", "cases"), ("levenshtein", "edits")
    citation = "Levenshtein 1966, Binary codes capable of correcting deletions, insertions, and reversals"
    undefined = "there is no case to average"
    substitution_cost: int
    reduction: str

    def __init__(
        self,
        *,
        substitution_cost: Annotated[int, "Cost of a substitution; the others cost 1", tertium.Range(0)] = 1,
        reduction: Annotated[Literal["mean", "sum"], "Mean or sum of the cases' distances"] = "mean",
    ) -> None:
        self.accept(locals())

    def statistics(self, prepared: tertium.Cases, constants: object) -> Matrix:
        """
        Return each case's distance and a one.
        """
        from torchmetrics.functional.text.edit import _edit_distance_update

        pairs = list(prepared.hypotheses), list(prepared.flat_references)
        distances = _edit_distance_update(*pairs, self.substitution_cost).tolist()
        return np.column_stack([np.array(distances, np.float64), np.ones(len(prepared))])

    def finalise(self, sums: Any) -> Sequence[Any]:
        """
        Return the mean or the sum by the library, and the sum.
        """
        from torchmetrics.functional.text.edit import _edit_distance_compute

        return [_edit_distance_compute(sums[:1], sums[1], self.reduction), sums[0]]


TYPES: tuple[type[tertium.Metric], ...] = (Wer, Cer, Mer, Wil, Wip, Levenshtein)

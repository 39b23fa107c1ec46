"""
Let TorchMetrics compare answers to questions as SQuAD's evaluators do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

import tertium
from tertium_torchmetrics.tensors import Matrix, TorchMetric, references


class Squad(TorchMetric):
    """
    Join both measures: the best value of each question over its gold answers, and the mean over the questions.
    """

    scale = (0.0, 100.0)
    citation = (
        "Rajpurkar, Zhang, Lopyrev, Liang 2016, SQuAD: 100,000+ Questions for Machine Comprehension of Text (EMNLP)"
    )
    undefined = "there is no question"
    place: ClassVar[int]
    key: ClassVar[str]

    def statistics(self, prepared: tertium.Cases, constants: object) -> Matrix:
        """
        Return each question's value and a one.
        """
        import torch
        from torchmetrics.functional.text.squad import _squad_input_check, _squad_update

        rows = np.ones((len(prepared), 2))
        with torch.no_grad():
            for case, (answer, golds) in enumerate(zip(prepared.hypotheses, references(prepared), strict=True)):
                asked = _squad_input_check(
                    [{"prediction_text": answer, "id": "0"}], [{"answers": {"text": golds}, "id": "0"}]
                )
                rows[case, 0] = float(_squad_update(*asked)[self.place])
        return rows

    def finalise(self, sums: Any) -> Sequence[Any]:
        """
        Return the mean in percent.
        """
        from torchmetrics.functional.text.squad import _squad_compute

        return [_squad_compute(sums[0], sums[0], sums[1])[self.key]]

    def equivalent(self) -> tertium.Spec:
        """
        Return the native spec that gives the same numbers.
        """
        return tertium.Spec(self.name, "native", params={"empty_gold": "keep"})


class SquadEm(Squad):
    """
    Share of questions whose normalised answer equals a normalised gold answer, in percent.
    """

    name = "squad-em"
    columns, outputs = ("exact", "questions"), ("exact",)
    place, key = 1, "exact_match"


class SquadF1(Squad):
    """
    Mean over questions of the best F1 between the words of the answer and those of a gold answer, in percent.
    """

    name = "squad-f1"
    columns, outputs = ("f1", "questions"), ("f1",)
    place, key = 0, "f1"

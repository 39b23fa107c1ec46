"""
Join what all metrics share: the library's finaliser on its own tensors, row by row.

The library counts and divides in 32-bit floating point. Counts below 16,777,216 are exact in it, so that statistics are
exact; what is divided carries about seven digits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import metadata
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tertium

Matrix = NDArray[np.float64]


class TorchMetric(tertium.Metric):
    """
    Hand sums to the library as tensors, and take the numbers out of what it gives.
    """

    provider = "torchmetrics"
    library, pinned = "torchmetrics", "1.9.0"
    precision = "single"

    def __init__(self) -> None:  # metrics without parameters are whole with it
        self.accept({})

    def accept(self, given: dict[str, Any]) -> None:
        """
        Keep the parameters.

        Args:
            given: The constructor's parameters by name (and ``self``).
        """
        for name, value in given.items():
            if name not in ("self", "__class__"):
                setattr(self, name, value)

    def finalise(self, sums: Any) -> Sequence[Any]:
        """
        Return the outputs of one row of sums, a 32-bit tensor, as tensors.
        """
        raise AssertionError("each metric has its own")

    def aggregate(self, sums: Matrix) -> Matrix:
        """
        Return the outputs that the library makes of each row of sums.
        """
        import torch

        sums = np.asarray(sums, np.float64)
        rows = sums.reshape(-1, sums.shape[-1])
        values = np.empty((len(rows), len(self.outputs)))
        with torch.no_grad():
            for place, row in enumerate(rows.tolist()):
                found = self.finalise(torch.tensor(row, dtype=torch.float32))
                values[place] = [float(value) for value in found]
        return values.reshape(*sums.shape[:-1], len(self.outputs))

    def signature(self) -> Mapping[str, object]:
        """
        Add the precision and the version of the library that computes in it.
        """
        return {**self.parameters, "precision": self.precision, "torch": metadata.version("torch")}


def references(cases: tertium.Cases) -> list[list[str]]:
    """
    Give the references of each case as the library takes them.
    """
    bounds, texts = cases.bounds.tolist(), cases.flat_references
    return [list(texts[bounds[case] : bounds[case + 1]]) for case in range(len(cases))]

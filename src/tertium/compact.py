"""
Sum statistics without writing them out, where rows are wide and say little.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


class Compact(ABC):
    """
    Stand for a statistics matrix: the sums of its first columns, and the others as they are.

    A metric's ``statistics`` may return one, for all cases or none, and ``per_case`` is then given it. The value needs
    the sums alone; rows are written out when somebody asks for them.

    Args:
        sums: Of the first columns over all cases, shape (summed,). They are sums of whole numbers, so that every order
            of summation gives the same bits.
        rest: The columns after them, shape (cases, columns - summed).
    """

    def __init__(self, sums: Matrix, rest: Matrix) -> None:
        self.sums, self.rest = sums, rest

    @property
    def shape(self) -> tuple[int, int]:
        """
        Give the shape of the matrix: cases, columns.
        """
        return len(self.rest), len(self.sums) + self.rest.shape[1]

    @property
    def finite(self) -> bool:
        """
        Say whether all numbers at hand are finite.
        """
        return bool(np.isfinite(self.sums).all() and np.isfinite(self.rest).all())

    def __len__(self) -> int:
        return len(self.rest)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        rows = np.empty(self.shape)
        self.write(rows)
        rows[:, len(self.sums) :] = self.rest
        return rows if dtype is None else rows.astype(dtype, copy=False)

    @abstractmethod
    def write(self, rows: Matrix) -> None:
        """
        Write the first columns of a matrix of this shape.
        """

    @classmethod
    @abstractmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """
        Join the statistics of chunks, in the order of the cases.
        """

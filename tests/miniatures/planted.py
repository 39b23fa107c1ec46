"""
An exact match with one fault planted in it, which declares the sound native one as its equivalent.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np

import tertium
from tertium import Cases


class Planted(tertium.Metric):
    """Compare hypothesis and references as the native exact match does, but for the fault that the parameter names."""

    name, provider = "exact-match", "test"
    columns, outputs = ("matches", "odd", "cases"), ("exact-match",)
    undefined = "a hypothesis holds the sign of the fault"

    def __init__(self, *, fault: str = "none") -> None:
        self.fault = fault
        self._faults = fault.split("+")

    def statistics(self, prepared: Cases, constants: Any) -> Any:
        rows = [
            [float(case.hypothesis in (case.references or ())), float("\u3000" in case.hypothesis), 1.0]
            for case in prepared
        ]
        for row, case in zip(rows, prepared, strict=True):
            if "raises" in self._faults and "&" in case.hypothesis:
                raise ValueError("an ampersand")
            if "flips" in self._faults and "ß" in case.hypothesis:
                row[0] = 1.0 - row[0]
            if "word" in self._faults and "zyzzyva" in case.hypothesis:
                row[0] = 1.0 - row[0]
            if "random" in self._faults:
                row[0] = random.random()
        return np.array(rows)

    def aggregate(self, sums: Any) -> Any:
        matches, odd, cases = (sums[..., i] for i in range(3))
        value = matches / cases
        if "undefined" in self._faults:
            value = np.where(odd > 0, np.nan, value)
        if "three" in self._faults:
            value = np.where(cases >= 3, value + 1 / cases, value)
        return np.asarray(value)[..., None]

    def equivalent(self) -> tertium.Spec:
        return tertium.Spec("exact-match", "native")


class Mean(Planted):
    """Score the corpus as a whole only, one too high where three cases or more stand in it."""

    additive = False

    def corpus(self, prepared: Cases, constants: Any) -> Any:
        return self.aggregate(self.statistics(prepared, constants).sum(axis=0))

"""
Metrics of a few lines: sound ones, and one that breaks the protocol on demand.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tertium import Cases, Metric
from tertium.errors import BadText


class Thirds(Metric):
    """Give each case a real number that depends on its text, and count matches with the longest reference seen."""

    name, provider = "thirds", "test"
    columns, outputs, scale = ("value", "hits", "cases"), ("mean", "rate"), (0.0, math.inf)

    def __init__(self, *, threads: bool = False) -> None:
        self.threads = threads
        self.releases_gil = threads

    def statistics(self, prepared: Cases, constants: Any) -> Any:
        return [[len(c.hypothesis) / 3, c.hypothesis in (c.references or ()), 1] for c in prepared]

    def aggregate(self, sums: Any) -> Any:
        return sums[..., :2] / sums[..., 2:]


class Learned(Metric):
    """Compare with the longest reference of the whole corpus."""

    name, provider = "learned", "test"
    columns, outputs = ("share", "cases"), ("mean",)

    def constants(self, prepared: Cases) -> Any:
        return {max(len(reference) for reference in prepared.flat_references)}

    def statistics(self, prepared: Cases, constants: Any) -> Any:
        return [[len(case.hypothesis) / max(constants), 1] for case in prepared]

    def aggregate(self, sums: Any) -> Any:
        return sums[..., :1] / sums[..., 1:]


class Whole(Metric):
    """Have a corpus value only."""

    name, provider, additive = "whole", "test", False
    outputs = ("longest",)

    def corpus(self, prepared: Cases, constants: Any) -> Any:
        return [max(map(len, prepared.hypotheses))]


class Faulty(Metric):
    """Break the protocol in the way that the parameter names."""

    name, provider = "faulty", "test"
    columns, outputs = ("a",), ("score",)
    undefined = "nothing was counted"

    def __init__(self, *, fault: str = "none") -> None:
        self.fault = fault

    def statistics(self, prepared: Cases, constants: Any) -> Any:
        if self.fault == "raises":
            raise ValueError("too hard")
        if self.fault == "import":
            import miniatures.unimportable  # noqa: F401 - what it raises is the point
        if self.fault == "exits":
            raise SystemExit(7)
        if self.fault == "data":
            raise BadText("a", "b", "c")
        return {
            "shape": np.ones((len(prepared), 2)),
            "rows": np.ones((len(prepared) + 1, 1)),
            "nan": np.full((len(prepared), 1), np.nan),
            "inf": np.full((len(prepared), 1), np.inf),
            "text": [["x"]] * len(prepared),
        }.get(self.fault, np.zeros((len(prepared), 1)))

    def aggregate(self, sums: Any) -> Any:
        return np.ones((3, 3)) if self.fault == "outputs" else sums / sums


class Needy(Metric):
    """Need sources and one reference."""

    name, provider = "needy", "test"
    columns, outputs, needs = ("one",), ("score",), frozenset({"sources", "one-reference"})

    def statistics(self, prepared: Cases, constants: Any) -> Any:
        return np.ones((len(prepared), 1))

    def aggregate(self, sums: Any) -> Any:
        return sums

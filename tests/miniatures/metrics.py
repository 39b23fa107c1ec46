"""
Metrics of a few lines: sound ones, and one that breaks the protocol on demand.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from tertium import Cases, Metric
from tertium.compact import Compact
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


class Letters(Compact):
    """Count letters by the code of each, from texts at hand."""

    def __init__(self, texts: Sequence[str], rest: Any) -> None:
        codes = np.frombuffer("".join(texts).encode("ascii"), np.uint8)
        super().__init__(np.bincount(codes, minlength=128).astype(np.float64), rest)
        self.texts = texts

    def write(self, rows: Any) -> None:
        for row, text in zip(rows, self.texts, strict=True):
            row[:128] = [text.count(chr(code)) for code in range(128)]

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        return cls([text for part in parts for text in part.texts], np.concatenate([part.rest for part in parts]))


class Lettered(Metric):
    """Give wide statistics compactly: how often each letter stands in a text, and a real number."""

    name, provider = "lettered", "test"
    columns = (*(f"letter_{code}" for code in range(128)), "value")
    outputs, scale = ("letters", "value"), (0.0, math.inf)

    def __init__(self, *, threads: bool = False, fault: str = "none") -> None:
        self.threads, self.fault = threads, fault
        self.releases_gil = threads

    def statistics(self, prepared: Cases, constants: Any) -> Any:
        rest = np.array([[len(text) / 3] for text in prepared.hypotheses])
        if self.fault == "rest":
            rest[-1] = np.nan
        found = Letters(prepared.hypotheses, rest)
        if self.fault == "sums":
            found.sums[5] = np.inf
        if self.fault == "shape":
            found.sums = found.sums[1:]
        return found

    def aggregate(self, sums: Any) -> Any:
        return np.stack([sums[..., :128].sum(axis=-1), sums[..., 128]], axis=-1)


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

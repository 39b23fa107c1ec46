"""
A metric of a few lines that is sound in every way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tertium import Cases, Metric


class Sound(Metric):
    """Share of a reference's words that the output holds, in every way sound."""

    name, provider = "sound", "miniature"
    columns, outputs, scale = ("share", "cases"), ("share",), (0.0, 1.0)

    def __init__(self, *, lowercase: bool = False) -> None:
        self.lowercase = lowercase

    def words(self, text: str) -> list[str]:
        return (text.lower() if self.lowercase else text).split()

    def share(self, hypothesis: str, reference: str) -> float:
        wanted = set(self.words(reference))
        return len(wanted & set(self.words(hypothesis))) / max(1, len(wanted))

    def statistics(self, prepared: Cases, constants: Any) -> Any:
        return np.array(
            [[max((self.share(c.hypothesis, r) for r in c.references or ()), default=0.0), 1.0] for c in prepared]
        )

    def aggregate(self, sums: Any) -> Any:
        return sums[..., :1] / np.maximum(sums[..., 1:], 1)

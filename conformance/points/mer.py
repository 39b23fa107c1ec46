"""
Match error rate in two implementations.
"""

from __future__ import annotations

from typing import Any

from points.wer import DIVERGENCES, TOLERANCE, compare, named

__all__ = ["DIVERGENCES", "METRIC", "TOLERANCE", "compare", "point"]

METRIC = "mer"

POINTS = {"jiwer": "mer", "torchmetrics": "mer(split=whitespace,hits=lengths,empty=undefined)"}


def point(implementation: str, _: dict[str, Any]) -> dict[str, Any] | str:
    """
    Return the native parameters that stand for an implementation.
    """
    return named(POINTS, implementation)

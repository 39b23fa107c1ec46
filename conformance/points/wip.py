"""
Word information preserved in three implementations.
"""

from __future__ import annotations

from typing import Any

from points.wer import DIVERGENCES, TOLERANCE, compare, named

__all__ = ["DIVERGENCES", "METRIC", "TOLERANCE", "compare", "point"]

METRIC = "wip"

POINTS = {
    "jiwer": "wip",
    "torchmetrics": "wip(split=whitespace,hits=lengths,empty=undefined)",
    "torcheval": "wip(split=whitespace,hits=lengths,empty=undefined)",
}


def point(implementation: str, _: dict[str, Any]) -> dict[str, Any] | str:
    """
    Return the native parameters that stand for an implementation.
    """
    return named(POINTS, implementation)

"""
Character error rate in four implementations.
"""

from __future__ import annotations

from typing import Any

from points.wer import DIVERGENCES, SCLITE, TOLERANCE, compare, named

__all__ = ["DIVERGENCES", "METRIC", "TOLERANCE", "compare", "point"]

METRIC = "cer"

POINTS = {
    "jiwer": "cer",
    "torchmetrics": "cer(whitespace=keep,empty_reference=infinity)",
    "fastwer": "cer(whitespace=keep,empty_reference=error)",
    "sclite": f"cer(whitespace=ignore-ascii,{SCLITE},empty_reference=infinity)",
}


def point(implementation: str, _: dict[str, Any]) -> dict[str, Any] | str:
    """
    Return the native parameters that stand for an implementation.
    """
    return named(POINTS, implementation)

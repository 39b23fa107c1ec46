"""
Edit distances in seven implementations: plain, optimal string alignment, and unrestricted Damerau.
"""

from __future__ import annotations

from typing import Any

from points.wer import DIVERGENCES, TOLERANCE, compare, named

__all__ = ["DIVERGENCES", "METRIC", "TOLERANCE", "compare", "point"]

METRIC = "levenshtein"

POINTS = {
    "rapidfuzz": "levenshtein(average=pooled)",
    "editdistance": "levenshtein(average=pooled)",
    "nltk": "levenshtein(average=pooled)",
    "torchmetrics": "levenshtein(average=pooled)",
    "nltk-transposition": "levenshtein(average=pooled,transpositions=damerau)",
    "rapidfuzz-damerau": "levenshtein(average=pooled,transpositions=damerau)",
    "rapidfuzz-osa": "levenshtein(average=pooled,transpositions=restricted)",
}


def point(implementation: str, _: dict[str, Any]) -> dict[str, Any] | str:
    """
    Return the native parameters that stand for an implementation.
    """
    return named(POINTS, implementation)

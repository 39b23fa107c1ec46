"""
Provide RapidFuzz's edit distances to tertium.
"""

from __future__ import annotations

import tertium
from tertium_rapidfuzz.levenshtein import Levenshtein

__all__ = ["Levenshtein"]


@tertium.hookimpl
def tertium_metrics() -> list[type[tertium.Metric]]:
    """
    Return the metrics that RapidFuzz computes.
    """
    return [Levenshtein]

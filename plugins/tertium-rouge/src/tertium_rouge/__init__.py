"""
Provide the ROUGE of the package rouge (pltrdy's) to tertium.
"""

from __future__ import annotations

import tertium
from tertium_rouge.rouge import TYPES, Rouge1, Rouge2, Rouge3, Rouge4, Rouge5, RougeL

__all__ = ["Rouge1", "Rouge2", "Rouge3", "Rouge4", "Rouge5", "RougeL"]


@tertium.hookimpl
def tertium_metrics() -> list[type[tertium.Metric]]:
    """
    Return the metrics that rouge computes.
    """
    return list(TYPES)

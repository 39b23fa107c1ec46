"""
Provide fastchrf's chrF to tertium.
"""

from __future__ import annotations

import tertium
from tertium_fastchrf.chrf import Chrf

__all__ = ["Chrf"]


@tertium.hookimpl
def tertium_metrics() -> list[type[tertium.Metric]]:
    """
    Return the metrics that fastchrf computes.
    """
    return [Chrf]

"""
Provide bleuscore's BLEU to tertium.
"""

from __future__ import annotations

import tertium
from tertium_bleuscore.bleu import Bleu

__all__ = ["Bleu"]


@tertium.hookimpl
def tertium_metrics() -> list[type[tertium.Metric]]:
    """
    Return the metrics that bleuscore computes.
    """
    return [Bleu]

"""
Provide JiWER's word and character error measures to tertium.
"""

from __future__ import annotations

import tertium
from tertium_jiwer.error_rates import Cer, Mer, Wer, Wil, Wip

__all__ = ["Cer", "Mer", "Wer", "Wil", "Wip"]


@tertium.hookimpl
def tertium_metrics() -> list[type[tertium.Metric]]:
    """
    Return the metrics that JiWER computes.
    """
    return [Wer, Mer, Wil, Wip, Cer]

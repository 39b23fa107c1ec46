"""
Bring BLEU, chrF and TER as sacreBLEU 2.6.0 computes them.
"""

from __future__ import annotations

import tertium
from tertium_sacrebleu.bleu import BLEU
from tertium_sacrebleu.chrf import CHRF
from tertium_sacrebleu.ter import TER

__all__ = ["BLEU", "CHRF", "TER"]


@tertium.hookimpl
def tertium_metrics() -> list[type[tertium.Metric]]:
    """
    Return the metrics of this plugin.
    """
    return [BLEU, CHRF, TER]

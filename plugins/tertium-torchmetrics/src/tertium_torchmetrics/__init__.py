"""
Provide the text metrics of TorchMetrics that need no model to tertium.
"""

from __future__ import annotations

import tertium
from tertium_torchmetrics import summaries, transcripts
from tertium_torchmetrics.answers import SquadEm, SquadF1
from tertium_torchmetrics.translations import Bleu, Chrf, Ter


@tertium.hookimpl
def tertium_metrics() -> list[type[tertium.Metric]]:
    """
    Return the metrics of this plugin.
    """
    return [Bleu, Chrf, Ter, *summaries.TYPES, *transcripts.TYPES, SquadEm, SquadF1]

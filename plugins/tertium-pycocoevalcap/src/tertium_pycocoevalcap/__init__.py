"""
Provide the BLEU, CIDEr-D, Meteor 1.5 and ROUGE-L of the COCO caption evaluation to tertium.
"""

from __future__ import annotations

import tertium
from tertium_pycocoevalcap.bleu import Bleu
from tertium_pycocoevalcap.cider import CiderD
from tertium_pycocoevalcap.document_frequency import DocumentFrequencies
from tertium_pycocoevalcap.meteor import Meteor
from tertium_pycocoevalcap.rouge import RougeL

__all__ = ["Bleu", "CiderD", "DocumentFrequencies", "Meteor", "RougeL"]


@tertium.hookimpl
def tertium_metrics() -> list[type[tertium.Metric]]:
    """
    Return the metrics that pycocoevalcap computes.
    """
    return [Bleu, CiderD, Meteor, RougeL]

"""
Provide the CIDEr-D of the COCO caption evaluation to tertium.
"""

from __future__ import annotations

import tertium
from tertium_pycocoevalcap.cider import CiderD
from tertium_pycocoevalcap.document_frequency import DocumentFrequencies

__all__ = ["CiderD", "DocumentFrequencies"]


@tertium.hookimpl
def tertium_metrics() -> list[type[tertium.Metric]]:
    """
    Return the metrics that pycocoevalcap computes.
    """
    return [CiderD]

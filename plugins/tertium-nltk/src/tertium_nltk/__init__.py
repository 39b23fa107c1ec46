"""
Provide NLTK's BLEU and METEOR to tertium.
"""

from __future__ import annotations

import tertium
from tertium_nltk.bleu import Bleu
from tertium_nltk.meteor import Meteor

__all__ = ["Bleu", "Meteor"]


@tertium.hookimpl
def tertium_metrics() -> list[type[tertium.Metric]]:
    """
    Return the metrics that NLTK computes.
    """
    return [Bleu, Meteor]

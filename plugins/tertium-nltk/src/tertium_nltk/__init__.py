"""
Provide what NLTK computes to tertium: BLEU, chrF, edit distance, Google's GLEU, METEOR, NIST and RIBES.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import tertium
from tertium_nltk import words
from tertium_nltk.bleu import Bleu
from tertium_nltk.chrf import Chrf
from tertium_nltk.gleu import Gleu
from tertium_nltk.levenshtein import Levenshtein
from tertium_nltk.meteor import Meteor
from tertium_nltk.nist import Nist
from tertium_nltk.ribes import Ribes

__all__ = ["Bleu", "Chrf", "Gleu", "Levenshtein", "Meteor", "Nist", "Ribes"]


@tertium.hookimpl
def tertium_metrics() -> list[type[tertium.Metric]]:
    """
    Return the metrics that NLTK computes.
    """
    return [Bleu, Chrf, Gleu, Levenshtein, Meteor, Nist, Ribes]


@tertium.hookimpl
def tertium_tokenizers() -> Mapping[str, Callable[[str], list[str]]]:
    """
    Return NLTK's own tokenizers, for the native metrics.
    """
    return words.offered()

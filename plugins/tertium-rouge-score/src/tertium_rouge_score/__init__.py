"""
Bring ROUGE-1 to ROUGE-9, ROUGE-L and ROUGE-Lsum as rouge-score 0.1.2 computes them.
"""

from __future__ import annotations

import tertium
from tertium_rouge_score.ngrams import Rouge1, Rouge2, Rouge3, Rouge4, Rouge5, Rouge6, Rouge7, Rouge8, Rouge9
from tertium_rouge_score.subsequences import RougeL, RougeLsum

__all__ = [
    "Rouge1",
    "Rouge2",
    "Rouge3",
    "Rouge4",
    "Rouge5",
    "Rouge6",
    "Rouge7",
    "Rouge8",
    "Rouge9",
    "RougeL",
    "RougeLsum",
]


@tertium.hookimpl
def tertium_metrics() -> list[type[tertium.Metric]]:
    """
    Return the metrics of this plugin.
    """
    return [Rouge1, Rouge2, Rouge3, Rouge4, Rouge5, Rouge6, Rouge7, Rouge8, Rouge9, RougeL, RougeLsum]

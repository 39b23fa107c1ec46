"""
The contract: every metric of this plugin, held to every check.
"""

from __future__ import annotations

from tertium import Metric
from tertium.testing import Check, contract


@contract(
    "bleu@sacrebleu",
    "bleu@sacrebleu(tokenize=intl,lowercase=true)",
    "chrf@sacrebleu",
    "chrf@sacrebleu(word_order=2)",
    "ter@sacrebleu",
    examples=4,
)
def test_contract(metric: Metric, check: Check) -> None:
    """The metric behaves as the protocol asks."""
    check(metric)

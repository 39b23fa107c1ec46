"""
The contract: metrics of this plugin, held to every check.
"""

from __future__ import annotations

from tertium import Metric
from tertium.testing import Check, contract


@contract(
    "bleu@bleuscore",
    "bleu@bleuscore(max_order=2,ref_len_method=closest)",
    "bleu@bleuscore(smooth=true)",
    examples=4,
    expected_failures={},
)
def test_contract(metric: Metric, check: Check) -> None:
    """The metric behaves as the protocol asks."""
    check(metric)

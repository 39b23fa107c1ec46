"""
The contract: metrics of this plugin, held to every check.
"""

from __future__ import annotations

from tertium import Metric
from tertium.testing import Check, contract


@contract(
    "chrf@fastchrf",
    "chrf@fastchrf(references=aggregate)",
    examples=4,
    expected_failures={},
)
def test_contract(metric: Metric, check: Check) -> None:
    """The metric behaves as the protocol asks."""
    check(metric)

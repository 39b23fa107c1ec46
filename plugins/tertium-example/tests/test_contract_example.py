"""
The contract: every metric of this plugin, held to every check.
"""

from __future__ import annotations

from tertium import Metric
from tertium.testing import Check, contract


@contract("exact-match@example", "exact-match@example(lowercase=true)", claims=("monotone",))
def test_contract(metric: Metric, check: Check) -> None:
    """The metric behaves as the protocol asks."""
    check(metric)

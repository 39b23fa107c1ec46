"""
The contract: metrics of this plugin, held to every check.
"""

from __future__ import annotations

import pytest

from tertium import Metric
from tertium.testing import Check, contract


@pytest.mark.slow
@contract(
    "rouge1@rouge-perl(stemming=true)",
    examples=1,
    expected_failures={},
)
def test_contract(metric: Metric, check: Check) -> None:
    """The metric behaves as the protocol asks."""
    check(metric)

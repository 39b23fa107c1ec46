"""
The contract: metrics of this plugin, held to every check.
"""

from __future__ import annotations

from tertium import Metric
from tertium.testing import Check, contract

UNREACHED = "the library adds 1e-8 to the denominator of F, so that an exact match gives a little less than 1"


@contract(
    "rouge1@rouge",
    "rougeL@rouge",
    examples=4,
    expected_failures={"check_identity_is_an_end_of_the_scale": UNREACHED},
)
def test_contract(metric: Metric, check: Check) -> None:
    """The metric behaves as the protocol asks."""
    check(metric)

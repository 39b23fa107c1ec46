"""
The contract: metrics of this plugin, held to every check.
"""

from __future__ import annotations

from tertium import Metric
from tertium.testing import Check, contract

UNREACHED = "the reference's length is weighed twice, as in the Perl program, so that an exact match gives less than 1"


@contract(
    "rouge2@rouge-metric(multi_ref_mode=best,alpha=0.3)",
    "rougeW@rouge-metric",
    examples=4,
    expected_failures={
        "RougeW()-check_identity_is_an_end_of_the_scale": UNREACHED,
    },
)
def test_contract(metric: Metric, check: Check) -> None:
    """The metric behaves as the protocol asks."""
    check(metric)

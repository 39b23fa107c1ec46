"""
The contract: metrics of this plugin, held to every check.
"""

from __future__ import annotations

from tertium import Metric
from tertium.testing import Check, contract

REFUSED = "the library refuses a text of full stops alone, such as the check draws; it is told as an error of the data"
UNREACHED = "1e-8 is added to the divisor of F, so that an exact match gives a little less than 1"


@contract(
    "rouge1@rouge",
    "rougeL@rouge",
    examples=12,
    expected_failures={
        "check_splits_add_up": REFUSED,
        "check_order_is_free": REFUSED,
        "check_scale_holds": REFUSED,
        "check_identity_is_an_end_of_the_scale": UNREACHED,
    },
)
def test_contract(metric: Metric, check: Check) -> None:
    """The metric behaves as the protocol asks."""
    check(metric)

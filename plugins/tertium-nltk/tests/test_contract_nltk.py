"""
The contract: every metric of this plugin, held to every check.
"""

from __future__ import annotations

from tertium import Metric
from tertium.testing import Check, contract

UNREACHED = "a perfect alignment is still charged for its one chunk: the value tends to 1 with the length of the text"


@contract(
    "meteor@nltk",
    "gleu@nltk",
    "nist@nltk(n=1)",
    "ribes@nltk",
    "chrf@nltk",
    "levenshtein@nltk(transpositions=true)",
    examples=3,
    expected_failures={"Meteor()-check_identity_is_an_end_of_the_scale": UNREACHED},
)
def test_contract(metric: Metric, check: Check) -> None:
    """The metric behaves as the protocol asks."""
    check(metric)

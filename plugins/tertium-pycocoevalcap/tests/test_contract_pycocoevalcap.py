"""
The contract: every metric of this plugin, held to every check.
"""

from __future__ import annotations

from tertium import Metric
from tertium.testing import Check, contract


# Without Java: the PTB tokenizer starts it once a call, and has tests of its own.
@contract("cider-d@pycocoevalcap(tokenizer=none)", examples=4)
def test_contract(metric: Metric, check: Check) -> None:
    """The metric behaves as the protocol asks."""
    check(metric)

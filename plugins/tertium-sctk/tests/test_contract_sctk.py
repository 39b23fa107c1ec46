"""
The contract: both metrics of this plugin, held to every check.
"""

from __future__ import annotations

from tertium import Metric
from tertium.testing import Check, contract


@contract("wer@sctk", "wer@sctk(optional_words=true,fragments=true)", "cer@sctk", examples=3)
def test_contract(metric: Metric, check: Check) -> None:
    """The metric behaves as the protocol asks."""
    check(metric)

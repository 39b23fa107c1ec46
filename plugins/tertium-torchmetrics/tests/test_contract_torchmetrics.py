"""
The contract: metrics of this plugin, held to every check.
"""

from __future__ import annotations

import pytest

from tertium import Metric
from tertium.testing import Check, contract

pytest.importorskip("torchmetrics", reason="the library is not installed: `bash .ci/torch` makes an environment for it")


@pytest.mark.slow
@contract(
    "bleu@torchmetrics(smooth=true,tokenize=13a)",
    "chrf@torchmetrics(n_char_order=3,n_word_order=1)",
    "ter@torchmetrics",
    "rouge2@torchmetrics",
    "rougeL@torchmetrics(accumulate=avg,use_stemmer=true)",
    "wer@torchmetrics",
    "cer@torchmetrics",
    "wil@torchmetrics",
    "levenshtein@torchmetrics",
    "squad-f1@torchmetrics",
    examples=1,
)
def test_contract(metric: Metric, check: Check) -> None:
    """The metric behaves as the protocol asks."""
    check(metric)

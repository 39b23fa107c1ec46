"""
The contract: every native metric, held to every check.
"""

from __future__ import annotations

from tertium import Metric
from tertium.testing import Check, contract

UNREACHED = "a perfect alignment is still charged for its one chunk: the value tends to 1 with the length of the text"


@contract(
    "bleu@native",
    "bleu@native(tokenize=char,smoothing=none)",
    "chrf@native",
    "chrf@native(word_order=2)",
    "cider@native",
    "cider-d@native",
    "dice@native",
    "exact-match@native",
    "gec-gleu@native",
    "gleu@native",
    "jaccard@native",
    "levenshtein@native",
    "meteor@native",
    "nist@native",
    "ribes@native",
    "rouge1@native",
    "rouge2@native",
    "rougeL@native",
    "rougeLsum@native",
    "rougeW@native",
    "rougeS@native",
    "rougeSU@native",
    "squad-em@native",
    "squad-f1@native",
    "ter@native",
    "token-f1@native",
    "wer@native",
    "cer@native",
    "mer@native",
    "wil@native",
    "wip@native",
    examples=4,
    expected_failures={"Meteor()-check_identity_is_an_end_of_the_scale": UNREACHED},
)
def test_contract(metric: Metric, check: Check) -> None:
    """The metric behaves as the protocol asks."""
    check(metric)

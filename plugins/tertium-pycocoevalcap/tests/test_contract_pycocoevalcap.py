"""
The contract: every metric of this plugin, held to every check.
"""

from __future__ import annotations

import pytest

from tertium import Cases, Metric
from tertium.testing import Check, contract

# Java is started once a call: METEOR is scored on a few captions, and the others take words as they stand.
CAPTIONS = Cases(
    [
        *("a dog runs", "the small cat sat down", "two people ride horses", "a red bus"),
        *("an old man reads", "boats in the harbour", "a plate of food", "she opens a door"),
    ],
    [
        *(["the dog is running", "a dog"], ["a small cat sits"], ["two persons riding a horse", "people on horses"]),
        *(["a red bus"], ["the old man is reading a paper"], ["a boat in a harbour"], ["food on a plate", "a meal"]),
        ["a woman opening the door"],
    ],
)


@contract(
    "bleu@pycocoevalcap(tokenizer=none)",
    "rougeL@pycocoevalcap(tokenizer=none)",
    "cider-d@pycocoevalcap(tokenizer=none)",
    examples=3,
)
def test_contract(metric: Metric, check: Check) -> None:
    """The metric behaves as the protocol asks."""
    check(metric)


@pytest.mark.slow
@contract("meteor@pycocoevalcap", cases=CAPTIONS, examples=1)
def test_contract_of_meteor(metric: Metric, check: Check) -> None:
    """The metric behaves as the protocol asks, on the captions."""
    if check.name == "check_same_in_other_processes":
        pytest.skip("each process reads METEOR's paraphrases for a minute; the conformance suite runs it in its own")
    check(metric)

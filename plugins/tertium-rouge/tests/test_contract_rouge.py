"""
The contract: metrics of this plugin, held to every check.
"""

from __future__ import annotations

from tertium import Cases, Metric
from tertium.testing import Check, contract

# Texts with a sentence each: the library refuses others, such as a full stop, and the adapter tells that as an error.
PLAIN = Cases(
    [
        *("the cat sat on a mat", "a dog barks twice", "twice the river", "The Dog. The cat", "12 mats on a river"),
        *("on a mat", "a well-known cat", "the river's cat", "twice twice", "sat , barks", "a mat. a cat. a dog"),
    ],
    [
        *(["the cat sat on the mat", "a cat on a mat"], ["the dog barks twice"], ["the river"], ["The Dog barks"]),
        *(
            ["a river on 12 mats"],
            ["on a mat"],
            ["the cat"],
            ["the cat's river", "a river"],
            ["twice"],
            ["barks , sat"],
        ),
        ["a cat. a mat"],
    ],
)


@contract(
    "rouge1@rouge",
    "rougeL@rouge",
    examples=12,
    cases=PLAIN,
)
def test_contract(metric: Metric, check: Check) -> None:
    """The metric behaves as the protocol asks."""
    check(metric)

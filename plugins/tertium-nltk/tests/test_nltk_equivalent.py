"""
Hold METEOR to the native spec that it declares equivalent.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

import tertium
from tertium import resources
from tertium_nltk import Meteor

WORDS = [
    "the",
    "The",
    "sick",
    "ill",
    "dog",
    "dogs",
    "ran",
    "runs",
    "big",
    "large",
    "car",
    "automobile",
    "Straße",
    "STRASSE",
]
WORDS += ["日本", "isn't", "a\u00a0b", "كتاب", "المكتبات", "ponies", "generously", "İ"]


def corpus(seed: int) -> tertium.Cases:
    """
    Invent cases of one to three references, blank texts among them.
    """
    rng = random.Random(seed)

    def text() -> str:
        return " ".join(rng.choices(WORDS, k=rng.randint(0, 9)))

    return tertium.Cases([text() for _ in range(40)], [[text() for _ in range(rng.randint(1, 3))] for _ in range(40)])


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"alpha": 0.5, "beta": 1.0, "gamma": 0.25},
        {"alpha": 0.0, "beta": 0.0, "gamma": 1.0},
        {"stemmer": "none"},
        {"wordnet": "none"},
        {"wordnet": "none", "stemmer": "none"},
        {"preprocessing": "none"},
        {"preprocessing": "casefold"},
        {"stemmer": "porter:original"},
        {"stemmer": "porter:martin"},
        {"stemmer": "snowball:arabic"},
        {"stemmer": "snowball:english", "wordnet": "none"},
        {"stemmer": "lancaster"},
        {"stemmer": "cistem"},
        {"stemmer": "isri"},
        {"stemmer": "arlstem"},
        {"stemmer": "arlstem2"},
        {"tokenizer": "wordpunct"},
        {"tokenizer": "treebank"},
        {"tokenizer": "word"},
        {"tokenizer": "toktok"},
        {"tokenizer": "tweet"},
    ],
    ids=str,
)
def test_equivalent_gives_the_same_numbers(params: dict[str, Any]) -> None:
    """Every case's value agrees, under every setting that the native metric knows."""
    problem = resources.get("wordnet").problem()
    if problem:
        pytest.skip(f"WordNet is not there ({problem}); run `tertium fetch wordnet`")
    metric = Meteor(**params)

    for seed in range(3):
        theirs, ours = tertium.score(metric, corpus(seed)), tertium.score(metric.equivalent(), corpus(seed))
        assert ours.per_case["meteor"] == pytest.approx(theirs.per_case["meteor"], rel=1e-12, abs=0)
        assert ours.value == pytest.approx(theirs.value, rel=1e-12, abs=0)


@pytest.mark.parametrize("params", [{"tokenizer": list}, {"stemmer": str.upper}, {"preprocessing": str.upper}])
def test_what_the_native_metric_does_not_know_has_no_equivalent(params: dict[str, Any]) -> None:
    """Callables, which no spec can name, declare no equivalent."""
    assert Meteor(**params).equivalent() is None

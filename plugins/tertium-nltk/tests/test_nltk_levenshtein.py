"""
Hold edit distances to NLTK itself, to values worked by hand and to their native equivalent.
"""

from __future__ import annotations

import inspect
import random
from typing import Any

import pytest
from nltk.metrics.distance import edit_distance

import tertium
from tertium_nltk import Levenshtein

TEXTS = ["", " ", "ab", "ba", "acb", "cabd", "kitten", "sitting", "naïve", "日本", "a b c", "a c b", "c a b b"]


def corpus(seed: int) -> tertium.Cases:
    """
    Invent cases of one to three references.
    """
    rng = random.Random(seed)
    references = [[rng.choice(TEXTS) for _ in range(rng.randint(1, 3))] for _ in range(30)]
    return tertium.Cases([rng.choice(TEXTS) for _ in references], references)


def test_every_argument_of_the_library_is_a_parameter() -> None:
    """The parameters are the library's arguments, with their defaults."""
    taken = {name: one.default for name, one in inspect.signature(edit_distance).parameters.items()}

    assert {**taken, "tokenizer": "none"} == {"s1": taken["s1"], "s2": taken["s2"], **Levenshtein().parameters}


@pytest.mark.parametrize(
    "params",
    [{}, {"transpositions": True}, {"substitution_cost": 2}, {"substitution_cost": 0}, {"tokenizer": "whitespace"}],
    ids=str,
)
def test_equals_the_library(params: dict[str, Any]) -> None:
    """Each case's value is the library's distance to the nearest reference."""
    cases = corpus(1)
    arguments = {name: value for name, value in params.items() if name != "tokenizer"}

    def units(text: str) -> Any:
        return text.split() if "tokenizer" in params else text

    score = tertium.score(Levenshtein(**params), cases)

    wanted = [
        min(edit_distance(units(text), units(case.hypothesis), **arguments) for text in case.references or ())
        for case in cases
    ]
    assert score.per_case["levenshtein"].tolist() == wanted
    assert score["edits"] == sum(wanted)
    assert score.value == pytest.approx(sum(wanted) / len(wanted), rel=1e-12)


def test_a_swap_costs_one_with_an_edit_between() -> None:
    """From ca to abc: a swap and one insertion between the two (by hand); three edits without swaps."""
    cases = tertium.Cases(["ca"], [["abc"]])

    assert tertium.score("levenshtein@nltk(transpositions=true)", cases).value == 2
    assert tertium.score("levenshtein@nltk", cases).value == 3


def test_the_first_of_equally_near_references_gives_the_length() -> None:
    """Two references are one edit away; the length is the first one's."""
    score = tertium.score("levenshtein@nltk", tertium.Cases(["abc"], [["abcd", "ab"]]))

    assert (score.value, score["length"]) == (1, 4)


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"transpositions": True},
        {"tokenizer": "whitespace"},
        {"tokenizer": "whitespace", "transpositions": True},
    ],
    ids=str,
)
def test_equivalent_gives_the_same_numbers(params: dict[str, Any]) -> None:
    """Value, totals and every case's value agree with the native metric under the declared parameters."""
    metric = Levenshtein(**params)

    for seed in range(3):
        theirs, ours = tertium.score(metric, corpus(seed)), tertium.score(metric.equivalent(), corpus(seed))
        assert ours.per_case["levenshtein"].tolist() == theirs.per_case["levenshtein"].tolist()
        assert {name: ours[name] for name in theirs.outputs} == dict(theirs.outputs)


@pytest.mark.parametrize("params", [{"substitution_cost": 2}, {"tokenizer": "tweet"}, {"tokenizer": list}], ids=str)
def test_what_the_native_metric_does_not_know_has_no_equivalent(params: dict[str, Any]) -> None:
    """Other costs, NLTK's tokenizers and callables declare no equivalent."""
    assert Levenshtein(**params).equivalent() is None


def test_units_are_shown() -> None:
    """The units of a text are its characters, or the tokenizer's words."""
    assert Levenshtein().tokens("a b") == ["a", " ", "b"]
    assert Levenshtein(tokenizer="whitespace").tokens("a b") == ["a", "b"]

"""
The levenshtein metric: by hand, against rapidfuzz, and at its limits.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import OSA, DamerauLevenshtein
from rapidfuzz.distance import Levenshtein as Reference

import tertium
from tertium.errors import ParameterError
from tertium.native.levenshtein import Levenshtein

texts = st.one_of(
    st.text(st.sampled_from("ab é漢😀\u0301\t"), max_size=12),
    st.text(max_size=8).filter(lambda text: text.isprintable()),
)


def value(reference: str, hypothesis: str, **options: Any) -> float:
    """
    Score one pair.
    """
    return tertium.score(Levenshtein(**options), tertium.Cases([hypothesis], [[reference]])).value


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=4))
def test_distances_equal_rapidfuzz(pairs: list[tuple[str, str]]) -> None:
    """Raw and normalised distances, and both kinds with transpositions, equal rapidfuzz's on any text."""
    cases = tertium.Cases([pair[1] for pair in pairs], [[pair[0]] for pair in pairs])

    for transpositions, library in (("none", Reference), ("restricted", OSA), ("damerau", DamerauLevenshtein)):
        raw = tertium.score(Levenshtein(transpositions=transpositions), cases).per_case["levenshtein"]
        assert [library.distance(*pair) for pair in pairs] == raw.tolist()
    shares = tertium.score(Levenshtein(divide="longer"), cases).per_case["levenshtein"]
    assert shares.tolist() == pytest.approx([Reference.normalized_distance(*pair) for pair in pairs], rel=1e-12)


def test_units_by_hand() -> None:
    """An accent is one of two code points, one grapheme cluster, and one word."""
    reference, hypothesis = "e\u0301t la", "et la"

    assert value(reference, hypothesis) == 1.0
    assert value(reference, hypothesis, unit="grapheme") == 1.0
    assert value(reference, hypothesis, unit="grapheme", divide="reference") == 1 / 5
    assert value(reference, hypothesis, divide="reference") == 1 / 6
    assert value(reference, hypothesis, unit="word", divide="reference") == 1 / 2


def test_divisors_by_hand() -> None:
    """`abcd` and `ab` are two edits apart: over 4, over the longer 4, over 6 together."""
    assert value("abcd", "ab") == 2.0
    assert value("abcd", "ab", divide="reference") == 0.5
    assert value("ab", "abcd", divide="reference") == 1.0
    assert value("ab", "abcd", divide="longer") == 0.5
    assert value("ab", "abcd", divide="sum") == 2 / 6


def test_nothing_against_nothing_is_zero_and_an_empty_reference_infinite() -> None:
    """Two empty texts are zero apart under every divisor; insertions over no reference are infinitely many."""
    for divide in ("none", "reference", "longer", "sum"):
        assert value("", "", divide=divide) == 0.0
    assert math.inf == value("", "ab", divide="reference")
    assert value("", "ab", divide="longer") == 1.0
    score = tertium.score(Levenshtein(divide="reference"), tertium.Cases(["a"], [[""]]))
    assert score.statistics is not None
    assert np.isfinite(score.statistics).all()


def test_pooled_and_mean() -> None:
    """Distances 1 and 3 make 4 in all and 2 on average; over 1 and 3 reference characters, 4/4 and 1."""
    cases = tertium.Cases(["x", ""], [["a"], ["abc"]])

    assert tertium.score(Levenshtein(average="pooled"), cases).value == 4.0
    assert tertium.score(Levenshtein(), cases).value == 2.0
    assert tertium.score(Levenshtein(average="pooled", divide="reference"), cases).value == 1.0
    cases = tertium.Cases(["x", "abc"], [["a"], ["abc"]])
    assert tertium.score(Levenshtein(average="pooled", divide="reference"), cases).value == 0.25
    assert tertium.score(Levenshtein(divide="reference"), cases).value == 0.5


def test_several_references() -> None:
    """The nearest reference counts, or the mean over all."""
    cases = tertium.Cases(["ab"], [["abcd", "abc"]])

    assert tertium.score(Levenshtein(), cases).value == 1.0
    assert tertium.score(Levenshtein(references="mean"), cases).value == 1.5


@pytest.mark.parametrize("options", [{"split": "space"}, {"unit": "word", "whitespace": "strip"}, {"divide": "all"}])
def test_contradictions_are_errors(options: dict[str, Any]) -> None:
    """A rule that cannot apply is an error, not ignored."""
    with pytest.raises(ParameterError):
        Levenshtein(**options)

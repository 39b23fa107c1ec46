"""
One metric on the suite: what it is held to, where it differs, and what is left out.
"""

from __future__ import annotations

import math

import tertium
from miniatures import functions
from tertium.conformance import load_cases
from tertium.spec import parse
from tertium.standing import standing, told

NAME = "exact-match"


def test_a_native_default_agrees_with_itself() -> None:
    """The default differs from itself nowhere, and every case is counted once."""
    found = standing(tertium.load(NAME), NAME, None)
    cases = [case for case in load_cases() if case.metric == NAME and case.output is None]

    assert found.counts["default"] == (len(cases) - sum(found.left_out.values()), 0)
    assert "setting" not in found.counts
    assert found.axes == {}


def test_differences_name_case_values_and_conventions() -> None:
    """A function that strips white space differs from the default where a case is about that."""
    metric = tertium.adapt(functions.stripped, metric=NAME, level="segment")
    found = standing(metric, NAME, parse("exact-match@native(normalizer=strip)"))
    (apart,) = [one for one in found.stands if not one.agrees["default"]]

    assert found.differing("setting") == 0
    assert (apart.mine, apart.others["default"], apart.agrees["setting"]) == (("number", 1.0), ("number", 0.0), True)
    assert set(found.axes) == set(apart.case.axes)
    assert found.left_out == {"they have several references": 1}
    assert apart.to_dict()["texts"][0]["hypothesis"] == apart.case.columns()[0][0]


def test_values_are_compared_on_the_unit_scale() -> None:
    """A function that writes 100 for 1 agrees as one that writes 1."""

    def percent(prediction: str, truth: str) -> float:
        return 100 * functions.stripped(prediction, truth)

    found = standing(tertium.adapt(percent, metric=NAME, level="segment"), NAME, None)

    assert found.counts["default"][1] == 1


def test_errors_and_nan_differ_from_numbers() -> None:
    """What is raised, and NaN, is no value; what both refuse is the same."""

    def broken(prediction: str, truth: str) -> float:
        if prediction != truth:
            return math.nan
        raise ValueError("equal")

    shape = {"input": "strings", "references": "one", "first": "hypothesis", "result": "number", "scale": 1}
    found = standing(tertium.adapt(broken, metric=NAME, level="segment", **shape), NAME, None)
    kinds = {one.mine[0] for one in found.stands}

    assert found.counts["default"][0] == 0
    assert kinds == {"ValueError", "undefined"}


def test_what_does_not_fit_into_the_time_is_left_out() -> None:
    """With no time at all the first case is answered, and the others are counted."""
    found = standing(tertium.load(NAME), NAME, None, seconds=0.0)

    assert sum(found.counts["default"]) == 1
    assert found.left_out["there was no time for them"] > 1


def test_meanings_are_those_of_the_vocabulary() -> None:
    """What the vocabulary does not know has none."""
    assert list(told(["bleu.smoothing", "no.such"])) == ["bleu.smoothing"]


def test_what_streams_cannot_hold_is_left_out() -> None:
    """A function of streams is not blamed for cases whose segments have different counts of references."""

    def streamed(predictions: list[str], streams: list[list[str]]) -> float:
        return sum(text in row for text, row in zip(predictions, zip(*streams, strict=True), strict=True)) / len(
            predictions
        )

    shape = {"input": "strings", "level": "corpus", "references": "streams", "first": "hypothesis", "result": "number"}
    found = standing(tertium.adapt(streamed, metric="bleu", scale=1, **shape), "bleu", None)
    uneven = [
        case.id
        for case in load_cases()
        if case.metric == "bleu" and case.output is None and len({len(row or ()) for row in case.columns()[1]}) > 1
    ]

    assert found.left_out["not all their segments have as many references, and streams need that"] == 2
    assert {"bleu-unequal-reference-counts", "bleu-ragged-references-exact"} <= set(uneven)
    assert not {one.case.id for one in found.stands} & set(uneven)

"""
The vocabulary of conventions: complete, without repeats, and true about what each axis changes.
"""

from __future__ import annotations

import doctest
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tertium
from tertium import conventions
from tertium.conventions import axis_of, families, family_of
from tertium.errors import TertiumError
from tertium.parameters import Parameter, parameters_of
from tertium.registry import registry

NATIVE = {name: found["native"] for name, found in registry().metrics.items() if "native" in found}

NUMBERS: dict[str, tuple[Any, ...]] = {"weights": ("0.4,0.3,0.2,0.1",), "smooth_value": (0.3,)}
"""Other values of parameters that have no list of choices."""

CASES = tertium.Cases(
    ["the cat sat on the mat", "", "A cat, a cat !", "no", "the the the the the"],
    [["the cat is on the mat", "there is a cat"], ["some words here"], [""], ["no"], ["the cat", "one two three four"]],
    sources=["x", "y", "z", "no", "the"],
)


def test_every_parameter_of_every_native_metric_has_an_axis() -> None:
    """A native metric cannot gain a convention that has no name and no sentence."""
    missing = [f"{name}({p})" for name, metric in NATIVE.items() for p in parameters_of(metric) if not axis_of(name, p)]

    assert missing == []


def test_every_family_and_parameter_exists() -> None:
    """The vocabulary names nothing that is not there, and each metric and parameter once."""
    metrics = [metric for family in families().values() for metric in family.metrics]

    assert sorted(NATIVE) == sorted(metrics)
    for family in families().values():
        named = [parameter for axis in family.axes.values() for parameter in axis.parameters]
        known = {parameter for metric in family.metrics for parameter in parameters_of(NATIVE[metric])}

        assert sorted(set(named)) == sorted(named)
        assert set(named) == known
        assert set(family.per_case) <= known


def test_every_axis_has_one_sentence_and_a_stage() -> None:
    """A meaning is one plain sentence."""
    for family in families().values():
        for axis in family.axes.values():
            assert axis.meaning[0].isupper()
            assert axis.meaning.endswith(".")
            assert ". " not in axis.meaning
            assert axis.stage in ("statistics", "aggregate")
            assert axis.id == f"{family.name}.{axis.name}"


def values(name: str, parameter: Parameter) -> tuple[Any, ...]:
    if name in NUMBERS:
        return NUMBERS[name]
    return parameter.choices or (True, False)


def moves() -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    for family in families().values():
        settings: list[dict[str, Any]] = [{}, {"smoothing": "floor"}, {"smoothing": "nltk-7"}]
        for metric in family.metrics:
            declared = parameters_of(NATIVE[metric])
            for base in settings if family.name == "bleu" else settings[:1]:
                for axis in family.axes.values():
                    for name in axis.parameters:
                        if axis.stage == "aggregate" and name in declared:
                            yield from ((metric, base, {name: value}) for value in values(name, declared[name]))


@pytest.mark.parametrize(("metric", "base", "change"), list(moves()), ids=str)
def test_an_axis_of_the_aggregate_stage_leaves_statistics_alone(
    metric: str, base: dict[str, Any], change: dict[str, Any]
) -> None:
    """Statistics of equal columns can be shared between settings that differ on axes of the aggregate stage alone."""
    before = NATIVE[metric](**base)
    try:
        after = NATIVE[metric](**{**base, **change})
    except TertiumError:  # the choice contradicts the rest, so nobody can be in that setting
        return
    if before.columns != after.columns:
        return
    rows = [one.statistics(one.preprocess(CASES), one.constants(one.preprocess(CASES))) for one in (before, after)]

    np.testing.assert_array_equal(rows[0], rows[1])


def test_every_axis_changes_statistics_where_cases_are_finished_one_by_one() -> None:
    """Under a mean of the cases' scores, what would be a matter of the sums changes each case's statistics."""
    family = family_of("bleu")
    assert family is not None

    assert family.stage(family.axes["smoothing"], {"aggregation": "pooled"}) == "aggregate"
    assert family.stage(family.axes["smoothing"], {"aggregation": "mean"}) == "statistics"


def test_unknown_names_have_no_axis() -> None:
    """What the vocabulary does not know is None, not an error."""
    assert family_of("no-such-metric") is None
    assert axis_of("bleu", "colour") is None


def test_examples_in_docstrings_run() -> None:
    """Examples in docstrings print what they say."""
    failed, tried = doctest.testmod(conventions)

    assert (failed, tried > 0) == (0, True)

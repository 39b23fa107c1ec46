"""
The vocabulary of conventions: complete, without repeats, and true about what each axis changes.
"""

from __future__ import annotations

import doctest
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tertium
from tertium import conventions
from tertium.conventions import axis_of, families, family_of
from tertium.errors import TertiumError
from tertium.metric import Matrix, Metric
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
            assert axis.stage in ("counting", "statistics", "aggregate")
            assert axis.id == f"{family.name}.{axis.name}"


def values(name: str, parameter: Parameter) -> tuple[Any, ...]:
    if name in NUMBERS:
        return NUMBERS[name]
    return parameter.choices or (True, False)


def moves(stage: str) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    for family in families().values():
        settings: list[dict[str, Any]] = [{}, {"smoothing": "floor"}, {"smoothing": "nltk-7"}]
        for metric in family.metrics:
            declared = parameters_of(NATIVE[metric])
            for base in settings if family.name == "bleu" else settings[:1]:
                for axis in family.axes.values():
                    for name in axis.parameters:
                        if axis.stage == stage and name in declared:
                            yield from ((metric, base, {name: value}) for value in values(name, declared[name]))


@pytest.mark.parametrize(("metric", "base", "change"), list(moves("aggregate")), ids=str)
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


def finished(metric: Metric, sums: Matrix) -> Any:
    """What a metric makes of sums, or why it makes nothing of them."""
    with np.errstate(all="ignore"):
        try:
            return metric.aggregate(sums)
        except TertiumError as error:
            return str(error)


def choices(name: str) -> dict[str, tuple[Any, ...]]:
    """The values to try of each parameter that has a list of choices, a switch or numbers of its own."""
    declared = parameters_of(NATIVE[name])
    return {
        p: values(p, found) for p, found in declared.items() if found.choices or bool in found.kinds or p in NUMBERS
    }


@pytest.mark.parametrize("name", sorted(NATIVE))
def test_an_axis_of_the_counting_stage_leaves_columns_and_their_finish_alone(name: str) -> None:
    """Sums can be finished together where settings differ on axes of the counting stage alone, whatever the rest is."""
    family = family_of(name)
    assert family is not None
    chooser, known = random.Random(name), choices(name)
    counting = [p for axis in family.axes.values() if axis.stage == "counting" for p in axis.parameters if p in known]
    tried = [(p, value) for p in counting for value in known[p] for _ in range(8)]
    held = 0
    for parameter, value in tried:
        base = {other: chooser.choice(known[other]) for other in chooser.sample(sorted(known), min(3, len(known)))}
        try:
            before, after = NATIVE[name](**base), NATIVE[name](**{**base, parameter: value})
        except TertiumError:  # the choice contradicts the rest, or lacks a resource
            continue
        if not before.info.additive:
            continue
        sums = np.random.default_rng(held).integers(0, 9, (6, len(before.columns))) * 1.0
        sums[0] = 0.0

        assert (before.columns, before.outputs) == (after.columns, after.outputs), (base, parameter, value)
        np.testing.assert_array_equal(finished(before, sums), finished(after, sums), f"{base} {parameter}={value}")
        held += 1
    assert held or not tried


def test_every_axis_changes_statistics_where_cases_are_finished_one_by_one() -> None:
    """Under a mean of the cases' scores, what would be a matter of the sums changes each case's statistics."""
    family = family_of("bleu")
    assert family is not None
    pooled = {"tokenize": "13a", "smoothing": "exp", "max_order": 4, "aggregation": "pooled"}
    mean = {**pooled, "aggregation": "mean"}

    assert set(family.counted(pooled)) == {"tokenize", "max_order", "aggregation"}
    assert family.counted(mean) == mean
    assert set(family.finished(pooled)) == set(family.finished(mean)) == {"smoothing", "max_order", "aggregation"}


def test_a_parameter_without_an_axis_decides_everything() -> None:
    """What nothing is known about can change what is counted and what is made of it."""
    family = family_of("bleu")
    assert family is not None

    assert family.counted({"colour": "red"}) == family.finished({"colour": "red"}) == {"colour": "red"}


def test_unknown_names_have_no_axis() -> None:
    """What the vocabulary does not know is None, not an error."""
    assert family_of("no-such-metric") is None
    assert axis_of("bleu", "colour") is None


def test_examples_in_docstrings_run() -> None:
    """Examples in docstrings print what they say."""
    failed, tried = doctest.testmod(conventions)

    assert (failed, tried > 0) == (0, True)

"""
Outcomes: their types, their JSON, and when two are the same.
"""

from __future__ import annotations

import json
import math

import pytest

from tertium.conformance.outcomes import (
    Failed,
    Infinite,
    Number,
    Outcome,
    Rejected,
    Tolerance,
    Undefined,
    Unsupported,
    no_number,
    outcome_of,
    same,
    value_outcome,
)
from tertium.conformance.schemas import problem

ALL: list[Outcome] = [
    Number(50.0, 0.5, {"precision": 0.25, "rate": math.inf, "share": math.nan, "per_case": [1.0, math.nan]}),
    Infinite(-math.inf, {"edits": 2.0}),
    Undefined("nothing to divide by"),
    Rejected("provider", "DataError", "too short"),
    Failed("hang", "no answer"),
    Unsupported("no such option"),
]


@pytest.mark.parametrize("outcome", ALL, ids=lambda one: type(one).__name__)
def test_json_fits_the_schema_and_reads_back(outcome: Outcome) -> None:
    """Every type is written as its schema says and read as what it was."""
    line = json.loads(json.dumps(outcome.to_json(), allow_nan=False))

    assert problem(line, "outcome") == ""
    assert type(outcome_of(line)) is type(outcome)
    assert same(outcome_of(line), outcome)


def test_each_type_is_the_same_as_itself_alone() -> None:
    """No two types are the same."""
    for i, one in enumerate(ALL):
        assert [same(one, other) for other in ALL] == [i == j for j in range(len(ALL))]


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (1.0, 1.0 + 5e-10, True),
        (1.0, 1.0 + 5e-9, False),
        (0.0, 0.0, True),
        (0.0, 1e-300, False),
        (1e-16, 1.0000000001e-16, True),
        (1e-16, 2e-16, False),
    ],
)
def test_numbers_are_compared_relatively_and_zero_exactly(one: float, other: float, equal: bool) -> None:
    """1e-9 of the larger one is let pass, and 0 equals no tiny positive number."""
    assert same(Number(one, one), Number(other, other)) is equal


def test_numbers_are_compared_on_the_unit_scale() -> None:
    """50 of 100 is 0.5 of 1."""
    assert same(Number(50.0, 0.5), Number(0.5, 0.5))


def test_a_case_may_ask_for_another_tolerance() -> None:
    """An absolute distance counts where a case gives one."""
    assert Tolerance(absolute=1e-6, why="six digits are printed").same(0.0, 5e-7)


@pytest.mark.parametrize(
    ("value", "kind"), [(0.5, Number), (math.inf, Infinite), (-math.inf, Infinite), (math.nan, Undefined)]
)
def test_a_value_takes_the_type_that_fits(value: float, kind: type[Outcome]) -> None:
    """Finite, infinite and missing values are different things."""
    assert type(value_outcome(value, 1.0, {}, "why")) is kind


def test_what_gives_no_number() -> None:
    """Undefined, refused and broken give none; unsupported was not asked."""
    assert [no_number(one) for one in ALL] == [False, False, True, True, True, False]

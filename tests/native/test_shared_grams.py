"""
Shared n-grams: pairwise clipped counts of all orders.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.native.columns import offsets_of
from tertium.native.shared_grams import DIRECT, shared_grams

ROWS = st.lists(st.integers(0, 4), max_size=14)


def by_hand(hypothesis: list[int], reference: list[int], order: int) -> int:
    """Count shared n-grams from the definition: the sum of the smaller counts."""
    left, right = (Counter(tuple(r[i : i + order]) for i in range(len(r) - order + 1)) for r in (hypothesis, reference))
    return sum((left & right).values())


def counted(hypotheses: list[list[int]], references: list[list[list[int]]], orders: int) -> np.ndarray:
    flat = [row for rows in references for row in rows]
    return shared_grams(
        np.array([unit for row in hypotheses for unit in row], np.int32),
        offsets_of(map(len, hypotheses), len(hypotheses)),
        np.array([unit for row in flat for unit in row], np.int32),
        offsets_of(map(len, flat), len(flat)),
        offsets_of(map(len, references), len(references)),
        orders,
    )


@given(st.lists(st.tuples(ROWS, st.lists(ROWS, min_size=1, max_size=3)), min_size=1, max_size=4), st.integers(1, 7))
@settings(max_examples=150, deadline=None)
def test_counts_follow_the_definition(cases: list[tuple[list[int], list[list[int]]]], orders: int) -> None:
    """Every order of every pair has the sum of the smaller counts."""
    expected = [[by_hand(h, r, n) for n in range(1, orders + 1)] for h, references in cases for r in references]

    assert expected == counted([h for h, _ in cases], [r for _, r in cases], orders).tolist()


@pytest.mark.parametrize("distinct", [3, 3000])
def test_long_rows_leave_the_direct_table(distinct: int) -> None:
    """Rows whose classes and units no longer fit the direct table are counted just as exactly."""
    random = np.random.default_rng(7)
    reference = random.integers(0, distinct, 30_000).tolist()
    hypothesis = reference[5_000:15_000] + random.integers(0, distinct, 15_000).tolist()

    found = counted([hypothesis], [[reference]], 4)

    assert distinct * distinct * distinct * distinct > DIRECT or distinct == 3
    assert [[by_hand(hypothesis, reference, n) for n in range(1, 5)]] == found.tolist()


def test_million_characters_and_ten_thousand_references() -> None:
    """A row of a million units against itself, and one against ten thousand references, count as worked by hand."""
    row = ([0, 1, 2, 3, 4] * 200_000)[:1_000_000]

    assert [[1_000_000 - n for n in range(6)]] == counted([row], [[row]], 6).tolist()
    many = counted([[1, 2, 3]], [[[1, 2, number % 7] for number in range(10_000)]], 3)
    assert [[3, 2, 1] if number % 7 == 3 else [2, 1, 0] for number in range(10_000)] == [
        row if number % 7 not in (1, 2) else [2, 1, 0] for number, row in enumerate(many.tolist())
    ]

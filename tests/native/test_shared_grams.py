"""
Shared n-grams: pairwise clipped counts of all orders.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.native.columns import offsets_of, text_column
from tertium.native.shared_grams import DIRECT, clipped_grams, shared_characters, shared_grams

Counting = Callable[..., np.ndarray]
ROWS = st.lists(st.integers(0, 4), max_size=14)


def by_hand(hypothesis: list[int], reference: list[int], order: int) -> int:
    """Count shared n-grams from the definition: the sum of the smaller counts."""
    left, right = (Counter(tuple(r[i : i + order]) for i in range(len(r) - order + 1)) for r in (hypothesis, reference))
    return sum((left & right).values())


def counted(
    hypotheses: list[list[int]], references: list[list[list[int]]], orders: int, count: Counting = shared_grams
) -> np.ndarray:
    flat = [row for rows in references for row in rows]
    return count(
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


@given(st.lists(st.tuples(ROWS, st.lists(ROWS, max_size=3)), min_size=1, max_size=4), st.integers(1, 7))
@settings(max_examples=150, deadline=None)
def test_clipped_counts_follow_the_definition(cases: list[tuple[list[int], list[list[int]]]], orders: int) -> None:
    """Each n-gram counts as often as the hypothesis has it, and at most as often as the one reference that has most."""
    expected = []
    for hypothesis, references in cases:
        expected.append([])
        for n in range(1, orders + 1):
            ours, *theirs = (
                Counter(tuple(r[i : i + n]) for i in range(len(r) - n + 1)) for r in (hypothesis, *references)
            )
            most = {gram: max((counts[gram] for counts in theirs), default=0) for gram in ours}
            expected[-1].append(sum(min(count, most[gram]) for gram, count in ours.items()))

    assert expected == counted([h for h, _ in cases], [r for _, r in cases], orders, clipped_grams).tolist()


@given(st.lists(st.tuples(st.text("ab\t😀é", max_size=9), st.text("ab\té", max_size=9)), min_size=1, max_size=4))
@settings(max_examples=100, deadline=None)
def test_dropped_characters_are_as_if_they_were_not_there(pairs: list[tuple[str, str]]) -> None:
    """Characters that are left out count nowhere, neither in n-grams nor in lengths, whatever the widths of the sides."""
    dropped = np.zeros(100, np.bool_)
    dropped[[9, ord("b")]] = True
    sides = [[text.replace("\t", "").replace("b", "") for text in texts] for texts in zip(*pairs, strict=True)]
    left, right = (text_column(texts) for texts in zip(*pairs, strict=True))

    matches, ours, theirs = shared_characters(left, right, np.arange(len(pairs) + 1), 3, dropped)

    assert [[len(text) for text in texts] for texts in sides] == [ours.tolist(), theirs.tolist()]
    rows = [([*map(ord, a)], [*map(ord, b)]) for a, b in zip(*sides, strict=True)]
    assert [[by_hand(a, b, n) for n in (1, 2, 3)] for a, b in rows] == matches.tolist()


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

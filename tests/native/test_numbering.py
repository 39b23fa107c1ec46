"""
Numbers of tokens within a case: equal exactly where tokens are, whatever their length and width.
"""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.native import numbering
from tertium.native.columns import SpanColumn, offsets_of, span_column

NARROW = st.text(st.sampled_from("ab\0ÿ"), max_size=3)
# around eight, sixteen and twenty-four bytes at one, two and four bytes a code point, and well beyond
LONG = st.builds(
    lambda letter, count, at, other: letter * at + other + letter * (count - at),
    st.sampled_from("aĀ😀"),
    st.integers(0, 40),
    st.integers(0, 40),
    st.sampled_from(["", "b", "Ā", "😀"]),
)
ROWS = st.lists(st.one_of(NARROW, LONG), max_size=9)


def numbers_by_hand(hypothesis: list[str], references: list[list[str]]) -> tuple[list[int], list[int]]:
    """Number the tokens of one case with a dictionary."""
    known: dict[str, int] = {}
    ours = [known.setdefault(token, len(known)) for token in hypothesis]
    return ours, [known.get(token, len(known)) for reference in references for token in reference]


def numbered(hypotheses: list[list[str]], references: list[list[list[str]]]) -> tuple[list[int], list[int]]:
    """Number the tokens of cases by the kernel."""
    flat = [row for rows in references for row in rows]
    bounds = offsets_of(map(len, references), len(references))
    ours, theirs = numbering.case_numbers(span_column(hypotheses), span_column(flat), bounds)
    return ours.tolist(), theirs.tolist()


@given(st.lists(st.tuples(ROWS, st.lists(ROWS, max_size=3)), min_size=1, max_size=4))
@settings(max_examples=300, deadline=None)
def test_numbers_are_equal_exactly_where_tokens_are(cases: list[tuple[list[str], list[list[str]]]]) -> None:
    """Hypotheses are numbered by first occurrence, references likewise, and what a hypothesis lacks comes after it."""
    expected = [numbers_by_hand(hypothesis, references) for hypothesis, references in cases]

    ours, theirs = numbered([hypothesis for hypothesis, _ in cases], [references for _, references in cases])

    assert ([n for left, _ in expected for n in left], [n for _, right in expected for n in right]) == (ours, theirs)


def test_collisions_do_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tokens that share one hash, and long ones that share both ends too, keep numbers of their own."""
    monkeypatch.setattr(numbering, "factors", lambda: np.zeros(8, np.int64))
    tokens = [f"the same beginning {number % 97:02} and the same end" for number in range(300)]

    assert numbers_by_hand(tokens, [tokens[::-1]]) == numbered([tokens], [[tokens[::-1]]])


@pytest.mark.parametrize("pattern", ["{}", "the same beginning of tokens {} and the same end of them"])
def test_many_tokens_of_one_length_stay_fast(pattern: str) -> None:
    """A hundred thousand tokens of one case that differ in two characters take far less than quadratic time."""
    tokens = [pattern.format(chr(0x4E00 + n // 400) + chr(0x4E00 + n % 400)) for n in range(100_000)]
    numbered([["warm"]], [[["wärm"]]])
    start = time.perf_counter()

    ours, theirs = numbered([tokens], [[tokens[::-1]]])

    assert time.perf_counter() - start < 3
    assert (ours, theirs) == (list(range(100_000)), list(range(99_999, -1, -1)))


def test_a_column_without_room_behind_is_given_some() -> None:
    """Code points that end with the last token are numbered like any others."""
    made = span_column([["ab", "a", "ab"]])
    tight = SpanColumn(made.points[:5].copy(), made.starts, made.ends, made.offsets)

    ours, theirs = numbering.case_numbers(tight, tight, np.array([0, 1]))

    assert (ours.tolist(), theirs.tolist()) == ([0, 1, 0], [0, 1, 0])

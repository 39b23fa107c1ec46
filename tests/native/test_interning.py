"""
Equal tokens, equal ids: exactly, whatever the hash says.
"""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.native import interning
from tertium.native.columns import text_column
from tertium.native.interning import empty_vocabulary, find_pair, intern_words, salt, table_size

words = st.one_of(
    st.text(st.sampled_from("abÄ中😀\0"), max_size=3),
    st.text(st.sampled_from("aÿ\0Ā"), min_size=6, max_size=9),  # around the length and width of packed codes
)


@given(
    first=st.lists(st.lists(words, max_size=12), max_size=5), second=st.lists(st.lists(words, max_size=12), max_size=5)
)
@settings(max_examples=200, deadline=None)
def test_ids_are_equal_exactly_when_tokens_are(first: list[list[str]], second: list[list[str]]) -> None:
    """
    Ids number tokens by first occurrence, across columns that share a vocabulary and differ in width.
    """
    one = intern_words(first)
    two = intern_words(second, one.vocabulary)
    numbers: dict[str, int] = {}
    expected = [[numbers.setdefault(word, len(numbers)) for row in rows for word in row] for rows in (first, second)]
    assert [one.ids.tolist(), two.ids.tolist()] == expected
    assert two.vocabulary.words() == list(numbers)
    assert [two[row] for row in range(len(two))] == second
    assert len(one.vocabulary) == len({word for row in first for word in row}), (
        "the first vocabulary must stay as it was"
    )


@given(known=st.lists(words, max_size=12, unique=True), wanted=st.lists(words, max_size=12), at=st.integers(0, 12))
@settings(max_examples=200, deadline=None)
def test_tokens_are_found_among_those_that_are_known(known: list[str], wanted: list[str], at: int) -> None:
    """
    A token has the id that it was given, in a column of any width, and any other the number of tokens.
    """
    vocabulary = intern_words([known[:at]], intern_words([known[at:]]).vocabulary).vocabulary
    column = text_column(wanted)
    found = vocabulary.find(column.points, column.offsets[:-1], column.offsets[1:])
    order = known[at:] + known[:at]
    assert found.tolist() == [order.index(word) if word in order else len(order) for word in wanted]
    assert vocabulary.words() == order


def test_collisions_do_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Tokens keep ids of their own where all hashes are one, also those that differ only far from both ends.
    """
    monkeypatch.setattr(interning, "factors", lambda: np.zeros(7, np.int64))
    strings = [f"{'x' * 40}{i % 97:02}{'x' * 40}" for i in range(400)] + [str(i % 97) for i in range(400)]
    column = text_column(strings)
    ids, vocabulary = empty_vocabulary().extend(column.points, column.offsets[:-1], column.offsets[1:])
    again, same = vocabulary.extend(column.points, column.offsets[:-1], column.offsets[1:])
    assert ids.tolist() == again.tolist() == [i % 97 for i in range(400)] + [97 + i % 97 for i in range(400)]
    assert same is vocabulary
    assert vocabulary.words() == strings[:97] + strings[400:497]


def test_many_tokens_of_one_length_stay_fast() -> None:
    """
    300,000 distinct tokens that differ in one or two characters are numbered in far less than quadratic time.
    """
    strings = [chr(0x4E00 + i // 600) + chr(0x4E00 + i % 600) for i in range(300_000)]
    intern_words([["warm"]]), intern_words([["中"]])
    start = time.perf_counter()
    ids = intern_words([strings]).ids
    assert time.perf_counter() - start < 3
    assert ids.tolist() == list(range(300_000))


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=60))
@settings(deadline=None)  # the first example compiles
def test_pairs_are_found_where_they_were_put(pairs: list[tuple[int, int]]) -> None:
    """
    The pair table numbers pairs by first occurrence.
    """
    slots = np.full(table_size(len(pairs)), -1, np.int64)
    keys = np.empty(len(pairs), np.int64)
    seen: dict[tuple[int, int], int] = {}
    for first, second in pairs:
        slot = find_pair(slots, keys, first, second, salt())
        assert slots[slot] == seen.get((first, second), -1)
        if slots[slot] < 0:
            keys[len(seen)] = first << 32 | second
            slots[slot] = seen[first, second] = len(seen)

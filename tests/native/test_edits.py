"""
Edit counts: the kernels against the textbook table, and against rapidfuzz where one of its programs counts the same.
"""

from __future__ import annotations

import functools
import itertools
import os
import random
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import OSA, DamerauLevenshtein, Levenshtein

from tertium.native.edits import WORD, breakdowns, distances, margin, trim
from tertium.native.transpositions import restricted, unrestricted
from tertium.native.weighted import weighted

Sequences = Sequence[Sequence[int]]

symbols = st.integers(0, 3)
short = st.lists(symbols, max_size=9)
# Long enough for several words of bits, and alike enough for long ways along the diagonal.
long = st.builds(
    lambda base, cuts, extra: ([*base], [symbol for i, symbol in enumerate(base) if i not in cuts] + extra),
    st.lists(symbols, min_size=55, max_size=200),
    st.sets(st.integers(0, 200), max_size=30),
    short,
)


def laid_out(pairs: Sequence[tuple[Sequence[int], Sequence[int]]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """
    Lay pairs out as the kernels take them: left numbers, right numbers, spans.
    """
    left = np.array([symbol for pair in pairs for symbol in pair[0]], np.int32)
    right = np.array([symbol for pair in pairs for symbol in pair[1]], np.int32)
    edges = [np.concatenate([[0], np.cumsum([len(pair[side]) for pair in pairs])]) for side in (0, 1)]
    spans = np.stack([edges[0][:-1], edges[0][1:], edges[1][:-1], edges[1][1:]], axis=1).astype(np.int64)
    return left, right, spans


def count_distances(pairs: Sequence[tuple[Sequence[int], Sequence[int]]]) -> list[int]:
    """
    Count the edits of pairs.
    """
    left, right, spans = laid_out(pairs)
    found = np.empty(len(pairs), np.int64)
    table, carry = np.zeros(64, np.int64), np.empty(max(len(left), len(right)), np.int8)
    distances(left, right, spans, table, carry, found)
    assert not table.any()
    return found.tolist()


def count_breakdowns(pairs: Sequence[tuple[Sequence[int], Sequence[int]]]) -> list[list[int]]:
    """
    Count hits, substitutions, deletions and insertions of pairs by rapidfuzz's rule.
    """
    left, right, spans = laid_out(pairs)
    found = np.empty((len(pairs), 4), np.int64)
    table, carry = np.zeros(64, np.int64), np.empty(len(right), np.int8)
    room = (max(len(pair[0]) for pair in pairs) // WORD + 1) * len(right)
    breakdowns(left, right, spans, table, carry, np.empty(room, np.int64), np.empty(room, np.int64), found)
    assert not table.any()
    return found.tolist()


def defined(left: Sequence[int], right: Sequence[int], costs: tuple[int, int, int] = (1, 1, 1)) -> int:
    """
    Give the least cost of turning one sequence into the other, by the recurrence itself.
    """
    substitution, insertion, deletion = costs

    @functools.cache
    def cost(rows: int, columns: int) -> int:
        if not rows or not columns:
            return rows * deletion + columns * insertion
        paired = cost(rows - 1, columns - 1) + (left[rows - 1] != right[columns - 1]) * substitution
        return min(paired, cost(rows - 1, columns) + deletion, cost(rows, columns - 1) + insertion)

    return cost(len(left), len(right))


def rapidfuzz_counts(left: Sequence[int], right: Sequence[int]) -> list[int]:
    """
    Give hits, substitutions, deletions and insertions as rapidfuzz counts them.
    """
    tags = [operation.tag for operation in Levenshtein.editops(left, right)]
    substitutions, deletions = tags.count("replace"), tags.count("delete")
    return [len(left) - substitutions - deletions, substitutions, deletions, tags.count("insert")]


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("kitten", "sitting", 3),
        ("saturday", "sunday", 3),
        ("", "abc", 3),
        ("abc", "", 3),
        ("", "", 0),
        ("abc", "abc", 0),
    ],
)
def test_textbook_distances(left: str, right: str, expected: int) -> None:
    """The distances of the textbooks hold: kitten and sitting are three edits apart."""
    assert [expected] == count_distances([([ord(c) - 96 for c in left], [ord(c) - 96 for c in right])])


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(short, short), min_size=1, max_size=5))
def test_distances_equal_the_recurrence(pairs: list[tuple[list[int], list[int]]]) -> None:
    """The bit-parallel distance is the one that the recurrence defines, for several pairs in one call."""
    assert [defined(*pair) for pair in pairs] == count_distances(pairs)


@settings(max_examples=150, deadline=None)
@given(long)
def test_long_pairs_equal_rapidfuzz(pair: tuple[list[int], list[int]]) -> None:
    """Across word boundaries distances and breakdowns equal rapidfuzz's, in both directions."""
    for left, right in (pair, pair[::-1]):
        assert [Levenshtein.distance(left, right)] == count_distances([(left, right)])
        assert [rapidfuzz_counts(left, right)] == count_breakdowns([(left, right)])


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(short, short), min_size=1, max_size=5))
def test_breakdowns_equal_rapidfuzz(pairs: list[tuple[list[int], list[int]]]) -> None:
    """Substitutions, deletions and insertions are split as rapidfuzz splits them, ties included."""
    assert [rapidfuzz_counts(*pair) for pair in pairs] == count_breakdowns(pairs)


def test_every_short_pair_equals_rapidfuzz() -> None:
    """Distances and breakdowns are right on all pairs of up to four symbols of an alphabet of three."""
    sequences = [list(word) for size in range(5) for word in itertools.product(range(3), repeat=size)]
    pairs = [(left, right) for left in sequences for right in sequences]

    assert [rapidfuzz_counts(*pair) for pair in pairs] == count_breakdowns(pairs)
    assert [Levenshtein.distance(*pair) for pair in pairs] == count_distances(pairs)


@settings(max_examples=150, deadline=None)
@given(short, short, st.tuples(st.integers(0, 5), st.integers(1, 5), st.integers(1, 5)))
def test_weighted_counts_cost_the_least(left: list[int], right: list[int], costs: tuple[int, int, int]) -> None:
    """For any costs the counts are those of an alignment of least cost, and they fit the lengths."""
    numbers, others, spans = laid_out([(left, right)])
    found = np.empty((1, 4), np.int64)
    work = np.empty(len(right) + 1, np.int64), np.empty(len(right) + 1, np.int64)

    weighted(numbers, others, spans, np.array([0, *costs]), np.array([0, 1, 2, 3]), False, *work, found)

    hits, substitutions, deletions, insertions = found[0].tolist()
    assert defined(left, right, costs) == substitutions * costs[0] + insertions * costs[1] + deletions * costs[2]
    assert len(left) == hits + substitutions + deletions
    assert len(right) == hits + substitutions + insertions


@settings(max_examples=100, deadline=None)
@given(long, st.booleans())
def test_margin_gives_all_prefixes_or_suffixes(pair: tuple[list[int], list[int]], backwards: bool) -> None:
    """The margin holds the distance of every prefix (or suffix) of one side to the whole other side."""
    left, right, spans = laid_out([pair])
    found = np.empty(len(pair[0]) + 1, np.int64)

    margin(left, right, spans[0], backwards, np.zeros(4, np.int64), np.empty(len(right), np.int8), found)

    size = len(pair[0])
    for length in range(0, size + 1, 17):
        part = pair[0][size - length :] if backwards else pair[0][:length]
        assert Levenshtein.distance(part, pair[1]) == found[length]


def test_trim_cuts_prefix_first() -> None:
    """What a prefix took is gone for the suffix: of `aa` and `a` one symbol is cut, not two."""
    left, right, spans = laid_out([([1, 1], [1])])

    assert trim(left, right, spans[0]) == 1
    assert spans[0].tolist() == [1, 2, 1, 1]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(short, short), min_size=1, max_size=4))
def test_transpositions_equal_rapidfuzz(pairs: list[tuple[list[int], list[int]]]) -> None:
    """The restricted and the unrestricted distance equal rapidfuzz's OSA and DamerauLevenshtein."""
    left, right, spans = laid_out(pairs)
    found = np.empty(len(pairs), np.int64)

    restricted(left, right, spans.copy(), np.empty((3, len(right) + 1), np.int64), found)
    assert [OSA.distance(*pair) for pair in pairs] == found.tolist()

    unrestricted(left, right, spans.copy(), np.zeros(4, np.int64), np.empty((3, len(right) + 2), np.int64), found)
    assert [DamerauLevenshtein.distance(*pair) for pair in pairs] == found.tolist()


def test_transpositions_by_hand() -> None:
    """ca and abc: three edits when no swapped letter is edited again, two when it may be (Damerau)."""
    left, right, spans = laid_out([([3, 1], [1, 2, 3])])
    found = np.empty(1, np.int64)

    restricted(left, right, spans.copy(), np.empty((3, 4), np.int64), found)
    assert found.tolist() == [3]

    unrestricted(left, right, spans.copy(), np.zeros(4, np.int64), np.empty((3, 5), np.int64), found)
    assert found.tolist() == [2]


def test_twenty_thousand_units_take_seconds() -> None:
    """A pair of 20,000 units each is counted in well under ten seconds."""
    rng = random.Random(7)
    pair = [rng.randrange(60) for _ in range(20_000)], [rng.randrange(60) for _ in range(20_000)]
    began = time.perf_counter()

    (found,) = count_distances([pair])

    assert time.perf_counter() - began < 10
    assert Levenshtein.distance(*pair) == found


def test_plain_python_gives_the_same() -> None:
    """With NUMBA_DISABLE_JIT=1 and warnings as errors the kernels give the same numbers."""
    program = """
import numpy as np
from test_edits import count_breakdowns, count_distances, rapidfuzz_counts, unrestricted, laid_out
pairs = [([1, 2, 3] * 25, [2, 3, 1] * 24), ([1, 2], [2, 3]), ([], [1]), ([1] * 70, [2] * 130)]
assert [rapidfuzz_counts(*pair) for pair in pairs] == count_breakdowns(pairs)
assert [sum(counts[1:]) for counts in count_breakdowns(pairs)] == count_distances(pairs)
left, right, spans = laid_out([([3, 1], [1, 2, 3])])
found = np.empty(1, np.int64)
unrestricted(left, right, spans, np.zeros(4, np.int64), np.empty((3, 5), np.int64), found)
assert [2] == found.tolist()
"""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(Path(__file__).parent)}
    subprocess.run([sys.executable, "-W", "error::RuntimeWarning", "-c", program], env=environment, check=True)

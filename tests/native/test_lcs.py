"""
Longest common subsequences: lengths, the way back, unions over sentences, and bounds on memory.
"""

from __future__ import annotations

import random
import tracemalloc
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.native import lcs

Texts = list[list[list[int]]]


def laid_out(texts: Texts) -> tuple[Any, Any, Any]:
    """Give ids, the sentences' offsets and the texts' sentences."""
    sentences = [sentence for text in texts for sentence in text]
    ids = np.array([token for sentence in sentences for token in sentence], np.int32)
    offsets = np.concatenate([[0], np.cumsum([len(sentence) for sentence in sentences])]).astype(np.int64)
    return ids, offsets, np.concatenate([[0], np.cumsum([len(text) for text in texts])]).astype(np.int64)


def table(reference: list[int], hypothesis: list[int]) -> list[list[int]]:
    """Fill the textbook table."""
    rows = [[0] * (len(hypothesis) + 1)]
    for token in reference:
        row = [0]
        for column, other in enumerate(hypothesis):
            row.append(rows[-1][column] + 1 if token == other else max(rows[-1][column + 1], row[column]))
        rows.append(row)
    return rows


def way_back(reference: list[int], hypothesis: list[int], drop_reference: bool = True) -> list[int]:
    """Read the reference positions of one longest common subsequence from the table."""
    values = table(reference, hypothesis)
    row, column, found = len(reference), len(hypothesis), []
    while row and column:
        above, left = values[row - 1][column], values[row][column - 1]
        if reference[row - 1] == hypothesis[column - 1]:
            row, column = row - 1, column - 1
            found.append(row)
        elif above > left or (above == left and drop_reference):
            row -= 1
        else:
            column -= 1
    return found[::-1]


def expected_hits(hypothesis: list[list[int]], reference: list[list[int]], credit: int, drop_reference: bool) -> int:
    """Credit marked tokens by the definition of each rule."""
    marked = [
        sentence[position]
        for sentence in reference
        for position in sorted({row for other in hypothesis for row in way_back(sentence, other, drop_reference)})
    ]
    if credit == lcs.UNCLIPPED:
        return len(marked)
    if credit == lcs.DISTINCT:
        return len(set(marked))
    return (Counter(marked) & Counter(token for sentence in hypothesis for token in sentence)).total()


def lengths(hypotheses: list[list[int]], references: list[list[int]], bounds: list[int]) -> list[int]:
    """Measure with the kernel."""
    ours, theirs = laid_out([[text] for text in hypotheses]), laid_out([[text] for text in references])
    return lcs.lcs_lengths(ours[0], ours[1], theirs[0], theirs[1], np.array(bounds)).tolist()


TOKENS = st.lists(st.integers(0, 3), max_size=9)


@given(TOKENS, st.lists(TOKENS, min_size=1, max_size=3))
@settings(max_examples=200, deadline=None)
def test_lengths_are_those_of_the_table(hypothesis: list[int], references: list[list[int]]) -> None:
    """Each reference's length is the last entry of the textbook table."""
    found = lengths([hypothesis], references, [0, len(references)])
    assert [table(reference, hypothesis)[-1][-1] for reference in references] == found


@pytest.mark.parametrize(("long", "other"), [(61, 80), (62, 62), (63, 5), (124, 130), (125, 1), (400, 377)])
def test_lengths_over_several_blocks(long: int, other: int) -> None:
    """Carries pass from block to block, on both sides of each block's edge."""
    rng = random.Random(long)
    for kinds in (1, 2, 20):
        one = [rng.randrange(kinds) for _ in range(long)]
        two = [rng.randrange(kinds) for _ in range(other)]
        assert [table(one, two)[-1][-1], table(two, one)[-1][-1]] == lengths([two, one], [one, two], [0, 1, 2])


@given(
    st.lists(TOKENS, max_size=3),
    st.lists(st.lists(TOKENS, max_size=3), min_size=1, max_size=3),
    st.sampled_from([lcs.CLIPPED, lcs.UNCLIPPED, lcs.DISTINCT]),
    st.booleans(),
)
@settings(max_examples=300, deadline=None)
def test_union_credits_what_the_rule_says(
    hypothesis: list[list[int]], references: Texts, credit: int, drop_reference: bool
) -> None:
    """Tokens on the table's way back are united over sentences and credited by each rule."""
    bounds = np.array([0, len(references)])
    found = lcs.union_lcs(
        *laid_out([hypothesis]), *laid_out(references), bounds, credit=credit, drop_reference=drop_reference
    )
    wanted = [expected_hits(hypothesis, reference, credit, drop_reference) for reference in references]
    assert wanted == found.tolist()


@pytest.mark.parametrize("drop_reference", [True, False])
def test_way_back_over_several_blocks(drop_reference: bool) -> None:
    """The marked positions are those of the table's way back, whatever block they are in."""
    rng = random.Random(7)
    for kinds in (2, 3, 40):
        reference = [[rng.randrange(kinds) for _ in range(size)] for size in (200, 63, 0)]
        hypothesis = [[rng.randrange(kinds) for _ in range(size)] for size in (150, 1, 70, 62)]
        found = lcs.union_lcs(
            *laid_out([hypothesis]),
            *laid_out([reference]),
            np.array([0, 1]),
            credit=lcs.UNCLIPPED,
            drop_reference=drop_reference,
        )
        assert [expected_hits(hypothesis, reference, lcs.UNCLIPPED, drop_reference)] == found.tolist()


def test_marks_are_those_of_rouge_score() -> None:
    """Of several longest common subsequences the library's own is found, position by position."""
    library = pytest.importorskip("rouge_score.rouge_scorer", reason="rouge-score is not installed")
    rng = random.Random(3)
    for _ in range(200):
        kinds, size = rng.choice([2, 5, 30]), rng.choice([6, 70, 140])
        reference = [rng.randrange(kinds) for _ in range(rng.randrange(size))]
        hypothesis = [rng.randrange(kinds) for _ in range(rng.randrange(size))]
        marks = np.zeros(len(reference), np.int64)
        lcs.mark_lcs(
            np.array(reference, np.int32),
            np.array(hypothesis, np.int32),
            np.zeros(kinds, np.int64),
            np.zeros((2, len(hypothesis)), np.int64),
            np.zeros(3 * 20, np.uint8),
            marks,
            True,
        )
        assert library.lcs_ind(reference, hypothesis) == np.flatnonzero(marks).tolist()


def test_long_texts_need_little_memory() -> None:
    """20,000 tokens on either side take memory as they grow; the way back adds a bit a token and block of 62 rows."""
    rng = np.random.default_rng(5)
    ours, theirs = ([[row.tolist()]] for row in rng.integers(0, 5000, (2, 20_000)))
    one, other = laid_out(ours), laid_out(theirs)
    bounds = np.array([0, 1])
    lengths([[1]], [[1]], [0, 1])  # compiled before memory is measured
    tracemalloc.start()
    whole = lcs.lcs_lengths(one[0], one[1], other[0], other[1], bounds)
    apart = tracemalloc.get_traced_memory()[1]
    hits = lcs.union_lcs(*one, *other, bounds)
    both = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert whole.tolist() == hits.tolist()
    assert apart < 1 << 20
    assert both < 4 << 20


def test_without_texts() -> None:
    """No case, and cases without a token, are counted like any other."""
    empty = laid_out([])
    assert lcs.lcs_lengths(empty[0], empty[1], empty[0], empty[1], np.array([0])).tolist() == []
    assert lengths([[], [1]], [[1], []], [0, 1, 2]) == [0, 0]
    assert lcs.union_lcs(*laid_out([[]]), *laid_out([[[1]], []]), np.array([0, 2])).tolist() == [0, 0]

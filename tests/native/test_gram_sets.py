"""
Distinct n-grams of two texts.
"""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from native.test_lcs import laid_out
from tertium.native.gram_sets import distinct_grams

TOKENS = st.lists(st.integers(0, 3), max_size=9)


def grams(tokens: list[int], order: int) -> set[tuple[int, ...]]:
    """Collect the n-grams of one order."""
    return {tuple(tokens[start : start + order]) for start in range(len(tokens) - order + 1)}


@given(TOKENS, st.lists(TOKENS, min_size=1, max_size=3), st.integers(1, 5))
@settings(max_examples=300, deadline=None)
def test_any_texts(hypothesis: list[int], references: list[list[int]], order: int) -> None:
    """Counts are the sizes of Python's sets and of their intersection."""
    ours, theirs = laid_out([[hypothesis]]), laid_out([[text] for text in references])
    found = distinct_grams(ours[0], ours[1], theirs[0], theirs[1], np.array([0, len(references)]), order)
    one = grams(hypothesis, order)
    assert [[len(one & grams(text, order)), len(one), len(grams(text, order))] for text in references] == found.tolist()

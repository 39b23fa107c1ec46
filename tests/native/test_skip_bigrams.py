"""
Skip-bigrams: shared pairs under any gap, single tokens beside them, and totals.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from native.test_lcs import laid_out
from tertium.native.skip_bigrams import UNLIMITED, skip_bigram_count, skip_bigram_matches

TOKENS = st.lists(st.integers(0, 3), max_size=9)


def pairs(tokens: list[int], gap: int, singles: int) -> Counter[tuple[int, ...]]:
    """List the pairs with at most ``gap`` tokens in between, and the first tokens alone."""
    found = Counter((token,) for token in tokens[:singles])
    for first in range(len(tokens)):
        for second in range(first + 1, min(first + gap + 2, len(tokens))):
            found[tokens[first], tokens[second]] += 1
    return found


@given(TOKENS, st.lists(TOKENS, min_size=1, max_size=3), st.sampled_from([0, 1, 2, 4, UNLIMITED]), st.integers(0, 9))
@settings(max_examples=300, deadline=None)
def test_any_texts(hypothesis: list[int], references: list[list[int]], gap: int, singles: int) -> None:
    """Matches are clipped counts of pairs and single tokens, totals their numbers."""
    ours, theirs = laid_out([[hypothesis]]), laid_out([[text] for text in references])
    alone = np.array([min(singles, len(hypothesis))]), np.array([min(singles, len(text)) for text in references])
    found = skip_bigram_matches(ours[0], ours[1], theirs[0], theirs[1], np.array([0, len(references)]), gap, *alone)

    wanted = [(pairs(hypothesis, gap, singles) & pairs(text, gap, singles)).total() for text in references]
    assert wanted == found.tolist()
    counted = skip_bigram_count(np.array([len(text) for text in references]), gap)
    assert [pairs(text, gap, 0).total() for text in references] == counted.tolist()


@pytest.mark.parametrize(
    ("hypothesis", "matches"),
    [("police kill the gunman", 3), ("the gunman kill police", 1), ("the gunman police killed", 2)],
)
def test_example_of_the_paper(hypothesis: str, matches: int) -> None:
    """Of the six pairs of "police killed the gunman" the paper's three texts share three, one and two."""
    numbers = {word: i for i, word in enumerate(("gunman", "kill", "killed", "police", "the"))}
    ours, theirs = (
        laid_out([[[numbers[word] for word in text.split()]]]) for text in (hypothesis, "police killed the gunman")
    )
    none = np.zeros(1, np.int64)
    found = skip_bigram_matches(ours[0], ours[1], theirs[0], theirs[1], np.array([0, 1]), UNLIMITED, none, none)
    assert found.tolist() == [matches]

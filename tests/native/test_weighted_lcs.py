"""
Weighted longest common subsequences: the paper's table, and runs of marked tokens.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from native.test_lcs import laid_out
from tertium.native.weighted_lcs import RUNS, RUNS_UNCLIPPED, TABLE, weighted_hits

ONE = np.array([0, 1])


def fill(reference: list[int], hypothesis: list[int], weight: float) -> tuple[float, list[int]]:
    """Fill the table of Lin 2004, section 4, and read its last value and the marked reference positions."""
    rows, columns = len(reference), len(hypothesis)
    value = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    run = [[0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(1, rows + 1):
        for j in range(1, columns + 1):
            if reference[i - 1] == hypothesis[j - 1]:
                k = run[i - 1][j - 1]
                value[i][j] = value[i - 1][j - 1] + float(k + 1) ** weight - float(k) ** weight
                run[i][j] = k + 1
            else:
                value[i][j] = max(value[i - 1][j], value[i][j - 1])
    i, j, marked = rows, columns, []
    while i and j:
        if reference[i - 1] == hypothesis[j - 1]:
            i, j = i - 1, j - 1
            marked.append(i)
        elif value[i - 1][j] >= value[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return value[rows][columns], marked


def runs(hypothesis: list[list[int]], reference: list[list[int]], weight: float, clipped: bool) -> float:
    """Weigh runs of credited tokens as ROUGE-1.5.5 does."""
    left = Counter(token for sentence in hypothesis for token in sentence)
    total = 0.0
    for sentence in reference:
        marked = {row for other in hypothesis for row in fill(sentence, other, weight)[1]}
        length = 0
        for position in sorted(marked):
            if clipped and left[sentence[position]] == 0:
                continue
            left[sentence[position]] -= 1
            length += 1
            if position + 1 not in marked:
                total += float(length) ** weight
                length = 0
    return total


@pytest.mark.parametrize(("hypothesis", "fmeasure"), [("ABCDHIK", 0.571), ("AHBKCID", 0.286)])
def test_example_of_the_paper(hypothesis: str, fmeasure: float) -> None:
    """Of two texts with the same common subsequence the one that has it in a piece gets 0.571, the other 0.286."""
    ours, theirs = ([[[ord(letter) - 65 for letter in text]]] for text in (hypothesis, "ABCDEFG"))
    found = weighted_hits(*laid_out(ours), *laid_out(theirs), ONE, weight=2.0, credit=TABLE)[0]
    assert found == {"ABCDHIK": 16.0, "AHBKCID": 4.0}[hypothesis]
    assert round(math.sqrt(found / 49), 3) == fmeasure


@given(
    st.lists(st.lists(st.integers(0, 3), max_size=8), max_size=3),
    st.lists(st.lists(st.integers(0, 3), max_size=8), max_size=3),
    st.sampled_from([0.5, 1.0, 1.2, 2.0]),
)
@settings(max_examples=300, deadline=None)
def test_any_texts(hypothesis: list[list[int]], reference: list[list[int]], weight: float) -> None:
    """The table's value and both kinds of runs are those of the definitions, to 1e-12."""
    texts = *laid_out([hypothesis]), *laid_out([reference]), ONE
    whole = fill([*chain(*reference)], [*chain(*hypothesis)], weight)[0]
    for credit, wanted in (
        (TABLE, whole),
        (RUNS, runs(hypothesis, reference, weight, True)),
        (RUNS_UNCLIPPED, runs(hypothesis, reference, weight, False)),
    ):
        found = weighted_hits(*texts, weight=weight, credit=credit)[0]
        assert math.isclose(wanted, found, rel_tol=1e-12, abs_tol=1e-12), credit


def test_many_strips() -> None:
    """Texts of several strips of rows are read back from the saved rows to the same runs, to 1e-12."""
    rng = random.Random(11)
    for kinds in (2, 9):
        reference = [[rng.randrange(kinds) for _ in range(size)] for size in (300, 64, 129)]
        hypothesis = [[rng.randrange(kinds) for _ in range(size)] for size in (210, 70)]
        found = weighted_hits(*laid_out([hypothesis]), *laid_out([reference]), ONE, weight=1.2, credit=RUNS)[0]
        assert math.isclose(runs(hypothesis, reference, 1.2, True), found, rel_tol=1e-12)

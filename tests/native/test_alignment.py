"""
Alignments: costs as they are written, named tie rules by hand, and paths that agree with the counts.
"""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from tertium.errors import ParameterError
from tertium.native.alignment import SCLITE, Aligner, Costs, Ties, costs
from tertium.native.units import Column
from tertium.native.wer import Wer

TIES: list[Ties] = ["jiwer", "sclite", "kaldialign", "most-hits", "fewest-hits"]
LETTERS = {"hit": "C", "substitution": "S", "insertion": "I", "deletion": "D"}

words = st.lists(st.sampled_from("abc"), max_size=8).map(" ".join)


def column(numbers: list[int]) -> Column:
    """
    Make a column of one sequence.
    """
    return Column(np.array(numbers, np.int32), np.array([0, len(numbers)], np.int64), max(numbers, default=0) + 1)


def steps(reference: str, hypothesis: str, **options: str) -> str:
    """
    Align two texts as a string of C, S, D and I.
    """
    return "".join(LETTERS[step.operation] for step in Wer(**options).align(reference, hypothesis))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("ties", "expected"),
    # Reference `a b`, hypothesis `b c`: two substitutions, or a deletion and an insertion around the hit.
    [("jiwer", "SS"), ("sclite", "SS"), ("kaldialign", "DCI"), ("most-hits", "DCI"), ("fewest-hits", "SS")],
)
def test_tie_rules_by_hand(ties: str, expected: str) -> None:
    """Each rule takes its own one of the two alignments with two edits."""
    assert expected == steps("a b", "b c", ties=ties)


@pytest.mark.parametrize(
    ("reference", "hypothesis", "expected"),
    [
        ("a b", "b c", "DCI"),
        ("a b", "x", "DS"),
        ("a", "x y", "IS"),
        ("a", "a a", "IC"),
        ("a1 a2 a3 b1 b2 b3", "b1 b2 b3 a1 a2 a3", "DDDCCCIII"),
        ("a b c d e", "d e x y z", "DDDCCIII"),
    ],
)
def test_sclite_by_hand(reference: str, hypothesis: str, expected: str) -> None:
    """At costs 4, 3 and 3 an insertion and a deletion beat two substitutions, and gaps come early."""
    assert expected == steps(reference, hypothesis, costs="sclite", ties="sclite")


def test_steps_carry_units_and_spans() -> None:
    """Every step holds the units on both sides and where they stand."""
    found = Wer().align("a b c", "a x b")

    assert [tuple(step) for step in found] == [
        ("hit", "a", "a", (0, 1), (0, 1)),
        ("insertion", None, "x", (1, 1), (1, 2)),
        ("hit", "b", "b", (1, 2), (2, 3)),
        ("deletion", "c", None, (2, 3), (3, 3)),
    ]


@settings(max_examples=200, deadline=None)
@given(words, words, st.sampled_from(TIES), st.sampled_from(["unit", "sclite", "2/1/1.5"]))
def test_path_and_counts_agree(reference: str, hypothesis: str, ties: Ties, price: str) -> None:
    """The alignment that is shown is the one that is counted, for every rule and price, and it spells both texts."""
    metric = Wer(ties=ties, costs=price)
    left, right = metric._units.pair(reference, hypothesis)

    counted = metric._aligner.counts(left, right, np.zeros(1, np.int64))[0]
    shown = metric.align(reference, hypothesis)

    letters = [LETTERS[step.operation] for step in shown]
    assert [letters.count(letter) for letter in "CSDI"] == counted.tolist()
    assert reference.split() == [step.reference for step in shown if step.reference is not None]
    assert hypothesis.split() == [step.hypothesis for step in shown if step.hypothesis is not None]


@settings(max_examples=150, deadline=None)
@given(words, words)
def test_hits_lie_between_the_bounding_rules(reference: str, hypothesis: str) -> None:
    """No rule counts more hits than most-hits or fewer than fewest-hits, and all count the same number of edits."""
    hits, edits = {}, set()
    for ties in TIES:
        counts = [step.operation for step in Wer(ties=ties).align(reference, hypothesis)]
        hits[ties] = counts.count("hit")
        edits.add(len(counts) - hits[ties])

    assert len(edits) == 1
    assert all(hits["fewest-hits"] <= count <= hits["most-hits"] for count in hits.values())


@pytest.mark.parametrize("seed", range(6))
def test_long_pairs_are_halved_as_rapidfuzz_halves_them(seed: int) -> None:
    """From a megabyte of bits on rapidfuzz aligns halves; step by step the alignment is the same."""
    rng = random.Random(seed)
    size = rng.choice([2, 4, 30, 1000])
    left = [rng.randrange(size) for _ in range(rng.choice([2100, 3000]))]
    right = [rng.randrange(size) if rng.random() < 0.3 else symbol for symbol in left if rng.random() < 0.9]
    right = [rng.randrange(size) for _ in range(2000)] + right if seed % 2 else right
    aligner = Aligner(Costs(), "jiwer")

    path = aligner.path(column(left), column(right))

    names, found, row, place = ("equal", "replace", "insert", "delete"), [], 0, 0
    for step in path:
        if step:
            found.append((names[step], row, place))
        row, place = row + (step != 2), place + (step != 3)
    expected = [(edit.tag, edit.src_pos, edit.dest_pos) for edit in Levenshtein.editops(left, right)]
    assert expected == found
    counts = aligner.counts(column(left), column(right), np.zeros(1, np.int64))[0].tolist()
    assert counts == [path.count(number) for number in (0, 1, 3, 2)]


def test_halving_keeps_an_empty_half() -> None:
    """Where the first half of the hypothesis is all inserted, the reference is cut at its very start."""
    left, right = [1] * 2100 + [2], [0] * 2100 + [1] * 2100 + [3]

    counts = Aligner(Costs(), "jiwer").counts(column(left), column(right), np.zeros(1, np.int64))[0]

    assert counts.tolist() == [2100, 1, 0, 2100]
    assert Levenshtein.distance(left, right) == 2101


def test_costs_are_read_exactly() -> None:
    """Named costs and decimal ones become whole numbers."""
    assert Costs() == costs("unit")
    assert costs("sclite") == SCLITE
    assert Costs(4, 3, 3) == costs("4/3/3")
    assert Costs(3, 2, 4, 2) == costs("1.5/1/2")


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("-1/1/1", "the substitution cannot cost -1"),
        ("1/inf/1", "the insertion cannot cost inf"),
        ("1/1/nan", "the deletion cannot cost nan"),
        ("1/1", "three numbers"),
        ("a/1/1", "'a' is not a number"),
        ("0.1234567/1/1", "more than six digits"),
    ],
)
def test_costs_that_cannot_be_are_named(text: str, truth: str) -> None:
    """Negative, infinite and undefined costs are errors that say which one."""
    with pytest.raises(ParameterError, match=truth):
        Wer(costs=text)

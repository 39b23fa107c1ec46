"""
Exemplars: the case that shows a convention best.
"""

from __future__ import annotations

import random

import pytest

import tertium
from tertium.explaining import explain


def corpus(seed: int) -> tertium.Cases:
    """
    Invent sentences whose punctuation and case differ here and there.
    """
    rng = random.Random(seed)
    words = ["the", "The", "cat", "cat,", "sat.", "on", "a", "mat", "mat!", "(sat)"]
    rows = [[rng.choice(words) for _ in range(rng.randint(4, 12))] for _ in range(40)]
    changed = [[word if rng.random() < 0.8 else rng.choice([word.swapcase(), *words]) for word in row] for row in rows]
    changed[0][0] = rows[0][0].swapcase()
    return tertium.Cases([" ".join(row) for row in changed], [[" ".join(row)] for row in rows])


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("a", "b"), [("bleu", "bleu(tokenize=none)"), ("wer", "wer(case=lower)"), ("chrf", "chrf(lowercase=true)")]
)
def test_the_exemplar_has_the_greatest_influence(a: str, b: str, seed: int) -> None:
    """For a single convention it is the case whose absence lessens the gap most, found by scoring without each case."""
    cases = corpus(seed)

    found = explain(a, b, cases)

    (part,) = found.conventions
    assert part.case is not None
    influence = []
    for left_out in range(len(cases)):
        rest = cases[[row for row in range(len(cases)) if row != left_out]]
        gap = tertium.score(b, rest).value - tertium.score(a, rest).value
        influence.append((found.gap - gap) * (1 if found.gap > 0 else -1))
    assert influence[part.case.row] == pytest.approx(max(influence), rel=1e-6)


def test_a_case_that_becomes_an_error_is_refused_and_not_undefined() -> None:
    """Where a convention makes the value of a case alone an error, that is what it shows."""
    cases = tertium.Cases(["a b", "a"], [[""], ["b"]])
    (error,) = explain("wer", "wer(empty_reference=error)", cases).conventions
    (undefined,) = explain("wer", "wer(empty_reference=undefined)", cases).conventions

    assert error.case is not None
    assert (error.case.row, error.case.before, error.case.refused) == (0, 2.0, (False, True))
    assert error.case.to_dict()["refused"] == [False, True]
    assert undefined.case is not None
    assert undefined.case.refused == (False, False)


def test_another_output_moves_cases_though_nothing_is_counted_anew() -> None:
    """Precision and recall are the same over both cases, and 1 and 1/2 of the first alone."""
    cases = tertium.Cases(["a b", "a b c d"], [["a b c d"], ["a b"]])

    (part,) = explain("rouge1.precision", "rouge1.recall", cases).conventions

    assert part.share == 0
    assert part.case is not None
    assert (part.case.row, part.case.before, part.case.after) == (0, 1.0, 0.5)


def test_only_what_moves_is_shown() -> None:
    """Where a convention touches no case, none is shown."""
    cases = tertium.Cases(["a b", "c"], [["a b"], ["c d"]])

    (part,) = explain("wer", "wer(case=lower)", cases).conventions

    assert part.case is None


def test_values_before_and_after_are_the_cases_own() -> None:
    """The two values are what the metric gives for the case alone under either choice."""
    cases = tertium.Cases(["a b", "The cat"], [["a b"], ["the dog"]])

    (part,) = explain("wer", "wer(case=lower)", cases).conventions

    assert part.case is not None
    assert (part.case.row, part.case.before, part.case.after) == (1, 1.0, 0.5)
    assert part.case.to_dict()["references"] == ["the dog"]

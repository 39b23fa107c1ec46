"""
Single precision: a provider that declares it is held to others within about seven digits.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import tertium
from tertium.conformance import load_cases
from tertium.conformance.divergences import Divergences
from tertium.conformance.judging import Answer, Evidence, judge
from tertium.conformance.outcomes import Number, Tolerance
from tertium.conformance.settings import declared_tolerance, measured_as
from tertium.native.wer import Wer
from tertium.testing import CheckFailed, all_checks
from tertium.testing.trial import Matrix

CASES = {case.id: case for case in load_cases()}
CHECKS = {check.name: check for check in all_checks()}


class Rounded(Wer):
    """
    Give the native word error rate as a 32-bit number.
    """

    precision = "single"

    def aggregate(self, sums: Matrix) -> Matrix:
        """
        Round.
        """
        return super().aggregate(sums).astype(np.float32).astype(np.float64)

    def equivalent(self) -> str:
        """
        Name what gives the same but for rounding.
        """
        return "wer"


class Silent(Rounded):
    """
    Round without saying so.
    """

    precision = "double"


class Half(Rounded):
    """
    Claim a precision that there is not.
    """

    precision = "half"


def verdict(value: float, tolerance: Tolerance | None) -> str:
    """
    Judge a provider's value on a case where native gives a third.
    """
    case = dataclasses.replace(CASES["wer-double-spaces"], textbook=None, measured={})
    native = Answer("wer@native", Number(1 / 3, 1 / 3))
    evidence = Evidence(native, None, None, None, "1", (), tolerance)
    answer = Answer("wer@mine", Number(value, value))
    return judge(case, "mine", answer, evidence, Divergences(), "").verdict


@pytest.mark.parametrize(
    ("value", "wanted"), [(1 / 3, "agrees"), (0.3333333432674408, "agrees"), (0.3334, "unexplained")]
)
def test_single_precision_widens_what_agrees(value: float, wanted: str) -> None:
    """The nearest 32-bit number to a third agrees with a third, and one of another fourth digit does not."""
    assert verdict(value, declared_tolerance(Rounded)) == wanted


def test_double_precision_does_not() -> None:
    """Without the declaration the nearest 32-bit number is another value."""
    assert declared_tolerance(Wer) is None
    assert verdict(0.3333333432674408, None) == "unexplained"


def test_contract_holds_an_equivalent_within_the_precision() -> None:
    """A rounded metric equals its equivalent if it declares single precision, and fails the check if it does not."""
    check = CHECKS["check_equivalent_holds"]
    check(Rounded())
    with pytest.raises(CheckFailed, match="gives the same value"):
        check(Silent())


def test_contract_knows_two_precisions() -> None:
    """A precision is double or single."""
    with pytest.raises(CheckFailed, match="a precision is double or single"):
        CHECKS["check_facts_are_sound"](Half())


@pytest.mark.parametrize(
    ("case", "wanted"),
    [
        ("8-3-exact-match-bleu", "torchmetrics"),
        ("8-3-exact-match-chrf", "torchmetrics-default"),
        ("5-2-chrfpp-punctuation-split", "torchmetrics"),
        ("5-2-whitespace-kept", None),
    ],
)
def test_torchmetrics_is_held_to_what_was_measured_under_its_own_defaults(case: str, wanted: str | None) -> None:
    """chrF was measured with and without word n-grams, and each case names the one that the adapter computes."""
    assert measured_as("torchmetrics", CASES[case]) == wanted


def test_fuzzing_counts_rounding_as_no_difference() -> None:
    """Between a metric and its rounded self nothing is found once it declares the precision, and something before."""
    assert tertium.fuzz(Rounded(), Wer(), count=200).findings == ()
    assert len(tertium.fuzz(Silent(), Wer(), count=200).findings) > 0

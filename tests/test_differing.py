"""
Differences: values on one scale, which cases differ, which carry the gap, and what is said where there is no gap.
"""

from __future__ import annotations

import doctest
import math

import numpy as np
import pytest

import tertium
from miniatures.metrics import Thirds, Whole
from tertium import Cases, differing
from tertium.differing import diff, unequal
from tertium.errors import Refused, UnknownMetric
from tertium.reports import json

FOUR = tertium.Cases(["The cat", "a dog", "one", "two"], [["the cat"], ["a dog"], ["1"], ["two"]])


def test_values_are_brought_to_one_scale() -> None:
    """The same share as percent and as a share is no difference, and differences are told on 0 to 1 then."""
    found = diff("exact-match", "exact-match(percent=true)", FOUR)

    assert (found.a.value, found.b.value) == (0.5, 50.0)
    assert (found.unit, found.gap, found.differing, found.carriers) == (1.0, 0.0, 0, ())
    assert not found.exceeds()


def test_equal_scales_are_kept() -> None:
    """Two percentages differ by points."""
    found = diff("exact-match(percent=true)", "exact-match(percent=true,normalizer=lowercase)", FOUR)

    assert (found.unit, found.gap) == (100.0, 25.0)
    assert found.exceeds(24.9)
    assert not found.exceeds(25.0)


def test_the_case_that_differs_carries_the_whole_gap() -> None:
    """Of four cases one differs: the gap is a quarter, and without the case there is none (by hand)."""
    found = diff("exact-match", "exact-match(normalizer=lowercase)", FOUR)

    assert (found.gap, found.differing) == (0.25, 1)
    (case,) = found.carriers
    assert (case.row, case.hypothesis, case.values) == (0, "The cat", (0.0, 1.0))
    assert (case.difference, case.influence) == (1.0, 0.25)
    assert case.columns == {"matches": (0.0, 1.0)}
    (column,) = found.columns
    assert (column.name, column.cases, column.first, column.totals) == ("matches", 1, 1, (2.0, 3.0))


def test_influence_is_the_gap_less_the_gap_without_the_case() -> None:
    """Influences equal those found by scoring the corpus again without each case."""
    cases = tertium.Cases(
        ["the cat sat on the mat .", "A cat, a dog!", "no", "some words that match here", "(a) b c d e"],
        [["the cat sat on a mat."], ["a cat, a dog !"], ["no"], ["some words that match there"], ["(a) b c d e"]],
    )
    a, b = "bleu(effective_order=true)", "bleu(tokenize=none,effective_order=true)"

    found = diff(a, b, cases, top=5)

    assert found.carriers
    for case in found.carriers:
        rest = cases[[row for row in range(5) if row != case.row]]
        without = tertium.score(b, rest).value - tertium.score(a, rest).value
        assert case.influence == pytest.approx(found.gap - without, rel=1e-9)


def test_carriers_pull_in_the_direction_of_the_gap() -> None:
    """A case that works against the gap comes after all that make it, whatever its size."""
    cases = tertium.Cases(["a b c d", "x y", "x z"], [["a"], ["x"], ["x"]])

    found = diff("rougeL.precision", "rougeL.recall", cases)

    assert found.gap > 0
    assert [case.influence for case in found.carriers] == sorted((c.influence for c in found.carriers), reverse=True)


def test_a_single_case_carries_everything() -> None:
    """Without its only case a corpus has no value, so the case's influence is the gap."""
    found = diff("exact-match", "exact-match(normalizer=lowercase)", FOUR[:1])

    assert found.carriers[0].influence == found.gap == 1.0


def test_top_limits_the_cases() -> None:
    """No more cases are shown than asked for, and all that differ are counted."""
    found = diff("bleu", "bleu(lowercase=true)", tertium.Cases(["A b c d e"] * 9, [["a b c d e"]] * 9), top=3)

    assert (found.differing, len(found.carriers)) == (9, 3)


def test_cases_that_cancel_out_are_shown_by_their_difference() -> None:
    """Where the gap is 0 and cases differ, the greatest difference comes first."""
    cases = tertium.Cases(["a b c", "a"], [["a"], ["a b c"]])

    found = diff("rougeL.precision", "rougeL.recall", cases)

    assert (found.gap, found.differing) == (0.0, 2)
    assert {case.difference for case in found.carriers} == {1 - 1 / 3, 1 / 3 - 1}


def test_tokens_stand_side_by_side() -> None:
    """Hypothesis and references are cut as both metrics cut them; an adapter is read through its equivalent."""
    cases = tertium.Cases(["a cat, a dog", "b"], [["a cat, a dog ."], ["b"]])

    (case,) = diff("bleu@sacrebleu", "bleu(tokenize=none)", cases).carriers

    assert case.tokens is not None
    assert case.tokens[0] == (["a", "cat", ",", "a", "dog"], ["a", "cat,", "a", "dog"])
    assert case.tokens[1][1] == ["a", "cat,", "a", "dog", "."]
    assert diff("chrf", "chrf(whitespace=keep)", cases).carriers[0].tokens is None


def test_first_column_in_which_cases_part() -> None:
    """A column counts as first only where no column before it differs."""
    cases = tertium.Cases(["a, b", "c"], [["a, b"], ["c"]])

    columns = {one.name: one for one in diff("bleu", "bleu(tokenize=none)", cases).columns}

    assert (columns["matches_1"].first, columns["totals_1"].first) == (1, 0)
    assert columns["totals_1"].totals == (4.0, 3.0)


def test_an_adapter_and_its_equivalent_agree() -> None:
    """Differences of the last bits are none."""
    found = diff("bleu@sacrebleu", "bleu", tertium.Cases(["the cat sat on a mat"], [["the cat sat on the mat"]]))

    assert found.differing == 0
    assert not found.exceeds()


def test_metrics_given_as_objects() -> None:
    """A metric that no plugin registered can be compared as an object."""
    found = diff(Thirds(), Thirds(threads=True), FOUR)

    assert (found.gap, found.differing) == (0.0, 0)
    assert found.a.label == "thirds@test(threads=false)"


def test_a_metric_without_values_of_cases() -> None:
    """A corpus value is compared, and nothing is said about cases."""
    found = diff(Whole(), Whole(), FOUR)

    assert (found.gap, found.differing, found.carriers, found.columns) == (0.0, None, (), ())


EMPTY = tertium.Cases(["a b"], [[""]])


@pytest.mark.parametrize(
    ("rule", "said"),
    [("error", "refuses these cases"), ("undefined", "is undefined"), ("infinity", "is inf")],
)
def test_no_number_on_one_side_is_the_finding(rule: str, said: str) -> None:
    """Where only one of the two has a number, there is no gap but a finding, and the two differ."""
    found = diff("wer", f"wer(empty_reference={rule})", EMPTY)

    assert math.isnan(found.gap)
    assert found.distance == math.inf
    assert found.exceeds(1e9)
    assert found.finding is not None
    assert said in found.finding
    assert "wer@native is 2" in found.finding
    assert json.document(found.to_dict())


def test_two_that_both_refuse_do_not_differ() -> None:
    """Two refusals say the same."""
    found = diff("wer(empty_reference=error)", "wer(empty_reference=reject)", EMPTY)

    assert found.finding is not None
    assert found.finding.startswith("both refuse these cases (wer@native(empty_reference=error)")
    assert not found.exceeds()


def test_a_case_whose_value_is_an_error_by_rule_is_refused_and_not_undefined() -> None:
    """Both corpora have values, and one metric makes that of a case alone an error; the other cases are compared."""
    cases = Cases(["a b", "a"], [[""], ["b"]])
    found = diff("wer(case=lower)", "wer(empty_reference=error)", cases)
    undefined = diff("wer(case=lower)", "wer(empty_reference=undefined)", cases)

    assert (found.gap, found.differing) == (undefined.gap, undefined.differing) == (0.0, 1)
    assert found.carriers[0].refused == (False, True)
    assert found.carriers[0].to_dict()["refused"] == [False, True]
    assert undefined.carriers[0].refused == (False, False)
    assert "refused" not in undefined.carriers[0].to_dict()


def test_different_families_are_refused_with_what_could_be_compared() -> None:
    """BLEU and chrF have no gap to speak of; the message names what each could be compared with."""
    with pytest.raises(Refused, match=r"measure different things.*bleu@sacrebleu.*chrf@sacrebleu"):
        diff("bleu", "chrf", FOUR)


def test_one_family_is_compared() -> None:
    """Metrics of one family stand on one scale and may be compared."""
    assert diff("wer", "cer", FOUR).gap != 0


def test_what_cannot_be_loaded_is_an_error() -> None:
    """A spec that names nothing is no finding."""
    with pytest.raises(UnknownMetric):
        diff("bleu", "blue", FOUR)


def test_unequal_marks_more_than_noise() -> None:
    """Noise of the last bits is equal, and so are two values that are both undefined, or both infinite with one sign."""
    one = np.array([1.0, 1.0, np.nan, np.nan, np.inf, 0.0, 2.0, np.inf, -np.inf])
    other = np.array([1.0 + 1e-12, 1.0 + 1e-6, np.nan, 1.0, np.inf, 1e-300, np.inf, 2.0, np.inf])

    assert unequal(one, other).tolist() == [False, True, False, True, False, True, True, True, True]


def test_a_case_that_is_infinite_on_one_side_differs() -> None:
    """Where an empty reference makes one side infinite and the other 2, that case is the finding though the corpora agree."""
    cases = Cases(["a b", "c d"], [[""], ["c d"]])

    found = diff("wer", "wer(empty_reference=infinity)", cases)

    assert (found.gap, found.differing) == (0, 1)
    assert [(case.row, case.values) for case in found.carriers] == [(0, (2.0, math.inf))]


def test_json_holds_everything() -> None:
    """The object carries both sides, the gap, the columns and the cases, without NaN."""
    report = diff("exact-match", "exact-match(normalizer=lowercase)", FOUR).to_dict()

    assert json.document(report)
    assert report["a"]["spec"] == "exact-match@native"
    assert (report["gap"], report["unit"], report["differing"], report["cases"]) == (0.25, 1.0, 1, 4)
    assert report["carriers"][0]["id"] == "0"
    assert report["columns"] == [{"name": "matches", "cases": 1, "first": 1, "totals": [2.0, 3.0]}]


def test_it_shows_itself() -> None:
    """The difference reads as one line."""
    assert repr(diff("exact-match", "exact-match(normalizer=lowercase)", FOUR)) == (
        "Difference(exact-match@native = 0.5, exact-match@native(normalizer=lowercase) = 0.75: +0.25 on their scale, "
        "1 of 4 cases differs)"
    )


def test_examples_in_docstrings_run() -> None:
    """Examples in docstrings print what they say."""
    failed, tried = doctest.testmod(differing)

    assert (failed, tried > 0) == (0, True)

"""
Findings as conformance cases: what stands in a line of the suite.
"""

from __future__ import annotations

import math

import tertium
from tertium.conformance.schemas import problem
from tertium.findings import conformance_case
from tertium.sides import sides

CASES = tertium.Cases(["a  b", ""], [["a b", "x"], ["c"]], sources=["s", "t"])


def test_a_line_of_the_suite() -> None:
    """Input, axes, tags and both results stand in the fields that the suite's schema has."""
    left, right = sides("wer@jiwer", "wer", "a test")

    case = conformance_case(left, right, CASES, (("number", 0.5), ("BadText", math.nan)), ["wer.word-split"])

    assert problem(case, "case") == ""
    assert (case["family"], case["metric"], case["axes"]) == ("wer", "wer", ["wer.word-split"])
    assert case["cases"][0] == {"hyp": "a  b", "refs": ["a b", "x"], "src": "s"}
    assert case["tags"] == ["aggregation", "empty", "error", "multi-ref", "short", "whitespace"]
    assert case["results"]["jiwer"] == {"version": "4.0.0", "scale": "unbounded", "status": "ok", "score": 0.5}
    assert case["results"]["native"]["status"] == "error"
    assert case["results"]["native"]["error"] == "BadText"


def test_values_that_are_no_numbers() -> None:
    """Infinities and undefined values are written as the schema wants them."""
    left, right = sides("wer", "wer(empty_reference=undefined)", "a test")

    case = conformance_case(left, right, CASES[:1], (("infinite", math.inf), ("undefined", math.nan)))

    assert problem(case, "case") == ""
    assert [result["status"] for result in case["results"].values()] == ["non-finite", "undefined"]
    assert case["results"]["wer@native"]["score"] == "inf"
    assert case["axes"] == ["unexplained"]


def test_equal_inputs_have_equal_ids() -> None:
    """The id depends on the input and on the two metrics alone."""
    left, right = sides("wer@jiwer", "wer", "a test")
    one = conformance_case(left, right, CASES, (("number", 0.5), ("number", 0.25)))

    assert one["id"] == conformance_case(left, right, CASES, (("number", 1.0), ("number", 0.0)))["id"]
    assert one["id"] != conformance_case(left, right, CASES[:1], (("number", 0.5), ("number", 0.25)))["id"]

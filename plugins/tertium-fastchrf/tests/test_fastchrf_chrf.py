"""
Hold chrF to fastchrf itself, to a value worked by hand, to recorded ones and to its native equivalent.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

import fastchrf
import pytest

import tertium
from tertium.conformance import load_cases
from tertium.conformance.outcomes import Number
from tertium.conformance.settings import settings
from tertium.errors import DataError
from tertium_fastchrf import Chrf

PROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"
WORDS = ["the", "The", "cat", "sat", "on", "a", "mat", ".", "naïve", "日本", "a\u00a0b", "\u0928\u0947", "\U0001f600"]
HOSTILE = ["", " ", "\t\n", "\u2028", "x", "x y", "\x1c"]
PARAMS: list[dict[str, Any]] = [
    {},
    {"char_order": 3, "beta": 1.0},
    {"beta": 0.0},
    {"remove_whitespace": False},
    {"eps_smoothing": True},
    {"eps_smoothing": True, "char_order": 1, "remove_whitespace": False},
]


def corpus(seed: int) -> tertium.Cases:
    """
    Invent cases of one to three references, blank, short and equal texts among them.
    """
    rng = random.Random(seed)

    def text() -> str:
        return rng.choice(HOSTILE) if rng.random() < 0.2 else " ".join(rng.choices(WORDS, k=rng.randint(1, 14)))

    references = [[text() for _ in range(rng.randint(1, 3))] for _ in range(25)]
    return tertium.Cases([row[-1] if rng.random() < 0.2 else text() for row in references], references)


@pytest.mark.parametrize("params", PARAMS, ids=str)
def test_equals_the_library(params: dict[str, Any]) -> None:
    """Each case's value is the library's, asked for that case alone: the best or mean value, or that of the aggregate."""
    cases = corpus(1)
    found = {
        rule: tertium.score(Chrf(references=rule, **params), cases).per_case["score"].tolist()
        for rule in ("best", "mean", "aggregate")
    }

    for place, case in enumerate(cases):
        texts = list(case.references or ())
        ((values,),) = fastchrf.pairwise_chrf([[case.hypothesis]], [texts], **params)
        ((pooled,),) = fastchrf.aggregate_chrf([[case.hypothesis]], [texts], **params)
        assert found["best"][place] == max(values)
        assert found["mean"][place] == pytest.approx(sum(values) / len(values), rel=1e-12)
        assert found["aggregate"][place] == pooled


def test_value_by_hand() -> None:
    """With single characters two of three match on both sides: F is two thirds."""
    score = tertium.score("chrf@fastchrf(char_order=1)", tertium.Cases(["abc"], [["abd"]]))

    assert score.value == pytest.approx(100 * 2 / 3, rel=1e-12)


def test_the_aggregate_averages_counts() -> None:
    """Of references a and b each character counts half: one match of one half, P = 1/2 and R = 1/2 (by hand)."""
    cases = tertium.Cases(["a"], [["a", "b"]])

    assert tertium.score("chrf@fastchrf(references=aggregate,char_order=1)", cases).value == pytest.approx(
        50, rel=1e-12
    )
    assert tertium.score("chrf@fastchrf(references=mean,char_order=1)", cases).value == pytest.approx(50, rel=1e-12)
    assert tertium.score("chrf@fastchrf(char_order=1)", cases).value == pytest.approx(100, rel=1e-12)


@pytest.mark.parametrize("params", PARAMS, ids=str)
def test_equivalent_gives_the_same_numbers(params: dict[str, Any]) -> None:
    """Value and every case's value agree with the native metric under the declared parameters."""
    metric = Chrf(**params)

    for seed in range(3):
        theirs, ours = tertium.score(metric, corpus(seed)), tertium.score(metric.equivalent(), corpus(seed))
        assert ours.value == pytest.approx(theirs.value, rel=1e-12)
        assert ours.per_case["score"] == pytest.approx(theirs.per_case["score"], rel=1e-12, abs=1e-13)


@pytest.mark.parametrize("rule", ["mean", "aggregate"])
def test_averages_over_references_have_no_equivalent(rule: Any) -> None:
    """No native parameter averages values or counts of references."""
    assert Chrf(references=rule).equivalent() is None


@pytest.mark.parametrize(("name", "rule"), [("fastchrf-pairwise", "best"), ("fastchrf-aggregate", "aggregate")])
def test_gives_what_was_recorded(name: str, rule: Any) -> None:
    """On the suite's cases the value is what the library gave when it was measured on its own."""
    seen = 0
    for case in load_cases():
        params = settings(case, Chrf)
        if case.metric != "chrf" or name not in case.measured or isinstance(params, str):
            continue
        outcome = case.measured[name].outcome
        try:
            cases = case.cases()
        except DataError:
            continue
        if not isinstance(outcome, Number) or not cases.reference_counts.all():
            continue
        score = tertium.score(Chrf(references=rule, **params), cases)
        assert score.value == pytest.approx(outcome.value, rel=1e-9, abs=1e-12), case.id
        seen += 1
    assert seen > 20


def test_pin_is_the_dependency() -> None:
    """The version that the class is made for is the one that the distribution depends on, and the installed one."""
    dependencies = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["dependencies"]

    assert f"{Chrf.library}=={Chrf.pinned}" in dependencies
    assert metadata.version("fastchrf") == Chrf.pinned


def test_finding_the_metric_imports_no_library() -> None:
    """Loading the metric and reading its facts leaves the library alone."""
    code = "import sys, tertium; tertium.load('chrf@fastchrf').info; print('fastchrf' in sys.modules)"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "False"

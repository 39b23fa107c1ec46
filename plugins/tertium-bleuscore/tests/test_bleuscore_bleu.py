"""
Hold BLEU to bleuscore itself, to values worked by hand, to recorded ones and to its native equivalent.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

import bleuscore
import numpy as np
import pytest

import tertium
from tertium.conformance import load_cases
from tertium.conformance.outcomes import Number
from tertium.conformance.settings import settings
from tertium.errors import DataError
from tertium_bleuscore import Bleu

PROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"
WORDS = [
    "the",
    "The",
    "cat",
    "sat.",
    "on,",
    "1,000.5",
    "a-b",
    "&quot;",
    "naïve",
    "日本",
    "a\u00a0b",
    "\U0001f600",
    "x\x1cy",
]
HOSTILE = ["", " ", "\t\n", "\u2028", "x", "x y", "\x1c", "<skipped>", "a-\nb"]
PARAMS: list[dict[str, Any]] = [
    {},
    {"max_order": 1},
    {"max_order": 7, "ref_len_method": "closest"},
    {"smooth": True},
    {"smooth": True, "max_order": 2, "ref_len_method": "closest"},
]


def corpus(seed: int, cases: int = 6) -> tertium.Cases:
    """
    Invent cases of one to three references, blank, short and equal texts among them.
    """
    rng = random.Random(seed)

    def text() -> str:
        return rng.choice(HOSTILE) if rng.random() < 0.2 else " ".join(rng.choices(WORDS, k=rng.randint(1, 14)))

    references = [[text() for _ in range(rng.randint(1, 3))] for _ in range(cases)]
    return tertium.Cases([row[-1] if rng.random() < 0.3 else text() for row in references], references)


@pytest.mark.parametrize("params", PARAMS, ids=str)
def test_equals_the_library(params: dict[str, Any]) -> None:
    """Every output is the library's for the corpus at once, also for corpora of one case or of nothing but blanks."""
    blank = tertium.Cases([""], [["", " "]])
    for cases in (*(corpus(seed, 1 + seed % 6) for seed in range(40)), blank):
        score = tertium.score(Bleu(**params), cases)

        told = bleuscore.compute([list(case.references or ()) for case in cases], list(cases.hypotheses), **params)
        wanted = [told["bleu"], *told["precisions"], told["brevity_penalty"]]
        assert list(score.outputs.values()) == pytest.approx(wanted, rel=1e-12, abs=0)


def test_counts_are_whole() -> None:
    """Matches of long texts come out as the whole numbers that they are: 999 of 1,000 words, and 998 of 999 pairs."""
    words = [f"w{place}" for place in range(1000)]
    cases = tertium.Cases([" ".join([*words[:-1], "other"])], [[" ".join(words)]])

    score = tertium.score(Bleu(), cases)

    assert score.statistics is not None
    assert score.statistics.tolist() == [[999, 998, 997, 996, 1000, 999, 998, 997, 1000, 1000]]


def test_value_by_hand() -> None:
    """4 of 5 words, 3 of 4 pairs, 2 of 3 and 1 of 2 match; five words against the closest length, six, cost exp(-1/5)."""
    cases = tertium.Cases(["a b c d x"], [["a b c d e f", "a b c"]])
    product = 4 / 5 * 3 / 4 * 2 / 3 * 1 / 2

    assert tertium.score("bleu@bleuscore", cases).value == pytest.approx(product**0.25, rel=1e-12)
    closest = tertium.score("bleu@bleuscore(ref_len_method=closest)", cases).value
    assert closest == pytest.approx(product**0.25 * np.exp(-1 / 5), rel=1e-12)


def test_one_is_added_to_unigrams_too() -> None:
    """A wrong word has (0 + 1) / (1 + 1) unigrams, and 1 / 1 of the orders that are not there: a half to the quarter."""
    cases = tertium.Cases(["z"], [["a"]])

    assert tertium.score("bleu@bleuscore(smooth=true)", cases).value == pytest.approx(0.5**0.25, rel=1e-12)


def test_an_information_separator_is_no_white_space() -> None:
    """U+001C parts words in Python and not in Rust: one token instead of two matches nothing."""
    cases = tertium.Cases(["a\x1cb"], [["a b"]])

    assert tertium.score("bleu@bleuscore(max_order=1)", cases).value == 0
    assert tertium.score("bleu@native(max_order=1)", cases).value == pytest.approx(100, rel=1e-12)


@pytest.mark.parametrize("params", PARAMS, ids=str)
def test_equivalent_gives_the_same_numbers(params: dict[str, Any]) -> None:
    """Value and every case's value agree with the native metric under the declared parameters."""
    metric = Bleu(**params)

    for seed in range(4):
        cases = corpus(seed, 25)
        theirs, ours = tertium.score(metric, cases), tertium.score(metric.equivalent(), cases)
        assert ours.value == pytest.approx(theirs.value, rel=1e-12)
        assert ours.per_case["bleu"] == pytest.approx(theirs.per_case["bleu"], rel=1e-12, abs=0)


def test_gives_what_was_recorded() -> None:
    """On the suite's cases the value is what the library gave when it was measured on its own."""
    seen = 0
    for case in load_cases():
        params = settings(case, Bleu)
        if case.metric != "bleu" or "bleuscore" not in case.measured or isinstance(params, str):
            continue
        outcome = case.measured["bleuscore"].outcome
        try:
            cases = case.cases()
        except DataError:
            continue
        if not isinstance(outcome, Number) or not cases.reference_counts.all():
            continue
        score = tertium.score(Bleu(**params), cases)
        assert score.value == pytest.approx(outcome.value, rel=1e-9, abs=1e-12), case.id
        seen += 1
    assert seen > 40


def test_pin_is_the_dependency() -> None:
    """The version that the class is made for is the one that the distribution depends on, and the installed one."""
    dependencies = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["dependencies"]

    assert f"{Bleu.library}=={Bleu.pinned}" in dependencies
    assert metadata.version("bleuscore") == Bleu.pinned


def test_finding_the_metric_imports_no_library() -> None:
    """Loading the metric and reading its facts leaves the library alone."""
    code = "import sys, tertium; tertium.load('bleu@bleuscore').info; print('bleuscore' in sys.modules)"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "False"

"""
Hold ROUGE to the package rouge itself, to values worked by hand, to recorded ones and to native equivalents.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from rouge import Rouge as Library

import tertium
from tertium.conformance import load_cases
from tertium.conformance.outcomes import Number
from tertium.errors import DataError
from tertium_rouge import Rouge1, Rouge2, Rouge3, Rouge4, Rouge5, RougeL

PROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"
TYPES: list[Any] = [Rouge1, Rouge2, Rouge3, Rouge4, Rouge5, RougeL]
WORDS = ["the", "The", "cat", "sat", "on.", "a", "mat", "3.5", "naïve", "日本", "b. c", "the the", "again\nand"]


def corpus(seed: int, several: int = 3, size: int = 20) -> tertium.Cases:
    """
    Invent cases of one to some references, none without a sentence.
    """
    rng = random.Random(seed)

    def text() -> str:
        return " " if rng.random() < 0.1 else " ".join(rng.choices(WORDS, k=rng.randint(1, 14)))

    references = [[text() for _ in range(rng.randint(1, several))] for _ in range(size)]
    return tertium.Cases([row[-1] if rng.random() < 0.2 else text() for row in references], references)


@pytest.mark.parametrize("exclusive", [True, False])
@pytest.mark.parametrize("made", TYPES)
def test_equals_the_library(made: Any, exclusive: bool) -> None:
    """The means are the library's averages, and each case's values its scores, bit for bit."""
    cases = corpus(1, several=1)
    library = Library(metrics=[made.key], exclusive=exclusive)
    references = [(case.references or ("",))[0] for case in cases]

    score = tertium.score(made(exclusive=exclusive), cases)

    mean = library.get_scores(list(cases.hypotheses), references, avg=True)[made.key]
    rows = [row[made.key] for row in library.get_scores(list(cases.hypotheses), references)]
    for output, short in (("fmeasure", "f"), ("precision", "p"), ("recall", "r")):
        assert score[output] == pytest.approx(mean[short], rel=1e-12)
        assert score.per_case[output].tolist() == [row[short] for row in rows]


def test_of_several_references_the_best_f_counts() -> None:
    """The library takes one reference; the one with the best F1 counts, and the first where two are equal."""
    cases = corpus(2)
    library = Library(metrics=["rouge-1"])
    score = tertium.score("rouge1@rouge", cases)

    for place, case in enumerate(cases):
        found = [library.get_scores([case.hypothesis], [text])[0]["rouge-1"] for text in case.references or ()]
        best = max(found, key=lambda one: one["f"])
        assert [score.per_case[name][place] for name in score.outputs] == [best["f"], best["p"], best["r"]]


def test_counting_by_hand() -> None:
    """Of four words two are distinct, and both stand in the reference of three: P = 1, R = 2/3; with repeats P = 1/2."""
    cases = tertium.Cases(["the cat the cat"], [["the cat sat"]])

    once, each = tertium.score("rouge1@rouge", cases), tertium.score("rouge1@rouge(exclusive=false)", cases)

    assert (once["precision"], once["recall"]) == (1.0, pytest.approx(2 / 3, rel=1e-12))
    assert (each["precision"], each["recall"]) == (0.5, pytest.approx(2 / 3, rel=1e-12))
    assert once.value == pytest.approx(2 * (2 / 3) / (5 / 3 + 1e-8), rel=1e-12)


@pytest.mark.parametrize("made", TYPES)
@pytest.mark.parametrize("exclusive", [True, False])
def test_equivalent_gives_the_same_numbers(made: Any, exclusive: bool) -> None:
    """All outputs agree with the native metric under the declared parameters, where there are such."""
    metric = made(exclusive=exclusive)
    spec = metric.equivalent()
    if made is RougeL and not exclusive:
        assert spec is None
        return

    for seed in range(3):
        theirs, ours = tertium.score(metric, corpus(seed)), tertium.score(spec, corpus(seed))
        for name in theirs.outputs:
            assert ours[name] == pytest.approx(theirs[name], rel=1e-12, abs=0)
            assert ours.per_case[name] == pytest.approx(theirs.per_case[name], rel=1e-12, abs=0)


@pytest.mark.parametrize(
    ("hypothesis", "reference"), [("", "a b"), ("a b", ""), ("...", "a b"), ("a b", "."), ("", "")], ids=repr
)
@pytest.mark.parametrize("made", [Rouge1, RougeL])
def test_a_text_without_a_sentence_is_an_error_that_names_the_case(made: Any, hypothesis: str, reference: str) -> None:
    """What the library raises is told as an error of the data, with the case."""
    with pytest.raises(ValueError, match=r"empty|at least 1"):
        Library(metrics=[made.key]).get_scores([hypothesis], [reference])

    with pytest.raises(DataError, match=r"case 1 .id 'second'.*library stops there"):
        tertium.score(made(), tertium.Cases(["a", hypothesis], [["a"], [reference]], ids=["first", "second"]))


def test_empty_texts_can_be_left_out_of_the_mean() -> None:
    """As in the library pairs with '' do not count; where all are left out there is no value, and a reason."""
    cases = tertium.Cases(["a b", "", "a"], [["a c"], ["x"], ["", "a"]])
    metric = Rouge1(ignore_empty=True)

    score = tertium.score(metric, cases)

    library = Library(metrics=["rouge-1"]).get_scores(["a b", "a"], ["a c", "a"], avg=True)["rouge-1"]
    assert score.value == pytest.approx(library["f"], rel=1e-12)
    assert tertium.score(metric.equivalent(), cases).value == pytest.approx(score.value, rel=1e-12)
    nothing = tertium.score(metric, tertium.Cases([""], [["a"]]))
    assert nothing.value != nothing.value
    assert "ignore_empty" in metric.info.undefined
    assert Rouge2(ignore_empty=True).equivalent() is None


def test_a_sentence_too_long_for_the_library_is_an_error_that_says_so() -> None:
    """The library's recursion ends at Python's limit, and the error names the case and the way out."""
    long = " ".join(map(str, range(1050)))

    with pytest.raises(DataError, match=r"case 0 .*too long for the library.*full stops"):
        tertium.score("rougeL@rouge", tertium.Cases([long], [[long]]))


def test_gives_what_was_recorded() -> None:
    """On the suite's cases all values are those that the library gave when it was measured on its own."""
    made = {one.name: one for one in TYPES}
    seen = 0
    for case in load_cases():
        measured = case.measured.get("rouge")
        if measured is None or case.metric not in made or case.params or not isinstance(measured.outcome, Number):
            continue
        score = tertium.score(made[case.metric](), case.cases())
        assert score.value == pytest.approx(measured.outcome.value, rel=1e-9, abs=1e-12), case.id
        for name in ("precision", "recall"):
            wanted = measured.outcome.components.get(name, score[name])
            assert score[name] == pytest.approx(wanted, rel=1e-9, abs=1e-12), case.id
        seen += 1
    assert seen > 15


@pytest.mark.parametrize("made", TYPES)
def test_pin_is_the_dependency(made: Any) -> None:
    """The version that a class is made for is the one that the distribution depends on, and the installed one."""
    dependencies = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["dependencies"]

    assert f"{made.library}=={made.pinned}" in dependencies
    assert metadata.version("rouge") == made.pinned


def test_finding_the_metrics_imports_no_library() -> None:
    """Loading a metric and reading its facts leaves the library alone."""
    code = "import sys, tertium; tertium.load('rougeL@rouge').info; print('rouge' in sys.modules)"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "False"

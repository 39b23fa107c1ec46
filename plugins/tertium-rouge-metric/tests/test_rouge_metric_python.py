"""
Hold ROUGE in Python to rouge-metric itself, to values worked by hand, to recorded ones and to native equivalents.
"""

from __future__ import annotations

import inspect
import random
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from rouge_metric import PyRouge as Library

import tertium
from tertium.conformance import load_cases
from tertium.conformance.outcomes import Number
from tertium.conformance.settings import settings
from tertium_rouge_metric import perl, perl_ngrams
from tertium_rouge_metric.python import TYPES, Rouge1, Rouge2, RougeL, RougeS, RougeSU, RougeW

PROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"
WORDS = ["the", "The", "cat", "sat", "on", "a", "mat", ".", "naïve", "日本", "again\nand", "the\nthe"]
HOSTILE = ["", " ", "\n", "\t", "\u2028", "x"]


def corpus(seed: int, size: int = 20) -> tertium.Cases:
    """
    Invent cases of one to three references, blank and equal texts among them.
    """
    rng = random.Random(seed)

    def text() -> str:
        return rng.choice(HOSTILE) if rng.random() < 0.2 else " ".join(rng.choices(WORDS, k=rng.randint(1, 14)))

    references = [[text() for _ in range(rng.randint(1, 3))] for _ in range(size)]
    return tertium.Cases([row[-1] if rng.random() < 0.2 else text() for row in references], references)


SETTINGS: list[tuple[Any, dict[str, Any], dict[str, Any]]] = [
    *((made, {}, {"rouge_n": [order]}) for order, made in enumerate(TYPES[:9], 1)),
    (Rouge2, {"multi_ref_mode": "best", "alpha": 0.3}, {"rouge_n": [2]}),
    (RougeL, {}, {"rouge_l": True}),
    (RougeL, {"multi_ref_mode": "best"}, {"rouge_l": True}),
    (RougeW, {}, {"rouge_w": True}),
    (RougeW, {"rouge_w_weight": 2.0, "alpha": 0.0}, {"rouge_w": True}),
    (RougeW, {"multi_ref_mode": "best"}, {"rouge_w": True}),
    (RougeS, {}, {"rouge_s": True}),
    (RougeS, {"skip_gap": 4}, {"rouge_s": True}),
    (RougeSU, {"skip_gap": 0, "alpha": 1.0}, {"rouge_su": True}),
    (RougeSU, {}, {"rouge_su": True}),
]


@pytest.mark.parametrize(("made", "params", "chosen"), SETTINGS, ids=str)
def test_equals_the_library(made: Any, params: dict[str, Any], chosen: dict[str, Any]) -> None:
    """The corpus values are the library's averages, and each case's values its individual scores."""
    cases = corpus(1)
    arguments = {"rouge_n": [], "rouge_l": False, **chosen, **params}
    texts = list(cases.hypotheses), [list(case.references or ()) for case in cases]
    (mean,) = Library(**arguments).evaluate(*texts).values()
    rows = [next(iter(row.values())) for row in Library(mode="individual", **arguments).evaluate(*texts)]

    score = tertium.score(made(**params), cases)

    for output, short in (("fmeasure", "f"), ("precision", "p"), ("recall", "r")):
        assert score[output] == pytest.approx(mean[short], rel=1e-12)
        assert score.per_case[output] == pytest.approx([row[short] for row in rows], rel=1e-12, abs=0)


@pytest.mark.parametrize(("made", "params", "chosen"), SETTINGS, ids=str)
def test_equivalent_gives_the_same_numbers(made: Any, params: dict[str, Any], chosen: dict[str, Any]) -> None:
    """All outputs agree with the native metric under the declared parameters, where there are such."""
    metric = made(**params)
    if (made, params.get("multi_ref_mode")) == (RougeW, "best"):  # ranked by a recall of its own
        assert metric.equivalent() is None
        return

    for seed in range(2):
        theirs, ours = tertium.score(metric, corpus(seed)), tertium.score(metric.equivalent(), corpus(seed))
        for name in theirs.outputs:
            assert ours[name] == pytest.approx(theirs[name], rel=1e-12, abs=0)
            assert ours.per_case[name] == pytest.approx(theirs.per_case[name], rel=1e-12, abs=0)


def test_every_argument_of_the_library_is_a_parameter() -> None:
    """The classes' parameters are the library's arguments, without those that choose the type and what is printed."""
    taken = {*inspect.signature(Library).parameters, *inspect.signature(Library.evaluate).parameters}
    given = {name for made in TYPES for name in made().parameters}

    assert given == taken - {
        *("self", "hypotheses", "multi_references", "mode"),
        *("rouge_n", "rouge_l", "rouge_w", "rouge_s", "rouge_su"),
    }


def test_f_is_that_of_the_averages() -> None:
    """P is 1 and 0, R is 1/2 and 0, so the averages are 1/2 and 1/4: F = (1/8) / (3/4 * 1/2 + 1/4 * 1/4) (by hand)."""
    cases = tertium.Cases(["a", "x"], [["a b"], ["y"]])

    score = tertium.score(Rouge1(alpha=0.25), cases)

    assert (score["precision"], score["recall"]) == (0.5, 0.25)
    assert score.value == pytest.approx(0.125 / 0.4375, rel=1e-12)


def test_several_references_are_pooled_or_the_best_recall_counts() -> None:
    """One word of two against references of one and three words: counts sum to 2 of 4, or the first has recall 1."""
    cases = tertium.Cases(["a b"], [["a", "b c d"]])

    assert tertium.score("rouge1@rouge-metric", cases)["recall"] == 0.5
    assert tertium.score("rouge1@rouge-metric(multi_ref_mode=best)", cases)["recall"] == 1.0


def test_callables_cut_texts_and_have_no_equivalent() -> None:
    """Sentences and words can be cut by functions of one's own."""
    cases = tertium.Cases(["A-b"], [["a b"]])
    own = Rouge1(tokenizer=lambda text: text.lower().replace("-", " ").split())

    assert tertium.score(own, cases).value == 1.0
    assert tertium.score("rouge1@rouge-metric", cases).value == 0.0
    assert own.equivalent() is None
    assert RougeL(sentencizer=str.splitlines).equivalent() is None


@pytest.mark.parametrize(("name", "mode"), [("rouge-metric-py", "average"), ("rouge-metric-py-best", "best")])
def test_gives_what_was_recorded(name: str, mode: str) -> None:
    """On the suite's cases all values are those that the library gave when it was measured on its own."""
    made = {one.name: one for one in TYPES}
    seen = 0
    for case in load_cases():
        measured = case.measured.get(name)
        if measured is None or case.metric not in made or not isinstance(measured.outcome, Number):
            continue
        params = settings(case, made[case.metric])
        if isinstance(params, str):
            continue
        score = tertium.score(made[case.metric](multi_ref_mode=mode, **params), case.cases())
        assert score.value == pytest.approx(measured.outcome.value, rel=1e-9, abs=1e-12), case.id
        for output in ("precision", "recall"):
            wanted = measured.outcome.components.get(output, score[output])
            assert score[output] == pytest.approx(wanted, rel=1e-9, abs=1e-12), case.id
        seen += 1
    assert seen > 30


@pytest.mark.parametrize(
    "made", [*TYPES, *perl_ngrams.TYPES, *perl.TYPES], ids=lambda made: f"{made.name}@{made.provider}"
)
def test_pin_is_the_dependency(made: Any) -> None:
    """The version that a class is made for is the one that the distribution depends on, and the installed one."""
    dependencies = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["dependencies"]

    assert f"{made.library}=={made.pinned}" in dependencies
    assert metadata.version("rouge-metric") == made.pinned


def test_finding_the_metrics_imports_no_library() -> None:
    """Loading a metric and reading its facts leaves the library alone."""
    code = (
        "import sys, tertium; [tertium.load(f'rougeL@{name}').info for name in ('rouge-metric', 'rouge-perl')]; "
        "print('rouge_metric' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "False"

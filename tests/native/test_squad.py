"""
Native SQuAD metrics against the evaluators' rules, recorded runs and real predictions.
"""

from __future__ import annotations

import collections
import json
import os
import random
import re
import string
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from tertium.errors import MissingReferences, ParameterError
from tertium.native.squad import SquadEm, SquadF1
from tertium.native.tokenizers.squad import ANSWERS, BROWSER_ANSWERS, normal_answer

PIECES = [
    *(
        "a",
        "A",
        "an",
        "the",
        "The",
        "the",
        "cat",
        "dog",
        " ",
        " ",
        " ",
        "  ",
        "\t",
        "\n",
        "\u00a0",
        "\u3000",
        "\x1f",
        "\u2028",
    ),
    *(
        ".",
        ",",
        "-",
        "_",
        "'",
        '"',
        "!",
        "—",
        "“",
        "é",
        "e\u0301",
        "\u0301",
        "ça",
        "1",
        "3.5",
        "½",
        "²",
        "中",
        "ｔ",
        "İ",
        "Σ",
    ),
    *("ς", "\u200b", "\ufeff", "\0", "🙂", "ª"),
]
texts = st.one_of(st.lists(st.sampled_from(PIECES), max_size=9).map("".join), st.text(max_size=5)).map(
    lambda text: text.encode("utf-8", "ignore").decode("utf-8")
)
corpora = st.lists(st.tuples(texts, st.lists(texts, max_size=3)), min_size=1, max_size=4)


def normal(text: str) -> str:
    """
    Normalise by the rule that both scripts state: lower case, punctuation, articles, white space.
    """
    lowered = "".join(char for char in text.lower() if char not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", lowered).split())


def official(rules: str, answer: str, gold: list[str]) -> tuple[float, float]:
    """
    Score one answer by the rules of a script: exact match and F1, the maxima over gold answers.
    """
    if rules == "v2.0":
        gold = [text for text in gold if normal(text)] or [""]
    pairs = []
    for text in gold:
        own, goal = normal(answer).split(), normal(text).split()
        common = sum((collections.Counter(own) & collections.Counter(goal)).values())
        if rules == "v2.0" and not (own and goal):
            f1 = float(own == goal)
        elif common == 0:
            f1 = 0.0
        else:
            precision, recall = common / len(own), common / len(goal)
            f1 = 2 * precision * recall / (precision + recall)
        pairs.append((float(own == goal), f1))
    return max(exact for exact, _ in pairs), max(f1 for _, f1 in pairs)


def both(cases: tertium.Cases, **parameters: Any) -> tuple[tertium.Score, tertium.Score]:
    return tertium.score(SquadEm(**parameters), cases), tertium.score(SquadF1(**parameters), cases)


@settings(max_examples=200, deadline=None)
@given(corpus=corpora)
def test_equals_the_official_rule(corpus: list[tuple[str, list[str]]]) -> None:
    """On texts of many scripts, odd white space and articles, each case has the value that the rule gives it."""
    for rules in ("v2.0", "v1.1"):
        kept = corpus if rules == "v2.0" else [(answer, gold or [""]) for answer, gold in corpus]
        cases = tertium.Cases([answer for answer, _ in kept], [gold for _, gold in kept])
        exact, f1 = both(cases, rules=rules, percent=False)
        expected = [official(rules, answer, gold) for answer, gold in kept]

        assert exact.per_case["exact"].tolist() == [value for value, _ in expected]
        assert f1.per_case["f1"].tolist() == pytest.approx([value for _, value in expected], rel=1e-12)
        assert f1.value == pytest.approx(np.mean([value for _, value in expected]), rel=1e-12)


@settings(max_examples=200, deadline=None)
@given(text=texts)
def test_compiled_words_are_those_of_the_rule(text: str) -> None:
    """The compiled scan and the normaliser in Python give the words of the rule."""
    assert ANSWERS.tokens(text) == normal(text).split()
    assert normal_answer(text) == normal(text)


@pytest.mark.parametrize(
    ("file", "rules"), [("squad-v1.1", "v1.1"), ("squad-v2.0", "v2.0"), ("squad-js-09eac99", "browser")]
)
def test_equals_recorded_runs(file: str, rules: str, shared: Path) -> None:
    """Exact match and F1, of each case and of all, are those that the evaluator gave."""
    compared = refused = 0
    for line in (shared / "golden" / f"{file}.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        rows = record["cases"]
        if record["params"].get("na_prob") or any(row["hyp"] is None for row in rows):
            continue  # no-answer probabilities and missing predictions are no part of a case
        cases = tertium.Cases([row["hyp"] for row in rows], [row["refs"] for row in rows])
        if "error" in record["expected"]:
            with pytest.raises(MissingReferences):
                both(cases, rules=rules)
            refused += 1
            continue
        exact, f1 = both(cases, rules=rules)
        expected, total = record["expected"]["per_case"], record["expected"]["corpus"]

        assert exact.per_case["exact"].tolist() == [100 * case["em"] for case in expected], record["id"]
        np.testing.assert_allclose(f1.per_case["f1"], [100 * case["f1"] for case in expected], rtol=1e-9, atol=1e-12)
        assert exact.value == pytest.approx(total.get("exact", total.get("exact_match", total.get("em"))), rel=1e-9)
        assert f1.value == pytest.approx(total["f1"], rel=1e-9)
        compared += len(rows)
    assert compared > 120
    assert refused == (8 if rules == "v1.1" else 0)


def test_equals_recorded_runs_on_real_predictions(shared: Path) -> None:
    """Six systems' scores on 1,190 questions are those of evaluate-v2.0.py, without the questions they left out."""
    folder = shared / "data" / "qa" / "squad-xquad-en"
    dataset = json.loads((folder / "squad-v1.1.json").read_text("utf-8"))["data"]
    gold = {
        question["id"]: [answer["text"] for answer in question["answers"]]
        for article in dataset
        for paragraph in article["paragraphs"]
        for question in paragraph["qas"]
    }
    recorded = json.loads((folder / "expected.json").read_text("utf-8"))["systems"]
    for system, expected in recorded.items():
        predictions = json.loads((folder / "predictions" / f"{system}.json").read_text("utf-8"))
        answered = [identity for identity in gold if identity in predictions]
        cases = tertium.Cases([predictions[i] for i in answered], [gold[i] for i in answered])
        exact, f1 = both(cases)
        totals = expected["evaluate-v2.0.py (missing left out)"]

        assert len(cases) == totals["total"]
        assert exact.value == pytest.approx(totals["exact"], rel=1e-12), system
        assert f1.value == pytest.approx(totals["f1"], rel=1e-12), system
        missing = len(gold) - len(answered)
        old_exact, old_f1 = both(cases, rules="v1.1")
        share = len(answered) / (len(answered) + missing)
        assert old_exact.value * share == pytest.approx(expected["v1.1 rule (missing = 0)"]["exact_match"], rel=1e-12)
        assert old_f1.value * share == pytest.approx(expected["v1.1 rule (missing = 0)"]["f1"], rel=1e-12)
    assert recorded


@pytest.mark.parametrize(
    ("answer", "gold", "rules", "exact", "f1"),
    [
        ("refunds within thirty", ["refunds within thirty days"], "v2.0", 0, 6 / 7),
        ("refunds within sixty days", ["refunds within thirty days"], "v2.0", 0, 0.75),
        ("man bites dog", ["dog bites man"], "v2.0", 0, 1),
        ("the", ["a"], "v2.0", 1, 1),
        ("the", ["a"], "v1.1", 1, 0),
        ("the", ["a", "cat"], "v2.0", 0, 0),
        ("the", ["a", "cat"], "v1.1", 1, 0),
        ("the", ["a", "cat"], "browser", 1, 1),
        ("", [], "v2.0", 1, 1),
        ("something", [], "v2.0", 0, 0),
        ("", [], "browser", 1, 1),
        ("the", [], "browser", 0, 0),
        ("...", [""], "v2.0", 1, 1),
        ("...", [""], "browser", 0, 0),
        ("x\ty", ["x y"], "v2.0", 1, 1),
        ("x\ty", ["x y"], "browser", 0, 0),
        ("x\t y", ["x y"], "browser", 1, 1),
        ("ça va", ["ç va"], "v2.0", 0, 0.5),
        ("ça va", ["ç va"], "browser", 1, 1),
        ("a\u0301b", ["b"], "v2.0", 0, 0),
    ],
)
def test_values_worked_by_hand(answer: str, gold: list[str], rules: str, exact: float, f1: float) -> None:
    """Small cases have the value that the rule gives on paper."""
    found = both(tertium.Cases([answer], [gold]), rules=rules, percent=False)

    assert found[0].value == exact
    assert found[1].value == pytest.approx(f1)


def test_empty_gold_answers_can_stay() -> None:
    """With ``empty_gold=keep``, as in TorchMetrics, an empty gold answer beside others counts; there must be one."""
    cases = tertium.Cases([""], [["", "cat"]])

    assert [score.value for score in both(cases)] == [0, 0]
    assert [score.value for score in both(cases, empty_gold="keep")] == [100, 100]
    with pytest.raises(MissingReferences):
        both(tertium.Cases([""], [[]]), empty_gold="keep")


def test_no_list_of_answers_is_an_error() -> None:
    """A case without an entry for answers is another thing than one with an empty list."""
    for rules in ("v2.0", "browser"):
        with pytest.raises(MissingReferences, match="no references"):
            both(tertium.Cases(["a", "b"], [["a"], None]), rules=rules)


def test_contradiction_is_refused() -> None:
    """The browser's evaluator drops no answers."""
    with pytest.raises(ParameterError, match="empty_gold=drop with rules=browser"):
        SquadF1(rules="browser", empty_gold="drop")


def test_browser_words_keep_an_empty_one() -> None:
    """In the browser a text without words is split into one empty word."""
    assert BROWSER_ANSWERS.tokens("...") == [""]


def test_chunks_and_threads_change_nothing() -> None:
    """The statistics have the same bits for every size of chunks and number of workers."""
    rng = random.Random(2)
    made = ["".join(rng.choices(PIECES, k=rng.randrange(10))) for _ in range(900)]
    cases = tertium.Cases(made[:300], [made[i : i + i % 4] for i in range(300, 600)])

    for metric in (SquadEm(), SquadF1(), SquadF1(rules="browser")):
        whole, parts = tertium.score(metric, cases), tertium.score(metric, cases, workers=2, chunk=7)
        assert whole.statistics is not None
        assert parts.statistics is not None
        assert whole.statistics.tobytes() == parts.statistics.tobytes()


def test_plain_python_gives_the_same() -> None:
    """With NUMBA_DISABLE_JIT=1 and warnings as errors the kernels give the same values."""
    program = """
import tertium
cases = tertium.Cases(["The cat, é 中 sat", "an a", "x"], [["a cat sat", "cat"], ["the"], ["x y", "é"]])
print([tertium.score(name, cases).per_case[output].tolist() for name, output in (("squad-em", "exact"), ("squad-f1", "f1"))])
"""
    outputs = [
        subprocess.run(
            [sys.executable, "-W", "error::RuntimeWarning", "-c", program],
            env={**os.environ, **extra},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for extra in ({"NUMBA_DISABLE_JIT": "1"}, {})
    ]
    assert outputs[0] == outputs[1] != ""


def test_empty_lists_are_taken_and_missing_ones_are_not() -> None:
    """What it needs is a list of answers a case, which may be empty; under v1.1 it holds one at least."""
    empty, missing = tertium.Cases(["", "a"], [[], ["a"]]), tertium.Cases(["", "a"], [None, ["a"]])

    for rules in ("v2.0", "browser"):
        assert tertium.load(f"squad-em(rules='{rules}')").info.needs == {"reference-lists"}
        assert tertium.score(f"squad-em(rules='{rules}')", empty).value == 100
        with pytest.raises(MissingReferences, match="case 0"):
            tertium.score(f"squad-em(rules='{rules}')", missing)
    assert tertium.load("squad-f1(rules='v1.1')").info.needs == {"references"}
    assert tertium.load("squad-f1(empty_gold=keep)").info.needs == {"references"}
    with pytest.raises(MissingReferences):
        tertium.score("squad-f1(empty_gold=keep)", empty)

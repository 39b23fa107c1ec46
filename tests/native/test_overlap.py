"""
Native F1, Jaccard and Dice against their definitions, over all parameters.
"""

from __future__ import annotations

import itertools
import math
import os
import pickle
import random
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from tertium.errors import MissingReferences, ParameterError
from tertium.native.overlap import Dice, Jaccard, TokenF1

texts = st.lists(
    st.sampled_from(["a", "b", "c", "A", "é", "e\u0301", "中", "x,", " ", "\u3000", "\n", "\u200b"]), max_size=10
).map(" ".join)
corpora = st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=3)), min_size=1, max_size=4)


def counted(metric: str, counting: str, output: str, reference: Counter[str]) -> tuple[int, int]:
    """
    Give numerator and denominator of a similarity by its definition.
    """
    own = Counter(output.split())
    if counting == "set":
        own, reference = Counter(set(own)), Counter(set(reference))
    common = (own & reference).total()
    return (common, (own | reference).total()) if metric == "jaccard" else (2 * common, own.total() + reference.total())


def defined(
    metric: str, counting: str, rule: str, empty: float, average: str, corpus: list[tuple[str, list[str]]]
) -> float:
    """
    Give the value of a corpus by the definition.
    """
    values: list[Fraction | float] = []
    sums = [0, 0]
    for output, references in corpus:
        bags = [Counter(text.split()) for text in references]
        if rule == "union":
            joined: Counter[str] = Counter()
            for bag in bags:
                joined |= bag
            bags = [joined]
        found = [counted(metric, counting, output, bag) for bag in bags]
        each = [Fraction(above, below) if below else empty for above, below in found]
        known = [value for value in each if not math.isnan(value)]
        if rule == "mean":
            values += [sum(known) / len(known)] if known else []
            continue
        best = max(range(len(each)), key=lambda i: -1 if math.isnan(each[i]) else each[i])
        values += [each[best]] if known else []
        sums = [total + part for total, part in zip(sums, found[best], strict=True)]
    if average == "pooled":
        return float(Fraction(*sums)) if sums[1] else empty
    return float(sum(values) / len(values)) if values else math.nan


@pytest.mark.parametrize(
    ("name", "counting", "rule"),
    list(itertools.product(("jaccard", "dice"), ("set", "multiset"), ("max", "mean", "union"))),
)
@settings(max_examples=25, deadline=None)
@given(corpus=corpora, empty=st.sampled_from(["one", "zero", "undefined"]), average=st.sampled_from(["mean", "pooled"]))
def test_similarities_equal_their_definition(
    name: str, counting: str, rule: str, empty: str, average: str, corpus: list[tuple[str, list[str]]]
) -> None:
    """Under every rule for references, counting, empty sides and averages the value is that of exact fractions."""
    if rule == "mean" and average == "pooled":
        average = "mean"
    kind: Any = Jaccard if name == "jaccard" else Dice
    metric = kind(counting=counting, references=rule, empty=empty, average=average)
    score = tertium.score(metric, tertium.Cases([output for output, _ in corpus], [row for _, row in corpus]))

    blank = {"one": 1.0, "zero": 0.0, "undefined": math.nan}[empty]
    assert score.value == pytest.approx(defined(name, counting, rule, blank, average, corpus), rel=1e-12, nan_ok=True)


@settings(max_examples=60, deadline=None)
@given(corpus=corpora, beta=st.sampled_from([0.0, 0.5, 1.0, 2.0]))
def test_f1_equals_its_definition(corpus: list[tuple[str, list[str]]], beta: float) -> None:
    """F, precision and recall of the best reference, averaged over cases, equal the definition."""
    cases = tertium.Cases([output for output, _ in corpus], [row for _, row in corpus])
    score = tertium.score(TokenF1(beta=beta), cases)

    expected = []
    for output, references in corpus:
        rows = []
        for text in references:
            own, goal = Counter(output.split()), Counter(text.split())
            common = (own & goal).total()
            precision = common / own.total() if own else 0.0
            recall = common / goal.total() if goal else 0.0
            below = beta**2 * precision + recall
            f = (1 + beta**2) * precision * recall / below if below else 0.0
            rows.append((f, precision, recall) if own or goal else (1.0, 1.0, 1.0))
        expected.append(max(rows, key=lambda row: row[0]))
    for i, output in enumerate(("f1", "precision", "recall")):
        assert score[output] == pytest.approx(sum(row[i] for row in expected) / len(expected), rel=1e-12)


@pytest.mark.parametrize(
    ("output", "reference", "precision", "recall", "jaccard", "multiset"),
    [
        ("refunds within thirty", "refunds within thirty days", 1, 3 / 4, 3 / 4, 3 / 4),
        ("refunds within sixty days", "refunds within thirty days", 3 / 4, 3 / 4, 3 / 5, 3 / 5),
        ("man bites dog", "dog bites man", 1, 1, 1, 1),
        ("red blue blue", "red red blue", 2 / 3, 2 / 3, 1, 1 / 2),
        ("alpha beta beta beta", "alpha beta", 1 / 2, 1, 1, 1 / 2),
        ("a b", "c", 0, 0, 0, 0),
        ("", "c", 0, 0, 0, 0),
        ("a", "", 0, 0, 0, 0),
        ("", "", 1, 1, 1, 1),
    ],
)
def test_values_of_the_tables(
    output: str, reference: str, precision: float, recall: float, jaccard: float, multiset: float
) -> None:
    """Small texts have the values that one counts on fingers."""
    cases = tertium.Cases([output], [[reference]])
    f1 = tertium.score("token-f1", cases)

    assert (f1["precision"], f1["recall"]) == pytest.approx((precision, recall))
    assert f1.value == pytest.approx(2 * precision * recall / (precision + recall) if precision else 0)
    assert tertium.score("jaccard", cases).value == pytest.approx(jaccard)
    assert tertium.score("jaccard(counting=multiset)", cases).value == pytest.approx(multiset)
    assert tertium.score("dice(counting=multiset)", cases).value == pytest.approx(f1.value)
    assert tertium.score("dice", cases).value == pytest.approx(2 * jaccard / (1 + jaccard))


def test_pooled_f1_sums_counts() -> None:
    """Pooled, precision and recall are ratios of sums: 3 of 5 and 3 of 4 words, not means of cases."""
    cases = tertium.Cases(["a b", "c d e"], [["a b"], ["c x"]])
    score = tertium.score("token-f1(average=pooled)", cases)

    assert (score["precision"], score["recall"]) == pytest.approx((3 / 5, 3 / 4))
    assert score.value == pytest.approx(2 / 3)


def test_first_of_equal_references_counts() -> None:
    """Of references with the same F1 the first one's precision and recall are reported."""
    one, other = "a b c d", "a"
    first = tertium.score("token-f1", tertium.Cases(["a b"], [[one, other]]))
    second = tertium.score("token-f1", tertium.Cases(["a b"], [[other, one]]))

    assert first.value == second.value == pytest.approx(2 / 3)
    assert (first["precision"], first["recall"]) == (1, 0.5)
    assert (second["precision"], second["recall"]) == (0.5, 1)


def test_undefined_cases_are_left_out() -> None:
    """With ``empty=undefined`` a case without words does not count, and where none has any the value is undefined."""
    cases = tertium.Cases(["a", ""], [["a b"], [""]])

    assert tertium.score("jaccard(empty=undefined)", cases).value == 0.5
    score = tertium.score("jaccard(empty=undefined)", tertium.Cases([""], [[" "]]))
    assert math.isnan(score.value)
    assert score.reason == "no case has a word on either side"


def test_tokenizer_and_case_are_parameters() -> None:
    """Any tokenizer cuts the words, and the case can be lowered first."""
    cases = tertium.Cases(["The end."], [["the end ."]])

    assert tertium.score("jaccard", cases).value == 0
    assert tertium.score("jaccard(tokenize=13a,lowercase=true)", cases).value == 1
    assert tertium.score("token-f1(tokenize=char,percent=true)", cases).info.scale == (0, 100)


def test_contradictions_and_missing_references_are_errors() -> None:
    """A mean over references cannot be pooled, and a case without references is not scored."""
    with pytest.raises(ParameterError, match="references=mean with average=pooled"):
        Dice(references="mean", average="pooled")
    with pytest.raises(MissingReferences):
        tertium.score("dice", tertium.Cases(["a"], [[]]))


@pytest.mark.parametrize(
    "metric", [TokenF1(), Jaccard(references="union"), Dice(references="mean", counting="multiset")]
)
def test_chunks_and_threads_change_nothing(metric: Any) -> None:
    """The statistics have the same bits for every size of chunks and number of workers; metrics pickle."""
    rng = random.Random(8)
    made = [" ".join(rng.choices("abcdefg", k=rng.randrange(9))) for _ in range(900)]
    cases = tertium.Cases(made[:300], [made[i : i + 1 + i % 3] for i in range(300, 600)])

    whole = tertium.score(metric, cases)
    parts = tertium.score(pickle.loads(pickle.dumps(metric)), cases, workers=2, chunk=11)
    assert whole.statistics is not None
    assert parts.statistics is not None
    assert whole.statistics.tobytes() == parts.statistics.tobytes()


def test_plain_python_gives_the_same() -> None:
    """With NUMBA_DISABLE_JIT=1 and warnings as errors the kernels give the same values."""
    program = """
import tertium
cases = tertium.Cases(["a b b c", "中 é", ""], [["b b a", "c c"], ["é"], ["x", ""]])
specs = ("token-f1", "jaccard(references=union)", "dice(counting=multiset)", "jaccard(counting=multiset,references=union)")
print([tertium.score(spec, cases).statistics.tolist() for spec in specs])
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

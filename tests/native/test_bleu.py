"""
Native BLEU against values worked by hand, and at its limits.
"""

from __future__ import annotations

import math
import pickle
import random
import subprocess
import sys
import time

import numpy as np
import pytest

import tertium
from tertium.errors import MissingReferences, ParameterError
from tertium.native import cache
from tertium.native.bleu import Bleu

REFUNDS = tertium.Cases(["refunds within sixty days"], [["refunds within thirty days"]])
# matches 3 of 4, 1 of 3, 0 of 2, 0 of 1; equal lengths
BY_HAND: list[tuple[str, float]] = [
    ("smoothing=none", 0.0),
    ("smoothing=none,zero_precision=skip", (3 / 4 * 1 / 3) ** 0.25),
    ("smoothing=floor", (3 / 4 * 1 / 3 * 0.1 / 2 * 0.1 / 1) ** 0.25),
    ("smoothing=floor,smooth_value=0.5", (3 / 4 * 1 / 3 * 0.5 / 2 * 0.5 / 1) ** 0.25),
    ("smoothing=add-k", (3 / 4 * 2 / 4 * 1 / 3 * 1 / 2) ** 0.25),
    ("smoothing=add-k,no_match=zero-any", 0.0),
    ("smoothing=add-k-all", (4 / 5 * 2 / 4 * 1 / 3 * 1 / 2) ** 0.25),
    ("smoothing=exp", (3 / 4 * 1 / 3 * 1 / 4 * 1 / 4) ** 0.25),
    ("smoothing=nltk-4", (3 / 4 * 1 / 3 * math.log(4) / 20 * math.log(4) / 20) ** 0.25),
    ("smoothing=exp,max_order=2", (3 / 4 * 1 / 3) ** 0.5),
    ("max_order=2,weights='0.25,0.75'", (3 / 4) ** 0.25 * (1 / 3) ** 0.75),
    ("smoothing=none,weights='0.5,0.5,0,0'", (3 / 4 * 1 / 3) ** 0.5),
    ("smoothing=none,max_order=6,effective_order=true,zero_precision=skip", (3 / 4 * 1 / 3) ** 0.25),
]


@pytest.mark.parametrize(("params", "expected"), BY_HAND)
def test_values_worked_by_hand(params: str, expected: float) -> None:
    """
    Each rule does on a four-word sentence what its definition says.
    """
    value = tertium.score(f"bleu:percent=false,{params}", REFUNDS).value
    assert math.isclose(value, expected, rel_tol=1e-12, abs_tol=1e-300)


@pytest.mark.parametrize(
    ("rule", "length"), [("closest", 2), ("closest-first", 4), ("shortest", 1), ("longest", 4), ("average", 7 / 3)]
)
def test_reference_length_rules(rule: str, length: float) -> None:
    """
    Of references of 4, 2 and 1 tokens each rule picks its length for a hypothesis of three.
    """
    cases = tertium.Cases(["a b c"], [["a b c d", "a b", "a"]])
    assert tertium.score(f"bleu:reference_length={rule}", cases)["reference_length"] == length


@pytest.mark.parametrize(
    ("params", "names"),
    [
        ("smoothing=exp,smooth_value=1", ["smooth_value=1", "smoothing=exp"]),
        ("effective_order=true,missing_order=one", ["effective_order=true", "missing_order=one"]),
        ("effective_order=true,denominator_floor=case", ["effective_order=true", "denominator_floor=case"]),
        ("missing_order=one,denominator_floor=corpus", ["missing_order=one", "denominator_floor=corpus"]),
        ("smoothing=pad,effective_order=true", ["smoothing=pad", "effective_order=true"]),
        ("smoothing=nltk-6,max_order=2", ["smoothing=nltk-6", "max_order=2"]),
        ("smoothing=nltk-6,aggregation=mean", ["smoothing=nltk-6", "aggregation=mean"]),
        ("auto_reweigh=true,max_order=3", ["auto_reweigh=true", "max_order=3"]),
        ("weights='0.5,0.5'", ["weights", "max_order=4"]),
        ("weights='0.5,x,0,0'", ["weights", "numbers"]),
        ("weights='-1,1,1,0'", ["weights", "at least 0"]),
        ("weights='0,0,0,0'", ["weights", "not all 0"]),
        ("max_order=0", ["max_order=0", "1 to 100"]),
        ("smooth_value=-1,smoothing=floor", ["smooth_value=-1", "0 to 1e+09"]),
        ("tokenize=13b", ["tokenize", "Did you mean 13a"]),
    ],
)
def test_wrong_and_contradictory_parameters_are_named(params: str, names: list[str]) -> None:
    """
    A value out of range, or two that contradict each other, is an error that names them.
    """
    with pytest.raises(ParameterError) as caught:
        tertium.load(f"bleu:{params}")
    for name in names:
        assert name in str(caught.value)


def test_a_case_without_references_is_refused() -> None:
    """
    No reference at all is an error; an empty reference is one of length zero.
    """
    with pytest.raises(MissingReferences):
        tertium.score("bleu", tertium.Cases(["a"], [[]]))
    assert tertium.score("bleu", tertium.Cases(["a"], [[""]])).value == 0


def some_cases(count: int, seed: int = 5) -> tertium.Cases:
    """
    Make cases of random words, with one to three references.
    """
    rng = random.Random(seed)

    def text() -> str:
        return " ".join(rng.choice("abcdefg") for _ in range(rng.randrange(12)))

    return tertium.Cases(
        [text() for _ in range(count)], [[text() for _ in range(rng.randrange(1, 4))] for _ in range(count)]
    )


VARIANTS = ["", ":smoothing=nltk-7", ":smoothing=nltk-6", ":aggregation=mean,smoothing=floor", ":reference_length=average",
            ":smoothing=pad,brevity=padded,no_match=smooth", ":effective_order=true", ":auto_reweigh=true,denominator_floor=case"]  # fmt: skip


@pytest.mark.parametrize("variant", VARIANTS)
def test_aggregate_takes_any_shape(variant: str) -> None:
    """
    Sums of shape (..., columns) give what each row gives by itself, and every row what its case gives alone.
    """
    cases = some_cases(24)
    metric = tertium.load("bleu" + variant)
    statistics = tertium.score(metric, cases).statistics
    assert statistics is not None
    rows = metric.aggregate(statistics)
    cube = metric.aggregate(statistics.reshape(2, 3, 4, -1))
    np.testing.assert_array_equal(cube.reshape(24, -1), rows)
    for i in range(24):
        alone = list(tertium.score(metric, cases[i : i + 1]).outputs.values())
        np.testing.assert_allclose(rows[i], alone, rtol=1e-12)


@pytest.mark.parametrize("variant", VARIANTS)
def test_chunks_and_workers_change_no_bit(variant: str) -> None:
    """
    Statistics and values have the same bits for every chunk size and number of workers.
    """
    cases = some_cases(200)
    whole = tertium.score("bleu" + variant, cases)
    for chunk, workers in ((7, 1), (50, 2), (1, 2)):
        part = tertium.score("bleu" + variant, cases, workers, chunk=chunk)
        assert part.statistics is not None
        assert np.array_equal(part.statistics, np.asarray(whole.statistics))
        assert np.array_equal(list(part.outputs.values()), list(whole.outputs.values()), equal_nan=True)


def test_the_mean_of_sentences_is_their_mean() -> None:
    """
    ``aggregation=mean`` is the arithmetic mean of the per-case values of the pooled metric.
    """
    cases = some_cases(50)
    pooled = tertium.score("bleu:smoothing=floor", cases).per_case["bleu"]
    assert math.isclose(
        tertium.score("bleu:smoothing=floor,aggregation=mean", cases).value, pooled.mean(), rel_tol=1e-12
    )


def test_undefined_is_nan_and_says_why() -> None:
    """
    NLTK's method 6 has no value without a trigram match: NaN with the reason, not a number.
    """
    score = tertium.score("bleu:smoothing=nltk-6", REFUNDS)
    assert math.isnan(score.value)
    assert score.reason is not None
    assert "trigram" in score.reason


def test_the_signature_says_what_decides_the_number() -> None:
    """
    Tokenizer version, default smoothing value, Unicode version of lower-casing and number of references are in it.
    """
    score = tertium.score("bleu:tokenize=intl,lowercase=true,smoothing=floor", REFUNDS)
    assert "tokenize=intl-unicode-18.0" in score.signature
    assert "smooth_value=0.1" in score.signature
    assert "unicode=" in score.signature
    assert "references=1" in score.signature


def test_a_python_tokenizer_counts_its_tokens() -> None:
    """
    A callable as tokenizer decides what a token is.
    """
    metric = Bleu(tokenize=lambda text: text.split("|"), max_order=1, smoothing="none")
    score = tertium.score(metric, tertium.Cases(["a b|c"], [["a b|d"]]))
    assert (score["matches_1"], score["totals_1"]) == (1, 2)


def test_pickles_with_its_parameters() -> None:
    """
    A metric crosses to worker processes.
    """
    metric = pickle.loads(pickle.dumps(tertium.load("bleu:tokenize=intl,max_order=2")))
    assert tertium.score(metric, REFUNDS).value == tertium.score("bleu:tokenize=intl,max_order=2", REFUNDS).value


def test_large_inputs_are_right_and_quick() -> None:
    """
    A segment of a million characters, 10,000 references, and text with NUL and beyond the first plane count exactly.
    """
    long = " ".join(f"w{i % 5000}" for i in range(180_000))
    assert len(long) > 1_000_000
    many = [f"the cat {i} sat" for i in range(10_000)]
    start = time.perf_counter()
    score = tertium.score(
        "bleu", tertium.Cases([long, "the cat 77 sat", "\0 😀 \0 😀 x"], [[long], many, ["\0 😀 \0 😀 x", ""]])
    )
    assert time.perf_counter() - start < 10
    assert score.statistics is not None
    rows = score.statistics
    assert rows[0, :4].tolist() == [180_000, 179_999, 179_998, 179_997]
    assert rows[1].tolist() == [4, 3, 2, 1, 4, 3, 2, 1, 4, 4]
    assert rows[2].tolist() == [5, 4, 3, 2, 5, 4, 3, 2, 5, 5]


def test_references_are_cut_once() -> None:
    """
    A second system against the same references takes them from the memo, and gets the same numbers as without it.
    """
    cache.REFERENCES.clear()
    first, second = some_cases(30, 1), some_cases(30, 1)
    other = tertium.Cases(list(reversed(second.hypotheses)), [list(row or ()) for row in second.references])
    tertium.score("bleu", first)
    assert len(cache.REFERENCES) == 1
    again = tertium.score("bleu", other)
    assert len(cache.REFERENCES) == 1
    tertium.score("bleu:lowercase=true", other)
    assert len(cache.REFERENCES) == 2
    cache.REFERENCES.clear()
    assert tertium.score("bleu", other).outputs == again.outputs


def test_the_memo_is_bounded() -> None:
    """
    The least recently used values go when the bytes are spent; one that is too large is not kept.
    """
    memo: cache.Memo[int] = cache.Memo(100)
    made: list[int] = []

    def get(key: int, size: int = 40) -> int:
        return memo.get(key, lambda: made.append(key) or key, lambda _: size)  # type: ignore[func-returns-value]

    assert [get(1), get(2), get(1), get(3), get(1), get(2)] == [1, 2, 1, 3, 1, 2]
    assert made == [1, 2, 3, 2]
    assert get(9, 101) == 9
    assert memo.used <= 100
    assert len(memo) == 2


def test_loading_a_metric_does_not_load_numba() -> None:
    """
    numba is loaded by the first score, not by listing or making metrics.
    """
    program = "import sys, tertium; tertium.metrics(); tertium.load('bleu'); sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0

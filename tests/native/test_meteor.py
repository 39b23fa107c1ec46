"""
Native METEOR: worked examples, parameters, what it refuses, and how its time grows.
"""

from __future__ import annotations

import os
import pickle
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium
from needs import needs_wordnet
from tertium.errors import MissingReferences, ParameterError, ResourceMissing
from tertium.native import meteor_data
from tertium.native.meteor import Meteor
from tertium.resources import wordnet


def meteor(hypothesis: str, *references: str, **parameters: Any) -> float:
    """
    Score one case.
    """
    return tertium.score(Meteor(**parameters), tertium.Cases([hypothesis], [list(references)])).value


WITHOUT_SYNONYMS = {"stages": "exact,stem"}


@pytest.mark.parametrize("words", range(1, 8))
def test_an_exact_match_keeps_a_penalty(words: int) -> None:
    """
    An exact match of m words is one chunk: 1 - 0.5 / m^3 by the formula of 2005.
    """
    text = " ".join(f"w{number}" for number in range(words))
    assert meteor(text, text, **WITHOUT_SYNONYMS) == pytest.approx(1 - 0.5 / words**3, rel=1e-12)


@pytest.mark.parametrize("half", [2, 3, 5, 20])
def test_swapped_halves_are_two_chunks(half: int) -> None:
    """
    Swapping the halves of 2q words gives two chunks: 1 - 0.5 (2 / 2q)^3.
    """
    left, right = ([f"{letter}{number}" for number in range(half)] for letter in "ab")
    got = meteor(" ".join(right + left), " ".join(left + right), **WITHOUT_SYNONYMS)
    assert got == pytest.approx(1 - 0.5 / half**3, rel=1e-12)


def test_recall_weighs_nine_times_as_much_as_precision() -> None:
    """
    One of one hypothesis word, one of five reference words: F = 10PR/(R+9P) = 2/9.2, halved by the penalty.
    """
    assert meteor("alpha", "alpha beta gamma delta epsilon", **WITHOUT_SYNONYMS) == pytest.approx(1 / 9.2, rel=1e-12)


def test_parameters_enter_the_formula() -> None:
    """
    Three of four words match three of five in two chunks; alpha 0.5, beta 1 and gamma 0.3 by hand.
    """
    precision, recall = 3 / 4, 3 / 5
    mean = precision * recall / (0.5 * precision + 0.5 * recall)
    got = meteor("a b x d", "a b y d z", stages="exact", alpha=0.5, beta=1, gamma=0.3)
    assert got == pytest.approx((1 - 0.3 * 2 / 3) * mean, rel=1e-12)


def test_stages_add_up() -> None:
    """
    A stem matches only where the stem stage is named, and the best reference counts.
    """
    assert meteor("dogs", "dog", stages="exact") == 0
    assert meteor("dogs", "dog", stages="exact,stem") == pytest.approx(0.5)
    assert meteor("a b", "x", "a b", "a", stages="exact") == pytest.approx(1 - 0.5 / 8)


@needs_wordnet
def test_synonyms_are_those_of_stems_or_of_words() -> None:
    """
    The Porter stem of "happy" is no word of WordNet, so NLTK finds its synonym "glad" only where the stem is the word.
    """
    assert meteor("happy", "glad") == 0
    assert meteor("happy", "glad", synonym_form="word") == pytest.approx(0.5)
    assert meteor("happy", "glad", stages="exact,synonym") == pytest.approx(0.5)
    assert meteor("car", "automobile", stages="synonym") == meteor("car", "car", stages="synonym")


def test_words_are_changed_first() -> None:
    """
    Case is lowered by default, may be folded or kept, and a function may change words.
    """
    assert meteor("STRASSE", "Straße", stages="exact") == 0
    assert meteor("STRASSE", "Straße", stages="exact", preprocessing="casefold") == pytest.approx(0.5)
    assert meteor("A", "a", stages="exact", preprocessing="none") == 0
    assert meteor("xa", "ya", stages="exact", preprocessing=lambda word: word[1:]) == pytest.approx(0.5)
    assert meteor("a-b", "b-a", stages="exact", tokenize=lambda text: text.split("-")) == pytest.approx(0.5)


def test_none_is_a_choice_in_specs() -> None:
    """
    In a spec ``none`` means the choice of that name, not the default: words as they are, and no stems.
    """
    cases = tertium.Cases(["A b"], [["a b"]])
    assert tertium.score("meteor(stages='exact',preprocessing=none)", cases).value == pytest.approx(0.25)
    assert tertium.score("meteor(stages='exact')", cases).value == pytest.approx(15 / 16)
    pair = tertium.Cases(["dogs"], [["dog"]])
    assert tertium.score("meteor(stages='exact,stem',stemmer=none)", pair).value == 0
    assert tertium.score("meteor(stages='exact,stem')", pair).value == pytest.approx(0.5)


def test_a_line_feed_in_a_token_is_no_end_of_a_word() -> None:
    """
    Tokens of a function may hold line feeds; lowering takes nothing apart.
    """
    assert meteor("A\nB|c", "a\nb|c", stages="exact", tokenize=lambda text: text.split("|")) == pytest.approx(15 / 16)


def test_pooled_counts_give_one_score() -> None:
    """
    Pooled: 3 of 4 hypothesis words match 3 of 5 reference words in 2 chunks over both cases, by the formula once.
    """
    cases = tertium.Cases(["a b", "c x"], [["a b", "nothing else is"], ["c d e"]])
    score = tertium.score(Meteor(stages="exact", aggregation="pooled"), cases)
    precision, recall = 3 / 4, 3 / 5
    mean = precision * recall / (0.9 * precision + 0.1 * recall)
    assert score.value == pytest.approx((1 - 0.5 * (2 / 3) ** 3) * mean, rel=1e-12)
    assert (score["precision"], score["recall"], score["fragmentation"]) == pytest.approx((3 / 4, 3 / 5, 2 / 3))
    assert list(score.per_case["meteor"]) == pytest.approx(
        list(tertium.score(Meteor(stages="exact"), cases).per_case["meteor"]), rel=1e-12
    )


def test_an_empty_side_scores_0() -> None:
    """
    Without words on one side or on both there is nothing to match, and an empty reference beside a good one is no harm.
    """
    for pair in (("", "a"), ("a", ""), ("", "")):
        for aggregation in ("mean", "pooled"):
            assert meteor(*pair, stages="exact", aggregation=aggregation) == 0
    assert meteor("a b", "", "a b", stages="exact") == pytest.approx(15 / 16)
    with pytest.raises(MissingReferences):
        meteor("a b", stages="exact")


@pytest.mark.parametrize(
    ("parameters", "named"),
    [
        ({"gamma": 1.5}, "gamma"),
        ({"alpha": -0.1}, "alpha"),
        ({"beta": -1}, "beta"),
        ({"stages": "exact,stems"}, "stems"),
        ({"stages": "stem,exact"}, "order"),
        ({"stages": "exact,exact"}, "once"),
        ({"stages": ""}, "stages"),
        ({"stemmer": "snowball:klingon"}, "klingon"),
        ({"stemmer": "potter"}, "stemmer"),
        ({"synonym_form": "stem", "stages": "exact,synonym"}, "synonym_form"),
        ({"stemmer": "porter", "stages": "exact"}, "stemmer"),
        ({"preprocessing": "normalize"}, "normalize"),
        ({"version": "1.4"}, "version"),
    ],
)
def test_contradictions_are_refused(parameters: dict[str, Any], named: str) -> None:
    """
    What cannot be done, or would change nothing, is an error that names it.
    """
    with pytest.raises(ParameterError, match=named):
        Meteor(**parameters)


def test_without_wordnet_the_remedy_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Synonyms without WordNet: the error names the command that brings it; without synonyms nothing is missed.
    """
    monkeypatch.setenv("TERTIUM_DATA", str(tmp_path))
    monkeypatch.setattr(wordnet, "nltk_folders", list)
    with pytest.raises(ResourceMissing, match="tertium fetch wordnet"):
        meteor("a", "b")
    assert meteor("a", "a", **WITHOUT_SYNONYMS) == pytest.approx(0.5)


@needs_wordnet
def test_signature_tells_what_decides() -> None:
    """
    The signature holds parameters, the tokenizer, Unicode's version and WordNet's digest where synonyms count.
    """
    cases = tertium.Cases(["a"], [["a", "b"]])
    signature = str(tertium.score(Meteor(), cases).signature)
    for fact in ("stages=exact,stem,synonym", "stemmer=porter", "unicode=", "references=2", "wordnet=3.0"):
        assert fact in signature
    assert "wordnet" not in str(tertium.score(Meteor(stages="exact"), cases).signature)


def test_time_grows_with_the_words_alone() -> None:
    """
    A hypothesis of 100,000 words against a reference as long, a few words again and again, takes under a second.
    """
    rng = random.Random(5)
    hypothesis, reference = (" ".join(rng.choices("abcdefghij", k=100_000)) for _ in range(2))
    meteor("a", "b", **WITHOUT_SYNONYMS)
    start = time.process_time()
    value = meteor(hypothesis, reference, **WITHOUT_SYNONYMS)
    assert time.process_time() - start < 1
    assert 0.4 < value < 1


def test_words_that_match_as_they_are_need_no_stem() -> None:
    """
    New words by the thousand, all of them matched before stems are asked for, then a chunk with one stem to match.
    """
    for start in range(0, 9_000, 3_000):
        text = " ".join(f"word{number}x{start}" for number in range(start, start + 3_000))
        assert meteor(text, text, **WITHOUT_SYNONYMS) == pytest.approx(1)
        assert meteor(f"{text} dogs", f"{text} dog", **WITHOUT_SYNONYMS) == pytest.approx(1)


def test_metrics_travel_to_other_processes() -> None:
    """
    A metric that has been used can be pickled, and scores the same afterwards.
    """
    cases = tertium.Cases(["a b c"], [["a c b"]])
    ways: list[dict[str, Any]] = [{"stages": "exact,stem"}, {"alignment": "optimal", "stages": "exact"}]
    if meteor_data.inspect(meteor_data.ARCHIVE).where is not None:
        ways.append({"version": "1.5", "stages": "exact,stem", "preprocessing": "normalize"})
    for way in ways:
        metric = Meteor(**way)
        value = tertium.score(metric, cases).value
        assert tertium.score(pickle.loads(pickle.dumps(metric)), cases).value == value


def test_statistics_are_finite_and_add_up() -> None:
    """
    The statistics of a concatenation are the concatenation of statistics.
    """
    metric = Meteor(stages="exact,stem", aggregation="pooled")
    hypotheses, references = ["a b c", "", "cats"], [["a c b"], ["x"], ["cat", "a"]]
    whole = tertium.score(metric, tertium.Cases(hypotheses, references)).statistics
    parts = [
        tertium.score(metric, tertium.Cases([text], [refs])).statistics
        for text, refs in zip(hypotheses, references, strict=True)
    ]
    assert whole is not None
    assert np.isfinite(whole).all()
    assert (whole == np.concatenate(parts)).all()


KERNELS = """
import tertium
from tertium.native import meteor_data
from tertium.native.meteor import Meteor

cases = tertium.Cases(
    ["the cats sat on the mat", "as well as other things", "a b a c", "", "x y", "\\u4e2d \\U0001f600"],
    [["the cat sat on mat the", "a dog"], ["and other things"], ["a a b c", "c b a"], ["x"], ["", "y x"], ["\\u4e2d"]],
)
known = meteor_data.inspect(meteor_data.ARCHIVE).where and meteor_data.inspect(meteor_data.PARAPHRASES).where
ways = [{"stages": "exact,stem"}, {"alignment": "optimal", "stages": "exact"}]
for way in ways + ([{"version": "1.5"}, {"version": "1.5", "preprocessing": "normalize", "beam": 2}] if known else []):
    print(tertium.score(Meteor(**way), cases).per_case["meteor"].tolist())
"""


def test_kernels_stay_in_bounds_and_run_as_plain_python(tmp_path: Path) -> None:
    """
    With bounds checks, and as plain Python with warnings as errors, the values are those of compiled kernels.
    """

    def run(**settings: str) -> str:
        environment = {**os.environ, **settings}
        done = subprocess.run([sys.executable, "-c", KERNELS], env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    compiled = run()
    assert run(NUMBA_DISABLE_JIT="1", PYTHONWARNINGS="error") == compiled
    assert run(NUMBA_BOUNDSCHECK="1", TERTIUM_CACHE_DIR=str(tmp_path)) == compiled

"""
Google's GLEU against NLTK run live, and values worked by hand.
"""

from __future__ import annotations

import math
import random
from pathlib import Path

import pytest

import tertium
from tertium import Cases
from tertium.errors import AmbiguousMetric, ParameterError
from tertium.native.gleu import Gleu


def test_invented_corpora_equal_nltk() -> None:
    """400 invented corpora with empty texts and several references have NLTK's value for every pair of orders."""
    library = pytest.importorskip("nltk.translate.gleu_score", reason="NLTK is not installed")
    rng = random.Random(5)
    for _ in range(400):
        words = list("abcdef")[: rng.randrange(1, 7)]
        hypotheses = [rng.choices(words, k=rng.randrange(0, 9)) for _ in range(rng.randrange(1, 5))]
        references = [
            [rng.choices(words, k=rng.randrange(0, 9)) for _ in range(rng.randrange(1, 4))] for _ in hypotheses
        ]
        low = rng.randrange(1, 5)
        high = rng.randrange(low, 6)
        cases = Cases(map(" ".join, hypotheses), [[" ".join(text) for text in texts] for texts in references])
        metric = Gleu(min_order=low, max_order=high)
        wanted = library.corpus_gleu(references, hypotheses, min_len=low, max_len=high)
        assert math.isclose(tertium.score(metric, cases).value, wanted, rel_tol=1e-9), (references, hypotheses)
        each = [
            library.sentence_gleu(texts, text, min_len=low, max_len=high)
            for texts, text in zip(references, hypotheses, strict=True)
        ]
        mean = Gleu(min_order=low, max_order=high, aggregation="mean")
        assert math.isclose(tertium.score(mean, cases).value, sum(each) / len(each), rel_tol=1e-9, abs_tol=1e-12)
        for found, value in zip(tertium.score(metric, cases).per_case["gleu"], each, strict=True):
            assert math.isclose(found, value, rel_tol=1e-9)


def test_real_translations_equal_nltk(shared: Path) -> None:
    """TED talks score what NLTK gives them."""
    library = pytest.importorskip("nltk.translate.gleu_score", reason="NLTK is not installed")
    folder = shared / "data" / "mt" / "ted-sk-en"
    hypotheses, references = (
        (folder / name).read_bytes().decode("utf-8").removesuffix("\n").split("\n")
        for name in ("systems/sys1.txt", "ref.txt")
    )

    found = tertium.score("gleu@native", Cases(hypotheses, [[text] for text in references])).value

    wanted = library.corpus_gleu([[text.split()] for text in references], [text.split() for text in hypotheses])
    assert math.isclose(found, wanted, rel_tol=1e-9)


def test_the_first_of_equal_references_counts() -> None:
    """Two references with the same ratio pool the first one's counts."""
    first = tertium.score("gleu@native(max_order=1)", Cases(["a b"], [["a c", "a b c d"]]))
    other = tertium.score("gleu@native(max_order=1)", Cases(["a b"], [["a b c d", "a c"]]))

    assert (first["matches"], first["total"]) == (1.0, 2.0)
    assert (other["matches"], other["total"]) == (2.0, 4.0)


def test_edge_punctuation_stands_alone() -> None:
    """Leading and trailing marks are tokens of their own; inner ones stay."""
    from tertium.native.tokenizers import tokenizer

    cut = tokenizer("edges", lowercase=True)
    assert cut.tokens('He said: "Don\'t stop..."') == ["he", "said", ":", '"', "don't", "stop", ".", ".", ".", '"']
    assert cut.tokens("\u00bfQu\u00e9? -- $5") == ["\u00bf", "qu\u00e9", "?", "-", "-", "$", "5"]


def test_a_hypothesis_of_100_000_words() -> None:
    """A very long hypothesis is scored."""
    text = " ".join(f"w{number % 977}" for number in range(100_000))
    assert tertium.score("gleu@native", Cases([text], [[text]])).value == 1.0


def test_orders_that_contradict_are_refused() -> None:
    """A shortest n-gram above the longest leaves nothing to count."""
    with pytest.raises(ParameterError, match="min_order=3,max_order=2"):
        tertium.load("gleu@native(min_order=3,max_order=2)")


def test_an_ambiguous_name_lists_the_choices() -> None:
    """gleu+ is what some call Google's and others the source-aware metric."""
    with pytest.raises(AmbiguousMetric, match="gec-gleu"):
        tertium.load("gleu+")

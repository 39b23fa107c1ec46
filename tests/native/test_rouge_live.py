"""
ROUGE against rouge-score 0.1.2 as it runs, on any text and on real corpora.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st

import tertium
from tertium import Cases

TYPES = (*(f"rouge{order}" for order in range(1, 10)), "rougeL", "rougeLsum")

PIECES = st.sampled_from(
    [
        *("a", "b", "c", "The", "the", "cats", "cat", "running", "runs", "flies", "dying", "relational", "sky", "ads"),
        *(
            "3",
            "3.5",
            "x-y",
            "don't",
            "I.",
            "U.S.",
            "é",
            "e\u0301",
            "ß",
            "İ",
            "K",
            "\u212a",
            "ſ",
            "Σ",
            "ﬁ",
            "東京",
            "😀",
        ),
        *("\n", "\n\n", "\r\n", "\t", "  ", "\u00a0", "\u2028", "\u0085", "\x1c", "\0", "_", ".", "<skipped>", "&amp;"),
    ]
)
TEXT = st.lists(PIECES, max_size=14).map(" ".join) | st.lists(PIECES, max_size=8).map("".join) | st.text(max_size=12)
CORPUS = st.lists(st.tuples(TEXT, st.lists(TEXT, min_size=1, max_size=3)), min_size=1, max_size=4)


class WhiteSpace:
    """Be a tokenizer of the library that cuts at white space."""

    def tokenize(self, text: str) -> list[str]:
        return text.split()


def scorer(types: tuple[str, ...], stemmer: bool, whitespace: bool) -> Any:
    """Make the library's scorer."""
    library = pytest.importorskip("rouge_score.rouge_scorer", reason="rouge-score is not installed")
    return library.RougeScorer(list(types), use_stemmer=stemmer, tokenizer=WhiteSpace() if whitespace else None)


def hold(rows: list[tuple[str, list[str]]], stemmer: bool, whitespace: bool, types: tuple[str, ...] = TYPES) -> None:
    """Hold F, precision and recall of every case and their means against the library's."""
    library = scorer(types, stemmer, whitespace)
    wanted = [library.score_multi(references, text) for text, references in rows]
    cases = Cases([text for text, _ in rows], [references for _, references in rows])
    for name in types:
        given = {"stemmer": "nltk" if stemmer else "none", "tokenizer": "whitespace" if whitespace else "rouge-score"}
        found = tertium.score(tertium.Spec(name, "native", None, given), cases)
        for output in ("fmeasure", "precision", "recall"):
            expected = [getattr(case[name], output) for case in wanted]
            assert np.allclose(expected, found.per_case[output], rtol=1e-12, atol=0), (name, output)
            assert math.isclose(np.mean(expected), found[output], rel_tol=1e-9, abs_tol=1e-300), (name, output)


@seed(20040725)
@given(CORPUS, st.booleans())
@settings(max_examples=300, deadline=None)
def test_any_text_equals_the_library(rows: list[tuple[str, list[str]]], stemmer: bool) -> None:
    """Every type gives the library's case values to 1e-12 and their mean to 1e-9, with and without its stemmer."""
    hold(rows, stemmer, False)


@seed(4)
@given(CORPUS)
@settings(max_examples=100, deadline=None)
def test_any_text_equals_the_library_with_another_tokenizer(rows: list[tuple[str, list[str]]]) -> None:
    """The same holds for a tokenizer of one's own."""
    hold(rows, False, True)


@seed(5)
@given(CORPUS, st.sampled_from(TYPES), st.booleans(), st.sampled_from(["default", "whitespace", "char"]))
@settings(max_examples=200, deadline=None)
def test_declared_equivalents_hold(rows: list[tuple[str, list[str]]], name: str, stemmer: bool, tokenizer: str) -> None:
    """What the adapter of rouge-score declares equivalent gives its numbers under every setting, to 1e-12."""
    if f"{name}@rouge-score" not in {f"{name}@{provider}" for provider in tertium.metrics()[name]}:
        pytest.skip("tertium-rouge-score is not installed")
    given = {"stemmer": stemmer and tokenizer == "default", "tokenizer": tokenizer}
    adapter = tertium.load(tertium.Spec(name, "rouge-score", None, given))
    cases = Cases([text for text, _ in rows], [references for _, references in rows])

    one, other = tertium.score(adapter, cases), tertium.score(adapter.equivalent(), cases)

    assert other.info.provider == "native"
    assert np.allclose(one.statistics, other.statistics, rtol=1e-12, atol=0)
    assert np.allclose(list(one.outputs.values()), list(other.outputs.values()), rtol=1e-12, atol=0)


def lines(path: Path) -> list[str]:
    """Read the lines of a file."""
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


CORPORA = ("mt/four-references", "mt/ted-sk-en", "mt/newstest2020-ru-en", "summarization/compare-mt")
CORPORA += ("simplification/turkcorpus",)


@pytest.mark.parametrize("corpus", CORPORA)
def test_real_corpora_equal_the_recorded_values(corpus: str, shared: Path) -> None:
    """Systems of five corpora, with one to eight references, score what rouge-score gave them, to 1e-9."""
    folder = shared / "data" / corpus
    references = [lines(path) for path in sorted(folder.glob("ref*.txt"))]
    seen = 0
    for system, facts in json.loads((folder / "expected.json").read_text(encoding="utf-8"))["systems"].items():
        file = folder / "systems" / f"{system}.txt"
        file = folder / system.strip("()") if system.startswith("(") else file
        texts = lines(file)
        cases = Cases(texts, [list(row) for row in zip(*references, strict=True)])
        for key, stemmer in (("rouge@rouge-score", "none"), ("rouge@rouge-score stemmer fmeasure", "nltk")):
            for name, wanted in facts.get(key, {}).items():
                found = tertium.score(tertium.Spec(name, "native", None, {"stemmer": stemmer}), cases)
                wanted = wanted if isinstance(wanted, dict) else {"fmeasure": wanted}
                for output, value in wanted.items():
                    assert math.isclose(value, found[output], rel_tol=1e-9), (system, name, output)
                    seen += 1
    assert seen >= 9


def test_summaries_equal_the_library_as_it_runs(shared: Path) -> None:
    """1,000 summaries give the library's case values in every type, with the stemmer, as lines of several sentences."""
    folder = shared / "data" / "summarization" / "compare-mt"
    ours, theirs = lines(folder / "systems" / "sys1.txt")[:1000], lines(folder / "ref.txt")[:1000]
    joined = [("\n".join(ours[i : i + 4]), ["\n".join(theirs[i : i + 4])]) for i in range(0, 1000, 4)]
    hold(joined, True, False, ("rouge1", "rouge4", "rougeL", "rougeLsum"))


def test_captions_equal_coco() -> None:
    """COCO's ROUGE-L is the mean under ``best-each``, beta 1.2 and single spaces: blank words and texts included."""
    library = pytest.importorskip("pycocoevalcap.rouge.rouge", reason="pycocoevalcap is not installed")
    rng = np.random.default_rng(2)
    words = ["a", "cat", "on", "the", "mat", "", "dog"]
    texts = [" ".join(rng.choice(words, rng.integers(0, 8))) for _ in range(400)]
    ours, theirs = texts[:100], [texts[100 + 3 * i : 103 + 3 * i] for i in range(100)]
    mean, per_case = library.Rouge().compute_score(dict(enumerate(theirs)), {i: [text] for i, text in enumerate(ours)})

    found = tertium.score("rougeL(tokenizer=single-space,multi_reference=best-each,beta=1.2)", Cases(ours, theirs))

    assert np.allclose(per_case, found.per_case["fmeasure"], rtol=1e-9, atol=0)
    assert math.isclose(mean, found.value, rel_tol=1e-9)

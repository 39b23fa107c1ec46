"""
chrF: every implementation of the field is a point in the parameter space.
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
from points.chrf import NLTK, SCRIPT, point
from tertium import Cases
from tertium.errors import ParameterError, Refused
from tertium.native.chrf import Chrf
from tertium.native.tokenizers.chrf import BYTE_WORDS, WORDS


def test_recorded_outputs_of_the_reference_script(shared: Path) -> None:
    """chrF++.py's pooled score, its mean and its failures are reproduced on every record, on bytes as well."""
    file = shared / "golden" / "chrfpp-e96ea86.jsonl"
    for line in file.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        cases = Cases([case["hyp"] for case in record["cases"]], [case["refs"] for case in record["cases"]])
        given = record["params"]
        for expected, unit in ((record["expected"], "character"), (record["expected"].get("python2.7_bytes"), "byte")):
            if expected is None:
                continue
            settings = {
                **SCRIPT,
                "unit": unit,
                "char_order": given["ncorder"],
                "word_order": given["nworder"],
                "beta": given["beta"],
            }
            pooled = Chrf(**settings)
            mean = Chrf(**{**settings, "zero_selection": "first", "aggregation": "mean"})
            sentences = tertium.score(mean, cases).per_case["score"]
            if "per_case" in expected:
                wanted = [case["F"] for case in expected["per_case"]]
                assert np.allclose(wanted, sentences, rtol=1e-9, atol=0), record["id"]
            if "error" in expected:
                with pytest.raises(Refused):
                    tertium.score(pooled, cases)
                continue
            corpus = expected["corpus"]
            assert math.isclose(corpus["F"], tertium.score(pooled, cases).value, rel_tol=1e-9), record["id"]
            assert math.isclose(corpus["avgF"], tertium.score(mean, cases).value, rel_tol=1e-9), record["id"]


@pytest.mark.parametrize("spec", ["chrf", "chrf++"])
def test_real_corpora_equal_sacrebleu(spec: str, shared: Path) -> None:
    """Ten systems of WMT17 score what sacreBLEU 2.6.0 gave them."""
    folder = shared / "data" / "mt" / "wmt17-en-de"
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))["systems"]
    references = [[line] for line in (folder / "ref.txt").read_text(encoding="utf-8").rstrip("\n").split("\n")]
    for name, values in expected.items():
        lines = (folder / "systems" / f"{name}.txt").read_text(encoding="utf-8").rstrip("\n").split("\n")
        found = tertium.score(f"{spec}@native", Cases(lines, references)).value
        assert math.isclose(values[spec]["score"], found, rel_tol=1e-9), name


WORD = st.sampled_from(
    [
        "a",
        "ab",
        "abc.",
        "(x",
        "...",
        "é",
        "e\u0301",
        "日本",
        "😀",
        "İ",
        "ß",
        "\u00a0",
        "\u2028",
        "\x1c",
        "\t",
        "  ",
        "-",
        "'",
        "\0",
    ]
)
TEXT = st.lists(WORD, max_size=7).map(" ".join) | st.lists(WORD, max_size=7).map("".join)
CORPUS = st.lists(st.tuples(TEXT, st.lists(TEXT, min_size=1, max_size=3)), min_size=1, max_size=4)


@seed(20170907)
@given(
    CORPUS,
    st.fixed_dictionaries(
        {
            "char_order": st.integers(1, 7),
            "word_order": st.integers(0, 3),
            "beta": st.sampled_from([0, 1, 2, 3]),
            "lowercase": st.booleans(),
            "whitespace": st.booleans(),
            "eps_smoothing": st.booleans(),
        }
    ),
)
@settings(max_examples=400, deadline=None)
def test_any_text_equals_sacrebleu(rows: list[tuple[str, list[str]]], given: dict[str, Any]) -> None:
    """Statistics equal sacreBLEU's exactly and scores to 1e-12 under every combination of its parameters."""
    sacrebleu = pytest.importorskip("sacrebleu.metrics.chrf", reason="sacreBLEU is not installed")
    peer = sacrebleu.CHRF(**given)
    width = max(len(references) for _, references in rows)
    streams = [[r[i] if i < len(r) else None for _, r in rows] for i in range(width)]
    ours = Chrf(**point("sacrebleu", given))

    score = tertium.score(ours, Cases([h for h, _ in rows], [r for _, r in rows]))

    assert peer._extract_corpus_statistics([h for h, _ in rows], streams) == score.statistics.tolist()
    assert math.isclose(peer.corpus_score([h for h, _ in rows], streams).score, score.value, rel_tol=1e-12)


@seed(11)
@given(st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=3), st.sampled_from([1.0, 2.0, 3.0]))
@settings(max_examples=200, deadline=None)
def test_any_text_equals_nltk(rows: list[tuple[str, str]], beta: float) -> None:
    """The point that stands for NLTK gives its corpus_chrf."""
    nltk = pytest.importorskip("nltk.translate.chrf_score", reason="NLTK is not installed")
    ours = Chrf(**{**NLTK, "beta": beta})
    expected = nltk.corpus_chrf([r for _, r in rows], [h for h, _ in rows], beta=beta)

    assert math.isclose(
        expected, tertium.score(ours, Cases([h for h, _ in rows], [[r] for _, r in rows])).value, rel_tol=1e-9
    )


@given(TEXT)
@settings(max_examples=300, deadline=None)
def test_words_are_cut_as_the_reference_script_cuts_them(text: str) -> None:
    """One punctuation mark comes off one end of a longer word, on characters and on bytes."""
    marks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
    expected: list[str] = []
    for word in text.split():
        if len(word) > 1 and word[-1] in marks:
            expected += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in marks:
            expected += [word[0], word[1:]]
        else:
            expected.append(word)

    assert expected == WORDS.tokens(text)
    if text.isascii() and not any(mark in text for mark in "\x1c\x1d\x1e\x1f\x85"):
        assert expected == BYTE_WORDS.tokens(text)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"char_order": 0}, "no n-gram to count"),
        ({"epsilon": "nltk"}, "epsilon=nltk,order_average=precision-recall"),
        ({"zero_selection": "previous", "aggregation": "mean"}, "zero_selection=previous,aggregation=mean"),
        ({"char_order": -1}, "char_order=-1"),
        ({"beta": -1}, "beta=-1"),
        ({"beta": math.nan}, "beta=nan"),
        ({"whitespace": "no"}, "remove-unicode"),
    ],
)
def test_contradictions_are_refused(given: dict[str, Any], words: str) -> None:
    """Parameters that are out of range or contradict each other are refused by name."""
    with pytest.raises(ParameterError, match=words):
        Chrf(**given)


def test_textbook_value() -> None:
    """chrF2 of `abcdef` against itself and of a disjoint case is worked by hand: 100, and 50 pooled."""
    one = Cases(["abcdef", "zzzzzz"], [["abcdef"], ["qrstuv"]])
    score = tertium.score("chrf", one)

    assert math.isclose(50.0, score.value, rel_tol=1e-12)
    assert score.per_case["score"].tolist() == [100.0, 0.0]
    assert (score["precision"], score["recall"]) == (50.0, 50.0)


def test_workers_and_chunks_give_the_same_bits() -> None:
    """Threads and chunks of any size give bit-equal statistics."""
    random = np.random.default_rng(3)
    texts = ["".join(random.choice(list("abcd é日"), 30)) for _ in range(300)]
    cases = Cases(texts, [[t[::-1], t[5:]] for t in texts])
    expected = tertium.score("chrf++", cases)

    for workers, chunk in ((2, 7), (3, 100), (1, 1)):
        found = tertium.score("chrf++", cases, workers, chunk=chunk)
        assert expected.statistics.tobytes() == found.statistics.tobytes()
        assert expected.outputs == found.outputs

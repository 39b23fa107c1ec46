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
from tertium import Cases
from tertium.errors import ParameterError, Refused
from tertium.native.chrf import Chrf
from tertium.native.tokenizers.chrf import BYTE_WORDS, WORDS

MEASURED = [
    json.loads(line)
    for line in (Path(__file__).parent / "cases" / "chrf.jsonl").read_text(encoding="utf-8").splitlines()
]

TORCHMETRICS = {
    "order_average": "f-score",
    "epsilon": "torchmetrics",
    "whitespace": "remove-space",
    "hypothesis_counts": "always",
    "zero_selection": "hypothesis",
    "percent": False,
}
NLTK = {
    "order_average": "f-score",
    "epsilon": "nltk",
    "hypothesis_counts": "always",
    "aggregation": "mean",
    "percent": False,
}
SCRIPT = {
    "order_average": "f-score",
    "epsilon": "chrf++.py",
    "whitespace": "remove-space",
    "zero_selection": "previous",
}
POINTS: dict[str, dict[str, Any]] = {
    "sacrebleu": {},
    "sacrebleu-eps": {"order_average": "f-score"},
    "definition": {"order_average": "precision-recall-all", "percent": False},
    "nltk": NLTK,
    "nltk-default": {**NLTK, "beta": 3},
    "torchmetrics": TORCHMETRICS,
    "torchmetrics-default": {**TORCHMETRICS, "word_order": 2},
    "fastchrf-pairwise": {"whitespace": "remove-unicode", "hypothesis_counts": "always", "aggregation": "mean"},
    "chrF++.py-py3": SCRIPT,
    "chrF++.py-py2": {**SCRIPT, "unit": "byte"},
}
"""Implementations to the parameters that reproduce them; some take only part of a case's parameters, see below."""

TAKEN = {
    "nltk-default": set(),
    "torchmetrics-default": {"word_order"},
    "chrF++.py-py3": {"char_order", "word_order", "beta"},
    "chrF++.py-py2": {"char_order", "word_order", "beta"},
}
"""The parameters of a case that an implementation takes, where it does not take all."""

UNMAPPED = {
    "fastchrf-aggregate": "averages n-gram counts over references, which no definition of chrF does",
    "sacrebleu-segment-major": "misuse of the library: references handed over in the wrong layout",
}


def expand(value: Any) -> Any:
    """Make the text or list that a compact description stands for."""
    if isinstance(value, list):
        return [expand(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "$repeat" in value:
        return value["$repeat"] * value["times"] + value.get("suffix", "")
    if "$range" in value:
        return value.get("sep", " ").join(
            value["$range"] % number for number in range(value.get("start", 0), value["stop"])
        )
    if "$concat" in value:
        return "".join(expand(item) for item in value["$concat"])
    return [expand(value["$list"])] * value["times"]


def parameters(implementation: str, given: dict[str, Any]) -> dict[str, Any]:
    """Turn a case's parameters, in sacreBLEU's names, into ours for an implementation."""
    point = dict(POINTS[implementation])
    named = {
        name: value for name, value in given.items() if implementation not in TAKEN or name in TAKEN[implementation]
    }
    if named.pop("eps_smoothing", False):
        point["order_average"] = "f-score"
    if named.pop("whitespace", False):
        point["whitespace"] = "keep"
    return {**point, **named}


def scorable(cases: list[dict[str, Any]]) -> bool:
    texts = [text for case in cases for text in [case["hyp"], *(case["refs"] or [None])]]
    return bool(texts) and all(isinstance(text, str) for text in map(expand, texts))


@pytest.mark.parametrize("record", MEASURED, ids=lambda record: record["id"])
def test_measured_outcomes_of_every_implementation(record: dict[str, Any]) -> None:
    """Each implementation's measured value on an invented case comes out of the parameters that stand for it."""
    hypotheses = [expand(case["hyp"]) for case in record["cases"]]
    references = [expand(case["refs"]) for case in record["cases"]]
    if not scorable(record["cases"]):
        with pytest.raises(tertium.errors.DataError):
            tertium.score("chrf@native", Cases(hypotheses, references))
        return
    try:
        cases = Cases(hypotheses, references)
    except tertium.errors.DataError:
        assert "surrogate" in record["id"]
        return
    for name, outcome in record["results"].items():
        if name in UNMAPPED:
            continue
        metric = Chrf(**parameters(name, record["params"]))
        if outcome["status"] != "ok":
            if name.startswith("chrF++"):
                with pytest.raises(Refused, match=r"chrF\+\+\.py fails here too"):
                    tertium.score(metric, cases)
            continue
        value = tertium.score(metric, cases).value / metric.scale[1]
        unit = outcome["score"] / (100 if outcome["scale"] == "0-100" else 1)
        single = name.startswith("torchmetrics")  # computes in single precision
        printed = name.startswith("chrF++")  # prints four decimals of a hundred
        tolerance = 2e-6 if single else (6e-7 if printed else 0.0)
        assert math.isclose(unit, value, rel_tol=1e-9, abs_tol=tolerance), (name, unit, value)


def test_every_implementation_is_mapped_or_says_why() -> None:
    """No measured implementation is forgotten."""
    assert set() == {name for record in MEASURED for name in record["results"]} - set(POINTS) - set(UNMAPPED)


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
    ours = Chrf(**parameters("sacrebleu", given))

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

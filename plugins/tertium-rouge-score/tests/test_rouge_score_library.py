"""
The adapter against the library called directly, on short invented texts.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rouge_score import tokenizers as library_tokenizers
from rouge_score.rouge_scorer import RougeScorer

import tertium
from tertium.errors import MissingReferences, ParameterError, ResourceMissing, UnknownMetric
from tertium_rouge_score import tertium_metrics

TYPES = tuple(metric.name for metric in tertium_metrics())
HYPOTHESES = [
    "The dogs were running home, quickly running.",
    "the dog ran.\nthe cat sat.",
    "",
    ".",
    "a b c d e f g h i j k l m",
    "кошка сидит",
    "我喜欢猫",
    "café cafe\u0301 naïve K \u0130",
    "x\x00y\u2028z \x1c w\n\n\nv",
    "one two three four five six seven eight nine ten",
]
REFERENCES: list[list[str]] = [
    ["A dog ran home quickly.", "The dog was running home, quickly running", "Dogs run."],
    ["the cat sat.\nthe dog ran."],
    ["the cat"],
    ["the cat", ""],
    ["a b c d e f g h i j k l m n o"],
    ["кошка сидит", "the cat"],
    ["我喜欢狗"],
    ["cafe café naive k i", "K"],
    ["x y z w v", "v\nw z"],
    ["two one three four five six seven eight nine ten eleven", "one two three"],
]
CASES = tertium.Cases(HYPOTHESES, REFERENCES)


def _named(params: dict[str, Any]) -> str:
    # An object's address would name the test anew in every process.
    return ",".join(f"{name}={value if isinstance(value, (str, bool)) else 'own'}" for name, value in params.items())


class Whitespace(library_tokenizers.Tokenizer):  # type: ignore[misc]
    """
    Split at white space.
    """

    def tokenize(self, text: str) -> list[str]:
        """
        Return the words.
        """
        return text.split()


class Characters(library_tokenizers.Tokenizer):  # type: ignore[misc]
    """
    Take every character that is not white space.
    """

    def tokenize(self, text: str) -> list[str]:
        """
        Return the characters.
        """
        return [mark for mark in text if not mark.isspace()]


def halves(text: str) -> list[str]:
    """
    Cut a text into pairs of characters: a tokenizer of somebody's own.
    """
    return [text[i : i + 2] for i in range(0, len(text), 2)]


class Halves(library_tokenizers.Tokenizer):  # type: ignore[misc]
    """
    Cut as ``halves`` does.
    """

    def tokenize(self, text: str) -> list[str]:
        """
        Return the pairs.
        """
        return halves(text)


def expected(name: str, **parameters: Any) -> np.ndarray[Any, Any]:
    """
    Score every case by the library alone: F, precision, recall.
    """
    scorer = RougeScorer([name], **parameters)
    scores = [scorer.score_multi(row, text)[name] for text, row in zip(HYPOTHESES, REFERENCES, strict=True)]
    return np.array([[score.fmeasure, score.precision, score.recall] for score in scores])


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize(
    ("params", "parameters"),
    [
        ({}, {}),
        ({"stemmer": True}, {"use_stemmer": True}),
        ({"tokenizer": "whitespace"}, {"tokenizer": Whitespace()}),
        ({"tokenizer": "char"}, {"tokenizer": Characters()}),
        ({"tokenizer": "py:builtins:str.split"}, {"tokenizer": Whitespace()}),
        ({"tokenizer": halves}, {"tokenizer": Halves()}),
    ],
    ids=_named,
)
def test_every_case_equals_the_library(name: str, params: dict[str, Any], parameters: dict[str, Any]) -> None:
    """Every type and parameter gives the library's own F, precision and recall, and their plain mean as the value."""
    metric = next(metric for metric in tertium_metrics() if metric.name == name)(**params)
    score = tertium.score(metric, CASES)
    wanted = expected(name, **parameters)

    assert score.info.outputs == ("fmeasure", "precision", "recall")
    np.testing.assert_array_equal(np.column_stack(list(score.per_case.values())), wanted)
    assert [score.value, score["precision"], score["recall"]] == pytest.approx(wanted.mean(axis=0).tolist(), rel=1e-12)


def test_the_corpus_value_does_not_depend_on_random_numbers() -> None:
    """The value is the mean of the cases, whatever the state of NumPy's generator, and the signature says so."""
    np.random.seed(1)
    first = tertium.score("rouge1@rouge-score", CASES)
    np.random.seed(2)
    second = tertium.score("rouge1@rouge-score", CASES)

    assert first.value == second.value
    assert first.conventions["corpus"] == "mean of cases"
    assert first.conventions["references"] == "var"


def test_one_scorer_serves_all_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library's scorer is made once for a metric's parameters, not for each case or chunk."""
    from rouge_score import rouge_scorer

    from tertium_rouge_score import rouge

    made: list[Any] = []

    class Counted(RougeScorer):  # type: ignore[misc]
        """
        Count how often it is made.
        """

        def __init__(self, *args: Any, **parameters: Any) -> None:
            made.append(args)
            super().__init__(*args, **parameters)

    monkeypatch.setattr(rouge_scorer, "RougeScorer", Counted)
    monkeypatch.setattr(rouge._SCORERS, "made", {})
    tertium.score("rougeL@rouge-score:stemmer=true", CASES, chunk=1)

    assert len(made) == 1


@pytest.mark.parametrize("chunk", [1, 7, 1000])
@pytest.mark.parametrize("spec", ["rouge2@rouge-score", "rougeLsum@rouge-score:stemmer=true"])
def test_chunks_of_every_size_give_the_same_bits(spec: str, chunk: int) -> None:
    """Statistics and outputs do not depend on the size of chunks."""
    whole, parts = tertium.score(spec, CASES), tertium.score(spec, CASES, chunk=chunk)

    np.testing.assert_array_equal(whole.statistics, parts.statistics)
    assert whole.outputs == parts.outputs


@pytest.mark.parametrize(
    ("spec", "chunk"),
    [("rougeL@rouge-score:stemmer=true", 7), ("rouge1@rouge-score(tokenizer='py:builtins:str.split')", None)],
)
def test_two_processes_give_the_same_bits(spec: str, chunk: int | None) -> None:
    """Statistics and outputs from two worker processes equal those from one."""
    alone, both = tertium.score(spec, CASES), tertium.score(spec, CASES, workers=2, chunk=chunk)

    np.testing.assert_array_equal(alone.statistics, both.statistics)
    assert alone.outputs == both.outputs


def test_metrics_travel_to_other_processes() -> None:
    """A metric pickles after use."""
    metric = tertium.load("rougeLsum@rouge-score:stemmer=true")
    rows = metric.statistics(CASES, None)

    np.testing.assert_array_equal(pickle.loads(pickle.dumps(metric)).statistics(CASES, None), rows)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("rouge1@rouge-score:stemer=true", "Did you mean stemmer"),
        ("rouge1@rouge-score:split_summaries=true", "it takes stemmer, tokenizer"),
        ("rouge1@rouge-score:tokenizer=nltk", "default, whitespace, char, py:<module>:<attribute>"),
        ("rouge1@rouge-score:tokenizer=char,stemmer=true", "only the default tokenizer stems"),
        ("rouge1@rouge-score(tokenizer='py:str')", "no module and attribute"),
        ("rouge1@rouge-score(tokenizer='py:no_such_module:f')", "cannot be imported"),
        ("rouge1@rouge-score(tokenizer='py:string:digits')", "digits is a str"),
    ],
)
def test_wrong_parameters_are_refused_with_what_is_right(spec: str, words: str) -> None:
    """An unknown parameter, tokenizer or combination is an error that says what is taken."""
    with pytest.raises(ParameterError) as caught:
        tertium.load(spec)

    assert words in str(caught.value)


def test_a_tokenizer_that_gives_no_strings_is_named() -> None:
    """A tokenizer of one's own that gives something else than strings is an error that names it."""
    with pytest.raises(ParameterError, match=r"tokenizer=py:builtins:enumerate: it gave a token of type tuple"):
        tertium.score("rouge1@rouge-score(tokenizer='py:builtins:enumerate')", CASES)


def test_a_case_without_references_is_refused() -> None:
    """A case without references is an error that names it."""
    with pytest.raises(MissingReferences, match="case 1"):
        tertium.score("rouge1@rouge-score", tertium.Cases(["a", "b"], [["a"], []]))


@pytest.mark.parametrize("written", ["rouge-1", "ROUGE-L", "rouge_lsum", "RougeLSum"])
def test_names_are_matched_in_their_other_spellings(written: str) -> None:
    """UC-078: common spellings of a name lead to the metric."""
    assert tertium.load(f"{written}@rouge-score").info.name in ("rouge1", "rougeL", "rougeLsum")


@pytest.mark.parametrize("written", ["rouge10", "rougeN"])
def test_unknown_types_suggest_the_nearest(written: str) -> None:
    """UC-078: a type that does not exist suggests one that does."""
    with pytest.raises(UnknownMetric, match="Did you mean rouge"):
        tertium.load(f"{written}@rouge-score")


def test_missing_punkt_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """UC-073: without NLTK's Punkt model the error names it, the command, and lines as the other way."""
    import nltk

    monkeypatch.setattr(nltk.data, "path", [])
    with pytest.raises(ResourceMissing) as caught:
        tertium.score("rougeLsum@rouge-score:split_summaries=true", CASES)

    assert caught.value.name == "punkt_tab"
    assert "line of its own" in str(caught.value)
    assert "python -m nltk.downloader punkt_tab" in str(caught.value)


@pytest.fixture
def punkt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """
    Give a Punkt model with one abbreviation and nothing else.
    """
    import nltk
    from nltk.tokenize import _get_punkt_tokenizer

    folder = tmp_path / "tokenizers" / "punkt_tab" / "english"
    folder.mkdir(parents=True)
    for name in ("collocations.tab", "sent_starters.txt", "ortho_context.tab"):
        (folder / name).write_text("", encoding="utf-8")
    (folder / "abbrev_types.txt").write_text("dr\n", encoding="utf-8")
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    _get_punkt_tokenizer.cache_clear()
    return folder


def test_split_summaries_lets_nltk_find_sentences(punkt: Path) -> None:
    """With the model the value is the library's own, other than by lines, and the model's hash is in the signature."""
    texts = ["Dr. Fox ran home. The bird sang. A cat sat."]
    references = [["A cat sat. Dr. Fox ran home. The bird sang."]]
    split = tertium.score("rougeLsum@rouge-score:split_summaries=true", tertium.Cases(texts, references))
    lines = tertium.score("rougeLsum@rouge-score", tertium.Cases(texts, references))
    library = RougeScorer(["rougeLsum"], split_summaries=True).score(references[0][0], texts[0])["rougeLsum"]

    native = tertium.score(split.metric.equivalent(), tertium.Cases(texts, references))

    assert split.value == library.fmeasure == native.value == 1
    assert lines.value < 1
    assert len(split.conventions["punkt.sha256"]) == 64
    assert "punkt.sha256" not in lines.conventions


def test_nltk_stands_in_the_signature_where_it_takes_part() -> None:
    """NLTK's version is in the signature when its stemmer is used."""
    stemmed, plain = (tertium.score(f"rouge1@rouge-score:stemmer={flag}", CASES) for flag in ("true", "false"))

    assert stemmed.conventions["nltk"] == metadata.version("nltk")
    assert "nltk" not in plain.conventions


@pytest.mark.parametrize("metric", tertium_metrics())
def test_pin_is_the_dependency(metric: type[tertium.Metric]) -> None:
    """The version that a class is made for is the one that the distribution depends on, and the installed one."""
    project = Path(__file__).resolve().parents[1] / "pyproject.toml"
    dependencies = tomllib.loads(project.read_text(encoding="utf-8"))["project"]["dependencies"]

    assert f"{metric.library}=={metric.pinned}" in dependencies
    assert metadata.version("rouge-score") == metric.pinned


def test_finding_the_metrics_imports_no_library() -> None:
    """Loading a metric and reading its facts leaves the library alone; only scoring imports it."""
    code = (
        "import sys, tertium; [tertium.load(f'{name}@rouge-score').info for name in ('rouge1', 'rougeL', 'rougeLsum')]; "
        "print([name for name in ('rouge_score', 'nltk', 'absl', 'numba') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"

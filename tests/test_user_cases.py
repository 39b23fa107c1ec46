"""
What users run into: each test bears the number of the user story that it settles.

Values are worked by hand from the definitions, or measured with the reference program that the story names.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import tertium
from tertium import Cases
from tertium.errors import (
    AmbiguousMetric,
    BadNesting,
    BadText,
    CountMismatch,
    EmptyCorpus,
    ParameterError,
    UnknownMetric,
)

FOX = "the red fox ran home today"
SHELLS = (["she sells red shells by a shore"], [["she sells sea shells by the shore"]])

VALUES: list[tuple[str, str, list[str], list[list[str]], float]] = [
    ("UC-001", "bleu@sacrebleu", [FOX, "a bird sang"], [[FOX], ["no dogs barked here"]], 70.30119876929804),
    ("UC-001", "bleu", [FOX, "a bird sang"], [[FOX], ["no dogs barked here"]], 70.30119876929804),
    ("UC-006", "meteor@nltk", ["the dog ran"], [["the small dog ran far away"]], 0.44834307992202727),
    ("UC-007", "wer@jiwer", ["a b"], [["a b c d"]], 0.5),
    ("UC-007", "wer", ["a b"], [["a b c d"]], 0.5),
    ("UC-008", "bleu@sacrebleu", ["a b c d e", "x y z w v"], [["a b c d e", "a b c d e f g"], ["x y z w v"]], 100.0),
    ("UC-008", "bleu", ["a b c d e", "x y z w v"], [["a b c d e", "a b c d e f g"], ["x y z w v"]], 100.0),
    ("UC-011", "meteor@nltk", ["the cat sat"], [["the cat sat"]], 0.9814814814814815),
    ("UC-012", "bleu@sacrebleu", ["a b c d e f", ""], [["a b c d e f"], ["g h i"]], 60.653065971263345),
    ("UC-012", "bleu", ["a b c d e f", ""], [["a b c d e f"], ["g h i"]], 60.653065971263345),
    ("UC-013", "bleu", ["grand plaza"], [["grand plaza"]], 0.0),
    ("UC-013", "bleu(effective_order=true)", ["grand plaza"], [["grand plaza"]], 100.0),
    ("UC-013", "bleu@sacrebleu(effective_order=true)", ["grand plaza"], [["grand plaza"]], 100.0),
    ("UC-014", "bleu(smoothing=none)", ["she sells red shells"], [["she sells sea shells"]], 0.0),
    ("UC-015", "bleu(effective_order=true)", ["yes"], [["no"]], 0.0),
    ("UC-015", "bleu@sacrebleu(effective_order=true)", ["yes"], [["no"]], 0.0),
    ("UC-016", "bleu(effective_order=true,smoothing=none)", *SHELLS, 0.0),
    ("UC-016", "bleu(effective_order=true,smoothing=floor)", *SHELLS, 10.446),
    ("UC-016", "bleu(effective_order=true,smoothing=add-k)", *SHELLS, 31.783),
    ("UC-016", "bleu(effective_order=true)", *SHELLS, 19.641),
    ("UC-017", "ter@sacrebleu", ["", ""], [[""], ["a b"]], 100.0),
    ("UC-017", "ter", ["", ""], [[""], ["a b"]], 100.0),
    ("UC-018", "wer@jiwer", ["a b c d", "noise"], [["a b c d"], [""]], 0.25),
    ("UC-018", "wer", ["a b c d", "noise"], [["a b c d"], [""]], 0.25),
    ("UC-020", "rouge1@rouge-score", ["", "."], [[""], ["the cat"]], 0.0),
    ("UC-020", "rouge1", ["", "."], [[""], ["the cat"]], 0.0),
    ("UC-023", "ribes", ["cat"], [["cat"]], 1.0),
    ("UC-024", "nist", ["the cat sat"], [["the cat sat"]], 1.584962500721156),
    ("UC-025", "cider-d", ["a red bus on the road"], [["a red bus on the road"]], 0.0),
    ("UC-026", "jaccard", [""], [[""]], 1.0),
    ("UC-027", "rouge1@rouge-score", ["кошка сидит"], [["кошка сидит"]], 0.0),
    ("UC-027", "rouge1", ["кошка сидит"], [["кошка сидит"]], 0.0),
    ("UC-029", "bleu", ["猫が好きです"], [["猫が好きでした"]], 0.0),
    ("UC-029", "bleu(tokenize=char)", ["猫が好きです"], [["猫が好きでした"]], 64.31870218238025),
    ("UC-029", "bleu@sacrebleu(tokenize=char)", ["猫が好きです"], [["猫が好きでした"]], 64.31870218238025),
    ("UC-030", "bleu", ["We met in 2023 ."], [["We met in 2023."]], 100.0),
    ("UC-030", "bleu@sacrebleu", ["We met in 2023 ."], [["We met in 2023."]], 100.0),
    ("UC-032", "cer@jiwer", ["cafe\u0301"], [["café"]], 0.5),
    ("UC-032", "cer", ["cafe\u0301"], [["café"]], 0.5),
    ("UC-033", "wer", ["\u200fשלום", "co\u00adoperate"], [["שלום"], ["cooperate"]], 1.0),
    ("UC-035", "cer@jiwer", ["h ello duck"], [["hello duck"]], 0.1),
    ("UC-035", "cer", ["h ello duck"], [["hello duck"]], 0.1),
    ("UC-036", "wer", ["हिन्दी भाषण"], [["हिन्दी भाषा"]], 0.5),
    ("UC-037", "wer@jiwer", ["the coil has 50 turns"], [["the coil has fifty turns"]], 0.2),
    ("UC-038", "wer", ["don\u2019t stop"], [["don't stop"]], 0.5),
    ("UC-039", "ter@sacrebleu", ["The Cat Sat Down Here"], [["the cat sat down here"]], 0.0),
    ("UC-039", "ter", ["The Cat Sat Down Here"], [["the cat sat down here"]], 0.0),
    ("UC-039", "ter(case_sensitive=true)", ["The Cat Sat Down Here"], [["the cat sat down here"]], 100.0),
    ("UC-039", "ter@sacrebleu(case_sensitive=true)", ["The Cat Sat Down Here"], [["the cat sat down here"]], 100.0),
    ("UC-039", "bleu(lowercase=true)", ["The Cat Sat Down Here"], [["the cat sat down here"]], 100.0),
    ("UC-041", "chrf", ["abcdef", "zzzzzz"], [["abcdef"], ["qrstuv"]], 50.0),
    ("UC-041", "chrf@sacrebleu", ["abcdef", "zzzzzz"], [["abcdef"], ["qrstuv"]], 50.0),
    ("UC-043", "chrf", ["the dog ran"], [["a big cat", "the dog ran"]], 100.0),
    ("UC-043", "chrf@sacrebleu", ["the dog ran"], [["a big cat", "the dog ran"]], 100.0),
    ("UC-044", "rouge1@rouge-score", ["the the the the"], [["the cat"]], 1 / 3),
    ("UC-044", "rouge1@rouge-score.precision", ["the the the the"], [["the cat"]], 0.25),
    ("UC-044", "rouge1.recall", ["the the the the"], [["the cat"]], 0.5),
    ("UC-045", "rougeL@rouge-score", ["the dog ran.\nthe cat sat."], [["the cat sat.\nthe dog ran."]], 0.5),
    ("UC-045", "rougeLsum@rouge-score", ["the dog ran.\nthe cat sat."], [["the cat sat.\nthe dog ran."]], 1.0),
    ("UC-045", "rougeLsum", ["the dog ran.\nthe cat sat."], [["the cat sat.\nthe dog ran."]], 1.0),
    ("UC-045", "rougeLsum", ["the dog ran. the cat sat."], [["the cat sat. the dog ran."]], 0.5),
    ("UC-048", "levenshtein", ["ca"], [["abc"]], 3.0),
    ("UC-052", "wer@jiwer", ["b", "a b c d e f g h i"], [["a"], ["a b c d e f g h i"]], 0.1),
    ("UC-053", "wer@jiwer", ["hi there my good friend"], [["hi"]], 4.0),
    ("UC-053", "wer", ["hi there my good friend"], [["hi"]], 4.0),
    ("UC-040", "ribes", ["b a c d e"], [["a b c d e"]], 0.9),
    ("UC-051", "gleu", ["a b c d", "q"], [["a b c d"], ["x y"]], 0.7692307692307693),
    ("UC-051", "gleu(aggregation=mean)", ["a b c d", "q"], [["a b c d"], ["x y"]], 0.5),
    ("UC-054", "bleu", ["a b c d e"], [["a b c d f"]], 66.87403049764218),
    ("UC-054", "ter", ["a b c d e"], [["a b c d f"]], 20.0),
    ("UC-054", "wer", ["a b c d e"], [["a b c d f"]], 0.2),
    ("UC-055", "ter@sacrebleu", ["a b"], [["a b c", "a b c d e f g h i"]], 16.666666666666664),
    ("UC-055", "ter", ["a b"], [["a b c", "a b c d e f g h i"]], 16.666666666666664),
    ("UC-056", "cider-d", ["a red bus", "two dogs play"], [["a red bus"], ["two dogs play"]], 7.5),
    ("UC-056", "cider-d@pycocoevalcap", ["a red bus", "two dogs play"], [["a red bus"], ["two dogs play"]], 7.5),
    ("UC-059", "rouge1@rouge-score", ["a b", "d e", "f x"], [["a b c"], ["d e"], ["f g h i"]], 0.7111111111111111),
    ("UC-059", "rouge1", ["a b", "d e", "f x"], [["a b c"], ["d e"], ["f g h i"]], 0.7111111111111111),
    ("UC-063", "wer@jiwer", ["go left", "a", "turn right"], [["go left"], ["I"], ["turn right"]], 0.2),
]


@pytest.mark.parametrize(("story", "spec", "hypotheses", "references", "value"), VALUES)
def test_values(story: str, spec: str, hypotheses: list[str], references: list[list[str]], value: float) -> None:
    """The story's value comes out, under the convention that it names."""
    found = tertium.score(spec, Cases(hypotheses, references)).value

    assert math.isclose(value, found, rel_tol=1e-6 if story != "UC-016" else 1e-4, abs_tol=1e-9), story


@pytest.mark.parametrize(
    ("story", "arguments", "kind", "words"),
    [
        ("UC-003", (["a", "b c"], [["a"]]), CountMismatch, "hypotheses has 2 segments but references has 1"),
        ("UC-004", ([FOX, "a bird sang"], [FOX, "no dogs barked here"]), BadNesting, r"\[\['first', 'second'\]"),
        ("UC-005", ([["the", "small", "dog"]], [["the", "small", "dog"]]), BadNesting, "is a list"),
        ("UC-009", (["a b", None], [["a b"], ["c d"]]), BadText, "hypothesis of case 1 is None"),
        ("UC-019", ([], []), EmptyCorpus, "no segments"),
    ],
)
def test_input_that_is_refused(story: str, arguments: Any, kind: type[Exception], words: str) -> None:
    """The story's broken input is refused with its place."""
    with pytest.raises(kind, match=words):
        Cases(*arguments)


@pytest.mark.parametrize("streams", [[[FOX], ["no dogs barked here"]], [[FOX]]], ids=["UC-001", "UC-002"])
def test_streams_of_another_length_are_refused(streams: list[list[str]]) -> None:
    """A reference stream of one line for two hypotheses is refused, never cut."""
    with pytest.raises(CountMismatch, match="reference stream 1 has 1"):
        Cases.from_streams([FOX, "a bird sang"], streams)


def test_any_iterable_serves() -> None:
    """UC-010: generators, arrays and dictionary views of texts are read once."""
    for column in (iter(["a b c d"]), np.array(["a b c d"]), {"a b c d": 1}.keys(), ("a b c d",)):
        assert math.isclose(100.0, tertium.score("bleu@sacrebleu", Cases(column, [["a b c d"]])).value, rel_tol=1e-9)


@pytest.mark.parametrize(
    ("written", "name"), [("rouge-1", "rouge1"), ("ROUGE-L", "rougeL"), ("rougelsum", "rougeLsum"), ("BLEU", "bleu")]
)
def test_names_of_other_libraries_are_understood(written: str, name: str) -> None:
    """UC-078: the usual ways to write a name lead to it."""
    assert name == tertium.load(written).info.name


@pytest.mark.parametrize("written", ["rouge10", "rougeN", "rouge-12"])
def test_unknown_names_suggest_the_nearest(written: str) -> None:
    """UC-078: a name that does not exist is refused with one that does."""
    with pytest.raises(UnknownMetric, match="Did you mean rouge"):
        tertium.load(written)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("bleu@sacrebleu(tokenize=moses)", "13a"),
        ("bleu(tokenize=moses)", "13a"),
        ("bleu@sacrebleu(smooth_method=lin)", "exp"),
        ("bleu(smoothing=lin)", "exp"),
    ],
)
def test_unknown_choices_list_the_choices(spec: str, words: str) -> None:
    """UC-077: an unknown tokenizer or smoothing is refused with those that exist."""
    with pytest.raises(ParameterError, match=words):
        tertium.load(spec)


def test_several_gleus_are_listed() -> None:
    """UC-049: the ambiguous name lists both metrics."""
    with pytest.raises(AmbiguousMetric, match=r"Google GLEU.*GLEU\+ with sources"):
        tertium.load("gleu+")


NOTICED: list[tuple[str, str, list[str], list[list[str]], str]] = [
    ("UC-013", "bleu", ["grand plaza"], [["grand plaza"]], "no output has 4 tokens"),
    (
        "UC-020",
        "rouge1",
        ["a", "."],
        [["b"], ["the cat"]],
        "case 1: no token is left",
    ),
    ("UC-025", "cider-d@pycocoevalcap(tokenizer=none)", ["a b"], [["a b"]], "document frequencies over one image"),
    ("UC-025", "cider-d", ["a b"], [["a b"]], "document frequencies over one image"),
    ("UC-027", "rouge1", ["кошка сидит"], [["кошка сидит"]], "no token is left"),
    ("UC-027", "rouge1@rouge-score", ["кошка сидит"], [["кошка сидит"]], "keeps nothing"),
    ("UC-028", "rougeL", ["我喜欢猫"], [["我喜欢狗"]], "written without spaces"),
    ("UC-029", "bleu", ["猫が好きです"], [["猫が好きでした"]], "ja-mecab"),
    ("UC-031", "bleu", [f"this is line {n} ." for n in range(120)], [["x"]] * 120, r"120 outputs end \(first: 0\)"),
    ("UC-032", "cer", ["cafe\u0301"], [["café"]], "1 case mixes Unicode normal forms"),
    (
        "UC-033",
        "wer",
        ["a", "co\u00adoperate"],
        [["a"], ["cooperate"]],
        r"first: 1\): invisible format characters \(U\+00AD\)",
    ),
    ("UC-045", "rougeLsum", ["the dog ran."], [["the dog ran."]], "no text has a newline"),
]


@pytest.mark.parametrize(("story", "spec", "hypotheses", "references", "words"), NOTICED)
def test_what_is_noticed(story: str, spec: str, hypotheses: list[str], references: list[list[str]], words: str) -> None:
    """The story's trap is named, with the first case that falls into it."""
    import re

    found = tertium.notices(tertium.load(spec), Cases(hypotheses, references))

    assert [notice for notice in found if re.search(words, notice)], (story, found)


@pytest.mark.parametrize(
    "spec", ["bleu", "bleu@sacrebleu", "chrf", "rouge1", "rougeL", "wer", "cer@jiwer", "meteor@nltk", "ter@sacrebleu"]
)
def test_plain_text_gives_no_notice(spec: str) -> None:
    """Ordinary cases are scored without a word."""
    cases = Cases(["The small dog ran home.", "She sells shells."], [["The small dog ran home."], ["She sold shells."]])

    assert tertium.notices(tertium.load(spec), cases) == []

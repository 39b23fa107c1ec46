"""
Hold the error rates to JiWER itself, to values worked by hand and to recorded outcomes.
"""

from __future__ import annotations

import itertools
import json
import math
import random
import tomllib
from pathlib import Path
from typing import Any

import jiwer
import numpy as np
import pytest

import tertium
from tertium.errors import DataError, ParameterError, Refused
from tertium_jiwer import Cer, Mer, Wer, Wil, Wip
from tertium_jiwer.transforms import ARGUMENTS, COMPOSITIONS

HERE = Path(__file__).resolve().parent
CLASSES = (Wer, Mer, Wil, Wip, Cer)
WORDS = ("wer", "mer", "wil", "wip")
HOSTILE = ["", " ", "\t", "a", "A", "b", "a\tb", "it's", "don't", "<unk>", "[laugh] x", "日本語", "e\u0301", "\u00e9"]
HOSTILE += ["\u2028", "a\u00a0b", "a\x00b", "😀😀", "\u200fשלום", "a  b", "'", "…", "1,5", "a|||b", "\ufeff", "ﬁ"]


def library(name: str, references: list[str], hypotheses: list[str], *transforms: Any) -> dict[str, float]:
    """
    Call the library on a whole corpus.
    """
    process = jiwer.process_characters if name == "cer" else jiwer.process_words
    output = process(references, hypotheses, *transforms)
    fields = (name, "hits", "substitutions", "deletions", "insertions")
    return {field: float(getattr(output, field)) for field in fields}


def corpus(seed: int, size: int = 40) -> tuple[list[str], list[str]]:
    """
    Invent references and hypotheses of hostile words, blank ones among them.
    """
    rng = random.Random(seed)
    texts = [" ".join(rng.choices(HOSTILE, k=rng.randint(0, 7))) for _ in range(2 * size)]
    return texts[:size], texts[size:]


@pytest.mark.parametrize("metric", CLASSES, ids=lambda metric: metric.name)
def test_pin_is_the_distributions(metric: type[tertium.Metric]) -> None:
    """The version that a class is made for is the one that the distribution requires."""
    project = tomllib.loads((HERE.parent / "pyproject.toml").read_text("utf-8"))["project"]

    assert f"{metric.library}=={metric.pinned}" in project["dependencies"]


@pytest.mark.parametrize("name", [*WORDS, "cer"])
@pytest.mark.parametrize("seed", range(4))
def test_corpus_equals_the_librarys(name: str, seed: int) -> None:
    """Rate and counts of a hostile corpus are those of one call of the library, to the last bit."""
    references, hypotheses = corpus(seed)

    score = tertium.score(f"{name}@jiwer", tertium.Cases(hypotheses, [[text] for text in references]))

    assert score.outputs == library(name, references, hypotheses)


@pytest.mark.parametrize("name", [*WORDS, "cer"])
def test_per_case_values_are_the_librarys_for_each_case(name: str) -> None:
    """A case's values are those of the library for this case alone, empty ones included."""
    references, hypotheses = corpus(11)

    per_case = tertium.score(f"{name}@jiwer", tertium.Cases(hypotheses, [[text] for text in references])).per_case

    for i, (reference, hypothesis) in enumerate(zip(references, hypotheses, strict=True)):
        wanted = library(name, [reference], [hypothesis])
        assert {output: values[i] for output, values in per_case.items()} == wanted


@pytest.mark.parametrize("name", [*WORDS, "cer"])
@pytest.mark.parametrize("hypothesis", ["", "a b c"])
@pytest.mark.parametrize("reference", ["", "   ", "a c"])
@pytest.mark.parametrize("times", [1, 3])
def test_empty_sides_follow_the_library(name: str, reference: str, hypothesis: str, times: int) -> None:
    """Empty references, empty hypotheses and corpora of nothing else give what the library gives."""
    score = tertium.score(f"{name}@jiwer", tertium.Cases([hypothesis] * times, [[reference]] * times))

    assert score.outputs == library(name, [reference] * times, [hypothesis] * times)


def test_empty_reference_counts_insertions() -> None:
    """Against empty references alone the rate is the number of inserted units; by hand: three words, five characters."""
    cases = tertium.Cases(["a b", "c"], [[""], [""]])

    assert tertium.score("wer@jiwer", cases).value == 3
    assert tertium.score("cer@jiwer", cases).value == 4
    assert [tertium.score(f"{name}@jiwer", cases).value for name in ("mer", "wil", "wip")] == [1, 1, 0]


CHAINS = [
    "ToLowerCase",
    "ToUpperCase,Strip",
    "ToLowerCase,RemovePunctuation,Strip",
    "RemoveWhiteSpace(replace_by_space=True),RemoveMultipleSpaces,Strip",
    "RemoveKaldiNonWords,ExpandCommonEnglishContractions,RemoveMultipleSpaces,Strip",
    'RemoveSpecificWords(["a", "it\'s"]),RemoveMultipleSpaces,Strip',
    'SubstituteWords({"a": "b"})',
    'SubstituteRegexes({r"[0-9]+": "#", "b": "B"})',
]


def compose(chain: str, unit: str) -> Any:
    """
    Build a chain with the library's own names, as its users do.
    """
    steps = eval(f"[{chain}]", {name: getattr(jiwer, name) for name in ARGUMENTS})
    last = jiwer.ReduceToListOfListOfWords() if unit == "words" else jiwer.ReduceToListOfListOfChars()
    return jiwer.Compose([step() if isinstance(step, type) else step for step in steps] + [last])


@pytest.mark.parametrize("chain", CHAINS)
@pytest.mark.parametrize("name", ["wer", "wip", "cer"])
def test_chains_equal_the_librarys_composition(name: str, chain: str) -> None:
    """A chain of transforms does what the same composition does in the library."""
    references, hypotheses = corpus(5)
    made = compose(chain, "chars" if name == "cer" else "words")
    metric = (Cer if name == "cer" else Wer if name == "wer" else Wip)(transform=chain)

    score = tertium.score(metric, tertium.Cases(hypotheses, [[text] for text in references]))

    assert score.outputs == library(name, references, hypotheses, made, made)


@pytest.mark.parametrize(
    ("name", "composition"),
    [
        *itertools.product(WORDS, COMPOSITIONS["words"]),
        *itertools.product(["cer"], COMPOSITIONS["chars"]),
    ],
)
def test_compositions_equal_the_librarys(name: str, composition: str) -> None:
    """Each composition that the library ships gives the library's values, also those that join the corpus."""
    references, hypotheses = corpus(7)
    made = getattr(jiwer, composition)

    score = tertium.score(
        f"{name}@jiwer(transform={composition})", tertium.Cases(hypotheses, [[text] for text in references])
    )

    assert score.outputs == library(name, references, hypotheses, made, made)
    assert (score.statistics is None) == composition.endswith("contiguous")


@pytest.mark.parametrize("hypotheses", [["", ""], ["a", ""]])
def test_joined_empty_references_follow_the_library(hypotheses: list[str]) -> None:
    """A joined corpus of empty references is what the library makes of it."""
    score = tertium.score("wer@jiwer(transform=wer_contiguous)", tertium.Cases(hypotheses, [[""], [""]]))

    made = jiwer.wer_contiguous
    assert score.outputs == library("wer", ["", ""], hypotheses, made, made)


def test_joined_corpus_is_declared_not_additive() -> None:
    """A transform that joins all texts leaves a corpus value only, takes one reference, and says so."""
    joined = Wer(transform="ToLowerCase,ReduceToSingleSentence")
    cases = tertium.Cases(["a b", "c"], [["a"], ["b c"]])

    assert (joined.info.additive, joined.info.columns) == (False, ())
    assert tertium.score(joined, cases).value == 0
    with pytest.raises(Refused, match="corpus value only"):
        tertium.score(joined, cases).per_case  # noqa: B018
    with pytest.raises(Refused, match="takes one reference"):
        tertium.score(joined, tertium.Cases(["a"], [["a", "b"]]))


def test_transforms_of_each_side_are_applied_to_that_side() -> None:
    """Each side can have a transform of its own; by hand: only lower-casing the reference makes them equal."""
    cases = tertium.Cases(["a b"], [["A B"]])

    assert tertium.score(Wer(), cases).value == 1
    assert tertium.score(Wer(reference_transform="ToLowerCase"), cases).value == 0
    assert tertium.score(Wer(hypothesis_transform="ToUpperCase"), cases).value == 0
    assert tertium.score(Wer(transform="ToUpperCase", hypothesis_transform="wer_default"), cases).value == 1


def test_dropping_empty_texts_keeps_rows_with_their_cases() -> None:
    """A pair that is dropped as empty has zero counts in its own row, and the corpus value is the library's."""
    references, hypotheses = ["a b", " ", "c"], ["a", "", "d"]
    metric = Wer(transform="RemoveEmptyStrings")

    score = tertium.score(metric, tertium.Cases(hypotheses, [[text] for text in references]))

    made = compose("RemoveEmptyStrings", "words")
    assert score.outputs == library("wer", references, hypotheses, made, made)
    assert score.statistics is not None
    assert score.statistics.tolist() == [[1, 0, 1, 0], [0, 0, 0, 0], [0, 1, 0, 0]]
    assert tertium.score(metric, tertium.Cases(["", " "], [[""], [""]])).value == 0


def test_dropping_one_side_of_a_pair_is_refused() -> None:
    """Where dropping would pair texts of different cases, as the library then does without a word, there is an error."""
    made = compose("RemoveEmptyStrings", "words")
    assert library("wer", ["", "a"], ["a", ""], made, made)["wer"] == 0

    with pytest.raises(DataError, match=r"empty reference of case 0 .*2 such pairs"):
        tertium.score(Wer(transform="RemoveEmptyStrings"), tertium.Cases(["a", ""], [[""], ["a"]]))


def test_best_reference_by_value() -> None:
    """
    Under best-value the reference with the best value counts, the first of equals; worked by hand.

    "a b c d" lacks two of the six words of its first reference and equals its second. "q" is wrong at a rate of 1
    against both of its references: one substitution and one deletion over two words, one substitution over one.
    """
    cases = tertium.Cases(["a b c d", "q"], [["a b c d e f", "a b c d"], ["y z", "x"]])

    score = tertium.score("wer@jiwer(references=best-value)", cases)

    assert score.statistics is not None
    assert score.statistics.tolist() == [[4, 0, 0, 0], [0, 1, 1, 0]]
    assert score.value == pytest.approx(2 / 6, rel=1e-15)


def test_rules_for_several_references_differ() -> None:
    """
    Best value and fewest errors can choose different references; worked by hand.

    "a b c" has two insertions against one word (rate 2) and nine deletions against twelve words (rate 0.75).
    """
    cases = tertium.Cases(["a b c"], [["a", "a b c d e f g h i j k l"]])

    assert tertium.score("wer@jiwer(references=best-value)", cases).outputs["deletions"] == 9
    assert tertium.score("wer@jiwer(references=fewest-errors)", cases).outputs["insertions"] == 2


@pytest.mark.parametrize("name", [*WORDS, "cer"])
@pytest.mark.parametrize("rule", ["fewest-errors", "best-value"])
def test_chosen_reference_is_the_best_of_live_library_calls(name: str, rule: str) -> None:
    """For every case the counts are those of the reference that the rule picks among single calls of the library."""
    rng = random.Random(3)
    references, hypotheses = corpus(13, 30)
    several = [rng.sample(references, rng.randint(1, 4)) for _ in hypotheses]

    score = tertium.score(f"{name}@jiwer(references={rule})", tertium.Cases(hypotheses, several))

    def badness(values: dict[str, float]) -> float:
        if rule == "fewest-errors":
            return values["substitutions"] + values["deletions"] + values["insertions"]
        return -values[name] if name == "wip" else values[name]

    for i, (hypothesis, texts) in enumerate(zip(hypotheses, several, strict=True)):
        wanted = min((library(name, [text], [hypothesis]) for text in texts), key=badness)
        assert {output: values[i] for output, values in score.per_case.items()} == wanted


@pytest.mark.parametrize("chunk", [1, 7, 1000])
@pytest.mark.parametrize("spec", ["wer@jiwer", "wip@jiwer(transform=wer_standardize)", "cer@jiwer"])
def test_chunks_do_not_change_a_bit(spec: str, chunk: int) -> None:
    """Every chunk size gives the same statistics and values."""
    references, hypotheses = corpus(17)
    cases = tertium.Cases(hypotheses, [[text, "a"] for text in references])
    whole, parts = tertium.score(spec, cases), tertium.score(spec, cases, chunk=chunk)

    assert whole.outputs == parts.outputs
    assert np.array_equal(whole.statistics, parts.statistics)


def test_workers_do_not_change_a_bit() -> None:
    """Two processes give the same statistics and values as one."""
    references, hypotheses = corpus(19)
    cases = tertium.Cases(hypotheses, [[text] for text in references])
    spec = "mer@jiwer(transform='ToLowerCase,Strip')"
    one, two = tertium.score(spec, cases, workers=1), tertium.score(spec, cases, workers=2)

    assert one.outputs == two.outputs
    assert np.array_equal(one.statistics, two.statistics)


def test_sums_of_weighted_cases_follow_the_formulas() -> None:
    """Any weights over cases give the rate of the weighted counts; repeating a case in the library agrees."""
    references, hypotheses = ["a b c", "d"], ["a x", "d e"]
    score = tertium.score("wil@jiwer", tertium.Cases(hypotheses, [[text] for text in references]))
    weights = np.array([[2.0, 1.0], [0.0, 3.0], [0.0, 0.0]])

    values = score.metric.aggregate(weights @ score.statistics)

    assert values[0, 0] == library("wil", ["a b c", "a b c", "d"], ["a x", "a x", "d e"])["wil"]
    assert values[1, 0] == library("wil", ["d"] * 3, ["d e"] * 3)["wil"]
    assert values[2].tolist() == [0, 0, 0, 0, 0]


def test_rates_have_their_scales_and_directions() -> None:
    """WER and CER have no upper bound, the others end at 1; only WIP gets better upwards."""
    scales = {metric.name: metric().info.scale for metric in CLASSES}

    assert scales == {"wer": (0, math.inf), "cer": (0, math.inf), "mer": (0, 1), "wil": (0, 1), "wip": (0, 1)}
    assert [metric.name for metric in CLASSES if metric().info.higher_is_better] == ["wip"]


def test_signature_names_transforms_rule_and_versions() -> None:
    """Everything that can change the number stands in the signature, the aligner's version included."""
    signature = tertium.score("wer@jiwer(transform=wer_standardize)", tertium.Cases(["a"], [["a"]])).signature

    assert signature.startswith("wer@jiwer|transform=wer_standardize|")
    for fact in ("references=best-value", "rapidfuzz=", "jiwer=4.0.0", "tertium-jiwer="):
        assert fact in signature


CONFORMANCE = [json.loads(line) for line in (HERE / "conformance_jiwer.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("recorded", CONFORMANCE, ids=[f"{case['metric']}-{case['id']}" for case in CONFORMANCE])
@pytest.mark.parametrize("transform", ["default", "contiguous"])
def test_recorded_outcomes(recorded: dict[str, Any], transform: str) -> None:
    """Recorded outcomes of the library are reproduced: value, counts, or a refusal."""
    outcome = recorded["results"].get("jiwer" if transform == "default" else "jiwer-contiguous")
    if outcome is None:
        assert transform == "contiguous"
        return
    name = recorded["metric"]
    prefix = "cer" if name == "cer" else "wer"
    spec = f"{name}@jiwer(transform={prefix}_{transform})"

    def score() -> tertium.Score:
        hypotheses = [case["hyp"] for case in recorded["cases"]]
        return tertium.score(spec, tertium.Cases(hypotheses, [case["refs"] for case in recorded["cases"]]))

    # The host refuses what no case can be, where the library takes it: None, no reference, half a character pair.
    refused = recorded["id"] in ("wer-more-hypotheses-than-references", "4-2-jiwer-empty-reference-list")
    if "error" in outcome or refused or recorded["id"] == "wer-lone-surrogate":
        with pytest.raises(DataError):
            score()
        return
    made = score()
    assert made.value == pytest.approx(outcome["score"], rel=1e-12, abs=0)
    for letter, output in zip("HSDI", ("hits", "substitutions", "deletions", "insertions"), strict=True):
        assert made.outputs[output] == outcome.get(letter, made.outputs[output])


@pytest.mark.parametrize(
    ("spec", "hypotheses", "references", "value"),
    [
        ("wer@jiwer", ["a b"], ["a b c d"], 0.5),
        ("wer@jiwer", ["a b c d", "noise"], ["a b c d", ""], 0.25),
        ("cer@jiwer", ["cafe\u0301"], ["caf\u00e9"], 0.5),
        ("wer@jiwer", ["\u200f\u05e9\u05dc\u05d5\u05dd"], ["\u05e9\u05dc\u05d5\u05dd"], 1.0),
        ("wer@jiwer", ["co\u00adoperate"], ["cooperate"], 1.0),
        ("wer@jiwer(transform=wer_standardize)", ["a b c d"], ["a b\tc\nd"], 0.0),
        ("cer@jiwer", ["h ello duck"], ["hello duck"], 0.1),
        ("cer@jiwer(transform=RemoveWhiteSpace)", ["h ello duck"], ["hello duck"], 0.0),
        ("wer@jiwer", ["हिन्दी भाषण"], ["हिन्दी भाषा"], 0.5),
        ("wer@jiwer", ["the coil has 50 turns"], ["the coil has fifty turns"], 0.2),
        ("wer@jiwer", ["don\u2019t stop"], ["don't stop"], 0.5),
        ('wer@jiwer(transform=\'SubstituteRegexes({"\u2019": "\\\'"})\')', ["don\u2019t stop"], ["don't stop"], 0.0),
        ("wer@jiwer", ["b", "a b c d e f g h i"], ["a", "a b c d e f g h i"], 0.1),
        ("wer@jiwer", ["hi there my good friend"], ["hi"], 4.0),
        ("wer@jiwer", ["a b c d e"], ["a b c d f"], 0.2),
        ("wer@jiwer", ["go left", "a", "turn right"], ["go left", "I", "turn right"], 0.2),
    ],
)
def test_what_users_meet(spec: str, hypotheses: list[str], references: list[str], value: float) -> None:
    """Situations that users meet give the value worked by hand under the named convention."""
    cases = tertium.Cases(hypotheses, [[text] for text in references])

    assert tertium.score(spec, cases).value == pytest.approx(value, rel=1e-12, abs=1e-15)


def test_both_sides_join_or_neither() -> None:
    """Joining one side only is refused with both names."""
    with pytest.raises(ParameterError, match=r"wer_default.*wer_contiguous.*Join both sides or neither"):
        Wer(hypothesis_transform="wer_contiguous")

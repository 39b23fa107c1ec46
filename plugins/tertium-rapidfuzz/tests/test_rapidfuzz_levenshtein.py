"""
Hold edit distances to RapidFuzz itself, to values worked by hand, to recorded ones and to their native equivalent.
"""

from __future__ import annotations

import inspect
import random
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from rapidfuzz import distance, utils

import tertium
from tertium.conformance import load_cases
from tertium.conformance.outcomes import Number
from tertium.errors import DataError, ParameterError
from tertium_rapidfuzz import Levenshtein

PROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"
MODULES: dict[str, Any] = {
    "levenshtein": distance.Levenshtein,
    "osa": distance.OSA,
    "damerau": distance.DamerauLevenshtein,
    "indel": distance.Indel,
}
TEXTS = [
    "",
    " ",
    "ab",
    "ba",
    "acb",
    "cabd",
    "kitten",
    "sitting",
    "naïve",
    "NAIVE!",
    "日本",
    "a b c",
    "a c b",
    "c a b b",
    "x" * 90,
]


def corpus(seed: int) -> tertium.Cases:
    """
    Invent cases of one to three references.
    """
    rng = random.Random(seed)
    references = [[rng.choice(TEXTS) for _ in range(rng.randint(1, 3))] for _ in range(40)]
    return tertium.Cases([rng.choice(TEXTS) for _ in references], references)


def units(text: str, params: dict[str, Any]) -> Any:
    """
    Cut a text as the parameters say.
    """
    if params.get("processor") == "default":
        text = utils.default_process(text)
    return text.split() if params.get("tokenizer") == "whitespace" else text


@pytest.mark.parametrize("variant", MODULES)
@pytest.mark.parametrize("normalized", [False, True])
@pytest.mark.parametrize("rest", [{}, {"tokenizer": "whitespace"}, {"processor": "default"}], ids=str)
def test_equals_the_library(variant: str, normalized: bool, rest: dict[str, Any]) -> None:
    """Each case's value is the library's distance of the pair that is nearest, and the corpus value is their mean."""
    cases = corpus(1)
    compare = MODULES[variant].normalized_distance if normalized else MODULES[variant].distance

    score = tertium.score(Levenshtein(variant=variant, normalized=normalized, **rest), cases)

    wanted = [
        min(compare(units(text, rest), units(case.hypothesis, rest)) for text in case.references or ())
        for case in cases
    ]
    assert score.per_case["levenshtein"].tolist() == wanted
    assert score.value == pytest.approx(sum(wanted) / len(wanted), rel=1e-12)
    if not normalized:
        assert score["edits"] == sum(wanted)


@pytest.mark.parametrize("weights", [(1, 2, 3), (1, 1, 2), (0, 1, 1)], ids=str)
def test_costs_reach_the_library(weights: tuple[int, int, int]) -> None:
    """Costs are those of edits that turn the reference into the hypothesis."""
    cases = corpus(2)

    score = tertium.score(Levenshtein(weights=",".join(map(str, weights))), cases)

    assert score.per_case["levenshtein"].tolist() == [
        min(distance.Levenshtein.distance(text, case.hypothesis, weights=weights) for text in case.references or ())
        for case in cases
    ]


def test_every_argument_of_the_library_is_a_parameter_or_for_searches() -> None:
    """The parameters are the library's arguments, without those that only cut searches short."""
    taken = set(inspect.signature(distance.Levenshtein.distance).parameters)

    assert taken - {"s1", "s2", "score_cutoff", "score_hint"} == {"weights", "processor"}
    assert set(Levenshtein().parameters) == {"variant", "weights", "normalized", "processor", "tokenizer"}


def test_variants_by_hand() -> None:
    """From abc to ca: a swap with a deletion between (damerau 2); without such a swap three edits; indel has five letters
    and one in common."""
    cases = tertium.Cases(["ca"], [["abc"]])
    found = {variant: tertium.score(Levenshtein(variant=variant), cases).value for variant in MODULES}

    assert found == {"levenshtein": 3, "osa": 3, "damerau": 2, "indel": 3}


def test_insertions_and_deletions_are_told_apart() -> None:
    """A hypothesis with one word more costs an insertion, one with a word less a deletion (by hand)."""
    weighed = Levenshtein(weights="2,5,9", tokenizer="whitespace")

    assert tertium.score(weighed, tertium.Cases(["a b"], [["a"]])).value == 2
    assert tertium.score(weighed, tertium.Cases(["a"], [["a b"]])).value == 5


def test_the_first_of_equally_near_references_gives_the_length() -> None:
    """Two references are one edit away; the length is the first one's."""
    score = tertium.score("levenshtein@rapidfuzz", tertium.Cases(["abc"], [["abcd", "ab"]]))

    assert (score.value, score["length"]) == (1, 4)


@pytest.mark.parametrize("variant", ["levenshtein", "osa", "damerau"])
@pytest.mark.parametrize("normalized", [False, True])
@pytest.mark.parametrize("tokenizer", ["none", "whitespace"])
def test_equivalent_gives_the_same_numbers(variant: Any, normalized: bool, tokenizer: str) -> None:
    """Value and every case's value agree with the native metric under the declared parameters."""
    metric = Levenshtein(variant=variant, normalized=normalized, tokenizer=tokenizer)

    for seed in range(3):
        theirs, ours = tertium.score(metric, corpus(seed)), tertium.score(metric.equivalent(), corpus(seed))
        assert ours.per_case["levenshtein"] == pytest.approx(theirs.per_case["levenshtein"], rel=1e-12, abs=0)
        for name in theirs.outputs:
            assert ours[name] == pytest.approx(theirs[name], rel=1e-12, abs=0)


@pytest.mark.parametrize(
    "params",
    [
        {"variant": "indel"},
        {"weights": "1,1,2"},
        {"processor": "default"},
        {"tokenizer": list},
        {"processor": str.upper},
    ],
    ids=str,
)
def test_what_the_native_metric_does_not_know_has_no_equivalent(params: dict[str, Any]) -> None:
    """Indel, other costs, processors and callables declare no equivalent."""
    assert Levenshtein(**params).equivalent() is None


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"weights": "1,1"}, "three whole numbers"),
        ({"weights": "1,-1,1"}, "three whole numbers"),
        ({"weights": "1,1,2", "variant": "osa"}, "variant=levenshtein alone"),
    ],
)
def test_contradictions_are_refused(params: dict[str, Any], said: str) -> None:
    """Costs that are none, or that nothing would read, are refused."""
    with pytest.raises(ParameterError, match=said):
        Levenshtein(**params)


def test_callables_and_processors_are_applied() -> None:
    """A callable changes or cuts texts, and what is cut is shown."""
    cases = tertium.Cases(["ABC"], [["abc"]])

    assert tertium.score(Levenshtein(processor=str.lower), cases).value == 0
    assert tertium.score(Levenshtein(processor="default"), cases).value == 0
    assert Levenshtein(tokenizer=str.splitlines).tokens("a b\nc") == ["a b", "c"]


@pytest.mark.parametrize(
    ("name", "variant"), [("rapidfuzz", "levenshtein"), ("rapidfuzz-osa", "osa"), ("rapidfuzz-damerau", "damerau")]
)
def test_gives_what_was_recorded(name: str, variant: Any) -> None:
    """On the suite's cases the value is what the library gave when it was measured on its own."""
    seen = 0
    for case in load_cases():
        if case.metric != "levenshtein" or name not in case.measured:
            continue
        outcome = case.measured[name].outcome
        try:
            cases = case.cases()
        except DataError:
            continue
        assert isinstance(outcome, Number)
        assert tertium.score(Levenshtein(variant=variant), cases).value == outcome.value, case.id
        seen += 1
    assert seen > 4


def test_pin_is_the_dependency() -> None:
    """The version that the class is made for is the one that the distribution depends on, and the installed one."""
    dependencies = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["dependencies"]

    assert f"{Levenshtein.library}=={Levenshtein.pinned}" in dependencies
    assert metadata.version("rapidfuzz") == Levenshtein.pinned


def test_finding_the_metric_imports_no_library() -> None:
    """Loading the metric and reading its facts leaves the library alone."""
    code = "import sys, tertium; tertium.load('levenshtein@rapidfuzz').info; print('rapidfuzz' in sys.modules)"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "False"

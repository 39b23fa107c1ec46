"""
Hold every setting of the parameters to the native spec that it declares: none is without one, and numbers are the same.

A chain may be of any length, so settings are covered in pairs: each transform stands right before each other one, at
the beginning and at the end, on both sides and on one, under each rule for references.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import tertium
from tertium.errors import DataError

METRICS = ("wer", "mer", "wil", "wip", "cer")
RULES = ("best-value", "fewest-errors")

STEPS = (
    "ToLowerCase",
    "ToUpperCase",
    "Strip",
    "RemoveMultipleSpaces",
    "RemovePunctuation",
    "RemoveKaldiNonWords",
    "ExpandCommonEnglishContractions",
    "RemoveWhiteSpace",
    "RemoveWhiteSpace(replace_by_space=True)",
    'SubstituteWords({"a": "b c", "don": "<x", "b": r"\\g<0>\\\\n", "é": " "})',
    r'SubstituteRegexes({r"(\w)-(\w)": r"\2 \1", r"^$": "leer", r"\s": "  ", "[.]$": ""})',
    'RemoveSpecificWords(["a", "İ", "can", "a"])',
    "RemoveEmptyStrings",
)
JOINERS = ("ReduceToSingleSentence", 'ReduceToSingleSentence("-")', 'ReduceToSingleSentence("Σ\\t ")')
SPLITTERS = ("", "ReduceToListOfListOfWords", 'ReduceToListOfListOfWords("-")', 'ReduceToListOfListOfWords("a ")')
COMPOSITIONS = {
    "words": ("wer_default", "wer_standardize", "wer_contiguous", "wer_standardize_contiguous"),
    "chars": ("cer_default", "cer_contiguous"),
}

PIECES = [
    *(
        "a",
        "A",
        "b",
        "é",
        "e\u0301",
        "ß",
        "İ",
        "Σ",
        "ΑΣ",
        "x",
        "don't",
        "CAN'T",
        "let's",
        "she'll've",
        "3.5",
        "--",
        "-",
    ),
    *(".", "«q»", "<unk>", "[laugh", "]", "x<y>", "日本", "😀", "\u200b", "\0", "leer", "\\", "'"),
    *(" ", " ", " ", "  ", "\t", " \t ", "\n", "\r\n", "\v", "\u00a0", "\u0085", "\u2028", "\u3000", "\x1c", ""),
]
HOSTILE = tertium.Cases(
    [
        "",
        " ",
        "a\u00a0\tb",
        "ΑΣ Α-b",
        "\t",
        "won 't a- b",
        "<[x] a>a",
        "İ\u0307I",
        "can't\u2028can 't",
        "-a--b-",
        "?",
    ],
    [
        *([""], ["\u00a0", ""], ["a b", "a\tb", "a  b"], ["ας α b", "ασα"], ["\n"], ["will not a b", "WON'T"]),
        *(["a", "<x> [ a"], ["i\u0307i", "İI"], ["can not can't", "cannot"], ["a b", "a-b", "- -"], ["a ? ", "? "]),
    ],
)

PAIRED = tertium.Cases(["", "a b-é", " \t", "<unk>"], [[" "], ["a  c", "A é b"], ["", "\u00a0"], ["[x]", "<y", "b"]])
"""Texts that are empty are so on both sides, before any change."""


def unit(metric: str) -> str:
    return "chars" if metric == "cer" else "words"


def loaded(metric: str, rule: str, both: str, reference: str | None, hypothesis: str | None) -> tertium.Metric:
    """
    Load the adapter under one setting.
    """
    params: dict[str, str] = {"transform": both, "references": rule}
    params |= {} if reference is None else {"reference_transform": reference}
    params |= {} if hypothesis is None else {"hypothesis_transform": hypothesis}
    return tertium.load(tertium.Spec(metric, "jiwer", params=params))


def check(metric: tertium.Metric, cases: tertium.Cases) -> None:
    """
    Hold the native equivalent to the adapter's values and counts, of the corpus and of each case; or both refuse.
    """
    spec = metric.equivalent()
    assert spec is not None
    if not metric.info.additive:  # a joined corpus takes one reference a case
        cases = tertium.Cases(cases.hypotheses, [case.references[:1] for case in cases if case.references])
    try:
        theirs = tertium.score(metric, cases)
    except DataError:
        with pytest.raises(DataError):
            tertium.score(spec, cases)
        return
    ours = tertium.score(spec, cases)
    assert ours.info.additive == theirs.info.additive
    assert ours.value == pytest.approx(theirs.value, rel=1e-9, abs=0)
    for count in ("hits", "substitutions", "deletions", "insertions"):
        assert ours[count] == theirs[count], (count, str(spec))
    if theirs.info.additive:
        for output in theirs.outputs:
            assert ours.per_case[output] == pytest.approx(theirs.per_case[output], rel=1e-9, abs=0), str(spec)


def sequences(symbols: Sequence[str]) -> list[list[str]]:
    """
    Give short chains in which each symbol stands right before each other and itself, by one walk over all pairs.
    """
    walk = [0]
    left = {(i, j) for i, j in itertools.product(range(len(symbols)), repeat=2)}
    while left:
        here = walk[-1]
        ahead = next((j for j in range(len(symbols)) if (here, j) in left), None)
        if ahead is None:
            ahead = min(left)[0]
        left.discard((here, ahead))
        walk.append(ahead)
    return [[symbols[number] for number in walk[start : start + 6]] for start in range(0, len(walk) - 1, 5)]


CHAINS = sequences(STEPS)
SIDES = ("both", "reference", "hypothesis", "each")
SETTINGS = [
    (place, METRICS[place % 5], RULES[place // 5 % 2], SIDES[place // 10 % 4], SPLITTERS[place % 4], chain)
    for place, chain in enumerate(CHAINS)
]


def test_chains_cover_all_pairs() -> None:
    """Each transform stands right before each other one, and each metric, rule and side is met."""
    pairs = {pair for chain in CHAINS for pair in itertools.pairwise(chain)}

    assert pairs == set(itertools.product(STEPS, repeat=2))
    assert {row[1] for row in SETTINGS} == set(METRICS)
    assert {row[2:4] for row in SETTINGS} == set(itertools.product(RULES, SIDES))


def written(chain: Sequence[str], splitter: str, metric: str) -> str:
    return ",".join([*chain, *([splitter] if splitter and metric != "cer" else [])])


@pytest.mark.parametrize("place", range(len(SETTINGS)))
def test_pairs_of_transforms(place: int) -> None:
    """Whatever follows what, on either side, has an equivalent with the same numbers on hostile texts."""
    _, metric, rule, side, splitter, chain = SETTINGS[place]
    default = COMPOSITIONS[unit(metric)][0]
    text, other = written(chain, splitter, metric), written(CHAINS[place - 1], SPLITTERS[place // 4 % 4], metric)
    reference = {"reference": text, "each": text}.get(side)
    hypothesis = {"hypothesis": text, "each": other}.get(side)

    made = loaded(metric, rule, text if side == "both" else default, reference, hypothesis)

    check(made, HOSTILE)
    check(made, PAIRED)


@pytest.mark.parametrize("step", STEPS, ids=range(len(STEPS)))
def test_order_of_tidying(step: str) -> None:
    """White space is tidied before, after or around any transform, which may lay bare more of it."""
    blanks = ("\t{}\t", "\u00a0{}\u00a0", " {} ", "\t{} \u2028", "{}\n")
    bare = [blank.format(mark).join("xb") for blank in blanks for mark in (".", "<a>", "a", "é", "don", "ß")]
    cases = tertium.Cases(bare, [[" ".join("xb"), "x b\t"]] * len(bare))
    chains = [*itertools.permutations(("RemoveMultipleSpaces", "Strip", step)), ("Strip", step), (step, "Strip")]

    for chain in chains:
        check(loaded("wer", "fewest-errors", written(chain, "", "wer"), None, None), cases)
        check(loaded("cer", "fewest-errors", written(chain, "", "cer"), None, None), cases)


@pytest.mark.parametrize("joiner", JOINERS, ids=range(len(JOINERS)))
@pytest.mark.parametrize("step", STEPS, ids=range(len(STEPS)))
def test_joined_corpora(step: str, joiner: str) -> None:
    """A corpus that becomes one text has an equivalent, whatever stands before the joint and behind it."""
    for metric, (before, after), splitter in itertools.product(
        ("wip", "cer"), ((True, False), (False, True), (True, True)), SPLITTERS[:3]
    ):
        chain = [*([step] if before else []), joiner, *([step] if after else [])]
        text = written(chain, splitter, metric)
        check(loaded(metric, "best-value", text, None, None), HOSTILE)
        check(loaded(metric, "best-value", text, None, written([JOINERS[0]], "", metric)), PAIRED)
        check(loaded(metric, "best-value", text, written([joiner, "Strip", joiner], "", metric), None), HOSTILE[5:8])


def test_long_joined_corpora() -> None:
    """A joined corpus of some thousand units, of which an aligner takes halves, is counted alike."""
    rng = random.Random(2)
    references = [" ".join(f"w{rng.randrange(900)}" for _ in range(20)) for _ in range(150)]
    hypotheses = [" ".join(word for word in text.split() if rng.random() < 0.9) for text in references]
    cases = tertium.Cases(hypotheses[1:] + hypotheses[:1], [[text] for text in references])

    check(loaded("wer", "best-value", "wer_contiguous", None, None), cases)
    check(loaded("cer", "best-value", "cer_contiguous", None, None), cases[:40])


@pytest.mark.parametrize(("metric", "rule"), list(itertools.product(METRICS, RULES)))
def test_compositions(metric: str, rule: str) -> None:
    """Every composition that JiWER ships has an equivalent, on both sides and mixed where both join or neither does."""
    for one, other in itertools.product(COMPOSITIONS[unit(metric)], repeat=2):
        if one.endswith("contiguous") == other.endswith("contiguous"):
            check(loaded(metric, rule, one, None, None if one == other else other), HOSTILE)


texts = st.lists(st.sampled_from(PIECES), max_size=8).map("".join)
corpora = st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=3)), min_size=1, max_size=4)
chains = st.lists(st.sampled_from((*STEPS, *STEPS, *JOINERS[:2])), min_size=1, max_size=7)


@settings(
    max_examples=250,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.generate],
)
@given(corpora, chains, st.none() | chains, st.sampled_from(METRICS), st.sampled_from(RULES), st.randoms())
def test_any_chain_on_any_text(
    corpus: list[tuple[str, list[str]]],
    chain: list[str],
    other: list[str] | None,
    metric: str,
    rule: str,
    rng: random.Random,
) -> None:
    """On invented texts any chain, or any two that both join or both do not, equals its equivalent."""
    joined = [any(step in JOINERS for step in steps) for steps in (chain, other or chain)]
    if joined[0] != joined[1]:
        other = None
    cases = tertium.Cases([hypothesis for hypothesis, _ in corpus], [references for _, references in corpus])
    text = written(chain, rng.choice(SPLITTERS), metric)

    check(loaded(metric, rule, text, None, other and written(other, rng.choice(SPLITTERS), metric)), cases)

"""
Hold each error rate to the native spec that it declares equivalent.
"""

from __future__ import annotations

import random

import pytest

import tertium

TEXTS = [
    "",
    " ",
    "a",
    "A",
    "b c",
    "a\tb",
    "a \t b",
    "İ I",
    "日本 語",
    "e\u0301",
    "\u00a0x",
    "a\u2028b",
    "a  b ",
    "😀",
    "Straße",
    "I WON'T",
    "she'll can't let's",
    "don't. it's",
    "<unk>",
    "[laugh",
    "x] <a [b] c>",
    "x<y>\tz",
    "«q»",
    "a-b",
    " . ",
    "\u00a0.\t",
]


def corpus(seed: int) -> tertium.Cases:
    """
    Invent cases of one to three references, hostile words and blank texts among them.
    """
    rng = random.Random(seed)

    def text() -> str:
        return " ".join(rng.choices(TEXTS, k=rng.randint(0, 6)))

    return tertium.Cases([text() for _ in range(40)], [[text() for _ in range(rng.randint(1, 3))] for _ in range(40)])


WORD_CHAINS = [
    "wer_default",
    "wer_standardize",
    "ToLowerCase,RemoveMultipleSpaces,Strip",
    "RemovePunctuation,Strip,RemoveMultipleSpaces",
    "ToLowerCase,ExpandCommonEnglishContractions,RemovePunctuation,RemoveMultipleSpaces,Strip",
    "RemoveKaldiNonWords,RemovePunctuation,RemoveMultipleSpaces,Strip",
    "RemoveWhiteSpace(replace_by_space=True),RemoveMultipleSpaces,Strip",
    "RemoveWhiteSpace(replace_by_space=True),RemovePunctuation,RemoveMultipleSpaces,Strip",
]
CHARACTER_CHAINS = [
    "cer_default",
    "ToLowerCase,Strip",
    "RemovePunctuation,Strip",
    "RemoveWhiteSpace",
    "ToLowerCase,ExpandCommonEnglishContractions,RemoveWhiteSpace",
    "ToLowerCase",
]
CHAINS = [(name, chain) for name in ("wer", "mer", "wil", "wip") for chain in WORD_CHAINS]
CHAINS += [("cer", chain) for chain in CHARACTER_CHAINS]


@pytest.mark.parametrize("references", ["fewest-errors", "best-value"])
@pytest.mark.parametrize(("name", "chain"), CHAINS)
def test_equivalent_gives_the_same_numbers(name: str, chain: str, references: str) -> None:
    """Counts are the same and rates agree, for each case and for the corpus, under every chain that has one."""
    metric = tertium.load(f"{name}@jiwer(references={references},transform='{chain}')")

    for seed in range(3):
        theirs, ours = tertium.score(metric, corpus(seed)), tertium.score(metric.equivalent(), corpus(seed))
        for output, value in theirs.outputs.items():
            assert ours.outputs[output] == pytest.approx(value, rel=1e-12, abs=0)
            assert ours.per_case[output] == pytest.approx(theirs.per_case[output], rel=1e-12, abs=0)


@pytest.mark.parametrize(
    "params",
    [
        "transform=wer_contiguous",
        "transform=Strip",
        "transform='ToUpperCase,RemoveMultipleSpaces,Strip'",
        "transform='RemovePunctuation,ExpandCommonEnglishContractions,RemoveMultipleSpaces,Strip'",
        "transform='ExpandCommonEnglishContractions,ToLowerCase,RemoveMultipleSpaces,Strip'",
        "transform='RemoveMultipleSpaces,Strip,RemovePunctuation'",
        "hypothesis_transform='ToLowerCase,RemoveMultipleSpaces,Strip'",
        "transform='RemoveMultipleSpaces,Strip,ReduceToListOfListOfWords(\"-\")'",
        "transform='RemoveEmptyStrings,RemoveMultipleSpaces,Strip'",
    ],
)
def test_what_native_metrics_do_not_know_has_no_equivalent(params: str) -> None:
    """Transforms that native parameters do not express, or not in that order, declare no equivalent."""
    assert tertium.load(f"wer@jiwer({params})").equivalent() is None

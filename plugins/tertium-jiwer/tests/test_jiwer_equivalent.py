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
]


def corpus(seed: int) -> tertium.Cases:
    """
    Invent cases of one to three references, hostile words and blank texts among them.
    """
    rng = random.Random(seed)

    def text() -> str:
        return " ".join(rng.choices(TEXTS, k=rng.randint(0, 6)))

    return tertium.Cases([text() for _ in range(40)], [[text() for _ in range(rng.randint(1, 3))] for _ in range(40)])


@pytest.mark.parametrize("references", ["fewest-errors", "best-value"])
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("name", ["wer", "mer", "wil", "wip", "cer"])
def test_equivalent_gives_the_same_numbers(name: str, lower: bool, references: str) -> None:
    """Counts are the same and rates agree, for each case and for the corpus."""
    chain = "ToLowerCase,Strip" if name == "cer" else "ToLowerCase,RemoveMultipleSpaces,Strip"
    transform = f",transform='{chain}'" if lower else ""
    metric = tertium.load(f"{name}@jiwer(references={references}{transform})")

    for seed in range(3):
        theirs, ours = tertium.score(metric, corpus(seed)), tertium.score(metric.equivalent(), corpus(seed))
        for output, value in theirs.outputs.items():
            assert ours.outputs[output] == pytest.approx(value, rel=1e-12, abs=0)
            assert ours.per_case[output] == pytest.approx(theirs.per_case[output], rel=1e-12, abs=0)


@pytest.mark.parametrize(
    "params",
    [
        "transform=wer_standardize",
        "transform=wer_contiguous",
        "transform=Strip",
        "hypothesis_transform='ToLowerCase,RemoveMultipleSpaces,Strip'",
        "transform='RemoveMultipleSpaces,Strip,ReduceToListOfListOfWords(\"-\")'",
    ],
)
def test_what_native_metrics_do_not_know_has_no_equivalent(params: str) -> None:
    """Transforms beside the default and lower-casing declare no equivalent."""
    assert tertium.load(f"wer@jiwer({params})").equivalent() is None

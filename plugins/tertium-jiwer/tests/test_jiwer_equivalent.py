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
    ("spec", "native"),
    [
        ("wer@jiwer(transform=wer_contiguous)", "wer@native(joined=true,references=best-value)"),
        (
            "wer@jiwer(transform='ToUpperCase,RemoveMultipleSpaces,Strip')",
            "wer@native(case=upper,references=best-value)",
        ),
        (
            "wer@jiwer(transform='RemovePunctuation,ExpandCommonEnglishContractions,Strip,RemoveMultipleSpaces')",
            "wer@native(expand_contractions=true,normalize=strip-punctuation,references=best-value)",
        ),
        (
            "wer@jiwer(hypothesis_transform='ToLowerCase,RemoveMultipleSpaces,Strip')",
            "wer@native(hypothesis_normalize=lowercase,references=best-value)",
        ),
        (
            "wer@jiwer(reference_transform='ToLowerCase,RemoveMultipleSpaces,Strip')",
            "wer@native(hypothesis_normalize='none',normalize=lowercase,references=best-value)",
        ),
        (
            "wer@jiwer(transform='RemoveEmptyStrings,RemoveMultipleSpaces,Strip')",
            "wer@native(normalize=drop-empty,references=best-value)",
        ),
        (
            """wer@jiwer(transform='SubstituteWords({"a": "b"}),RemoveMultipleSpaces,Strip')""",
            """wer@native(normalize='replace-words({"a": "b"})',references=best-value)""",
        ),
        (
            """wer@jiwer(hypothesis_transform='Strip,ReduceToListOfListOfWords("--")')""",
            "wer@native(hypothesis_normalize=strip,hypothesis_split='at:--',references=best-value)",
        ),
        (
            "cer@jiwer(transform='RemoveWhiteSpace,ReduceToSingleSentence')",
            "cer@native(joined=true,normalize=delete-blanks,references=best-value,whitespace=keep)",
        ),
        (
            """cer@jiwer(transform='ReduceToSingleSentence("-"),ToLowerCase')""",
            """cer@native(case=lower,joined=true,normalize='join("-")',references=best-value,whitespace=keep)""",
        ),
    ],
)
def test_equivalents_are_as_short_as_can_be(spec: str, native: str) -> None:
    """Options say what they can, which an explanation then names one by one, and steps in their order the rest."""
    assert str(tertium.load(spec).equivalent()) == native


def test_white_space_deleted_before_other_rules() -> None:
    """White space that a later transform writes stays, and letters that it parted meet: neither is an option's order."""
    cases = tertium.Cases(["\u0391\u03a3 \u0391 can't"], [["\u03b1\u03c3\u03b1can not"]])
    metric = tertium.load("cer@jiwer(transform='RemoveWhiteSpace,ToLowerCase,ExpandCommonEnglishContractions')")

    # The sigma is not final once the space is gone, and `can not` keeps its space on the hypothesis's side alone.
    assert tertium.score(metric, cases).outputs["insertions"] == 1
    assert tertium.score(metric.equivalent(), cases).outputs["insertions"] == 1
    assert tertium.score(metric.equivalent(), cases).outputs["hits"] == 9

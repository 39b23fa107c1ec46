"""
WER, CER, MER, WIL and WIP: by hand, against JiWER under fuzzing, and at their limits.
"""

from __future__ import annotations

import math
import pickle
import random
from typing import Any

import jiwer
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from tertium.errors import BadText, ParameterError
from tertium.native.normalizing import Normalizer
from tertium.native.wer import Cer, Wer
from tertium.native.word_information import Mer, Wil, Wip

COUNTS = ("hits", "substitutions", "deletions", "insertions")
PIECES = [
    "a", "b", "B", "c.", "é", "e\u0301", "漢", "😀", "ß", "İ", "\u200b", "\0", "@", "{",
    " ", " ", " ", "  ", "\t", "\n", "\r\n", "\u00a0", "\u0085", "\u2028", "\u3000", "\x1c", " \t ",
]  # fmt: skip
texts = st.lists(st.sampled_from(PIECES), max_size=9).map("".join)
corpora = st.lists(st.tuples(texts, texts), min_size=1, max_size=4)


def cases_of(pairs: list[tuple[str, str]]) -> tertium.Cases:
    """
    Make cases of (reference, hypothesis) pairs.
    """
    return tertium.Cases([hypothesis for _, hypothesis in pairs], [[reference] for reference, _ in pairs])


def counts(score: tertium.Score) -> list[float]:
    """
    Give hits, substitutions, deletions and insertions.
    """
    return [score[name] for name in COUNTS]


@settings(max_examples=300, deadline=None)
@given(corpora)
def test_defaults_equal_jiwer(pairs: list[tuple[str, str]]) -> None:
    """All five metrics and their counts equal JiWER 4.0.0's on any text, line by line and pooled."""
    cases = cases_of(pairs)
    references, hypotheses = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    words = jiwer.process_words(references, hypotheses)
    characters = jiwer.process_characters(references, hypotheses)

    for name in ("wer", "mer", "wil", "wip"):
        score = tertium.score(name, cases)
        assert getattr(words, name) == pytest.approx(score.value, rel=1e-12, abs=1e-15)
        assert [getattr(words, count) for count in COUNTS] == counts(score)
    score = tertium.score("cer", cases)
    assert characters.cer == pytest.approx(score.value, rel=1e-12)
    assert [getattr(characters, count) for count in COUNTS] == counts(score)
    for row, (reference, hypothesis) in enumerate(pairs):
        single = jiwer.process_words(reference, hypothesis)
        assert single.wer == pytest.approx(tertium.score("wer", cases).per_case["wer"][row], rel=1e-12)


TRANSFORMS: dict[tuple[str, Any], Any] = {
    ("split", "whitespace"): lambda text: " ".join(text.split()),
    ("case", "lower"): str.lower,
    ("case", "casefold"): str.casefold,
    ("normalize", "nfc"): Normalizer(form="nfc"),
    ("normalize", "nfkd"): Normalizer(form="nfkd"),
    ("strip_format", True): lambda text: text.replace("\u200b", ""),
}


@settings(max_examples=200, deadline=None)
@given(corpora, st.sampled_from(list(TRANSFORMS)))
def test_conventions_equal_jiwer_on_changed_texts(pairs: list[tuple[str, str]], key: tuple[str, Any]) -> None:
    """A convention gives what JiWER gives when the texts are changed beforehand by plain Python."""
    change = TRANSFORMS[key]
    words = jiwer.process_words([change(pair[0]) for pair in pairs], [change(pair[1]) for pair in pairs])

    score = tertium.score(Wer(**{key[0]: key[1]}), cases_of(pairs))

    assert words.wer == pytest.approx(score.value, rel=1e-12)
    assert [getattr(words, count) for count in COUNTS] == counts(score)


def test_article_example() -> None:
    """One deletion in four words is 1/4, one substitution is 1/4 (the article's table 8.1)."""
    reference = "refunds within thirty days"
    assert tertium.score("wer", cases_of([(reference, "refunds within thirty")])).value == 0.25
    assert tertium.score("wer", cases_of([(reference, "refunds within sixty days")])).value == 0.25


def test_word_information_by_hand() -> None:
    """`a b c` against `b c d`: two hits of three and three, one deletion, one insertion."""
    cases = cases_of([("a b c", "b c d")])

    assert tertium.score("wer", cases).value == 2 / 3
    assert tertium.score("mer", cases).value == 2 / 4
    assert pytest.approx(tertium.score("wip", cases).value, rel=1e-12) == 4 / 9
    assert pytest.approx(tertium.score("wil", cases).value, rel=1e-12) == 5 / 9


def test_hits_from_lengths_by_hand() -> None:
    """TorchMetrics' convention takes 3 - 2 = 1 hit where the alignment has two: WIP 1/9, MER 2/3."""
    cases = cases_of([("a b c", "b c d")])

    assert pytest.approx(tertium.score("wip(hits=lengths)", cases).value, rel=1e-12) == 1 / 9
    assert pytest.approx(tertium.score("wil(hits=lengths)", cases).value, rel=1e-12) == 8 / 9
    assert pytest.approx(tertium.score("mer(hits=lengths)", cases).value, rel=1e-12) == 2 / 3


@pytest.mark.parametrize(
    ("text", "split", "words"),
    [
        ("a\tb", "jiwer", ["a\tb"]),
        ("a \tb", "jiwer", ["a", "b"]),
        ("\ta\u00a0b \n", "jiwer", ["a\u00a0b"]),
        ("a\tb\u00a0c\u00a0 d", "jiwer-ascii", ["a", "b\u00a0c", "d"]),
        ("a\u00a0b\u3000c", "whitespace", ["a", "b", "c"]),
        ("a\u00a0b\tc\x1cd", "ascii", ["a\u00a0b", "c\x1cd"]),
        (" a  b ", "space", ["", "a", "", "b"]),
        ("a\tb", "space", ["a\tb"]),
        ("", "space", []),
    ],
)
def test_splits_by_hand(text: str, split: str, words: list[str]) -> None:
    """Each rule parts words where its program does."""
    assert words == Wer(split=split)._units.pieces(text)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("whitespace", "expected"),
    # Reference `a b`, hypothesis ` ab `: with all kept, two insertions and a deletion.
    [("strip", 1 / 3), ("keep", 3 / 3), ("ignore", 0.0), ("ignore-ascii", 0.0)],
)
def test_white_space_among_characters(whitespace: str, expected: float) -> None:
    """White space is stripped at the ends, kept, or ignored."""
    assert expected == tertium.score(f"cer(whitespace={whitespace})", cases_of([("a b", " ab ")])).value


def test_ignoring_ascii_space_keeps_others() -> None:
    """A no-break space is a character where only ASCII white space is ignored."""
    cases = cases_of([("a b", "a\u00a0b")])

    assert tertium.score("cer(whitespace=ignore-ascii)", cases).value == 1 / 2
    assert tertium.score("cer(whitespace=ignore)", cases).value == 0.0


def test_grapheme_clusters_are_units() -> None:
    """A combining sequence is one grapheme and two code points: swapping its accent is one error in two."""
    cases = cases_of([("e\u0301x", "e\u0300x")])

    assert tertium.score("cer", cases).value == 1 / 3
    assert tertium.score("cer(unit=grapheme)", cases).value == 1 / 2
    family = cases_of([("👩‍👩‍👧", "👩‍👧")])
    assert tertium.score("cer(unit=grapheme)", family).value == 1.0
    assert tertium.score("cer", family).value == 2 / 5


def test_normalisation_options_by_hand() -> None:
    """Each option makes its pair of texts equal, which they are not without it."""
    pairs = {
        "normalize=nfc": ("é", "e\u0301"),
        "normalize=nfkc": ("ﬁ", "fi"),
        "case=lower": ("A", "a"),
        "case=casefold": ("ß", "SS"),
        "case=ascii": ("A", "a"),
        "strip_format=true": ("ab", "a\u00adb"),
        "fold_quotes=true": ("“it’s”", '"it\'s"'),
        "strip_hyphens=true": ("e-mail", "email"),
        "strip_punctuation=true": ("¿a?", "a"),
        "strip_nonwords=true": ("a<x>", "a"),
        "expand_contractions=true": ("won't", "will not"),
    }
    for option, pair in pairs.items():
        assert tertium.score("wer", cases_of([pair])).value >= 1.0, option
        assert tertium.score(f"wer({option})", cases_of([pair])).value == 0.0, option
    assert tertium.score("wer(case=ascii)", cases_of([("É", "é")])).value == 1.0


EMPTY = cases_of([("", "x y")])
SOME = cases_of([("", "x y"), ("a b", "a b")])
NOTHING = cases_of([("", "")])


def test_empty_reference_rules() -> None:
    """Over no reference words the rate is the insertions, infinite, undefined, or an error; others pool."""
    assert tertium.score("wer", EMPTY).value == 2.0
    assert math.inf == tertium.score("wer(empty_reference=infinity)", EMPTY).value
    assert math.isnan(tertium.score("wer(empty_reference=infinity)", NOTHING).value)
    undefined = tertium.score("wer(empty_reference=undefined)", EMPTY)
    assert math.isnan(undefined.value)
    assert undefined.reason
    with pytest.raises(BadText, match="hold no units"):
        tertium.score("wer(empty_reference=error)", EMPTY)
    for rule in ("insertions", "infinity", "undefined", "error"):
        assert tertium.score(f"wer(empty_reference={rule})", SOME).value == 1.0
    assert tertium.score("wer(empty_reference=insertions)", SOME).per_case["wer"].tolist() == [2.0, 0.0]
    assert np.isnan(tertium.score("wer(empty_reference=undefined)", SOME).per_case["wer"]).tolist() == [True, False]
    with pytest.raises(BadText, match="case 0"):
        tertium.score("wer(empty_reference=reject)", SOME)


@pytest.mark.parametrize(("name", "rule"), [("wer", "empty_reference"), ("cer", "empty_reference"), ("mer", "empty")])
def test_an_error_by_rule_is_one_for_a_case_among_others_too(name: str, rule: str) -> None:
    """What is an error where a case stands alone is one where its value is asked for beside others, and names the case."""
    spec = f"{name}({rule}=error)"
    among = tertium.score(spec, cases_of([("a b", "a b"), ("", "x y")]))

    assert among.value > 0
    with pytest.raises(BadText, match="the reference of case 1 holds no units"):
        _ = among.per_case
    with pytest.raises(BadText, match="the references of all cases hold no units"):
        tertium.score(spec, EMPTY)


def test_cases_that_are_left_out_are_no_error() -> None:
    """A case without any text, which a step takes out, has no value that could be an error."""
    spec = "wer(normalize=drop-empty,empty_reference=error)"

    assert np.isnan(tertium.score(spec, cases_of([("a b", "a b"), ("", "")])).per_case["wer"]).tolist() == [False, True]


def test_empty_rules_of_word_information() -> None:
    """A side without words gives the best or the worst value, or none."""
    for name, nothing, wrong in (("mer", 0.0, 1.0), ("wil", 0.0, 1.0), ("wip", 1.0, 0.0)):
        assert nothing == tertium.score(name, NOTHING).value
        assert wrong == tertium.score(name, EMPTY).value
        assert math.isnan(tertium.score(f"{name}(empty=undefined)", NOTHING).value)
        with pytest.raises(BadText):
            tertium.score(f"{name}(empty=error)", NOTHING)


def test_statistics_stay_finite_where_a_value_is_infinite() -> None:
    """An infinite rate of a case is a count in a column of its own, and makes the mean infinite."""
    score = tertium.score("wer(empty_reference=infinity,average=mean)", SOME)

    assert score.statistics is not None
    assert np.isfinite(score.statistics).all()
    assert score.statistics[:, score.info.columns.index("infinite")].sum() == 1.0
    assert math.inf == score.value
    assert [math.inf, 0.0] == score.per_case["wer"].tolist()


def test_mean_is_over_cases() -> None:
    """Rates 0/8 and 1/1 pool to 1/9 and have the mean 1/2."""
    cases = cases_of([("a b c d e f g h", "a b c d e f g h"), ("y", "x")])

    assert tertium.score("wer", cases).value == 1 / 9
    assert tertium.score("wer(average=mean)", cases).value == 1 / 2


def test_several_references() -> None:
    """The nearest reference by errors, by rate, or the mean of all."""
    # `a b`: one error against `a` (rate 1), two against `a b c d` (rate 1/2).
    cases = tertium.Cases(["a b"], [["a", "a b c d"]])

    assert tertium.score("wer", cases).value == 0.5
    assert tertium.score("wer(references=fewest-errors)", cases).value == 1.0
    assert tertium.score("wer(references=mean)", cases).value == 1.5 / 2.5
    assert tertium.score("wer(references=mean,average=mean)", cases).value == 0.75
    assert tertium.score("wip(references=best-value)", tertium.Cases(["a b"], [["x", "a"]])).value == 0.5


@pytest.mark.parametrize("metric", [Wer(), Cer(), Mer(), Wil(), Wip(), Wer(average="mean"), Wer(references="mean")])
def test_chunks_and_workers_change_nothing(metric: Any) -> None:
    """Every chunking and number of workers gives the same statistics, and a metric pickles."""
    rng = random.Random(3)
    pairs = [(" ".join(rng.choices("abcd", k=5)), " ".join(rng.choices("abcd", k=rng.randrange(7)))) for _ in range(60)]
    cases = cases_of(pairs)
    whole = tertium.score(metric, cases)

    parts = tertium.score(pickle.loads(pickle.dumps(metric)), cases, 2, chunk=7)

    assert np.array_equal(whole.statistics, parts.statistics)
    assert whole.outputs == parts.outputs


@settings(max_examples=80, deadline=None)
@given(corpora)
def test_word_boundaries_match_the_pieces(pairs: list[tuple[str, str]]) -> None:
    """For every split and unit the counts fit the units that the alignment shows."""
    cases = cases_of(pairs)
    for metric in (Wer(split="space"), Wer(split="ascii"), Cer(), Cer(unit="grapheme", whitespace="keep")):
        score = tertium.score(metric, cases)
        shown = [metric.align(*pair) for pair in pairs]
        for name, operation in zip(COUNTS, ("hit", "substitution", "deletion", "insertion"), strict=True):
            assert score[name] == sum(step.operation == operation for steps in shown for step in steps)


@pytest.mark.parametrize(
    "options",
    [{"whitespace": "keep"}, {"unit": "codepoint", "split": "ascii"}, {"costs": "1/2"}, {"ties": "none"}],
)
def test_contradictions_are_errors(options: dict[str, Any]) -> None:
    """A rule that cannot apply is an error, not ignored."""
    with pytest.raises(ParameterError):
        Wer(**options)


def test_signature_names_what_decides_units() -> None:
    """With grapheme clusters or normalisation the signature names the edition of the tables in force."""
    cases = cases_of([("a", "a")])

    assert "|clusters=regex-" in tertium.score("cer(unit=grapheme)", cases).signature
    assert "|unicode=" in tertium.score("wer(normalize=nfc)", cases).signature
    assert "|unicode=" not in tertium.score("wer", cases).signature


def test_different_normal_forms_are_noted() -> None:
    """Where one side is decomposed and the other is not, the score says so and names the first case."""
    cases = tertium.Cases(["a", "cafe\u0301"], [["a", "b"], ["caf\u00e9"]])

    (note,) = tertium.score("cer", cases).notes
    assert "the hypotheses hold texts that are not in form NFC (the first is that of case 1)" in note
    (note,) = tertium.score("levenshtein", tertium.Cases(["caf\u00e9"] * 2, [["a", "b"], ["cafe\u0301"]])).notes
    assert "the references hold texts that are not in form NFC (the first is that of case 1)" in note
    assert tertium.score("cer(normalize=nfc)", cases).notes == ()
    assert tertium.score("cer", tertium.Cases(["e\u0301"], [["e\u0301"]])).notes == ()


def test_tokens_show_the_units() -> None:
    """A metric shows the units that it compares."""
    assert Wer(case="lower").tokens(" A  b") == ["a", "b"]
    assert Cer(unit="grapheme").tokens("e\u0301 x") == ["e\u0301", " ", "x"]

"""
What people ran into with these metrics: each case with its worked value or the behaviour that helps.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
import sacrebleu

import tertium
from tertium.errors import BadNesting, BadText, CountMismatch, EmptyCorpus, ParameterError


def value(metric: str, hypotheses: list[str], references: list[list[str]], **params: Any) -> tertium.Score:
    """
    Score with one metric of the library.
    """
    return tertium.score(tertium.Spec(metric, "sacrebleu", params=params), tertium.Cases(hypotheses, references))


RED_FOX = ["the red fox ran home today", "a bird sang"]


def test_references_stand_by_case() -> None:
    """UC-001, UC-002, UC-004: one list a case scores; a stream that is too short, or a flat list, is an error."""
    assert value("bleu", RED_FOX, [[RED_FOX[0]], ["no dogs barked here"]]).value == pytest.approx(
        70.30119876929804, abs=1e-6
    )
    with pytest.raises(CountMismatch, match="2 segments"):
        tertium.Cases.from_streams(RED_FOX, [[RED_FOX[0]]])
    with pytest.raises(BadNesting):
        tertium.Cases(RED_FOX, [RED_FOX[0], "no dogs barked here"])


def test_absent_reference_is_no_reference() -> None:
    """UC-008: cases with different numbers of references; UC-009: a hypothesis that is None names its place."""
    assert value("bleu", ["a b c d e", "x y z w v"], [["a b c d e", "a b c d e f g"], ["x y z w v"]]).value == (
        pytest.approx(100, abs=1e-6)
    )
    with pytest.raises(BadText, match="case 1"):
        tertium.Cases(["a b", None], [["a b"], ["c d"]])  # type: ignore[list-item]


def test_any_iterable_of_hypotheses() -> None:
    """UC-010: hypotheses may come from a generator."""
    cases = tertium.Cases((text for text in ["a b c d"]), [["a b c d"]])

    assert tertium.score("bleu@sacrebleu", cases).value == pytest.approx(100, abs=1e-6)


def test_empty_hypothesis_adds_nothing() -> None:
    """UC-012: an empty output has no n-gram, and its reference still counts for brevity."""
    score = value("bleu", ["a b c d e f", ""], [["a b c d e f"], ["g h i"]])

    assert score.value == pytest.approx(60.653065971263345, abs=1e-6)


def test_too_short_for_the_order() -> None:
    """UC-013: two tokens have no 4-gram: 0 with a note, 100 with effective order, and never a denormal number."""
    plain = value("bleu", ["grand plaza"], [["grand plaza"]])
    effective = value("bleu", ["grand plaza"], [["grand plaza"]], effective_order=True)

    assert plain.value == 0
    assert effective.value == pytest.approx(100, abs=1e-6)
    cases = tertium.Cases(["grand plaza"], [["grand plaza"]])
    assert any("effective_order" in notice for notice in tertium.notices(plain.metric, cases))
    assert tertium.notices(effective.metric, cases) == []


def test_no_match_in_one_order() -> None:
    """UC-014, UC-015: without smoothing one order without a match makes 0, and so does no match at all with it."""
    shells = (["she sells red shells"], [["she sells sea shells"]])

    assert value("bleu", *shells, smooth_method="none").value == 0
    assert value("bleu", ["yes"], [["no"]], effective_order=True).value == 0


@pytest.mark.parametrize(
    ("params", "wanted"),
    [
        ({"smooth_method": "none"}, 0.0),
        ({"smooth_method": "floor", "smooth_value": 0.1}, 10.446),
        ({"smooth_method": "add-k", "smooth_value": 1}, 31.783),
        ({"smooth_method": "exp"}, 19.641),
    ],
)
def test_smoothing_is_a_convention_in_the_signature(params: dict[str, Any], wanted: float) -> None:
    """UC-016: each smoothing method has its value, and its name stands in the signature."""
    score = value(
        "bleu",
        ["she sells red shells by a shore"],
        [["she sells sea shells by the shore"]],
        effective_order=True,
        **params,
    )

    assert score.value == pytest.approx(wanted, abs=1e-3)
    assert score.conventions["smooth_method"] == params["smooth_method"]


def test_ter_of_empty_texts() -> None:
    """UC-017: nothing to edit is 0, everything missing is 100, and the corpus sums edits and lengths."""
    score = value("ter", ["", ""], [[""], ["a b"]])

    assert score.per_case["ter"].tolist() == [0, 100]
    assert score.value == pytest.approx(100, abs=1e-6)


def test_no_case_at_all() -> None:
    """UC-019: no case is an error, for every metric alike."""
    with pytest.raises(EmptyCorpus):
        tertium.Cases([], [])


def test_texts_without_spaces() -> None:
    """UC-029: one token a sentence under 13a makes 0 with a note that names tokenizers; characters make a value."""
    cat = (["猫が好きです"], [["猫が好きでした"]])
    plain = value("bleu", *cat)

    assert plain.value == 0
    assert any("ja-mecab" in note and "char" in note for note in tertium.notices(plain.metric, tertium.Cases(*cat)))
    assert value("bleu", *cat, tokenize="char").value == pytest.approx(64.31870218238025, abs=1e-6)


def test_full_stop_after_a_digit() -> None:
    """UC-030: 13a sets a full stop at the end off from a digit."""
    assert value("bleu", ["We met in 2023 ."], [["We met in 2023."]]).value == pytest.approx(100, abs=1e-6)


@pytest.mark.parametrize("workers", [1, 2])
def test_lines_that_look_tokenized(workers: int, capsys: pytest.CaptureFixture[str]) -> None:
    """UC-031: one note for the corpus with count and first place, whatever the chunks; `force` silences it."""
    hypotheses = ["plain line.", *(f"this is line {n} ." for n in range(120))]
    cases = tertium.Cases(hypotheses, [[text.replace(" .", ".")] for text in hypotheses])
    score = tertium.score("bleu@sacrebleu", cases, workers=workers, chunk=50)
    silent = tertium.score("bleu@sacrebleu:force=true", cases)
    few = tertium.score("bleu@sacrebleu", cases[:100])

    assert [note for note in score.notes if "120 outputs" in note and "case 1:" in note] == list(score.notes)
    assert len(score.notes) == 1
    assert silent.notes == few.notes == ()
    assert score.value == silent.value == pytest.approx(100, abs=1e-6)
    assert capsys.readouterr() == ("", "")


def test_case_defaults_differ() -> None:
    """UC-039: TER folds the case by default and BLEU does not."""
    texts = (["The Cat Sat Down Here"], [["the cat sat down here"]])

    assert value("ter", *texts).value == 0
    assert value("ter", *texts, case_sensitive=True).value == pytest.approx(100, abs=1e-6)
    assert value("bleu", *texts).value == 0
    assert value("bleu", *texts, lowercase=True).value == pytest.approx(100, abs=1e-6)


def test_chrf_sums_over_the_corpus() -> None:
    """UC-041, UC-043: disjoint texts lower chrF, and an exact match with one reference is 100."""
    assert value("chrf", ["abcdef", "zzzzzz"], [["abcdef"], ["qrstuv"]]).value == pytest.approx(50, abs=1e-6)
    assert value("chrf", ["the dog ran"], [["a big cat", "the dog ran"]]).value == pytest.approx(100, abs=1e-6)


def test_chrf_of_short_texts() -> None:
    """UC-042: effective order and epsilon smoothing differ on short texts."""
    texts = (["a", "hi there"], [["a"], ["h"]])

    assert value("chrf", *texts).per_case["score"].tolist() == pytest.approx([100, 45.45454545454545], abs=1e-4)
    assert value("chrf", *texts, eps_smoothing=True).per_case["score"].tolist() == pytest.approx(
        [16.666666666666668, 7.575757575757574], abs=1e-4
    )


def test_scale_and_direction() -> None:
    """UC-054: BLEU and TER on one case, with their scales and directions."""
    bleu = value("bleu", ["a b c d e"], [["a b c d f"]])
    ter = value("ter", ["a b c d e"], [["a b c d f"]])

    assert bleu.value == pytest.approx(66.87403049764218, abs=1e-6)
    assert ter.value == pytest.approx(20, abs=1e-6)
    assert (bleu.info.higher_is_better, ter.info.higher_is_better) == (True, False)
    assert (bleu.info.scale[1], ter.info.scale[1]) == (100, float("inf"))


def test_ter_takes_the_mean_length_of_references() -> None:
    """UC-055: one edit over the mean of 3 and 9 words."""
    score = value("ter", ["a b"], [["a b c", "a b c d e f g h i"]])

    assert score.value == pytest.approx(100 / 6, abs=1e-6)


def test_line_separators_inside_a_text() -> None:
    """UC-061: U+2028 inside a text parts tokens, not cases."""
    references = [["the red fox ran home"], ["the blue bird sang a song"]]
    score = value("bleu", ["the red fox ran home", "the blue\u2028bird sang a song"], references)

    assert score.value == pytest.approx(100, abs=1e-6)


def test_long_texts_note_the_limits_of_the_search() -> None:
    """UC-076: random words score as the library scores them, limits included, and long texts are noted."""
    draw = random.Random(400)
    first, second = (" ".join(f"w{draw.randrange(40)}" for _ in range(400)) for _ in range(2))
    short = [" ".join(text.split()[:70]) for text in (first, second)]
    notes = tertium.load("ter@sacrebleu").notes(tertium.Cases([first], [[second]]))

    assert value("ter", short[:1], [short[1:]]).value == sacrebleu.TER().corpus_score(short[:1], [short[1:]]).score
    assert any("more than 250 words" in note and "case 0" in note for note in notes)


@pytest.mark.parametrize("params", [{"tokenize": "moses"}, {"smooth_method": "lin"}])
def test_unknown_choices_list_the_known_ones(params: dict[str, str]) -> None:
    """UC-077: an unknown tokenizer or smoothing method lists what there is."""
    with pytest.raises(ParameterError, match=r"13a, none, zh|exp, floor, add-k, none"):
        value("bleu", ["a"], [["a"]], **params)


def test_signature_names_what_decides_the_number() -> None:
    """UC-079: implementation, version, tokenizer, case, smoothing and references stand in every signature."""
    score = value("bleu", ["a b c d"], [["a b c d"]])

    assert "[nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0]" in score.signature
    assert score.signature.startswith("bleu@sacrebleu|")
    assert "|sacrebleu=2.6.0|" in score.signature


def test_advice_for_the_language_is_a_note() -> None:
    """What the library logs about the tokenizer and the language arrives as a note, each time, and is not printed."""
    cases = tertium.Cases(["a b c d"], [["a b c d"]])
    for _ in range(2):
        notes = tertium.score("bleu@sacrebleu:tokenize=13a,trg_lang=ja", cases).notes

        assert [note for note in notes if "ja-mecab" in note] == list(notes) != []


HOSTILE = [
    "\x00",
    "a\x00b c\x00",
    "\n",
    "\r\n\v\f",
    "\ufeff",
    "\u202e\u200f\u200d",
    "🏳️‍🌈" * 30,
    "a" * 20_000,
    "\U0010ffff\ue000",
    "́̂̃",
    "-\n-\n&amp;&amp;lt;<skipped>",
    "|||",
    "\\1 \\g<0> %s {}",
]


@pytest.mark.parametrize(
    "spec",
    [
        "bleu",
        "bleu:tokenize=zh",
        "bleu:tokenize=intl",
        "bleu:tokenize=char",
        "chrf++",
        "ter",
        "ter:normalized=true,no_punct=true,asian_support=true",
    ],
)
def test_hostile_texts_score_as_the_library_scores_them(spec: str) -> None:
    """Control characters, marks, emoji sequences and very long words give the library's values, case by case."""
    metric, _, parameters = spec.partition(":")
    hypotheses = HOSTILE + HOSTILE[::-1]
    references = [[text] for text in HOSTILE] + [[text, "a b"] for text in HOSTILE]
    score = tertium.score(
        f"{metric}@sacrebleu" + (f":{parameters}" if parameters else ""), tertium.Cases(hypotheses, references)
    )
    classes: dict[str, Any] = {"bleu": sacrebleu.BLEU, "chrf++": sacrebleu.CHRF, "ter": sacrebleu.TER}
    given: dict[str, Any] = {"chrf++": {"word_order": 2}}.get(metric, {})
    for pair in filter(None, parameters.split(",")):
        name, _, text = pair.partition("=")
        given[name] = True if text == "true" else text
    library = classes[metric](**given)

    for case, (hypothesis, row) in enumerate(zip(hypotheses, references, strict=True)):
        alone = library.corpus_score([hypothesis], [[text] for text in row])
        assert next(iter(score.per_case.values()))[case] == alone.score

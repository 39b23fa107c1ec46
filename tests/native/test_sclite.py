"""
sclite's markup: alternatives, null words, optional words, fragments, tags, and what does not close.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.errors import BadText, ParameterError
from tertium.native.sclite import Markup, align
from tertium.native.wer import Cer, Wer

SCLITE: dict[str, Any] = {"case": "ascii", "costs": "sclite", "ties": "sclite", "markup": "sclite"}


def steps(reference: str, hypothesis: str, **options: Any) -> str:
    """
    Align two texts as sclite does, as a string of C, S, D and I.
    """
    metric = Wer(split="ascii", **SCLITE, **options)
    reader = Markup(metric._units, metric.optional_words, metric.fragments)
    return "".join(pair[0] for pair in align(reader.read(reference), reader.read(hypothesis)).pairs)


@pytest.mark.parametrize(
    ("reference", "hypothesis", "expected"),
    [
        ("i { going to / gonna } go", "i gonna go", "CCC"),
        ("i {going to/gonna} go", "i going to go", "CCCC"),
        ("a { c / @ } d", "a d", "CC"),
        ("a { b { c / d } / e } f", "a b d f", "CCCC"),
        ("a", "a @", "C"),
        ("A b", "a B", "CC"),
        ("word* b", "word b", "CC"),
        ("b;tag c\\;d", "b c\\;d", "CC"),
        ("a\\b \\\\", "ab \\", "CC"),
        (";x *", "\\ \\*", "CC"),
        ("a/b", "a/b", "C"),
        ("x {a}{b}c {d/{e}f}", "x a b c e f", "CCCCCC"),
    ],
)
def test_alternatives_nulls_and_tags(reference: str, hypothesis: str, expected: str) -> None:
    """The best of the alternatives counts, null words never do, and tags, case and a trailing star do not matter."""
    assert expected == steps(reference, hypothesis)


def test_a_null_word_among_characters_is_no_character() -> None:
    """With -c sclite takes @ within a word for a null word, and a tag without a word for an empty character."""
    metric = Cer(whitespace="ignore-ascii", **SCLITE)

    scores = [
        tertium.score(metric, tertium.Cases([hypothesis], [[reference]]))
        for reference, hypothesis in (("a@b", "a"), (";t", "b"), ("a\\;b", "a;b"))
    ]

    names = ("hits", "substitutions", "deletions", "insertions")
    assert [[int(score[name]) for name in names] for score in scores] == [[1, 0, 1, 0], [0, 1, 0, 0], [1, 0, 2, 0]]


def test_optional_words_are_ordinary_until_asked_for() -> None:
    """(b) is a word with parentheses by default; with optional_words it may be missing and counts as a hit."""
    assert steps("a (b) d", "a d") == "CDC"
    assert steps("a (b) d", "a d", optional_words=True) == "CCC"
    assert steps("a (b) d", "a b d", optional_words=True) == "CCC"
    assert steps("a () d", "a d", optional_words=True) == "CCC"


def test_fragments_match_parts_of_words_when_asked_for() -> None:
    """fi- matches a word that begins with fi, -sh one that ends with sh, only with fragments."""
    assert steps("fi- -sh", "fish wish") == "SS"
    assert steps("fi- -sh", "fish wish", fragments=True) == "CC"


def test_counts_reach_the_metric() -> None:
    """A marked-up case and a plain one pool: 3 hits of 3 words and 1 substitution in 1 word make 1/4."""
    cases = tertium.Cases(["i gonna go", "x"], [["i { going to / gonna } go"], ["y"]])

    score = tertium.score(Wer(split="ascii", **SCLITE), cases)

    assert score.value == 0.25
    assert (score["hits"], score["substitutions"], score["reference_length"]) == (3, 1, 4)


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("a { b", 2),
        ("a { b / c", 2),
        ("a } b", 2),
        ("{ a / }", 6),
        ("{ { a }", 0),
        ("a { }", 4),
        ("a{b}", 1),
        ("{ a / b{c} }", 7),
        ("a/{b}", 2),
    ],
)
def test_markup_that_does_not_close_names_utterance_and_position(text: str, position: int) -> None:
    """A brace without its partner, or an empty alternative, is an error with the utterance's id and the position."""
    cases = tertium.Cases(["a", "b"], [["a"], [text]], ids=["talk-1", "talk-2"])

    with pytest.raises(BadText, match=f"'talk-2'.*at character {position}"):
        tertium.score(Wer(split="ascii", **SCLITE), cases)


def test_a_nul_is_refused() -> None:
    """sclite stops reading at a NUL, so that the rest would be lost."""
    with pytest.raises(BadText, match="a NUL at character 1"):
        tertium.score(Wer(split="ascii", **SCLITE), tertium.Cases(["a\0b"], [["a"]]))


@pytest.mark.parametrize("text", [";; a", "** a"])
def test_comment_lines_are_refused(text: str) -> None:
    """A text that begins with ;; or ** would be a comment in a transcript file, so it is an error."""
    with pytest.raises(BadText, match="comment"):
        tertium.score(Wer(split="ascii", **SCLITE), tertium.Cases([text], [["a"]]))


@pytest.mark.parametrize(
    "options",
    [
        {"markup": "sclite", "split": "ascii"},
        {"markup": "sclite", "split": "ascii", "costs": "sclite"},
        {"markup": "sclite", "costs": "sclite", "ties": "sclite"},
        {"optional_words": True},
        {"fragments": True},
        {**SCLITE, "unit": "codepoint"},
        {**SCLITE, "unit": "codepoint", "whitespace": "ignore", "optional_words": True},
    ],
)
def test_contradictions_are_named(options: dict[str, Any]) -> None:
    """Markup with other costs, ties or splits, and parts of it without markup, are errors."""
    with pytest.raises(ParameterError):
        Wer(**options)


def golden(shared: Path) -> list[tuple[str, dict[str, Any], dict[str, Any], dict[str, Any]]]:
    """
    Give (id, options, case, expected) of every recorded sclite alignment whose options are expressible.
    """
    found = []
    for line in (shared / "golden" / "sclite-2.4.12.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        for case, expected in zip(record["cases"], record["expected"].get("per_case", []), strict=False):
            found.append((record["id"], record["params"], case, expected))
    return found


# -c NOASCII splits the non-ASCII characters of a word only; babel_turkish folds the dotted and the dotless i.
UNMAPPED = {"noascii": True, "localization": "babel_turkish"}
# sclite drops what follows a brace that is never closed; here that is an error.
DIVERGENT = {"sclite/edge-brace-1"}


def test_equals_recorded_alignments_of_sclite(shared: Path) -> None:
    """Counts and alignments equal sclite 2.4.12's on every recorded case whose options are expressible."""
    compared = 0
    for name, options, case, expected in golden(shared):
        if name in DIVERGENT or any(options[key] == value for key, value in UNMAPPED.items()):
            continue
        shared_options = {
            **SCLITE,
            "case": "sensitive" if options["case_sensitive"] else "ascii",
            "optional_words": options["optional_deletable"],
            "fragments": options["fragment_correct"],
        }
        metric: Wer | Cer = Wer(split="ascii", **shared_options)
        if options["characters"]:
            metric = Cer(whitespace="ignore-ascii", strip_hyphens=options["delete_hyphens"], **shared_options)
        cases = tertium.Cases([case["hyp"]], [[case["refs"][0]]])
        counts = tertium.score(metric, cases)
        wanted = [expected[letter] for letter in "CSDI"]
        assert wanted == [counts[key] for key in ("hits", "substitutions", "deletions", "insertions")], name
        reader = Markup(metric._units, metric.optional_words, metric.fragments)
        path = align(reader.read(case["refs"][0]), reader.read(case["hyp"])).pairs
        assert expected["alignment"] == "".join(pair[0] for pair in path), name
        compared += 1
    assert compared > 600

"""
The PTB tokenizer against recorded outputs, real captions, and Stanford's own program where Java is at hand.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

import tertium
from tertium.native.columns import text_column, windows_of
from tertium.native.tokenizers import ptb_rules, tokenizer
from tertium.native.tokenizers.ptb import PTB, SEPARATORS, automaton
from tertium.native.tokenizers.ptb_automaton import build

Java = Callable[[Sequence[str]], list[str]]


@pytest.fixture(scope="module")
def java() -> Java:
    """
    Give a function that tokenizes captions with the program that pycocoevalcap ships, or skip.
    """
    ptb = pytest.importorskip("tertium_pycocoevalcap.ptb", reason="the plugin for pycocoevalcap is not installed")
    pytest.importorskip("pycocoevalcap", reason="pycocoevalcap is not installed")
    try:
        ptb.tokenize(["a"])
    except tertium.errors.ResourceMissing as error:
        pytest.skip(f"there is no Java: {error}")
    return lambda captions: list(ptb.tokenize(list(captions))[0])


def captions(shared: Path) -> list[str]:
    found = []
    for name in ("coco-1000", "abstract-50s"):
        file = shared / "data" / "captioning" / name / "annotations.json"
        found += [entry["caption"] for entry in json.loads(file.read_text(encoding="utf-8"))["annotations"]]
    return found


def test_recorded_outputs(shared: Path) -> None:
    """Every recorded caption gives the recorded tokens, but for separators, which there begin a new line."""
    file = shared / "golden" / "ptbtokenizer-3.4.1.jsonl"
    compared = 0
    for line in file.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        texts = [case["hyp"] for case in record["cases"]]
        if any(mark in text for text in texts for mark in SEPARATORS):
            continue
        assert PTB.lines(texts) == [case["tokenized"] for case in record["expected"]["per_case"]], record["id"]
        compared += len(texts)
    assert compared > 190


def test_a_separator_is_a_space() -> None:
    """A caption with a line separator stays one caption."""
    assert PTB.lines(["x\u2028y", "a\vb", "c\r\nd", "a dog"]) == ["x y", "a b", "c d", "a dog"]


def test_real_captions_equal_stanford(shared: Path, java: Java) -> None:
    """13,104 captions of two sets have the tokens that Stanford's program gives them, neighbours and all."""
    texts = captions(shared)

    assert PTB.lines(texts) == java(texts)


MIXTURE = (
    "a man's dog isn't here they'll I'd cannot gonna gimme 'tis 'twas y'all d'ye O'Neil rock'n'roll c'mon dogs' James's "
    "Mr. Dr. Sr. St. U.S. U.K. p.m. a.m. etc. vs. e.g. Inc. Co. Ltd. Ph.D. No. fig. Rd. Blvd. B. X. J.R. Jan. Tues. Calif. "
    "well-known state-of-the-art A-10 1-2 3/4 1/2/2010 10:30 3.14 1,000.50 .5 '90s 1990s 9am 50% $5.00 (555) 123-4567 "
    "http://example.org/a?b=c www.x.com me@mail.org #tag @name file.txt a.jpg C++ c# AT&T S&P-500 R&D &amp; &quot; &apos; "
    "&lt; &nbsp; &mdash; &eacute; <b> </a> <img> << >> :) :-( ;-) ^_^ =D ... .. -- --- ---- ?! !!! ,,, ;; * ** \\* / | ~ "
    "( ) [ ] { } < > ' '' \" ` `` _ __ # ## @ = + % & \u2018 \u2019 \u201c \u201d \u00ab \u00bb \u201a \u2039 \u00a2 \u00a3 \u20ac \u00a5 "
    "\u00bd \u215b \u2154 \u2026 \u2013 \u2014 \u00e9t\u00e9 na\u00efve co\u00adop \u00ad \u200b \ufeff \u3000 \u00a0 \x85 \x7f \x01 \u65e5\u672c \u3002 "
    "\u0663 \u0130 \u0131 \u017f \u212a \U0001f600 \U0001d400 A The Two x zz"
)
PIECES = MIXTURE.split(" ")


def invented(count: int, seed: int) -> list[str]:
    rng = random.Random(seed)
    made = []
    for _ in range(count):
        text = ""
        for _ in range(rng.randrange(1, 9)):
            text += rng.choice(PIECES) + (" " if rng.random() < 0.6 else "")
        made.append(text)
    return made


def test_invented_captions_equal_stanford(java: Java) -> None:
    """3,000 captions of difficult pieces have the tokens that Stanford's program gives them."""
    texts = [text for caption in invented(3_000, 5) for text in (caption, "zz zz")]

    found, wanted = PTB.lines(texts), java(texts)

    assert [(t, w, f) for t, w, f in zip(texts, wanted, found, strict=True) if w != f] == []


def test_captions_without_white_space_equal_stanford(java: Java) -> None:
    """500 captions of 40 pieces without white space, where addresses are tried in vain, have Stanford's tokens."""
    rng = random.Random(8)
    pieces = [piece for piece in PIECES if "\u03a3" not in piece and piece.isprintable()]
    texts = ["".join(rng.choices(pieces, k=40)) for _ in range(500)]
    lines = [text for caption in texts for text in (caption, "zz zz")]

    assert PTB.lines(lines) == java(lines)


def test_a_letter_before_the_next_caption_is_a_known_difference(java: Java) -> None:
    """Stanford looks into the next caption after a single letter with a full stop; here a caption stands alone."""
    texts = ["it is plan B.", "The man"]

    assert java(texts) == ["it is plan b", "the man"]
    assert PTB.lines(texts) == ["it is plan b.", "the man"]


def test_a_sigma_among_digits_is_a_known_difference(java: Java) -> None:
    """Java takes a capital sigma for final if any letter precedes it in the word, Python if the letter before it is one."""
    assert java(["d5\u03a35"]) == ["d5\u03c25"]
    assert PTB.lines(["d5\u03a35"]) == ["d5\u03c35"]


def test_columns_split_where_scorers_do() -> None:
    """A mixed number is one token with a no-break space, and two words to a scorer that splits at white space."""
    assert PTB.lines(["1 1/2 cups"]) == ["1\u00a01/2 cups"]
    assert PTB.tokens("1 1/2 cups, (small)") == ["1", "1/2", "cups", "-lrb-", "small", "-rrb-"]


def test_captions_do_not_touch() -> None:
    """Each caption has the tokens that it has alone, in a column with empty and wide ones."""
    texts = ["", "A dog.", "\U0001f600 x", "etc.", " ", "caf\u00e9", "b."]

    column = PTB.column(texts)

    assert [column[row] for row in range(len(column))] == [PTB.tokens(text) for text in texts]
    assert PTB.column([]).offsets.tolist() == [0]


def test_ids_go_on_from_a_vocabulary() -> None:
    """Tokens of a second column that the first one has share its ids."""
    first = PTB.column(["A red bus"])
    second = PTB.column(["the RED bus!"], first.vocabulary)

    assert second.ids[1:].tolist() == first.ids[1:].tolist()


def test_long_texts_take_time_in_proportion() -> None:
    """A text of 100,000 words is cut at once, and one without white space, in which an address may begin anywhere."""
    column = tokenizer("ptb").column(["It's a dog, " * 50_000])

    assert len(column.ids) == 200_000
    assert PTB.tokens("a;" * 100_000) == ["a"] * 100_000


def test_the_shipped_automaton_is_that_of_the_rules() -> None:
    """Building the rules anew gives the arrays that come with the package."""
    made = build([rule.pattern for rule in ptb_rules.RULES], ptb_rules.NAMES, ptb_rules.characters())

    shipped = automaton()
    assert np.array_equal(made.accepts[made.moves[0, made.classes]], shipped.accepts[shipped.moves[0, shipped.classes]])
    assert made.moves.shape == shipped.moves.shape
    assert np.array_equal(made.moves, shipped.moves)
    assert np.array_equal(made.accepts, shipped.accepts)
    assert np.array_equal(made.classes, shipped.classes)


def test_rules_and_scan_name_the_same_cuts() -> None:
    """The kernel's numbers for where a token ends are those of the rules."""
    from tertium.native.tokenizers import ptb_scan

    for name in ("BEFORE_APOSTROPHE", "BEFORE_SPACE", "BEFORE_DIGIT", "BEFORE_NOT"):
        assert getattr(ptb_scan, name) == getattr(ptb_rules, name)


@pytest.mark.parametrize("highest", [0xFF, 0x10FFFF], ids=["narrow", "wide"])
def test_remembered_words_have_the_tokens_that_the_rules_give(highest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no word is remembered and each is cut anew, captions have the tokens that they have else."""
    from tertium.native.tokenizers import ptb_scan

    rng = random.Random(11)
    texts = [rng.choice(["", " ", "\u00a0"]).join(rng.choices(PIECES, k=9)) for _ in range(200)] + invented(1_000, 12)
    texts += [text + end for text in texts for end in (" ", "  1/2", " The", "\n", ' x="y">')]
    texts = [text for text in texts if all(ord(unit) <= highest for unit in text)]
    assert len(texts) > 1_000
    remembered = PTB.column(texts), PTB.lines(texts)

    monkeypatch.setattr(ptb_scan, "MEMO", 1)
    anew = PTB.column(texts), PTB.lines(texts)

    assert np.array_equal(remembered[0].offsets, anew[0].offsets)
    assert [remembered[0][row] for row in range(len(texts))] == [anew[0][row] for row in range(len(texts))]
    assert remembered[1] == anew[1]


@pytest.mark.parametrize("wide", [False, True])
def test_words_are_told_apart_by_all_their_characters(wide: bool) -> None:
    """Words of one to forty characters that differ in one of them, or in length, have codes of their own or are not the same."""
    from tertium.native.interning import salt
    from tertium.native.tokenizers import ptb_scan

    whole = ("ab\xa0\x7fcdefg" * 4)[:39] + ("\u4e2d" if wide else "z")
    words = [whole[:length] for length in range(1, 41)] + [whole[-length:] for length in range(2, 40)]
    words += [word[:at] + "\xe4" + word[at + 1 :] for word in (whole, whole[:9]) for at in range(len(word))]
    column = text_column(["".join(word + " " for word in words), "".join(word + " " for word in words)])
    places = np.cumsum([0] + [len(word) + 1 for word in words * 2])[:-1]
    windows, lanes = windows_of(column.points, len(column.points)), ptb_scan.lanes(column.points.itemsize)

    found = [ptb_scan.word_code(windows, lanes, salt(), place) for place in places]

    assert [end - place for (end, _), place in zip(found, places, strict=True)] == [len(word) for word in words * 2]
    for one, (end, code) in enumerate(found):
        for other, (_, another) in enumerate(found):
            equal = words[one % len(words)] == words[other % len(words)]
            if code & ptb_scan.SHORT:
                assert (code == another) == equal
            else:
                assert ptb_scan.same(windows, lanes, places[one], end, places[other]) == equal
                assert code == another or not equal


def test_what_follows_a_space_counts_where_a_rule_asks_for_it() -> None:
    """A word that was cut before has other tokens where a rule looks beyond the space behind it."""
    assert PTB.tokens("etc. x etc. The 1 cup 1 1/2 U.S. x U.S. The") == (
        ["etc.", "x", "etc.", "the", "1", "cup", "1", "1/2", "u.s.", "x", "u.s.", "the"]
    )
    assert PTB.lines(["the Inc. a", "the Inc. The", "the Inc."]) == ["the inc. a", "the inc. the", "the inc."]
    assert PTB.lines(["x ~ a <b c <b c>", "x <b c"]) == ["x ~ a < b c <b\u00a0c>", "x < b c"]


def test_spaces_lead_to_white_space_alone() -> None:
    """No pattern goes on from a space with anything but white space, so that scanning may start behind it."""
    found = automaton()
    blank = found.moves[0, found.classes[0x20]]
    following = np.flatnonzero(found.moves[blank, found.classes] >= 0)

    assert ptb_rules.RULES[found.accepts[blank]].kind == ptb_rules.SKIP
    assert found.moves[blank, found.classes[0x20]] == blank
    assert all(chr(unit).isspace() for unit in following)


def test_patterns_that_cannot_be_read_are_refused() -> None:
    """A pattern with a bracket that is not closed, or with one too many, is an error."""
    for pattern in ("(a", "a)"):
        with pytest.raises(ValueError, match=r"bracket|read"):
            build([pattern], {}, {})


def test_the_longest_match_counts_and_then_the_first_pattern() -> None:
    """Of equally long matches the first pattern wins; a longer match wins over both."""
    made = build(["[a-c]+", "abc", "abcd", "x{2,3}|\\+?"], {}, {})

    def accepted(text: str) -> int:
        state = 0
        for unit in text:
            state = int(made.moves[state, made.classes[ord(unit)]])
        return int(made.accepts[state])

    assert [accepted(text) for text in ("abc", "abcd", "xx", "XXX", "x", "+")] == [0, 2, 3, 3, -1, 3]


def test_white_space_inside_a_token_parts_it_for_some_metrics_only() -> None:
    """COCO's BLEU and CIDEr part tokens at all white space; its ROUGE, and Meteor, part the line at spaces alone."""
    from tertium.native.tokenizers import ptb_lines

    text = "one 1\u00a01/2 a@b.cc\x1fx dog"
    split = tokenizer("ptb").tokens(text)
    whole = ptb_lines().tokens(text)

    assert split == ["one", "1", "1/2", "a@b.cc", "x", "dog"]
    assert whole == ["one", "1\u00a01/2", "a@b.cc\x1fx", "dog"]


def test_the_end_of_a_line_is_stripped() -> None:
    """White space at the end of a caption's last token goes with the end of its line, and elsewhere stays."""
    from tertium.native.tokenizers import ptb_lines

    column = ptb_lines().spans(["a@b.cc\x1f", "a@b.cc\x1f dog", "Dog dog", ""])

    assert [column[row] for row in range(4)] == [["a@b.cc"], ["a@b.cc\x1f", "dog"], ["dog", "dog"], []]


def test_rouge_reads_lines_as_coco_does() -> None:
    """Of two tokens against two, one in common: F is a half, though a fraction holds a no-break space."""
    found = tertium.score("rougeL(tokenizer=ptb)", tertium.Cases(["1\u00a01/2 dog"], [["1 dog"]]))

    assert found.value == 0.5

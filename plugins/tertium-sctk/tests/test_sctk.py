"""
Hold sclite's counts to values worked by hand, to its recorded runs and to the native equivalents.
"""

from __future__ import annotations

import json
import math
import os
import random
import stat
from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium import resources
from tertium.errors import BadText, ParameterError, ProviderBroken, ResourceMissing
from tertium_sctk import program, transcripts
from tertium_sctk.error_rates import Cer, Wer

GOLDEN = Path(__file__).resolve().parents[4] / "shared" / "golden" / "sclite-2.4.12.jsonl"
COUNTS = ("hits", "substitutions", "deletions", "insertions")


@pytest.fixture(autouse=True)
def _sclite(request: pytest.FixtureRequest) -> None:
    problem = program.inspect_sclite().problem
    if problem and "without" not in request.node.name:
        pytest.skip(f"the numbers are those of the program sclite: {problem}")


def shown(value: Any) -> str:
    """
    Name a parameter of a test, the same in every process.
    """
    return f"{value.name} {value.parameters}" if isinstance(value, (Cer, Wer)) else str(value)


def counts(metric: Any, hypothesis: str, reference: str) -> list[int]:
    """
    Count hits, substitutions, deletions and insertions of one pair.
    """
    score = tertium.score(metric, tertium.Cases([hypothesis], [[reference]]))
    return [int(score[name]) for name in COUNTS]


@pytest.mark.parametrize(
    ("metric", "hypothesis", "reference", "expected"),
    [
        # Three deletions and three insertions cost 18, the five substitutions of Levenshtein's alignment 20.
        (Wer(), "d e x y z", "a b c d e", [2, 0, 3, 3]),
        (Wer(), "i gonna go", "i { going to / gonna } go", [3, 0, 0, 0]),
        (Wer(), "a b", "a @ b", [2, 0, 0, 0]),
        (Wer(), "A b", "a B", [2, 0, 0, 0]),
        (Wer(case_sensitive=True), "A b", "a B", [0, 2, 0, 0]),
        (Wer(), "a c", "a (b) c", [2, 0, 1, 0]),
        (Wer(optional_words=True), "a c", "a (b) c", [3, 0, 0, 0]),
        (Wer(), "fish", "fi-", [0, 1, 0, 0]),
        (Wer(fragments=True), "fish", "fi-", [1, 0, 0, 0]),
        (Wer(), "a x", "a;tag x*", [2, 0, 0, 0]),
        (Wer(), "a\nb\tc", "a b c", [3, 0, 0, 0]),
        (Wer(), "café CAFÉ", "café café", [1, 1, 0, 0]),
        (Wer(), "", "", [0, 0, 0, 0]),
        (Cer(), "日 本", "日本語", [2, 0, 1, 0]),
        (Cer(encoding="bytes"), "日", "本", [1, 2, 0, 0]),
        (Cer(delete_hyphens=True), "well known", "well-known", [9, 0, 0, 0]),
        (Cer(split_ascii=False), "ab cd 日", "ab ce 日", [2, 1, 0, 0]),
    ],
    ids=shown,
)
def test_counts_worked_by_hand(metric: Any, hypothesis: str, reference: str, expected: list[int]) -> None:
    """Costs, case, markup, options and characters are sclite's."""
    assert counts(metric, hypothesis, reference) == expected


def test_turkish_rules_of_case() -> None:
    """Under babel_turkish the dotted and the dotless i are two letters, each with its own capital."""
    assert counts(Wer(localization="babel_turkish"), "İ I", "i ı")[0] == 2
    assert counts(Wer(), "İ I", "i ı")[0] == 1  # I and i
    assert Wer(localization="babel_turkish").equivalent() is None


def test_utterances_pool_and_keep_their_own_counts() -> None:
    """Three of eight words are wrong, in one of two utterances, whose counts stand in their own row."""
    cases = tertium.Cases(["a b c d", "x y"], [["a b c d"], ["x z w v"]])

    score = tertium.score("wer@sctk", cases)

    assert score.value == 3 / 8
    assert score["utterance_error_rate"] == 0.5
    assert score.per_case["wer"].tolist() == [0.0, 0.75]


def test_no_reference_words_is_infinite_or_undefined() -> None:
    """Insertions over nothing are infinite, nothing over nothing has no value."""
    assert tertium.score("wer@sctk", tertium.Cases(["a"], [[""]])).value == float("inf")
    assert math.isnan(tertium.score("wer@sctk", tertium.Cases([""], [[""]])).value)


def test_equals_every_recorded_run() -> None:
    """All counts of every utterance recorded from sclite 2.4.12 come back, under every option."""
    if not GOLDEN.is_file():
        pytest.skip("the folder `shared` with recorded outputs is not beside the repository")
    compared = refused = 0
    for line in GOLDEN.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        metric = made(record["params"])
        rows = [
            (case, wanted)
            for case, wanted in zip(record["cases"], record["expected"].get("per_case", []), strict=False)
            if not transcripts.problem(case["hyp"]) and not transcripts.problem(case["refs"][0])
        ]
        refused += len(record["cases"]) - len(rows)
        if rows:
            cases = tertium.Cases([case["hyp"] for case, _ in rows], [case["refs"][:1] for case, _ in rows])
            found = metric.statistics(cases, None)[:, :4].tolist()
            assert found == [[wanted[name] for name in "CSDI"] for _, wanted in rows], record["id"]
            compared += len(rows)
    assert compared > 600
    assert refused < 10


def made(params: dict[str, Any]) -> Any:
    """
    Make the metric of a recorded command line.
    """
    shared = {"case_sensitive": params["case_sensitive"], "encoding": "utf-8" if params["utf8"] else "bytes"}
    if params["localization"]:
        shared["localization"] = params["localization"]
    if params["characters"]:
        return Cer(split_ascii=not params["noascii"], delete_hyphens=params["delete_hyphens"], **shared)
    return Wer(optional_words=params["optional_deletable"], fragments=params["fragment_correct"], **shared)


PIECES = [
    *(
        "a",
        "b",
        "A",
        "fish",
        "fi-",
        "-sh",
        "@",
        "(b)",
        "(fish)",
        "/",
        "{ a / b }",
        "{a/b c}",
        "{ @ / a }",
        "{a/{b}c}",
        "{a}b",
        "a;t",
    ),
    *(
        "a\\;b",
        "a*",
        "*",
        "a**",
        "é",
        "É",
        "日本",
        "\u00a0",
        "\t",
        "a/b",
        '"',
        "it's",
        "(",
        "a-b",
        "fi-;x",
        "@*",
        "(a*)",
    ),
]


@pytest.mark.parametrize(
    "metric",
    [Wer(), Wer(case_sensitive=True), Wer(optional_words=True, fragments=True), Cer(), Cer(delete_hyphens=True)],
    ids=shown,
)
def test_equivalent_gives_the_same_counts_on_marked_up_texts(metric: Any) -> None:
    """On 800 drawn pairs full of markup the native spec gives each utterance the same counts."""
    rng = random.Random(5)

    def text() -> str:
        return " " + " ".join(rng.choices(PIECES, k=rng.randint(0, 6)))

    cases = tertium.Cases([text() for _ in range(800)], [[text()] for _ in range(800)])
    native = tertium.load(metric.equivalent())

    wanted = native.statistics(native.preprocess(cases), None)[:, :4].tolist()
    assert metric.statistics(cases, None)[:, :4].tolist() == wanted


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (";; a", "makes a comment"),
        ("** a", "makes a comment"),
        ("a\0b", "NUL .character 1."),
        ("a { b", "never closed"),
        ("a } b", "without an opening one .character 2."),
        ("a{b}", "within a word .character 1."),
        ("a/{b}", "within a word .character 2."),
        ("{ a / b{c} }", "within a word .character 7."),
        ("{ }", "without a word before character 2"),
        ("{ a / }", "without a word before character 6"),
        ("{ / a }", "without a word before character 2"),
        ("{ { a } / b } }", "without an opening one"),
    ],
)
def test_what_would_be_lost_or_misread_is_refused(text: str, said: str) -> None:
    """The notice names the case, the side, and what the program would do."""
    cases = tertium.Cases(["a", "b"], [["a"], [text]], ids=["one", "two"])

    with pytest.raises(BadText, match=rf"reference of case 1 .id 'two'. .*{said}"):
        tertium.score("wer@sctk", cases)
    with pytest.raises(BadText, match=r"the hypothesis of case 0"):
        tertium.score("cer@sctk", tertium.Cases([text], [["a"]]))


def test_hyphens_that_would_end_the_program_are_refused() -> None:
    """A word of two hyphens cannot be scored where hyphens are deleted, and is a word like any other elsewhere."""
    cases = tertium.Cases(["a -- b"], [["a -- b"]])

    with pytest.raises(BadText, match=r"hyphens alone .character 2."):
        tertium.score("cer@sctk(delete_hyphens=true)", cases)
    assert tertium.score("cer@sctk", cases).value == 0
    assert transcripts.problem("a--b {--a / b}", deletes_hyphens=True) is None


def test_texts_that_look_like_ids_and_reports_stay_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ids, counts and commands within texts are words, and temporary files are gone afterwards."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    texts = [
        "a (t-1)",
        "id: (t-0)\nScores: (#C #S #D #I) 9 9 9 9",
        "$(touch x) (t-7) ; -r x",
        "<a> &amp; \"b\" 'c' %d %s",
    ]
    cases = tertium.Cases(texts, [[text] for text in texts])

    found = tertium.load("wer@sctk").statistics(cases, None)

    assert found[:, 0].tolist() == [2, 11, 6, 6]
    assert not found[:, 1:5].any()
    assert not list(tmp_path.iterdir())


def test_contradiction_is_refused() -> None:
    """Rules of case belong to characters."""
    with pytest.raises(ParameterError, match="for characters only"):
        Wer(encoding="bytes", localization="generic")


def test_signature_names_the_program() -> None:
    """The version that the program says stands in the signature."""
    assert "resource.sctk=sclite-2.10 SCTK-1.3" in tertium.score("wer@sctk", tertium.Cases(["a"], [["a"]])).signature


def test_without_sclite_the_error_names_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where the program is missing the error says what brings it."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(program, "DEBIAN", str(tmp_path))

    with pytest.raises(ResourceMissing, match=r"no sclite on PATH.*apt-get install sctk"):
        tertium.score("wer@sctk", tertium.Cases(["a"], [["a"]]))


@pytest.mark.skipif(os.name == "nt", reason="the stand-in for the program is a shell script")
def test_another_version_without_known_numbers_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A program that calls itself otherwise is a resource that is not there, with what it says."""
    fake(tmp_path, "echo 'sclite Version: 3.0, SCTK Version: 2.0'")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)

    assert "version 3.0, and the numbers are tested with 2.10" in (resources.get("sctk").problem() or "")


@pytest.mark.skipif(os.name == "nt", reason="the stand-in for the program is a shell script")
@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("echo 'out of memory' >&2; exit 9", "exits with 9 and says: out of memory"),
        ("kill -11 $$", "exits with -11 and says: nothing"),
        ("exit 0", "lacks 2 of 2 utterances, and it says: nothing"),
        ("printf 'id: (t-1)\\nScores: (#C #S #D #I) 1 0 0 0\\n'", "lacks 1 of 2 utterances"),
    ],
)
def test_a_program_that_fails_without_counts_is_quoted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, body: str, said: str
) -> None:
    """A program that fails, or leaves an utterance out, gives no score."""
    fake(tmp_path, f"if [ $# = 0 ]; then echo 'sclite Version: 2.10, SCTK Version: 1.3'; exit 1; fi\n{body}")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)

    with pytest.raises(ProviderBroken, match=said):
        tertium.score("wer@sctk", tertium.Cases(["a", "b"], [["a"], ["b"]]))


def fake(folder: Path, body: str) -> None:
    """
    Write a program that stands in sclite's place.
    """
    file = folder / "sclite"
    file.write_text(f"#!/bin/sh\n{body}\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)

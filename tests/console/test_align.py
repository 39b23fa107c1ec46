"""
`tertium align`: what it shows of two texts and of a corpus, for people and for programs, and how it ends.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tertium.console import cli

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """
    Give a function that runs a command line in this process with the metrics that are installed.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    return lambda *words: CliRunner().invoke(cli, list(words))


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """
    Write three cases: one right, one with one error in four words, one with two errors in two.
    """
    (tmp_path / "hyp").write_text("a b\na b x d\nx y\n", encoding="utf-8")
    (tmp_path / "ref").write_text("a b\na b c d\na b\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_two_texts_stand_above_each_other(run: Run) -> None:
    """Units stand in columns, what is missing is dotted, and a line below marks every edit."""
    result = run("align", "the cat sat on the mat", "a cat sat down on mat")

    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "wer 0.5000, hits 4, substitutions 1, deletions 1, insertions 1",
        "ref the cat sat ···· on the mat",
        "hyp a   cat sat down on ··· mat",
        "    S           I       D",
        "",
        "S substitution, D deletion, I insertion",
    ]


def test_characters_are_aligned_by_width(run: Run) -> None:
    """Wide characters take two cells, and a space can be seen."""
    result = run("align", "日本 x", "日 x", "--metric", "cer")

    assert result.stdout.splitlines()[1:4] == ["ref 日本␣x", "hyp 日··␣x", "      D"]


def test_worst_cases_come_first(run: Run, corpus: Path) -> None:
    """--worst chooses the cases with the worst value, the worst one first."""
    result = run("align", "--hyp", "hyp", "--ref", "ref", "--worst", "2")

    titles = [line for line in result.stdout.splitlines() if line.startswith("case")]
    assert titles == [
        "case 2  wer 1.0000, hits 0, substitutions 2, deletions 0, insertions 0",
        "case 1  wer 0.2500, hits 3, substitutions 1, deletions 0, insertions 0",
    ]


def test_worst_of_a_metric_where_more_is_better_has_the_least(run: Run, corpus: Path) -> None:
    """For wip the worst case is the one that preserves least."""
    result = run("align", "--hyp", "hyp", "--ref", "ref", "--worst", "1", "--metric", "wip")

    assert result.stdout.startswith("case 2  wip 0.0000")


def test_case_is_chosen_by_id(run: Run, corpus: Path) -> None:
    """--case shows the named case, and an unknown id is an error that says how ids count."""
    result = run("align", "--hyp", "hyp", "--ref", "ref", "--case", "0")
    assert result.stdout.splitlines()[1:3] == ["ref a b", "hyp a b"]

    result = run("align", "--hyp", "hyp", "--ref", "ref", "--case", "9")
    assert result.exit_code == 2
    assert "none of the 3 cases has this id" in result.stderr


def test_json_holds_every_step_with_spans(run: Run) -> None:
    """--json prints the counts, the texts, and each step with the units that it covers on both sides."""
    result = run("align", "a b", "a x y", "--json")

    report = json.loads(result.stdout)
    (case,) = report["cases"]
    assert report["metric"] == "wer@native"
    assert (case["value"], case["outputs"]["insertions"], case["hypothesis"]) == (1.0, 1, "a x y")
    assert [step["operation"] for step in case["steps"]] == ["hit", "insertion", "substitution"]
    assert case["steps"][1] == {
        "operation": "insertion",
        "reference": None,
        "hypothesis": "x",
        "reference_span": [1, 1],
        "hypothesis_span": [1, 2],
    }


def test_the_reference_that_counts_is_shown(run: Run, corpus: Path) -> None:
    """Of several references the one is shown whose value counts."""
    (corpus / "other").write_text("c d\na b x d e\nx z\n", encoding="utf-8")
    result = run("align", "--hyp", "hyp", "--ref", "ref", "--ref", "other", "--json", "--worst", "3")

    cases = {case["id"]: case["reference"] for case in json.loads(result.stdout)["cases"]}
    assert cases == {"0": "a b", "1": "a b x d e", "2": "x z"}


def test_markup_is_aligned(run: Run) -> None:
    """With sclite's markup the best alternative is shown."""
    spec = "wer(split=ascii,costs=sclite,ties=sclite,markup=sclite)"
    result = run("align", "i { going to / gonna } go", "i gonna go", "--metric", spec)

    assert result.stdout.splitlines()[1:3] == ["ref i gonna go", "hyp i gonna go"]


def test_narrow_terminals_wrap_columns(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the width ends, both lines go on together below."""
    monkeypatch.setenv("COLUMNS", "40")
    words = " ".join(["word"] * 12)
    result = run("align", words, words)

    assert result.stdout.splitlines()[1:6] == [
        "ref " + " ".join(["word"] * 7),
        "hyp " + " ".join(["word"] * 7),
        "",
        "ref " + " ".join(["word"] * 5),
        "hyp " + " ".join(["word"] * 5),
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("one",), "one"),
        (("a", "b", "c"), "Give a reference and a hypothesis"),
        ((), "Give a reference and a hypothesis"),
        (("--hyp", "hyp"), "Add --ref FILE"),
        (("a", "b", "--worst", "1"), "it chooses cases of a corpus"),
        (("a", "b", "--metric", "bleu"), "it does not give one"),
        (("a", "b", "--metric", "wer:joined=true"), "a joined corpus has one alignment"),
    ],
)
def test_wrong_requests_say_what_to_do(run: Run, corpus: Path, words: tuple[str, ...], message: str) -> None:
    """What cannot be aligned is refused with a remedy, and without a traceback."""
    result = run("align", *words)

    assert result.exit_code in (2, 3)
    assert message in result.stderr
    assert "Traceback" not in result.stderr

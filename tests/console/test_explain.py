"""
`tertium explain`: what it shows for people and for programs, and how it ends.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tertium.console import cli

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """
    Give a function that runs a command line in this process with the metrics that are installed, in a folder with data.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "140")
    rows = [("s1", "no way", "no way"), ("s2", "we like it, here", "we like it, here"), ("s3", "The cat.", "the cat .")]
    lines = [json.dumps({"id": name, "hypothesis": left, "references": [right]}) for name, left, right in rows]
    (tmp_path / "data.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return lambda *words: CliRunner().invoke(cli, list(words))


def test_shares_stand_with_their_meaning_and_a_case(run: Run) -> None:
    """Each convention has its share, part of the gap, choices, a sentence and a case; the remainder is shown though 0."""
    result = run("explain", "bleu@nltk", "bleu@sacrebleu", "data.jsonl")

    assert result.exit_code == 0
    shown = result.stdout
    for name in ("tokenizer", "smoothing", "zero-precision", "short-segment-denominator", "scale"):
        assert re.search(rf"^{name} +\S+ +-?\d+\.\d %", shown, re.MULTILINE), name
        assert re.search(rf"^{name}  [A-Z].*\.$", shown, re.MULTILINE), name
    assert re.search(r"^remainder +0 ", shown, re.MULTILINE)
    assert "denominator_floor=case   denominator_floor=none" in shown
    assert "shown best by case s" in shown
    assert "scale: B writes 100 times the number that A writes" in shown


def test_printed_difference_is_scale_and_gap(run: Run) -> None:
    """Of the printed difference, what is scale and what is the gap sum up."""
    shown = run("explain", "bleu@nltk", "bleu@sacrebleu", "data.jsonl").stdout

    found = re.search(r"printed difference (\S+), (\S+) is scale and (\S+) is the gap", shown)
    assert found is not None
    printed, scale, gap = map(float, found.groups())
    assert printed == pytest.approx(scale + gap, abs=2e-4)


def test_json(run: Run) -> None:
    """One object at full precision, whose parts and remainder sum to the gap."""
    result = run("explain", "wer", "wer(case=lower,strip_punctuation=true)", "data.jsonl", "--json")

    report = json.loads(result.stdout)
    assert result.exit_code == 0
    assert set(report["parts"]) == {"case", "punctuation"}
    assert math.fsum(report["parts"].values()) + report["remainder"] == pytest.approx(report["gap"], abs=1e-12)
    assert report["conventions"][0]["axes"] == ["wer.case"]
    assert report["conventions"][0]["choices"] == {"case": ["sensitive", "lower"]}


def test_interactions_are_told(run: Run) -> None:
    """Two conventions that only work together are said to."""
    shown = run("explain", "exact-match", "wer", "data.jsonl")
    assert shown.exit_code == 2

    shown = run("explain", "wer", "wer(case=lower,strip_punctuation=true)", "data.jsonl")
    assert "beyond what each adds alone" not in shown.stdout  # each word has one of the two here

    Path("data.jsonl").write_text('{"hypothesis": "The.", "references": ["the"]}\n')
    shown = run("explain", "wer", "wer(case=lower,strip_punctuation=true)", "data.jsonl")
    assert "case and punctuation together add -1.000000 beyond what each adds alone" in shown.stdout


def test_sampled_shares_show_their_error(run: Run) -> None:
    """Beyond eight conventions every share stands with its standard error."""
    many = (
        "wer(split=unicode,case=lower,strip_punctuation=true,fold_quotes=true,strip_format=true,normalize=nfc,"
        "strip_hyphens=true,costs=sclite,ties=sclite)"
    )

    result = run("explain", "wer", many, "data.jsonl", "--orders", "8", "--seed", "1")

    assert result.exit_code == 0
    assert "± error" in result.stdout

    Path("data.jsonl").write_text('{"hypothesis": "The.", "references": ["the"]}\n')
    result = run("explain", "wer", many, "data.jsonl", "--orders", "40", "--seed", "1")
    assert "case and punctuation together add -1.000000 beyond what each adds alone" in result.stdout


def test_two_that_agree(run: Run) -> None:
    """Agreement is said, and what differs without effect has no share."""
    result = run("explain", "wer@jiwer", "wer(split=unicode)", "data.jsonl")

    assert result.exit_code == 0
    assert "The two give the same value on these cases." in result.stdout
    assert "no case shows it here" in result.stdout


def test_no_number_on_one_side(run: Run, tmp_path: Path) -> None:
    """Where one side has no value, the convention that decides it is named."""
    (tmp_path / "data.jsonl").write_text('{"hypothesis": "a", "references": [""]}\n', encoding="utf-8")

    result = run("explain", "wer", "wer(empty_reference=undefined)", "data.jsonl")

    assert result.exit_code == 0
    assert "decided by empty-reference" in " ".join(result.stdout.split())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("explain", "bleu@nltk(smoothing=method5)", "bleu", "data.jsonl"), "declares no native equivalent"),
        (("explain", "bleu", "chrf", "data.jsonl"), "measure different things"),
        (("explain", "bleu", "data.jsonl"), "takes two specs and a data file"),
    ],
    ids=str,
)
def test_usage_errors(run: Run, words: tuple[str, ...], said: str) -> None:
    """What cannot be explained is refused in one line that says what to do, with exit code 2."""
    result = run(*words)

    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stderr.count("\n") == 1

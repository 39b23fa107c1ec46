"""
`tertium diff`: what it shows for people and for programs, how it shrinks, and how it ends.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tertium.conformance.schemas import problem
from tertium.console import cli

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """
    Give a function that runs a command line in this process with the metrics that are installed.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    return lambda *words: CliRunner().invoke(cli, list(words))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """
    Write three cases, of which one hides a no-break space and one differs by case.
    """
    rows = [("s1", "a\u00a0b c", "a b c"), ("s2", "The cat", "the cat"), ("s3", "same", "same")]
    path = tmp_path / "data.jsonl"
    lines = [json.dumps({"id": name, "hypothesis": left, "references": [right]}) for name, left, right in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_it_shows_where_two_part(run: Run, data: Path) -> None:
    """Values, the gap, the number of cases, the columns and the case with its hidden space; the exit code is 1."""
    result = run("diff", "wer@jiwer", "wer(split=unicode)", "data.jsonl")

    assert result.exit_code == 1
    shown = result.stdout
    assert "A   wer@jiwer" in shown
    assert "B   wer@native(split=unicode)" in shown
    assert "B less A on their scale: -0.333333" in shown
    assert "1 of 3 cases differs" in shown
    assert "case s1  A 0.666667, B 0.000000; adds -0.333333 to the gap" in " ".join(shown.split("\n"))
    assert "hyp  a\\xa0b c" in shown
    assert "hyp as A cuts it  a\\xa0b | c" in shown
    assert "hyp as B cuts it  a | b | c" in shown
    assert "hits" in shown


def test_two_that_agree(run: Run, data: Path) -> None:
    """Agreement is said and exits with 0."""
    result = run("diff", "wer@jiwer", "wer", "data.jsonl")

    assert result.exit_code == 0
    assert "none of 3 cases differs" in result.stdout


def test_scales_are_brought_together(run: Run, data: Path) -> None:
    """A share and a percentage are compared on 0 to 1, and it is said."""
    result = run("diff", "exact-match", "exact-match(percent=true,normalizer=lowercase)", "data.jsonl")

    assert "B less A on one scale, 0–1: +0.333333" in result.stdout


def test_tolerance_decides_the_exit_code(run: Run, data: Path) -> None:
    """A gap of a third is within 0.34 and not within 0.33."""
    words = ("diff", "exact-match", "exact-match(normalizer=lowercase)", "data.jsonl", "--tolerance")

    assert run(*words, "0.34").exit_code == 0
    assert run(*words, "0.33").exit_code == 1


def test_top_limits_cases(run: Run, data: Path) -> None:
    """No more cases than asked for are shown."""
    words = ("diff", "cer", "cer(case=lower,normalize=nfkc)", "data.jsonl", "--top")

    assert run(*words, "1").stdout.count("to the gap") == 1
    assert run(*words, "2").stdout.count("to the gap") == 2
    assert "to the gap" not in run(*words, "0").stdout


def test_json(run: Run, data: Path) -> None:
    """One object at full precision, and nothing else on standard output."""
    result = run("diff", "wer@jiwer", "wer(split=unicode)", "data.jsonl", "--json")

    report = json.loads(result.stdout)
    assert result.exit_code == 1
    assert report["gap"] == pytest.approx(-1 / 3, abs=1e-15)
    assert (report["differing"], report["cases"]) == (1, 3)
    assert report["carriers"][0]["hypothesis"] == "a\u00a0b c"
    assert report["carriers"][0]["tokens"][0] == {"a": ["a\u00a0b", "c"], "b": ["a", "b", "c"]}


def test_shrink_ends_with_a_conformance_case(run: Run, data: Path) -> None:
    """The last line is the smallest input as a case of the suite, with the convention that explains it."""
    result = run("diff", "wer@jiwer", "wer(split=unicode)", "data.jsonl", "--shrink")

    case = json.loads(result.stdout.splitlines()[-1])
    assert result.exit_code == 1
    assert problem(case, "case") == ""
    assert case["axes"] == ["wer.word-split"]
    assert len(case["cases"]) == 1
    assert "\u00a0" in case["cases"][0]["hyp"] + case["cases"][0]["refs"][0]
    assert "the smallest input on which they differ" in result.stdout


def test_shrink_in_json(run: Run, data: Path) -> None:
    """The object carries the shrunk case and how many inputs were tried."""
    report = json.loads(run("diff", "wer@jiwer", "wer(split=unicode)", "data.jsonl", "--shrink", "--json").stdout)

    assert problem(report["shrunk"]["case"], "case") == ""
    assert report["shrunk"]["complete"] is True
    assert 0 < report["shrunk"]["calls"] <= 2000


def test_shrink_within_a_budget(run: Run, data: Path) -> None:
    """A budget ends the search, and it is said."""
    result = run("diff", "wer@jiwer", "wer(split=unicode)", "data.jsonl", "--shrink", "--budget", "2")

    assert "the smallest input found within the budget (2 inputs tried)" in result.stdout


def test_nothing_to_shrink(run: Run, data: Path) -> None:
    """Where the two agree, a note says that there is nothing to shrink."""
    result = run("diff", "wer@jiwer", "wer", "data.jsonl", "--shrink")

    assert result.exit_code == 0
    assert "nothing to shrink" in result.stderr


def test_no_value_on_one_side_is_the_finding(run: Run, tmp_path: Path) -> None:
    """A refusal of one side is told, and the exit code is 1."""
    (tmp_path / "hyp").write_text("a b\n")
    (tmp_path / "ref").write_text("\n")
    files = ("--hyp", "hyp", "--ref", "ref")

    result = run("diff", "wer", "wer(empty_reference=error)", *files)

    assert result.exit_code == 1
    assert "refuses these cases" in result.stdout
    assert "refused" in result.stdout
    assert json.loads(run("diff", "wer", "wer(empty_reference=infinity)", *files, "--json").stdout)["gap"] is None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("diff", "wer", "data.jsonl"), "takes two specs and a data file"),
        (("diff", "wer", "cer", "mer", "data.jsonl"), "takes two specs and a data file"),
        (("diff", "bleu", "chrf", "data.jsonl"), "measure different things"),
        (("diff", "wer@all", "wer", "data.jsonl"), "Name one provider here"),
        (("diff", "wer", "wer", "--hyp", "a", "--hyp", "b", "--ref", "c"), "one corpus at a time"),
        (("diff", "wer", "--hyp", "a", "--ref", "c"), "takes two specs"),
        (("diff", "wer", "wer(colour=red)", "data.jsonl"), "no parameter 'colour'"),
    ],
    ids=str,
)
def test_usage_errors(run: Run, data: Path, words: tuple[str, ...], said: str) -> None:
    """What is off with the request is told in one line, with exit code 2."""
    result = run(*words)

    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


def test_output_goes_to_a_file(run: Run, data: Path, tmp_path: Path) -> None:
    """The report can be written to a file, whole."""
    result = run("diff", "wer@jiwer", "wer", "data.jsonl", "--json", "--output", "out.json")

    assert (result.exit_code, result.stdout) == (0, "")
    assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["gap"] == 0


def test_hostile_texts_cannot_steer_the_terminal(run: Run, tmp_path: Path) -> None:
    """Escapes and markup in texts are shown, never obeyed."""
    row = {"hypothesis": "[red]A\x1b[31m", "references": ["[red]a\x1b[31m"]}
    (tmp_path / "data.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")

    shown = run("diff", "wer", "wer(case=lower)", "data.jsonl", "--shrink").stdout

    assert "\x1b" not in shown
    assert "[red]A\\x1b[31m" in shown

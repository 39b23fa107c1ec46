"""
`tertium conform`: selection, groups, exit codes, files.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from miniatures.conformance import MINIATURES, ROWS, case_line
from tertium import registry
from tertium.console import cli

SAMPLE = Path(__file__).resolve().parents[1] / "conformance" / "data" / "sample-report.jsonl"

Conform = Callable[..., Result]


@pytest.fixture
def conform(install: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Conform:
    """
    Give a function that runs the command on three cases, with a misbehaving plugin installed.
    """
    install("miniature", MINIATURES)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TERTIUM_PLUGINS", "native,miniature")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(registry, "_registry", None)
    lines = [json.dumps(case_line(**row)) + "\n" for row in ROWS]
    Path("made.jsonl").write_text("".join(lines), encoding="utf-8")
    Path("none.toml").write_text("", encoding="utf-8")

    def call(*words: str) -> Result:
        return CliRunner().invoke(cli, ["conform", "--cases", "made.jsonl", "--divergences", "none.toml", *words])

    return call


def test_agreement_exits_with_0(conform: Conform) -> None:
    """Counts by provider and of all are printed, and nothing else."""
    result = conform("native", "sound")

    assert result.exit_code == 0
    assert "sound" in result.stdout
    assert "3 cases, 6 results: 6 agrees, 0 explained, 0 unexplained, 0 error, 0 skipped in" in result.stdout


def test_unexplained_exits_with_1_and_prints_the_command(conform: Conform) -> None:
    """What is unexplained is named with its reason and the command that shows it alone."""
    result = conform("silent")

    assert result.exit_code == 1
    assert "unexplained: case exact-match@silent: it parts from textbook: 1.0 against 0.0" in result.stdout
    assert "$ tertium conform silent --case case --cases made.jsonl" in result.stdout


def test_broken_provider_exits_with_1(conform: Conform) -> None:
    """A crash is an error, and what was printed before is shown."""
    result = conform("prints", "raises", "--case", "right")

    assert result.exit_code == 1
    assert "error: right exact-match@raises: " in result.stdout
    assert "no such word" in result.stdout


def test_one_case_is_shown_in_full(conform: Conform) -> None:
    """--case shows input, expectation and outcomes."""
    result = conform("folds", "--case", "case")

    assert result.exit_code == 0
    assert 'hypothesis "A", references ["a"]' in result.stdout
    assert "folds: explained: 1.0 (exact_match 1.0)  exact-match@folds" in result.stdout
    assert "equivalent agrees" in result.stdout


def test_groups_of_those_that_agree(conform: Conform) -> None:
    """--only-disagreements lists cases with more than one group, --odd-one-out those with one against many."""
    apart = conform("native", "sound", "folds", "--only-disagreements")
    odd = conform("native", "sound", "folds", "--odd-one-out")
    even = conform("native", "folds", "--odd-one-out")

    for result in (apart, odd):
        assert "case: A title\n    0.0: native, sound\n    1.0: folds" in result.stdout
        assert "right: A title" not in result.stdout
    assert "A title" not in even.stdout


def test_explained_can_be_listed(conform: Conform) -> None:
    """--explained lists what has a reason, with the axes."""
    result = conform("folds", "--explained")

    assert result.exit_code == 0
    assert "explained: case exact-match@folds: " in result.stdout
    assert "normalizer" in result.stdout


def test_stale_entry_exits_with_1(conform: Conform) -> None:
    """A known difference that is none any more is an error."""
    Path("none.toml").write_text(
        '[[divergence]]\nprovider = "sound"\nagainst = "native"\ncases = ["right"]\naxis = "fault"\n'
        'reason = "r"\nevidence = "e"\n',
        encoding="utf-8",
    )
    result = conform("sound")

    assert result.exit_code == 1
    assert "stale: entry 1 of divergences.toml: sound does not part from native on right" in result.stdout


def test_report_is_written_shown_again_and_resumed(conform: Conform) -> None:
    """-o writes the report, --from shows it without running, --resume of a complete one changes no result."""
    first = conform("sound", "-o", "r.jsonl")
    again = conform("--from", "r.jsonl")
    resumed = conform("sound", "-o", "r.jsonl", "--resume")

    assert (first.exit_code, again.exit_code, resumed.exit_code) == (0, 0, 0)
    assert "3 cases, 3 results: 3 agrees" in again.stdout
    assert "3 cases, 3 results: 3 agrees" in resumed.stdout


def test_stored_results_show_drift_to_another_version(conform: Conform) -> None:
    """Results stored under another version are compared with and told."""
    conform("silent", "--save-recorded", "stored")
    file = Path("stored/silent-1.0.jsonl")
    text = file.read_text(encoding="utf-8").replace('"version": "1.0"', '"version": "0.8"')
    text = text.replace('"value": 1.0, "unit": 1.0', '"value": 0.5, "unit": 0.5')
    Path("stored/silent-0.8.jsonl").write_text(text, encoding="utf-8")
    same = conform("silent", "--recorded", "stored", "--case", "right")
    file.unlink()
    other = conform("silent", "--recorded", "stored")

    assert "drift" not in same.stdout
    assert "drift: right exact-match@silent: 1.0 against 0.5" in other.stdout
    assert "silent against its stored version 0.8: 2 of 3 results changed" in other.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--tag", "cass"], "--tag cass: no case has it; there are 1: case. Did you mean case?"),
        (["--case", "rigth"], "--case rigth: no case has it; there are 3: case, right, wrong. Did you mean right?"),
        (["--metric", "exact-matsch"], "Did you mean exact-match?"),
        (["--metric", "bleu"], "cases were selected: none has this metric and these tags"),
        (["--resume"], "--resume: no report is named. Add -o FILE"),
        (["nobody"], "nobody"),
        (["-o", "nowhere/r.jsonl"], "writing to nowhere/r.jsonl: there is no folder"),
    ],
)
def test_wrong_requests_exit_with_2(conform: Conform, words: list[str], message: str) -> None:
    """What cannot be meant is refused before anything runs, with the next step."""
    result = conform(*words)

    assert result.exit_code == 2
    assert message in result.stderr


def test_malformed_cases_exit_with_3(conform: Conform) -> None:
    """A broken file of cases is named with line and path."""
    with Path("made.jsonl").open("a", encoding="utf-8") as target:
        target.write('{"id": 5}\n')
    result = conform("sound")

    assert result.exit_code == 3
    assert "made.jsonl:4: $ has no 'family'" in result.stderr


def test_incomplete_report_exits_with_3(conform: Conform, tmp_path: Path) -> None:
    """A report without its footer is refused."""
    lines = SAMPLE.read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "cut.jsonl").write_text("".join(lines[:-1]), encoding="utf-8")
    result = conform("--from", "cut.jsonl")

    assert result.exit_code == 3
    assert "the footer is missing" in result.stderr

"""
`tertium conform --html`, and the table of conventions that every run is held to.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tertium.conformance import convention_table
from tertium.console import cli

SAMPLE = Path(__file__).resolve().parents[1] / "conformance" / "data" / "sample-report.jsonl"


def conform(*words: str) -> Result:
    return CliRunner().invoke(cli, ["conform", *words])


def test_html_writes_the_page_of_a_report(tmp_path: Path) -> None:
    """--html writes the matrix of the report, what is said of its conventions included."""
    page = tmp_path / "matrix.html"

    conform("--from", str(SAMPLE), "--html", str(page))

    text = page.read_text(encoding="utf-8")
    data = json.loads(text.split('id="data">')[1].split("</script>")[0])
    lines = [json.loads(line) for line in SAMPLE.read_text(encoding="ascii").splitlines()]
    assert [one["id"] for one in data["cases"]] == [line["id"] for line in lines if line["line"] == "case"]
    assert data["meanings"]["bleu.scale"] == "Whether a perfect score is written as 1 or as 100."


def test_html_in_no_folder_is_refused_before_anything_runs(tmp_path: Path) -> None:
    """A place that cannot be written to is an error at once."""
    result = conform("--html", str(tmp_path / "nowhere" / "matrix.html"))

    assert result.exit_code == 2
    assert "there is no folder" in result.stderr


def test_a_claim_that_does_not_hold_fails_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run whose outcomes contradict the table of conventions says which cell and exits with 1."""
    lines = [
        {"line": "family", "family": "wer", "title": "WER", "implementations": {"jiwer": {}}},
        {
            "line": "axis",
            "id": "wer.scale",
            "family": "wer",
            "meaning": "How it is written.",
            "values": [{"says": "x", "by": {"jiwer": {"shows": {"mer-reference-empty": 0.25}}}}],
        },
    ]
    file = tmp_path / "table.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    table = convention_table.load_conventions(file)
    monkeypatch.setattr(convention_table, "load_conventions", lambda: table)

    result = conform("jiwer", "--metric", "mer")

    assert result.exit_code == 1
    assert "convention wer.scale: jiwer gives 1.0 on mer-reference-empty, not 0.25" in " ".join(result.stdout.split())

"""
Reports: complete ones are read, all others are refused with the reason.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tertium.conformance.report_file import read_interrupted, read_report, write_report
from tertium.errors import DataError, FormatError

SAMPLE = Path(__file__).parent / "data" / "sample-report.jsonl"


@pytest.fixture
def lines() -> list[dict[str, Any]]:
    """
    Give the lines of a small complete report.
    """
    return [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def written(tmp_path: Path) -> Callable[[list[dict[str, Any]]], Path]:
    """
    Give a function that writes lines into a file.
    """

    def write(lines: list[dict[str, Any]]) -> Path:
        file = tmp_path / "report.jsonl"
        file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        return file

    return write


def test_report_reads_back_as_it_was_written(tmp_path: Path) -> None:
    """Writing what was read gives the same bytes."""
    report = read_report(SAMPLE)
    write_report(tmp_path / "again.jsonl", report)

    assert (tmp_path / "again.jsonl").read_bytes() == SAMPLE.read_bytes()
    assert report.counts == {"agrees": 7, "explained": 1, "unexplained": 0, "error": 1, "skipped": 1}
    found = report.result("1-1-ribes-lowercase", "nltk")
    assert found is not None
    assert found.verdict == "explained"
    assert report.result("1-1-ribes-lowercase", "sacrebleu") is None


def test_report_without_its_footer_is_incomplete(lines: list[dict[str, Any]], written: Any) -> None:
    """An interrupted run is refused with the way to go on, and can be read as far as it goes."""
    file = written(lines[:-1])

    with pytest.raises(FormatError, match=r"footer is missing.*--resume"):
        read_report(file)
    assert len(read_interrupted(file).results) == 10


def test_line_that_was_cut_off_is_left_out_when_resuming(lines: list[dict[str, Any]], written: Any) -> None:
    """Half a line is refused in a complete report and forgotten in an interrupted one."""
    file = written(lines[:-2])
    with file.open("a", encoding="utf-8") as target:
        target.write(json.dumps(lines[-2])[:50])

    with pytest.raises(FormatError, match="cut off"):
        read_report(file)
    assert len(read_interrupted(file).results) == 9


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda lines: lines[1:], "header is missing"),
        (lambda lines: [lines[0], *lines], "second header"),
        (lambda lines: [*lines[:-1], lines[-2], lines[-1]], "stands twice"),
        (lambda lines: [lines[0], lines[1], *lines[1:]], "stands twice"),
        (lambda lines: [lines[0], *lines[2:]], "no case '8-1-bleu1-output-b' stands before"),
        (lambda lines: [*lines, lines[-1]], "after the footer"),
        (lambda lines: [*lines[:-2], lines[-1]], "counts 4 cases and 10 results, there are 4 and 9"),
        (lambda lines: [{**lines[0], "format": "tertium-conformance/9"}, *lines[1:]], r"\$\.format is"),
        (lambda lines: [*lines[:-2], {**lines[-2], "verdict": "perhaps"}, lines[-1]], r"\$\.verdict is"),
        (lambda lines: lines[:0], "no header"),
    ],
)
def test_broken_reports_are_refused(lines: list[dict[str, Any]], written: Any, change: Any, words: str) -> None:
    """Each way to be broken has its message."""
    with pytest.raises(FormatError, match=words):
        read_report(written(change(lines)))


def test_missing_report_is_said(tmp_path: Path) -> None:
    """A file that is not there is a data error."""
    with pytest.raises(DataError, match="cannot be read"):
        read_report(tmp_path / "none.jsonl")

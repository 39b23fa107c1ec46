"""
README's summary of the matrix.
"""

from __future__ import annotations

from summary import README, in_readme, summary
from tertium.conformance.recorded import load_recorded


def test_readme_has_the_summary_of_the_stored_reports() -> None:
    """README's table is the one that the stored reports give; `python conformance/summary.py --write` renews it."""
    text = README.read_text(encoding="utf-8")

    assert summary() in text
    assert in_readme(text) == text


def test_summary_adds_up() -> None:
    """The last row is the sum of all results that are stored, none of which is unexplained or an error."""
    stored = [report for versions in load_recorded().reports.values() for report in versions.values()]
    *_, last = summary().splitlines()
    together = [int(cell) for cell in last.strip("| ").split("|")[2:]]

    assert sum(together) == sum(len(report.results) for report in stored)
    assert together[2:4] == [0, 0]

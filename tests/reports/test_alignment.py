"""
Drawings of alignments: widths, what cannot be seen otherwise, and lines that are too narrow.
"""

from __future__ import annotations

import pytest

from tertium.reports.alignment import Alignment, heading, shown
from tertium.reports.terminal import render


def drawn(steps: list[tuple[str, str | None, str | None]], joined: bool = False) -> list[str]:
    """
    Draw steps for a file.
    """
    return render(Alignment(steps, joined)).splitlines()


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        ("a", "a"),
        (" ", "␣"),
        ("", '""'),
        ("\t", "\\t"),
        ("\u00a0", "\\xa0"),
        ("\u3000", "\\u3000"),
        ("\u200b", "\\u200b"),
        ("\u0301", "\u25cc\u0301"),
        ("\x1b[31m", "\\x1b[31m"),
        ("👩\u200d👧", "👩\u200d👧"),
    ],
)
def test_units_can_be_seen(unit: str, expected: str) -> None:
    """White space and invisible characters are written out, a lone mark gets a circle, and joiners in emoji stay."""
    assert shown(unit) == expected


def test_columns_are_as_wide_as_a_terminal_shows_them() -> None:
    """A wide character takes two cells, a combining mark none, and what is missing is as long as its partner."""
    steps = [
        ("substitution", "日本", "x"),
        ("hit", "e\u0301", "e\u0301"),
        ("insertion", None, "new"),
        ("hit", "z", "z"),
    ]

    assert drawn(steps) == ["ref 日本 e\u0301 ··· z", "hyp x    e\u0301 new z", "    S      I"]


def test_all_hits_need_no_line_of_marks() -> None:
    """Without an edit there are two lines."""
    assert drawn([("hit", "a", "a")]) == ["ref a", "hyp a"]


def test_no_units_are_said_in_words() -> None:
    """Two empty sides are said to be empty."""
    assert drawn([]) == ["(both sides are empty)"]


def test_a_unit_wider_than_the_line_goes_on_below(monkeypatch: pytest.MonkeyPatch) -> None:
    """A unit that is wider than the line is cut, and no line is longer than the width."""
    monkeypatch.setenv("COLUMNS", "40")

    lines = drawn([("substitution", "x" * 50, "日" * 30)])

    assert max(len(line) for line in lines) <= 40
    assert sum(line.count("x") for line in lines) == 50
    assert sum(line.count("日") for line in lines) == 30


def test_heading_is_one_safe_line() -> None:
    """Control characters in a title are visible."""
    assert render(heading("case \x1b1  ", [("wer", "0.5")])) == "case \\x1b1  wer 0.5\n"

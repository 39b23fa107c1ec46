"""
Drawing for a terminal, a pipe or a file.
"""

from __future__ import annotations

import io

import pytest

from tertium.reports.terminal import grid, render, say


class Screen(io.StringIO):
    """Pass for a terminal."""

    encoding = "utf-8"  # type: ignore[assignment]

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take away what changes colours."""
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")


def test_colour_is_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal gets styles, a pipe and a file do not, and NO_COLOR is obeyed."""
    assert "\x1b[1m" in render(say("x", "bold"), stream=Screen())
    assert render(say("x", "bold"), stream=io.StringIO()) == "x\n"
    assert render(say("x", "bold")) == "x\n"
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[31" not in render(say("x", "red"), stream=Screen())


def test_text_is_never_markup() -> None:
    """Square brackets, emoji names and control characters come out as they are or visible."""
    for part in (say("[red]a[/] :smile: \x1b[1m"), "[red]a[/] :smile: \x1b[1m"):
        assert render(part) == "[red]a[/] :smile: \\x1b[1m\n"


def test_plain_texts_are_never_wrapped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A signature stays on one line however narrow the place is, so that it can be copied."""
    monkeypatch.setenv("COLUMNS", "40")

    assert render("word " * 40 + "end") == "word " * 40 + "end\n"


def test_nothing_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cell that is wider than the place is folded, not shortened."""
    monkeypatch.setenv("COLUMNS", "40")
    table = grid("name")
    table.add_row(say("x" * 100))

    assert render(table).count("x") == 100


def test_a_pipe_has_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Away from a terminal COLUMNS decides, and 120 columns are the rule."""
    table = grid("name")
    table.add_row(say("x " * 100))

    assert 120 >= max(map(len, render(table).splitlines())) > 100
    monkeypatch.setenv("COLUMNS", "60")
    assert 60 >= max(map(len, render(table).splitlines())) > 50


def test_no_spaces_hang_at_line_ends() -> None:
    """Lines do not end in spaces."""
    table = grid("a", "b")
    table.add_row(say("long cell"), say("x"))
    table.add_row(say("s"), say(""))

    assert all(line == line.rstrip() for line in render(table).splitlines())

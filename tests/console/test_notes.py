"""
Notes and progress on standard error.
"""

from __future__ import annotations

import io
import logging
import sys
import time
import warnings

import pytest

from tertium.console import notes
from tertium.console.notes import Notes, Progress


def test_a_note_is_one_line_and_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    """Equal notes are printed once, on one line, without control characters."""
    made = Notes()

    made.say("two\nlines \x1b[1m")
    made.say("two lines \x1b[1m")
    made.say("another")

    assert capsys.readouterr().err == "note: two lines \\x1b[1m\nnote: another\n"


def test_warnings_are_as_before_afterwards() -> None:
    """Listening ends with the block: warnings go where they went before."""
    before = warnings.showwarning

    with Notes().listening():
        assert warnings.showwarning is not before

    assert warnings.showwarning is before


def test_deprecations_are_for_developers(capsys: pytest.CaptureFixture[str]) -> None:
    """Deprecation warnings of libraries are no notes."""
    with Notes().listening():
        warnings.warn("old", DeprecationWarning, stacklevel=1)

    assert capsys.readouterr().err == ""


class Terminal(io.StringIO):
    """Pass for a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("terminal", "shown"), [(True, True), (False, False)])
def test_progress_shows_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch, terminal: bool, shown: bool) -> None:
    """Work that takes its time shows a bar with its label and size on a terminal, and nothing anywhere else."""
    stream = Terminal() if terminal else io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(notes, "PATIENCE", 0.0)
    monkeypatch.setenv("TERM", "xterm")

    with Progress("counting [bold]", 2000) as progress:
        deadline = time.monotonic() + 5
        while terminal and "counting" not in stream.getvalue() and time.monotonic() < deadline:
            time.sleep(0.01)
        progress(1000, 2000)
        progress(2000, 2000)

    assert shown == ("counting [bold]" in stream.getvalue())
    assert shown == ("2,000 cases" in stream.getvalue())


def test_progress_names_what_it_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work of several parts says of each what its steps are."""
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(notes, "PATIENCE", 0.0)
    monkeypatch.setenv("TERM", "xterm")

    with Progress("audit", 200, "probes") as progress:
        deadline = time.monotonic() + 5
        while "200 probes" not in stream.getvalue() and time.monotonic() < deadline:
            time.sleep(0.01)
        progress(3, 44, "conformance cases")

    assert "200 probes" in stream.getvalue()
    assert "3 of 44 conformance cases" in stream.getvalue()


def test_short_work_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work that is done at once leaves the terminal alone."""
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)

    with Progress("counting", 1) as progress:
        progress(1, 1)

    assert stream.getvalue() == ""


def test_own_messages_have_one_name(capsys: pytest.CaptureFixture[str]) -> None:
    """What tertium logs begins with its name once, what others log with theirs."""
    with Notes().listening():
        logging.getLogger("tertium").warning("tertium: %s", "compiled code is not kept")
        logging.getLogger("some.library").warning("is old")

    assert capsys.readouterr().err == "note: tertium: compiled code is not kept\nnote: some.library: is old\n"

"""
Tell on standard error what a person should know beside the result: notes, warnings of libraries, progress.
"""

from __future__ import annotations

import contextlib
import logging
import sys
import threading
import warnings
from collections.abc import Iterator
from typing import Any

import click

from tertium.reports.text import visible

PATIENCE = 0.7
"""Seconds of work before a progress bar shows."""


class Notes:
    """
    Print each note once, as one line on standard error.
    """

    def __init__(self) -> None:
        self._said: set[str] = set()

    def say(self, message: str) -> None:
        """
        Print a note, unless the same one was printed before.
        """
        line = visible(" ".join(message.split()))
        if line and line not in self._said:
            self._said.add(line)
            click.echo(click.style(f"note: {line}", dim=True), err=True)

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        """
        Turn what libraries warn about, log or print into notes while the work in the block runs.

        Standard output stays free for the result: what a library prints there goes to standard error.
        """
        handler = _Handler(self)
        root = logging.getLogger()
        with warnings.catch_warnings(), contextlib.redirect_stdout(sys.stderr):
            warnings.simplefilter("default")
            warnings.filterwarnings("ignore", category=DeprecationWarning)
            warnings.filterwarnings("ignore", category=PendingDeprecationWarning)
            warnings.showwarning = lambda message, *_, **__: self.say(str(message))
            root.addHandler(handler)
            try:
                yield
            finally:
                root.removeHandler(handler)


class _Handler(logging.Handler):
    def __init__(self, notes: Notes) -> None:
        super().__init__(logging.WARNING)
        self._notes = notes

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        # tertium's own messages begin with its name, for those who have no handler.
        named = message.startswith(f"{record.name}: ")
        self._notes.say(message if named else f"{record.name}: {message}")


class Progress:
    """
    Show how far work has come, on a terminal only and only once it takes its time.

    Args:
        label: What is being done.
        total: Steps.
        unit: What the steps are.
    """

    def __init__(self, label: str, total: int, unit: str = "cases") -> None:
        self._label, self._total, self._done, self._unit = visible(label), total, 0, unit
        self._lock = threading.Lock()
        self._bar: Any = None
        self._timer: threading.Timer | None = None
        self._ended = False

    def __enter__(self) -> Progress:
        if sys.stderr is not None and sys.stderr.isatty():
            self._timer = threading.Timer(PATIENCE, self._show)
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._ended = True
            if self._timer is not None:
                self._timer.cancel()
            if self._bar is not None:
                self._bar.stop()

    def __call__(self, done: int, total: int, unit: str | None = None) -> None:
        """
        Note that ``done`` of ``total`` steps are done; work of several parts names the ``unit`` of each.
        """
        with self._lock:
            self._done, self._total, self._unit = done, total, unit or self._unit
            if self._bar is not None:
                self._bar.update(self._bar.task_ids[0], completed=done, total=total, size=total, unit=self._unit)

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bar

        with self._lock:
            if self._ended:
                return
            self._bar = Bar(
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                TextColumn("{task.completed:,.0f} of {task.fields[size]:,} {task.fields[unit]}", markup=False),
                TimeElapsedColumn(),
                console=Console(stderr=True, markup=False, highlight=False, emoji=False),
                transient=True,
                redirect_stdout=False,
                redirect_stderr=True,
            )
            # Nothing is known about the first chunk until it is done: the bar pulses until then.
            known = self._total if self._done else None
            self._bar.add_task(self._label, total=known, completed=self._done, size=self._total, unit=self._unit)
            self._bar.start()

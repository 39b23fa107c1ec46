"""
Draw with rich what fits the place where it is shown, without letting any text be read as markup.
"""

from __future__ import annotations

import io
import os
from typing import IO, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tertium.reports.text import visible

WIDE = 120
"""Columns of a table that goes to a file or a pipe, unless COLUMNS says otherwise."""


def say(text: str, style: str = "") -> Text:
    """
    Return a text for a table or a paragraph: control characters visible, nothing read as markup.
    """
    return Text(visible(text), style=style)


def grid(*columns: str, right: tuple[str, ...] = (), title: str | None = None) -> Table:
    """
    Return an empty table in the one style that all commands use.

    Args:
        columns: Headings.
        right: Those of the headings whose cells stand at the right.
    """
    from rich import box

    table = Table(
        box=box.SIMPLE_HEAD,
        title=say(title, "bold") if title else None,
        title_justify="left",
        title_style="",
        header_style="bold",
        pad_edge=False,
        padding=(0, 1),
        show_edge=False,
    )
    for heading in columns:
        table.add_column(say(heading), justify="right" if heading in right else "left", overflow="fold")
    return table


def render(*parts: Any, stream: IO[str] | None = None) -> str:
    """
    Draw parts one below the other, in colour and as wide as the terminal where the stream is one.

    Args:
        parts: What rich can draw; a plain ``str`` is written as it is, never wrapped, so that it can be copied.
        stream: Where the result will be shown; None for a file.
    """
    terminal = stream is not None and stream.isatty()
    target = _Target(stream)
    console = Console(
        file=target,
        # A file stays plain whatever FORCE_COLOR says; a pipe obeys it.
        force_terminal=False if stream is None else terminal or None,
        color_system=None if stream is None else "auto",
        width=None if terminal else _columns(),
        markup=False,
        emoji=False,
        highlight=False,
    )
    for part in parts:
        if isinstance(part, str):
            console.print(say(part), soft_wrap=True)
        else:
            console.print(part, soft_wrap=isinstance(part, Text))
    lines = target.getvalue().split("\n")
    return "\n".join(line.rstrip(" ") for line in lines)


def _columns() -> int:
    given = os.environ.get("COLUMNS", "")
    return max(40, int(given)) if given.isascii() and given.isdigit() else WIDE


class _Target(io.StringIO):
    # Rich decides about boxes by the encoding of its file, which here stands for the stream that comes after.
    def __init__(self, stream: IO[str] | None) -> None:
        super().__init__()
        self._encoding = getattr(stream, "encoding", None) or "utf-8"

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding

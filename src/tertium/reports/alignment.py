"""
Draw an alignment: the reference above the hypothesis, unit by unit, with what differs marked and in colour.

Columns are as wide as a terminal shows their texts: wide characters take two cells, combining marks none.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from tertium.reports.text import escape, visible

_STYLES = {"hit": "", "substitution": "bold yellow", "insertion": "bold green", "deletion": "bold red"}
_MARKS = {"hit": "", "substitution": "S", "insertion": "I", "deletion": "D"}
_LABELS = ("ref ", "hyp ", "    ")
_ABSENT = "·"
_CIRCLE = "\u25cc"

Step = tuple[str, str | None, str | None]
"""An operation with the units on both sides, None where there is none."""


@dataclass(frozen=True)
class Alignment:
    """
    Draw the steps of one alignment in as many lines as the width asks for.

    Args:
        steps: Operation, reference's unit and hypothesis's unit of each step.
        joined: Whether units stand side by side (characters) or a space apart (words).
    """

    steps: Sequence[Step]
    joined: bool = False

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """
        Yield the lines.
        """
        if not self.steps:
            yield Text("(both sides are empty)", style="dim")
        for number, columns in enumerate(self._rows(max(options.max_width, 20) - len(_LABELS[0]))):
            if number:
                yield Text("")
            yield from self._lines(columns)

    def _rows(self, width: int) -> Iterator[list[tuple[str, str, str, int]]]:
        gap = 0 if self.joined else 1
        row: list[tuple[str, str, str, int]] = []
        used = 0
        for operation, reference, hypothesis in self.steps:
            left = _ABSENT if reference is None else shown(reference)
            right = _ABSENT if hypothesis is None else shown(hypothesis)
            for above, below in _folded(left, right, width):
                size = max(cell_len(above), cell_len(below), 1)
                if row and used + gap + size > width:
                    yield row
                    row, used = [], 0
                used += size + (gap if row else 0)
                row.append((operation, above, below, size))
        if row:
            yield row

    def _lines(self, columns: Sequence[tuple[str, str, str, int]]) -> Iterator[Text]:
        lines = [Text(label, style="", no_wrap=True, overflow="crop") for label in _LABELS]
        for line in lines[:2]:
            line.stylize("dim")
        for number, (operation, above, below, size) in enumerate(columns):
            gap = " " if number and not self.joined else ""
            style = _STYLES[operation]
            for line, text in zip(lines, (above, below, _MARKS[operation]), strict=True):
                filler = _ABSENT if text == _ABSENT else " "
                line.append(gap)
                line.append(text + filler * (size - cell_len(text)), style="dim" if text == _ABSENT else style)
        for line in lines:
            line.rstrip()
        yield lines[0]
        yield lines[1]
        if lines[2].plain.strip():
            yield lines[2]


def shown(unit: str) -> str:
    """
    Write a unit so that it can be seen: a space as ``␣``, other white space and invisible characters as escapes, a
    lone combining mark on a dotted circle, an empty word as ``""``.
    """
    if unit == "":
        return '""'
    if unit == " ":
        return "␣"
    text = "".join(_escaped(character) for character in visible(unit))
    return _CIRCLE + text if unicodedata.combining(text[0]) or cell_len(text) == 0 else text


def _escaped(character: str) -> str:
    hidden = character.isspace() or unicodedata.category(character) in ("Cf", "Zs")
    return escape(character) if hidden and character not in "\u200c\u200d" else character


def _folded(above: str, below: str, width: int) -> Iterable[tuple[str, str]]:
    # A unit wider than the whole line goes on in the next.
    while cell_len(above) > width or cell_len(below) > width:
        upper, above = _cut(above, width)
        lower, below = _cut(below, width)
        yield upper, lower
    yield above, below


def _cut(text: str, width: int) -> tuple[str, str]:
    used = 0
    for place, character in enumerate(text):
        used += cell_len(character)
        if used > width:
            return text[:place], text[place:]
    return text, ""


def heading(title: str, facts: Sequence[tuple[str, Any]]) -> Text:
    """
    Write the line above an alignment.
    """
    line = Text(visible(title), style="bold")
    if facts:
        line.append(", ".join(f"{visible(str(name))} {value}" for name, value in facts), style="not bold")
    return line


def legend() -> Text:
    """
    Say what the marks stand for.
    """
    line = Text()
    for number, operation in enumerate(("substitution", "deletion", "insertion")):
        line.append(", " if number else "")
        line.append(_MARKS[operation], style=_STYLES[operation])
        line.append(f" {operation}")
    return line

"""
Write results as JSON that every parser reads: no ``NaN`` or ``Infinity``, full precision, no raw control characters.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tertium.reports.text import unsafe


def document(value: Any) -> str:
    """
    Write one object over several lines; a list of numbers or texts stays on one.

    Raises:
        ValueError: A number is NaN or infinite; such values must have become null or text before.
    """
    return _safe("".join(_indented(value, "\n"))) + "\n"


def line(value: Any) -> str:
    """
    Write one object on one line, for JSON Lines.

    Raises:
        ValueError: A number is NaN or infinite; such values must have become null or text before.
    """
    return _safe(json.dumps(value, ensure_ascii=False, allow_nan=False)) + "\n"


def _indented(value: Any, start: str) -> Iterator[str]:
    inner = start + "  "
    if isinstance(value, dict) and value:
        for number, (name, item) in enumerate(value.items()):
            yield ("," if number else "{") + inner + json.dumps(str(name), ensure_ascii=False) + ": "
            yield from _indented(item, inner)
        yield start + "}"
    elif isinstance(value, (list, tuple)) and any(isinstance(item, (dict, list, tuple)) for item in value):
        for number, item in enumerate(value):
            yield ("," if number else "[") + inner
            yield from _indented(item, inner)
        yield start + "]"
    else:
        yield json.dumps(value, ensure_ascii=False, allow_nan=False)


def _safe(text: str) -> str:
    # The encoder escapes only C0. Line separators would break tools that read lines, the rest could steer a terminal;
    # they stand inside strings only (line ends that the encoder wrote itself are kept), where \u escapes are equal.
    for character in set(unsafe(text)) - {"\n"}:
        code = ord(character)
        units = [code] if code < 0x10000 else [0xD800 + (code - 0x10000 >> 10), 0xDC00 + (code & 0x3FF)]
        text = text.replace(character, "".join(f"\\u{unit:04x}" for unit in units))
    return text

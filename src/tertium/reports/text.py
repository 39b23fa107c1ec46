"""
Make texts that others wrote safe to show: control characters become visible and can no longer steer a terminal.
"""

from __future__ import annotations

import math
import re
import unicodedata

# C0, DEL, C1, line and paragraph separators, the marks that reorder what follows them, the byte order mark, and halves
# of surrogate pairs. Joiners (U+200C, U+200D) stay: they are spelling in Persian, Hindi and emoji.
_HOSTILE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)
_HIDDEN_SPACES = re.compile("^ +| +$| {2,}")
_SHORT = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}

Number = float | str | None
"""A number as JSON carries it: a float, ``"Infinity"``, ``"-Infinity"``, or None where it is undefined."""


def escape(character: str) -> str:
    """
    Write one character as an escape, for instance ``\\x1b``.
    """
    code = ord(character)
    if character in _SHORT:
        return _SHORT[character]
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def visible(text: str) -> str:
    """
    Replace what could steer a terminal by an escape that shows what it was.

    Returns:
        One line without control characters; letters of every script and emoji stay as they are.
    """
    return _HOSTILE.sub(lambda found: escape(found.group()), text)


def field(text: str) -> str:
    """
    Write a text as a field of a TSV file: as :func:`visible` does, with backslashes doubled so that it reads back.
    """
    return visible(text.replace("\\", "\\\\"))


def unsafe(text: str) -> list[str]:
    """
    List the characters of a text that :func:`visible` would replace, in order.
    """
    return _HOSTILE.findall(text)


def many(count: int, one: str, more: str = "") -> str:
    """
    Write a number of things: ``1 corpus``, ``1,200 corpora``; without a word for more than one, that for one with an s.
    """
    return f"{count:,} {one if count == 1 else more or one + 's'}"


def number(value: Number, precision: int) -> str:
    """
    Write a score for a table.

    Args:
        precision: Decimals.

    Returns:
        The number, ``∞`` or ``-∞``, or ``undefined``.
    """
    if value is None:
        return "undefined"
    if isinstance(value, str):
        return value.replace("Infinity", "∞")
    return f"{value:.{precision}f}"


def compact(value: Number, precision: int) -> str:
    """
    Write a secondary output: whole numbers without decimals, others with them.
    """
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return f"{value:,.0f}"
    return number(value, precision)


def scale(bounds: list[Number]) -> str:
    """
    Write a scale, for instance ``0–100``.
    """
    low, high = ("∞" if end == "Infinity" else "-∞" if end == "-Infinity" else f"{end:g}" for end in bounds)
    return f"{low}–{high}"


def exact(value: Number | int) -> str:
    """
    Write a number at full precision, such that reading it gives the same double; ``null`` where it is undefined.
    """
    if value is None:
        return "null"
    if isinstance(value, str):
        return value
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return "null" if math.isnan(value) else repr(float(value))


def exposed(text: str) -> str:
    """
    Write a text so that nothing in it hides: as :func:`visible` does, and spaces at the ends or in runs as ``␣``, other
    white space and format characters as escapes, and so are accents that stand apart where one letter could hold them.

    Returns:
        One line; an empty text as ``""``.
    """
    if not text:
        return '""'
    apart = not unicodedata.is_normalized("NFC", text)
    spaced = _HIDDEN_SPACES.sub(lambda found: "␣" * len(found.group()), text)
    return "".join(
        escape(character)
        if _HOSTILE.match(character) or _hides(character) or (apart and unicodedata.combining(character))
        else character
        for character in spaced
    )


def _hides(character: str) -> bool:
    if character.isascii():
        return False
    return character.isspace() or unicodedata.category(character) in ("Cf", "Zs")

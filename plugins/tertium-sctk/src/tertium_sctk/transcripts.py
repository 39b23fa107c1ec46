"""
Refuse texts that a transcript cannot hold, or that sclite would drop, misread or crash over.

A transcript is a format with markup, and markup is what sclite is asked for: ``{ a / b }``, ``@``, ``word;tag``, ``word*``.
What would silently become something else is refused instead: a comment, a NUL, braces that do not pair.
"""

from __future__ import annotations

import re

import tertium
from tertium.errors import BadText

COMMENTS = (";;", "**")
"""What makes a comment of a line that begins with it."""

ENDS = " \t\n\v\f\r{}"
"""What a brace may open after; within alternatives a stroke as well."""

_PARTS = re.compile(r"[{}/]|[^ \t\n\v\f\r{}/]+")
_DASHES = re.compile(r"(?<![^ \t\n\v\f\r{}/])--+(?![^ \t\n\v\f\r{}/;*\\])")


def check(cases: tertium.Cases, asked: str, deletes_hyphens: bool = False) -> None:
    """
    Look at every text.

    Args:
        asked: The metric, for the message.
        deletes_hyphens: Whether the program is asked to delete hyphens, which it survives in some words only.

    Raises:
        BadText: One cannot stand in a transcript; names the case and the text's side.
    """
    for side, texts, owners in (
        ("hypothesis", cases.hypotheses, range(len(cases))),
        ("reference", cases.flat_references, range(len(cases))),
    ):
        for text, owner in zip(texts, owners, strict=True):
            wrong = problem(text, deletes_hyphens)
            if wrong is not None:
                truth, remedy = wrong
                where = f"the {side} of case {cases.positions[owner]} (id {cases.ids[owner]!r})"
                raise BadText(asked, f"{where} {truth}", remedy)


def problem(text: str, deletes_hyphens: bool = False) -> tuple[str, str] | None:
    """
    Say what is wrong with one text, and what to do; None where it can stand.
    """
    dashes = _DASHES.search(text) if deletes_hyphens and "--" in text else None
    if dashes:
        truth = f"has a word of hyphens alone (character {dashes.start()}), over which -c DH ends the program"
        return truth, "Delete the word, or give delete_hyphens=false"
    if text.startswith(COMMENTS):
        truth = f"begins with {text[:2]}, which makes a comment of the whole line"
        return truth, "Put a space before it, or leave the case out"
    if "\0" in text:
        return f"holds a NUL (character {text.index(chr(0))}), where the program stops reading", "Delete it"
    if "{" in text or "}" in text:
        wrong = _braces(text)
        if wrong:
            remedy = "Write { a / b / @ } with braces in pairs, set off by spaces, and a word in every alternative"
            return wrong, f"{remedy}, or score with the native metric and markup=none"
    return None


def _braces(text: str) -> str:
    full: list[bool] = []
    for part in _PARTS.finditer(text):
        sign = part[0]
        if sign == "{":
            if text[: part.start()][-1:] not in ENDS + "/" * bool(full):
                return f"has a brace within a word (character {part.start()}), over which the program ends"
            full.append(False)
        elif sign == "}":
            if not full:
                return f"has a closing brace without an opening one (character {part.start()})"
            if not full.pop():
                return f"has an alternative without a word before character {part.start()}"
            full[-1:] = [True] * bool(full)
        elif sign == "/" and full:
            if not full[-1]:
                return f"has an alternative without a word before character {part.start()}"
            full[-1] = False
        else:
            full[-1:] = [True] * bool(full)
    return "has an opening brace that is never closed, and the program drops what follows it" if full else ""

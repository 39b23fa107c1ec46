"""
Cut texts into what readers take for one character: extended grapheme clusters (Unicode Standard Annex 29).
"""

from __future__ import annotations

import functools
from typing import Any


@functools.cache
def _pattern() -> Any:
    import regex

    return regex.compile(r"\X")


def graphemes(text: str) -> list[str]:
    """
    Cut a text into extended grapheme clusters.

    Example:
        >>> [len(cluster) for cluster in graphemes("e\\u0301\\r\\nx")]
        [2, 2, 1]
    """
    if separate(text):
        return list(text)
    found: list[str] = _pattern().findall(text)
    return found


def separate(text: str) -> bool:
    """
    Tell at a glance whether every code point is a cluster of its own; False where that needs a closer look.

    Below U+0300 nothing joins what stands beside it but a carriage return and a line feed.
    """
    return (text.isascii() or max(text) < "\u0300") and "\r\n" not in text


def edition() -> str:
    """
    Name what decides the clusters: the ``regex`` package in force.
    """
    import importlib.metadata

    return f"regex-{importlib.metadata.version('regex')}"

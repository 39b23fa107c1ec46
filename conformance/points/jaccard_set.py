"""
Jaccard similarity of word sets by its definition and by NLTK.
"""

from __future__ import annotations

from typing import Any

METRIC = "jaccard"

POINTS: dict[str, dict[str, Any]] = {
    "definition": {"counting": "set", "empty": "undefined"},
    "nltk": {"counting": "set", "empty": "undefined"},
}

DIVERGENCES: dict[tuple[str, str], str] = {}


def point(implementation: str, params: dict[str, Any]) -> dict[str, Any] | str:
    """
    Give the native parameters that stand for an implementation; the cases have none of their own.
    """
    return {**POINTS[implementation], **params}

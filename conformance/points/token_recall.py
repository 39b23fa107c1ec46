"""
Recall of word bags by its definition.
"""

from __future__ import annotations

from typing import Any

METRIC = "token-f1"
OUTPUT = "recall"

POINTS: dict[str, dict[str, Any]] = {
    "definition": {"empty": "undefined"},
}

DIVERGENCES: dict[tuple[str, str], str] = {}


def point(implementation: str, params: dict[str, Any]) -> dict[str, Any] | str:
    """
    Give the native parameters that stand for an implementation; the cases have none of their own.
    """
    return {**POINTS[implementation], **params}

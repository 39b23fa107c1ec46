"""
SQuAD's exact match in three implementations.
"""

from __future__ import annotations

from typing import Any

METRIC = "squad-em"

POINTS: dict[str, dict[str, Any]] = {
    "squad2-official": {},
    "squad1.1-browser": {"rules": "browser"},
    "torchmetrics": {"empty_gold": "keep"},
}

DIVERGENCES: dict[tuple[str, str], str] = {}


def point(implementation: str, params: dict[str, Any]) -> dict[str, Any] | str:
    """
    Give the native parameters that stand for an implementation; the cases have none of their own.
    """
    return {**POINTS[implementation], **params}

"""
METEOR in NLTK and in CMU's Meteor 1.5 under three settings.
"""

from __future__ import annotations

from typing import Any

METRIC = "meteor"

POINTS: dict[str, dict[str, Any]] = {
    "nltk": {},
    "meteor-1.5-coco": {"version": "1.5", "preprocessing": "normalize"},
    "meteor-1.5-en": {"version": "1.5"},
    "meteor-1.5-other": {"version": "1.5", "language": "other"},
}

TOLERANCE: dict[str, float] = dict.fromkeys(POINTS, 1e-12)

DIVERGENCES: dict[tuple[str, str], str] = {}


def point(implementation: str, params: dict[str, Any]) -> dict[str, Any] | str:
    """
    Return the native parameters that stand for an implementation.
    """
    if params.get("raw"):
        return "texts are handed over where the library wants tokens, which the native metric cuts itself"
    return dict(POINTS[implementation])

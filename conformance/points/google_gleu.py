"""
Google's GLEU in NLTK.
"""

from __future__ import annotations

from typing import Any

METRIC = "gleu"
TOLERANCE: dict[str, float] = {}
DIVERGENCES: dict[tuple[str, str], str] = {}


def point(implementation: str, params: dict[str, Any]) -> dict[str, Any] | str:
    """
    NLTK's ``corpus_gleu`` is the default; these cases have no parameters.
    """
    return dict(params) if implementation == "nltk" else f"no native point is known for {implementation}"

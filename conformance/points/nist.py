"""
NIST by the definition, counted as mteval does, and in NLTK.
"""

from __future__ import annotations

from typing import Any

METRIC = "nist"
POINTS: dict[str, dict[str, Any]] = {
    "definition": {"tokenize": "none", "lowercase": False, "zero_word": "count"},
    "nltk": {
        "tokenize": "none",
        "lowercase": False,
        "zero_word": "count",
        "clipping": "best",
        "length": "best",
        "empty": "undefined",
    },
}
TOLERANCE: dict[str, float] = {}
DIVERGENCES: dict[tuple[str, str], str] = {}


def point(implementation: str, params: dict[str, Any]) -> dict[str, Any] | str:
    """
    Add the order to the point of an implementation.
    """
    return {**POINTS[implementation], **params}

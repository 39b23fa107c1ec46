"""
RIBES in NTT's program and in NLTK.
"""

from __future__ import annotations

from typing import Any

METRIC = "ribes"
NLTK: dict[str, Any] = {
    "pairs": "runs",
    "context": "right-first",
    "single_word": "zero",
    "lowercase": False,
    "empty_reference": "zero",
}
TOLERANCE = {"ntt-ribes": 6e-7}
DIVERGENCES: dict[tuple[str, str], str] = {}


def point(implementation: str, params: dict[str, Any]) -> dict[str, Any] | str:
    """
    NTT's program is the default; its option -z leaves empty references out.
    """
    if implementation == "nltk":
        return dict(NLTK)
    return {"empty_reference": "skip"} if params.get("emptyref") else {}

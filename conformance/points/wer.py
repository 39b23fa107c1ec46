"""
Word error rate in ten implementations; the other error rates and the edit distances take what they share from here.
"""

from __future__ import annotations

from typing import Any

import tertium
from tertium.spec import parse

METRIC = "wer"

SCLITE = "costs=sclite,ties=sclite,case=ascii,markup=sclite"

POINTS = {
    "jiwer": "wer",
    "jiwer-contiguous": "wer(joined=true)",
    "werx": "wer(split=whitespace)",
    "torchmetrics": "wer(split=whitespace,empty_reference=infinity)",
    "torcheval": "wer(split=whitespace,empty_reference=infinity)",
    "meeteval": "wer(split=whitespace,ties=kaldialign,empty_reference=undefined)",
    "kaldialign": "wer(split=whitespace,ties=kaldialign,empty_reference=infinity)",
    "sclite": f"wer(split=ascii,{SCLITE},empty_reference=infinity)",
    "fastwer": "wer(split=space,empty_reference=error)",
    "werpy": "wer(split=whitespace,empty_reference=reject)",
}
"""Implementations to the native specs that stand for them; no case of these families has parameters of its own."""

UNMAPPED = {
    "texterrors": "its costs depend on how alike the letters of two words are, which is no count of words",
}

TOLERANCE = {"fastwer": 5.1e-7, "torchmetrics": 1e-6}
"""fastwer prints four decimals of a hundred; torchmetrics computes in single precision."""

DIVERGENCES: dict[tuple[str, str], str] = {}

COMPONENTS = {"H": "hits", "S": "substitutions", "D": "deletions", "I": "insertions", "N": "reference_length"}


def named(points: dict[str, str], implementation: str) -> dict[str, Any] | str:
    """
    Return the parameters of the spec that stands for an implementation, or why there is none.
    """
    return UNMAPPED[implementation] if implementation in UNMAPPED else dict(parse(points[implementation]).params)


def point(implementation: str, _: dict[str, Any]) -> dict[str, Any] | str:
    """
    Return the native parameters that stand for an implementation.
    """
    return named(POINTS, implementation)


def compare(outcome: Any, score: tertium.Score) -> str:
    """
    Compare the counts that both sides give: ties of the alignment part only here.
    """
    parts = [name for name in COMPONENTS if name in outcome.components and COMPONENTS[name] in score.outputs]
    return "; ".join(
        f"{name}: {outcome.components[name]} against {score[COMPONENTS[name]]:g}"
        for name in parts
        if outcome.components[name] != score[COMPONENTS[name]]
    )

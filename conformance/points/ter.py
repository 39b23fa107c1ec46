"""
TER in four implementations.
"""

from __future__ import annotations

from typing import Any

METRIC = "ter"

POINTS: dict[str, dict[str, Any]] = {
    "sacrebleu": {},
    "tercom": {"search": "tercom", "tokenize": "tercom", "empty_reference": "infinite"},
    "torchmetrics": {
        "edited": "reference",
        "max_shift_size": 9,
        "empty_hypothesis": "free",
        "reference_passes": 1,
    },
    "pyter3": {"search": "pyter3", "tokenize": "none", "case_sensitive": True, "empty_reference": "undefined"},
}

UNMAPPED = {"sacrebleu-segment-major": "misuse of the library: references handed over in the wrong layout"}

TOLERANCE = {"torchmetrics": 1e-7}
"""It computes in single precision."""

DIVERGENCES: dict[tuple[str, str], str] = {}

COUNTS = {
    "num_edits": "edits",
    "ref_length": "reference_length",
    "ins": "insertions",
    "dele": "deletions",
    "sub": "substitutions",
    "shifts": "shifts",
}


def point(implementation: str, params: dict[str, Any]) -> dict[str, Any] | str:
    """
    Turn a case's parameters, in sacreBLEU's names, into the native ones that stand for an implementation.
    """
    if implementation in UNMAPPED:
        return UNMAPPED[implementation]
    taken = {} if implementation == "pyter3" else params
    return {**POINTS[implementation], **taken, "percent": False}


def compare(outcome: Any, score: Any) -> str:
    """
    Hold edits, lengths, shifts, insertions, deletions and substitutions against the native ones.
    """
    theirs = outcome.components
    pairs = [(name, theirs[name], score[ours]) for name, ours in COUNTS.items() if theirs.get(name) is not None]
    return "; ".join(f"{name} {a!r} against {b!r}" for name, a, b in pairs if a != b)

"""
CIDEr and CIDEr-D: the COCO scorer with and without its tokenizer, another port of it, and the two published forms.
"""

from __future__ import annotations

from typing import Any

METRIC = "cider-d"
POINTS: dict[str, dict[str, Any]] = {
    "pycocoevalcap-ptb": {},
    "pycocoevalcap": {"tokenizer": "none"},
    "aac-metrics": {"tokenizer": "none"},
    "paper-CIDEr-D": {"tokenizer": "none", "tf": "normalised", "length": "words"},
    "paper-CIDEr": {"tokenizer": "none", "tf": "normalised", "sigma": None, "clipping": False, "factor": 1.0},
}
TOLERANCE = {"pycocoevalcap": 1e-12, "pycocoevalcap-ptb": 1e-12, "aac-metrics": 1e-12}
DIVERGENCES: dict[tuple[str, str], str] = {
    ("cider-initial-before-the", "pycocoevalcap-ptb"): (
        "the library tokenizes captions as lines of one file, and drops the stop of an initial before certain words"
    ),
    (
        "cider-contraction-ends-the-file",
        "pycocoevalcap-ptb",
    ): "no line break follows the last caption of the library's file",
    ("cider-sigma-after-digit", "pycocoevalcap-ptb"): "Java makes a final sigma of it, Python does not",
}


def point(implementation: str, params: dict[str, Any]) -> dict[str, Any] | str:
    """
    Give the point of an implementation; these cases have no parameters.
    """
    return {**POINTS[implementation], **params}


def compare(outcome: Any, score: Any) -> str:
    """
    Hold the images' values against each other.
    """
    mine = score.per_case["cider-d"].tolist()
    theirs = outcome.components.get("per_case", mine)
    if all(abs(a - b) <= 1e-9 * max(1.0, abs(b)) for a, b in zip(mine, theirs, strict=True)):
        return ""
    return f"per case {theirs} against {mine}"

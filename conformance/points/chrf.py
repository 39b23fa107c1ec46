"""
chrF and chrF++ in eleven implementations.
"""

from __future__ import annotations

from typing import Any

METRIC = "chrf"

TORCHMETRICS: dict[str, Any] = {
    "order_average": "f-score",
    "epsilon": "torchmetrics",
    "whitespace": "remove-space",
    "hypothesis_counts": "always",
    "zero_selection": "hypothesis",
    "percent": False,
}
NLTK: dict[str, Any] = {
    "order_average": "f-score",
    "epsilon": "nltk",
    "hypothesis_counts": "always",
    "aggregation": "mean",
    "percent": False,
}
SCRIPT: dict[str, Any] = {
    "order_average": "f-score",
    "epsilon": "chrf++.py",
    "whitespace": "remove-space",
    "zero_selection": "previous",
}
POINTS: dict[str, dict[str, Any]] = {
    "sacrebleu": {},
    "sacrebleu-eps": {"order_average": "f-score"},
    "definition": {"order_average": "precision-recall-all", "percent": False},
    "nltk": NLTK,
    "nltk-default": {**NLTK, "beta": 3},
    "torchmetrics": TORCHMETRICS,
    "torchmetrics-default": {**TORCHMETRICS, "word_order": 2},
    "fastchrf-pairwise": {"whitespace": "remove-unicode", "hypothesis_counts": "always", "aggregation": "mean"},
    "chrF++.py-py3": SCRIPT,
    "chrF++.py-py2": {**SCRIPT, "unit": "byte"},
}

TAKEN: dict[str, set[str]] = {
    "nltk-default": set(),
    "torchmetrics-default": {"word_order"},
    "chrF++.py-py3": {"char_order", "word_order", "beta"},
    "chrF++.py-py2": {"char_order", "word_order", "beta"},
}
"""The parameters of a case that an implementation takes, where it does not take all."""

UNMAPPED = {
    "fastchrf-aggregate": "averages n-gram counts over references, which no definition of chrF does",
    "sacrebleu-segment-major": "misuse of the library: references handed over in the wrong layout",
}

TOLERANCE = {
    "torchmetrics": 2e-6,
    "torchmetrics-default": 2e-6,
    "chrF++.py-py3": 6e-7,
    "chrF++.py-py2": 6e-7,
}

DIVERGENCES: dict[tuple[str, str], str] = {}


def point(implementation: str, params: dict[str, Any]) -> dict[str, Any] | str:
    """
    Turn a case's parameters, in sacreBLEU's names, into the native ones that stand for an implementation.
    """
    if implementation in UNMAPPED:
        return UNMAPPED[implementation]
    taken = TAKEN.get(implementation)
    found = dict(POINTS[implementation])
    for name, value in params.items():
        if taken is not None and name not in taken:
            continue
        if name == "eps_smoothing":
            found["order_average"] = "f-score" if value else found.get("order_average", "precision-recall")
        elif name == "whitespace":
            found["whitespace"] = "keep" if value else "remove"
        else:
            found[name] = value
    return found

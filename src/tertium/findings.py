"""
Write an input on which two metrics differ as a case of the conformance suite.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Sequence
from typing import Any

from tertium.cases import Cases
from tertium.metric import installed_version
from tertium.sides import Answer, Side

FILES = {
    "gleu": "google-gleu",
    "levenshtein": "edit-distance",
    "squad-em": "em",
    "exact-match": "em",
    "squad-f1": "token-f1",
    "jaccard": "jaccard-set",
    "cider-d": "cider",
}
"""Metrics to the file of conformance cases that they belong to, where it has another name."""


def conformance_case(
    a: Side, b: Side, cases: Cases, answers: Sequence[Answer], axes: Sequence[str] = ()
) -> dict[str, Any]:
    """
    Return an input, with what two metrics say about it, as a line for the suite's files of cases.

    Args:
        answers: What each says: a kind and a value on the metric's own scale.
        axes: Ids of the conventions that explain the difference; without any it is ``unexplained``.
    """
    name = a.metric.name
    segments = [_segment(case.hypothesis, case.references, case.source) for case in cases]
    mark = hashlib.sha256(repr((name, a.label, b.label, segments)).encode()).hexdigest()[:8]
    said = " and ".join(f"{side.label} gives {_said(found)}" for side, found in zip((a, b), answers, strict=True))
    names = [side.metric.provider for side in (a, b)]
    if names[0] == names[1] or "(" in a.label + b.label:
        names = [a.label, b.label if a.label != b.label else f"{b.label}, the second"]
    results = {label: _result(side, found) for label, side, found in zip(names, (a, b), answers, strict=True)}
    found = {
        "id": f"{_slug(name)}-found-{mark}",
        "family": FILES.get(name, "rouge" if name.startswith("rouge") else name),
        "metric": name,
        "title": f"{_slug(a.metric.provider)} and {_slug(b.metric.provider)} differ in {name}",
        "explanation": _shortened(f"On this input {said}."),
        "tags": _tags(cases, answers),
        "axes": list(axes) or ["unexplained"],
        "params": {},
        "cases": segments,
        "textbook": None,
        "results": results,
    }
    return found if a.output is None else found | {"output": a.output}


def _segment(hypothesis: str, references: Sequence[str] | None, source: str | None) -> dict[str, Any]:
    found: dict[str, Any] = {"hyp": hypothesis, "refs": None if references is None else list(references)}
    return found if source is None else found | {"src": source}


def _said(found: Answer) -> str:
    return f"{found[1]:.10g}" if found[0] in ("number", "infinite") else found[0]


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9.-]+", "-", name.lower()).strip("-")


def _shortened(text: str) -> str:
    return text if len(text) <= 400 else text[:397] + "..."


def _result(side: Side, found: Answer) -> dict[str, Any]:
    kind, value = found
    states = {"number": "ok", "infinite": "non-finite", "undefined": "undefined"}
    high = side.unit if math.isfinite(side.metric.info.scale[1]) or side.unit == 100 else math.inf
    scales = {1.0: "0-1", 10.0: "0-10", 100.0: "0-100"}
    library = side.metric.info.library or "tertium"
    result: dict[str, Any] = {
        "version": installed_version(library) or "absent",
        "scale": scales.get(high, "unbounded"),
        "status": states.get(kind, "error"),
    }
    if kind == "number":
        result["score"] = value
    elif kind == "infinite":
        result["score"] = "inf" if value > 0 else "-inf"
    elif kind != "undefined":
        result["error"] = kind
    return result


def _tags(cases: Cases, answers: Sequence[Answer]) -> list[str]:
    texts = (*cases.hypotheses, *cases.flat_references)
    facts = {
        "aggregation": len(cases) > 1,
        "empty": not all(text.strip() for text in texts),
        "error": any(kind not in ("number", "infinite", "undefined") for kind, _ in answers),
        "multi-ref": int(cases.reference_counts.max()) > 1,
        "short": all(len(text.split()) < 4 for text in texts),
        "unicode": not all(text.isascii() for text in texts),
        "whitespace": any(re.search(r"\s\s|[^\S ]|^\s|\s$", text) for text in texts),
    }
    return [name for name, holds in facts.items() if holds] or ["edit"]

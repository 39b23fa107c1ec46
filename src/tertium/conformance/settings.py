"""
Translate a case's shared parameters into those of each provider, and name the measured implementation that it stands for.

A table for the native metrics and one for each adapter of this project; any other provider takes a case's parameters
under the same names, and what it does not have is unsupported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tertium.conformance.case_files import ConformanceCase
from tertium.conformance.outcomes import Tolerance
from tertium.metric import Metric
from tertium.parameters import parameters_of

Parameters = dict[str, Any]
Translation = Callable[[Any, ConformanceCase], Parameters | None]
Rule = str | Translation
"""The provider's name of a parameter, or a function of value and case that gives the provider's parameters, if any."""

LANGUAGE_TOKENIZERS: Mapping[str, str] = {"ja": "ja-mecab", "ko": "ko-mecab", "zh": "zh"}


def _same(*names: str) -> dict[str, Rule]:
    return {name: name for name in names}


def _flag(name: str, yes: Any, no: Any = None) -> Translation:
    def translated(value: Any, _: ConformanceCase) -> Parameters:
        chosen = yes if value else no
        return {} if chosen is None else {name: chosen}

    return translated


def _only(wanted: Any, **parameters: Any) -> Translation:
    def translated(value: Any, _: ConformanceCase) -> Parameters | None:
        return parameters if value == wanted else None

    return translated


def _language(value: Any, _: ConformanceCase) -> Parameters:
    return {"tokenize": LANGUAGE_TOKENIZERS.get(value, "13a")}


def _nltk_smoothing(value: Any, case: ConformanceCase) -> Parameters | None:
    # A case that speaks of another smoothing names NLTK's method of that kind as well, or does not ask NLTK.
    return {} if value == "none" or "nltk_smooth" in case.switches else None


def _bleuscore_smoothing(value: Any, case: ConformanceCase) -> Parameters | None:
    # It has one smoothing, which gives missing orders a precision of 1; a case that is about it has a switch for it.
    return {} if value in ("none", False) or "bs_smooth" in case.switches else None


_TER: dict[str, Rule] = _same("normalized", "no_punct", "asian_support", "case_sensitive")
_STEM: dict[str, Rule] = {"stem": _flag("stemmer", "nltk")}

NATIVE: Mapping[str, Mapping[str, Rule]] = {
    "bleu": {
        **_same("tokenize", "lowercase", "smooth_value", "effective_order"),
        "n": "max_order",
        "smooth_method": "smoothing",
        "trg_lang": _language,
    },
    "chrf": {
        **_same("char_order", "word_order", "beta", "lowercase"),
        "whitespace": _flag("whitespace", "keep", "remove"),
        "eps_smoothing": lambda value, _: {"order_average": "f-score", "epsilon": "sacrebleu"} if value else {},
    },
    "ter": _TER,
    "rouge1": _STEM,
    "rouge2": _STEM,
    "rouge3": _STEM,
    "rougeL": _STEM,
    "rougeLsum": _STEM,
    "rougeW": _STEM,
    "rougeS": {**_STEM, "gap": "max_gap"},
    "rougeSU": {**_STEM, "gap": "max_gap"},
    "nist": _same("n"),
    "gec-gleu": {"n": "n", "iter": "iterations"},
    "ribes": {"emptyref": _flag("empty_reference", "skip")},
}

_ROUGE_PACKAGE = (*(f"rouge{order}" for order in range(1, 10)), "rougeL", "rougeW", "rougeS", "rougeSU")
_GAP: dict[str, Rule] = {"gap": "skip_gap"}
_ROUGE_SCORE: dict[str, Rule] = {"stem": "stemmer"}

ADAPTERS: Mapping[str, Mapping[str, Mapping[str, Rule]]] = {
    "native": NATIVE,
    "sacrebleu": {
        "bleu": {
            **_same("tokenize", "lowercase", "smooth_method", "smooth_value", "effective_order", "trg_lang"),
            "n": "max_ngram_order",
        },
        "chrf": _same("char_order", "word_order", "beta", "lowercase", "whitespace", "eps_smoothing"),
        "ter": _TER,
    },
    "rouge-score": dict.fromkeys((*(f"rouge{order}" for order in range(1, 10)), "rougeL", "rougeLsum"), _ROUGE_SCORE),
    "jiwer": {},
    "nltk": {
        "bleu": {
            "auto_reweigh": "auto_reweigh",
            "n": lambda value, _: {"weights": ",".join([repr(1 / value)] * value)},
            "nltk_smooth": "smoothing",
            "smooth_method": _nltk_smoothing,
            "tokenize": _only("none"),
        },
        "chrf": {"beta": "beta", "char_order": "max_len", "whitespace": _flag("ignore_whitespace", False, True)},
        "nist": _same("n"),
    },
    "bleuscore": {
        "bleu": {
            "n": "max_order",
            "bs_smooth": "smooth",
            "bs_ref_len": "ref_len_method",
            "smooth_method": _bleuscore_smoothing,
            "effective_order": _bleuscore_smoothing,
            "tokenize": lambda value, _: {} if value in ("none", "13a") else None,
        },
    },
    "rapidfuzz": {},
    "sctk": {},
    "torchmetrics": {
        "bleu": {
            **_same("tokenize", "lowercase"),
            "n": "n_gram",
            "tm_smooth": "smooth",
            "smooth_method": _only("none"),
        },
        "chrf": {
            **_same("beta", "lowercase", "whitespace"),
            "char_order": "n_char_order",
            "word_order": "n_word_order",
        },
        "ter": {
            "normalized": "normalize",
            "no_punct": "no_punctuation",
            "asian_support": "asian_support",
            "case_sensitive": lambda value, _: {"lowercase": not value},
        },
        **{
            key: {"stem": "use_stemmer"}
            for key in (*(f"rouge{order}" for order in range(1, 10)), "rougeL", "rougeLsum")
        },
    },
    "fastchrf": {
        "chrf": {
            **_same("beta", "char_order", "eps_smoothing"),
            "whitespace": _flag("remove_whitespace", False, True),
        },
    },
    "rouge": {},
    "rouge-metric": {"rougeS": _GAP, "rougeSU": _GAP},
    "rouge-perl": {
        metric: {**(_GAP if metric in ("rougeS", "rougeSU") else {}), "stem": "stemming"} for metric in _ROUGE_PACKAGE
    },
    "pycocoevalcap": {
        "bleu": {"n": "n", "smooth_method": _only("none"), "tokenize": _only("none", tokenizer="none")},
    },
}
"""Provider to metric to the rule of each shared parameter; a provider that stands here has no other ones."""

_JIWER = ("wer", "cer", "mer", "wil", "wip")
_ROUGE_L = ("rougeL", "rougeLsum", *(f"rouge{order}" for order in range(1, 10)))

MEASURED: Mapping[tuple[str, str], str] = {
    **{("sacrebleu", metric): "sacrebleu" for metric in ("bleu", "chrf", "ter")},
    **{("native", metric): "sacrebleu" for metric in ("bleu", "chrf", "ter")},
    **{(provider, metric): "jiwer" for provider in ("native", "jiwer") for metric in _JIWER},
    **{(provider, metric): "rouge-score" for provider in ("native", "rouge-score") for metric in _ROUGE_L},
    **{(provider, "meteor"): "nltk" for provider in ("native", "nltk")},
    **{(provider, "cider-d"): "pycocoevalcap-ptb" for provider in ("native", "pycocoevalcap")},
    **{("nltk", metric): "nltk" for metric in ("bleu", "gleu", "levenshtein", "nist", "ribes")},
    ("nltk", "chrf"): "nltk-default",
    ("rapidfuzz", "levenshtein"): "rapidfuzz",
    **{("sctk", metric): "sclite" for metric in ("wer", "cer")},
    **{
        ("torchmetrics", metric): "torchmetrics"
        for metric in ("bleu", "chrf", "ter", "levenshtein", *_JIWER, *_ROUGE_L)
    },
    **{("torchmetrics", metric): "torchmetrics" for metric in ("squad-em", "squad-f1")},
    ("bleuscore", "bleu"): "bleuscore",
    ("fastchrf", "chrf"): "fastchrf-pairwise",
    **{("rouge", metric): "rouge" for metric in (*(f"rouge{order}" for order in range(1, 6)), "rougeL")},
    **{("rouge-metric", metric): "rouge-metric-py" for metric in _ROUGE_PACKAGE},
    **{("rouge-perl", metric): "ROUGE-1.5.5" for metric in _ROUGE_PACKAGE},
    ("pycocoevalcap", "bleu"): "pycocoevalcap",
    ("pycocoevalcap", "meteor"): "meteor-1.5-coco",
    ("pycocoevalcap", "rougeL"): "pycocoevalcap-ptb",
    ("native", "ribes"): "ntt-ribes",
    ("native", "gleu"): "nltk",
    ("native", "gec-gleu"): "gec-gleu-authors",
    ("native", "squad-em"): "squad2-official",
    ("native", "squad-f1"): "squad2-official",
    ("native", "levenshtein"): "rapidfuzz",
}
"""The measured implementation that a provider runs or, for the native metrics, whose conventions are their defaults."""

_SINGLE = Tolerance(relative=2e-6, absolute=2e-6, why="it computes in single precision")
_PRINTED = Tolerance(absolute=6e-7, why="it prints six decimals")

ROUGH: Mapping[str, Tolerance] = {
    **dict.fromkeys(("fast-bleu", "ignite", "torcheval", "torchmetrics", "torchmetrics-avg"), _SINGLE),
    **dict.fromkeys(("torchmetrics-default", "torchmetrics-sacrebleu"), _SINGLE),
    **dict.fromkeys(("chrF++.py-py2", "chrF++.py-py3", "fastwer", "gleu", "ntt-ribes"), _PRINTED),
    **dict.fromkeys(("ROUGE-1.5.5", "ROUGE-1.5.5-best"), Tolerance(absolute=6e-6, why="it prints five decimals")),
}
"""Measured implementations that give fewer digits than a double has, with what that leaves open."""

_EDITS = {"S": "substitutions", "D": "deletions", "I": "insertions", "H": "hits"}

COMPONENTS: Mapping[str, Mapping[str, str]] = {
    "sacrebleu": {
        "bp": "brevity_penalty",
        "counts": "matches_{}",
        "num_edits": "edits",
        "precisions": "precision_{}",
        "ref_len": "reference_length",
        "ref_length": "reference_length",
        "sys_len": "hypothesis_length",
        "totals": "totals_{}",
    },
    "jiwer": _EDITS,
    **{
        name: {"precision": "precision", "recall": "recall"}
        for name in ("rouge-score", "rouge", "rouge-metric-py", "ROUGE-1.5.5")
    },
}
"""Measured implementation to its components' names and those of tertium's outputs; ``{}`` stands for 1, 2, 3..."""


def settings(case: ConformanceCase, metric: type[Metric]) -> Parameters | str:
    """
    Give a provider's parameters on a case.

    Returns:
        The parameters, or a text that says which one the provider does not have.
    """
    label = f"{metric.name}@{metric.provider}"
    declared = parameters_of(metric)
    known = ADAPTERS.get(metric.provider)
    rules = _same(*declared) if known is None else {**_own(case, declared), **known.get(metric.name, {})}
    found: Parameters = {}
    switches = {name: value for name, value in case.switches.items() if name in rules}
    for name, value in {**case.params, **switches}.items():
        rule = rules.get(name)
        given = {rule: value} if isinstance(rule, str) else None if rule is None else rule(value, case)
        if given is None:
            return f"{label} has no counterpart of {name}={value}"
        found |= given
    return found


def _own(case: ConformanceCase, declared: Mapping[str, Any]) -> dict[str, Rule]:
    # Cases that are about a convention of one metric alone name it as the native metric does.
    return {name: name for name in case.params if name in declared}


def measured_as(provider: str, case: ConformanceCase) -> str | None:
    """
    Name the measured implementation that a provider can be held to on a case, or None.

    NLTK's chrF was measured under its own defaults and with beta 2, COCO's scorers without a tokenizer, and TorchMetrics'
    chrF under its own defaults, or with the case's word order and no word n-grams by default.
    """
    name = MEASURED.get((provider, case.metric))
    if name == "torchmetrics":
        name = _torchmetrics(case)
    if name == "nltk-default" and case.params:
        name = "nltk" if "beta" in case.params else None  # measured with the library's defaults alone
    if name not in case.measured:
        return None
    return name if name != "pycocoevalcap" or case.params.get("tokenize") == "none" else None


def _torchmetrics(case: ConformanceCase) -> str | None:
    if case.metric == "bleu":
        return "torchmetrics-sacrebleu" if "tokenize" in case.params else "torchmetrics"
    if case.metric == "chrf" and "word_order" not in case.params:
        return None if case.params else "torchmetrics-default"
    return "torchmetrics"


def declared_tolerance(metric: type[Metric]) -> Tolerance | None:
    """
    Return the tolerance that a metric's declared precision asks for, or None where the case decides.
    """
    return _SINGLE if metric.precision == "single" else None


def components_of(implementation: str, components: Mapping[str, Any], params: Mapping[str, Any]) -> Parameters:
    """
    Give a measured implementation's components under the names of tertium's outputs.
    """
    names = COMPONENTS.get(implementation, {})
    found: Parameters = {}
    for name, value in components.items():
        if name == "per_case":
            found[name] = value
        elif name not in names or (params.get("smooth_method") == "add-k" and name in ("counts", "totals")):
            continue  # add-k changes the counts that sacreBLEU reports
        elif isinstance(value, list):
            found |= {names[name].format(order): one for order, one in enumerate(value, 1)}
        else:
            found[names[name]] = value
    return found


def unit_scale(metric: Metric) -> float:
    """
    Return the divisor that brings a metric's values to the unit scale.
    """
    percent = getattr(metric, "percent", None) is True or (metric.provider, metric.name) == ("sacrebleu", "ter")
    return 100.0 if percent or metric.info.scale[1] == 100.0 else 1.0

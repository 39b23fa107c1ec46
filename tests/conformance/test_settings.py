"""
Settings: what a case's shared parameters are for each provider.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tertium.conformance.case_files import ConformanceCase, load_cases
from tertium.conformance.settings import ADAPTERS, components_of, measured_as, settings, unit_scale
from tertium.registry import registry

CASES = {case.id: case for case in load_cases()}
BLEU = CASES["8-3-exact-match-bleu"]
CHRF = CASES["8-3-exact-match-chrf"]


def given(metric: str, case: ConformanceCase, **params: Any) -> dict[str, Any] | str:
    return settings(replace(case, params=params), registry().get(metric))


@pytest.mark.parametrize(
    ("metric", "case", "params", "wanted"),
    [
        ("bleu", BLEU, {"n": 2, "smooth_method": "floor"}, {"max_order": 2, "smoothing": "floor"}),
        ("bleu@sacrebleu", BLEU, {"n": 2, "smooth_method": "floor"}, {"max_ngram_order": 2, "smooth_method": "floor"}),
        ("bleu", BLEU, {"trg_lang": "ja"}, {"tokenize": "ja-mecab"}),
        ("bleu@sacrebleu", BLEU, {"trg_lang": "ja"}, {"trg_lang": "ja"}),
        ("chrf", CHRF, {"whitespace": True}, {"whitespace": "keep"}),
        ("chrf", CHRF, {"eps_smoothing": True}, {"order_average": "f-score", "epsilon": "sacrebleu"}),
        ("chrf@sacrebleu", CHRF, {"eps_smoothing": True}, {"eps_smoothing": True}),
        ("rouge1", CASES["5-3-stemmer-on"], {"stem": True}, {"stemmer": "nltk"}),
        ("rouge1@rouge-score", CASES["5-3-stemmer-on"], {"stem": True}, {"stemmer": True}),
        ("ribes", CASES["ribes-empty-reference-option"], {"emptyref": True}, {"empty_reference": "skip"}),
    ],
)
def test_parameters_are_translated(metric: str, case: ConformanceCase, params: Any, wanted: Any) -> None:
    """Each provider gets its own names and values."""
    assert given(metric, case, **params) == wanted


def test_what_has_no_counterpart_is_named() -> None:
    """A parameter that a provider does not have is told, not dropped."""
    assert given("wer@jiwer", CASES["8-3-exact-match-wer"], n=2) == "wer@jiwer has no counterpart of n=2"


def test_native_and_its_reference_implementations_can_run_nearly_all_cases() -> None:
    """No parameter of a case is unknown to the native metrics."""
    for case in CASES.values():
        metric = registry().metrics[case.metric]["native"]
        assert not isinstance(settings(case, metric), str), case.id


def test_tables_name_parameters_that_exist() -> None:
    """Every plain name on the right of a table is a parameter of that metric."""
    from tertium.parameters import parameters_of

    for provider, metrics in ADAPTERS.items():
        for metric, rules in metrics.items():
            if provider in registry().metrics.get(metric, {}):
                declared = parameters_of(registry().metrics[metric][provider])
                assert {rule for rule in rules.values() if isinstance(rule, str)} <= set(declared), (provider, metric)


def test_measured_components_take_the_names_of_outputs() -> None:
    """Lists become one output an order, and counts that smoothing changed are left out."""
    found = {"counts": [3, 2], "bp": 0.5, "signature": "x"}

    assert components_of("sacrebleu", found, {}) == {"matches_1": 3, "matches_2": 2, "brevity_penalty": 0.5}
    assert components_of("sacrebleu", found, {"smooth_method": "add-k"}) == {"brevity_penalty": 0.5}
    assert components_of("jiwer", {"S": 1, "per_case": [0.5]}, {}) == {"substitutions": 1, "per_case": [0.5]}


def test_measured_counterpart() -> None:
    """A provider is held to its own library, and a scorer without tokenizer only where none is asked for."""
    assert measured_as("sacrebleu", BLEU) == "sacrebleu"
    assert measured_as("somebody", BLEU) is None
    assert measured_as("pycocoevalcap", BLEU) is None
    assert measured_as("pycocoevalcap", CASES["8-4-chimera-bleu2"]) == "pycocoevalcap"


@pytest.mark.parametrize(
    ("spec", "divisor"), [("bleu", 100), ("bleu(percent=false)", 1), ("ter@sacrebleu", 100), ("wer", 1), ("cider-d", 1)]
)
def test_unit_scale(spec: str, divisor: int) -> None:
    """Percentages are divided by 100, all else is left."""
    assert unit_scale(registry().load(spec)) == divisor

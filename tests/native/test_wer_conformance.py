"""
The error-rate metrics against what every implementation gave on the measured conformance cases.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.errors import BadText, EmptyCorpus, MissingReferences

SCLITE = "costs=sclite,ties=sclite,case=ascii,markup=sclite"
TORCH = "split=whitespace,hits=lengths,empty=undefined"

SPECS: dict[str, dict[str, str]] = {
    "wer": {
        "jiwer": "wer",
        "werx": "wer(split=whitespace)",
        "torchmetrics": "wer(split=whitespace,empty_reference=infinity)",
        "torcheval": "wer(split=whitespace,empty_reference=infinity)",
        "meeteval": "wer(split=whitespace,ties=kaldialign,empty_reference=undefined)",
        "kaldialign": "wer(split=whitespace,ties=kaldialign,empty_reference=infinity)",
        "sclite": f"wer(split=ascii,{SCLITE},empty_reference=infinity)",
        "fastwer": "wer(split=space,empty_reference=error)",
        "werpy": "wer(split=whitespace,empty_reference=reject)",
    },
    "cer": {
        "jiwer": "cer",
        "torchmetrics": "cer(whitespace=keep,empty_reference=infinity)",
        "fastwer": "cer(whitespace=keep,empty_reference=error)",
        "sclite": f"cer(whitespace=ignore-ascii,{SCLITE},empty_reference=infinity)",
    },
    "mer": {"jiwer": "mer", "torchmetrics": f"mer({TORCH})"},
    "wil": {"jiwer": "wil", "torchmetrics": f"wil({TORCH})", "torcheval": f"wil({TORCH})"},
    "wip": {"jiwer": "wip", "torchmetrics": f"wip({TORCH})", "torcheval": f"wip({TORCH})"},
    "edit-distance": {
        "rapidfuzz": "levenshtein(average=pooled)",
        "editdistance": "levenshtein(average=pooled)",
        "nltk": "levenshtein(average=pooled)",
        "torchmetrics": "levenshtein(average=pooled)",
        "nltk-transposition": "levenshtein(average=pooled,transpositions=damerau)",
        "rapidfuzz-damerau": "levenshtein(average=pooled,transpositions=damerau)",
        "rapidfuzz-osa": "levenshtein(average=pooled,transpositions=restricted)",
    },
}
UNMAPPED = {
    "jiwer-contiguous": "it joins all lines of a corpus into one before it aligns them",
    "texterrors": "its costs depend on how alike the letters of two words are",
}
# Prints six decimals on the unit scale; computes in single precision.
TOLERANCES = {"fastwer": 5.1e-7, "torchmetrics": 1e-6}
COMPONENTS = {"H": "hits", "S": "substitutions", "D": "deletions", "I": "insertions", "N": "reference_length"}
# What the host refuses for every metric, so that no convention of a metric could decide it.
HOST = (EmptyCorpus, MissingReferences)


def expand(value: Any) -> Any:
    """
    Write out a text or list that the cases abbreviate.
    """
    if not isinstance(value, dict):
        return value
    if "$repeat" in value:
        return value["$repeat"] * value["times"] + value.get("suffix", "")
    if "$range" in value:
        return value["sep"].join(value["$range"] % i for i in range(value.get("start", 0), value["stop"]))
    if "$list" in value:
        return [expand(value["$list"])] * value["times"]
    return "".join(expand(part) for part in value["$concat"])


def measured(shared: Path, family: str) -> Iterator[dict[str, Any]]:
    """
    Yield the records of a family.
    """
    with open(shared / "conformance-cases" / f"{family}.jsonl", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def cases_of(record: dict[str, Any]) -> tertium.Cases:
    """
    Make the cases of a record.
    """
    hypotheses = [expand(case["hyp"]) for case in record["cases"]]
    references = [
        None if case["refs"] is None else [expand(text) for text in expand(case["refs"])] for case in record["cases"]
    ]
    return tertium.Cases(hypotheses, references)


@pytest.mark.parametrize(("family", "name"), [(family, name) for family, specs in SPECS.items() for name in specs])
def test_spec_gives_what_the_implementation_gave(shared: Path, family: str, name: str) -> None:
    """The native spec of an implementation gives its score, its counts, or its refusal on every measured case."""
    compared = 0
    for record in measured(shared, family):
        if name not in record["results"]:
            continue
        outcome = record["results"][name]
        where = f"{record['id']}: {outcome}"
        try:
            score = tertium.score(SPECS[family][name], cases_of(record))
        except HOST:
            continue
        except BadText as refusal:
            if "surrogate" in str(refusal):
                continue
            assert outcome["status"] in ("error", "rejected"), where
            compared += 1
            continue
        compared += 1
        parts = outcome.get("components") or {}
        for part in COMPONENTS.keys() & parts.keys():
            assert parts[part] == score[COMPONENTS[part]], where
        if outcome["status"] == "ok":
            assert math.isclose(
                score.value, outcome["unit_score"], rel_tol=1e-9, abs_tol=TOLERANCES.get(name, 1e-12)
            ), where
        elif outcome["status"] == "non-finite" and outcome.get("score") == "inf":
            assert score.value == math.inf, where
        elif outcome["status"] in ("non-finite", "undefined"):
            assert math.isnan(score.value), where
        else:
            pytest.fail(f"it was refused, and here it is {score.value}: {where}")
    assert compared > 0


def test_every_implementation_is_mapped_or_says_why_not(shared: Path) -> None:
    """No implementation of the measured cases is left out silently."""
    for family, specs in SPECS.items():
        for record in measured(shared, family):
            assert set(record["results"]) <= set(specs) | set(UNMAPPED), record["id"]

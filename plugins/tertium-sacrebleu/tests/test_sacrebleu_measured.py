"""
Measured conformance cases: what the library gave when it was run on them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.errors import TertiumError

NAMES = {
    "n": "max_ngram_order",
    **{
        name: name
        for name in (
            "lowercase",
            "tokenize",
            "smooth_method",
            "smooth_value",
            "effective_order",
            "trg_lang",
            "char_order",
            "word_order",
            "beta",
            "whitespace",
            "eps_smoothing",
            "normalized",
            "no_punct",
            "asian_support",
            "case_sensitive",
        )
    },
}


def text_of(value: Any) -> Any:
    """
    Write out texts and lists that the file gives as a rule.
    """
    if isinstance(value, dict):
        if "$repeat" in value:
            return value["$repeat"] * value["times"] + value.get("suffix", "")
        if "$range" in value:
            return value.get("sep", " ").join(value["$range"] % n for n in range(value.get("start", 0), value["stop"]))
        if "$concat" in value:
            return "".join(map(text_of, value["$concat"]))
        if "$list" in value:
            return [text_of(value["$list"])] * value["times"]
        if "$nan" in value:
            return float("nan")
    return [text_of(one) for one in value] if isinstance(value, list) else value


@pytest.mark.parametrize("family", ["bleu", "chrf", "ter"])
def test_measured_values(family: str, measured: Path) -> None:
    """Every measured value of the library is reproduced; what made it fail is an error with a message here."""
    compared = refused = 0
    for line in (measured / f"{family}.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        names = ["sacrebleu", "sacrebleu-sentence", "sacrebleu-eps"]
        for implementation in (name for name in names if name in case["results"]):
            result = case["results"][implementation]
            params = {NAMES[name]: value for name, value in case["params"].items() if name in NAMES}
            params |= {"sacrebleu-eps": {"eps_smoothing": True}}.get(implementation, {})
            if implementation == "sacrebleu-sentence":
                params = {"effective_order": True, **{k: v for k, v in params.items() if k != "max_ngram_order"}}
            hypotheses = [text_of(one["hyp"]) for one in case["cases"]]
            references = [text_of(one["refs"]) for one in case["cases"]]
            problem = None
            try:
                cases = tertium.Cases(hypotheses, references)
                score = tertium.score(tertium.Spec(family, "sacrebleu", params=params), cases)
            except TertiumError as error:
                problem = error
            if problem is not None:
                # The library scores lone surrogates, and cuts the corpus where cases have no references.
                faults = ("surrogate", "no references", "an empty list of references")
                assert result["status"] != "ok" or any(fault in problem.truth for fault in faults), case["id"]
                refused += 1
                continue
            assert result["status"] == "ok", case["id"]
            assert score.value == pytest.approx(result["score"], rel=1e-9, abs=1e-12), case["id"]
            compared += 1

    assert compared >= 25
    assert refused <= 8

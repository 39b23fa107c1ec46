"""
ROUGE-1.5.5: every recorded evaluation and every reported average.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium
from points.rouge import IRREGULAR, STOPWORDS
from tertium import Cases, resources

OUTPUTS = {"fmeasure": "F", "precision": "P", "recall": "R"}
AS_COUNTS = {"fmeasure": "hits", "precision": "peer_count", "recall": "model_count"}


def metric(measure: str, given: dict[str, Any], **more: Any) -> tertium.Metric:
    """Make the native metric that stands for a measure of the program under its options."""
    params: dict[str, Any] = {
        "tokenizer": "rouge-1.5.5",
        "decimals": 5,
        "multi_reference": "pooled" if given["formula"] == "A" else "best-recall",
        "alpha": given["alpha"],
        "word_limit": given["word_limit"],
        "byte_limit": given["byte_limit"],
        "stopwords": STOPWORDS if given["remove_stopwords"] else None,
        **({"stemmer": "rouge-1.5.5", "exceptions": IRREGULAR} if given["stem"] else {}),
        **more,
    }
    kind = measure.split("-")[1]
    if kind == "W":
        by_line = {"credit": "runs", "sentences": "newline", "double_weighting": True}
        return tertium.load("rougeW").__class__(weight=given["weight"], **by_line, **params)
    if kind.startswith("S"):
        params["max_gap"] = None if given["skip_distance"] < 0 else given["skip_distance"]
        if kind.startswith("SU"):
            return tertium.load("rougeSU").__class__(unigrams="all-but-last", **params)
        return tertium.load("rougeS").__class__(**params)
    return tertium.load("rougeLsum" if kind == "L" else f"rouge{kind}").__class__(**params)


def evaluations(record: dict[str, Any]) -> Cases:
    """Give the program's evaluations; a jackknife leaves out one reference in each."""
    rows = [(case["hyp"], case["refs"]) for case in record["cases"]]
    if record["params"]["jackknife"]:
        rows = [
            (text, references[:i] + references[i + 1 :]) for text, references in rows for i in range(len(references))
        ]
    return Cases([text for text, _ in rows], [references for _, references in rows])


def records(shared: Path) -> list[dict[str, Any]]:
    """Read the recorded runs."""
    lines = (shared / "golden" / "rouge-1.5.5.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_every_evaluation(shared: Path) -> None:
    """F, P and R of 3,000 evaluations equal the program's five decimals; raw counts (-t 1, -t 2) agree to 1e-4."""
    seen = 0
    for record in records(shared):
        expected, given = record["expected"], record["params"]
        rows = next(expected[key] for key in expected if key.startswith("per_"))
        for measure in rows[0]:
            raw = "hits" in rows[0][measure] and given["count_mode"] != 0
            score = tertium.score(
                metric(measure, given, **({"corpus_value": "pooled"} if raw else {})), evaluations(record)
            )
            for case, row in enumerate(rows):
                values, seen = row[measure], seen + 1
                if raw:
                    wanted = [values["hits"], values["peer_count"], values["model_count"]]
                    assert np.allclose(wanted, score.statistics[case], rtol=0, atol=1e-4), record["id"]
                    continue
                names = AS_COUNTS if "hits" in values else OUTPUTS
                found = {name: score.per_case[name][case] for name in names}
                assert {name: values[names[name]] for name in names} == found, (record["id"], measure)
    assert seen == 3004


def test_every_average(shared: Path) -> None:
    """1,700 averages over the program's resamples equal it to the last printed decimal."""
    seen = 0
    for record in records(shared):
        expected, given = record["expected"], record["params"]
        corpus = expected.get("corpus") or expected["printed_before_failure"]
        rule = "bootstrap-pooled" if given["count_mode"] == 1 else "bootstrap"
        for measure, values in corpus.items():
            made = metric(measure, given, corpus_value=rule, resamples=given["resamples"])
            score = tertium.score(made, evaluations(record))
            assert {name: values[OUTPUTS[name]] for name in OUTPUTS} == score.outputs, (record["id"], measure)
            seen += 1
    assert seen == 1733


def test_jackknife_is_the_mean_over_the_sets_that_lack_a_reference(shared: Path) -> None:
    """``jackknife`` averages what the program gave each set, to 1e-9."""
    seen = 0
    for record in records(shared):
        if not record["params"]["jackknife"] or "per_leave_one_out" not in record["expected"]:
            continue
        for measure in record["expected"]["per_leave_one_out"][0]:
            plain = Cases([case["hyp"] for case in record["cases"]], [case["refs"] for case in record["cases"]])
            found = tertium.score(metric(measure, record["params"], jackknife=True), plain).per_case["fmeasure"]
            rows = iter(row[measure]["F"] for row in record["expected"]["per_leave_one_out"])
            wanted = [np.mean([next(rows) for _ in case["refs"]]) for case in record["cases"]]
            assert np.allclose(wanted, found, rtol=1e-9, atol=0), record["id"]
            seen += 1
    assert seen > 50


def test_wordnet_3_gives_the_recorded_stems_too(shared: Path) -> None:
    """No recorded text holds a word of which WordNet 3.0's lists make something else than those of 2.0."""
    if resources.get("wordnet").locate() is None:
        pytest.skip("WordNet 3.0 is not there (tertium fetch wordnet)")
    for record in records(shared):
        per_case = record["expected"].get("per_case", [{}])
        if record["params"]["stem"] and "R" in per_case[0].get("ROUGE-1", {}):
            made = metric("ROUGE-1", record["params"])
            made = type(made)(**{**made.parameters, "exceptions": "wordnet"})
            found = tertium.score(made, evaluations(record)).per_case["recall"].tolist()
            assert [row["ROUGE-1"]["R"] for row in per_case] == found, record["id"]

"""
Fuzzing all pairs: which ones there are, and the table that they make.
"""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import fuzz
import tertium
from tertium.conformance.case_files import load_cases


def needed(spec: str) -> None:
    """Skip where an adapter is not installed."""
    metric, provider = spec.split("@")
    if provider not in tertium.providers(metric):
        pytest.skip(f"{spec} is not installed")


def test_pairs_begin_with_the_declared_equivalent() -> None:
    """An adapter stands against the native spec that it declares equivalent, and where that is not the default, against that too."""
    needed("chrf@nltk")
    needed("chrf@sacrebleu")
    equivalent = str(tertium.registry.registry().canonical(tertium.load("chrf@nltk").equivalent()))

    assert list(fuzz.pairs(["chrf@nltk"])) == [(equivalent, "chrf@nltk"), ("chrf@native", "chrf@nltk")]
    assert list(fuzz.pairs(["chrf@sacrebleu"])) == [("chrf@native", "chrf@sacrebleu")]


def test_every_pinned_adapter_has_a_pair() -> None:
    """All metrics of a library stand in the list, under one name each; what pins no library does not."""
    needed("rouge1@rouge-score")
    needed("wer@jiwer")
    found = [adapter for _, adapter in fuzz.pairs()]

    rouge = {f"rouge{kind}@rouge-score" for kind in (*range(1, 10), "L", "Lsum")}
    assert {*rouge, *(f"{metric}@jiwer" for metric in ("wer", "cer", "mer", "wil", "wip"))} <= set(found)
    assert not {one for one in found if one.endswith(("@native", "@example"))}
    assert max(map(found.count, found)) == 2


def test_a_run_writes_its_table_and_cases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pairs run as processes; the table has a row each, details a line, and what was found is a file of cases."""
    monkeypatch.setattr(fuzz, "pairs", lambda _: [("wer", "wer"), ("wer", "wer(case=lower)")])
    table, details, saved = tmp_path / "table.md", tmp_path / "details.jsonl", tmp_path / "cases"

    words = ["--count", "300", "--jobs", "2", "--table", str(table), "--details", str(details), "--save", str(saved)]
    code = fuzz.main(words)

    lines = table.read_text(encoding="utf-8").splitlines()
    assert code == 0
    assert "\n".join(lines[:2]) + "\n" == fuzz.HEAD
    assert sorted(line.split(" | ")[1] for line in lines[2:]) == ["wer", "wer(case=lower)"]
    assert sum("wer.case ×" in line for line in lines) == 1
    assert {json.loads(line)["cases"] for line in details.read_text(encoding="utf-8").splitlines()} == {300}
    assert [case.axes for case in load_cases(saved)] == [("wer.case",)]


@pytest.mark.parametrize(
    ("found", "words"),
    [
        ({"broken": "tertium: no such metric"}, "tertium: no such metric"),
        (
            {"cases": 1200, "corpora": 400, "seconds": 2.4, "rate": 500.0, "differing": 7, "unexplained": 1}
            | {
                "findings": [
                    {"explained": False, "by": ["unexplained"], "seen": 2},
                    {"explained": True, "by": ["rouge.empty"], "seen": 5, "divergence": 3},
                ]
            },
            "| 1,200 | 400 | 2 | 500 | 7 | 1 | rouge.empty (documented) ×5 |",
        ),
    ],
    ids=["broken", "found"],
)
def test_rows_say_what_was_found(found: dict[str, Any], words: str) -> None:
    """A row names both specs, the seed and the counts, or why there are none; bars cannot break the table."""
    row = fuzz.row("wer@native", "wer@jiwer(a='|')", 5, found)

    assert words in row
    assert row.startswith("| wer | wer@jiwer(a='\\|') | 5 |")


def test_a_pair_that_cannot_run_is_told() -> None:
    """What ends a process is given as its last line."""
    options = SimpleNamespace(seed=0, count=1, time=1.0, save=None, corpus=None)

    assert "no metric 'weer'" in fuzz.fuzzed("weer", "wer", options)["broken"]

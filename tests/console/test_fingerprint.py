"""
The command `tertium fingerprint`: what it prints, in words and as JSON, and how it ends.
"""

from __future__ import annotations

from json import loads
from pathlib import Path

import pytest
from click.testing import CliRunner

from tertium.console.fingerprint import command
from tertium.reports.fingerprint import fingerprint as drawn
from tertium.reports.terminal import render

MODULE = """
def distance(hypothesis: str, reference: str) -> float:
    if reference == "boom":
        raise ValueError(reference)
    return float(hypothesis.strip().lower() == reference.strip().lower())
"""


def test_a_provider_is_found_and_the_command_ends_with_0() -> None:
    """The setting, the number of probes and what each axis is known by are printed; the answer is yes."""
    done = CliRunner().invoke(command, ["exact-match@example(lowercase=true)"], standalone_mode=False)

    assert done.exception is None
    assert done.return_value == 0
    assert "exact-match@native(normalizer=lowercase)" in done.output
    assert "probes of at most 200: each is one scoring call with one small corpus" in done.output
    assert "equal within 1e-09 relative" in done.output


def test_a_plain_function_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Python function, named with its metric, is inferred as a provider is; JSON holds the same at full precision."""
    (tmp_path / "fingerprinted_module.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    words = ["py:fingerprinted_module:distance(level=segment,input=strings)", "--metric", "exact-match", "--json"]

    done = CliRunner().invoke(command, words, standalone_mode=False)
    found = loads(done.output)

    assert done.return_value == 0
    assert found["explained"] is True
    assert found["setting"] == "exact-match@native(normalizer=lowercase+strip)"
    assert 10 < found["probes"] <= found["budget"] == 200
    assert {one["axis"] for one in found["conventions"]} >= {"normaliser", "scale"}


def test_what_is_left_open_is_drawn() -> None:
    """Rivals, axes without an answer and unexplained probes are printed with their inputs, and nothing is hidden in them."""
    case = {"cases": [{"hyp": "A\u202eb", "refs": ["a"]}]}
    report = {
        "provider": "x@y",
        "explained": False,
        "setting": "wer@native",
        "factor": 100.0,
        "rivals": [
            {
                "setting": "wer@native(case=lower)",
                "factor": 1.0,
                "separated_by": {**case, "answers": {"wer": 1.0, "b": 0.0}},
            }
        ],
        "conventions": [
            {
                "axis": "case",
                "meaning": "Whether case counts.",
                "choice": {"case": "sensitive"},
                "decided": False,
                "others": [{"case": "lower"}],
                "separated_by": None,
            }
        ],
        "probes": 12,
        "budget": 200,
        "inputs_tried": 900,
        "declared": None,
        "declared_agrees": None,
        "outputs": {"compared": ["hits", "insertions"], "left_out": {"a": "for one reason", "b": "for one reason"}},
        "tolerance": {"relative": 1e-9, "absolute": 0.005, "why": "all values are rounded to 2 decimals"},
        "unexplained": [{**case, "name": "p", "answer": 0.25, "native": "undefined"}],
        "refused": ["it takes one case a call"],
        "unsteady": ["1, then 2"],
        "unavailable": [],
    }

    text = render(*drawn(report))

    assert "No setting explains every answer of x@y; 1 of 12 are left by the closest" in text
    assert "100 × wer@native" in text
    assert "wer@native(case=lower) explains as much." in text
    assert "No input was found that separates, in 900 tried." in text
    assert 'hyp  "A\\u202eb"' in text
    assert "it answers 0.25, the setting undefined" in text
    assert "Questions of one kind were left out: it takes one case a call." in text
    assert "Asked again, it answered otherwise: 1, then 2." in text
    assert "Beside the headline it gives the setting's hits, insertions." in text
    assert "Not compared: a, b (for one reason)." in text
    assert "0.005: all values are rounded to 2 decimals." in text


def test_help_says_what_a_probe_is() -> None:
    """The help defines the unit of the budget and the exit codes."""
    text = " ".join(CliRunner().invoke(command, ["--help"]).output.split())

    assert "scoring calls of P, each with one small corpus" in text
    assert "The exit code is 0 where one setting" in text

"""
The benchmark command: every row runs, peers are compared by value, absent ones are named.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """
    Run the command as a user does.
    """
    command = [sys.executable, str(ROOT / "benchmarks" / "run.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_row_compares_times_and_values(tmp_path: Path) -> None:
    """
    The table and the JSON file give both sides' times, their ratio and whether the values are equal.
    """
    pytest.importorskip("sacrebleu")
    out = tmp_path / "figures.json"
    done = run("bleu", "--segments", "80", "--repeat", "1", "--no-first-call", "--json", str(out))
    assert done.returncode == 0, done.stderr
    figures: list[dict[str, Any]] = json.loads(out.read_text())
    found = next(figure for figure in figures if figure["peer"].startswith("sacrebleu"))
    assert found["values"] == "equal"
    assert found["segments"] == 80
    assert found["ratio"] == pytest.approx(found["time"] / found["tertium"])
    assert "| sacrebleu 2.6.0 |" in done.stdout


def test_growth_measures_time_and_memory() -> None:
    """
    The hidden mode that growth is measured with gives seconds and bytes.
    """
    done = run("bleu", "--one", "growth", "300")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["time"] > 0
    assert found["memory"] >= 0


def test_an_unknown_metric_is_named_with_the_choices() -> None:
    """
    Asking for a metric without rows is a usage error that lists those that have some.
    """
    done = run("blue")
    assert done.returncode == 2
    assert "no rows for blue; there are" in done.stderr
    assert "bleu" in done.stderr


def test_generated_text_stands_in_where_the_corpora_are_absent() -> None:
    """
    The generated corpus has the size asked for, the same text each time, and neither equal nor unrelated sides.
    """
    program = (
        "import sys; sys.path.insert(0, 'benchmarks'); import corpora, tertium; c = corpora.generated(50); "
        "assert c.hypotheses == corpora.generated(50).hypotheses and len(c) == 50; "
        "v = tertium.score('bleu', tertium.Cases(c.hypotheses, c.references)).value; assert 10 < v < 90, v"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

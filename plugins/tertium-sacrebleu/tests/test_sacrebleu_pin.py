"""
One version of the library, and one place that says which.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from tertium_sacrebleu import BLEU, CHRF, TER

PROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"


@pytest.mark.parametrize("metric", [BLEU, CHRF, TER])
def test_pin_is_the_dependency(metric: type[BLEU]) -> None:
    """The version that a class is made for is the one that the distribution depends on, and the installed one."""
    dependencies = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["dependencies"]

    assert f"{metric.library}=={metric.pinned}" in dependencies
    assert metadata.version("sacrebleu") == metric.pinned


def test_finding_the_metrics_imports_no_library() -> None:
    """Loading a metric and reading its facts leaves the library alone; only scoring imports it."""
    code = (
        "import sys, tertium; [tertium.load(f'{name}@sacrebleu').info for name in ('bleu', 'chrf', 'ter')]; "
        "print([name for name in ('sacrebleu', 'MeCab', 'numba') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"

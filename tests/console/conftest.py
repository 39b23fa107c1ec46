"""
Share what the tests of the command line need: a runner, metrics that fail in all ways, and small files.
"""

from __future__ import annotations

import logging
import math
import os
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

import tertium
from tertium import Range, registry
from tertium.console import cli
from tertium.plugins import Plugin

Run = Callable[..., Result]


class Length(tertium.Metric):
    """
    Mean number of characters. A second sentence explains ``factor``.
    """

    name, provider = "length", "left"
    columns, outputs, scale, higher_is_better = ("characters", "cases"), ("mean", "total"), (0.0, math.inf), False
    citation = "Anon 1901, On Counting"

    def __init__(self, *, factor: Annotated[float, "Multiplies every length", Range(0, 10)] = 1.0) -> None:
        self.factor = factor

    def statistics(self, prepared: Any, constants: Any) -> Any:
        return np.array([[len(case.hypothesis) * self.factor, 1.0] for case in prepared])

    def aggregate(self, sums: Any) -> Any:
        return np.stack([sums[..., 0] / sums[..., 1], sums[..., 0]], axis=-1)

    def notes(self, cases: Any) -> list[str]:
        return ["the first case is empty"] if not cases.hypotheses[0] else []


class Size(Length):
    name = "size"


class GoneSize(Size):
    provider, library, pinned = "gone", "a-library-that-nobody-has", "1.0"


class WholeSize(Size):
    """
    The same, for the corpus only.
    """

    provider, additive = "whole", False

    def corpus(self, prepared: Any, constants: Any) -> Any:
        return self.aggregate(self.statistics(prepared, constants).sum(axis=0))


class Ratio(tertium.Metric):
    """
    Characters of the hypothesis a character of the first reference.
    """

    name, provider = "ratio", "left"
    columns, outputs, scale = ("hypothesis", "reference"), ("ratio",), (0.0, math.inf)
    undefined = "neither side has a character"

    def statistics(self, prepared: Any, constants: Any) -> Any:
        return np.array([[len(case.hypothesis), len(case.references[0])] for case in prepared], dtype=float)

    def aggregate(self, sums: Any) -> Any:
        return sums[..., :1] / sums[..., 1:]


class Loud(Length):
    name, provider = "loud", "left"

    def statistics(self, prepared: Any, constants: Any) -> Any:
        print("printed by a library")  # noqa: T201 - what libraries do
        warnings.warn("warned by a library", UserWarning, stacklevel=1)
        logging.getLogger("some.library").warning("logged by a library")
        return super().statistics(prepared, constants)


class Sourced(Length):
    name, provider, needs = "sourced", "left", ("sources",)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """
    Give a function that runs a command line in this process, in an empty folder, with the metrics above installed.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    metrics: list[type[tertium.Metric]] = [Length, Size, GoneSize, WholeSize, Ratio, Loud, Sourced]
    sound = Plugin("left", "left", "tertium-left", "1.5", metrics)
    broken = Plugin("torn", "torn", "tertium-torn", "0.1", problems=["importing torn: ImportError: no [bold]luck"])
    broken.details = "Traceback: the line that failed"
    monkeypatch.setattr(registry, "_registry", registry.Registry([sound, broken]))

    def call(*words: str, stdin: str | bytes | None = None) -> Result:
        return CliRunner().invoke(cli, list(words), input=stdin)

    return call


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """
    Give a folder with two systems, two references and a data file of two cases.
    """
    texts = {
        "a.txt": "one\nfour\n",
        "b.txt": "three\nfour\n",
        "ref.txt": "one\nfive\n",
        "second.txt": "two\nfour\n",
        "short.txt": "one\n",
        "data.jsonl": '{"id": "s1", "hypothesis": "one", "references": ["one"]}\n'
        '{"id": "s2", "hypothesis": "four", "references": ["five"]}\n',
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def process(*words: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """
    Run the command line as a process of its own.
    """
    environment = {**os.environ, "TERTIUM_PLUGINS": "example", **options.pop("env", {})}
    return subprocess.run(
        [sys.executable, "-c", "from tertium.console import main; main()", *words],
        env=environment,
        timeout=60,
        check=False,
        **({"capture_output": True} | options if "stdout" not in options else options),
    )


@pytest.fixture(name="process")
def process_fixture() -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """
    Give the function that runs the command line as a process.
    """
    return process

"""
The suite, run with every installed provider of this project.
"""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest

from tertium.conformance import load_cases, run
from tertium.conformance.running import Options, run_all
from tertium.registry import KNOWN_PROVIDERS, registry


@pytest.mark.slow
def test_nothing_is_unexplained_and_no_entry_is_stale() -> None:
    """Native and all adapters agree on every case, or part for a reason that has a name."""
    offered = {name for found in registry().metrics.values() for name in found}
    chosen = ["native", *sorted(offered & set(KNOWN_PROVIDERS))]
    found = run_all(load_cases(), chosen, None, Options(time_limit=120.0))

    wrong = [one for one in found.report.results if one.verdict in ("unexplained", "error")]
    assert [(one.reason, one.reproduce) for one in wrong] == []
    assert found.unneeded == []
    assert len(found.report.results) > 1000


def test_native_agrees_with_sacrebleu_on_what_is_empty() -> None:
    """A small part of the suite, through the public functions."""
    cases = [case for case in load_cases() if "empty" in case.tags and case.metric in ("bleu", "chrf", "ter")]
    report = run(cases, ["native", "sacrebleu"], time_limit=120.0)

    assert report.counts["unexplained"] == report.counts["error"] == 0
    assert report.counts["agrees"] > 30


@pytest.mark.slow
def test_suite_is_part_of_the_installed_package(tmp_path: Path) -> None:
    """A built wheel holds cases, schemas, stored reports and known differences."""
    from hatchling.builders.wheel import WheelBuilder

    root = Path(__file__).resolve().parents[2]
    here = os.getcwd()
    os.chdir(root)
    try:
        (built,) = WheelBuilder(str(root)).build(directory=str(tmp_path), versions=["standard"])
    finally:
        os.chdir(here)
    names = set(zipfile.ZipFile(built).namelist())
    for file in (
        "cases/bleu.jsonl",
        "schemas/report.schema.json",
        "recorded/sacrebleu-2.6.0.jsonl",
        "divergences.toml",
    ):
        assert f"tertium/conformance/suite/{file}" in names
    assert not any(name.startswith(("conformance/", "tertium/conformance/suite/points")) for name in names)

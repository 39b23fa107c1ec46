"""
Share a plugin whose providers each misbehave in exactly one way, and cases to run them on.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from miniatures.conformance import MINIATURES, ROWS, case_line
from tertium import registry
from tertium.conformance.case_files import ConformanceCase, load_cases


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """
    Write a suite of three cases of exact match.
    """
    file = tmp_path / "made.jsonl"
    file.write_text("".join(json.dumps(case_line(**row)) + "\n" for row in ROWS), encoding="utf-8")
    return file


@pytest.fixture
def cases(suite: Path) -> tuple[ConformanceCase, ...]:
    """
    Read that suite.
    """
    return load_cases(suite)


@pytest.fixture
def miniatures(install: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Install the misbehaving plugin beside the native metrics, for this process and its workers.
    """
    install("miniature", MINIATURES)
    monkeypatch.setenv("TERTIUM_PLUGINS", "native,miniature")
    monkeypatch.setattr(registry, "_registry", None)

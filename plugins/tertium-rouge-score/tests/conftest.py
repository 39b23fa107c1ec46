"""
Share fixtures: where the real corpora are, and how their files are read.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(__file__).resolve().parents[4] / "shared"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """
    Leave out what takes minutes, unless TERTIUM_SLOW=1 asks for it.
    """
    for item in items:
        if item.get_closest_marker("slow") and Path(__file__).parent in item.path.parents:
            item.add_marker(
                pytest.mark.skipif(os.environ.get("TERTIUM_SLOW") != "1", reason="set TERTIUM_SLOW=1 to run it")
            )


@pytest.fixture(scope="session")
def data() -> Path:
    """
    Give the folder of real corpora beside the repository, or skip.
    """
    if not SHARED.is_dir():
        pytest.skip("the folder `shared` with real corpora is not beside the repository")
    return SHARED / "data"


@pytest.fixture(scope="session")
def measured() -> Path:
    """
    Give the folder of measured conformance cases beside the repository, or skip.
    """
    if not SHARED.is_dir():
        pytest.skip("the folder `shared` with measured cases is not beside the repository")
    return SHARED / "conformance-cases"


@pytest.fixture(scope="session")
def lines() -> Callable[[Path], list[str]]:
    """
    Give a function that reads a file's lines; only a line feed ends one.
    """

    def read(file: Path) -> list[str]:
        texts = file.read_bytes().decode("utf-8").split("\n")
        return texts[:-1] if texts[-1] == "" else texts

    return read


@pytest.fixture(scope="session")
def expected() -> Callable[[Path], dict[str, Any]]:
    """
    Give a function that reads the values recorded beside a corpus.
    """

    def read(folder: Path) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((folder / "expected.json").read_text(encoding="utf-8"))["systems"]
        return found

    return read

"""
Write small files and collect the notes of a reader.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, bytes | str], str]:
    """
    Return a function that writes a file in a new folder and returns its path.
    """

    def make(name: str, content: bytes | str) -> str:
        path = tmp_path / name
        path.write_bytes(content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content)
        return str(path)

    return make


@pytest.fixture
def notes() -> list[str]:
    """
    Return a list whose ``append`` can stand for the notes of a reader.
    """
    return []

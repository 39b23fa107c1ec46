"""
Lines of corpora as the programs that scored them read them.
"""

from __future__ import annotations

from pathlib import Path


def lines_of(path: Path) -> list[str]:
    """
    Read a file's lines, which only a line feed ends.
    """
    return path.read_bytes().decode("utf-8").removesuffix("\n").split("\n")

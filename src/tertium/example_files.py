"""
Find the example files that come along.
"""

from __future__ import annotations

from pathlib import Path

from tertium.errors import DataError


def examples() -> Path:
    """
    Find the folder of the example files: beside the package where it is installed, or in a checkout.

    Raises:
        DataError: Neither has it.
    """
    package = Path(__file__).parent
    for folder in (package / "examples", package.parents[1] / "examples"):
        if (folder / "captions.jsonl").is_file():
            return _short(folder)
    raise DataError("the example corpus", f"{package} does not hold it", "Install tertium again")


def _short(folder: Path) -> Path:
    here = Path.cwd()
    return folder.relative_to(here) if folder.is_relative_to(here) else folder

"""
Find the suite's files: inside an installed package, or in a checkout.
"""

from __future__ import annotations

from pathlib import Path

from tertium.errors import DataError

_HERE = Path(__file__).parent


def folder() -> Path:
    """
    Return the folder that holds ``cases``, ``recorded``, ``schemas`` and ``divergences.toml``.

    Raises:
        DataError: It is nowhere.
    """
    for place in (_HERE / "suite", _HERE.parents[2] / "conformance"):
        if (place / "schemas").is_dir():
            return place
    raise DataError("the conformance suite", f"{_HERE} does not hold it", "Install tertium again")

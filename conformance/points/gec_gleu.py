"""
GLEU+ in its authors' program and in the package gleu.
"""

from __future__ import annotations

from typing import Any

METRIC = "gec-gleu"
TOLERANCE = {"gleu": 6e-9}
DIVERGENCES: dict[tuple[str, str], str] = {}


def point(implementation: str, params: dict[str, Any]) -> dict[str, Any] | str:
    """
    The authors' program is the default, its command line's ``-n`` included; the package honours ``-n``.
    """
    found: dict[str, Any] = {"missing_order": "one", "tokenize": "none"} if implementation == "gleu" else {}
    if "n" in params:
        found["n"] = params["n"]
        if implementation != "gleu":
            found |= {"n": min(params["n"], 4), "divisor": "four"}
    if "iter" in params:
        found["iterations"] = params["iter"]
    return found

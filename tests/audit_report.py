"""
An audit's report with everything in it that a page can show, and hostile texts in every place.
"""

from __future__ import annotations

from typing import Any

HOSTILE = '<img src=x onerror="window.hacked=1"></style><script>window.hacked=2</script>{{ 7*7 }}&amp;\'\u202e\x1b[31m'
HIDDEN = "a\u00a0b\u200b  c\te\u0301"


def side(spec: str, value: Any, state: str = "number") -> dict[str, Any]:
    return {"spec": spec, "output": "score", "value": value, "scale": [0.0, 1.0], "state": state}


def report(equal: bool = False) -> dict[str, Any]:
    """
    Give the object that `tertium audit --json` prints.
    """
    case = {"hypothesis": HOSTILE, "references": [HIDDEN, ""]}
    return {
        "tertium": "1.0",
        "function": f"py:mine:{HOSTILE}",
        "metric": "bleu",
        "shape": {
            "metric": "bleu",
            "input": "tokens",
            "tokenize": "13a",
            "result": HOSTILE,
            "scale": 1.0,
            "source": "none",
        },
        "notes": [f"note {HOSTILE}"],
        "verdict": f"verdict {HOSTILE}",
        "equal": equal,
        "behaviour": {
            "calls": 15,
            "apart": True,
            "remarks": [] if equal else [{"kind": "random", "text": f"it draws {HOSTILE}"}],
        },
        "fingerprint": {
            "provider": f"py:mine:{HOSTILE}",
            "explained": equal,
            "setting": f"bleu@native(tokenize='{HOSTILE}')",
            "factor": 0.01,
            "rivals": [{"setting": "bleu@native(max_order=3)", "factor": 1.0, "separated_by": None}],
            "conventions": [
                {
                    "axis": "tokenizer",
                    "meaning": f"How {HOSTILE}",
                    "choice": {"tokenize": HOSTILE, "lowercase": True, "smooth_value": None},
                    "decided": False,
                    "others": [{"tokenize": "intl"}],
                    "separated_by": None,
                }
            ],
            "probes": 60,
            "budget": 200,
            "inputs_tried": 1396,
            "tolerance": {"relative": 1e-9, "absolute": 0.0, "why": ""},
            "unexplained": []
            if equal
            else [{"cases": [{"hyp": HOSTILE, "refs": [HIDDEN]}], "name": "n", "answer": 0.5, "native": "undefined"}],
            "refused": [],
            "unsteady": [],
            "unavailable": [],
            "declared": None,
            "declared_agrees": None,
            "outputs": {"compared": [], "left_out": {}},
        },
        "problem": "",
        "suite": {
            "metric": "bleu",
            "setting": "bleu@native",
            "counts": {
                "setting": {"agrees": 70, "differs": 0},
                "default": {"agrees": 40, "differs": 30},
                "textbook": {"agrees": 6, "differs": 1},
            },
            "axes": {"bleu.smoothing": 11, HOSTILE: 1},
            "left_out": {"they have several references": 12},
            "cases": [
                {
                    "id": "one",
                    "title": f"Title {HOSTILE}",
                    "axes": ["bleu.smoothing", HOSTILE],
                    "texts": [case],
                    "mine": "ValueError",
                    "others": {"setting": "ValueError", "default": 0.5, "textbook": "Infinity"},
                    "agrees": {"setting": True, "default": False, "textbook": False},
                }
            ],
            "meanings": {"bleu.smoothing": "What stands in for zero."},
        },
        "corpus": f"{HOSTILE}.jsonl",
        "difference": {
            "cases": 12,
            "a": side("bleu@native", 0.5),
            "b": side(f"py:mine:{HOSTILE}", 0.25),
            "unit": 1.0,
            "on": "on their scale",
            "gap": -0.25,
            "differing": 2,
            "columns": [],
            "carriers": [
                {
                    "id": HOSTILE,
                    "position": 3,
                    "values": [1.0, None],
                    "difference": None,
                    "influence": -0.1,
                    "columns": {},
                    **case,
                }
            ],
        },
        "explanation": {
            "cases": 12,
            "a": side("bleu@native", 0.5),
            "b": side(f"py:mine:{HOSTILE}", 0.25),
            "unit": 1.0,
            "on": "on their scale",
            "factor": 1.0,
            "gap": -0.25,
            "parts": {"smoothing": -0.2},
            "remainder": -0.05,
            "remainders": [0.0, -0.05],
            "conventions": [
                {
                    "name": "smoothing",
                    "axes": ["bleu.smoothing"],
                    "meaning": f"Meaning {HOSTILE}",
                    "share": -0.2,
                    "choices": {"smoothing": ["exp", "none"]},
                    "case": None,
                }
            ],
            "interactions": [],
            "exact": True,
        },
    }

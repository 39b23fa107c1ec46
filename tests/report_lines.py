"""
Make small conformance reports, and large ones, as the plain lines that pages are drawn from.
"""

from __future__ import annotations

from typing import Any

Line = dict[str, Any]

HOSTILE = "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 2'><!-- & {{ 7 * 7 }}"
HIDDEN = "e\u0301 a\u00a0b\tc\nd\u202ee\u200b \ud800 \U0001f600"
"""A letter with a combining mark, a no-break space, a tab, a line end, a reversal, a zero-width space, half a pair."""


def header(names: list[str]) -> Line:
    providers = [
        {
            "provider": name,
            "distribution": f"tertium-{name}",
            "plugin": "1",
            "library": None,
            "version": "1",
            "metrics": ["bleu"],
            "resources": {},
        }
        for name in names
    ]
    return {
        "line": "header",
        "format": "tertium-conformance/1",
        "tertium": "0.1.0",
        "started": "2026-01-01T00:00:00Z",
        "python": "3.11",
        "platform": "Linux",
        "suite": {"cases": 0, "digest": ""},
        "selection": {},
        "providers": providers,
    }


def case(id_: str, metric: str = "bleu", **given: Any) -> Line:
    return {
        "line": "case",
        "id": id_,
        "metric": metric,
        "title": f"The case {id_}",
        "explanation": "It shows something.",
        "tags": ["tie"],
        "axes": ["bleu.scale"],
        "params": {},
        "segments": [{"hyp": "a b", "refs": ["a b"]}],
        "textbook": None,
        "tolerance": None,
        "measured": {},
        **given,
    }


def number(unit: float, **components: float) -> Line:
    return {"type": "number", "value": unit * 100, "unit": unit, "components": components}


def result(id_: str, provider: str, outcome: Line, verdict: str = "agrees", **given: Any) -> Line:
    return {
        "line": "result",
        "case": id_,
        "metric": "bleu",
        "provider": provider,
        "spec": f"bleu@{provider}",
        "verdict": verdict,
        "reason": "",
        "axes": [],
        "outcome": outcome,
        "against": [],
        "printed": "",
        "seconds": 0.001,
        "reproduce": f"tertium conform {provider} --case {id_}",
        **given,
    }


def small() -> list[Line]:
    """
    Return a report with one of everything: four cases, two providers, all verdicts, all kinds of outcomes.
    """
    refused = {"type": "rejected", "by": "provider", "kind": "ValueError", "notice": "no references"}
    failed = {"type": "failed", "kind": "crash", "notice": HOSTILE}
    against = [{"with": "native", "agrees": False, "detail": "1.0 against 0.5", "spec": "bleu@native"}]
    return [
        header(["native", "other"]),
        case("first", textbook={"value": 0.5, "scale": "0-1", "exact": "1/2", "source": "Anon 1901"}),
        case(
            "second",
            tags=["empty"],
            segments=[{"hyp": HIDDEN, "refs": ["", None], "src": "s"}, {"hyp": None, "refs": []}],
        ),
        case(
            "hostile",
            title=HOSTILE,
            explanation=HOSTILE,
            segments=[{"hyp": HOSTILE, "refs": [{"$repeat": "ab ", "times": 900}]}],
            measured={HOSTILE: {"version": HOSTILE, "outcome": number(0.25)}},
        ),
        case("fourth", metric="chrf", axes=["chrf.beta"]),
        result("first", "native", number(0.5, bleu=50.0, matches_1=2.0)),
        result("first", "other", number(1.0), "explained", reason="it smooths", axes=["smoothing"], against=against),
        result("second", "native", refused),
        result("second", "other", {"type": "infinite", "value": "Infinity", "components": {}}, "unexplained"),
        result("hostile", "native", failed, "error", reason=HOSTILE, printed=HOSTILE, reproduce=f"x {HOSTILE}"),
        result("hostile", "other", {"type": "unsupported", "reason": HOSTILE}, "skipped", spec=None),
        result(
            "fourth", "native", {"type": "undefined", "reason": "nothing to divide by", "components": {"chrf": None}}
        ),
        {"line": "footer", "cases": 4, "results": 7, "counts": {}, "seconds": 1.0},
    ]


MEANINGS = {"bleu.scale": "How it is written.", "bleu:smoothing": "bleu.smoothing: What stands in for zero."}


def large(cases: int = 500, providers: int = 20) -> list[Line]:
    """
    Return a report of many cells, each with as much behind it as BLEU has.
    """
    names = [f"provider-{place}" for place in range(providers)]
    lines = [header(names)]
    for row in range(cases):
        texts = {
            "hyp": f"the quick brown fox number {row} jumps over it",
            "refs": ["the lazy dog did nothing at all"] * 2,
        }
        lines.append(case(f"case-of-some-length-{row}", segments=[texts, texts]))
    for row in range(cases):
        for place, name in enumerate(names):
            value = (row * 7919 + place) % 9973 / 9973
            components = {f"output_{order}": value * (order + 1) for order in range(14)}
            against = [
                {"with": who, "agrees": True, "detail": "", "spec": "bleu@native(effective_order=false,max_order=4)"}
                for who in ("textbook", "measured", "recorded", "native", "equivalent")
            ]
            verdict = ("agrees", "explained")[place % 2]
            lines.append(
                result(f"case-of-some-length-{row}", name, number(value, **components), verdict, against=against)
            )
    return lines

"""
Draw an audit: the verdict, how the function behaves, the setting that it does as, the suite, and the difference.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.table import Table

from tertium.reports import text
from tertium.reports.difference import difference
from tertium.reports.explanation import explanation
from tertium.reports.fingerprint import fingerprint
from tertium.reports.terminal import grid, say

Facts = Mapping[str, Any]

SHOWN = 5
"""Conformance cases that are shown."""

NAMES = {
    "setting": "the setting that was inferred",
    "default": "the native default",
    "textbook": "definitions and papers",
}
"""What a function is held to on the suite, in words."""


def audit(report: Facts) -> list[Any]:
    """
    Return the parts to draw of the object that ``tertium audit --json`` prints.
    """
    parts: list[Any] = [say(report["verdict"], "bold green" if report["equal"] else "bold yellow"), ""]
    parts += [say("how it is called", "bold"), say(f"  {called(report['shape'])}")] if report["shape"] else []
    parts += ["", say("how it behaves", "bold"), *(say(f"  {line}") for line in behaves(report["behaviour"]))]
    parts += ["", say("what it does as", "bold")]
    if report["fingerprint"] is None:
        parts.append(say(f"  nothing can be inferred: {report['problem']}", "yellow"))
    else:
        parts += fingerprint(report["fingerprint"])
    parts += ["", say(f"conformance cases of {report['metric']}", "bold"), *_suite(report["suite"])]
    parts += [
        "",
        say(f"the native default against it on {report['corpus']}", "bold"),
        *difference(report["difference"]),
    ]
    if report["explanation"] is not None:
        parts += ["", say("what makes them differ", "bold"), *explanation(report["explanation"])[2:]]
    return parts


def called(shape: Facts) -> str:
    """
    Say how a function is called, as it is declared.
    """
    kept = {name: value for name, value in shape.items() if value not in (None, "none") and name != "metric"}
    if kept.get("input") != "tokens":
        kept.pop("tokenize", None)
    return ",".join(
        f"{name}={value:g}" if isinstance(value, float) else f"{name}={value}" for name, value in kept.items()
    )


def behaves(behaviour: Facts | None) -> list[str]:
    """
    Say how a function behaves, a sentence a line.
    """
    if behaviour is None:
        return ["it is no plain function, so it was not looked at"]
    where = "" if behaviour["apart"] else " (this platform cannot copy a process, so what it keeps may not show)"
    calls = f"{behaviour['calls']} calls were made in two orders, with the same and with other seeds{where}"
    if not behaviour["remarks"]:
        return [f"{calls}: it raises nothing, changes no argument, draws nothing and remembers nothing"]
    return [calls, *(one["text"] for one in behaviour["remarks"])]


def _suite(suite: Facts) -> list[Any]:
    table = grid("held to", "agrees", "differs", right=("agrees", "differs"))
    for name, counts in suite["counts"].items():
        table.add_row(say(NAMES[name]), f"{counts['agrees']:,}", f"{counts['differs']:,}")
    parts: list[Any] = [table]
    if suite["left_out"]:
        parts.append(say("left out: " + left_out(suite), "dim"))
    if suite["axes"]:
        parts += ["", _axes(suite)]
    shown = [case for case in suite["cases"] if case["agrees"].get("setting", True) is False] or suite["cases"]
    for case in shown[:SHOWN]:
        parts.append(say(f"{case['id']}: {case['title']}"))
        parts.append(say(f"  it gives {answer(case['mine'])}; {others(case)}", "dim"))
    if len(suite["cases"]) > SHOWN:
        parts.append(say(f"{len(suite['cases']) - SHOWN} more cases differ: see --json or --html", "dim"))
    return parts


def _axes(suite: Facts) -> Table:
    table = grid("conventions of the cases that differ from the default", "cases", "meaning", right=("cases",))
    for axis, count in suite["axes"].items():
        table.add_row(say(axis), f"{count:,}", say(suite["meanings"].get(axis, ""), "dim"))
    return table


def left_out(suite: Facts) -> str:
    """
    Say why cases were left out.
    """
    return ", ".join(f"{count:,} since {reason}" for reason, count in suite["left_out"].items())


def answer(value: Any) -> str:
    """
    Write an answer: a number on the unit scale, or its kind.
    """
    if isinstance(value, float):
        return text.compact(value, 6)
    return {"Infinity": "∞", "-Infinity": "-∞"}.get(value, str(value))


def others(case: Facts) -> str:
    """
    Say what a function is held to on a case, and what each gives.
    """
    return ", ".join(f"{NAMES[name]} {answer(value)}" for name, value in case["others"].items())

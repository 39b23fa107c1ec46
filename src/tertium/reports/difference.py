"""
Draw a difference between two metrics: values on one scale, the cases that carry the gap, and where their statistics part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from tertium.reports import text
from tertium.reports.terminal import grid, say

Facts = Mapping[str, Any]


def difference(report: Facts) -> list[Any]:
    """
    Return the parts to draw of the object that ``tertium diff --json`` prints.
    """
    parts: list[Any] = [sides(report), "", *_summary(report)]
    if report["columns"]:
        parts += ["", say("statistics in which they part", "bold"), _columns(report)]
    if report["carriers"]:
        parts += ["", say("the cases that carry the difference", "bold")]
        for case in report["carriers"]:
            parts += ["", *_case(report, case)]
    if "shrunk" in report:
        parts += ["", *shrunk(report["shrunk"])]
    return parts


def digits(unit: float) -> int:
    """
    Return the decimals that a value on a scale of 0 to ``unit`` is shown with.
    """
    return 4 if unit >= 10 else 6


def signed(value: Any, unit: float) -> str:
    """
    Write a difference with its sign; what rounds to nothing is 0, and what is smaller than the decimals keeps its size.
    """
    if not isinstance(value, float):
        return text.number(value, digits(unit))
    if abs(value) < 1e-12 * unit:
        return "0"
    rounded = f"{value:+.{digits(unit)}f}"
    return f"{value:+.1e}" if float(rounded) == 0 else rounded


def sides(report: Facts) -> Table:
    """
    Return a table of both metrics' values.
    """
    table = grid("", "spec", "value", "scale", right=("value",))
    for name in ("a", "b"):
        side = report[name]
        shown = "refused" if side["state"] == "error" else text.number(side["value"], _decimals(side))
        table.add_row(
            say(name.upper(), "dim"), say(side["spec"]), say(shown, "bold"), say(text.scale(side["scale"]), "dim")
        )
    return table


def _decimals(side: Facts) -> int:
    high = side["scale"][1]
    return 4 if isinstance(high, float) and high >= 10 else 6


def _summary(report: Facts) -> list[Any]:
    lines = []
    if "finding" in report:
        lines.append(say(report["finding"], "yellow"))
    else:
        lines.append(
            Text.assemble(say(f"B less A {report['on']}: "), say(signed(report["gap"], report["unit"]), "bold"))
        )
    if report["differing"] is None and "error" in (report["a"]["state"], report["b"]["state"]):
        lines.append(say("cases cannot be compared, since one of the two has no value of them", "dim"))
    elif report["differing"] is None:
        lines.append(say("one of the two has a corpus value only, so cases cannot be compared", "dim"))
    else:
        count, total = report["differing"], report["cases"]
        many = "differs" if count < 2 else "differ"
        lines.append(say(f"{count:,} of {total:,} cases {many}" if count else f"none of {total:,} cases differs"))
    return lines


def _columns(report: Facts) -> Table:
    table = grid("column", "cases", "first in", "A", "B", right=("cases", "first in", "A", "B"))
    for one in report["columns"]:
        totals = [text.compact(total, 6) for total in one["totals"]]
        table.add_row(say(one["name"]), f"{one['cases']:,}", f"{one['first']:,}", *map(say, totals))
    return table


def _case(report: Facts, case: Facts) -> list[Any]:
    unit = report["unit"]
    refused = case.get("refused", (False, False))
    values = [
        "refused" if no else text.number(value, _decimals(report[name]))
        for name, value, no in zip("ab", case["values"], refused, strict=True)
    ]
    head = Text(f"case {text.visible(case['id'])}", style="bold")
    head.append(f"  A {values[0]}, B {values[1]}; adds {signed(case['influence'], unit)} to the gap", style="not bold")
    lines: list[Any] = [head, *texts(case["hypothesis"], case["references"])]
    for number, pair in enumerate(case.get("tokens", ())):
        if pair["a"] != pair["b"]:
            label = "hyp" if number == 0 else f"ref {number}" if len(case["references"]) > 1 else "ref"
            lines += [
                _tokens(f"{label} as A cuts it", pair["a"], pair["b"]),
                _tokens(f"{label} as B cuts it", pair["b"], pair["a"]),
            ]
    if case["columns"]:
        shown = [
            f"{name} {text.compact(one, 6)} → {text.compact(other, 6)}"
            for name, (one, other) in case["columns"].items()
        ]
        lines.append(
            say("  parts at " + ", ".join(shown[:6]) + (f" and {len(shown) - 6} more" if len(shown) > 6 else ""), "dim")
        )
    return lines


def texts(hypothesis: str, references: Sequence[str], limit: int = 600) -> list[Text]:
    """
    Show a case's texts with nothing hidden in them.

    Args:
        limit: Characters from which a text is cut short.
    """
    lines = [_text("hyp", hypothesis, limit)]
    return lines + [
        _text(f"ref {number}" if len(references) > 1 else "ref", reference, limit)
        for number, reference in enumerate(references, 1)
    ]


def _text(label: str, shown: str, limit: int) -> Text:
    whole = text.exposed(shown[:limit].rstrip() if len(shown) > limit else shown) + (
        f"... ({len(shown):,} characters)" if len(shown) > limit else ""
    )
    return Text.assemble(Text(f"  {label}  ", style="dim"), Text(whole))


def _tokens(label: str, tokens: Sequence[str], others: Sequence[str]) -> Text:
    known = set(others)
    line = Text(f"  {label}  ", style="dim")
    for number, token in enumerate(tokens[:80]):
        line.append(" | " if number else "", style="dim")
        line.append(text.exposed(token), style="" if token in known else "bold yellow")
    if len(tokens) > 80:
        line.append(f" | ... ({len(tokens):,} tokens)", style="dim")
    return line


def shrunk(found: Facts) -> list[Any]:
    """
    Show the smallest input on which two metrics differ.
    """
    case = found["case"]
    title = (
        "the smallest input on which they differ" if found["complete"] else "the smallest input found within the budget"
    )
    parts: list[Any] = [say(f"{title} ({text.many(found['calls'], 'input')} tried)", "bold")]
    for name, (label, result) in zip("AB", case["results"].items(), strict=True):
        value = result.get("score", result.get("error", "undefined"))
        parts.append(say(f"  {name}  {label}: {value}"))
    for segment in case["cases"]:
        parts += texts(segment["hyp"], segment["refs"] or ())
    return parts

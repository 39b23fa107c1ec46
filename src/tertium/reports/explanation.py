"""
Draw an explanation: the gap, each convention's share of it, what each means, and the case that shows it best.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.table import Table
from rich.text import Text

from tertium.reports import text
from tertium.reports.difference import digits, sides, signed, texts
from tertium.reports.terminal import grid, say

Facts = Mapping[str, Any]


def explanation(report: Facts) -> list[Any]:
    """
    Return the parts to draw of the object that ``tertium explain --json`` prints.
    """
    parts: list[Any] = [sides(report), ""]
    if "finding" in report:
        parts += [say(report["finding"][0].upper() + report["finding"][1:] + ".", "yellow"), ""]
    parts += [_shares(report), ""]
    if report["factor"] != 1 and report["gap"] is not None:
        parts += [_scale(report), ""]
    for one in report["interactions"]:
        pair = " and ".join(one["between"])
        error = one.get("standard_error")
        about = "" if error is None else f" ± {text.number(error, digits(report['unit']))}"
        parts.append(
            say(f"{pair} together add {signed(one['index'], report['unit'])}{about} beyond what each adds alone", "dim")
        )
    if report["interactions"]:
        parts.append("")
    for part in report["conventions"]:
        parts += [*_convention(report, part), ""]
    return parts[:-1]


def _shares(report: Facts) -> Table:
    unit, gap = report["unit"], report["gap"]
    sampled = not report["exact"]
    table = grid(
        f"B less A {report['on']}",
        "share",
        *(["± error"] if sampled else []),
        "of the gap",
        "A",
        "B",
        right=("share", "± error", "of the gap"),
    )
    for part in report["conventions"]:
        choices = [
            ", ".join(f"{name}={_choice(pair[place])}" for name, pair in part["choices"].items()) for place in (0, 1)
        ]
        error = [text.number(part.get("standard_error", 0.0), digits(unit))] if sampled else []
        table.add_row(
            say(part["name"], "bold"),
            signed(part["share"], unit),
            *error,
            _percent(part["share"], gap),
            *map(say, choices),
        )
    blank = [""] if sampled else []
    table.add_row(
        say("remainder", "dim"), signed(report["remainder"], unit), *blank, _percent(report["remainder"], gap), "", ""
    )
    table.add_section()
    table.add_row(say("gap"), say(signed(gap, unit), "bold"), *blank, _percent(gap, gap), "", "")
    return table


def _choice(value: Any) -> str:
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _percent(share: Any, gap: Any) -> str:
    if not isinstance(share, float) or not isinstance(gap, float) or abs(gap) < 1e-300:
        return ""
    return f"{100 * share / gap + 0.0:.1f} %".replace("-0.0", "0.0")


def _scale(report: Facts) -> Text:
    a, b, factor = report["a"], report["b"], report["factor"]
    times = f"{factor:g} times" if factor >= 1 else f"one {1 / factor:g}th of"
    printed = b["value"] - a["value"]
    brought = a["value"] * factor - a["value"]
    decimals = digits(max(report["unit"], factor))
    return say(
        f"scale: B writes {times} the number that A writes for the same score. Of the printed difference {printed:+.{decimals}f}, "
        f"{brought:+.{decimals}f} is scale and {printed - brought:+.{decimals}f} is the gap above on B's scale."
    )


def _convention(report: Facts, part: Facts) -> list[Any]:
    lines: list[Any] = [Text.assemble(say(part["name"], "bold"), say(f"  {part['meaning']}"))]
    if part.get("reason"):
        lines.append(say(f"  These stand together because they cannot be mixed: {part['reason']}", "dim"))
    case = part["case"]
    if case is not None:
        places = digits(report["unit"])
        refused = case.get("refused", (False, False))
        before, after = (
            "refused" if no else _value(case[name], places)
            for name, no in zip(("before", "after"), refused, strict=True)
        )
        moved = (
            f"{before} → {after}" if before != after else "its own value stays, and that of the corpus moves most by it"
        )
        lines.append(say(f"  shown best by case {text.visible(case['id'])}: {moved}", "dim"))
        lines += texts(case["hypothesis"], case["references"], 200)
    elif part["choices"] and part["name"] != "scale" and report["gap"] is not None:
        lines.append(say("  no case shows it here", "dim"))
    return lines


def _value(value: Any, places: int) -> str:
    shown = text.number(value, places)
    return f"{value:.2g}" if isinstance(value, float) and float(shown) == 0 else shown

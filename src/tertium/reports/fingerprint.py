"""
Draw a fingerprint: the setting that was found, axis by axis, and what is left open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table

from tertium.reports import text
from tertium.reports.terminal import grid, say

Facts = Mapping[str, Any]

SHOWN = 8
"""Unexplained probes, and choices of an axis, that are shown."""


def fingerprint(report: Facts) -> list[Any]:
    """
    Return the parts to draw of the object that ``tertium fingerprint --json`` prints.
    """
    parts: list[Any] = [*_found(report), "", *_account(report), "", _axes(report)]
    parts += _open(report)
    parts += _rivals(report)
    parts += _unexplained(report)
    return parts


def _found(report: Facts) -> list[Any]:
    setting = _setting(report["setting"], report["factor"])
    missed, refuted = len(report["unexplained"]), len(report["rivals"])
    if report["explained"]:
        lead = f"{report['provider']} does as"
    elif missed:
        lead = f"No setting explains every answer of {report['provider']}; {missed} of {report['probes']} are left by the closest"
    elif refuted:
        lead = f"{report['provider']} does as one of {refuted + 1} settings, of which the simplest is"
    else:
        lead = f"{report['provider']} does not always answer alike; the closest setting is"
    found: list[Any] = [say(lead), f"  {setting}"]
    if report["declared"] is not None:
        agrees = "does the same" if report["declared_agrees"] else "does something else"
        found.append(
            say(f"  It declares {report['declared']}, which {agrees} on all {report['inputs_tried']:,} inputs.", "dim")
        )
    return found


def _account(report: Facts) -> list[Any]:
    tolerance = report["tolerance"]
    within = f"{tolerance['relative']:g} relative"
    if tolerance["absolute"]:
        within += f" or {tolerance['absolute']:.2g}"
    lines = [
        f"{report['probes']} probes of at most {report['budget']}: each is one scoring call with one small corpus. "
        f"Settings were compared with each other on {report['inputs_tried']:,} inputs.",
        f"Answers are equal within {within}" + (f": {tolerance['why']}." if tolerance["why"] else "."),
    ]
    outputs = report["outputs"]
    if outputs["compared"]:
        lines.append(f"Beside the headline it gives the setting's {', '.join(outputs['compared'])}.")
    reasons: dict[str, list[str]] = {}
    for name, why in outputs["left_out"].items():
        reasons.setdefault(why, []).append(name)
    lines += [f"Not compared: {', '.join(names)} ({why})." for why, names in reasons.items()]
    lines += [f"Questions of one kind were left out: {why}." for why in report["refused"]]
    lines += [f"Asked again, it answered otherwise: {one}." for one in report["unsteady"]]
    lines += [f"Not tried: {one}" for one in report["unavailable"]]
    return [say(line) for line in lines]


def _axes(report: Facts) -> Table:
    table = grid("axis", "choice", "known by", "meaning")
    for one in report["conventions"]:
        known = "answers" if one["decided"] else "nothing separates" if one["separated_by"] is None else "not asked"
        style = "" if one["decided"] else "yellow"
        table.add_row(
            say(one["axis"], "bold"), say(_assigned(one["choice"])), say(known, style), say(one["meaning"], "dim")
        )
    return table


def _open(report: Facts) -> list[Any]:
    parts: list[Any] = []
    for one in report["conventions"]:
        if one["decided"]:
            continue
        own = one["choice"]
        others = [
            _assigned({name: value for name, value in other.items() if own.get(name, other) != value})
            for other in one["others"]
        ]
        listed = "; ".join(others[:SHOWN]) + (f"; {len(others) - SHOWN} more" if len(others) > SHOWN else "")
        parts += ["", say(f"{one['axis']}: {listed} would give the same answers.")]
        if one["separated_by"] is None:
            parts.append(say(f"  No input was found that separates, in {report['inputs_tried']:,} tried.", "dim"))
        else:
            parts += _separation(one["separated_by"])
    return parts


def _rivals(report: Facts) -> list[Any]:
    parts: list[Any] = []
    for one in report["rivals"]:
        parts += ["", say(f"{_setting(one['setting'], one['factor'])} explains as much.")]
        if one["separated_by"] is not None:
            parts += _separation(one["separated_by"])
    return parts


def _separation(found: Facts) -> list[Any]:
    said = "; ".join(f"{setting} gives {_answer(value)}" for setting, value in found["answers"].items())
    return [say("  The smallest input that would separate them:"), *_texts(found["cases"]), say(f"    {said}", "dim")]


def _unexplained(report: Facts) -> list[Any]:
    missed = report["unexplained"]
    if not missed:
        return []
    count = len(missed)
    parts: list[Any] = ["", say(f"{count} probe{'s' * (count > 1)} that no setting explains", "bold")]
    for one in missed[:SHOWN]:
        parts += [
            *_texts(one["cases"]),
            say(f"    it answers {_answer(one['answer'])}, the setting {_answer(one['native'])}"),
        ]
    if count > SHOWN:
        parts.append(say(f"  and {count - SHOWN} more: see --json", "dim"))
    return parts


def _texts(cases: Sequence[Facts]) -> list[Any]:
    lines = []
    for case in cases:
        lines.append(f"    hyp  {_quoted(case['hyp'])}")
        lines += [f"    ref  {_quoted(reference)}" for reference in case["refs"]]
    return lines


def _quoted(written: str) -> str:
    shown = text.visible(written)
    return f'"{shown if len(shown) <= 200 else shown[:200] + "…"}"'


def _answer(value: Any) -> str:
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def _setting(spec: str, factor: float) -> str:
    return spec if factor == 1 else f"{factor:g} × {spec}"


def _assigned(choice: Facts) -> str:
    return ", ".join(f"{name}={_value(value)}" for name, value in choice.items()) or "the same"


def _value(value: Any) -> str:
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)

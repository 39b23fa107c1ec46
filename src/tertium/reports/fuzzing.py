"""
Draw what a search for differences found: a table of explanations, and under it each finding's smallest input.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.text import Text

from tertium.reports import text
from tertium.reports.difference import signed, texts
from tertium.reports.terminal import grid, say

Facts = Mapping[str, Any]

SHOWN = 12
"""Cases of one input that are shown."""


def fuzzing(report: Facts) -> list[Any]:
    """
    Return the parts to draw of the object that ``tertium fuzz --json`` prints.
    """
    parts: list[Any] = [*_head(report), ""]
    findings = report["findings"]
    if not findings:
        parts.append(say("the two agree on it" if report["corpora"] == 1 else "the two agree on all of them", "bold"))
        return parts
    table = grid("", "explained by", "what", "output", "seen", right=("", "seen"))
    for number, finding in enumerate(findings, 1):
        by = ", ".join(finding["by"]) + (f" (divergence {finding['divergence']})" if "divergence" in finding else "")
        table.add_row(
            say(str(number), "dim"),
            say(by, "bold" if finding["explained"] else "bold red"),
            say(finding["kind"]),
            say(finding["output"]),
            f"{finding['seen']:,}",
        )
    parts.append(table)
    for number, finding in enumerate(findings, 1):
        parts += ["", *_finding(report, number, finding)]
    if report.get("saved"):
        parts += ["", say(f"saved to {', '.join(report['saved'])}", "dim")]
    return parts


def _head(report: Facts) -> list[Any]:
    a, b = report["a"], report["b"]
    lines = [Text.assemble(say(name, "dim"), "  ", say(side["spec"], "bold")) for name, side in (("A", a), ("B", b))]
    rate = f"{report['rate']:,.0f} a second" if report["rate"] else "none"
    tried = f"{text.many(report['cases'], 'case')} in {text.many(report['corpora'], 'corpus', 'corpora')}"
    tried += f", seed {report['seed']}, {report['seconds']:.1f} s ({rate})"
    lines.append(say(tried + ("; interrupted" if report["interrupted"] else "")))
    refused = f"; both refused {report['refused']:,}" if report["refused"] else ""
    findings = text.many(len(report["findings"]), "finding")
    differing = text.many(report["differing"], "input")
    lines.append(say(f"{differing} on which they differ{refused}; {findings}, {report['unexplained']:,} unexplained"))
    return lines


def _finding(report: Facts, number: int, finding: Facts) -> list[Any]:
    by = ", ".join(finding["by"])
    lines: list[Any] = [Text.assemble(say(f"{number}. {by}", "bold" if finding["explained"] else "bold red"))]
    lines.append(say(f"  {finding['reason']}"))
    for name, (one, other) in finding["choices"].items():
        lines.append(say(f"  {name}: A {_choice(one)}, B {_choice(other)}", "dim"))
    said = [f"{name} {_answer(answer)}" for name, answer in zip("AB", finding["answers"], strict=True)]
    alone = "" if finding["view"] == "corpus" else " (the value of this case among others)"
    moved = [
        f"{name} {signed(share, report['unit'])}" for name, share in finding["shares"].items() if _counts(share, report)
    ]
    lines.append(say(f"  {finding['output']}: {', '.join(said)}{alone}" + (f"; {', '.join(moved)}" if moved else "")))
    if finding["columns"]:
        lines.append(say(f"  parts first in {', '.join(finding['columns'][:6])}", "dim"))
    segments = finding["case"]["cases"]
    for segment in segments[:SHOWN]:
        lines += texts(segment["hyp"], segment["refs"] or ())
        if "src" in segment:
            lines.append(Text.assemble(Text("  src  ", style="dim"), Text(text.exposed(segment["src"][:600]))))
    if len(segments) > SHOWN:
        lines.append(say(f"  ... and {text.many(len(segments) - SHOWN, 'case')} more", "dim"))
    if not finding["complete"]:
        lines.append(say("  it may not be the smallest: the budget ended the search", "dim"))
    return lines


def _counts(share: Any, report: Facts) -> bool:
    return isinstance(share, float) and abs(share) > 1e-12 * report["unit"]


def _answer(answer: Facts) -> str:
    value = answer["value"]
    if answer["kind"] in ("number", "infinite"):
        return f"{value:.10g}" if isinstance(value, float) else str(value)
    return str(answer["kind"])


def _choice(value: Any) -> str:
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)

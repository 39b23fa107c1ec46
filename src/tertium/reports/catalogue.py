"""
Draw metrics, plugins and resources: what there is, what it is, and what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.padding import Padding
from rich.text import Text

from tertium.reports import text
from tertium.reports.table import arrow
from tertium.reports.terminal import grid, say

Facts = Mapping[str, Any]


def metrics(listed: Mapping[str, Sequence[Facts]]) -> list[Any]:
    """
    Return a table with one row a metric.
    """
    table = grid("metric", "", "scale", "providers", "measures")
    table.columns[0].no_wrap = table.columns[2].no_wrap = True
    for name, providers in listed.items():
        first = providers[0]
        aliases = dict.fromkeys(alias for row in providers for alias in row["aliases"])
        table.add_row(
            say(", ".join([name, *aliases]), "bold"),
            arrow(first),
            say(text.scale(first["scale"]), "dim"),
            Text(", ").join(_provider(row) for row in providers),
            say(_first_sentence(first["summary"])),
        )
    if not listed:
        return [say("No metric is installed. `tertium plugins` shows why.")]
    return [table]


def _provider(row: Facts) -> Text:
    return say(row["provider"], "red" if row["problems"] else "")


def _first_sentence(summary: str) -> str:
    head, dot, _ = summary.partition(". ")
    return head + ("." if dot else "")


def providers(name: str, rows: Sequence[Facts]) -> list[Any]:
    """
    Return a table with one row a provider of one metric.
    """
    table = grid("spec", "", "scale", "computed by", "outputs")
    table.columns[0].no_wrap = table.columns[2].no_wrap = True
    for row in rows:
        table.add_row(
            say(f"{name}@{row['provider']}", "bold"),
            arrow(row),
            say(text.scale(row["scale"]), "dim"),
            _library(row),
            say(", ".join(row["outputs"]), "dim"),
        )
    return [say(rows[0]["summary"]), "", table, "", say(f"`tertium show {name}@{rows[0]['provider']}` explains one.")]


def description(facts: Facts) -> list[Any]:
    """
    Return the page that explains one metric.
    """
    parts: list[Any] = [say(facts["spec"], "bold"), "", _indent(say(facts["summary"] or "(no description)")), ""]
    sheet = grid("", "")
    sheet.show_header = False
    sheet.columns[0].style = "dim"
    sheet.columns[0].no_wrap = True
    for label, value in _sheet(facts):
        sheet.add_row(say(label), value)
    parts += [_indent(sheet)]
    if facts["parameters"]:
        parts += ["", say("parameters", "bold"), _indent(_parameters(facts["parameters"]))]
        axis = next((axis for row in facts["parameters"] for axis in row.get("axes", [])), None)
        if axis is not None:
            parts += ["", _indent(say(f"`tertium conventions {axis}` says who does what on an axis.", "dim"))]
    if facts["resources"]:
        parts += ["", say("resources", "bold"), *(_indent(part) for part in resources(facts["resources"]))]
    if facts["problems"]:
        parts += ["", *(say(problem, "red") for problem in facts["problems"])]
    return parts


def _sheet(facts: Facts) -> list[tuple[str, Text]]:
    better = Text.assemble(arrow(facts), say(" higher is better" if facts["higher_is_better"] else " lower is better"))
    rows = [("outputs", say(", ".join(facts["outputs"]))), ("scale", say(text.scale(facts["scale"])))]
    rows += [("direction", better), ("needs", say(_needs(facts["needs"])))]
    if facts["aliases"]:
        rows.append(("also called", say("; ".join(_alias(*alias) for alias in facts["aliases"].items()))))
    if facts["undefined"]:
        rows.append(("undefined", say(facts["undefined"])))
    if facts.get("refuses"):
        rows.append(("refused", say(facts["refuses"])))
    traits = [
        ("additive", False, "a corpus value only: no per-case values, no resampling"),
        ("whole_corpus", True, "all cases at once: not spread over workers"),
        ("order_dependent", True, "depends on the order of the cases"),
    ]
    rows += [("note", say(sentence)) for trait, when, sentence in traits if facts[trait] is when]
    rows.append(("computed by", _library(facts)))
    if facts["distribution"] and facts["distribution"] != facts["library"]:
        rows.append(("plugin", say(facts["distribution"])))
    if facts["equivalent"]:
        rows.append(("equal to", say(facts["equivalent"])))
    if facts["citation"]:
        rows.append(("published", say(facts["citation"])))
    return rows


def _needs(needs: Sequence[str]) -> str:
    words = {
        "references": "references",
        "reference-lists": "references; the list of a case may be empty",
        "sources": "sources",
        "one-reference": "exactly one reference a case",
    }
    return ", ".join(words.get(need, need) for need in needs) or "hypotheses only"


def _alias(name: str, implied: Mapping[str, Any]) -> str:
    meant = ", ".join(f"{key}={value}" for key, value in implied.items())
    return f"{name} ({meant})" if meant else name


def _library(facts: Facts) -> Text:
    library, pinned, installed = facts["library"], facts["pinned"], facts["installed"]
    if library is None:
        return say("the class itself")
    if installed is None:
        return say(f"{library}{f' {pinned}' if pinned else ''}, which is not installed", "red")
    if pinned is None:
        return say(f"{library} {installed}")
    if pinned == installed:
        return say(f"{library} {installed}, as pinned")
    return say(f"{library} {installed}, but pinned to {pinned}", "red")


def _parameters(rows: Sequence[Facts]) -> Any:
    value = "value" if any(row["value"] != row["default"] for row in rows) else "default"
    axes = any(row.get("axes") for row in rows)
    table = grid("name", value, "takes", "meaning", *(["axis"] if axes else []))
    table.columns[0].no_wrap = True
    for row in rows:
        changed = row["value"] != row["default"]
        cell = say(_written(row["value"]), "bold green" if changed else "")
        if row["required"]:
            cell.append_text(say(" (must be given)", "dim"))
        elif changed:
            cell.append_text(say(f" (default {_written(row['default'])})", "dim"))
        linked = [say(", ".join(row["axes"]), "dim")] if axes else []
        table.add_row(say(row["name"], "bold"), cell, say(row["takes"], "dim"), say(row["help"]), *linked)
    return table


def _written(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "none", True: "true", False: "false"}[value]
    return str(value) or "''"


def plugins(report: Mapping[str, Any], details: bool = False) -> list[Any]:
    """
    Return a table of the plugins, what is wrong with them, and a table of the resources.

    Args:
        details: Whether tracebacks of failures are shown.
    """
    table = grid("plugin", "distribution", "library", "pinned", "installed", "metrics")
    table.columns[0].no_wrap = True
    for row in report["plugins"]:
        libraries = row["libraries"] or [{"library": "", "pinned": "", "installed": ""}]
        table.add_row(
            say(row["plugin"], "bold red" if row["problems"] else "bold"),
            say(f"{row['distribution']} {row['version']}"),
            _lines(one["library"] for one in libraries),
            _lines(one["pinned"] or "" for one in libraries),
            _lines(one["installed"] or "missing" if one["library"] else "" for one in libraries),
            say(", ".join(row["metrics"]) or "none"),
        )
    parts: list[Any] = [table] if report["plugins"] else [say("No plugin is installed.")]
    broken = [row for row in report["plugins"] if row["problems"]]
    if broken:
        parts += ["", say("problems", "bold red")]
        for row in broken:
            parts += [say(f"{row['plugin']}: {problem}", "red") for problem in row["problems"]]
            if details and row["details"]:
                parts += ["", *(f"  {line}" for line in row["details"].splitlines()), ""]
    for row in report["plugins"]:
        parts += [say(f"{row['plugin']}: {remark}", "yellow") for remark in row.get("remarks", ())]
    offers = [
        (f"{kind.removesuffix('s')} {name}", row["distribution"])
        for row in report["plugins"]
        if row["distribution"] != "tertium"
        for kind, names in row.get("offers", {}).items()
        for name in names
    ]
    offers += [
        (f"command {one['command']}", one["distribution"]) for one in report.get("commands", ()) if not one["problem"]
    ]
    if offers:
        more = grid("also offered", "distribution")
        for what, distribution in offers:
            more.add_row(say(what, "bold"), say(distribution))
        parts += ["", more]
    parts += [
        say(f"{one['distribution']}: {one['problem']}", "red") for one in report.get("commands", ()) if one["problem"]
    ]
    return [*parts, "", *resources(report["resources"])]


def _lines(cells: Any) -> Text:
    return Text("\n").join(say(cell) for cell in cells)


def resources(rows: Sequence[Facts]) -> list[Any]:
    """
    Return a table of resources: where each is, or what is wrong and the command that brings it.
    """
    table = grid("resource", "state", "where, or what brings it")
    table.columns[0].no_wrap = table.columns[1].no_wrap = True
    for row in rows:
        if row["where"] is not None:
            table.add_row(say(row["name"], "bold"), say("there", "green"), say(row["where"]))
        else:
            reason = Text.assemble(say(row["command"], "bold"), "\n", say(row["problem"], "dim"))
            table.add_row(say(row["name"], "bold"), say("missing", "red"), reason)
    return [table]


def _indent(part: Any) -> Padding:
    return Padding(part, (0, 0, 0, 2))

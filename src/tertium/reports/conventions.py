"""
Draw conventions: axes by implementation, and one axis with all that is known of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.text import Text

from tertium.reports.terminal import grid, say

Facts = Mapping[str, Any]

NARROW = 4
"""More implementations than these do not fit beside each other: then each value lists those that have it."""


def families(listed: Sequence[Facts]) -> list[Any]:
    """
    Return a table with one row a family.
    """
    table = grid("family", "metrics", "axes", "implementations", right=("axes",))
    table.columns[0].no_wrap = True
    for one in listed:
        table.add_row(
            say(one["family"], "bold"),
            say(", ".join(one["metrics"]) or "all of them", "" if one["metrics"] else "dim"),
            say(str(len(one["axes"]))),
            say(", ".join(one["implementations"]), "dim"),
        )
    return [
        table,
        "",
        say("`tertium conventions FAMILY` shows one; AXIS, such as bleu.smoothing, shows all about one axis."),
    ]


def family(facts: Facts, names: Sequence[str]) -> list[Any]:
    """
    Return a table of a family's axes.

    Args:
        names: The implementations that are shown.
    """
    parts: list[Any] = [say(facts["title"], "bold"), ""]
    if len(names) > NARROW:
        return [*parts, _by_value(facts, names)]
    table = grid("axis", *names)
    for axis in facts["axes"]:
        cells = axis["cells"]
        if any(name in cells for name in names):
            table.add_row(_axis(axis), *(_cell(cells.get(name)) for name in names))
    return [*parts, table]


def _axis(axis: Facts) -> Text:
    _, _, name = axis["id"].partition(".")
    return say(axis["id"] if axis["id"].startswith(("input.", "unicode.")) else name, "bold")


def _cell(cell: Facts | None) -> Text:
    if cell is None:
        return say("–", "dim")
    return say(cell["says"] or _settings(cell["parameters"]), "" if cell["says"] else "dim")


def _settings(parameters: Facts) -> str:
    return ", ".join(f"{name}={_written(value)}" for name, value in parameters.items())


def _written(value: Any) -> str:
    return (
        {None: "none", True: "true", False: "false"}[value] if value is None or isinstance(value, bool) else str(value)
    )


def _by_value(facts: Facts, names: Sequence[str]) -> Any:
    table = grid("axis", "implementations", "value")
    for axis in facts["axes"]:
        first = True
        for says, having in _values(axis, names):
            table.add_row(_axis(axis) if first else say(""), say(", ".join(having), "dim"), say(says))
            first = False
    return table


def _values(axis: Facts, names: Sequence[str]) -> list[tuple[str, list[str]]]:
    found: dict[str, list[str]] = {}
    for name in names:
        cell = axis["cells"].get(name)
        if cell is not None:
            found.setdefault(cell["says"] or _settings(cell["parameters"]), []).append(name)
    return list(found.items())


def axis(facts: Facts) -> list[Any]:
    """
    Return all about one axis: meaning, native parameters, and each implementation's value with the cases that show it.
    """
    parts: list[Any] = [say(facts["id"], "bold"), "", say(facts["meaning"])]
    if facts["parameters"]:
        parts.append(say(f"native parameters: {', '.join(facts['parameters'])}", "dim"))
    table = grid("implementation", "value", "native parameters", "shown by")
    table.columns[0].no_wrap = True
    for name, cell in facts["cells"].items():
        version = f" {cell['version']}" if cell["version"] else ""
        table.add_row(
            Text.assemble(say(name, "bold"), say(version, "dim")),
            say(cell["says"]),
            say(_settings(cell["parameters"]), "dim"),
            Text("\n").join([say(f"{case}: {_shown(value)}") for case, value in cell["shows"].items()])
            if cell["shows"]
            else say({"read": "its source", "run": "a run"}.get(cell["evidence"], "its declared equivalent"), "dim"),
        )
    return [*parts, "", table]


def _shown(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float | int) else {"none": "no value"}.get(value, value)


def verified(findings: Facts) -> list[Any]:
    """
    Return what holding the cells to their cases gave.
    """
    parts: list[Any] = [say(text, "red") for text in findings["contradictions"]]
    told = (
        f"{findings['held']:,} cells hold, {len(findings['contradictions']):,} claims are contradicted, "
        f"{findings['unseen']:,} cells have cases that were not run, {findings['unshown']:,} name no case"
    )
    return [*parts, say(told)]

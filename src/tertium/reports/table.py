"""
Draw scores as a table: what was asked, the value, its direction and scale, and the signature below.

The table of one system has a row a spec; that of several systems has a row a system and a column a spec.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from tertium.reports import text
from tertium.reports.terminal import grid, say

Result = Mapping[str, Any]

ROOM = 34
"""Columns that the further outputs ask for beside the table."""


def scores(report: Mapping[str, Any], precision: int = 4, signatures: bool = True) -> list[Any]:
    """
    Return the parts to draw of the object that ``tertium score --json`` prints.

    Args:
        precision: Decimals of scores.
        signatures: Whether every result's signature stands below the table.
    """
    results: Sequence[Result] = report["results"]
    failures: Sequence[Result] = report.get("failures", ())
    systems = list(dict.fromkeys(result["system"] for result in results if "system" in result))
    cases = report["cases"]
    parts: list[Any] = [say(f"{cases:,} case{'s' if cases != 1 else ''}", "dim"), ""] if results else []
    parts.append(_Systems(results, failures, precision) if len(systems) > 1 else _Specs(results, failures, precision))
    undefined = [f"{result['spec']} is undefined: {result['reason']}" for result in results if "reason" in result]
    parts += ["", *(say(line, "yellow") for line in dict.fromkeys(undefined))] if undefined else []
    if len(systems) > 1 and failures:
        lines = dict.fromkeys(f"{row['spec']} failed: {row['reason']}" for row in failures)
        parts += ["", *(say(line, "red") for line in lines)]
    if signatures and results:
        parts += ["", say("signatures", "bold"), *_signatures(results, systems)]
    return parts


class _Specs:
    """
    Draw one row a spec; the further outputs stand beside it where there is room, and below the table otherwise.
    """

    def __init__(self, results: Sequence[Result], failures: Sequence[Result], precision: int) -> None:
        self.results, self.failures, self.precision = results, failures, precision

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        more = [_further(result, self.precision) for result in self.results]
        more += [failure["reason"] for failure in self.failures]
        narrow = self._table([])
        if not any(more):
            yield narrow
        elif options.max_width - _width(narrow, console, options) >= ROOM:
            yield self._table(more)
        else:
            yield narrow
            yield ""
            rows = [*self.results, *self.failures]
            for row, text_ in zip(rows, more, strict=True):
                if text_:
                    yield Text.assemble(say(row["spec"]), ": ", say(text_, "red" if "outputs" not in row else "dim"))

    def _table(self, more: Sequence[str]) -> Table:
        table = grid("spec", "score", "", "scale", *(["further outputs"] if more else []), right=("score",))
        for column in table.columns[1:4]:
            column.no_wrap = True
        table.columns[0].no_wrap = bool(more)
        for number, result in enumerate(self.results):
            table.add_row(
                say(result["spec"]),
                say(text.number(result["value"], self.precision), "bold"),
                arrow(result),
                say(text.scale(result["scale"]), "dim"),
                *([say(more[number], "dim")] if more else []),
            )
        for number, failure in enumerate(self.failures, len(self.results)):
            reason = [say(more[number], "red")] if more else []
            table.add_row(say(failure["spec"]), say("failed", "red"), "", "", *reason)
        return table


def _width(table: Table, console: Console, options: ConsoleOptions) -> int:
    # Asked with less room, rich would answer with the room that it was given.
    return Measurement.get(console, options.update(max_width=100_000), table).maximum


def _further(result: Result, precision: int) -> str:
    _, dot, asked = result["spec"].rpartition(").") if ")" in result["spec"] else result["spec"].rpartition(".")
    shown = asked if dot and asked in result["outputs"] else next(iter(result["outputs"]))
    others = ((name, value) for name, value in result["outputs"].items() if name != shown)
    return ", ".join(f"{name}={text.compact(value, precision)}" for name, value in others)


class _Systems:
    """
    Draw one row a system and one column a spec, or one row for each pair where that is too wide.
    """

    def __init__(self, results: Sequence[Result], failures: Sequence[Result], precision: int) -> None:
        self.rows = {(row.get("system"), row["spec"]): row for row in (*results, *failures)}
        self.specs = list(dict.fromkeys(row["spec"] for row in (*results, *failures)))
        self.systems = list(dict.fromkeys(row["system"] for row in results))
        self.short = _without_folder(self.systems)
        self.precision = precision
        self.first = {spec: next((row for row in results if row["spec"] == spec), None) for spec in self.specs}
        self.best = {spec: _best([row for row in results if row["spec"] == spec]) for spec in self.specs}

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        wide = self._wide()
        yield wide if _width(wide, console, options) <= options.max_width else self._long()

    def _wide(self) -> Table:
        table = grid("system", *self.specs, right=tuple(self.specs))
        for column, spec in zip(table.columns[1:], self.specs, strict=True):
            column.no_wrap = True
            head, mark, rest = spec.partition("(")
            lines = [say(head), *([say(mark + rest, "dim")] if mark else [])]
            facts = self.first[spec]
            if facts is not None:
                lines.append(Text.assemble(arrow(facts), " ", say(text.scale(facts["scale"]), "dim")))
            column.header = Text("\n").join(lines)
        table.columns[0].no_wrap = True
        for system in self.systems:
            table.add_row(say(self.short[system]), *(self._cell(system, spec) for spec in self.specs))
        return table

    def _long(self) -> Table:
        table = grid("spec", "system", "score", "", "scale", right=("score",))
        for spec in self.specs:
            facts = self.first[spec]
            about = [arrow(facts), say(text.scale(facts["scale"]), "dim")] if facts is not None else ["", ""]
            for number, system in enumerate(self.systems):
                name = say(spec if number == 0 else "")
                table.add_row(name, say(self.short[system]), self._cell(system, spec), *about)
            table.add_section() if spec != self.specs[-1] else None
        return table

    def _cell(self, system: str, spec: str) -> Text:
        row = self.rows.get((system, spec)) or self.rows.get((None, spec))
        if row is None or "value" not in row:
            return say("failed", "red")
        top = self.best[spec] is not None and row["value"] == self.best[spec]
        return say(text.number(row["value"], self.precision), "bold green" if top else "")


def _without_folder(systems: Sequence[str]) -> dict[str, str]:
    names = [system.replace("\\", "/").rpartition("/")[2] for system in systems]
    return dict(zip(systems, names if len(set(names)) == len(names) else systems, strict=True))


def _best(rows: Sequence[Result]) -> float | None:
    values = [row["value"] for row in rows if isinstance(row["value"], float)]
    if len(set(values)) < 2:
        return None
    return max(values) if rows[0]["higher_is_better"] else min(values)


def _signatures(results: Sequence[Result], systems: Sequence[str]) -> list[str]:
    # Systems that are scored alike share one line; where the data make signatures differ, each says whose it is.
    shared: dict[str, list[str]] = {}
    for result in results:
        shared.setdefault(result["signature"], []).append(result.get("system", ""))
    return [
        signature if len(owners) >= len(systems) else f"{', '.join(owners)}: {signature}"
        for signature, owners in shared.items()
    ]


def arrow(facts: Mapping[str, Any]) -> Text:
    """
    Show the direction in which a value is better.
    """
    return say("↑" if facts["higher_is_better"] else "↓", "green" if facts["higher_is_better"] else "magenta")

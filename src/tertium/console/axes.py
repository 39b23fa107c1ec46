"""
Gather conventions: the table, the parameters that are in force, and which parameter moves which axis.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

from tertium import conventions
from tertium.conformance.convention_table import Cell, Row, Sheet, load_conventions
from tertium.errors import TertiumError, UsageError, did_you_mean
from tertium.metric import Metric
from tertium.parameters import Parameter, bind, parameters_of
from tertium.registry import DEFAULT_PROVIDER, Registry
from tertium.scoring import json_number

Facts = dict[str, Any]


def families() -> list[str]:
    """
    Return the names of all families, those of the vocabulary first.
    """
    return list(dict.fromkeys([*conventions.families(), *load_conventions()]))


def describe_family(registry: Registry, name: str) -> Facts:
    """
    Return a family's axes with a cell for each implementation, native parameters in force included.
    """
    sheet = load_conventions().get(name, Sheet(name, name, {}, {}, ()))
    known = conventions.families().get(name)
    metrics = () if known is None else known.metrics
    running = _running(registry, metrics)
    listed = list(dict.fromkeys([*(one for one in sheet.versions if one in running), *running, *sheet.versions]))
    rows = [*sheet.rows, *_others(sheet, known)]
    return {
        "family": name,
        "title": sheet.title if sheet.rows else ", ".join(metrics),
        "metrics": list(metrics),
        "implementations": listed,
        "installed": list(running),
        "axes": [_row(row, sheet, listed, running) for row in rows],
    }


def _others(sheet: Sheet, family: conventions.Family | None) -> list[Row]:
    covered = {axis for row in sheet.rows for axis in row.covers}
    axes = [] if family is None else list(family.axes.values())
    return [
        Row(axis.id, axis.family, axis.meaning, (axis.id,), {})
        for axis in axes
        if axis.id not in covered and axis.parameters
    ]


def _running(registry: Registry, metrics: Sequence[str]) -> dict[str, Facts]:
    """
    Return provider to the native parameters in force, of the first metric that has each.
    """
    found: dict[str, Facts] = {}
    for metric in metrics:
        for provider, kind in registry.metrics.get(metric, {}).items():
            values = found.setdefault(provider, {})
            for name, value in _in_force(registry, kind).items():
                values.setdefault(name, value)
    return dict(sorted(found.items(), key=lambda item: item[0] != DEFAULT_PROVIDER))


def _in_force(registry: Registry, kind: type[Metric], given: Mapping[str, Any] | None = None) -> Facts:
    # Native parameters that reproduce a metric under the parameters given; none where it declares no equivalent.
    try:
        made = kind(**bind(kind, f"{kind.name}@{kind.provider}", given or {}))
        if kind.provider == DEFAULT_PROVIDER:
            return dict(made.parameters)
        equal = made.equivalent()
        return {} if equal is None else dict(registry.load(equal).parameters)
    except TertiumError:
        return {}


def _row(row: Row, sheet: Sheet, listed: Sequence[str], running: Mapping[str, Facts]) -> Facts:
    cells: Facts = {}
    for name in listed:
        values = running.get(name, {})
        parameters = {one: _plain(values[one]) for one in row.parameters if one in values}
        cell = row.cells.get(name)
        if cell is None and not parameters:
            continue
        cells[name] = _cell(cell, sheet.versions.get(name, ""), parameters)
    return {"id": row.id, "meaning": row.meaning, "parameters": list(row.parameters), "cells": cells}


def _cell(cell: Cell | None, version: str, parameters: Facts) -> Facts:
    return {
        "says": "" if cell is None else cell.says,
        "evidence": "equivalent" if cell is None else cell.evidence,
        "shows": {} if cell is None else dict(cell.shows),
        "version": version,
        "parameters": parameters,
    }


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return json_number(value)
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)


def family_name(registry: Registry, text: str) -> str:
    """
    Return the family that a name means: its own, a metric's, or an alias of one.

    Raises:
        UsageError: There is no such family.
    """
    if text in families():
        return text
    try:
        metric = registry.name(text)[0]
    except UsageError:
        metric = text
    family = conventions.family_of(metric)
    if family is None:
        names = families()
        hint = did_you_mean(text, names) or "Name one of them"
        raise UsageError(f"conventions of {text!r}", f"there are those of {', '.join(names)}", hint)
    return family.name


def meanings() -> dict[str, str]:
    """
    Return what is said of axes, by id, and of native parameters, by ``metric:parameter``.
    """
    found = {row.id: row.meaning for sheet in load_conventions().values() for row in sheet.rows}
    for family in conventions.families().values():
        for axis in family.axes.values():
            found.setdefault(axis.id, axis.meaning)
            for metric in family.metrics:
                found |= {f"{metric}:{name}": f"{axis.id}: {axis.meaning}" for name in axis.parameters}
    return found


def moved(registry: Registry, kind: type[Metric], bound: Mapping[str, Any]) -> dict[str, list[str]]:
    """
    Return the axes that each parameter of a metric moves.

    A native parameter stands in the vocabulary. One of an adapter is tried: what changes in the declared equivalent
    when the parameter takes another value is what it moves.
    """
    found: dict[str, list[str]] = {}
    for name, parameter in parameters_of(kind).items():
        same = conventions.axis_of(kind.name, name)
        axes = [same.id] if same is not None else []
        if not axes and kind.provider != DEFAULT_PROVIDER:
            axes = _tried(registry, kind, bound, parameter)
        if axes:
            found[name] = axes
    return found


def _tried(registry: Registry, kind: type[Metric], bound: Mapping[str, Any], parameter: Parameter) -> list[str]:
    before = _in_force(registry, kind, bound)
    axes: list[str] = []
    for value in _others_of(parameter, bound.get(parameter.name, parameter.default)) if before else ():
        after = _in_force(registry, kind, {**bound, parameter.name: value})
        for name in after:
            axis = conventions.axis_of(kind.name, name)
            if axis is not None and before.get(name) != after[name] and axis.id not in axes:
                axes.append(axis.id)
    return axes


def _others_of(parameter: Parameter, current: Any) -> list[Any]:
    if isinstance(current, bool):
        return [not current]
    tries: list[Any] = [one for one in parameter.texts if "<" not in str(one)]
    if not tries and isinstance(current, (int, float)):
        tries = [current - 1, current + 1]
    return [one for one in tries if one != current]


@functools.cache
def all_axes() -> tuple[str, ...]:
    """
    Return the ids of all axes that can be shown.
    """
    table = [row.id for sheet in load_conventions().values() for row in sheet.rows]
    vocabulary = [axis.id for family in conventions.families().values() for axis in family.axes.values()]
    return tuple(dict.fromkeys([*table, *vocabulary]))

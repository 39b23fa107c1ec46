"""
Find the conventions on which two settings differ: who plays when the gap between them is shared.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tertium.conventions import Axis, Family
from tertium.errors import TertiumError
from tertium.metric import Metric
from tertium.parameters import parameters_of

VARIANT, OUTPUT = "metric", "output"
"""Axes that belong to no family: which metric is computed, and which of its values is read."""


@dataclass(frozen=True)
class Player:
    """
    Stand for one convention, or for several that make no sense apart.

    Attributes:
        axes: The conventions.
        changes: Parameters with the choice of the first and of the second setting.
        reason: Why several axes stand together, where they do.
    """

    axes: tuple[Axis, ...]
    changes: Mapping[str, tuple[Any, Any]]
    reason: str = ""

    @property
    def name(self) -> str:
        """
        The name of the axis, or all names.
        """
        return " + ".join(axis.name for axis in self.axes)

    @property
    def meaning(self) -> str:
        """
        One sentence an axis.
        """
        return " ".join(axis.meaning for axis in self.axes)


@dataclass(frozen=True)
class Setting:
    """
    Hold one side of the game: a metric's class with all its parameters, and the output that is read.
    """

    metric: Metric
    output: str | None

    @property
    def read(self) -> str | None:
        """
        The output that is read, or None for the metric's first.
        """
        return None if self.output in (None, self.metric.info.outputs[0]) else self.output


def players_of(
    a: Setting, b: Setting, one: Mapping[str, Any], other: Mapping[str, Any], family: Family | None
) -> list[Player]:
    """
    Return the conventions on which two settings differ, in the order of the vocabulary.

    Args:
        one: All parameters of the first setting's metric, as :func:`written_out` gives them.
        other: Those of the second's.
        family: The family of both metrics, or None where nothing is known about their parameters.
    """
    facts = a.metric.signature(), b.metric.signature()
    same_class = type(a.metric) is type(b.metric)
    moved: dict[Axis, dict[str, tuple[Any, Any]]] = {}
    for name in one:
        if name not in other or one[name] == other[name]:
            continue
        if name in facts[0] and name in facts[1] and str(facts[0][name]) == str(facts[1][name]) and same_class:
            continue  # two ways to write the same choice
        moved.setdefault(_axis(family, a.metric, name), {})[name] = one[name], other[name]
    players = [Player((axis,), moved[axis]) for axis in _ordered(family, moved)]
    if not same_class and not (family is not None and family.joint):
        players.insert(0, _variant(a.metric.name, b.metric.name, family, one, other))
    if a.read != b.read:
        players.append(Player((_read(a, b),), {}))
    return players


def _variant(one: str, other: str, family: Family | None, left: Mapping[str, Any], right: Mapping[str, Any]) -> Player:
    meaning = f"Which metric of the family is computed: {one} or {other}."
    axis = Axis(family.name if family else one, VARIANT, meaning, (), "statistics")
    own = {name: (left.get(name), right.get(name)) for name in {**left, **right} if (name in left) != (name in right)}
    return Player((axis,), own)


def _axis(family: Family | None, metric: Metric, parameter: str) -> Axis:
    found = family.axis_of(parameter) if family is not None else None
    if found is not None:
        return found
    declared = parameters_of(type(metric))[parameter]
    meaning = (declared.help or f"The parameter {parameter}").rstrip(".") + "."
    return Axis(metric.name, parameter.replace("_", "-"), meaning, (parameter,), "statistics")


def _ordered(family: Family | None, axes: Mapping[Axis, Any]) -> list[Axis]:
    order = {axis: place for place, axis in enumerate(family.axes.values())} if family is not None else {}
    return sorted(axes, key=lambda axis: order.get(axis, len(order)))


def _read(a: Setting, b: Setting) -> Axis:
    names = [setting.output or setting.metric.info.outputs[0] for setting in (a, b)]
    return Axis(
        a.metric.name, OUTPUT, f"Which of the metric's values is read: {names[0]} or {names[1]}.", (), "aggregate"
    )


def written_out(metric: Metric, other: Metric) -> dict[str, Any]:
    """
    Give a metric's parameters; where one is none and the other metric's is not, what stands behind it is written out.

    That is what the metric's signature says, if the metric takes it and nothing else changes.
    """
    found, against = dict(metric.parameters), other.parameters
    facts = metric.signature()
    for name, value in list(found.items()):
        told = facts.get(name)
        if value is not None or against.get(name) is None or not isinstance(told, (bool, int, float, str)):
            continue
        with contextlib.suppress(TertiumError, TypeError, ValueError):
            explicit = parameters_of(type(metric))[name].check(metric.name, told)
            same = type(metric)(**{**found, name: explicit})
            if _as_texts(same.signature()) == _as_texts(facts) and same.columns == metric.columns:
                found[name] = explicit
    return found


def _as_texts(facts: Mapping[str, object]) -> dict[str, str]:
    return {name: str(fact) for name, fact in facts.items()}

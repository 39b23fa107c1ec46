"""
Name the conventions that can change a number: axis by axis, with what moves them and what they mean.

An axis is one choice that implementations of a metric make differently. The vocabulary is data, in
``conventions.toml`` beside this module; every parameter of every native metric belongs to exactly one axis of its
family, which a test holds.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib import resources
from types import MappingProxyType
from typing import Any, Literal

from tertium.extensions import offered

Stage = Literal["counting", "statistics", "aggregate"]

SCALE = "scale"
"""The axis that changes how a number is written, in every family that has it."""


@dataclass(frozen=True)
class Axis:
    """
    Describe one choice that can change a number.

    Attributes:
        family: The family of metrics that has the choice, for instance ``bleu``.
        name: The choice, for instance ``smoothing``.
        meaning: One sentence.
        parameters: Parameters of the native metrics that move it; those that make sense only together stand together.
        stage: ``aggregate`` where it changes only what is made of the sums, ``counting`` where it changes only what is
            counted in each case, under the same columns and finished in the same way; else ``statistics``.
    """

    family: str
    name: str
    meaning: str
    parameters: tuple[str, ...]
    stage: Stage

    @property
    def id(self) -> str:
        """
        The family and the name, for instance ``bleu.smoothing``.
        """
        return f"{self.family}.{self.name}"


@dataclass(frozen=True)
class Family:
    """
    Hold metrics that make the same choices.

    Attributes:
        metrics: Their names.
        axes: The choices by name, in the order in which a text meets them.
        joint: Whether the metrics differ in nothing but their parameters' defaults.
        per_case: Settings, parameter to value, under which each case is finished by itself, so that every axis
            changes the statistics.
    """

    name: str
    metrics: tuple[str, ...]
    axes: Mapping[str, Axis]
    joint: bool = False
    per_case: Mapping[str, Any] = field(default_factory=dict)

    def axis_of(self, parameter: str) -> Axis | None:
        """
        Return the axis that a parameter of the family's native metrics moves, or None.
        """
        return self._moved.get(parameter)

    @cached_property
    def _moved(self) -> Mapping[str, Axis]:
        found: dict[str, Axis] = {}
        for axis in self.axes.values():
            for name in axis.parameters:
                found.setdefault(name, axis)
        return found

    def counted(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """
        Return the parameters in force that decide the statistics.
        """
        return dict(parameters) if self._by_case(parameters) else self._without(parameters, "aggregate")

    def finished(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """
        Return the parameters in force that decide what is made of the sums.
        """
        return self._without(parameters, "counting")

    def _without(self, parameters: Mapping[str, Any], stage: Stage) -> dict[str, Any]:
        moved = self._moved
        return {name: value for name, value in parameters.items() if name not in moved or moved[name].stage != stage}

    def _by_case(self, parameters: Mapping[str, Any]) -> bool:
        return any(parameters.get(name) == value for name, value in self.per_case.items())


def families() -> Mapping[str, Family]:
    """
    Return every family by name, those of plugins included.

    Example:
        >>> families()["bleu"].axes["smoothing"].parameters
        ('smoothing', 'smooth_value')
    """
    offers = offered("conventions")
    if not offers:
        return _own()
    found = dict(_own())
    for offer in offers.values():
        family: Family = offer.value
        known = found.get(family.name)
        twice = set() if known is None else {*known.axes} & {*family.axes}
        if twice:
            offer.problems.append(f"the axes {', '.join(sorted(twice))} of {family.name} are there already; refused")
        elif known is None:
            found[family.name] = family
        else:
            axes = MappingProxyType({**known.axes, **family.axes})
            metrics = (*known.metrics, *(name for name in family.metrics if name not in known.metrics))
            found[family.name] = replace(known, axes=axes, metrics=metrics)
    return MappingProxyType(found)


@cache
def _own() -> Mapping[str, Family]:
    text = resources.files("tertium").joinpath("conventions.toml").read_text(encoding="utf-8")
    return MappingProxyType({name: _family(name, facts) for name, facts in tomllib.loads(text).items()})


def _family(name: str, facts: Mapping[str, Any]) -> Family:
    axes = {
        axis: Axis(name, axis, found["meaning"], tuple(found["parameters"]), found["stage"])
        for axis, found in facts["axes"].items()
    }
    return Family(
        name,
        tuple(facts["metrics"]),
        MappingProxyType(axes),
        facts.get("joint", False),
        MappingProxyType(facts.get("per_case", {})),
    )


def family_of(metric: str) -> Family | None:
    """
    Return the family that a metric belongs to, or None for one that the vocabulary does not know.

    Args:
        metric: A metric's own name, for instance ``rougeL``.
    """
    return next((family for family in families().values() if metric in family.metrics), None)


def axis_of(metric: str, parameter: str) -> Axis | None:
    """
    Return the axis that a parameter of a native metric moves, or None.

    Example:
        >>> axis_of("bleu", "smooth_value").id
        'bleu.smoothing'
    """
    family = family_of(metric)
    return None if family is None else family.axis_of(parameter)

"""
Name what can come of a case: six types, how each is written as JSON, and when two of them are the same.

::

    Number       a finite value, with components
    Infinite     positive or negative infinity, with components
    Undefined    no value, for the reason that is given
    Rejected     the data were refused with a notice, by tertium or by the implementation
    Failed       an exception, a crash, a hang, a broken protocol
    Unsupported  the implementation does not offer what the case asks for
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

RELATIVE = 1e-9
"""Two numbers are the same when they part by no more than this share of the larger one; 0 equals nothing but 0."""


@dataclass(frozen=True)
class Tolerance:
    """
    Say how far two numbers may be apart and still count as the same.

    Args:
        relative: Share of the larger number.
        absolute: Distance on the unit scale.
        why: The reason, where it is not the usual tolerance.
    """

    relative: float = RELATIVE
    absolute: float = 0.0
    why: str = ""

    def same(self, one: float, other: float) -> bool:
        """
        Tell whether two numbers, infinite or undefined ones included, are the same.
        """
        if math.isnan(one) or math.isnan(other):
            return math.isnan(one) and math.isnan(other)
        return math.isclose(one, other, rel_tol=self.relative, abs_tol=self.absolute)


USUAL = Tolerance()

Components = Mapping[str, Any]


@dataclass(frozen=True)
class Number:
    """
    Hold a finite value.

    Args:
        value: On the implementation's own scale.
        unit: On the unit scale: divided by 100 where the implementation's scale is 0 to 100.
        components: What came with it; for implementations that tertium runs, each output's name to its value.
    """

    value: float
    unit: float
    components: Components = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """
        Return the outcome as an object of a report.
        """
        return {"type": "number", "value": self.value, "unit": self.unit, "components": _plain(self.components)}

    def __str__(self) -> str:
        return repr(self.unit)


@dataclass(frozen=True)
class Infinite:
    """
    Hold an infinite value.
    """

    value: float
    components: Components = field(default_factory=dict)

    @property
    def unit(self) -> float:
        """
        The value: infinity is the same on every scale.
        """
        return self.value

    def to_json(self) -> dict[str, Any]:
        """
        Return the outcome as an object of a report.
        """
        return {"type": "infinite", "value": _number(self.value), "components": _plain(self.components)}

    def __str__(self) -> str:
        return "infinity" if self.value > 0 else "minus infinity"


@dataclass(frozen=True)
class Undefined:
    """
    Say that there is no value, and why.
    """

    reason: str
    components: Components = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """
        Return the outcome as an object of a report.
        """
        return {"type": "undefined", "reason": self.reason, "components": _plain(self.components)}

    def __str__(self) -> str:
        return f"undefined ({self.reason})" if self.reason else "undefined"


@dataclass(frozen=True)
class Rejected:
    """
    Say that the data were refused with a notice.

    Args:
        by: ``tertium``, which refuses some data for every implementation, or ``provider``.
        kind: Name of the exception, or empty.
        notice: What was said.
    """

    by: str
    kind: str
    notice: str

    def to_json(self) -> dict[str, Any]:
        """
        Return the outcome as an object of a report.
        """
        return {"type": "rejected", "by": self.by, "kind": self.kind, "notice": self.notice}

    def __str__(self) -> str:
        return f"refused: {self.notice}" if self.notice else "refused"


@dataclass(frozen=True)
class Failed:
    """
    Say that the implementation broke.

    Args:
        kind: ``crash``, ``hang``, ``protocol``, or the name of the exception that it raised.
        notice: What was seen.
    """

    kind: str
    notice: str

    def to_json(self) -> dict[str, Any]:
        """
        Return the outcome as an object of a report.
        """
        return {"type": "failed", "kind": self.kind, "notice": self.notice}

    def __str__(self) -> str:
        return f"{self.kind}: {self.notice}" if self.notice else self.kind


@dataclass(frozen=True)
class Unsupported:
    """
    Say that the implementation does not offer what the case asks for.
    """

    reason: str

    def to_json(self) -> dict[str, Any]:
        """
        Return the outcome as an object of a report.
        """
        return {"type": "unsupported", "reason": self.reason}

    def __str__(self) -> str:
        return f"unsupported ({self.reason})"


Outcome = Number | Infinite | Undefined | Rejected | Failed | Unsupported


def outcome_of(found: Mapping[str, Any]) -> Outcome:
    """
    Read an outcome from an object of a report that has passed its schema.
    """
    kind = found["type"]
    if kind == "number":
        return Number(float(found["value"]), float(found["unit"]), found["components"])
    if kind == "infinite":
        return Infinite(float(found["value"]), found["components"])
    if kind == "undefined":
        return Undefined(found["reason"], found["components"])
    if kind == "rejected":
        return Rejected(found["by"], found["kind"], found["notice"])
    if kind == "failed":
        return Failed(found["kind"], found["notice"])
    return Unsupported(found["reason"])


def value_outcome(value: float, scale: float, components: Components, reason: str) -> Outcome:
    """
    Give a number the type that fits it.

    Args:
        value: On the implementation's scale; NaN where it is undefined.
        scale: The divisor that brings the value to the unit scale.
        reason: Why the value is undefined, where it is.
    """
    if math.isnan(value):
        return Undefined(reason, components)
    if math.isinf(value):
        return Infinite(value, components)
    return Number(value, value / scale, components)


def same(one: Outcome, other: Outcome, tolerance: Tolerance = USUAL) -> bool:
    """
    Tell whether two outcomes are the same: equal numbers, or the same kind of anything else.

    What refuses or breaks is compared by its type, not by its words.
    """
    if isinstance(one, (Number, Infinite)) and isinstance(other, (Number, Infinite)):
        return tolerance.same(one.unit, other.unit)
    return type(one) is type(other)


def no_number(outcome: Outcome) -> bool:
    """
    Tell whether there is no value at all: undefined, refused or broken.
    """
    return isinstance(outcome, (Undefined, Rejected, Failed))


def _number(value: Any) -> Any:
    if isinstance(value, list):
        return [_number(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


def _plain(components: Components) -> dict[str, Any]:
    return {name: _number(value) for name, value in components.items()}


def component(value: Any) -> float | None:
    """
    Read a component as a number: None where it is none at all, NaN where it is undefined.
    """
    if value is None:
        return math.nan
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    return float(value) if not isinstance(value, str) or value in ("Infinity", "-Infinity") else None

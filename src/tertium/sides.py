"""
Put two metrics side by side: score both though one may fail, and bring their values to one scale.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from tertium.behaving import QUICK, Behaviour, behaviour
from tertium.callables import CallableMetric, adapt
from tertium.cases import Cases
from tertium.conventions import family_of
from tertium.errors import Refused, TertiumError
from tertium.guarding import check_needs
from tertium.metric import Matrix, Metric
from tertium.metric import unit_of as unit_of
from tertium.registry import registry
from tertium.scoring import Score, json_number, score, total
from tertium.spec import Spec, parse
from tertium.targets import is_metric

Asked = str | Spec | Metric | Callable[..., Any]
"""What a side is named by: a spec as text or parsed, a metric, or a plain function."""


@dataclass
class Side:
    """
    Hold one of two metrics, with what it says about the cases.

    Attributes:
        asked: The resolved spec, or the metric where an object was given.
        metric: The metric.
        output: The output that was asked for, or None for the headline.
        score: The score, or None where the metric refused the cases or was not asked yet.
        error: Why it refused them.
        behaviour: How it behaves, where it is a plain function that was looked at.
    """

    asked: Spec | Metric
    metric: Metric
    output: str | None = None
    score: Score | None = None
    error: TertiumError | None = None
    behaviour: Behaviour | None = None

    @cached_property
    def label(self) -> str:
        """
        The spec as a person reads it.
        """
        if isinstance(self.metric, CallableMetric):
            return str(self.asked if isinstance(self.asked, Spec) else self.metric.spec)
        if isinstance(self.asked, Spec):
            found = self.asked
            return str(found if found.metric.startswith("py:") else registry().canonical(found))
        return str(self.score.spec) if self.score is not None else f"{self.metric.name}@{self.metric.provider}"

    @cached_property
    def native(self) -> Metric | None:
        """
        The native metric that gives the same numbers: the metric itself, or its declared equivalent; None without one.
        """
        return native_of(self.metric)

    @cached_property
    def unit(self) -> float:
        """
        The number that stands for 1 on the metric's scale: 100 for percent.
        """
        try:
            return unit_of(self.metric if isinstance(self.metric, CallableMetric) else self.native or self.metric)
        except TertiumError:  # the equivalent cannot be made here, for want of a resource
            return unit_of(self.metric)

    @property
    def headline(self) -> str:
        """
        Name of the output that is compared.
        """
        return self.output or self.metric.info.outputs[0]

    @property
    def column(self) -> int:
        """
        Place of that output among all.
        """
        return self.metric.info.outputs.index(self.headline)

    @property
    def value(self) -> float:
        """
        The compared output's corpus value on the metric's own scale; NaN where it is undefined or refused.
        """
        return math.nan if self.score is None else self.score[self.headline]

    @property
    def state(self) -> str:
        """
        What kind of answer it is: ``number``, ``infinite``, ``undefined`` or ``error``.
        """
        return "error" if self.score is None else state_of(self.value)

    @property
    def reason(self) -> str | None:
        """
        Why there is no value, or None where there is one.
        """
        if self.state == "undefined":
            return self.metric.info.undefined or "the value is undefined on these cases"
        return None if self.error is None else str(self.error)

    def run(self, cases: Cases, workers: int = 1, allow_unpinned: bool = False) -> None:
        """
        Score the cases and keep the score, or the reason why there is none.
        """
        try:
            # A function's shape was found out already, and its metric may be known from the other side alone.
            asked = self.metric if isinstance(self.metric, CallableMetric) else self.asked
            self.score = score(asked, cases, workers, allow_unpinned=allow_unpinned)
        except TertiumError as error:
            self.error = error

    def look(self, cases: Cases, limit: int = QUICK) -> None:
        """
        Look at how a plain function behaves on some of the cases; a metric that is none is left alone.
        """
        if isinstance(self.metric, CallableMetric):
            with contextlib.suppress(TertiumError):  # cases that it cannot be called with at all
                check_needs(self.metric.info, cases)
                self.behaviour = behaviour(self.metric, cases, limit)

    @property
    def notes(self) -> list[str]:
        """
        What is to be said about a plain function: its shape where that was found out, and what is amiss with it.
        """
        if not isinstance(self.metric, CallableMetric):
            return []
        said = [text for text in (self.metric.found, self.metric.advice) if text]
        said += [] if self.behaviour is None else [one.text for one in self.behaviour.remarks]
        return [f"{self.metric.label}: {text}" for text in said]

    @property
    def inferring(self) -> str:
        """
        How its conventions can be found out where it declares no native equivalent; empty where it declares one.
        """
        if self.metric.provider == "native" or self.metric.equivalent() is not None:
            return ""
        if isinstance(self.metric, CallableMetric):
            name = self.metric.metric or "NAME"
            return f"`tertium audit {self.metric.label} --metric {name}` infers one; declare it with equivalent=SPEC"
        return f"`tertium fingerprint {self.label}` infers one"

    def tokens(self, text: str) -> list[str] | None:
        """
        Cut a text as the metric does, or None where neither it nor its equivalent shows how.
        """
        for metric in (self.metric, self.native):
            found = None if metric is None else metric.tokens(text)
            if found is not None:
                return list(found)
        return None

    def to_dict(self) -> dict[str, Any]:
        """
        Return the side as JSON-ready values.
        """
        low, high = self.metric.info.scale
        found: dict[str, Any] = {
            "spec": self.label,
            "output": self.headline,
            "value": json_number(self.value),
            "scale": [json_number(low), json_number(high)],
            "state": self.state,
        }
        found |= {} if self.reason is None else {"reason": self.reason}
        return found | ({} if self.behaviour is None else {"behaviour": self.behaviour.to_dict()})


def sides(a: Asked, b: Asked, purpose: str, allow_unpinned: bool = False) -> tuple[Side, Side]:
    """
    Load two metrics that can be set against each other.

    Args:
        purpose: What is to be done with them, for messages: ``diff``.

    Raises:
        Refused: They measure different things; the message says what could be compared.
        TertiumError: One of them cannot be loaded.
    """
    if _open(a) and not _open(b):
        right = side_of(b, allow_unpinned)
        left = side_of(a, allow_unpinned, right.metric.name)
    else:
        left = side_of(a, allow_unpinned)
        right = side_of(b, allow_unpinned, left.metric.name if not _open(a) else None)
    if any(isinstance(side.metric, CallableMetric) and side.metric.metric is None for side in (left, right)):
        return left, right  # what such a function measures is not known, so it may be the same
    names = (left.metric.name, right.metric.name)
    families = [family_of(name) for name in names]
    if names[0] != names[1] and (families[0] is None or families[0] is not families[1]):
        raise Refused(
            f"{purpose} of {left.label} and {right.label}",
            f"{names[0]} and {names[1]} measure different things, so no convention lies between them",
            f"Compare {names[0]} with {_comparable(names[0])}, or {names[1]} with {_comparable(names[1])}",
        )
    return left, right


def _open(asked: Asked) -> bool:
    """
    Say whether a side is a plain function that does not say which metric it computes.
    """
    if isinstance(asked, (str, Spec)):
        spec = parse(asked) if isinstance(asked, str) else asked
        if not spec.metric.startswith("py:") or spec.params.get("metric") is not None:
            return False
        return registry().get(spec) is CallableMetric
    return not is_metric(asked)


def side_of(asked: Asked, allow_unpinned: bool = False, like: str | None = None) -> Side:
    """
    Load one metric.

    Args:
        like: The metric that a plain function computes where it does not say so itself.
    """
    name = like if like in registry().metrics else None
    if isinstance(asked, (str, Spec)):
        spec = registry().resolve(parse(asked) if isinstance(asked, str) else asked)
        full = spec.with_params({**spec.params, "metric": name}) if name is not None and _open(spec) else spec
        return Side(spec, registry().load(full, allow_unpinned=allow_unpinned), spec.output)
    if is_metric(asked):
        metric = cast("Metric", asked)
        return Side(metric, metric)
    function = cast("Callable[..., Any]", asked)
    made = adapt(function, metric=name)
    made.asked["metric"] = None  # it is known from the other side, and was not said
    return Side(made, made)


def _comparable(name: str) -> str:
    family = family_of(name)
    found = [f"{name}@{one}" for one in registry().metrics.get(name, ())]
    found += [other for other in (family.metrics if family else ()) if other != name]
    return ", ".join(found) or "other implementations of it"


def native_of(metric: Metric) -> Metric | None:
    """
    Return the native metric that gives the same numbers as a metric, or None where none is declared.
    """
    if metric.provider == "native":
        return metric
    spec = metric.equivalent()
    return None if spec is None else registry().load(spec)


def state_of(value: float) -> str:
    """
    Name the kind of a value: ``number``, ``infinite`` or ``undefined``.
    """
    return "undefined" if math.isnan(value) else "infinite" if math.isinf(value) else "number"


def shared_unit(sides: Sequence[Side]) -> float:
    """
    Return the unit of the scale that values are brought to: their own where they share it, else 1.
    """
    units = {side.unit for side in sides}
    return units.pop() if len(units) == 1 else 1.0


def rescaled(value: Any, unit: float, shared: float) -> Any:
    """
    Bring values from a scale of one unit to a scale of another; equal units leave every bit as it is.
    """
    return value if unit == shared else value / unit * shared


def answered(side: Side) -> str:
    """
    Say in words what a side answers.
    """
    if side.state == "error":
        return f"refuses these cases ({side.reason})"
    if side.state == "undefined":
        return f"is undefined ({side.reason})"
    return f"is {side.value:.6g}"


def no_gap(left: Side, right: Side) -> str:
    """
    Say what two sides answer where their values cannot be subtracted.
    """
    if left.state != right.state:
        return "; ".join(f"{side.label} {answered(side)}" for side in (left, right))
    if left.state == "error":
        return f"both refuse these cases ({left.reason})"
    return f"both are {left.state}" + (f" ({left.reason})" if left.reason else "")


def scale_of(left: Side, right: Side) -> str:
    """
    Name the scale that differences between two sides are given on.
    """
    if left.unit == right.unit:
        return "on their scale"
    return f"on one scale, 0–{shared_unit((left, right)):g}"


def near(one: Matrix, other: Matrix, relative: float, absolute: float = 0.0) -> NDArray[np.bool_]:
    """
    Mark where two numbers lie within a share of the larger one or within a distance; an infinity is near nothing.
    """
    with np.errstate(invalid="ignore", over="ignore"):
        apart = np.abs(one - other)
        bound = np.maximum(relative * np.maximum(np.abs(one), np.abs(other)), absolute)
        return np.asarray(np.isfinite(apart) & (apart <= bound))


Answer = tuple[str, float]
"""A state, or the name of an error, and the value; NaN where there is none."""


def outputs_of(metric: Metric, cases: Cases) -> tuple[float, ...] | str:
    """
    Score a few cases in one call and return all outputs, or the name of the error.
    """
    try:
        check_needs(metric.info, cases)
        with np.errstate(all="ignore"), contextlib.redirect_stdout(None):
            prepared = metric.preprocess(cases)
            constants = metric.constants(prepared)
            if metric.info.additive:
                values = metric.aggregate(total(np.asarray(metric.statistics(prepared, constants), np.float64)))
            else:
                values = metric.corpus(prepared, constants)
        return tuple(np.asarray(values, np.float64).tolist())
    except (Exception, SystemExit) as error:
        # What a plain function raises is the cause of the error that names the function.
        return type(error.__cause__ or error).__name__


def answer(metric: Metric, column: int, cases: Cases) -> Answer:
    """
    Score a few cases in one call and name the kind of one output; an error is an answer, too.
    """
    found = outputs_of(metric, cases)
    return (found, math.nan) if isinstance(found, str) else (state_of(found[column]), found[column])


def distance(one: Answer, other: Answer) -> float:
    """
    Say how far two answers on one scale lie apart: infinitely where their kinds differ, not at all without values.
    """
    if one[0] != other[0]:
        # Two that both refuse say the same, whatever they call it.
        return 0.0 if _refuses(one) and _refuses(other) else math.inf
    if one[0] == "number":
        return abs(one[1] - other[1])
    return math.inf if one[0] == "infinite" and one[1] != other[1] else 0.0


def _refuses(found: Answer) -> bool:
    return found[0] not in ("number", "infinite", "undefined")

"""
Run one metric over the conformance cases of its name, in this process, beside native settings and the textbook.

What a person has in a notebook cannot be sent to another process, so a hang is a hang; long inputs are left out, and so is
what does not fit into the time.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tertium.callables import CallableMetric
from tertium.conformance import load_cases
from tertium.conformance.case_files import ConformanceCase
from tertium.conformance.outcomes import Tolerance
from tertium.errors import MissingReferences, Refused, TertiumError
from tertium.guarding import check_needs
from tertium.metric import Metric, unit_of
from tertium.registry import registry
from tertium.scoring import Progress, json_number
from tertium.sides import Answer, answer
from tertium.spec import Spec

SECONDS = 60.0
"""Time that the metric's own answers may take."""

AGAINST = ("setting", "default", "textbook")
"""What a metric is held to: the native setting that was inferred, the native default, and definitions or papers."""

VALUES = ("number", "infinite", "undefined")


@dataclass(frozen=True)
class Stand:
    """
    Show one conformance case on which a metric differs from what it is held to.

    Attributes:
        mine: The metric's answer on the unit scale.
        others: What each gives that it is held to, on the unit scale.
        agrees: Whether it agrees with each.
    """

    case: ConformanceCase
    mine: Answer
    others: Mapping[str, Answer]
    agrees: Mapping[str, bool]

    def to_dict(self) -> dict[str, Any]:
        """
        Return the case as JSON-ready values.
        """
        hypotheses, references, _ = self.case.columns()
        return {
            "id": self.case.id,
            "title": self.case.title,
            "axes": list(self.case.axes),
            "texts": [
                {"hypothesis": one[:500], "references": [text[:500] for text in row or ()]}
                for one, row in zip(hypotheses[:4], references[:4], strict=True)
            ],
            "mine": _plain(self.mine),
            "others": {name: _plain(one) for name, one in self.others.items()},
            "agrees": dict(self.agrees),
        }


@dataclass(frozen=True)
class Standing:
    """
    Hold how a metric does on the suite.

    Attributes:
        setting: The native setting that was inferred, or None.
        counts: What it is held to, with the numbers of cases on which it agrees and differs.
        stands: The cases on which it differs from anything.
        axes: Conventions that the cases are about on which it differs from the native default, with their numbers.
        left_out: Why cases were left out, with their numbers.
    """

    metric: str
    setting: str | None
    counts: Mapping[str, tuple[int, int]]
    stands: tuple[Stand, ...]
    axes: Mapping[str, int]
    left_out: Mapping[str, int] = field(default_factory=dict)

    def differing(self, against: str) -> int:
        """
        Return the number of cases on which it differs from one that it is held to.
        """
        return self.counts.get(against, (0, 0))[1]

    def to_dict(self) -> dict[str, Any]:
        """
        Return the whole as JSON-ready values.
        """
        return {
            "metric": self.metric,
            "setting": self.setting,
            "counts": {name: {"agrees": same, "differs": other} for name, (same, other) in self.counts.items()},
            "axes": dict(self.axes),
            "left_out": dict(self.left_out),
            "cases": [one.to_dict() for one in self.stands],
        }


def standing(
    metric: Metric, name: str, setting: Spec | None, seconds: float = SECONDS, progress: Progress | None = None
) -> Standing:
    """
    Run a metric over the conformance cases of a name.

    Args:
        setting: The native setting that it is held to beside the default, or None.
        seconds: Time that its own answers may take.
        progress: Called with the cases done and all.
    """
    held = {"setting": setting, "default": Spec(name, "native")}
    natives = {key: _loaded(spec) for key, spec in held.items() if spec is not None}
    found: list[Stand] = []
    left_out: Counter[str] = Counter()
    spent = 0.0
    suite = [case for case in load_cases() if case.metric == name and case.output is None]
    for number, case in enumerate(suite):
        if progress is not None:
            progress(number, len(suite))
        reason = "there was no time for them" if spent > seconds else _unfit(case, metric)
        if reason:
            left_out[reason] += 1
            continue
        cases = case.cases()
        start = time.monotonic()
        mine = _unit(answer(metric, 0, cases), metric)
        spent += time.monotonic() - start
        others = {key: _unit(answer(one, column, cases), one) for key, (one, column) in natives.items()}
        value = case.textbook_value()
        if value is not None and not case.params and not case.switches:
            others["textbook"] = ("number", value)
        agrees = {key: _same(mine, other, case.tolerance) for key, other in others.items()}
        found.append(Stand(case, mine, others, agrees))
    counts = {
        key: (sum(one.agrees.get(key) is True for one in found), sum(one.agrees.get(key) is False for one in found))
        for key in AGAINST
        if any(key in one.agrees for one in found)
    }
    apart = tuple(one for one in found if not all(one.agrees.values()))
    axes = Counter(axis for one in apart if not one.agrees["default"] for axis in one.case.axes)
    return Standing(
        name, None if setting is None else str(setting), counts, apart, dict(axes.most_common()), dict(left_out)
    )


def _loaded(spec: Spec) -> tuple[Metric, int]:
    metric = registry().load(spec)
    return metric, 0 if spec.output is None else metric.info.outputs.index(spec.output)


def _unfit(case: ConformanceCase, metric: Metric) -> str:
    if "long" in case.tags:
        return "their texts are very long"
    try:
        cases = case.cases()
        check_needs(metric.info, cases)
    except MissingReferences:
        return "they have no reference"
    except Refused:
        return "they have several references"
    except TertiumError:
        return "no metric is given such data"
    if isinstance(metric, CallableMetric) and not metric.shape.holds(cases):
        return "not all their segments have as many references, and streams need that"
    return ""


def _unit(found: Answer, metric: Metric) -> Answer:
    return found[0], found[1] / unit_of(metric) if found[0] == "number" else found[1]


def _same(mine: Answer, other: Answer, tolerance: Tolerance) -> bool:
    if mine[0] in VALUES and other[0] in VALUES:
        # What is near nothing on the unit scale differs by the order of sums alone.
        return mine[0] == other[0] and (tolerance.same(mine[1], other[1]) or _nothing(mine[1], other[1]))
    return mine[0] not in VALUES and other[0] not in VALUES


def _nothing(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=0, abs_tol=1e-12)


def _plain(found: Answer) -> Any:
    return json_number(found[1]) if found[0] in ("number", "infinite") else found[0]


def told(axes: Iterable[str]) -> dict[str, str]:
    """
    Return the meaning of conventions by their ids, where they are in the vocabulary.
    """
    from tertium.conventions import families

    known = {axis.id: axis.meaning for family in families().values() for axis in family.axes.values()}
    return {name: known[name] for name in axes if name in known}

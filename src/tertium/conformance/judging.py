"""
Judge an outcome: hold it against everything that is known, and explain or report what differs.

An outcome is compared with, in this order:

``textbook``
    the value of a definition or a paper, where the case has one; conventions may part from it.
``measured``
    what the same library gave when it was run outside of tertium; for a native metric, the implementation whose
    conventions are its defaults. It must agree.
``recorded``
    the stored report of this provider in this version. It must agree.
``native``
    the native metric under the case's parameters and otherwise its defaults; conventions may part from it.
``equivalent``
    the native metric under the parameters that the provider declares to reproduce it. It must agree.
``drift``
    the stored report of another version, where there is none of this one. It is told, and decides nothing.

A difference from ``native`` is *explained* when the equivalent agrees: the native parameters in which the two part are
the explanation. One from the textbook is explained by the case's axes when somebody else gives the same value: the
measured library, the equivalent, native, or another provider. All else needs an entry in ``divergences.toml``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tertium.conformance.case_files import ConformanceCase
from tertium.conformance.divergences import Divergences
from tertium.conformance.outcomes import (
    Failed,
    Infinite,
    Number,
    Outcome,
    Rejected,
    Tolerance,
    Undefined,
    Unsupported,
    component,
    no_number,
    same,
)
from tertium.conformance.report_file import Comparison, Result
from tertium.conformance.settings import ROUGH, components_of, measured_as
from tertium.spec import parse

_BROUGHT = re.compile(r"\((?:via )?[A-Za-z][A-Za-z0-9_.-]* ([0-9][^ ()]*)\)$")

REFUSED = "input.refused"
"""The convention of tertium itself: no provider is given data that hold no texts, or no references where it needs them."""


@dataclass(frozen=True)
class Answer:
    """
    Hold what a worker gave for one case.

    Args:
        spec: What was scored with, or None where there was nothing to ask.
        equivalent: The native spec that the provider declares, or None.
    """

    spec: str | None
    outcome: Outcome
    equivalent: str | None = None
    printed: str = ""
    seconds: float | None = None


@dataclass(frozen=True)
class Evidence:
    """
    Gather what an outcome is held against.

    Args:
        native: The native metric's answer, or None where there is no native metric.
        equivalent: The native metric's answer under the declared equivalent, where that is another spec.
        recorded: The stored result of this version, or None.
        drift: The stored result of another version with that version, or None.
        version: The library's version.
        witnesses: Outcomes of other providers.
        tolerance: What the provider's declared precision asks for; None where the case decides.
    """

    native: Answer | None
    equivalent: Answer | None
    recorded: Outcome | None
    drift: tuple[str, Outcome] | None
    version: str
    witnesses: Sequence[Outcome]
    tolerance: Tolerance | None = None


def judge(
    case: ConformanceCase, provider: str, answer: Answer, evidence: Evidence, known: Divergences, reproduce: str
) -> Result:
    """
    Compare an answer with all evidence and give the verdict.
    """
    against: list[Comparison] = []
    verdict, reason = "skipped", ""
    axes: tuple[str, ...] = ()
    if not isinstance(answer.outcome, Unsupported):
        against = _comparisons(case, provider, answer, evidence)
        verdict, reason, axes = _verdict(case, provider, answer, evidence, against, known)
    else:
        reason = answer.outcome.reason
    return Result(
        case=case.id,
        metric=case.metric,
        provider=provider,
        spec=answer.spec,
        verdict=verdict,
        reason=reason,
        axes=axes,
        outcome=answer.outcome,
        against=tuple(against),
        printed=answer.printed,
        seconds=answer.seconds,
        reproduce=reproduce,
    )


def _comparisons(case: ConformanceCase, provider: str, answer: Answer, evidence: Evidence) -> list[Comparison]:
    mine, tolerance = answer.outcome, evidence.tolerance or case.tolerance
    found: list[Comparison] = []
    textbook = case.textbook_value()
    if textbook is not None:
        detail = difference(mine, Number(textbook, textbook, _textbook_components(case)), tolerance)
        found.append(Comparison("textbook", not detail, detail))
    implementation = measured_as(provider, case)
    if implementation is not None:
        measured = case.measured[implementation]
        if provider == "native" or same_version(measured.version, evidence.version):
            found.append(_measured(case, answer, implementation))
    if evidence.recorded is not None:
        detail = difference(mine, evidence.recorded, tolerance)
        found.append(Comparison("recorded", not detail, detail, version=evidence.version))
    for name, other in (("native", evidence.native), ("equivalent", evidence.equivalent)):
        if other is not None and not isinstance(other.outcome, Unsupported):
            detail = difference(mine, other.outcome, tolerance)
            found.append(Comparison(name, not detail, detail, spec=other.spec or ""))
    if evidence.drift is not None:
        version, before = evidence.drift
        detail = difference(mine, before, tolerance)
        found.append(Comparison("drift", not detail, detail, version=version))
    return found


def same_version(measured: str, installed: str) -> bool:
    """
    Tell whether a measured version is the installed one, or a program's that the installed distribution brings.

    Args:
        measured: As the cases have it: ``2.6.0``, or ``meteor-1.5.jar (pycocoevalcap 1.2)``.
        installed: The distribution's version.
    """
    brought = _BROUGHT.search(measured)
    return installed == (brought.group(1) if brought else measured)


def _textbook_components(case: ConformanceCase) -> dict[str, Any]:
    return {name: value for name, value in (case.textbook or {}).items() if name in ("precision", "recall")}


def _measured(case: ConformanceCase, answer: Answer, implementation: str) -> Comparison:
    mine, theirs = answer.outcome, case.measured[implementation]
    tolerance = ROUGH.get(implementation, case.tolerance)
    if no_number(mine) and no_number(theirs.outcome):
        return Comparison("measured", True, version=theirs.version)
    named = theirs.outcome
    if isinstance(named, (Number, Infinite, Undefined)):
        components = components_of(implementation, named.components, case.params)
        scale = _scale(mine)
        if "per_case" in components and scale != 1.0:
            components["per_case"] = [value * scale for value in components["per_case"]]
        named = _with(named, components)
    detail = difference(mine, named, tolerance)
    return Comparison("measured", not detail, detail, version=theirs.version)


def _with(outcome: Number | Infinite | Undefined, components: Mapping[str, Any]) -> Outcome:
    if isinstance(outcome, Number):
        return Number(outcome.value, outcome.unit, components)
    if isinstance(outcome, Infinite):
        return Infinite(outcome.value, components)
    return Undefined(outcome.reason, components)


def _scale(outcome: Outcome) -> float:
    return outcome.value / outcome.unit if isinstance(outcome, Number) and outcome.unit else 1.0


def difference(mine: Outcome, other: Outcome, tolerance: Tolerance) -> str:
    """
    Say how two outcomes part: in their value, or in a component that both name; empty where they do not.
    """
    if not same(mine, other, tolerance):
        return f"{mine} against {other}"
    if not isinstance(mine, (Number, Infinite, Undefined)) or not isinstance(other, (Number, Infinite, Undefined)):
        return ""
    for name, one in mine.components.items():
        if name not in other.components:
            continue
        two = other.components[name]
        if isinstance(one, list) and isinstance(two, list):
            if len(one) != len(two) or not all(_alike(a, b, tolerance) for a, b in zip(one, two, strict=True)):
                return f"{name} {one} against {two}"
        elif not _alike(one, two, tolerance):
            return f"{name} {one!r} against {two!r}"
    return ""


def _alike(one: Any, two: Any, tolerance: Tolerance) -> bool:
    first, second = component(one), component(two)
    if first is None or second is None:
        return bool(one == two)
    return tolerance.same(first, second)


def _verdict(
    case: ConformanceCase,
    provider: str,
    answer: Answer,
    evidence: Evidence,
    against: Sequence[Comparison],
    known: Divergences,
) -> tuple[str, str, tuple[str, ...]]:
    by_name = {one.against: one for one in against}
    reasons: list[str] = []
    axes: list[str] = []
    unexplained: list[str] = []
    if isinstance(answer.outcome, Failed) and not _agrees(by_name, "measured"):
        entry = known.explaining(provider, "outcome", case.id)
        if entry is None:
            return "error", str(answer.outcome), ()
        reasons.append(entry.reason)
        axes.append(entry.axis)
    for one in against:
        if one.agrees or one.against == "drift":
            continue
        why, names = _explanation(case, answer, evidence, by_name, one)
        if not why:
            entry = known.explaining(provider, one.against, case.id)
            if entry is None:
                unexplained.append(f"it parts from {one.against}: {one.detail}")
                continue
            why, names = entry.reason, (entry.axis,)
        if why not in reasons:
            reasons.append(why)
        axes += [name for name in names if name not in axes]
    if unexplained:
        return "unexplained", "; ".join(unexplained), tuple(axes)
    return ("explained", "; ".join(reasons), tuple(axes)) if reasons else ("agrees", "", ())


def _agrees(by_name: Mapping[str, Comparison], name: str) -> bool:
    return name in by_name and by_name[name].agrees


def _explanation(
    case: ConformanceCase,
    answer: Answer,
    evidence: Evidence,
    by_name: Mapping[str, Comparison],
    one: Comparison,
) -> tuple[str, tuple[str, ...]]:
    refused = isinstance(answer.outcome, Rejected) and answer.outcome.by == "tertium"
    if refused and one.against in ("textbook", "measured"):
        return "tertium refuses such data, whichever provider is asked", (REFUSED,)
    if one.against == "native":
        axes = parting(answer.equivalent, evidence.native.spec if evidence.native else None)
        if axes and _agrees(by_name, "equivalent"):
            return f"by its own conventions, which are native's under {answer.equivalent}", axes
        if answer.equivalent is None and _agrees(by_name, "measured"):
            return "the library itself gives this, by the conventions that the case is about", case.axes
    if one.against == "textbook":
        tolerance = evidence.tolerance or case.tolerance
        confirmed = any(_agrees(by_name, name) for name in ("measured", "equivalent", "native"))
        if confirmed or any(same(answer.outcome, other, tolerance) for other in evidence.witnesses):
            return "by the conventions that the case is about", case.axes
    return "", ()


def parting(equivalent: str | None, native: str | None) -> tuple[str, ...]:
    """
    Name the native parameters in which two native specs part, but for the scale: values are compared on the unit scale.
    """
    if equivalent is None or native is None:
        return ()
    one, two = parse(equivalent).params, parse(native).params
    missing = object()
    return tuple(
        name
        for name in sorted({*one, *two} - {"percent"})
        if not _equal(one.get(name, missing), two.get(name, missing))
    )


def _equal(one: Any, two: Any) -> bool:
    if isinstance(one, float) and isinstance(two, float) and math.isnan(one) and math.isnan(two):
        return True
    return bool(one == two) and isinstance(one, bool) == isinstance(two, bool)

"""
Make one test a check and configuration, with expected failures that are held strictly.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any

import tertium
from tertium import Cases, Metric
from tertium.errors import ProviderMissing, ResourceMissing, UsageError, did_you_mean
from tertium.parameters import parameters_of
from tertium.spec import format_value
from tertium.testing.trial import Blocked, CheckFailed, Trial

THEMES = ("shape", "additivity", "purity", "parameters", "scale", "text", "concurrency", "isolation")
"""Modules of :mod:`tertium.testing.checks`, the most basic first."""


@dataclass(frozen=True)
class Check:
    """
    Hold one check; call it with a metric.

    Attributes:
        name: ``check_`` and the behaviour.
        theme: The module that it stands in.
        behaviour: What it asks of a metric, in one sentence.
        cases: Plain cases for metrics that read texts of a special kind.
        examples: How many drawn corpora a property is tried on.
        claims: What the author claims beyond the protocol.
    """

    name: str
    theme: str
    behaviour: str
    function: Callable[[Trial], None] = field(repr=False)
    cases: Cases | None = field(default=None, repr=False)
    examples: int = 12
    claims: frozenset[str] = frozenset()

    def applies(self, metric: Metric) -> bool:
        """
        Whether the metric's declared facts (or its author's claims) make this check one to pass.
        """
        condition: Callable[[Trial], bool] | None = getattr(self.function, "applies", None)
        return condition is None or condition(self._trial(metric))

    def _trial(self, metric: Metric) -> Trial:
        return Trial(metric, self.cases, self.examples, self.claims)

    def __call__(self, metric: Metric) -> None:
        """
        Make the check.

        Raises:
            CheckFailed: The metric does not behave so.
            Blocked: It cannot be told, because a more basic check fails or a resource is missing.
        """
        try:
            self.function(self._trial(metric))
        except (CheckFailed, Blocked):
            raise
        except (ResourceMissing, ProviderMissing) as missing:
            raise Blocked(str(missing)) from missing
        except Exception as error:
            raise CheckFailed(
                self.behaviour.rstrip("."), f"the metric raised {type(error).__name__}: {error}"
            ) from error


def all_checks() -> tuple[Check, ...]:
    """
    Return every check, the most basic first.

    Example:
        >>> [check.name for check in all_checks()][:2]
        ['check_facts_are_sound', 'check_scores_plain_text']
    """
    found: list[Check] = []
    for theme in THEMES:
        module = import_module(f"tertium.testing.checks.{theme}")
        for name, function in vars(module).items():
            if name.startswith("check_") and getattr(function, "__module__", "") == module.__name__:
                behaviour = " ".join((inspect.getdoc(function) or "").split("\n\n")[0].split())
                found.append(Check(name, theme, behaviour, function))
    return tuple(found)


def label(metric: Metric) -> str:
    """
    Name a configuration: the class with those parameters that are not at their defaults.

    Example:
        >>> label(tertium.load("exact-match@example(lowercase=true)"))
        'ExactMatch(lowercase=true)'
    """
    declared = parameters_of(type(metric))
    shown = []
    for name, parameter in declared.items():
        value = getattr(metric, name, parameter.default)
        if value != parameter.default:
            text = value.__qualname__ if callable(value) else format_value(value)
            shown.append(f"{name}={text}")
    return f"{type(metric).__name__}({','.join(shown)})"


def contract(
    *metrics: Metric | str,
    expected_failures: Mapping[str, str] | None = None,
    cases: Cases | None = None,
    examples: int = 12,
    claims: Iterable[str] = (),
) -> Callable[[Callable[..., Any]], Any]:
    """
    Give a test function one run for each check and configuration, named ``Thing(params)-check_behaviour``.

    Args:
        metrics: Metrics under their parameters, or specs; a spec whose library or resource is missing is skipped, which says so.
        expected_failures: Check names (for every configuration) or whole names (for one) to the reason why the check
            fails. Strict both ways: a check that passes although it is listed fails, and so does a name that
            stands for no run.
        cases: Plain cases to score, where the metric reads texts of a special kind.
        examples: How many drawn corpora a property is tried on; fewer for a slow library.
        claims: What holds beyond the protocol: ``monotone`` (more damage never improves the value).

    Raises:
        UsageError: An expected failure names no run, or gives no reason; or a claim is unknown.

    Example:
        >>> @contract("exact-match@example", expected_failures={})
        ... def test_contract(metric, check):
        ...     check(metric)
    """
    import pytest

    reasons = dict(expected_failures or {})
    known = frozenset({"monotone"})
    for claim in claims:
        if claim not in known:
            raise UsageError(f"the claim {claim!r}", f"claims are {', '.join(sorted(known))}", "Leave it out")
    for name, reason in reasons.items():
        if not reason.strip():
            raise UsageError(f"{name} is expected to fail", "no reason is given", "Write why, in a sentence")
    options = {"cases": cases, "examples": examples, "claims": frozenset(claims)}
    runs: list[Any] = []
    used: set[str] = set()
    for given in metrics:
        metric, missing = _made(given)
        if metric is None:
            skip = pytest.mark.skip(reason=missing)
            runs.append(pytest.param(None, None, id=f"{given}-skipped", marks=skip))
            used.update(reasons)  # which runs there would be is unknown
            continue
        for check in applying(metric, **options):
            name = f"{label(metric)}-{check.name}"
            expected = reasons.get(name, reasons.get(check.name))
            used.update({name, check.name})
            marks = [] if expected is None else [pytest.mark.xfail(strict=True, raises=CheckFailed, reason=expected)]
            runs.append(pytest.param(metric, check, id=name, marks=marks))
    for name in reasons:
        if name not in used:
            hint = did_you_mean(name, used)
            raise UsageError(f"{name} is expected to fail", "no configuration has that check", hint or "Take it out")
    return pytest.mark.parametrize(("metric", "check"), runs)


def applying(metric: Metric, **options: Any) -> Iterator[Check]:
    """
    Yield the checks that apply to a metric, by its declared facts.
    """
    for check in all_checks():
        chosen = replace(check, **options)
        if chosen.applies(metric):
            yield chosen


def _made(given: Metric | str) -> tuple[Metric | None, str]:
    if not isinstance(given, str):
        return given, ""
    try:
        return tertium.load(given), ""
    except (ResourceMissing, ProviderMissing) as missing:
        return None, str(missing)

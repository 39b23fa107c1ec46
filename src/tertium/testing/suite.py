"""
Hold one implementation to everything that tertium asks of it: ``pytest --metric SPEC`` collects these tests.

Every check of the contract is run on the metric under the spec's parameters. A spec without parameters is also held to each
conformance case of its metric; one that disagrees and is not explained fails, with the command that shows it.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import pytest

import tertium
from tertium import Metric, Spec
from tertium.conformance import load_cases, run
from tertium.conformance.report_file import Report
from tertium.testing.contracts import Check, applying


def test_contract(metric: Metric, check: Check) -> None:
    """The implementation behaves as the protocol asks."""
    check(metric)


def test_conformance(spec: Spec, case: str) -> None:
    """The implementation gives the value that is expected of the case, or the difference is explained."""
    result = outcomes(spec.metric, spec.provider or "native").result(case, spec.provider or "native")
    if result is None or result.verdict == "skipped":
        pytest.skip(result.reason if result is not None else "the case is of another metric")
    assert result.verdict in ("agrees", "explained"), f"{result.reason}; see: {result.reproduce}"


@functools.cache
def outcomes(metric: str, provider: str) -> Report:
    """
    Run the cases of one metric with one provider.
    """
    return run([case for case in load_cases() if case.metric == metric], providers=[provider])


def runs(metafunc: pytest.Metafunc, specs: Sequence[Spec]) -> None:
    """
    Make the runs of a test: a check or a case for each spec.
    """
    found: list[Any] = []
    if metafunc.function is test_contract:
        for spec in specs:
            metric = tertium.load(spec)
            found += [pytest.param(metric, check, id=f"{spec}-{check.name}") for check in applying(metric)]
        metafunc.parametrize(("metric", "check"), found)
    else:
        for spec in specs:
            if not spec.params:
                ids = [case.id for case in load_cases() if case.metric == spec.metric]
                found += [pytest.param(spec, case, id=f"{spec}-{case}") for case in ids]
        metafunc.parametrize(("spec", "case"), found)

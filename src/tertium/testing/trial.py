"""
Put one metric on trial: score it step by step, and tell its failure from that of an earlier step.

A check looks at one behaviour. Where a more basic one is broken already, the check cannot be made and says so; the basic
check fails, and an author sees one failure for one fault.
"""

from __future__ import annotations

import unittest
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium import Cases, Metric, MetricInfo
from tertium.errors import DataError
from tertium.testing import corpora

Matrix = NDArray[np.float64]


class CheckFailed(AssertionError):
    """
    Say what the protocol asks, what the metric does instead, and what to do.
    """

    def __init__(self, asked: str, truth: str, remedy: str = "") -> None:
        self.asked, self.truth, self.remedy = asked, truth, remedy
        super().__init__(f"{asked}: {truth}." + (f" {remedy}." if remedy else ""))


class Blocked(unittest.SkipTest):
    """
    Say why a check cannot be made: a more basic one fails, or a resource is missing. pytest reports it as skipped.
    """


@dataclass
class Trial:
    """
    Give checks the metric, corpora for it, and its numbers.

    Args:
        metric: The metric under its parameters.
        given: Cases to use instead of the ordinary ones, where the metric reads texts of a special kind.
        examples: How many drawn corpora a property is tried on.
        claims: What the author claims beyond the protocol, for instance ``monotone``.
    """

    metric: Metric
    given: Cases | None = None
    examples: int = 12
    claims: frozenset[str] = field(default_factory=frozenset)

    @cached_property
    def info(self) -> MetricInfo:
        """
        The metric's facts.
        """
        return self.metric.info

    @cached_property
    def ordinary(self) -> Cases:
        """
        Plain cases that the metric must be able to score.
        """
        return self.given if self.given is not None else corpora.ordinary(self.info)

    def learned(self, cases: Cases, metric: Metric | None = None) -> Any:
        """
        Return the constants that the metric learns from cases.
        """
        metric = metric or self.metric
        return metric.constants(metric.preprocess(cases))

    def rows(self, cases: Cases, constants: Any = None, metric: Metric | None = None) -> Matrix:
        """
        Return the statistics of cases, unchecked; shape (cases, columns) if the metric keeps to the protocol.

        Args:
            constants: What was learned; by default from these cases.
        """
        metric = metric or self.metric
        learned = self.learned(cases, metric) if constants is None else constants
        with _quiet_divisions():
            return np.array(metric.statistics(metric.preprocess(cases), learned), dtype=np.float64)

    def values(self, sums: Matrix, metric: Metric | None = None) -> Matrix:
        """
        Return the outputs of a copy of sums, unchecked.
        """
        with _quiet_divisions():
            return np.array((metric or self.metric).aggregate(sums.copy()), dtype=np.float64)

    def outcome(self, cases: Cases, metric: Metric | None = None) -> Matrix:
        """
        Return the corpus outputs of cases, shape (outputs,).
        """
        metric = metric or self.metric
        if not metric.info.additive:
            with _quiet_divisions():
                prepared = metric.preprocess(cases)
                return np.array(metric.corpus(prepared, metric.constants(prepared)), dtype=np.float64)
        return self.values(self.rows(cases, metric=metric).sum(axis=0), metric)

    def everything(self, cases: Cases, metric: Metric | None = None) -> tuple[Matrix, Matrix]:
        """
        Return statistics (of no columns for a metric that is not additive) and corpus outputs.
        """
        metric = metric or self.metric
        if not metric.info.additive:
            return np.empty((len(cases), 0)), self.outcome(cases, metric)
        rows = self.rows(cases, metric=metric)
        return rows, self.values(rows.sum(axis=0), metric)

    def refused(self, cases: Cases) -> bool:
        """
        Whether cases are refused by a DataError, as the metric declares that some are.
        """
        if not self.metric.refuses.strip():
            return False
        try:
            self.everything(cases)
        except DataError as refusal:
            return bool(refusal.asked and refusal.truth)
        except Exception:
            return False  # what is wrong shows where the cases are scored
        return False

    def sound(self, cases: Cases) -> Matrix:
        """
        Return statistics that are in order, or say which basic check fails.

        Raises:
            Blocked: They are not: the check that is named fails, too.
        """
        rows = _basic("check_scores_plain_text", lambda: self.rows(cases))
        if rows.shape != (len(cases), len(self.info.columns)):
            raise Blocked("check_statistics_shape fails")
        if not np.isfinite(rows).all():
            raise Blocked("check_statistics_are_finite fails")
        return rows

    def ready(self) -> None:
        """
        Make sure that plain texts can be scored, before asking more.

        Raises:
            Blocked: They cannot: a more basic check fails, too.
        """
        self.sound_outcome(self.ordinary)
        if self.given is None:
            self.sound_outcome(corpora.unrelated(self.info))

    def sound_outcome(self, cases: Cases) -> Matrix:
        """
        Return corpus outputs that are in order, or say which basic check fails.
        """
        if self.info.additive:
            sums = self.sound(cases).sum(axis=0)
            values = _basic("check_aggregate_shape", lambda: self.values(sums))
        else:
            values = _basic("check_scores_plain_text", lambda: self.outcome(cases))
        if values.shape != (len(self.info.outputs),):
            raise Blocked("check_aggregate_shape fails")
        return values


def _basic(check: str, work: Callable[[], Matrix]) -> Matrix:
    try:
        return work()
    except Exception as error:
        raise Blocked(f"{check} fails ({type(error).__name__}: {error})") from error


def _quiet_divisions() -> Any:
    return np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore")


def same(a: Matrix, b: Matrix) -> bool:
    """
    Whether two arrays have the same shape and bits, NaN equal to NaN.
    """
    return a.shape == b.shape and np.array_equal(a, b, equal_nan=True)


def close(a: Matrix, b: Matrix, tolerance: float = 1e-9) -> bool:
    """
    Whether two arrays have the same shape and agree to a relative tolerance, NaN equal to NaN.
    """
    return a.shape == b.shape and np.allclose(a, b, rtol=tolerance, atol=tolerance * 1e-3, equal_nan=True)


def require(holds: Any, asked: str, truth: str, remedy: str = "") -> None:
    """
    Fail the check unless something holds.
    """
    if not holds:
        raise CheckFailed(asked, truth, remedy)

"""
Read what a metric says about many small corpora, in one pass over all their texts where the metric allows it.
"""

from __future__ import annotations

import contextlib
import logging
import math
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tertium.cases import Cases
from tertium.errors import ProviderBroken, ProviderMissing, ResourceMissing, VersionMismatch
from tertium.guarding import check_needs, checked, errstate
from tertium.metric import Matrix, Metric
from tertium.scoring import aggregated, measure
from tertium.shrinking import Draft, as_cases

Reals = NDArray[np.float64]

View = Literal["corpus", "case"]
"""Which value is read: that of the corpus, or that which a metric gives a case among others."""

UNUSABLE = (ProviderMissing, ResourceMissing, VersionMismatch)
"""Errors that say nothing about the texts: the provider cannot be used here at all."""


@dataclass(frozen=True)
class Trial:
    """
    Hold one small corpus that is scored.
    """

    drafts: tuple[Draft, ...]
    view: View = "corpus"

    @property
    def cases(self) -> Cases:
        """
        The corpus as cases.
        """
        return as_cases(self.drafts)

    @property
    def size(self) -> int:
        """
        Characters of all texts.
        """
        return sum(len(text) for draft in self.drafts for text in draft.texts)


@dataclass(frozen=True)
class Readings:
    """
    Hold what a metric said about trials.

    Attributes:
        values: float64 of shape (trials, outputs) on the metric's own scale; NaN where undefined or refused.
        errors: Names of the errors that trials met, empty where they met none.
    """

    values: Reals
    errors: tuple[str, ...]

    def kind(self, trial: int, column: int) -> str:
        """
        Name the kind of an answer: ``number``, ``infinite``, ``undefined`` or ``error``.
        """
        if self.errors[trial]:
            return "error"
        value = float(self.values[trial, column])
        return "undefined" if math.isnan(value) else "infinite" if math.isinf(value) else "number"


class Reader:
    """
    Read a metric's values on trials.

    Attributes:
        by_rows: Whether the statistics of a case depend on nothing but the case, so that all trials share one pass.
    """

    def __init__(self, metric: Metric) -> None:
        self.metric, self.info = metric, metric.info
        learns = type(metric).constants is not Metric.constants
        apart = self.info.whole_corpus or self.info.order_dependent or not self.info.additive
        self.by_rows = not learns and not apart

    def read(self, trials: Sequence[Trial]) -> Readings:
        """
        Return the metric's outputs on every trial.
        """
        with quiet():
            return self._by_rows(trials) if self.by_rows else self._one_by_one(trials)

    # -- corpus by corpus -------------------------------------------------------------------------------------------

    def foresee(self, corpora: Sequence[Cases]) -> None:
        """
        Tell a metric which corpora come, if it wants to know, so that it starts a costly program once for all.
        """
        expecting = getattr(self.metric, "anticipate", None)
        if expecting is not None and corpora:
            with quiet(), contextlib.suppress(Exception, SystemExit):  # what is wrong shows when they are scored
                expecting(corpora)

    def _one_by_one(self, trials: Sequence[Trial]) -> Readings:
        corpora = [trial.cases for trial in trials]
        self.foresee(corpora)
        values = np.full((len(trials), len(self.info.outputs)), np.nan)
        errors = []
        for place, cases in enumerate(corpora):
            error = ""
            try:
                values[place] = measure(self.metric, cases).values
            except UNUSABLE:
                raise
            except (Exception, SystemExit) as found:
                error = _name(found)
            errors.append(error)
        return Readings(values, tuple(errors))

    # -- all cases in one pass ---------------------------------------------------------------------------------------

    def _by_rows(self, trials: Sequence[Trial]) -> Readings:
        places: dict[Draft, int] = {}
        for trial in trials:
            for draft in trial.drafts:
                places.setdefault(draft, len(places))
        drafts = list(places)
        rows = np.zeros((len(drafts), len(self.info.columns)))
        faults: dict[int, str] = {}
        self._fill(drafts, 0, len(drafts), rows, faults)
        members = [[places[draft] for draft in trial.drafts] for trial in trials]
        errors = [next((faults[row] for row in own if row in faults), "") for own in members]
        values = np.full((len(trials), len(self.info.outputs)), np.nan)
        for view in ("corpus", "case"):
            chosen = [i for i, trial in enumerate(trials) if trial.view == view and not errors[i]]
            if not chosen:
                continue
            sums = np.stack([_sum(rows[members[i]]) for i in chosen])
            for i, (found, error) in zip(chosen, self._finished(sums, view == "case"), strict=True):
                values[i], errors[i] = found, error
        return Readings(values, tuple(errors))

    def _fill(self, drafts: list[Draft], start: int, stop: int, rows: Matrix, faults: dict[int, str]) -> None:
        """
        Count cases, and where that fails, halve them until those that make it fail stand alone.
        """
        try:
            rows[start:stop] = self._count(as_cases(drafts[start:stop]))
        except UNUSABLE:
            raise
        except (Exception, SystemExit) as error:
            if stop - start == 1:
                faults[start] = _name(error)
                return
            middle = (start + stop) // 2
            self._fill(drafts, start, middle, rows, faults)
            self._fill(drafts, middle, stop, rows, faults)

    def _count(self, cases: Cases) -> Matrix:
        check_needs(self.info, cases)
        with errstate():
            found = self.metric.statistics(self.metric.preprocess(cases), None)
        rows = checked(found, (len(cases), len(self.info.columns)), self.info, "statistics")
        if not np.isfinite(rows).all():
            raise ProviderBroken(self.info.name, "its statistics are not finite")
        return rows

    def _finished(self, sums: Matrix, alone: bool) -> Iterator[tuple[Any, str]]:
        nothing = np.full(len(self.info.outputs), np.nan)
        try:
            values = self._finish(sums, alone)
        except (Exception, SystemExit):
            values = np.full((len(sums), len(nothing)), np.nan)
        for row, found in zip(sums, values, strict=True):
            if not np.isnan(found).any():
                yield found, ""
                continue
            # A finaliser may refuse one total, and give a table of totals with a gap instead.
            try:
                yield self._finish(row[None], True)[0] if alone else aggregated(self.metric, row), ""
            except (Exception, SystemExit) as error:
                yield nothing, _name(error)

    def _finish(self, sums: Matrix, alone: bool) -> Matrix:
        if not alone:
            return aggregated(self.metric, sums)
        with errstate():
            found = self.metric.per_case(sums)
        return checked(found, (len(sums), len(self.info.outputs)), self.info, "per_case")


def _sum(rows: Matrix) -> Matrix:
    # In the order of the cases, as a total of few cases is made.
    return np.asarray(np.add.reduceat(rows, [0], axis=0)[0])


def _name(error: BaseException) -> str:
    cause = error.__cause__ if isinstance(error, ProviderBroken) else None
    return type(cause or error).__name__


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """
    Keep warnings, log lines and prints of libraries to oneself: thousands of strange inputs make thousands of them.
    """
    before = logging.root.manager.disable
    logging.disable(logging.ERROR)
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(None), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)

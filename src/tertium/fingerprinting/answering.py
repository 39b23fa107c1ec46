"""
Score many small inputs with many native settings: one pass a setting over all inputs, wherever cases are independent.
"""

from __future__ import annotations

import contextlib
import math
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium.cases import Cases
from tertium.fingerprinting.space import Setting, Space
from tertium.guarding import check_needs, errstate
from tertium.metric import Matrix, Metric
from tertium.sides import Answer, answer, near, outputs_of, state_of

NUMBER, INFINITE, UNDEFINED, ERROR = range(4)
KINDS = {"number": NUMBER, "infinite": INFINITE, "undefined": UNDEFINED}

DIFFERENT, ALIKE, EQUAL = range(3)
"""How two answers lie to each other; alike are two that both give no value, or that are next to nothing."""

NOTHING = 1e-12
"""Value on the unit scale below which two numbers are next to nothing."""

SINGLE = 200_000
"""Outputs that are kept of inputs which had to be scored one by one."""

KEPT = 256
"""Statistics that are kept for settings which differ in the finishing alone."""


@dataclass(frozen=True)
class Probe:
    """
    Hold one input: a small corpus, scored in one call.

    Attributes:
        name: Where it comes from.
        cases: The corpus.
        own: Whether it was made for the metric's own family.
        always: Whether it is asked in any case, once a setting has been found.
    """

    name: str
    cases: Cases
    own: bool = False
    always: bool = False

    @property
    def size(self) -> int:
        """
        Characters, with a few for each case and reference.
        """
        texts = (*self.cases.hypotheses, *self.cases.flat_references)
        return sum(map(len, texts)) + 4 * (len(self.cases) - 1) + 2 * len(texts)

    @property
    def references(self) -> int:
        """
        The most references that a case has.
        """
        return int(self.cases.reference_counts.max())


@dataclass(frozen=True)
class Tolerance:
    """
    Say how far apart two answers may lie that are the same.

    Attributes:
        relative: Of the larger magnitude.
        absolute: On the provider's scale: half a step of the last digit, where values are rounded.
        why: What makes it wider than the usual one.
    """

    relative: float = 1e-9
    absolute: float = 0.0
    why: str = ""


@dataclass
class Answers:
    """
    Hold answers to several inputs: values, NaN where there is no number, and kinds.
    """

    values: NDArray[np.float64]
    kinds: NDArray[np.int8]

    @classmethod
    def of(cls, answers: Sequence[Answer]) -> Answers:
        """
        Pack answers one by one.
        """
        kinds = [KINDS.get(kind, ERROR) for kind, _ in answers]
        values = [value for _, value in answers]
        return cls(np.asarray(values, np.float64).reshape(-1), np.asarray(kinds, np.int8).reshape(-1))

    def at(self, places: Sequence[int]) -> Answers:
        """
        Return some of the answers.
        """
        chosen = np.asarray(places, np.intp)
        return Answers(self.values[chosen], self.kinds[chosen])

    def against(self, others: Answers, tolerance: Tolerance) -> NDArray[np.int8]:
        """
        Compare answer by answer: ``DIFFERENT``, ``ALIKE`` or ``EQUAL``.
        """
        one, other = settled(self.values), settled(others.values)
        close = near(one, other, tolerance.relative, tolerance.absolute)
        nothing = np.maximum(np.abs(one), np.abs(other)) <= NOTHING
        numbers = (self.kinds == NUMBER) & (others.kinds == NUMBER)
        infinite = (self.kinds == INFINITE) & (others.kinds == INFINITE) & (one == other)
        neither = (self.kinds >= UNDEFINED) & (others.kinds >= UNDEFINED)
        equal = (numbers & close) | infinite | (neither & (self.kinds == others.kinds))
        alike = (numbers & nothing) | neither
        return np.where(equal, EQUAL, np.where(alike, ALIKE, DIFFERENT)).astype(np.int8)


class Natives:
    """
    Give native settings' answers to a growing list of inputs, each computed once.
    """

    def __init__(self, space: Space) -> None:
        self.space = space
        self.probes: list[Probe] = []
        self._known: dict[Setting, Answers] = {}
        self._joined: OrderedDict[tuple[int, ...], tuple[Cases, NDArray[np.intp]]] = OrderedDict()
        self._sums: OrderedDict[Any, Matrix] = OrderedDict()
        self._single: dict[Any, tuple[float, ...] | str] = {}
        self.computed = 0

    def add(self, probes: Sequence[Probe]) -> list[int]:
        """
        Take inputs in and return their places.
        """
        first = len(self.probes)
        self.probes += probes
        return list(range(first, len(self.probes)))

    def answers(self, setting: Setting, places: Sequence[int]) -> Answers:
        """
        Return a setting's answers to the inputs at some places.
        """
        known = self._known.get(setting)
        if known is None or len(known.kinds) < len(self.probes):
            known = self._grown(setting, known)
        chosen = np.asarray(places, np.intp)
        missing = chosen[known.kinds[chosen] < 0]
        if len(missing):
            fresh = self._compute(setting, missing.tolist())
            known.values[missing], known.kinds[missing] = fresh.values, fresh.kinds
        return Answers(known.values[chosen], known.kinds[chosen])

    def _grown(self, setting: Setting, known: Answers | None) -> Answers:
        if len(self._known) > 40_000:
            self._known.clear()
        count = len(self.probes)
        grown = Answers(np.full(count, math.nan), np.full(count, -1, np.int8))
        if known is not None:
            grown.values[: len(known.kinds)], grown.kinds[: len(known.kinds)] = known.values, known.kinds
        self._known[setting] = grown
        return grown

    def _compute(self, setting: Setting, places: list[int]) -> Answers:
        metric = self.space.make(setting)
        if metric is None:
            return Answers(np.full(len(places), math.nan), np.full(len(places), ERROR, np.int8))
        column = 0 if setting.output is None else metric.info.outputs.index(setting.output)
        info = metric.info
        learns = type(metric).constants is not Metric.constants
        if not info.additive or info.whole_corpus or info.order_dependent or learns:
            said = [self._alone(metric, setting, place) for place in places]
            found = Answers.of(
                [(one, math.nan) if isinstance(one, str) else (state_of(one[column]), one[column]) for one in said]
            )
        else:
            values, failed = self._batch(metric, tuple(places))
            found = _read(values[:, column], failed)
            # Whether nothing to divide by is an error or no value may depend on the corpus as a whole.
            for at in np.flatnonzero(found.kinds == UNDEFINED):
                alone = Answers.of([answer(metric, column, self.probes[places[at]].cases)])
                found.values[at], found.kinds[at] = alone.values[0], alone.kinds[0]
        if setting.factor != 1.0:
            found.values = found.values * setting.factor
        return found

    def _alone(self, metric: Metric, setting: Setting, place: int) -> tuple[float, ...] | str:
        """
        Score one corpus by itself, once for all outputs.
        """
        key = setting.metric, setting.params, place
        if key not in self._single:
            if len(self._single) > SINGLE:
                self._single.clear()
            self.computed += 1
            self._single[key] = outputs_of(metric, self.probes[place].cases)
        return self._single[key]

    def _batch(self, metric: Metric, places: tuple[int, ...]) -> tuple[Matrix, NDArray[np.bool_]]:
        """
        Score corpora in one pass; where one of them is refused, in halves until it stands alone.

        Returns:
            Outputs of shape (corpora, outputs), and which were refused.
        """
        try:
            sums = self._summed(metric, places)
            with errstate():
                return np.asarray(metric.aggregate(sums), np.float64), np.zeros(len(places), np.bool_)
        except Exception:
            if len(places) == 1:
                return np.full((1, len(metric.info.outputs)), math.nan), np.ones(1, np.bool_)
            middle = len(places) // 2
            halves = [self._batch(metric, half) for half in (places[:middle], places[middle:])]
            return np.concatenate([half[0] for half in halves]), np.concatenate([half[1] for half in halves])

    def _summed(self, metric: Metric, places: tuple[int, ...]) -> Matrix:
        key = self._key(metric, places)
        if key in self._sums:
            self._sums.move_to_end(key)
            return self._sums[key]
        cases, starts = self._join(places)
        self.computed += 1
        check_needs(metric.info, cases)
        with errstate(), contextlib.redirect_stdout(None):
            rows = np.asarray(metric.statistics(metric.preprocess(cases), None), np.float64)
        sums: Matrix = np.add.reduceat(rows, starts, axis=0)
        self._sums[key] = sums
        if len(self._sums) > KEPT:
            self._sums.popitem(last=False)
        return sums

    def _key(self, metric: Metric, places: tuple[int, ...]) -> tuple[Any, ...]:
        deciding = self.space.family.counted(metric.parameters)
        return type(metric), metric.info.columns, tuple(deciding.items()), places

    def _join(self, places: tuple[int, ...]) -> tuple[Cases, NDArray[np.intp]]:
        if places not in self._joined:
            corpora = [self.probes[place].cases for place in places]
            sources = [source for corpus in corpora for source in corpus.sources or [""] * len(corpus)]
            told = any(corpus.sources is not None for corpus in corpora)
            joined = Cases(
                [text for corpus in corpora for text in corpus.hypotheses],
                [list(texts or ()) for corpus in corpora for texts in corpus.references],
                sources if told else None,
            )
            starts = np.cumsum([0, *(len(corpus) for corpus in corpora)])[:-1].astype(np.intp)
            self._joined[places] = joined, starts
            if len(self._joined) > 64:
                self._joined.popitem(last=False)
        return self._joined[places]


def settled(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """
    Write 0 for what rounding leaves of it; smaller numbers are no accident: 2.2e-308 to the power of a quarter is 3.9e-78.
    """
    size = np.abs(values)
    return np.where((size > 1e-20) & (size < 1e-14), 0.0, values)


def _read(values: NDArray[np.float64], failed: NDArray[np.bool_]) -> Answers:
    kinds = np.where(np.isnan(values), UNDEFINED, np.where(np.isinf(values), INFINITE, NUMBER))
    return Answers(values.copy(), np.where(failed, ERROR, kinds).astype(np.int8))

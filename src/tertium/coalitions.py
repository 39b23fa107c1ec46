"""
Mix the settings of two metrics, axis by axis, and value every mixture.

The players are the conventions on which two native settings differ. A coalition takes the second setting's choices on
its axes and the first one's elsewhere: nobody is the first metric, all together are the second.
"""

from __future__ import annotations

import contextlib
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tertium.cases import Cases
from tertium.compact import Compact
from tertium.conventions import SCALE, Axis, Family, family_of
from tertium.errors import Refused, TertiumError
from tertium.metric import Matrix, Metric
from tertium.parameters import parameters_of
from tertium.scoring import Score, aggregated, measure, total
from tertium.sides import rescaled, unit_of

CHECKED = 10
"""Players up to which every coalition is made once to see whether its choices contradict each other."""

KEPT = 100_000
"""Cases, from the first one, whose statistics are kept for coalitions of one convention, or of all but one."""

VARIANT, OUTPUT = "metric", "output"


@dataclass(frozen=True)
class Player:
    """
    Stand for one convention, or for several that make no sense apart.

    Attributes:
        axes: The conventions.
        changes: Parameters with the choice of the first and of the second setting.
        reason: Why several axes stand together, where they do.
    """

    axes: tuple[Axis, ...]
    changes: Mapping[str, tuple[Any, Any]]
    reason: str = ""

    @property
    def name(self) -> str:
        """
        The name of the axis, or all names.
        """
        return " + ".join(axis.name for axis in self.axes)

    @property
    def meaning(self) -> str:
        """
        One sentence an axis.
        """
        return " ".join(axis.meaning for axis in self.axes)


@dataclass(frozen=True)
class Setting:
    """
    Hold one side of the game: a metric's class with all its parameters, and the output that is read.
    """

    metric: Metric
    output: str | None


class Contradiction(Exception):
    """
    Say that a coalition cannot be valued, and why.
    """

    def __init__(self, mask: int, reason: str) -> None:
        super().__init__(reason)
        self.mask, self.reason = mask, reason


class Coalitions:
    """
    Value coalitions of conventions on the same cases, with one pass over the texts for each way to count.

    Args:
        a: The setting without any change.
        b: The setting with all changes.
        cases: What is scored.
        shared: The unit of the scale on which values are given.
        workers: Threads that a pass may use.
    """

    def __init__(self, a: Setting, b: Setting, cases: Cases, shared: float, workers: int = 1) -> None:
        self.a, self.b, self.cases, self.shared, self.workers = a, b, cases, shared, workers
        self.passes = 0
        # Metrics without native equivalents are mixed by their own parameters, of which nothing is known.
        self._family = family_of(a.metric.name) if a.metric.provider == b.metric.provider == "native" else None
        self._joint = self._family is not None and self._family.joint
        self._parameters = _written_out(a.metric, b.metric), _written_out(b.metric, a.metric)
        self._sums: dict[Any, Matrix] = {}
        self._values: dict[Any, Matrix] = {}
        self._rows: dict[Any, Matrix] = {}
        self._known: dict[int, float] = {}
        self._close: frozenset[Any] | None = None
        self.scale: Player | None = None
        self.players: list[Player] = self._find()
        self._join()

    # -- who plays ------------------------------------------------------------------------------------------------

    def _find(self) -> list[Player]:
        one, other = self._parameters
        facts = self.a.metric.signature(), self.b.metric.signature()
        same_class = type(self.a.metric) is type(self.b.metric)
        moved: dict[Axis, dict[str, tuple[Any, Any]]] = {}
        for name in one:
            if name not in other or one[name] == other[name]:
                continue
            if name in facts[0] and name in facts[1] and str(facts[0][name]) == str(facts[1][name]) and same_class:
                continue  # two ways to write the same choice
            moved.setdefault(_axis(self._family, self.a.metric, name), {})[name] = one[name], other[name]
        players = [Player((axis,), moved[axis]) for axis in _ordered(self._family, moved)]
        if not same_class and not self._joint:
            players.insert(0, self._variant(one, other))
        if self._output(0) != self._output(1):
            players.append(Player((_read(self.a, self.b),), {}))
        for player in players:
            # Another scale writes the same number in another way, and shares nothing of a gap on one scale.
            if player.axes[0].name == SCALE and unit_of(self.a.metric) != unit_of(self.b.metric):
                self.scale = player
        return [player for player in players if player is not self.scale]

    def _variant(self, one: Mapping[str, Any], other: Mapping[str, Any]) -> Player:
        names = self.a.metric.name, self.b.metric.name
        family = self._family.name if self._family else names[0]
        axis = Axis(
            family, VARIANT, f"Which metric of the family is computed: {names[0]} or {names[1]}.", (), "statistics"
        )
        own = {name: (one.get(name), other.get(name)) for name in {**one, **other} if (name in one) != (name in other)}
        return Player((axis,), own)

    def _output(self, number: int) -> str | None:
        setting = (self.a, self.b)[number]
        return None if setting.output in (None, setting.metric.info.outputs[0]) else setting.output

    # -- who stands together ---------------------------------------------------------------------------------------

    def _join(self) -> None:
        """
        Let players stand together whose choices contradict the rest when they are mixed.
        """
        while True:
            found = [(mask, reason) for mask in self._doubtful() if (reason := self._contradiction(mask))]
            if not found:
                return
            self.join([mask for mask, _ in found], found[0][1])

    def _doubtful(self) -> Iterator[int]:
        count = len(self.players)
        if count <= CHECKED:
            yield from range(1, (1 << count) - 1)
            return
        everybody = (1 << count) - 1
        single = [1 << player for player in range(count)]
        pairs = [one | other for one, other in itertools.combinations(single, 2)]
        yield from (*single, *pairs, *(everybody ^ mask for mask in (*single, *pairs)))

    def _contradiction(self, mask: int) -> str:
        try:
            self.metric(mask)
        except TertiumError as error:
            return str(error)
        return ""

    def join(self, masks: Sequence[int], reason: str) -> None:
        """
        Put two players together: those that most of the coalitions which cannot be valued keep apart.
        """
        count = len(self.players)
        if count < 2:
            raise Refused("a gap to share", f"the two settings cannot be mixed ({reason})", "Use `tertium diff`")
        apart = {
            (i, j): sum((mask >> i ^ mask >> j) & 1 for mask in masks)
            for i, j in itertools.combinations(range(count), 2)
        }
        i, j = max(apart, key=lambda pair: (apart[pair], [-place for place in pair]))
        one, other = self.players[i], self.players[j]
        joined = Player(
            (*one.axes, *other.axes), {**one.changes, **other.changes}, one.reason or other.reason or reason
        )
        self.players[i] = joined
        del self.players[j]
        self._known.clear()
        self._close = None

    # -- what a coalition is worth ----------------------------------------------------------------------------------

    @property
    def everybody(self) -> int:
        """
        The coalition of all players.
        """
        return (1 << len(self.players)) - 1

    def metric(self, mask: int) -> Metric:
        """
        Make the metric of a coalition.

        Raises:
            ParameterError: Its choices contradict each other.
        """
        chosen = dict(self._parameters[0])
        kind: type[Metric] = type(self.a.metric)
        if self._joint:
            chosen, kind = {**self._parameters[1], **chosen}, type(self.b.metric)
        for place, player in enumerate(self.players):
            if mask >> place & 1:
                chosen |= {name: pair[1] for name, pair in player.changes.items()}
                if any(axis.name == VARIANT for axis in player.axes):
                    kind = type(self.b.metric)
        known = parameters_of(kind)
        return kind(**{name: value for name, value in chosen.items() if name in known})

    def column(self, mask: int, metric: Metric) -> int:
        """
        Return the place of the output that a coalition reads.
        """
        second = any(
            mask >> place & 1 and axis.name == OUTPUT
            for place, player in enumerate(self.players)
            for axis in player.axes
        )
        name = self._output(1 if second else 0)
        if name is None:
            return 0
        if name not in metric.info.outputs:
            raise Contradiction(mask, f"{metric.name}@{metric.provider} has no output {name!r} in this mixture")
        return metric.info.outputs.index(name)

    def key(self, metric: Metric) -> tuple[Any, ...]:
        """
        Name everything that decides the statistics of a metric: two metrics with equal keys share one pass.
        """
        held = metric.parameters
        deciding = []
        for name, value in held.items():
            axis = self._family.axis_of(name) if self._family else None
            if axis is None or self._family is None or self._family.stage(axis, held) == "statistics":
                deciding.append((name, value if not callable(value) else id(value)))
        return (type(metric), metric.info.columns, tuple(deciding))

    def sums(self, metric: Metric, keep: bool = False) -> Matrix | None:
        """
        Return the sums of a metric's statistics, by a pass over the texts where they are not known.

        Args:
            keep: Keep the rows of the first cases, too, for :meth:`rows`.

        Returns:
            Shape (columns,), or None for a metric that is not additive.
        """
        key = self.key(metric)
        if key in self._values or (key in self._sums and (key in self._rows or not keep)):
            return self._sums.get(key)
        self.passes += 1
        rows, values = measure(metric, self.cases, self.workers)
        if rows is None:
            self._values[key] = values
            return None
        self._remember(key, rows, keep)
        return self._sums[key]

    def _remember(self, key: Any, statistics: Matrix | Compact, keep: bool) -> None:
        self._sums[key] = total(statistics)
        if keep:
            rows = np.asarray(statistics)
            self._rows[key] = rows if len(rows) <= KEPT else rows[:KEPT].copy()

    def _near(self) -> frozenset[Any]:
        """
        Name the statistics of coalitions of one convention or none, and of all but one or all.
        """
        if self._close is None:
            single = [1 << place for place in range(len(self.players))]
            masks = {0, self.everybody, *single, *(self.everybody ^ one for one in single)}
            self._close = frozenset(self.key(self.metric(mask)) for mask in masks)
        return self._close

    def rows(self, metric: Metric) -> Matrix | None:
        """
        Return a metric's statistics of the first cases, shape (cases or ``KEPT``, columns); None if it is not additive.
        """
        return None if self.sums(metric, keep=True) is None else self._rows[self.key(metric)]

    def take(self, score: Score) -> None:
        """
        Take statistics that were made before, so that they need no pass of their own.
        """
        if score.statistics is not None:
            self._remember(self.key(score.metric), score.statistics, True)

    def value(self, mask: int) -> float:
        """
        Return what a coalition's metric says about the cases, on the shared scale.

        Raises:
            Contradiction: It says nothing, or refuses the cases.
        """
        if mask not in self._known:
            self._known[mask] = self._value(mask)
        return self._known[mask]

    def _value(self, mask: int) -> float:
        try:
            metric = self.metric(mask)
            column = self.column(mask, metric)
            sums = self.sums(metric, keep=self.key(metric) in self._near())
            values = self._values[self.key(metric)] if sums is None else aggregated(metric, sums)
        except TertiumError as error:
            raise Contradiction(mask, str(error)) from error
        value = float(values[column])
        if not math.isfinite(value):
            raise Contradiction(mask, metric.info.undefined or "the value of a mixture is infinite")
        return float(rescaled(value, unit_of(metric), self.shared))


def _axis(family: Family | None, metric: Metric, parameter: str) -> Axis:
    found = family.axis_of(parameter) if family is not None else None
    if found is not None:
        return found
    declared = parameters_of(type(metric))[parameter]
    meaning = (declared.help or f"The parameter {parameter}").rstrip(".") + "."
    return Axis(metric.name, parameter.replace("_", "-"), meaning, (parameter,), "statistics")


def _ordered(family: Family | None, axes: Mapping[Axis, Any]) -> list[Axis]:
    order = {axis: place for place, axis in enumerate(family.axes.values())} if family is not None else {}
    return sorted(axes, key=lambda axis: order.get(axis, len(order)))


def _read(a: Setting, b: Setting) -> Axis:
    names = [setting.output or setting.metric.info.outputs[0] for setting in (a, b)]
    return Axis(
        a.metric.name, OUTPUT, f"Which of the metric's values is read: {names[0]} or {names[1]}.", (), "aggregate"
    )


def _written_out(metric: Metric, other: Metric) -> dict[str, Any]:
    """
    Give a metric's parameters; where one is none and the other metric's is not, what stands behind it is written out.

    That is what the metric's signature says, if the metric takes it and nothing else changes.
    """
    found, against = dict(metric.parameters), other.parameters
    facts = metric.signature()
    for name, value in list(found.items()):
        told = facts.get(name)
        if value is not None or against.get(name) is None or not isinstance(told, (bool, int, float, str)):
            continue
        with contextlib.suppress(TertiumError, TypeError, ValueError):
            explicit = parameters_of(type(metric))[name].check(metric.name, told)
            same = type(metric)(**{**found, name: explicit})
            if _as_texts(same.signature()) == _as_texts(facts) and same.columns == metric.columns:
                found[name] = explicit
    return found


def _as_texts(facts: Mapping[str, object]) -> dict[str, str]:
    return {name: str(fact) for name, fact in facts.items()}

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
from typing import Any

import numpy as np

from tertium.cases import Cases
from tertium.conventions import SCALE, family_of
from tertium.errors import Refused, TertiumError
from tertium.metric import Matrix, Metric
from tertium.parameters import parameters_of
from tertium.players import OUTPUT, VARIANT, Player, Setting, players_of, written_out
from tertium.scoring import Score, aggregated, measure, total
from tertium.sides import rescaled, unit_of

CHECKED = 10
"""Players up to which every coalition is made once to see whether its choices contradict each other."""

KEPT = 100_000
"""Cases, from the first one, whose statistics are kept for coalitions of one convention, or of all but one."""


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
        self._parameters = written_out(a.metric, b.metric), written_out(b.metric, a.metric)
        self._reads = a.read, b.read
        self._numbers: dict[tuple[Any, ...], int] = {}
        self._keys: dict[int, tuple[Metric, int]] = {}  # by identity: a metric of others need not be hashable
        self._sums: dict[int, Matrix] = {}
        self._values: dict[int, Matrix] = {}
        self._rows: dict[int, Matrix] = {}
        self._known: dict[int, float] = {}
        self._made: dict[int, Metric] = {}
        self._close: frozenset[int] | None = None
        players = players_of(a, b, *self._parameters, self._family)
        # Another scale writes the same number in another way, and shares nothing of a gap on one scale.
        other = unit_of(a.metric) != unit_of(b.metric)
        self.scale = next((player for player in players if other and player.axes[0].name == SCALE), None)
        self.players = [player for player in players if player is not self.scale]
        self._join()

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
        self._made.clear()
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
        if mask not in self._made:
            self._made[mask] = self._make(mask)
        return self._made[mask]

    def _make(self, mask: int) -> Metric:
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
        # a parameter that is left at its default needs no check
        moved = {name: value for name, value in chosen.items() if name in known and known[name].default != value}
        return kind(**moved)

    def column(self, mask: int, metric: Metric) -> int:
        """
        Return the place of the output that a coalition reads.
        """
        first, second = self._reads
        changed = first != second and any(
            mask >> place & 1 and axis.name == OUTPUT
            for place, player in enumerate(self.players)
            for axis in player.axes
        )
        name = second if changed else first
        if name is None:
            return 0
        if name not in metric.info.outputs:
            raise Contradiction(mask, f"{metric.name}@{metric.provider} has no output {name!r} in this mixture")
        return metric.info.outputs.index(name)

    def key(self, metric: Metric) -> int:
        """
        Number everything that decides the statistics of a metric: two metrics with equal numbers share one pass.
        """
        if id(metric) not in self._keys:
            held = metric.parameters
            counted = held if self._family is None else self._family.counted(held)
            self._keys[id(metric)] = metric, self._numbered(_named(metric, counted))
        return self._keys[id(metric)][1]

    def finish(self, metric: Metric) -> int:
        """
        Number everything that decides what a metric makes of sums: two metrics with equal numbers make the same of them.
        """
        held = metric.parameters
        return self._numbered(_named(metric, held if self._family is None else self._family.finished(held)))

    def _numbered(self, facts: tuple[Any, ...]) -> int:
        return self._numbers.setdefault(facts, len(self._numbers))

    def sums(self, metric: Metric) -> Matrix | None:
        """
        Return the sums of a metric's statistics, by a pass over the texts where they are not known.

        Returns:
            Shape (columns,), or None for a metric that is not additive.
        """
        key = self.key(metric)
        keep = key in self._near()
        if key in self._values or (key in self._sums and (key in self._rows or not keep)):
            return self._sums.get(key)
        self.passes += 1
        found = measure(metric, self.cases, self.workers)
        if found.statistics is None or found.sums is None:
            self._values[key] = found.values
            return None
        self._sums[key] = found.sums
        if keep:
            self._keep(key, np.asarray(found.statistics))
        return self._sums[key]

    def _keep(self, key: int, rows: Matrix) -> None:
        self._rows[key] = rows if len(rows) <= KEPT else rows[:KEPT].copy()

    def _near(self) -> frozenset[int]:
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

        They are kept for coalitions of one convention or none, and of all but one or all.
        """
        return None if self.sums(metric) is None else self._rows[self.key(metric)]

    def take(self, score: Score) -> None:
        """
        Take statistics that were made before, so that they need no pass of their own.
        """
        if score.statistics is not None:
            key = self.key(score.metric)
            self._sums[key] = total(score.statistics)
            self._keep(key, score.statistics)

    def value(self, mask: int) -> float:
        """
        Return what a coalition's metric says about the cases, on the shared scale.

        Raises:
            Contradiction: It says nothing, or refuses the cases.
        """
        if mask not in self._known:
            try:
                metric, column, sums = self._counted(mask)
                values = self._values[self.key(metric)] if sums is None else aggregated(metric, sums)
            except TertiumError as error:
                raise Contradiction(mask, str(error)) from error
            value = float(values[column])
            if not math.isfinite(value):
                raise Contradiction(mask, metric.info.undefined or "the value of a mixture is infinite")
            self._known[mask] = float(rescaled(value, unit_of(metric), self.shared))
        return self._known[mask]

    def _counted(self, mask: int) -> tuple[Metric, int, Matrix | None]:
        metric = self.metric(mask)
        column = self.column(mask, metric)
        return metric, column, self.sums(metric)

    def value_all(self) -> dict[int, str]:
        """
        Value every coalition; those whose sums are finished in the same way are finished together.

        Returns:
            The coalitions that have no value, with the reason.
        """
        failed: dict[int, str] = {}
        alike: dict[tuple[int, int], list[tuple[int, Matrix]]] = {}
        masks = range(self.everybody + 1)
        for mask in masks:
            if mask not in self._known:
                try:
                    metric, column, sums = self._counted(mask)
                except (TertiumError, Contradiction) as error:
                    failed[mask] = str(error)
                else:
                    if sums is not None:
                        alike.setdefault((self.finish(metric), column), []).append((mask, sums))
        for (_, column), found in alike.items():
            metric = self.metric(found[0][0])
            with contextlib.suppress(TertiumError):  # whose value it is that cannot be had is found one by one
                rows = aggregated(metric, np.stack([sums for _, sums in found]))
                values = rescaled(rows[:, column], unit_of(metric), self.shared).tolist()
                known = zip((mask for mask, _ in found), values, strict=True)
                self._known |= {mask: value for mask, value in known if math.isfinite(value)}
        for mask in masks:
            if mask not in failed:
                try:
                    self.value(mask)
                except Contradiction as error:
                    failed[mask] = error.reason
        return failed


def _named(metric: Metric, deciding: Mapping[str, Any]) -> tuple[Any, ...]:
    values = tuple((name, id(value) if callable(value) else value) for name, value in deciding.items())
    return type(metric), tuple(metric.columns), tuple(metric.outputs), values

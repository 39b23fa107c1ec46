"""
Set two metrics against each other on trials: where they part, whose equivalent fails, and which conventions move it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tertium.cases import Cases
from tertium.coalitions import Coalitions, Contradiction
from tertium.differing import unequal
from tertium.errors import TertiumError
from tertium.fuzzing.readings import UNUSABLE, Reader, Readings, Trial
from tertium.metric import Metric
from tertium.players import Player, Setting
from tertium.scoring import score
from tertium.sides import Answer, Asked, Side, rescaled, shared_unit, sides, unit_of

Marks = NDArray[np.bool_]

RELATIVE, NOISE = 1e-9, 1e-12
"""Two values are equal within this share of the larger one, or within the other share of the scale's unit."""

SINGLE = 2e-6
"""What stands for both where a side declares single precision."""

_PLAIN = Cases(["The old ferry crosses the river twice a day."], [["The ferry crosses the old river twice a day."]])


@dataclass(frozen=True)
class Apart:
    """
    Hold a trial on which the two part.

    Attributes:
        output: Name of the first output that differs.
        kinds: What kind of answer each gives.
        values: The output's value on either metric's own scale; NaN where there is none.
        broken: Whether each parts from the native metric that it declares equivalent, here.
        moved: Places of the conventions that move the value here, where the equivalents hold.
    """

    trial: Trial
    output: str
    kinds: tuple[str, str]
    values: tuple[float, float]
    broken: tuple[bool, bool] = (False, False)
    moved: frozenset[int] = frozenset()

    @property
    def accounted(self) -> bool:
        """
        Whether conventions alone make the difference.
        """
        return bool(self.moved) and not any(self.broken)


class Contest:
    """
    Compare two metrics, their native equivalents, and the mixtures between these.

    Args:
        a: A spec or a metric.
        b: Another one of the same name or family.
        tolerance: Difference on the shared scale up to which values count as equal; by default rounding alone.

    Raises:
        Refused: The two measure different things.
        TertiumError: One of them cannot be loaded or used.
    """

    def __init__(self, a: Asked, b: Asked, tolerance: float | None = None, allow_unpinned: bool = False) -> None:
        self.a, self.b = sides(a, b, "fuzzing", allow_unpinned)
        self.unit = shared_unit((self.a, self.b))
        single = any(getattr(side.metric, "precision", "double") == "single" for side in self.both)
        self.relative, noise = (SINGLE, SINGLE) if single else (RELATIVE, NOISE)
        self.tolerance = noise * self.unit if tolerance is None else tolerance
        self.natives = _natives(self.a), _natives(self.b)
        self.game = self._game()
        self.readers = Reader(self.a.metric), Reader(self.b.metric)
        self._equivalents: list[Reader | None] = [None, None]
        self._mixtures: dict[int, Reader | None] = {}
        self.outputs = self._outputs()
        self.by_rows = all(reader.by_rows for reader in self.readers)
        self._require()

    @property
    def both(self) -> tuple[Side, Side]:
        """
        The two sides.
        """
        return self.a, self.b

    @property
    def players(self) -> Sequence[Player]:
        """
        The conventions on which the two differ.
        """
        return () if self.game is None else self.game.players

    @property
    def needs(self) -> frozenset[str]:
        """
        What either metric needs of the cases.
        """
        return self.a.metric.info.needs | self.b.metric.info.needs

    def equivalent(self, number: int) -> Metric | None:
        """
        Return the native metric that one side declares equivalent, or None where there is none beside itself.
        """
        native = self.natives[number]
        return None if native is self.both[number].metric else native

    def _game(self) -> Coalitions | None:
        found = self.natives
        if found[0] is None or found[1] is None:
            if type(self.a.metric) is not type(self.b.metric):
                return None
            self.natives = found = (self.a.metric, self.b.metric)
        settings = [Setting(native, side.output) for native, side in zip(found, self.both, strict=True) if native]
        try:
            return Coalitions(settings[0], settings[1], _PLAIN, self.unit)
        except TertiumError:
            return None

    def _outputs(self) -> tuple[str, ...]:
        """
        Name what is compared: the values that were asked for; without a wish, also outputs that all have by one name.
        """
        headline = self.a.headline
        metrics = [*(side.metric for side in self.both), *(native for native in self.natives if native is not None)]
        asked = any(side.output is not None for side in self.both)
        if asked or len({unit_of(metric) for metric in metrics}) > 1:
            return (headline,)
        shared = set.intersection(*(set(metric.info.outputs) for metric in metrics))
        others = [name for name in self.a.metric.info.outputs if name in shared]
        return tuple(dict.fromkeys((headline, *others)))

    def _require(self) -> None:
        for side in self.both:
            try:
                cases = Cases(_PLAIN.hypotheses, _PLAIN.references, _PLAIN.hypotheses)
                score(side.metric, cases)
            except UNUSABLE:
                raise
            except (Exception, SystemExit):  # that it fails on texts is something to be found
                continue

    # -- where they part -----------------------------------------------------------------------------------------------

    def compare(self, trials: Sequence[Trial]) -> tuple[list[Apart], int]:
        """
        Return the trials on which the two part, and on how many both refuse.
        """
        readings = [reader.read(trials) for reader in self.readers]
        refused = sum(bool(one and other) for one, other in zip(*(found.errors for found in readings), strict=True))
        units = self.a.unit, self.b.unit
        marks = self._apart(readings[0], self._columns(0), readings[1], self._columns(1), units)
        places = np.flatnonzero(marks.any(axis=1)).tolist()
        if not places:
            return [], refused
        firsts = marks.argmax(axis=1)
        found = []
        for place in places:
            output = int(firsts[place])
            kinds, values = self._answers(readings, place, output)
            found.append(Apart(trials[place], self.outputs[output], kinds, values))
        return self._account([_taken(one, places) for one in readings], found), refused

    def examine(self, trial: Trial) -> Apart | None:
        """
        Return how the two part on one trial, or None where they agree.
        """
        found, _ = self.compare([trial])
        return found[0] if found else None

    def _account(self, readings: Sequence[Readings], aparts: list[Apart]) -> list[Apart]:
        """
        Say of trials on which the two part whose equivalent fails, and else which conventions move the value.
        """
        trials = [apart.trial for apart in aparts]
        chosen = np.array([self.outputs.index(apart.output) for apart in aparts])
        each = np.arange(len(aparts))
        broken = []
        for number in (0, 1):
            native = self.equivalent(number)
            if native is None:
                broken.append(np.zeros(len(aparts), np.bool_))
                continue
            reader = self._equivalents[number] = self._equivalents[number] or Reader(native)
            there = reader.read(trials)
            columns = self._named(native, number)
            unit = self.both[number].unit  # that of the equivalent: both write the same numbers
            marks = self._apart(readings[number], self._columns(number), there, columns, (unit, unit))
            broken.append(marks[each, chosen])
        sound = np.flatnonzero(~broken[0] & ~broken[1])
        moved: dict[int, set[int]] = {int(place): set() for place in sound}
        if self.game is not None and len(sound):
            self._move([trials[place] for place in sound], chosen[sound], [moved[int(place)] for place in sound])
        return [
            Apart(
                apart.trial,
                apart.output,
                apart.kinds,
                apart.values,
                (bool(broken[0][place]), bool(broken[1][place])),
                frozenset(moved.get(place, ())),
            )
            for place, apart in enumerate(aparts)
        ]

    def _move(self, trials: Sequence[Trial], chosen: NDArray[np.int64], moved: list[set[int]]) -> None:
        assert self.game is not None
        everybody = self.game.everybody
        cache: dict[int, tuple[Readings, list[int], float] | None] = {}

        def read(mask: int) -> tuple[Readings, list[int], float] | None:
            if mask not in cache:
                reader = self._mixture(mask)
                cache[mask] = None if reader is None else self._mixed(mask, reader, trials)
            return cache[mask]

        each = np.arange(len(trials))
        for player in range(len(self.game.players)):
            for before, after in ((0, 1 << player), (everybody ^ 1 << player, everybody)):
                one, other = read(before), read(after)
                if one is None or other is None:
                    continue
                marks = self._apart(one[0], one[1], other[0], other[1], (one[2], other[2]))[each, chosen]
                for place in np.flatnonzero(marks):
                    moved[place].add(player)
        for own in moved:
            if not own:  # together they do what none does alone, first or last
                own.update(range(len(self.game.players)))

    def _mixed(self, mask: int, reader: Reader, trials: Sequence[Trial]) -> tuple[Readings, list[int], float]:
        assert self.game is not None
        headline = self.game.column(mask, reader.metric)
        columns = [headline, *(reader.info.outputs.index(name) for name in self.outputs[1:])]
        return reader.read(trials), columns, unit_of(reader.metric)

    def _mixture(self, mask: int) -> Reader | None:
        """
        Return the reader of a mixture of both settings, or None where it cannot be made.
        """
        assert self.game is not None
        if mask not in self._mixtures:
            try:
                metric = self.game.metric(mask)
                self.game.column(mask, metric)
                named = set(self.outputs[1:]) <= set(metric.info.outputs)
                self._mixtures[mask] = Reader(metric) if named else None
            except (TertiumError, Contradiction):
                self._mixtures[mask] = None
        return self._mixtures[mask]

    # -- values side by side -------------------------------------------------------------------------------------------

    def _columns(self, number: int) -> list[int]:
        side = self.both[number]
        return [side.column, *(side.metric.info.outputs.index(name) for name in self.outputs[1:])]

    def _named(self, native: Metric, number: int) -> list[int]:
        output = self.both[number].output
        headline = 0 if output is None else native.info.outputs.index(output)
        return [headline, *(native.info.outputs.index(name) for name in self.outputs[1:])]

    def answers(self, trial: Trial, output: str) -> tuple[Answer, Answer]:
        """
        Return what each says of one trial: a kind, or the name of an error, and a value on its own scale.
        """
        place = self.outputs.index(output)
        found = [reader.read([trial]) for reader in self.readers]
        kinds, values = self._answers(found, 0, place)
        named = [one.errors[0] or kind for one, kind in zip(found, kinds, strict=True)]
        return (named[0], values[0]), (named[1], values[1])

    def _answers(
        self, readings: Sequence[Readings], place: int, output: int
    ) -> tuple[tuple[str, str], tuple[float, float]]:
        columns = self._columns(0)[output], self._columns(1)[output]
        kinds = readings[0].kind(place, columns[0]), readings[1].kind(place, columns[1])
        values = float(readings[0].values[place, columns[0]]), float(readings[1].values[place, columns[1]])
        return kinds, values

    def _apart(
        self,
        one: Readings,
        columns: Sequence[int],
        other: Readings,
        others: Sequence[int],
        units: tuple[float, float],
    ) -> Marks:
        """
        Mark where two readings part, shape (trials, outputs).
        """
        left = rescaled(one.values[:, columns], units[0], self.unit)
        right = rescaled(other.values[:, others], units[1], self.unit)
        apart = unequal(left, right, self.relative, self.tolerance)
        refused = np.array([bool(error) for error in one.errors]), np.array([bool(error) for error in other.errors])
        found: Marks = np.where((refused[0] | refused[1])[:, None], (refused[0] ^ refused[1])[:, None], apart)
        return found


def _natives(side: Side) -> Metric | None:
    try:
        native = side.native
    except TertiumError:  # a resource of the equivalent is missing, so that nothing is known of it
        return None
    return None if native is None or (side.output or native.info.outputs[0]) not in native.info.outputs else native


def _taken(readings: Readings, places: Iterable[int]) -> Readings:
    rows = list(places)
    return Readings(readings.values[rows], tuple(readings.errors[row] for row in rows))

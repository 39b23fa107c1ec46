"""
Find the settings that give all of a provider's answers, and the question that parts those that still do.

As in twenty questions: settings that could be the provider's are kept as long as no answer refutes them; the next
question is the one whose answers part them most evenly (the largest entropy). Where an answer refutes all of them,
the search climbs on: over one axis, over numbers that are solved for, over two axes at once.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from tertium.fingerprinting.answering import ALIKE, DIFFERENT, Natives, Probe, Tolerance
from tertium.fingerprinting.asking import Question, Subject, numbers, packed
from tertium.fingerprinting.parting import entropy, named, telling
from tertium.fingerprinting.probing import invented
from tertium.fingerprinting.refining import solutions, weighings
from tertium.fingerprinting.space import METRIC, Setting, Space

BEAM = 4
"""Settings that a climb carries along."""

SEEDS = 24
"""Questions that are asked before the first climb, chosen to part one-axis neighbours of the start."""

CONFIRMING = 64
"""Questions that are asked when nothing is left to part, to meet what no setting explains."""

ROUNDS, ROUND = 5, 120
"""Rounds of invented inputs in search of one that separates, and inputs a round."""

STANDING = 60
"""Settings on two other axes, at most, that invented inputs try to part from the best one."""

LIKELY = 16
"""Neighbours whose numbers are solved for."""

PAIRS = 2_000
"""Settings that differ on two axes, at most, that are looked at around one setting."""

WIDENED = 6
"""Times that the search is widened to two axes, at most, for the sake of answers that nothing explains."""

LOST = 3
"""Answers in a row that no setting of the beam gives, after which the smallest questions are asked, not the most telling."""

KEY = 14
"""Answers that a pair of choices is held against first."""


class Inference:
    """
    Hold what is known of a provider, and infer the rest.

    Args:
        space: The settings that it could be.
        natives: Their answers.
        subject: The provider.
        seed: Where invented inputs begin.
    """

    one_reference = sources = False

    def __init__(self, space: Space, natives: Natives, subject: Subject, library: Sequence[Probe], seed: int) -> None:
        self.space, self.natives, self.subject, self.seed = space, natives, subject, seed
        self.open = dict.fromkeys(natives.add(library))
        self.beam: list[Setting] = list(space.start)
        self.confirmed = self.invented = self.fruitless = 0
        self._stuck: set[tuple[Setting, frozenset[int], str]] = set()
        self._pairs: dict[Setting, list[Setting]] = {}
        self._neighbours: dict[Setting, list[Setting]] = {}
        self._telling: dict[Setting, list[int]] = {}
        self._library = len(library)
        self._widened = 0
        self._draw = random.Random(seed)
        self._held: dict[Setting, tuple[int, Tolerance, tuple[int, int]]] = {}

    # -- how well a setting does ----------------------------------------------------------------------------------

    @property
    def best(self) -> Setting:
        """
        The setting that explains the most answers; of equals, the simplest.
        """
        return self.beam[0]

    def verdicts(self, setting: Setting, questions: Sequence[Question]) -> NDArray[np.int8]:
        """
        Compare a setting's answers with the provider's.
        """
        found = self.natives.answers(setting, [question.place for question in questions])
        return found.against(packed(questions), self.subject.tolerance)

    def rank(self, setting: Setting) -> tuple[int, int]:
        """
        Count the answers that a setting does not give, and those that it gives in other words only.
        """
        heard, tolerance = self.subject.heard, self.subject.tolerance
        known = self._held.get(setting)
        if known is not None and known[:2] == (len(heard), tolerance):
            return known[2]
        found = self.verdicts(setting, heard)
        rank = int((found == DIFFERENT).sum()), int((found == ALIKE).sum())
        if len(self._held) > 60_000:
            self._held.clear()
        self._held[setting] = len(heard), tolerance, rank
        return rank

    def _order(self, setting: Setting) -> tuple[int, int, int, int, str]:
        return (*self.rank(setting), self.space.metrics.index(setting.metric), *setting.complexity)

    def neighbours(self, setting: Setting) -> list[Setting]:
        """
        Return the settings that differ on one axis.
        """
        if setting not in self._neighbours:
            self._neighbours[setting] = list(dict.fromkeys(self.space.moves(setting)))
        return self._neighbours[setting]

    # -- climbing -------------------------------------------------------------------------------------------------

    def climb(self) -> None:
        """
        Move to settings that explain more answers, until no step does.
        """
        self._keep([*self.beam, *self.space.elsewhere])
        while True:
            before = self.rank(self.best)
            if before == (0, 0):
                return
            self._keep([*self.beam, *(near for setting in self.beam for near in self.neighbours(setting))])
            if self.rank(self.best) < before:
                continue
            if not self._wrong(self.best):
                return
            for widen in (self._solved, self._paired):
                state = self.best, frozenset(one.place for one in self._wrong(self.best)), widen.__name__
                if state in self._stuck:
                    continue
                self._keep([*self.beam, *widen()])
                if self.rank(self.best) < before:
                    break
                self._stuck.add(state)
            else:
                return

    def _keep(self, settings: Iterable[Setting]) -> None:
        chosen: list[Setting] = []
        seen: set[bytes] = set()
        for setting in sorted(dict.fromkeys(settings), key=self._order):
            said = self.verdicts(setting, self.subject.heard).tobytes()
            if said not in seen:
                seen.add(said)
                chosen.append(setting)
            if len(chosen) == BEAM:
                break
        self.beam = chosen

    def _wrong(self, setting: Setting) -> list[Question]:
        """
        Return the questions that were answered, and otherwise than a setting answers them; short ones first.
        """
        heard = self.subject.heard
        wrong = [one for one, verdict in zip(heard, self.verdicts(setting, heard), strict=True) if verdict == DIFFERENT]
        return sorted((one for one in wrong if one.answer[0] in _SAID), key=lambda one: one.probe.size)

    def _solved(self) -> Iterator[Setting]:
        """
        Yield settings with a number solved for, of the best ones and of their likeliest neighbours.
        """
        near = sorted(self.neighbours(self.best), key=self._order)[:LIKELY]
        for setting in dict.fromkeys([*self.beam, *near]):
            wrong = [question for question in self._wrong(setting) if question.answer[0] == "number"]
            likely = [one for one in wrong if len(one.probe.cases) == 1][:2] or wrong[:1]
            for name, bounds in self.space.floats(setting):
                yield from solutions(self.natives, setting, name, bounds, likely)
            if self.space.weighs(setting):
                yield from weighings(self.natives, setting, numbers(self.subject.heard))

    def _paired(self) -> Iterator[Setting]:
        """
        Yield settings that differ on two axes and give an answer which the best one does not.
        """
        self._widened += 1
        key = self._wrong(self.best)[:KEY] if self._widened <= WIDENED else []
        pairs = self.two_away(self.best) if key else ()
        yield from (pair for pair in pairs if (self.verdicts(pair, key) != DIFFERENT).any())

    def two_away(self, setting: Setting) -> Iterator[Setting]:
        """
        Yield settings that differ on two axes, about ``PAIRS``: those first whose two changes alone are refuted least.
        """
        single = [
            (self.rank(step), place, dimension, step)
            for place, dimension in enumerate(map(self.space.thinned, self.space.dimensions))
            for step in self.space.along(setting, dimension)
        ]
        for *_, dimension, step in single:
            if dimension.name == METRIC:  # it may have axes that this one lacks
                yield from self.space.moves(step)
        single.sort(key=lambda one: one[0])
        count = 0
        for total in range(1, 2 * len(single) - 2):
            for first in range(max(0, total - len(single) + 1), (total + 1) // 2):
                _, one, dimension, step = single[first]
                _, other, second, onward = single[total - first]
                if one == other:
                    continue
                changed = self.space.value(onward, second), self.space.value(step, dimension)
                ways = (self.space.with_params(*way) for way in zip((step, onward), changed, strict=True))
                pair = next(filter(self.space.readable, ways), None)
                if pair is not None:
                    yield pair
                    count += 1
                if count >= PAIRS:
                    return

    # -- asking ---------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """
        Ask until nothing is left to part, or the budget is spent.
        """
        for seed in self._seeds():
            if self.subject.left > 2:
                self._ask(seed)
        if not self.subject.answers:
            return
        self.subject.repeat(2)
        while True:
            self.climb()
            if self.subject.left <= 1:
                break
            place = self._next()
            if place is None:
                break
            self._ask(place)
        self.subject.repeat(1)

    def _ask(self, place: int) -> None:
        self.open.pop(place, None)
        self.subject.ask(place, self.natives.probes[place])

    def _seeds(self) -> list[int]:
        """
        Choose the first questions: each parts most of what the earlier ones left together.
        """
        near = [*self.space.start, *self.neighbours(self.space.start[0])]
        places = self._askable()
        table = self._table(near, places)
        parts = np.zeros(len(near), np.int64)
        chosen: list[int] = []
        sizes = np.array([self.natives.probes[place].size for place in places])
        while len(chosen) < min(SEEDS, len(places)):
            joint = np.sort(parts[:, None] * (np.ptp(table) + 1) + table, axis=0)
            counts = (np.diff(joint, axis=0) != 0).sum(axis=0) + 1
            most = int(counts.max())
            if chosen and most == len(np.unique(parts)):
                break
            best = min(np.flatnonzero(counts == most).tolist(), key=lambda at: sizes[at])
            _, parts = np.unique(parts * (np.ptp(table) + 1) + table[:, best], return_inverse=True)
            chosen.append(places[best])
        return chosen

    def _askable(self) -> list[int]:
        return [place for place in self.open if self.subject.reaches(self.natives.probes[place])]

    def _table(self, settings: Sequence[Setting], places: Sequence[int]) -> NDArray[np.int64]:
        """
        Name the answers of settings to inputs: equal numbers in a column are answers that no tolerance parts.
        """
        return named(*self._answers(settings, places), self.subject.tolerance)

    def _answers(
        self, settings: Sequence[Setting], places: Sequence[int]
    ) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
        """
        Give settings' answers to inputs as values and kinds, each of shape (settings, inputs).
        """
        found = [self.natives.answers(setting, places) for setting in settings]
        return np.array([one.values for one in found]), np.array([one.kinds for one in found])

    def _next(self) -> int | None:
        place = self._parting(self.standing(self.neighbours(self.best)))
        if place is not None:
            return place
        if self.confirmed < CONFIRMING // 4:
            return self._confirming()
        standing = self.survivors()
        place = self._parting(standing)
        if place is not None:
            return place
        while len(standing) > 1 and self.fruitless < ROUNDS:
            self.invented += 1
            fresh = invented(self.seed + self.invented, ROUND, self.one_reference, self.sources)
            self.open |= dict.fromkeys(self.natives.add(list(fresh)))
            place = self._parting(standing)
            if place is not None:
                return place
            self.fruitless += 1
        return self._confirming()

    def standing(self, settings: Iterable[Setting]) -> list[Setting]:
        """
        Return the best setting, and those of others that explain as much.
        """
        rank = self.rank(self.best)
        return [self.best, *(one for one in settings if one != self.best and self.rank(one) == rank)]

    def survivors(self) -> list[Setting]:
        """
        Return the best setting and all that explain as much, among those that differ from it on one or two axes.
        """
        if self.best not in self._pairs:
            key = self._key()
            pairs = (one for one in self.two_away(self.best) if (self.verdicts(one, key) != DIFFERENT).all())
            self._pairs[self.best] = self._few(list(dict.fromkeys(pairs))) if key else []
        return self.standing(dict.fromkeys([*self.neighbours(self.best), *self.beam, *self._pairs[self.best]]))

    def _few(self, pairs: list[Setting]) -> list[Setting]:
        """
        Keep the settings that some known input parts from the best one, and a few of the others.
        """
        places = range(self._library)
        own = self.natives.answers(self.best, places)
        told = [self.natives.answers(pair, places).against(own, self.subject.tolerance) == DIFFERENT for pair in pairs]
        parted = [pair for pair, apart in zip(pairs, told, strict=True) if apart.any()]
        others = [pair for pair, apart in zip(pairs, told, strict=True) if not apart.any()]
        return [*parted, *others[:STANDING]]

    def _key(self) -> list[Question]:
        """
        Choose a few answers that together refute as many one-axis neighbours as all answers do.
        """
        heard = self.subject.heard
        fits = [one for one, said in zip(heard, self.verdicts(self.best, heard), strict=True) if said != DIFFERENT]
        if not fits:
            return []
        refuted = np.array([self.verdicts(one, fits) == DIFFERENT for one in self.neighbours(self.best)])
        chosen: list[Question] = []
        while refuted.any() and len(chosen) < KEY:
            place = int(refuted.sum(axis=0).argmax())
            chosen.append(fits[place])
            refuted = refuted[~refuted[:, place]]
        return chosen

    def _lost(self) -> bool:
        """
        Say whether no setting gives any of the last answers: many conventions are mistaken, and few matter to small inputs.
        """
        last = self.subject.heard[-LOST:]
        return len(last) == LOST and all((self.verdicts(one, last) == DIFFERENT).all() for one in self.beam)

    def _parting(self, standing: Sequence[Setting]) -> int | None:
        """
        Choose the open question that parts settings most evenly; of equals, or of all where the search is lost, the smallest.
        """
        places = self._askable()
        if len(standing) < 2 or not places:
            return None
        sizes = [self.natives.probes[place].size for place in places]
        chosen = telling(*self._answers(standing, places), self.subject.tolerance, sizes, smallest=self._lost())
        return None if chosen is None else places[chosen]

    def _confirming(self) -> int | None:
        """
        Choose a question whose answer depends on many conventions, to meet what no setting explains.
        """
        places = set(self._askable())
        if self.confirmed >= CONFIRMING or not places:
            return None
        self.confirmed += 1
        if self.best not in self._telling:
            library = range(self._library)
            table = self._table([self.best, *self.neighbours(self.best)], library)
            self._telling[self.best] = sorted(library, key=lambda place: -entropy(table[:, place]))
        always = [place for place in places if self.natives.probes[place].always]
        ranked = always or [place for place in self._telling[self.best] if place in places] or sorted(places)
        # Every other one is taken from anywhere: what no neighbour of the best setting touches may matter, too.
        return ranked[0] if self.confirmed % 2 else self._draw.choice(ranked)

    # -- what is left over ----------------------------------------------------------------------------------------

    def classes(self, settings: Sequence[Setting]) -> list[list[Setting]]:
        """
        Part settings by all inputs that were tried, asked or not; the best one's class comes first.
        """
        places = [place for place, probe in enumerate(self.natives.probes) if self.subject.reaches(probe)]
        table = self._table(settings, places)
        found: dict[bytes, list[Setting]] = {}
        for setting, row in zip(settings, table, strict=True):
            found.setdefault(row.tobytes(), []).append(setting)
        return list(found.values())


_SAID = ("number", "infinite", "undefined")

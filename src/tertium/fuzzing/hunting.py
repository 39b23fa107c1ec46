"""
Search for inputs on which two metrics differ: draw, compare, shrink what is new, and keep one finding an explanation.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from tertium.cases import Cases
from tertium.conformance.divergences import Divergence, Divergences
from tertium.differing import diff
from tertium.errors import TertiumError
from tertium.explaining import explain
from tertium.fuzzing import drawing
from tertium.fuzzing.contest import Apart, Contest
from tertium.fuzzing.documented import Documented
from tertium.fuzzing.readings import Trial, View, quiet
from tertium.fuzzing.results import Finding, Fuzzing
from tertium.shrinking import Draft, Shrinker, drafts_of
from tertium.sides import Answer, Asked, Side, rescaled
from tertium.spec import Spec

BUDGET = 400
"""Inputs to try at most while one finding is shrunk, by default."""

EACH = 3
"""Unexplained inputs of one appearance that are shrunk; what looks the same after that is counted."""

GRACE = 15.0
"""Seconds beyond a time limit that are left for shrinking what was found last."""

Test = Callable[[Apart], bool]


class Hunt:
    """
    Search for differences between two metrics.

    Args:
        contest: The two.
        seed: Where the search begins.
        real: Cases to start from.
        longest: Characters of a long text at most.
        budget: Inputs to try at most while one finding is shrunk.
        divergences: Differences that are documented.
    """

    def __init__(
        self,
        contest: Contest,
        seed: int,
        real: Sequence[Draft],
        longest: int,
        budget: int,
        divergences: Divergences,
    ) -> None:
        self._contest, self._real, self._longest, self._budget = contest, tuple(real), longest, budget
        self._documented = Documented(contest, divergences)
        self._state = Fuzzing(contest.a, contest.b, contest.unit, seed)
        self._end: float | None = None
        self._found: dict[Any, Finding] = {}
        self._looks: dict[Any, list[Any]] = {}

    @property
    def result(self) -> Fuzzing:
        """
        What was found until now.
        """
        found = sorted(self._merged(), key=lambda finding: (finding.explained, -finding.seen, finding.by))
        return replace(self._state, findings=tuple(found))

    def run(
        self,
        seconds: float | None,
        count: int | None,
        progress: Callable[[int, float], None] | None = None,
    ) -> Fuzzing:
        """
        Search until the time is over or enough cases were tried, whichever comes first.

        Args:
            progress: Called with the cases tried and the share of the budget that is spent.
        """
        start = time.monotonic()
        self._end = None if seconds is None else start + seconds
        state, number = self._state, 0
        state.interrupted = True
        try:
            while (count is None or state.tried < count) and (self._end is None or time.monotonic() < self._end):
                corpora = drawing.drawn(state.seed, number, self._contest.needs, self._longest, self._real)
                number += 1
                self._round(corpora if count is None else _cut(corpora, count - state.tried))
                state.seconds = time.monotonic() - start
                if progress is not None:
                    spent = [state.tried / count] if count else []
                    spent += [state.seconds / seconds] if seconds else []
                    progress(state.tried, min(1.0, max(spent, default=0.0)))
            state.interrupted = False
        finally:
            state.seconds = time.monotonic() - start
        return self.result

    def _round(self, corpora: Sequence[Sequence[Draft]]) -> None:
        trials = [Trial(tuple(corpus)) for corpus in corpora]
        if self._contest.by_rows:
            trials += [Trial((draft,), "case") for corpus in corpora for draft in corpus]
        aparts, refused = self._contest.compare(trials)
        state = self._state
        state.tried += sum(map(len, corpora))
        state.corpora += len(corpora)
        state.differing += len(aparts)
        state.refused += refused
        # What shows in the value that was asked for says more than what shows in another output alone.
        aparts.sort(key=lambda apart: (self._contest.outputs.index(apart.output), apart.trial.size))
        problems = [apart for apart in aparts if not apart.accounted]
        for apart, entries in zip(problems, self._documented.matching(problems), strict=True):
            if entries:
                self._document(apart, entries)
            else:
                self._problem(apart)
        for apart in aparts:
            if apart.accounted:
                self._convention(apart)

    # -- what nothing explains ---------------------------------------------------------------------------------------

    def _problem(self, apart: Apart) -> None:
        look = _look(apart)
        keys = self._looks.setdefault(look, [])
        if len(keys) >= EACH:
            self._count(keys[0])
            return
        if self._unsteady(apart):
            return

        def same(other: Apart) -> bool:
            return _look(other) == look and not other.accounted and not self._documented.matching([other])[0]

        smallest, complete = self._shrunk(apart, same)
        reason, columns = self._fault(smallest)
        key = (*_look(smallest), columns)
        keys.append(key)
        if key in self._found:
            self._count(key)
        else:
            self._add(key, smallest, complete, explained=False, by=("unexplained",), reason=reason, columns=columns)

    def _unsteady(self, apart: Apart) -> bool:
        """
        Find out whether a metric says something else about the same input when it is asked again.
        """
        for number, side in enumerate(self._contest.both):
            said = [self._contest.answers(apart.trial, apart.output)[number] for _ in range(2)]
            first = (apart.kinds[number], apart.values[number])
            kinds = {_kind(one) for one in said} | {first[0]}
            values = [one[1] for one in (*said, first)]
            spread = max(values) - min(values) if kinds == {"number"} else 0.0
            if len(kinds) > 1 or spread > max(self._contest.tolerance, 1e-9 * max(map(abs, values))):
                key = ("unsteady", number)
                reason = f"{side.label} gives another value when the same input is scored again, or among other inputs"
                if key in self._found:
                    self._count(key)
                else:
                    by = ("unexplained",)
                    self._add(key, apart, False, explained=False, by=by, reason=reason, kind="unsteady")
                return True
        return False

    def _fault(self, apart: Apart) -> tuple[str, tuple[str, ...]]:
        """
        Say what an unexplained difference is, and in which statistics it begins.
        """
        contest = self._contest
        parting = [number for number in (0, 1) if apart.broken[number]]
        if not parting:
            silent = [side for side, native in zip(contest.both, contest.natives, strict=True) if native is None]
            if silent:
                return "; ".join(map(_silence, silent)), ()
            return "the two settings have no convention in which they differ", ()
        said, columns = [], []
        for number in parting:
            side, native = contest.both[number], contest.equivalent(number)
            assert native is not None
            said.append(f"{side.label} parts from {side.metric.equivalent()}, which it declares equivalent")
            with contextlib.suppress(TertiumError), quiet():
                columns += [one.name for one in diff(side.metric, native, apart.trial.cases).columns if one.first]
        return "; ".join(said), tuple(dict.fromkeys(columns))

    # -- what is known -------------------------------------------------------------------------------------------------

    def _document(self, apart: Apart, entries: tuple[Divergence, ...]) -> None:
        key = ("documented", *(entry.number for entry in entries))
        if key in self._found:
            self._count(key)
            return
        if self._unsteady(apart):
            return
        smallest, complete = self._shrunk(
            apart, lambda other: not other.accounted and self._documented.matching([other])[0] == entries
        )
        self._add(
            key,
            smallest,
            complete,
            explained=True,
            by=tuple(dict.fromkeys(entry.axis for entry in entries)),
            reason="; ".join(dict.fromkeys(entry.reason for entry in entries)),
            divergence=entries[0].number,
        )

    def _convention(self, apart: Apart) -> None:
        for _ in range(len(self._contest.players)):
            fresh = apart.moved - self._covered(apart.moved)
            if not fresh:
                break
            if self._unsteady(apart):
                return
            smallest, complete = self._shrunk(apart, self._fresh)
            players = [self._contest.players[place] for place in sorted(smallest.moved)]
            self._add(
                smallest.moved,
                smallest,
                complete,
                # Counted below where the input that was drawn shows it, too; else the smaller one alone does.
                seen=0 if smallest.moved <= apart.moved else 1,
                explained=True,
                by=tuple(axis.id for player in players for axis in player.axes),
                reason=" ".join(player.meaning for player in players),
                choices={name: pair for player in players for name, pair in player.changes.items()},
                shares=self._shares(smallest),
            )
        for known in self._known(apart.moved):
            self._count(known)

    def _fresh(self, apart: Apart) -> bool:
        return apart.accounted and bool(apart.moved - self._covered(apart.moved))

    def _known(self, moved: frozenset[int]) -> list[frozenset[int]]:
        return [key for key in self._found if isinstance(key, frozenset) and key <= moved]

    def _covered(self, moved: frozenset[int]) -> frozenset[int]:
        return frozenset().union(*self._known(moved))

    def _shares(self, apart: Apart) -> dict[str, float]:
        contest = self._contest
        asked: list[Asked] = [side.asked for side in contest.both]
        if apart.output != contest.a.headline:
            if not all(isinstance(one, Spec) for one in asked):
                return {}
            asked = [replace(one, output=apart.output) for one in asked if isinstance(one, Spec)]
        with contextlib.suppress(TertiumError), quiet():
            return dict(explain(asked[0], asked[1], apart.trial.cases, infer=False).parts)
        return {}

    def _merged(self) -> list[Finding]:
        """
        Leave out what is made of other findings: two conventions that were found together at first, and then each.
        """
        found = dict(self._found)
        for key in sorted((key for key in found if isinstance(key, frozenset)), key=len, reverse=True):
            parts = [other for other in found if isinstance(other, frozenset) and other < key]
            if frozenset().union(*parts) == key:
                del found[key]
        return list(found.values())

    # -- findings --------------------------------------------------------------------------------------------------------

    def _late(self) -> bool:
        return self._end is not None and time.monotonic() > self._end + GRACE

    def _shrunk(self, apart: Apart, keeps: Test) -> tuple[Apart, bool]:
        """
        Make a trial smaller while the same can be said of it.
        """
        if apart.trial.view == "case":
            # Most differences of cases among others are those of corpora of one case as well.
            alone = self._contest.examine(Trial(apart.trial.drafts))
            apart = alone if alone is not None and keeps(alone) else apart
        view: View = apart.trial.view
        best = apart

        def interesting(cases: Cases) -> bool:
            nonlocal best
            if self._late():
                return False
            found = self._contest.examine(Trial(drafts_of(cases), view))
            if found is None or found.output != apart.output or not keeps(found):
                return False
            best = found
            return True

        def foresee(corpora: Sequence[Cases]) -> None:
            for reader in self._contest.readers:
                if not self._late():
                    reader.foresee(corpora)

        shrinker = Shrinker(interesting, self._budget, foresee)
        cases = apart.trial.cases
        shrinker.shrink(cases, range(len(cases)) if len(cases) > 1 else ())
        return best, not shrinker.spent and not self._late()

    def _add(self, key: Any, apart: Apart, complete: bool, *, kind: str = "", seen: int = 1, **facts: Any) -> None:
        contest = self._contest
        answers = contest.answers(apart.trial, apart.output)
        values = [
            rescaled(value, side.unit, contest.unit) for (_, value), side in zip(answers, contest.both, strict=True)
        ]
        self._found[key] = Finding(
            kind=kind or _difference(answers),
            output=apart.output,
            view=apart.trial.view,
            cases=apart.trial.cases,
            answers=answers,
            gap=values[1] - values[0],
            seen=seen,
            complete=complete,
            **facts,
        )

    def _count(self, key: Any) -> None:
        self._found[key] = replace(self._found[key], seen=self._found[key].seen + 1)


def _silence(side: Side) -> str:
    truth = f"{side.label} declares no native equivalent that is known here"
    return f"{truth}, so that nothing can be explained: {side.inferring}" if side.inferring else truth


def _look(apart: Apart) -> tuple[Any, ...]:
    return apart.broken, apart.kinds, apart.output


def _kind(said: Answer) -> str:
    return said[0] if said[0] in ("number", "infinite", "undefined") else "error"


def _difference(answers: tuple[Answer, Answer]) -> str:
    kinds = {_kind(one) for one in answers}
    return next((kind for kind in ("error", "undefined", "infinite") if kind in kinds), "value")


def _cut(corpora: Sequence[Sequence[Draft]], count: int) -> list[Sequence[Draft]]:
    """
    Keep the first corpora, such that they hold no more cases than asked for.
    """
    kept: list[Sequence[Draft]] = []
    for corpus in corpora:
        corpus = corpus[:count]
        if not corpus:
            break
        kept.append(corpus)
        count -= len(corpus)
    return kept

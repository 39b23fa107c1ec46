"""
Recognise new inputs as instances of documented divergences.

An entry of ``divergences.toml`` that names a condition explains an input on which its provider parts from its equivalent if
the input meets the condition and, with the feature taken out of it, the two agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from tertium.conformance.divergences import Divergence, Divergences
from tertium.errors import TertiumError
from tertium.fuzzing.contest import Apart, Contest
from tertium.fuzzing.readings import Trial
from tertium.shrinking import drafts_of


class Documented:
    """
    Know the entries that speak of either side of a contest.
    """

    def __init__(self, contest: Contest, divergences: Divergences) -> None:
        self._contest = contest
        self._entries: list[tuple[int, Divergence]] = []
        for number, side in enumerate(contest.both):
            found = divergences.recognising(side.metric.provider, side.metric.name)
            unlike: dict[str, Divergence] = {one.when: one for one in reversed(found)}
            self._entries += [(number, one) for one in unlike.values()]

    def matching(self, aparts: Sequence[Apart]) -> list[tuple[Divergence, ...]]:
        """
        Return, for each trial, the entries that explain it; none where nothing does.
        """
        found: list[tuple[Divergence, ...]] = [()] * len(aparts)
        for size in (1, 2):
            for chosen in combinations(self._entries, size):
                open_ = [place for place, apart in enumerate(aparts) if not found[place] and _speak(chosen, apart)]
                cured = {place: self._cured(aparts[place], chosen) for place in open_}
                trials = {place: trial for place, trial in cured.items() if trial is not None}
                if not trials:
                    continue
                still, _ = self._contest.compare(list(trials.values()))
                ill = {apart.trial for apart in still if not apart.accounted}
                for place, trial in trials.items():
                    if trial not in ill:
                        found[place] = tuple(entry for _, entry in chosen)
        return found

    def _cured(self, apart: Apart, chosen: Sequence[tuple[int, Divergence]]) -> Trial | None:
        cases = apart.trial.cases
        for _, entry in chosen:
            condition = entry.condition
            if condition is None or not condition.met(cases):
                return None
            try:
                cases = condition.removed(cases)
            except TertiumError:
                return None
        view = apart.trial.view if len(cases) == 1 else "corpus"
        return Trial(drafts_of(cases), view)


def _speak(chosen: Sequence[tuple[int, Divergence]], apart: Apart) -> bool:
    return {number for number, _ in chosen} == {number for number in (0, 1) if apart.broken[number]}

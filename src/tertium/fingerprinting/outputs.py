"""
Tell settings apart by all outputs of a provider: those that give the same headline may part in hits, precision or lengths.

Nothing is known of a provider's other outputs but their names. One counts as the native output of its name where a setting
that gives the headline gives it, too; else it is left out, and the fingerprint says so. Inputs with a blank text are no
evidence: what stands beside a score of nothing is nobody's convention.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tertium.fingerprinting.answering import DIFFERENT, Answers, Natives, Probe
from tertium.fingerprinting.asking import Question, Subject
from tertium.fingerprinting.inferring import Inference
from tertium.fingerprinting.space import Setting, Space
from tertium.sides import state_of

TELLING = 3
"""Different numbers from which an output counts: one that is always the same is given by any setting."""

UNKNOWN = "no native metric has an output of that name"
SILENT = "it hardly changed"
APART = "no setting that gives the headline gives it"


class Hearing(Inference):
    """
    Infer from the headline first, and then from the other outputs of the same answers.

    Attributes:
        compared: Outputs beside the headline by which settings are told apart.
        left_out: The others, each with the reason.
    """

    def __init__(self, space: Space, natives: Natives, subject: Subject, library: Sequence[Probe], seed: int) -> None:
        super().__init__(space, natives, subject, library, seed)
        self.compared: tuple[str, ...] = ()
        self.left_out: dict[str, str] = {}
        self._apart: dict[tuple[Setting, str], tuple[int, int]] = {}
        self._given: dict[str, tuple[int, Answers]] = {}
        self._whole = False
        known = {name for kind in space.classes.values() for name in kind().info.outputs}
        self._others = [name for name in subject.others if name in known]
        self._strange = [name for name in subject.others if name not in known]

    def rank(self, setting: Setting) -> tuple[int, int]:
        """
        Count the answers that a setting does not give, those of the outputs that are compared included.
        """
        different, alike = super().rank(setting)
        return different + sum(self._missed(setting, name) for name in self.compared), alike

    def run(self) -> None:
        """
        Ask until no output parts the settings that are left, or the budget is spent.
        """
        super().run()
        while self._others and self.subject.answers:
            self._settle()
            place = self._separating() if self.subject.left > 1 else None
            if place is None:
                break
            self._ask(place)
            self.compared = ()
            self.climb()  # a new answer may refute the headline of all that were left
        self.left_out |= dict.fromkeys(self._strange, UNKNOWN)

    def _settle(self) -> None:
        """
        Choose the outputs that settings give which give the headline, and the simplest of these settings.
        """
        self.compared, self.left_out = (), {}
        alive, kept = self.survivors(), []
        for name in self._others:
            if len({value for value in self._theirs(name).values.tolist() if value == value}) < TELLING:
                self.left_out[name] = SILENT
                continue
            fitting = [setting for setting in alive if not self._missed(setting, name)]
            if fitting:
                alive = fitting
                kept.append(name)
            else:
                self.left_out[name] = APART
        if self.best not in alive:
            best = self.space.simplest(alive)
            self.beam = [best, *(setting for setting in self.beam if setting != best)]
        self.compared = tuple(kept)

    def _separating(self) -> int | None:
        """
        Choose an open question whose answer parts the settings that are left in an output.
        """
        standing = self.survivors()
        self._whole = True
        try:
            for name in self.compared:
                place = self._parting([one for one in (self.reading(setting, name) for setting in standing) if one])
                if place is not None:
                    return place
            return None
        finally:
            self._whole = False

    def _askable(self) -> list[int]:
        found = super()._askable()
        return [place for place in found if _written(self.natives.probes[place])] if self._whole else found

    def reading(self, setting: Setting, name: str) -> Setting | None:
        """
        Return the setting that reads another output, or None where its metric has none of that name.
        """
        made = self.space.make(setting)
        return replace(setting, output=name, factor=1.0) if made is not None and name in made.info.outputs else None

    def _heard(self) -> list[Question]:
        return [question for question in self.subject.heard if question.outputs and _written(question.probe)]

    def _theirs(self, name: str) -> Answers:
        heard = self._heard()
        if name not in self._given or self._given[name][0] != len(heard):
            place = self.subject.metric.info.outputs.index(name)
            values = [question.outputs[place] for question in heard]
            self._given[name] = len(heard), Answers.of([(state_of(value), value) for value in values])
        return self._given[name][1]

    def _missed(self, setting: Setting, name: str) -> int:
        """
        Count the answers of an output that a setting does not give.
        """
        heard = self._heard()
        known = self._apart.get((setting, name))
        if known is None or known[0] != len(heard):
            reading = self.reading(setting, name)
            missed = len(heard)
            if reading is not None:
                ours = self.natives.answers(reading, [question.place for question in heard])
                missed = int((ours.against(self._theirs(name), self.subject.tolerance) == DIFFERENT).sum())
            known = self._apart[setting, name] = len(heard), missed
        return known[1]


def _written(probe: Probe) -> bool:
    """
    Say whether no text of an input is blank.
    """
    return all(text.strip() for text in (*probe.cases.hypotheses, *probe.cases.flat_references))

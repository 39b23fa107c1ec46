"""
Ask a provider: one call a question, within a budget, and learn from the answers how it writes numbers and what it refuses.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tertium.callables import CallableMetric
from tertium.errors import TertiumError
from tertium.fingerprinting.answering import NUMBER, Answers, Probe, Tolerance
from tertium.metric import Metric
from tertium.scoring import Progress, score
from tertium.sides import Answer, answer, outputs_of, state_of

ENOUGH = 8
"""Different numbers, none of them whole, from which rounding is told."""

DECIMALS = 6
"""Decimals up to which values count as rounded."""

SINGLE = 2e-6
"""What single precision leaves open, on the unit scale."""

REFUSALS = 3
"""Questions of one kind, all of them refused, from which a provider does not take that kind."""

REASONS = {"references": "it takes one reference a case", "cases": "it takes one case a call"}

STREAMS = "it takes streams of references, so as many for each case of a call"


@dataclass(frozen=True)
class Question:
    """
    Hold one question that was asked.

    Attributes:
        place: Of the input among all inputs.
        probe: The input.
        answer: The kind of the answer, or the name of the error, and the value.
        outputs: All outputs, or none where there was an error.
    """

    place: int
    probe: Probe
    answer: Answer
    outputs: tuple[float, ...] = ()


class Subject:
    """
    Hold the provider whose conventions are not known.

    Args:
        metric: The provider's metric.
        output: The output that is asked for; the headline if None.
        budget: Questions, at most.
        relative: Tolerance, relative to the larger magnitude.
        digits: Decimals that the provider rounds to, where that is known.
        progress: Called with the questions asked and allowed.
    """

    def __init__(
        self,
        metric: Metric,
        output: str | None,
        budget: int,
        relative: float = 1e-9,
        digits: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        self._progress = progress
        self.metric, self.budget = metric, budget
        self._column = 0 if output is None else metric.info.outputs.index(output)
        # Who asks for an output wants to know of that one alone.
        self.others = metric.info.outputs[1:] if output is None else ()
        self._relative, self._digits = relative, digits
        self.asked: list[Question] = []
        self.repeated = 0
        self.unsteady: list[tuple[Question, Answer]] = []
        self.tolerance = self._tolerance()
        shape = metric.shape if isinstance(metric, CallableMetric) else None
        # What cannot be laid out for a function is no answer of its own.
        self._known: dict[str, str] = {} if shape is None or shape.references != "streams" else {"counts": STREAMS}
        self.refused: dict[str, str] = self._known

    @property
    def spent(self) -> int:
        """
        Calls so far, repetitions included.
        """
        return len(self.asked) + self.repeated

    @property
    def left(self) -> int:
        """
        Calls that the budget still allows.
        """
        return self.budget - self.spent

    @property
    def answers(self) -> bool:
        """
        Whether any question was answered with a number.
        """
        return any(question.answer[0] == "number" for question in self.asked)

    def refusal(self) -> str:
        """
        Say why the first question that was refused was.
        """
        for question in self.asked:
            if question.answer[0] not in ("number", "infinite", "undefined"):
                try:
                    score(self.metric, question.probe.cases)
                except TertiumError as error:
                    return str(error)
                return question.answer[0]
        return "each is undefined or infinite"

    def ask(self, place: int, probe: Probe) -> Question:
        """
        Score one input, and look again at how numbers are written and what is refused.
        """
        found = outputs_of(self.metric, probe.cases)
        said = (found, math.nan) if isinstance(found, str) else (state_of(found[self._column]), found[self._column])
        question = Question(place, probe, said, () if isinstance(found, str) else found)
        self.asked.append(question)
        if self._progress is not None:
            self._progress(self.spent, self.budget)
        self.tolerance = self._tolerance()
        self.refused = {**self._known, **{kind: why for kind, why in REASONS.items() if self._refuses(kind)}}
        return question

    def repeat(self, count: int) -> None:
        """
        Ask some questions again: a provider that draws at random answers otherwise.
        """
        again = [one for one in self.asked if one.answer[0] == "number" and one.answer[1] not in (0.0, 1.0, 100.0)]
        for question in again[:: max(1, len(again) // count)][:count]:
            if self.left > 0:
                self.repeated += 1
                found = answer(self.metric, self._column, question.probe.cases)
                if found != question.answer:
                    self.unsteady.append((question, found))

    def reaches(self, probe: Probe) -> bool:
        """
        Tell whether the provider takes questions of this kind, as far as is known.
        """
        return not any(_is(kind, probe) for kind in self.refused)

    @property
    def heard(self) -> list[Question]:
        """
        The questions that count: all but those of a kind that the provider does not take.
        """
        if not self.refused:
            return self.asked
        return [question for question in self.asked if self.reaches(question.probe)]

    def _refuses(self, kind: str) -> bool:
        with_kind = [question.answer[0] for question in self.asked if _is(kind, question.probe)]
        without = [question.answer[0] for question in self.asked if not _is(kind, question.probe)]
        return (
            len(with_kind) >= REFUSALS
            and not any(state in ("number", "infinite", "undefined") for state in with_kind)
            and sum(state == "number" for state in without) >= REFUSALS
        )

    def _tolerance(self) -> Tolerance:
        if self._digits is not None:
            return _rounded(self._digits, self._relative, "as asked, ")
        values = {value for kind, value in (one.answer for one in self.asked) if kind == "number" and value % 1}
        if len(values) >= ENOUGH:
            for digits in range(DECIMALS + 1):
                if all(value == round(value, digits) for value in values):
                    return _rounded(digits, self._relative, "")
            if all(float(np.float32(value)) == value for value in values):
                unit = 100.0 if max(map(abs, values)) > 2 else 1.0
                return Tolerance(SINGLE, SINGLE * unit, "all values are numbers of single precision")
        return Tolerance(self._relative)


def _is(kind: str, probe: Probe) -> bool:
    if kind == "counts":
        return int(probe.cases.reference_counts.min()) < int(probe.cases.reference_counts.max())
    return probe.references > 1 if kind == "references" else len(probe.cases) > 1


def _rounded(digits: int, relative: float, how: str) -> Tolerance:
    step = math.pow(10.0, -digits)
    return Tolerance(relative, 0.5 * step * (1 + 1e-6), f"{how}all values are rounded to {digits} decimals")


def packed(questions: Sequence[Question]) -> Answers:
    """
    Pack the answers to some questions.
    """
    return Answers.of([question.answer for question in questions])


def numbers(questions: Sequence[Question]) -> list[Question]:
    """
    Return the questions that were answered with a number.
    """
    return [one for one, kind in zip(questions, packed(questions).kinds, strict=True) if kind == NUMBER]

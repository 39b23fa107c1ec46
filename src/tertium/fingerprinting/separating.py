"""
Find the smallest input on which two native settings part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tertium.cases import Cases
from tertium.fingerprinting.answering import DIFFERENT, Answers, Natives, Probe, Tolerance
from tertium.fingerprinting.space import Setting
from tertium.scoring import json_number
from tertium.shrinking import Shrinker
from tertium.sides import Answer, answer

STEPS = 300
"""Inputs that making one smaller tries, at most."""


@dataclass(frozen=True)
class Separation:
    """
    Hold an input on which two settings part.

    Attributes:
        a: One setting.
        b: The other.
        cases: The input.
        answers: What each says.
    """

    a: Setting
    b: Setting
    cases: Cases
    answers: tuple[Answer, Answer]

    def to_dict(self) -> dict[str, Any]:
        """
        Return the input with both answers.
        """
        said = {}
        for setting, (kind, value) in zip((self.a, self.b), self.answers, strict=True):
            said[str(setting)] = json_number(value) if kind in ("number", "infinite") else kind
        return {
            "cases": [{"hyp": case.hypothesis, "refs": list(case.references or ())} for case in self.cases],
            "answers": said,
        }


def separation(
    natives: Natives, a: Setting, b: Setting, tolerance: Tolerance, places: Sequence[int] | None = None
) -> Separation | None:
    """
    Return the smallest input, made of one that was tried by leaving out, on which two settings part; None without one.

    Args:
        places: Of the inputs to look at; all that were tried if None.
    """
    one, other = natives.space.make(a), natives.space.make(b)
    if one is None or other is None:
        return None
    places = range(len(natives.probes)) if places is None else places
    apart = natives.answers(a, places).against(natives.answers(b, places), tolerance) == DIFFERENT
    if not apart.any():
        return None
    columns = [
        0 if setting.output is None else made.info.outputs.index(setting.output)
        for setting, made in ((a, one), (b, other))
    ]

    def said(cases: Cases) -> tuple[Answer, Answer]:
        found = answer(one, columns[0], cases), answer(other, columns[1], cases)
        return (found[0][0], found[0][1] * a.factor), (found[1][0], found[1][1] * b.factor)

    def parts(cases: Cases) -> bool:
        found = said(cases)
        return bool((Answers.of(found[:1]).against(Answers.of(found[1:]), tolerance) == DIFFERENT).any())

    start = min((natives.probes[place] for place, differs in zip(places, apart, strict=True) if differs), key=_size)
    smallest = Shrinker(parts, STEPS).shrink(start.cases)
    return Separation(a, b, smallest, said(smallest))


def _size(probe: Probe) -> int:
    return probe.size

"""
Hold what probing says about a provider's conventions: the setting that was found, axis by axis, and what is left open.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tertium.cases import Cases
from tertium.fingerprinting.answering import Probe, Tolerance
from tertium.fingerprinting.asking import Question
from tertium.fingerprinting.separating import Separation
from tertium.fingerprinting.space import Setting
from tertium.scoring import json_number
from tertium.sides import Answer


@dataclass(frozen=True)
class Convention:
    """
    Hold what is known of one axis.

    Attributes:
        axis: Its name.
        meaning: One sentence.
        choice: Parameters with their values in the setting that was found.
        decided: Whether every other choice that was tried is refuted by an answer.
        others: Assignments that no answer refutes.
        separation: The smallest input that would tell one of them from the choice, or None where none was found.
    """

    axis: str
    meaning: str
    choice: Mapping[str, Any]
    decided: bool
    others: tuple[Mapping[str, Any], ...] = ()
    separation: Separation | None = None

    def to_dict(self) -> dict[str, Any]:
        """
        Return the axis as JSON-ready values.
        """
        found: dict[str, Any] = {
            "axis": self.axis,
            "meaning": self.meaning,
            "choice": dict(self.choice),
            "decided": self.decided,
        }
        if not self.decided:
            found["others"] = [dict(one) for one in self.others]
            found["separated_by"] = None if self.separation is None else self.separation.to_dict()
        return found


@dataclass(frozen=True)
class Miss:
    """
    Hold a question that no setting explains.
    """

    probe: Probe
    theirs: Answer
    ours: Answer

    def to_dict(self) -> dict[str, Any]:
        """
        Return the question with both answers.
        """
        return {
            **corpus(self.probe.cases),
            "name": self.probe.name,
            "answer": said(self.theirs),
            "native": said(self.ours),
        }


@dataclass(frozen=True)
class Fingerprint:
    """
    Hold what probing says about a provider's conventions.

    Attributes:
        label: The provider, as it was named.
        setting: The native setting that explains the most answers; of those that do the same, the simplest.
        rivals: Settings that explain as much and do otherwise on some input that was not asked; each with that input.
        conventions: What is known axis by axis.
        asked: Questions that were asked, repetitions included.
        budget: Questions that were allowed.
        tried: Inputs on which settings were compared with each other.
        tolerance: How far apart answers may lie that are the same.
        unexplained: Questions that the setting does not explain.
        refused: Kinds of questions that the provider does not take.
        unsteady: Questions that were answered otherwise when they were asked again.
        unavailable: Why some choices could not be tried.
        declared: The provider's own word on its equivalent, looked at when all was over; None without one.
        agrees: Whether that does the same on all inputs that were tried; None without one.
        compared: Outputs beside the headline that the setting gives, too.
        left_out: Outputs of the provider that were not held to the native ones, each with the reason.
    """

    label: str
    setting: Setting
    rivals: tuple[tuple[Setting, Separation | None], ...]
    conventions: tuple[Convention, ...]
    asked: int
    budget: int
    tried: int
    tolerance: Tolerance
    unexplained: tuple[Miss, ...] = ()
    refused: tuple[str, ...] = ()
    unsteady: tuple[str, ...] = ()
    unavailable: tuple[str, ...] = ()
    declared: str | None = None
    agrees: bool | None = None
    compared: tuple[str, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)
    questions: tuple[Question, ...] = field(default=(), repr=False)

    @property
    def spec(self) -> str:
        """
        The setting as a spec.
        """
        return str(self.setting.spec)

    @property
    def explained(self) -> bool:
        """
        Whether one setting, or several that do the same, explains every answer.
        """
        return not self.unexplained and not self.rivals and not self.unsteady

    def to_dict(self) -> dict[str, Any]:
        """
        Return the fingerprint as JSON-ready values.
        """
        return {
            "provider": self.label,
            "explained": self.explained,
            "setting": self.spec,
            "factor": self.setting.factor,
            "rivals": [
                {
                    "setting": str(setting.spec),
                    "factor": setting.factor,
                    "separated_by": None if found is None else found.to_dict(),
                }
                for setting, found in self.rivals
            ],
            "conventions": [one.to_dict() for one in self.conventions],
            "probes": self.asked,
            "budget": self.budget,
            "inputs_tried": self.tried,
            "tolerance": {
                "relative": self.tolerance.relative,
                "absolute": self.tolerance.absolute,
                "why": self.tolerance.why,
            },
            "unexplained": [one.to_dict() for one in self.unexplained],
            "refused": list(self.refused),
            "unsteady": list(self.unsteady),
            "unavailable": list(self.unavailable),
            "declared": self.declared,
            "declared_agrees": self.agrees,
            "outputs": {"compared": list(self.compared), "left_out": dict(self.left_out)},
        }

    def __repr__(self) -> str:
        state = (
            "explains all answers" if not self.unexplained else f"leaves {len(self.unexplained)} answers unexplained"
        )
        lines = [f"{self.label}: {self.setting} {state} ({self.asked} probes)"]
        lines += [f"as well: {setting}" for setting, _ in self.rivals]
        return "\n  ".join(lines)


def said(found: Answer) -> Any:
    """
    Return an answer as JSON carries it.
    """
    return json_number(found[1]) if found[0] in ("number", "infinite") else found[0]


def corpus(cases: Cases) -> dict[str, Any]:
    """
    Return an input as JSON-ready values.
    """
    return {"cases": [{"hyp": case.hypothesis, "refs": list(case.references or ())} for case in cases]}

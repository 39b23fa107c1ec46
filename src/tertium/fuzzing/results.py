"""
Hold what a search for differences found: each finding with its explanation, or the word that it has none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tertium.cases import Cases
from tertium.findings import conformance_case
from tertium.scoring import json_number
from tertium.sides import Answer, Side

KINDS: Mapping[str, str] = {
    "value": "two numbers differ",
    "error": "one of them refuses the input",
    "undefined": "only one of them has a value",
    "infinite": "only one of them is infinite",
    "unsteady": "the same input gives another value when it is scored again",
}
"""What a finding can be."""


@dataclass(frozen=True)
class Finding:
    """
    Hold one kind of difference with the smallest input that shows it.

    Attributes:
        kind: One of ``KINDS``.
        explained: Whether named conventions, or a documented divergence, make the difference.
        by: Ids of the conventions; that of the divergence; or ``unexplained``.
        reason: One sentence, or several.
        output: The output that differs.
        view: ``corpus``, or ``case`` where only values of cases among others differ.
        cases: The input.
        answers: What each metric says about it, as a kind and a value on its own scale.
        gap: The second value less the first, on one scale; NaN where one of them is no number.
        shares: What each convention adds to the gap, where they share it.
        choices: Parameters that stand for these conventions, each with the choice of the first and of the second metric.
        columns: Statistics in which a metric and its equivalent first part, where that is the difference.
        seen: Inputs on which it showed.
        complete: Whether nothing more can be left out of the input.
        divergence: Number of the entry of ``divergences.toml``, or 0.
    """

    kind: str
    explained: bool
    by: tuple[str, ...]
    reason: str
    output: str
    view: str
    cases: Cases
    answers: tuple[Answer, Answer]
    gap: float
    seen: int
    complete: bool
    shares: Mapping[str, float] = field(default_factory=dict)
    choices: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    divergence: int = 0

    def case(self, a: Side, b: Side) -> dict[str, Any]:
        """
        Return the smallest input as a case of the conformance suite, ready for its file.
        """
        if self.output != a.headline:
            a, b = replace(a, output=self.output), replace(b, output=self.output)
        return conformance_case(a, b, self.cases, self.answers, self.by)

    def to_dict(self, a: Side, b: Side) -> dict[str, Any]:
        """
        Return the finding as JSON-ready values.
        """
        found: dict[str, Any] = {
            "kind": self.kind,
            "explained": self.explained,
            "by": list(self.by),
            "reason": self.reason,
            "output": self.output,
            "view": self.view,
            "seen": self.seen,
            "gap": json_number(self.gap),
            "answers": [{"kind": kind, "value": json_number(value)} for kind, value in self.answers],
            "shares": {name: json_number(share) for name, share in self.shares.items()},
            "choices": {name: [_plain(one), _plain(other)] for name, (one, other) in self.choices.items()},
            "columns": list(self.columns),
            "complete": self.complete,
            "case": self.case(a, b),
        }
        return found | ({"divergence": self.divergence} if self.divergence else {})


@dataclass
class Fuzzing:
    """
    Hold what a search found, and how far it went.

    Attributes:
        a: The first metric.
        b: The second.
        unit: The number that stands for 1 on the scale of gaps.
        seed: Where the search began: the same seed and count try the same inputs.
        tried: Cases that were tried.
        corpora: Corpora that they stood in.
        seconds: How long it took.
        differing: Inputs on which the two differed.
        refused: Inputs that both refused.
        findings: The unexplained ones first, then those that were seen most.
        interrupted: Whether it was stopped before its budget was spent.
    """

    a: Side
    b: Side
    unit: float
    seed: int
    tried: int = 0
    corpora: int = 0
    seconds: float = 0.0
    differing: int = 0
    refused: int = 0
    findings: tuple[Finding, ...] = ()
    interrupted: bool = False

    @property
    def unexplained(self) -> tuple[Finding, ...]:
        """
        The findings that nothing explains.
        """
        return tuple(finding for finding in self.findings if not finding.explained)

    @property
    def rate(self) -> float:
        """
        Cases tried a second.
        """
        return self.tried / self.seconds if self.seconds else 0.0

    def to_dict(self) -> dict[str, Any]:
        """
        Return everything as JSON-ready values.
        """
        return {
            "a": _named(self.a),
            "b": _named(self.b),
            "unit": self.unit,
            "seed": self.seed,
            "cases": self.tried,
            "corpora": self.corpora,
            "seconds": round(self.seconds, 3),
            "rate": round(self.rate, 1),
            "differing": self.differing,
            "refused": self.refused,
            "interrupted": self.interrupted,
            "unexplained": len(self.unexplained),
            "findings": [finding.to_dict(self.a, self.b) for finding in self.findings],
        }

    def __repr__(self) -> str:
        head = f"cases: {self.tried:,}, findings: {len(self.findings)}, unexplained: {len(self.unexplained)}"
        lines = [f"{', '.join(found.by)}: {found.reason} (inputs: {found.seen:,})" for found in self.findings]
        return "\n  ".join([f"Fuzzing({self.a.label}, {self.b.label}: {head})", *lines])


def _named(side: Side) -> dict[str, str]:
    found = {"spec": side.label, "output": side.headline, "provider": side.metric.provider}
    native = None if side.metric.provider == "native" else side.metric.equivalent()
    return found if native is None else found | {"equivalent": str(native)}


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)

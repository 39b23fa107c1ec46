"""
Group implementations by what they give: those that tertium ran, and those that were measured outside of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tertium.conformance.outcomes import USUAL, Outcome, Unsupported, no_number, outcome_of, same
from tertium.conformance.report_file import Report
from tertium.conformance.settings import MEASURED, ROUGH


@dataclass(frozen=True)
class Clusters:
    """
    Hold the groups of one case, the largest first.

    Args:
        case: The case's id.
        title: Its title.
        groups: What was given, as a text, with the names of those that gave it.
    """

    case: str
    title: str
    groups: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def disagree(self) -> bool:
        """
        Whether there is more than one group.
        """
        return len(self.groups) > 1

    @property
    def odd_one(self) -> str | None:
        """
        The one implementation that stands alone against at least two others that agree, or None.
        """
        if len(self.groups) != 2 or len(self.groups[0][1]) < 2 or len(self.groups[1][1]) != 1:
            return None
        return self.groups[1][1][0]


def clusters(report: Report) -> Iterator[Clusters]:
    """
    Yield the groups of every case of a report, in its order.
    """
    for case, line in report.cases.items():
        given: list[tuple[str, Outcome]] = []
        for provider in report.providers:
            result = report.result(case, provider)
            if result is not None and not isinstance(result.outcome, Unsupported):
                given.append((provider, result.outcome))
        ran = {MEASURED.get((name, line["metric"])) for name, _ in given if name != "native"}
        given += [(name, outcome_of(one["outcome"])) for name, one in line["measured"].items() if name not in ran]
        yield Clusters(case, line["title"], _grouped(given))


def _grouped(given: list[tuple[str, Outcome]]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    groups: list[tuple[Outcome, list[str]]] = []
    # Those with all digits come first, so that a rough value joins theirs and does not stand for them.
    for name, outcome in sorted(given, key=lambda pair: pair[0] in ROUGH):
        for first, names in groups:
            alike = same(first, outcome, ROUGH.get(name, USUAL))
            if alike or (no_number(first) and no_number(outcome)):
                names.append(name)
                break
        else:
            groups.append((outcome, [name]))
    ordered = sorted(groups, key=lambda group: -len(group[1]))
    return tuple((_shown(outcome), tuple(names)) for outcome, names in ordered)


def _shown(outcome: Outcome) -> str:
    return "no number" if no_number(outcome) else str(outcome)

"""
Write and read reports: JSON Lines with a header, the cases, a result a case and provider, and a footer.

A report grows while a run goes on, and is complete once its footer stands there. What was interrupted is refused by
:func:`read_report` and taken up again by a run that resumes.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tertium.conformance.outcomes import Outcome, outcome_of
from tertium.conformance.schemas import problem
from tertium.errors import DataError, FormatError

FORMAT = "tertium-conformance/1"
VERDICTS = ("agrees", "explained", "unexplained", "error", "skipped")


@dataclass(frozen=True)
class Comparison:
    """
    Say how an outcome stands to another one.

    Args:
        against: ``textbook``; ``measured`` (what the same implementation gave when it was run outside of tertium);
            ``recorded`` (the stored report of this provider in this version); ``native``; ``equivalent`` (native under
            the parameters that the provider declares to be its own); ``drift`` (the stored report of another version).
        detail: How the two part; empty where they agree.
        spec: What was scored with on the other side.
        version: The version on the other side.
    """

    against: str
    agrees: bool
    detail: str = ""
    spec: str = ""
    version: str = ""

    def to_json(self) -> dict[str, Any]:
        """
        Return the comparison as part of a result.
        """
        line: dict[str, Any] = {"with": self.against, "agrees": self.agrees, "detail": self.detail}
        line |= {name: text for name, text in (("spec", self.spec), ("version", self.version)) if text}
        return line


@dataclass(frozen=True)
class Result:
    """
    Hold what one provider gave on one case, and how that was judged.

    Args:
        spec: What was scored with, or None where the case's parameters have no counterpart.
        verdict: One of ``agrees``, ``explained``, ``unexplained``, ``error`` and ``skipped``.
        reason: Why, in a sentence; empty where everything agrees.
        axes: Native parameters, or axes of the case, that explain the difference.
        printed: What the provider wrote to its standard streams.
        seconds: Time that the case took, or None.
        reproduce: The command that shows this result alone.
    """

    case: str
    metric: str
    provider: str
    spec: str | None
    verdict: str
    reason: str
    axes: tuple[str, ...]
    outcome: Outcome
    against: tuple[Comparison, ...] = ()
    printed: str = ""
    seconds: float | None = None
    reproduce: str = ""

    def to_json(self) -> dict[str, Any]:
        """
        Return the result as a line of a report.
        """
        return {
            "line": "result",
            "case": self.case,
            "metric": self.metric,
            "provider": self.provider,
            "spec": self.spec,
            "verdict": self.verdict,
            "reason": self.reason,
            "axes": list(self.axes),
            "outcome": self.outcome.to_json(),
            "against": [one.to_json() for one in self.against],
            "printed": self.printed,
            "seconds": self.seconds,
            "reproduce": self.reproduce,
        }


@dataclass(frozen=True)
class Report:
    """
    Hold a report.

    Args:
        header: The first line: versions, resources, the suite's digest, what was selected.
        cases: Case lines by id, as plain data; empty in stored reports, which name cases of the suite.
        results: Results, ordered by case and provider.
        seconds: Time that the run took, or None.
    """

    header: Mapping[str, Any]
    cases: Mapping[str, Mapping[str, Any]]
    results: tuple[Result, ...]
    seconds: float | None = None
    _by_pair: dict[tuple[str, str], Result] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        self._by_pair.update({(one.case, one.provider): one for one in self.results})

    @property
    def providers(self) -> tuple[str, ...]:
        """
        The providers that ran, in the order of the header.
        """
        return tuple(one["provider"] for one in self.header["providers"])

    @property
    def counts(self) -> dict[str, int]:
        """
        Every verdict to the number of its results.
        """
        found = Counter(one.verdict for one in self.results)
        return {verdict: found[verdict] for verdict in VERDICTS}

    def result(self, case: str, provider: str) -> Result | None:
        """
        Return one result, or None where the provider does not offer the case's metric.
        """
        return self._by_pair.get((case, provider))

    def lines(self) -> list[dict[str, Any]]:
        """
        Return all lines of the report, the footer last.
        """
        footer = {
            "line": "footer",
            "cases": len(self.cases),
            "results": len(self.results),
            "counts": self.counts,
            "seconds": self.seconds,
        }
        return [dict(self.header), *map(dict, self.cases.values()), *(one.to_json() for one in self.results), footer]


def dumped(line: Mapping[str, Any]) -> str:
    """
    Write one line of a report, ASCII only, so that no character of a case can break it.
    """
    return json.dumps(line, ensure_ascii=True, allow_nan=False) + "\n"


def result_of(line: Mapping[str, Any]) -> Result:
    """
    Read a result from a line that has passed its schema.
    """
    return Result(
        case=line["case"],
        metric=line["metric"],
        provider=line["provider"],
        spec=line["spec"],
        verdict=line["verdict"],
        reason=line["reason"],
        axes=tuple(line["axes"]),
        outcome=outcome_of(line["outcome"]),
        against=tuple(
            Comparison(one["with"], one["agrees"], one["detail"], one.get("spec", ""), one.get("version", ""))
            for one in line["against"]
        ),
        printed=line["printed"],
        seconds=line["seconds"],
        reproduce=line["reproduce"],
    )


def read_report(place: Path | str) -> Report:
    """
    Read a complete report.

    Raises:
        FormatError: A line is no JSON or does not fit its schema, a result stands twice or names no case, the counts
            of the footer are others, or the footer is missing, as after an interrupted run.
        DataError: There is no such file.
    """
    return _read(Path(place), complete=True)


def read_interrupted(place: Path | str) -> Report:
    """
    Read what there is of a report; a last line that was cut off is left out.
    """
    return _read(Path(place), complete=False)


def _read(place: Path, *, complete: bool) -> Report:
    try:
        raw = place.read_bytes().split(b"\n")
    except OSError as error:
        raise DataError(f"the report {place}", f"it cannot be read ({error.strerror})", "Name a report") from error
    whole = raw[:-1]  # what follows the last line break was cut off, or is nothing
    if complete and raw[-1].strip():
        raise FormatError(str(place), "the last line is cut off", _RESUME, line=len(raw))
    header: Mapping[str, Any] | None = None
    footer: Mapping[str, Any] | None = None
    cases: dict[str, Mapping[str, Any]] = {}
    results: dict[tuple[str, str], Result] = {}
    for number, text in enumerate(whole, 1):
        line = _line(place, number, text)
        kind = line["line"]
        if footer is not None:
            raise FormatError(str(place), "there is a line after the footer", "Write one report a file", line=number)
        if (kind == "header") != (number == 1):
            truth = "the header is missing" if number == 1 else "there is a second header"
            raise FormatError(str(place), truth, "A report starts with its header, and has one", line=number)
        if kind == "header":
            header = line
        elif kind == "footer":
            footer = line
        elif kind == "case":
            if line["id"] in cases:
                raise FormatError(str(place), f"the case {line['id']!r} stands twice", "Write it once", line=number)
            cases[line["id"]] = line
        else:
            pair = (line["case"], line["provider"])
            if pair in results:
                truth = f"the result of {pair[1]} on {pair[0]!r} stands twice"
                raise FormatError(str(place), truth, "Keep one of them", line=number)
            if cases and pair[0] not in cases:
                raise FormatError(str(place), f"no case {pair[0]!r} stands before", "Add the case", line=number)
            results[pair] = result_of(line)
    if header is None:
        raise FormatError(str(place), "it holds no header", "Name a report of `tertium conform -o`")
    if complete and footer is None:
        raise FormatError(str(place), "the footer is missing: the run was interrupted", _RESUME, line=len(whole))
    if footer is not None and (footer["cases"], footer["results"]) != (len(cases), len(results)):
        truth = f"the footer counts {footer['cases']:,} cases and {footer['results']:,} results"
        raise FormatError(str(place), f"{truth}, there are {len(cases):,} and {len(results):,}", _RESUME)
    seconds = None if footer is None else footer["seconds"]
    return Report(header, cases, tuple(results.values()), seconds)


_RESUME = "Finish it with `tertium conform --resume -o FILE`"


def _line(place: Path, number: int, text: bytes) -> Mapping[str, Any]:
    try:
        line: Any = json.loads(text)
    except ValueError as error:
        raise FormatError(str(place), f"it is not JSON ({error})", "Write one object a line", line=number) from error
    wrong = problem(line, "report")
    if wrong:
        raise FormatError(str(place), wrong, "See the schema report.schema.json", line=number)
    found: Mapping[str, Any] = line
    return found


def write_report(place: Path | str, report: Report) -> None:
    """
    Write a report whole or not at all.
    """
    target = Path(place)
    written_whole(target, "".join(map(dumped, report.lines())))


def written_whole(target: Path, text: str) -> None:
    """
    Put a text into a file such that nobody ever sees half of it.
    """
    partial = target.with_name(f".{target.name}.partial")
    partial.write_text(text, encoding="utf-8", newline="\n")
    partial.replace(target)


def compare_headers(one: Mapping[str, Any], other: Mapping[str, Any], names: Iterable[str]) -> list[str]:
    """
    List which of the named fields differ between two headers.
    """
    return [name for name in names if one[name] != other[name]]

"""
Keep a report for each provider and version, so that a library that changes shows as a difference.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from packaging.version import InvalidVersion, Version

from tertium.conformance.outcomes import Outcome
from tertium.conformance.places import folder
from tertium.conformance.report_file import Report, read_report, write_report
from tertium.errors import FormatError


class Recorded:
    """
    Look up what providers gave in versions that were recorded.

    Args:
        reports: Provider to version to report.
    """

    def __init__(self, reports: Mapping[str, Mapping[str, Report]]) -> None:
        self.reports = reports

    def outcome(self, provider: str, version: str, case: str) -> Outcome | None:
        """
        Return what a provider gave in a version, or None where that was not recorded.
        """
        report = self.reports.get(provider, {}).get(version)
        found = report.result(case, provider) if report is not None else None
        return found.outcome if found is not None else None

    def other(self, provider: str, version: str) -> str | None:
        """
        Return the latest other version of which there is a report, where there is none of this one.
        """
        versions = self.reports.get(provider, {})
        return None if version in versions or not versions else max(versions, key=_order)


def _order(version: str) -> tuple[Version, str]:
    try:
        return Version(version), version
    except InvalidVersion:
        return Version("0"), version


def file_name(provider: str, version: str) -> str:
    """
    Return the name of the file that holds a provider's report.
    """
    return f"{provider}-{version}.jsonl"


def load_recorded(place: Path | None = None) -> Recorded:
    """
    Read all stored reports.

    Args:
        place: Their folder; by default the one that comes with the suite.

    Raises:
        FormatError: A report is broken, or its file is not named after its provider and version.
    """
    where = folder() / "recorded" if place is None else place
    found: dict[str, dict[str, Report]] = {}
    for file in sorted(where.glob("*.jsonl")):
        report = read_report(file)
        (header,) = report.header["providers"] if len(report.providers) == 1 else ({},)
        if not header or file.name != file_name(header["provider"], header["version"]):
            truth = "a stored report holds one provider and is named after it and its version"
            raise FormatError(str(file), truth, "Store it with `tertium conform --save-recorded`", line=1)
        found.setdefault(header["provider"], {})[header["version"]] = report
    return Recorded(found)


def save_recorded(report: Report, place: Path) -> list[Path]:
    """
    Store what each provider of a report gave, a file each, without the cases, times, comparisons and reasons.

    Returns:
        The files.
    """
    place.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    for provider in report.header["providers"]:
        results = tuple(
            replace(one, against=(), reason="", seconds=None, printed="")
            for one in report.results
            if one.provider == provider["provider"]
        )
        selection = {**report.header["selection"], "providers": [provider["provider"]]}
        header = {**report.header, "providers": [provider], "selection": selection}
        file = place / file_name(provider["provider"], provider["version"])
        write_report(file, Report(header, {}, results))
        written.append(file)
    return written

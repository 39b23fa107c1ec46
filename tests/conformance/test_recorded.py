"""
Stored reports: one a provider and version, complete, of the suite as it is.
"""

from __future__ import annotations

import re
from importlib.metadata import version
from pathlib import Path

import pytest

from tertium.conformance.case_files import load_cases
from tertium.conformance.places import folder
from tertium.conformance.recorded import Recorded, load_recorded, save_recorded
from tertium.conformance.report_file import Report, read_report, write_report
from tertium.errors import FormatError
from tertium.registry import KNOWN_PROVIDERS, registry

SAMPLE = Path(__file__).parent / "data" / "sample-report.jsonl"
STORED = load_recorded()


def pinned() -> list[tuple[str, str]]:
    """
    List the installed adapters of this project with the versions that they are pinned to or, of programs, their own.
    """
    found = {("native", version("tertium"))}
    for providers in registry().metrics.values():
        for name, metric in providers.items():
            if name in KNOWN_PROVIDERS and metric.pinned is not None:
                found.add((name, metric.pinned))
            elif name in KNOWN_PROVIDERS and metric.resources and (plugin := registry().origin(metric)) is not None:
                found.add((name, plugin.version))  # a program that no distribution brings
    return sorted(found)


@pytest.mark.parametrize(("provider", "pin"), pinned())
def test_every_pinned_version_is_stored_with_all_its_cases(provider: str, pin: str) -> None:
    """Each case of each metric that was run has its result, and nothing in it is unexplained or broken."""
    remedy = f"run `tertium conform {provider} --save-recorded conformance/recorded`"
    report = STORED.reports.get(provider, {}).get(pin)
    assert report is not None, remedy
    offered = {metric for metric, providers in registry().metrics.items() if provider in providers}

    assert {one.case for one in report.results} == {case.id for case in load_cases() if case.metric in offered}, remedy
    assert {one.verdict for one in report.results} <= {"agrees", "explained", "skipped"}


def test_stored_reports_name_no_place_of_a_machine() -> None:
    """No path of the machine that they were made on stands in them."""
    for file in (folder() / "recorded").glob("*.jsonl"):
        assert not re.search(r'[ "\'](/[a-z]+){2}', file.read_text(encoding="utf-8")), file.name


def test_storing_parts_a_report_by_provider(tmp_path: Path) -> None:
    """Each provider gets a file named after it and its version, without cases, times and comparisons."""
    files = save_recorded(read_report(SAMPLE), tmp_path)

    assert [file.name for file in files] == [
        "native-0.1.0.jsonl",
        "sacrebleu-2.6.0.jsonl",
        "nltk-3.10.0.jsonl",
        "broken-1.0.jsonl",
        "other-1.0.jsonl",
    ]
    again = load_recorded(tmp_path)
    report = again.reports["sacrebleu"]["2.6.0"]
    assert report.cases == {}
    assert [one.case for one in report.results] == ["8-1-bleu1-output-b", "8-3-ref-empty-ter", "ter-nbsp"]
    assert {(one.against, one.seconds, one.printed) for one in report.results} == {((), None, "")}
    assert (
        again.outcome("sacrebleu", "2.6.0", "ter-nbsp") == read_report(SAMPLE).result("ter-nbsp", "sacrebleu").outcome
    )  # type: ignore[union-attr]
    assert again.outcome("sacrebleu", "2.5.0", "ter-nbsp") is None


def test_latest_other_version_is_found() -> None:
    """Versions are ordered as versions, and only a version that is not stored has another one."""
    empty = Report({}, {}, ())
    stored = Recorded({"nltk": {"3.9.1": empty, "3.10.0": empty, "3.2": empty}})

    assert stored.other("nltk", "3.10.4") == "3.10.0"
    assert stored.other("nltk", "3.2") is None
    assert stored.other("jiwer", "4.0.0") is None


def test_file_that_is_not_named_after_what_it_holds_is_refused(tmp_path: Path) -> None:
    """A stored report of several providers, or under another name, is an error."""
    write_report(tmp_path / "nltk-9.jsonl", read_report(SAMPLE))

    with pytest.raises(FormatError, match="named after it and its version"):
        load_recorded(tmp_path)

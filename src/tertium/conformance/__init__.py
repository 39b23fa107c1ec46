"""
Hold implementations against the suite: cases as data, typed outcomes, verdicts, reports.

The suite comes with the package, so that whoever writes a provider can run it without a checkout::

    from tertium.conformance import load_cases, read_report, run, write_report

    report = run(load_cases(), providers=["native", "sacrebleu"])
    print(report.counts)
    write_report("report.jsonl", report)
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tertium.conformance.case_files import ConformanceCase as ConformanceCase
    from tertium.conformance.case_files import load_cases as load_cases
    from tertium.conformance.compact import written_out as written_out
    from tertium.conformance.headers import Selection as Selection
    from tertium.conformance.report_file import Report as Report
    from tertium.conformance.report_file import Result as Result
    from tertium.conformance.report_file import read_report as read_report
    from tertium.conformance.report_file import write_report as write_report
    from tertium.conformance.running import run as run

_HOMES = {
    "ConformanceCase": "case_files",
    "Report": "report_file",
    "Result": "report_file",
    "Selection": "headers",
    "load_cases": "case_files",
    "read_report": "report_file",
    "run": "running",
    "write_report": "report_file",
    "written_out": "compact",
}

__all__ = [
    "ConformanceCase",
    "Report",
    "Result",
    "Selection",
    "load_cases",
    "read_report",
    "run",
    "write_report",
    "written_out",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'tertium.conformance' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"tertium.conformance.{_HOMES[name]}"), name)
    globals()[name] = value
    return value

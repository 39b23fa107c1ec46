"""
Workers: what reaches a worker process, and what comes back from it beside numbers.
"""

from __future__ import annotations

import logging
import warnings
from typing import Any

import numpy as np
import pytest

import tertium
from miniatures.talking import Talking
from tertium import Cases, Metric
from tertium.errors import ProviderBroken, Refused

TWELVE = Cases(["a"] * 12, [["a"]] * 12)


def test_metric_that_cannot_be_sent_to_processes_is_refused_at_once() -> None:
    """A metric whose class no other process can import is refused with the reason, and works with one worker."""

    class Local(Metric):
        """Count one a case."""

        name, provider, columns = "local", "test", ("cases",)

        def statistics(self, prepared: Any, constants: Any) -> Any:
            return np.ones((len(prepared), 1))

        def aggregate(self, sums: Any) -> Any:
            return sums

    with pytest.raises(Refused, match=r"local@test in worker processes: it cannot be sent.*workers=1"):
        tertium.score(Local(), TWELVE, workers=2)
    assert tertium.score(Local(), TWELVE).value == 12


def test_what_worker_processes_say_is_said_here(
    capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    """Warnings and log records of processes pass through the filters and handlers here; prints leave stdout alone."""
    with warnings.catch_warnings(record=True) as caught, caplog.at_level(logging.WARNING):
        warnings.simplefilter("always")
        score = tertium.score(Talking(), TWELVE, workers=2, chunk=4)

    printed = capfd.readouterr()
    assert score.value == 12
    assert [(one.category, str(one.message)) for one in caught] == [(RuntimeWarning, "the hay is wet")] * 3
    assert [(one.name, one.getMessage()) for one in caplog.records] == [("barn", "the door is open")] * 3
    assert printed.out == ""
    assert printed.err.count("moo") == 3
    assert "hay" not in printed.err


def test_warnings_of_processes_can_be_errors() -> None:
    """Where filters make errors of warnings, one from a process ends the score as one from this process does."""
    for workers in (1, 2):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(ProviderBroken, match=r"talking@test: .* raised RuntimeWarning: the hay is wet"):
                tertium.score(Talking(), TWELVE, workers=workers, chunk=4)

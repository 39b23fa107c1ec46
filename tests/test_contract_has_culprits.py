"""
The contract's checks: each is failed by exactly one miniature, which fails no other, and passed by the sound ones.
"""

from __future__ import annotations

import pytest

import tertium
from miniatures.lineup import CULPRITS, SOUND
from tertium.testing.__main__ import lines, table, verdict
from tertium.testing.contracts import all_checks


def test_every_check_has_a_culprit() -> None:
    """The line-up names the checks there are, one each."""
    assert [check.name for check in all_checks()] == list(CULPRITS)


@pytest.mark.parametrize("name", CULPRITS)
def test_culprit_fails_its_check_and_no_other(name: str) -> None:
    """A miniature that misbehaves in one way fails the check of that behaviour and only that."""
    found = table({name: CULPRITS[name]})

    assert [name] == [check for check, how in found[name].items() if how == "failed"]


@pytest.mark.parametrize("name", [check.name for check in all_checks()])
def test_sound_metrics_pass(name: str) -> None:
    """The sound miniature and the tutorial's plugin pass every check that applies to them."""
    check = next(check for check in all_checks() if check.name == name)

    assert {"passed", "out"} >= {verdict(check, metric) for metric in (SOUND, tertium.load("exact-match@example"))}


def test_table_shows_every_metric_and_check() -> None:
    """The printed table has a row a metric with a mark under each check."""
    found = {"check_pickles": {check.name: "passed" for check in all_checks()} | {"check_pickles": "failed"}}

    shown = lines(found, {"check_pickles": "Unpicklable"})

    assert any("pickles" in line for line in shown)
    assert ("F", len(all_checks()) - 1) == (shown[-1].split()[14], shown[-1].split().count("."))

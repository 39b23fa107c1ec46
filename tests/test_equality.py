"""
Equality: every measured implementation is a point of the native parameter space, or says why not.
"""

from __future__ import annotations

import pytest

import equality


@pytest.mark.parametrize("family", equality.families())
def test_nothing_is_unexplained(family: str) -> None:
    """Every measured outcome agrees, or diverges for the reason that stands in the family's list."""
    verdicts = equality.judge(family)

    assert [
        (verdict.case, verdict.implementation, verdict.detail)
        for verdict in verdicts
        if verdict.kind in ("unexplained", "stale")
    ] == []
    assert any(verdict.kind == "agrees" for verdict in verdicts)


def test_command_prints_the_matrix(capsys: pytest.CaptureFixture[str]) -> None:
    """The command prints a row for each implementation and setting, and exits 0."""
    assert equality.main(["chrf"]) == 0

    printed = capsys.readouterr().out
    assert "chrf           sacrebleu " in printed
    assert printed.rstrip().endswith(" 0 unexplained")


def test_difference_without_a_reason_fails(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A wrong point of the parameter space is reported and the exit code is 1."""
    from points import chrf

    monkeypatch.setitem(chrf.POINTS, "sacrebleu", {"beta": 1})

    assert equality.main(["chrf"]) == 1
    assert "unexplained: chrf/" in capsys.readouterr().out


def test_reason_that_explains_nothing_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """A documented divergence on a case that agrees, or that does not exist, is stale."""
    from points import chrf

    monkeypatch.setitem(chrf.DIVERGENCES, ("8-3-exact-match-chrf", "sacrebleu"), "made up")
    monkeypatch.setitem(chrf.DIVERGENCES, ("no-such-case", "sacrebleu"), "made up")

    stale = [verdict.case for verdict in equality.judge("chrf") if verdict.kind == "stale"]
    assert stale == ["8-3-exact-match-chrf", "no-such-case"]

"""
Running: whatever a provider does is a result, and a run can be taken up again.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from tertium.conformance.case_files import ConformanceCase
from tertium.conformance.divergences import Divergence, Divergences
from tertium.conformance.headers import Selection
from tertium.conformance.outcomes import Failed, Infinite, Number, Rejected, Undefined, Unsupported
from tertium.conformance.recorded import Recorded
from tertium.conformance.report_file import Report, read_interrupted, read_report
from tertium.conformance.running import Options, run, run_all
from tertium.errors import FormatError, UnknownProvider

Cases = tuple[ConformanceCase, ...]

pytestmark = pytest.mark.usefixtures("miniatures")


def ran(cases: Cases, *providers: str, **how: Any) -> Report:
    """Run without stored reports and known differences, unless they are given."""
    return run(cases, providers, **{"recorded": Recorded({}), "divergences": Divergences(), **how})


def verdicts(report: Report, provider: str) -> list[str]:
    return [one.verdict for one in report.results if one.provider == provider]


def test_sound_provider_agrees(cases: Cases) -> None:
    """Three right values agree with the textbook and with native, and a command reproduces each."""
    report = ran(cases, "native", "sound")

    assert report.providers == ("native", "sound")
    assert verdicts(report, "sound") == ["agrees"] * 3
    found = report.result("right", "sound")
    assert found is not None
    assert isinstance(found.outcome, Number)
    assert found.outcome.value == 1.0
    assert [(one.against, one.agrees) for one in found.against] == [("textbook", True), ("native", True)]
    assert found.reproduce == "tertium conform sound --case right"


@pytest.mark.parametrize(
    ("provider", "kind", "words"),
    [
        ("segfaults", "crash", "SIGSEGV"),
        ("nan", "protocol", "NaN"),
        ("shape", "protocol", "shape"),
        ("dtype", "ValueError", "no numbers"),
        ("raises", "KeyError", "no such word"),
        ("exits", "SystemExit", "5"),
    ],
)
def test_what_breaks_is_a_result(cases: Cases, provider: str, kind: str, words: str) -> None:
    """Every way to break is an error of its kind on every case, and the run goes on."""
    report = ran(cases, provider)

    assert verdicts(report, provider) == ["error"] * 3
    for one in report.results:
        assert isinstance(one.outcome, Failed)
        assert one.outcome.kind == kind
        assert words in one.reason


def test_crash_costs_one_case(cases: Cases) -> None:
    """After a crash the worker is started again for the next case."""
    report = ran(cases, "crashes")

    assert verdicts(report, "crashes") == ["agrees", "error", "agrees"]
    assert report.results[1].printed == "about to fall\n"


def test_hang_is_stopped_at_the_time_limit(cases: Cases) -> None:
    """A case that takes too long is stopped, and only that one."""
    start = time.monotonic()
    report = ran(cases, "hangs", time_limit=2.0)

    assert verdicts(report, "hangs") == ["agrees", "error", "agrees"]
    assert time.monotonic() - start < 20
    found = report.result("wrong", "hangs")
    assert found is not None
    assert isinstance(found.outcome, Failed)
    assert found.outcome.kind == "hang"


@pytest.mark.parametrize("provider", ["hoards", "breeds"])
def test_growth_without_end_is_stopped_at_the_memory_limit(cases: Cases, provider: str) -> None:
    """A provider that takes memory without end, itself or by what it starts, costs that case and not the run."""
    report = ran(cases, provider, memory_limit=0.7)

    assert verdicts(report, provider) == ["agrees", "error", "agrees"]
    found = report.result("wrong", provider)
    assert found is not None
    assert isinstance(found.outcome, Failed)
    assert found.outcome.kind == "memory"
    assert found.reason == "memory: it took more than 0.7 GB; its process was stopped"


def test_reserved_address_space_is_no_memory(cases: Cases) -> None:
    """What a provider reserves and does not use, as Java and numba do, is not held against it."""
    assert verdicts(ran(cases, "reserves", memory_limit=0.7), "reserves") == ["agrees"] * 3


def test_constructor_that_hangs_is_stopped_too(cases: Cases) -> None:
    """A provider's constructor runs in its worker alone."""
    assert verdicts(ran(cases[:1], "constructor", time_limit=2.0), "constructor") == ["error"]


def test_what_is_done_once_for_all_has_more_time(cases: Cases) -> None:
    """A metric is told what is coming, and may take longer for it than for a case."""
    assert verdicts(ran(cases, "prepares", time_limit=2.0), "prepares") == ["agrees"] * 3


def test_what_is_printed_is_kept_and_harms_nothing(cases: Cases, capfd: pytest.CaptureFixture[str]) -> None:
    """Both standard streams are captured, from Python and from below it."""
    report = ran(cases, "prints")

    assert verdicts(report, "prints") == ["agrees"] * 3
    for one in report.results:
        assert {"loading a model", "from below Python", "and an error"} <= set(one.printed.splitlines())
    assert capfd.readouterr().out == ""


def test_values_that_are_no_numbers_have_types(cases: Cases) -> None:
    """Undefined, infinite and refused are three outcomes, and none of them is an error."""
    report = ran(cases[:1], "undefined", "endless", "refuses")

    assert {one.provider: (type(one.outcome), one.verdict) for one in report.results} == {
        "endless": (Infinite, "unexplained"),
        "refuses": (Rejected, "unexplained"),
        "undefined": (Undefined, "unexplained"),
    }


def test_declared_convention_explains_a_difference(cases: Cases) -> None:
    """Where the equivalent agrees, the native parameter in which it parts from the default is the explanation."""
    report = ran(cases, "folds")

    assert verdicts(report, "folds") == ["agrees", "agrees", "explained"]
    found = report.result("case", "folds")
    assert found is not None
    assert set(found.axes) == {"normalizer", "em.normaliser"}
    assert "normalizer=lowercase" in found.reason


def test_difference_without_a_declaration_is_unexplained(cases: Cases) -> None:
    """The same values without a declared equivalent have no explanation."""
    assert verdicts(ran(cases, "silent"), "silent") == ["agrees", "agrees", "unexplained"]


def test_equivalent_that_does_not_hold_is_unexplained(cases: Cases) -> None:
    """A declared equivalent is held to, even where native's default happens to agree."""
    report = ran(cases, "lies")

    assert verdicts(report, "lies") == ["unexplained", "unexplained", "explained"]
    assert "it parts from equivalent" in report.results[0].reason


def test_known_difference_explains_and_is_stale_without_one(cases: Cases) -> None:
    """An entry explains what it names; an entry on a case that agrees is told as not needed."""
    facts = {"axis": "fault", "reason": "a known fault", "evidence": "seen"}
    known = Divergences(
        [
            Divergence("silent", "native", ("case", "right"), number=1, **facts),
            Divergence("silent", "textbook", ("case",), number=2, **facts),
        ]
    )
    found = run_all(cases, ["silent"], None, Options(recorded=Recorded({}), divergences=known))

    assert verdicts(found.report, "silent") == ["agrees", "agrees", "explained"]
    assert found.unneeded == ["entry 1 of divergences.toml: silent does not part from native on right"]


def test_other_version_shows_as_drift(cases: Cases) -> None:
    """What changed against the stored report of another version is told, and decides nothing."""
    stored = ran(cases, "sound")
    report = ran(cases, "lies", recorded=Recorded({"lies": {"0.9": renamed(stored, "lies")}}))

    drift = [one for result in report.results for one in result.against if one.against == "drift"]
    assert [(one.agrees, one.version) for one in drift] == [(False, "0.9")] * 3


def test_same_version_must_agree_with_its_stored_report(cases: Cases) -> None:
    """A value that parts from the stored one of the same version is unexplained."""
    stored = renamed(ran(cases, "silent"), "sound")
    report = ran(cases, "sound", recorded=Recorded({"sound": {"1.0": stored}}))

    assert verdicts(report, "sound") == ["agrees", "agrees", "unexplained"]
    assert "it parts from recorded" in report.results[2].reason


def renamed(report: Report, provider: str) -> Report:
    """Give a report's results to another provider."""
    from dataclasses import replace

    return Report(report.header, {}, tuple(replace(one, provider=provider) for one in report.results))


def test_parameters_without_a_counterpart_are_skipped(cases: Cases) -> None:
    """A third-party provider takes parameters of the same name; others are unsupported, not ignored."""
    from dataclasses import replace

    strict = replace(cases[0], params={"strictness": 2})
    report = ran((strict,), "picky", "sound")

    assert {one.provider: one.spec for one in report.results}["picky"] == "exact-match@picky(strictness=2)"
    found = report.result("right", "sound")
    assert found is not None
    assert isinstance(found.outcome, Unsupported)
    assert found.verdict == "skipped"
    assert found.reason == "exact-match@sound has no counterpart of strictness=2"


def test_input_that_tertium_refuses_is_told_as_its_own_rule(cases: Cases) -> None:
    """Data that no provider is given are refused by tertium."""
    from dataclasses import replace

    found = ran((replace(cases[0], segments=({"hyp": None, "refs": ["a"]},)),), "sound").results[0]

    assert isinstance(found.outcome, Rejected)
    assert found.outcome.by == "tertium"
    assert (found.verdict, found.axes) == ("explained", ("input.refused",))


def test_unknown_provider_is_refused(cases: Cases) -> None:
    """A name that nobody has is an error before anything runs."""
    with pytest.raises(UnknownProvider, match="souns"):
        ran(cases, "souns")


def test_selection_takes_what_has_all_tags(cases: Cases) -> None:
    """Metric, tags and ids all must fit."""
    report = ran(cases, "sound", selection=Selection(cases=("wrong",), tags=("case",), metrics=("exact-match",)))

    assert list(report.cases) == ["wrong"]
    assert not ran(cases, "sound", selection=Selection(tags=("case", "tie"))).cases


def test_report_on_disk_is_complete_and_equal(cases: Cases, tmp_path: Path) -> None:
    """What is returned is what stands in the file."""
    report = ran(cases, "native", "sound", output=tmp_path / "r.jsonl")

    assert read_report(tmp_path / "r.jsonl").results == report.results


def test_interrupted_run_is_incomplete_and_resumes(cases: Cases, tmp_path: Path, monkeypatch: Any) -> None:
    """After an interrupt the file has no footer; resuming runs only what is left and completes it."""
    from tertium.conformance import running

    place = tmp_path / "r.jsonl"
    monkeypatch.setattr(running, "GROUP", 1)

    def interrupt(done: int, _: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ran(cases, "sound", output=place, jobs=1, progress=interrupt)
    with pytest.raises(FormatError, match="footer is missing"):
        read_report(place)
    kept = {one.case for one in read_interrupted(place).results}
    assert {"right", "wrong"} <= kept  # the third may have come in before the interrupt did

    asked: list[str] = []
    answer = running._Run._ask

    def spied(self: Any, case: ConformanceCase, *rest: Any) -> Any:
        asked.append(case.id)
        return answer(self, case, *rest)

    monkeypatch.setattr(running._Run, "_ask", spied)
    report = ran(cases, "sound", output=place, jobs=1, resume=True)

    assert set(asked) == {"right", "wrong", "case"} - kept
    assert [one.case for one in report.results] == ["right", "wrong", "case"]
    assert read_report(place).results == report.results


def test_report_of_another_run_is_not_resumed(cases: Cases, tmp_path: Path) -> None:
    """A report with other cases or providers is refused."""
    place = tmp_path / "r.jsonl"
    ran(cases, "sound", output=place)

    with pytest.raises(FormatError, match=r"another run: suite"):
        ran(cases[:2], "sound", output=place, resume=True)

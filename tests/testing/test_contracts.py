"""
The contract's decorator: ids, expected failures held both ways, and `pytest --metric`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import tertium
from miniatures.culprits import NeverPerfect, Unpicklable
from miniatures.sound import Sound
from tertium import Cases, Metric
from tertium.errors import DataError, UsageError
from tertium.testing import Blocked, CheckFailed, all_checks, contract
from tertium.testing.contracts import applying, label

TESTS = Path(__file__).resolve().parents[1]
SOURCE = """
from miniatures.culprits import NeverPerfect
from miniatures.sound import Sound
from tertium.testing import contract

@contract({metrics}, expected_failures={expected}, examples=2)
def test_contract(metric, check):
    check(metric)
"""


def outcome(folder: Path, metrics: str, expected: str) -> tuple[int, str]:
    """Run a contract in a project of its own."""
    (folder / "test_it.py").write_text(SOURCE.format(metrics=metrics, expected=expected))
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-rxX",
            "-p",
            "no:cacheprovider",
            "-k",
            "identity or pickles",
            "test_it.py",
        ],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(TESTS)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout


def test_ids_name_configuration_and_check() -> None:
    """A configuration is named after its class with the parameters that are not at their defaults."""
    assert (label(Sound()), label(Sound(lowercase=True))) == ("Sound()", "Sound(lowercase=true)")


def test_listed_failure_is_expected(tmp_path: Path) -> None:
    """A check that is listed with a reason may fail, which the summary tells."""
    code, printed = outcome(
        tmp_path, "NeverPerfect()", "{'check_identity_is_an_end_of_the_scale': 'nine tenths at most'}"
    )

    assert code == 0, printed
    assert "1 xfailed" in printed
    assert "nine tenths at most" in printed


def test_unlisted_failure_fails(tmp_path: Path) -> None:
    """A check that is not listed fails the run, and says what was asked and what is so."""
    code, printed = outcome(tmp_path, "NeverPerfect()", "{}")

    assert code == 1
    assert "identical texts score 0 or 1: they score 0.9" in printed


def test_listed_failure_that_passes_fails(tmp_path: Path) -> None:
    """A check that is listed and passes fails the run: the entry is stale."""
    code, printed = outcome(tmp_path, "Sound()", "{'Sound()-check_pickles': 'it once did'}")

    assert code == 1
    assert "XPASS(strict)" in printed


@pytest.mark.parametrize(
    ("expected", "claims", "reason"),
    [
        ({"check_pickle": "why"}, (), "Did you mean check_pickles"),
        ({"Sound(lowercase=true)-check_pickles": "why"}, (), "no configuration has that check"),
        ({"check_pickles": " "}, (), "no reason is given"),
        ({}, ("brilliant",), "claims are monotone"),
    ],
)
def test_stale_or_empty_entries_are_refused(expected: dict[str, str], claims: tuple[str, ...], reason: str) -> None:
    """An expected failure that names no run or gives no reason, and an unknown claim, are errors."""
    with pytest.raises(UsageError, match=reason):
        contract(Sound(), expected_failures=expected, claims=claims)


def test_checks_apply_by_the_metrics_facts() -> None:
    """A check of what a metric does not declare is left out."""
    plain = {check.name for check in applying(Sound())}
    claiming = {check.name for check in applying(Sound(), claims=frozenset({"monotone"}))}

    assert claiming - plain == {"check_more_damage_never_helps"}
    assert "check_equivalent_holds" not in plain
    assert "check_equivalent_holds" in {check.name for check in applying(tertium.load("bleu@sacrebleu"))}


def test_check_can_be_called_without_pytest() -> None:
    """A check is a function of a metric: it returns, or raises what it found."""
    found = {check.name: check for check in all_checks()}

    found["check_pickles"](Sound())
    with pytest.raises(CheckFailed, match="a metric can be pickled"):
        found["check_pickles"](Unpicklable())
    with pytest.raises(Blocked, match="check_pickles fails"):
        found["check_same_in_other_processes"](Unpicklable())
    with pytest.raises(CheckFailed, match=r"they score 0\.9"):
        found["check_identity_is_an_end_of_the_scale"](NeverPerfect())


@pytest.mark.slow
def test_metric_option_runs_the_suite_against_an_implementation(tmp_path: Path) -> None:
    """`pytest --metric SPEC` holds an installed implementation to checks and cases, and names versions in the header."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--metric", "wip@jiwer"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )

    assert done.returncode == 0, done.stdout[-2000:]
    assert "wip@jiwer (tertium-jiwer" in done.stdout
    assert " passed" in done.stdout


def test_metric_option_refuses_an_unknown_spec(tmp_path: Path) -> None:
    """A spec that names nothing ends with one line and pytest's exit code for usage."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--metric", "blue"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert done.returncode == 4
    assert "Did you mean bleu?" in done.stderr


class Choosy(Sound):
    """Share of a reference's words, with a refusal of some data."""

    refuses = "a text has no word of two letters, so that there is nothing to hold"
    shortest = 2

    def statistics(self, prepared: Cases, constants: Any) -> Any:
        for case in prepared:
            if not any(len(word) >= self.shortest for text in case.references or () for word in text.split()):
                raise DataError("a share of words", f"case {case.position} has no word to hold", "Leave it out")
        return super().statistics(prepared, constants)


class Undeclared(Choosy):
    """Refuse without saying so."""

    refuses = ""


class Picky(Choosy):
    """Refuse every drawn corpus: they are smaller than the plain ones."""

    refuses = "there are few cases"

    def statistics(self, prepared: Cases, constants: Any) -> Any:
        if len(prepared) < 9:
            raise DataError("a share of words", f"there are {len(prepared)} cases", "Give nine")
        return Sound.statistics(self, prepared, constants)


class Partial(Choosy):
    """Refuse a case that stands alone, whatever its texts."""

    refuses = "there is one case"

    def statistics(self, prepared: Cases, constants: Any) -> Any:
        if len(prepared) == 1:
            raise DataError("a share of words", "there is one case", "Give two")
        return Sound.statistics(self, prepared, constants)


DRAWING = ("check_splits_add_up", "check_order_is_free", "check_scale_holds")


def failures(metric: Metric) -> dict[str, str]:
    """
    Make the checks that draw corpora, and give the messages of those that fail or cannot be made.
    """
    found = {}
    for check in all_checks():
        if check.name in DRAWING:
            try:
                check(metric)
            except (CheckFailed, Blocked) as failed:
                found[check.name] = str(failed)
    return found


def test_declared_refusal_is_passed_over() -> None:
    """Corpora that a metric refuses by a DataError, as it declares, are passed over for others."""
    assert failures(Choosy()) == {}


def test_undeclared_refusal_fails() -> None:
    """The same refusals fail the checks where nothing declares them."""
    assert set(failures(Undeclared())) == set(DRAWING)


def test_refusing_everything_is_no_way_through() -> None:
    """A metric that refuses every drawn corpus has shown nothing, and fails."""
    found = failures(Picky())

    assert set(found) == set(DRAWING)
    assert all("every drawn corpus is refused" in message for message in found.values())


def test_refusing_a_part_of_what_was_taken_fails() -> None:
    """Where the whole is scored, its parts are scored as well."""
    assert "check_splits_add_up" in failures(Partial())


@pytest.mark.parametrize(
    ("params", "claimed"),
    [
        ({"reference_length": "shortest"}, "bleu@native(reference_length=closest)"),
        ({"reference_length": "longest"}, "bleu@native(reference_length=average)"),
        ({"smoothing": "add-k-all", "no_match": "smooth"}, "bleu@native(smoothing=add-k-all)"),
    ],
    ids=lambda one: one if isinstance(one, str) else None,
)
def test_an_equivalent_that_is_nearly_right_fails(params: dict[str, Any], claimed: str) -> None:
    """What shows only where outputs are shorter than a reference, or where nothing matches, is looked at as well."""
    from tertium.native.bleu import Bleu
    from tertium.testing.checks.scale import check_equivalent_holds
    from tertium.testing.trial import Trial

    class Claims(Bleu):
        provider = "claims"

        def equivalent(self) -> str:
            return claimed

    with pytest.raises(CheckFailed, match="gives the same value"):
        check_equivalent_holds(Trial(Claims(**params)))


def test_a_pin_that_is_not_installed_fails() -> None:
    """A metric under test must run the version that it is pinned to, also when it is no spec that was loaded."""
    from tertium.testing.checks.shape import check_facts_are_sound
    from tertium.testing.trial import Trial

    class Pinned(Sound):
        """
        Name a version of NumPy that nobody has.
        """

        library, pinned = "numpy", "0.1"

    with pytest.raises(CheckFailed, match=r"the pin is 0\.1, and \S+ is installed"):
        check_facts_are_sound(Trial(Pinned()))

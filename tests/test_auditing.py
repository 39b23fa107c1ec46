"""
Audits: what is said of functions that do as a native setting, of those that do not, and of those that are not steady.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

import tertium
from miniatures import functions
from tertium.auditing import Audit, audit
from tertium.errors import ParameterError, Refused, UnknownMetric

CASES = tertium.Cases([" a", "b", "c d"], [["a"], ["b"], ["c"]], ids=["x", "y", "z"])


@pytest.fixture(scope="module")
def stripped() -> Audit:
    """
    Audit a function that equals a native setting which is not the default.
    """
    return audit(functions.stripped, "exact-match", CASES, level="segment", corpus="three lines")


def test_an_equal_function_names_its_setting(stripped: Audit) -> None:
    """Probes find the setting, the suite confirms it, and the difference from the default is due to it alone."""
    assert stripped.equal
    assert stripped.fingerprint is not None
    assert "strip" in str(stripped.fingerprint.setting.spec.params["normalizer"])
    assert stripped.verdict.startswith(f"py:miniatures.functions:stripped equals {stripped.fingerprint.spec}: in ")
    assert stripped.standing.differing("setting") == 0
    assert stripped.standing.differing("default") > 0
    assert stripped.behaviour is not None
    assert stripped.behaviour.remarks == ()
    assert stripped.explanation is not None
    assert (stripped.difference.gap, stripped.explanation.parts, stripped.explanation.remainder) == (
        pytest.approx(1 / 3), {"normaliser": pytest.approx(1 / 3)}, pytest.approx(0, abs=1e-15),
    )  # fmt: skip


def test_an_audit_is_plain_data(stripped: Audit) -> None:
    """JSON carries it whole, in strict JSON, with the shape that was found."""
    report = json.loads(json.dumps(stripped.to_dict(), allow_nan=False))

    assert report["function"] == "py:miniatures.functions:stripped"
    assert (report["shape"]["input"], report["shape"]["first"]) == ("strings", "hypothesis")
    assert (report["corpus"], report["difference"]["cases"]) == ("three lines", 3)
    assert "tried on a few lines" in report["notes"][0]


def test_an_audit_reads_as_text_and_in_notebooks(stripped: Audit) -> None:
    """The text leads with the verdict; a notebook shows the page in a frame of its own that runs nothing."""
    shown = stripped._repr_html_()

    assert " ".join(stripped.text.split()).startswith(stripped.verdict)
    assert repr(stripped) == f"Audit({stripped.verdict})"
    assert shown.startswith('<iframe sandbox="" title="Audit of py:miniatures.functions:stripped" srcdoc="&lt;!doctype')
    assert shown.count("<") == 2


def test_a_function_of_its_own_kind_is_told_from_the_closest_setting() -> None:
    """A rule that no convention has leaves answers unexplained, and the audit says how many."""
    shape: dict[str, Any] = {
        "input": "strings", "level": "segment", "references": "one", "first": "hypothesis", "result": "number", "scale": 1,
    }  # fmt: skip
    found = audit(functions.short, "exact-match", CASES, **shape)

    assert not found.equal
    assert found.fingerprint is not None
    missed = len(found.fingerprint.unexplained)
    assert missed > 0
    assert (
        f"equals no known setting; the closest is {found.fingerprint.setting}: it differs from it in {missed} of"
        in (found.verdict)
    )


def test_a_fault_on_one_side_is_no_setting() -> None:
    """What a function does to its references alone shows on the texts that differ by a space on one side."""
    found = audit(functions.stripped_once, "exact-match", CASES)

    assert not found.equal
    assert "equals no known setting; the closest is exact-match@native" in found.verdict


def test_a_function_that_draws_has_no_setting() -> None:
    """Nothing is inferred from answers that change, and the suite and the difference are there all the same."""
    found = audit(functions.guessed, "exact-match", CASES, level="segment")

    assert (found.equal, found.fingerprint, found.explanation) == (False, None, None)
    assert found.verdict.startswith(
        "No setting of exact-match@native can be held to py:miniatures.functions:guessed: it draws at random"
    )
    assert set(found.standing.counts) == {"default", "textbook"}
    assert found.difference.gap != 0
    assert "nothing can be inferred: it draws at random" in " ".join(found.text.split())


def test_what_a_function_changes_is_told_though_it_equals() -> None:
    """Changing arguments is a remark, and no other value; without cases there is an example corpus."""
    found = audit("py:miniatures.functions:among", "exact-match", level="segment", references="list")

    assert found.equal
    assert found.behaviour is not None
    assert [one.kind for one in found.behaviour.remarks] == ["mutates"]
    assert (found.corpus, found.difference.cases) == ("the example corpus of captions", 12)
    assert found.label == "py:miniatures.functions:among"


def test_metrics_of_plugins_can_be_audited() -> None:
    """A metric that is no plain function is held to the suite as well."""
    found = audit("exact-match@example", cases=CASES)

    assert (found.equal, found.behaviour) == (True, None)
    assert "no plain function" in found.text


def test_what_cannot_be_audited_is_refused() -> None:
    """The metric must be named, be there, and have a native counterpart; a metric takes no shape."""
    with pytest.raises(Refused, match="it is not known which metric it computes"):
        audit(functions.stripped, level="segment")
    with pytest.raises(UnknownMetric, match="Did you mean bleu"):
        audit(functions.stripped, "blue")
    with pytest.raises(Refused, match="it has its shape already"):
        audit(tertium.load("exact-match@example"), level="segment")
    with pytest.raises(ParameterError, match="no parameter 'levle'"):
        audit(functions.stripped, "exact-match", levle="segment")


def test_explain_infers_what_a_function_does_not_declare() -> None:
    """A plain function is held to the setting that probing it gives, and the explanation says so."""
    found = tertium.explain("exact-match", functions.stripped, CASES)

    assert found.parts == {"normaliser": pytest.approx(1 / 3)}
    assert any("are those of exact-match@native(normalizer=" in note for note in found.notes)

"""
`tertium selftest`.
"""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from tertium.console import cli, selftest


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, ["selftest", *words])


def test_every_textbook_value_is_recomputed() -> None:
    """All installed metrics give the values that papers and definitions give."""
    result = run("--json")

    results = json.loads(result.stdout)["results"]
    assert [entry for entry in results if entry["status"] == "differs"] == []
    assert result.exit_code == 0
    assert sum(entry["status"] == "agrees" for entry in results) > 40


def test_every_native_family_has_a_textbook_value() -> None:
    """No native metric is left out, but orders of ROUGE-N beyond the second."""
    from tertium.registry import registry
    from tertium.spec import parse

    tested = {registry().name(parse(spec).metric)[0] for entry in selftest.textbook() for spec in entry.specs}
    native = {name for name, providers in registry().metrics.items() if "native" in providers}
    assert native - tested <= {f"rouge{order}" for order in range(1, 10)} | {
        "exact-match",
        "rougeSU",
        "squad-em",
        "squad-f1",
    }


def test_gleu_is_counted_from_both_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches that change when hypothesis and reference change places are a difference, with both numbers."""
    entry = selftest.Textbook(("gleu@native",), ["a b c"], [["a b"]], 0.5, "made up", swapped="total")
    longer = selftest.Textbook(("gleu@native(min_order=2)",), ["a b c"], [["a b"]], "1/3", "made up", swapped="gleu")
    uneven = selftest.Textbook(("chrf@native",), ["a b c"], [["a b"]], 1.0, "made up", swapped="precision")
    monkeypatch.setattr(selftest, "textbook", lambda: (entry, longer, uneven))

    result = run()

    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert [line.split()[0] for line in lines[:3]] == ["ok", "ok", "DIFFERS"]
    assert "precision from both sides" in lines[2]


def test_a_value_that_differs_is_shown_beside_what_is_expected(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong value ends with exit code 1 and shows both numbers and the source."""
    entry = selftest.Textbook(("gleu@native",), ["the cat sat"], [["the cat sat down"]], 0.7, "a misprint")
    monkeypatch.setattr(selftest, "textbook", lambda: (entry,))

    result = run()

    assert result.exit_code == 1
    assert "DIFFERS  gleu@native = 0.6, expected 0.7  [a misprint]" in result.stdout
    assert "0 agree, 1 differ" in result.stdout


def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A provider that is not there is listed as absent and is no difference."""
    entry = selftest.Textbook(("gleu@nowhere",), ["a"], [["a"]], 1.0, "nobody")
    monkeypatch.setattr(selftest, "textbook", lambda: (entry,))

    result = run()

    assert result.exit_code == 0
    assert result.stdout.startswith("absent   gleu@nowhere")


def test_some_metrics_alone() -> None:
    """Named metrics are tested alone; one without a textbook value is refused."""
    result = run("ribes", "gleu")

    specs = [line.split()[1] for line in result.stdout.splitlines()[:-1]]
    assert specs
    assert all(spec.startswith(("ribes", "gleu")) for spec in specs)
    assert run("exact-match").exit_code == 2


def test_printed_values_are_compared_to_their_decimals() -> None:
    """A source that prints three decimals hides half a unit of the third."""
    entry = selftest.Textbook(("x",), [], [], 0.571, "", decimals=3)

    assert entry.agrees(0.5714)
    assert not entry.agrees(0.5716)

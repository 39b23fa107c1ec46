"""
`tertium metrics`.
"""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from click.testing import CliRunner, Result

from tertium.console import cli

Run = Callable[..., Result]


def test_metrics_lists_names_providers_scale_and_first_sentence(run: Run) -> None:
    """One row a metric, with direction, scale, providers and what it measures."""
    rows = {line.split()[0]: line for line in run("metrics").stdout.splitlines() if line}

    assert "↓" in rows["length"]
    assert "0–∞" in rows["length"]
    assert "Mean number of characters." in rows["length"]
    assert "second sentence" not in rows["length"]
    assert "gone, left, whole" in rows["size"]
    assert "↑" in rows["ratio"]


def test_metrics_of_one_name_shows_versions(run: Run) -> None:
    """One row a provider, with what is installed and what is missing."""
    lines = run("metrics", "Size").stdout.splitlines()

    assert any("size@left" in line and "tertium-left" in line for line in lines)
    assert any("size@gone" in line and "a-library-that-nobody-has 1.0, which is not" in line for line in lines)


def test_metrics_as_json(run: Run) -> None:
    """--json prints the same facts as one object without bare infinities."""
    listed = json.loads(run("metrics", "--json").stdout, parse_constant=lambda name: pytest.fail(name))["metrics"]

    assert sorted(listed) == ["length", "loud", "ratio", "size", "sourced"]
    gone, left, _ = listed["size"]
    assert (gone["provider"], gone["pinned"], gone["installed"]) == ("gone", "1.0", None)
    assert left["scale"] == [0.0, "Infinity"]
    assert gone["problems"] != []


def test_an_unknown_metric_is_a_usage_error(run: Run) -> None:
    """An unknown name suggests the nearest and names plugins with problems."""
    result = run("metrics", "lenght")

    assert result.exit_code == 2
    assert "Did you mean length?" in result.stderr
    assert "torn" in result.stderr


def test_listing_starts_no_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """Listing the metrics that are really installed starts no other program and opens no connection."""
    import socket
    import subprocess

    def refuse(*_: object, **__: object) -> None:
        pytest.fail("listing metrics must not do this")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)

    result = CliRunner().invoke(cli, ["metrics", "--json"])

    assert result.exit_code == 0
    assert "exact-match" in json.loads(result.stdout)["metrics"]

"""
`tertium plugins`.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from click.testing import Result

Run = Callable[..., Result]


def test_plugins_lists_what_is_sound_and_what_is_broken(run: Run) -> None:
    """Distribution, version and metrics of each; a plugin that failed stands there with its reason as it is."""
    result = run("plugins")

    assert result.exit_code == 0
    assert "tertium-left 1.5" in result.stdout
    assert "torn: importing torn: ImportError: no [bold]luck" in result.stdout
    assert "a-library-that-nobody-has is not installed" in result.stdout
    assert "the line that failed" not in result.stdout


def test_details_show_the_traceback(run: Run) -> None:
    """--details prints where a plugin failed."""
    assert "the line that failed" in run("plugins", "--details").stdout


def test_plugins_as_json(run: Run) -> None:
    """--json holds plugins with pins and installed versions, and the resources with their commands."""
    report = json.loads(run("plugins", "--json").stdout)

    left, torn = report["plugins"]
    assert (left["distribution"], left["version"], torn["metrics"]) == ("tertium-left", "1.5", [])
    assert left["libraries"] == [{"library": "a-library-that-nobody-has", "pinned": "1.0", "installed": None}]
    assert {"java", "wordnet"} <= {row["name"] for row in report["resources"]}
    assert all(row["command"] and (row["where"] is None) != (row["problem"] is None) for row in report["resources"])

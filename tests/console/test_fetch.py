"""
`tertium fetch`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from tertium import resources
from tertium.errors import ResourceMissing
from tertium.resources import Finding, Resource

Run = Callable[..., Result]


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """
    Give the place of a resource ``book`` that can be fetched, beside a ``lamp`` that only a command brings.
    """
    place = tmp_path / "shelf" / "book"

    def bring(report: Callable[[str], None], folder: Path | None) -> None:
        if folder is not None and not (folder / "book").exists():
            raise ResourceMissing("book", f"{folder} has no book", "tertium fetch book")
        report("book: writing it")
        place.parent.mkdir(exist_ok=True)
        place.write_text("once upon a time")

    def look() -> Finding:
        return Finding(place, None) if place.exists() else Finding(None, "no book on the shelf")

    book = Resource("book", "a book", "tertium fetch book", look, bring)
    lamp = Resource("lamp", "a lamp", "pip install lamp", lambda: Finding(None, "it is dark"))
    monkeypatch.setattr(resources, "_HOMES", {})
    monkeypatch.setattr(resources, "_registered", {"book": book, "lamp": lamp})
    return place


def test_fetch_brings_what_is_named(run: Run, shelf: Path) -> None:
    """Steps are told on standard error, the place stands on standard output; a second time nothing is done."""
    first = run("fetch", "book")
    second = run("fetch", "book")

    assert (0, f"book\t{shelf}\n", "book: writing it\n") == (first.exit_code, first.stdout, first.stderr)
    assert (0, f"book: already at {shelf}\n") == (second.exit_code, second.stderr)


def test_fetch_brings_everything_it_can(run: Run, shelf: Path) -> None:
    """Without names, what only a package brings is reported with its command and is no failure."""
    result = run("fetch")

    assert result.exit_code == 0
    assert f"book\t{shelf}\nlamp\trun `pip install lamp`\n" == result.stdout


def test_fetch_of_what_cannot_be_brought_exits_with_4(run: Run, shelf: Path) -> None:
    """A resource that was named and is missing is an error that names the command."""
    result = run("fetch", "lamp")

    assert (result.exit_code, result.stdout) == (4, "")
    assert "pip install lamp" in result.stderr


def test_fetch_from_a_folder(run: Run, shelf: Path, tmp_path: Path) -> None:
    """--from takes the resource from that folder and from nowhere else."""
    (tmp_path / "source").mkdir()
    assert run("fetch", "book", "--from", "source").exit_code == 4

    (tmp_path / "source" / "book").touch()
    assert run("fetch", "book", "--from", "source").exit_code == 0


def test_list_brings_nothing(run: Run, shelf: Path) -> None:
    """--list shows where resources are, or the command that brings them."""
    table = run("fetch", "--list")
    report = json.loads(run("fetch", "--list", "--json").stdout)["resources"]

    assert not shelf.exists()
    assert all(part in table.stdout for part in ("book", "no book on the shelf", "pip install lamp"))
    assert [(row["name"], row["where"]) for row in report] == [("book", None), ("lamp", None)]


@pytest.mark.parametrize("words", [["--json"], ["--list", "--from", "x"], ["boook"]])
def test_contradictions_are_usage_errors(run: Run, shelf: Path, words: list[str]) -> None:
    """Options that mean nothing together, and unknown names, exit with 2."""
    assert run("fetch", *words).exit_code == 2

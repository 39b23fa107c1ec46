"""
Known differences: entries are whole, needed, and speak of cases that exist.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tertium.conformance.case_files import load_cases
from tertium.conformance.divergences import load_divergences
from tertium.errors import DataError, FormatError

ENTRY = """
[[divergence]]
provider = "nltk"
against = "native"
cases = ["one", "two"]
axis = "fault"
reason = "because"
evidence = "seen"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """
    Write a list of one entry.
    """
    place = tmp_path / "divergences.toml"
    place.write_text(ENTRY, encoding="utf-8")
    return place


def test_entries_are_found_and_what_is_not_needed_is_told(file: Path) -> None:
    """An entry explains its differences alone, and is stale for the cases where there is none."""
    known = load_divergences(file, {"one", "two"})

    assert known.explaining("nltk", "native", "three") is None
    assert known.explaining("nltk", "textbook", "one") is None
    found = known.explaining("nltk", "native", "one")
    assert found is not None
    assert found.reason == "because"
    assert known.unneeded({("nltk", "native", "one"), ("nltk", "native", "two")}) == [
        "entry 1 of divergences.toml: nltk does not part from native on two"
    ]
    assert known.unneeded({("nltk", "native", "one"), ("nltk", "measured", "two")}) == []


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ('reason = "because"\n', "", "entry 1: it must have exactly"),
        ('reason = "because"', 'reason = " "', "are texts"),
        ('reason = "because"', 'reason = "because"\nextra = 1', "exactly"),
        ('"native"', '"everything"', "against is one of"),
        ('["one", "two"]', "[]", "cases is a list"),
        ('["one", "two"]', '["one", "nine"]', "names no case of the suite: 'nine'"),
        ("[[divergence]]", "[other]\n[[divergence]]", r"tables beside.*other"),
        ("[[divergence]]", "[[divergence", "not TOML"),
        (ENTRY, ENTRY + ENTRY, "entries 1 and 2 both speak of nltk on one"),
    ],
)
def test_broken_lists_are_refused(file: Path, before: str, after: str, words: str) -> None:
    """Every fault of an entry is named with its place."""
    file.write_text(ENTRY.replace(before, after), encoding="utf-8")

    with pytest.raises(FormatError, match=words):
        load_divergences(file, {"one", "two"})


def test_missing_list_is_said(tmp_path: Path) -> None:
    """A file that is not there is a data error."""
    with pytest.raises(DataError):
        load_divergences(tmp_path / "none.toml")


def test_list_that_comes_along_speaks_of_cases_that_exist() -> None:
    """Every entry of the project's own list names cases of the suite."""
    assert load_divergences(known={case.id for case in load_cases()}).entries

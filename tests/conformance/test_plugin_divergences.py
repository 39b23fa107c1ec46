"""
Known divergences that a plugin brings: they explain its own provider's differences, and are held to strictly.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tertium import registry
from tertium.conformance import load_cases
from tertium.conformance.divergences import load_divergences
from tertium.conformance.running import Options, run_all
from tertium.console import cli

PLUGIN = """
from pathlib import Path
import tertium

class Folds(tertium.Metric):
    name, provider, columns, outputs = "exact-match", "folds", ("hits", "cases"), ("accuracy",)

    def statistics(self, prepared, constants):
        return [[case.hypothesis.lower() in case.references, 1] for case in prepared]

    def aggregate(self, sums):
        return sums[..., :1] / sums[..., 1:]

@tertium.hookimpl
def tertium_metrics():
    return [Folds]

@tertium.hookimpl
def tertium_cases():
    return [Path(__file__).with_name("letters.jsonl")]

@tertium.hookimpl
def tertium_divergences():
    return [Path(__file__).with_name("known.toml")]
"""


def case(name: str, output: str, value: float) -> dict[str, object]:
    """Make a case of one output against the letter a."""
    return {
        "id": name,
        "family": "letters",
        "metric": "exact-match",
        "title": f"{output} against a",
        "explanation": "Equal texts match, and texts that differ in case do not.",
        "tags": ["short"],
        "axes": ["em.normaliser"],
        "params": {},
        "cases": [{"hyp": output, "refs": ["a"]}],
        "textbook": {"value": value, "scale": "0-1", "source": "by definition"},
        "results": {},
    }


CASES = [case("letters-equal", "a", 1.0), case("letters-capital", "A", 0.0)]
KNOWN = "".join(
    f"""
[[divergence]]
provider = "folds"
against = "{against}"
cases = ["letters-capital"]
axis = "case"
reason = "it folds the case of outputs"
evidence = "its source"
"""
    for against in ("native", "textbook")
)

Place = Callable[[str], None]


@pytest.fixture
def place(install: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """
    Give a function that installs the plugin with a list of known divergences.
    """
    install("letters", PLUGIN)
    monkeypatch.setenv("TERTIUM_PLUGINS", "native,letters")
    monkeypatch.setenv("COLUMNS", "400")

    def put(known: str) -> None:
        lines = "".join(json.dumps(one) + "\n" for one in CASES)
        (tmp_path / "site" / "letters.jsonl").write_text(lines, encoding="utf-8")
        (tmp_path / "site" / "known.toml").write_text(known, encoding="utf-8")
        monkeypatch.setattr(registry, "_registry", None)

    return put


def conform() -> Result:
    """Run the plugin's cases with its provider."""
    return CliRunner().invoke(
        cli, ["conform", "folds", *(word for one in CASES for word in ("--case", str(one["id"])))]
    )


def test_known_divergences_explain(place: Place) -> None:
    """What a plugin knows of its own provider explains a difference."""
    place(KNOWN)
    done = conform()

    assert "1 agrees, 1 explained, 0 unexplained, 0 error" in done.output
    assert done.exit_code == 0


@pytest.mark.parametrize(
    ("known", "words"),
    [
        ("", "unexplained: letters-capital"),
        (
            KNOWN.replace('native"\ncases = [', 'native"\ncases = ["letters-equal", '),
            "stale: entry 1 of known.toml (tertium-letters): folds does not part from native on letters-equal",
        ),
        (KNOWN.replace("letters-capital", "letters-none"), "entry 1 names no case of the suite: 'letters-none'"),
    ],
)
def test_known_divergences_are_held_strictly(place: Place, known: str, words: str) -> None:
    """A difference without an entry, an entry without a difference, and a list that is off make the run fail."""
    place(known)
    done = conform()

    assert words in done.output
    assert done.exit_code == 1


@pytest.mark.parametrize(
    ("known", "words"),
    [
        (KNOWN.replace('"folds"', '"native"'), "entry 1 is about 'native', another plugin's"),
        (KNOWN.replace("evidence", "excuse"), "entry 1: it must have exactly"),
        (KNOWN + KNOWN, "entries 1 and 3 both speak of folds"),
        ("[[divergence", "it is not TOML"),
    ],
)
def test_a_list_that_is_off_counts_for_nothing(place: Place, known: str, words: str) -> None:
    """A list with an entry that is off, or about another plugin's provider, is refused as a whole, with the reason."""
    place(known)

    found = load_divergences(known={str(one["id"]) for one in CASES} | {one.id for one in load_cases()})

    assert {one.source for one in found.entries} == {"divergences.toml"}
    assert [words in one for one in found.refused["folds"]] == [True]


def test_a_list_that_is_off_is_a_problem_of_its_plugin(place: Place) -> None:
    """A plugin's broken list is listed, and fails no run without its provider."""
    place(KNOWN.replace("folds", "native"))
    cases = load_cases()

    known = load_divergences(known={one.id for one in cases})
    picked = [one for one in cases if one.id == "letters-equal"]
    found = run_all(picked, ["native"], None, Options(divergences=known))

    assert (found.refused, found.unneeded) == ([], [])
    plugin = next(plugin for plugin in registry.registry().plugins if plugin.name == "letters")
    assert "known.toml" in plugin.problems[0]
    assert "another plugin's" in plugin.problems[0]


def test_cases_that_cannot_be_read_make_the_run_fail(place: Place, tmp_path: Path) -> None:
    """A plugin's file of cases with a wrong word is named, by the run, by a case that is missed, and by the plugin."""
    place(KNOWN)
    wrong = json.dumps({**CASES[0], "tags": ["brief"]})
    (tmp_path / "site" / "letters.jsonl").write_text(wrong + "\n", encoding="utf-8")
    words = 'letters.jsonl:1: $.tags[0] is "brief", none of '

    done = CliRunner().invoke(cli, ["conform", "folds", "--case", "exact-match-case"])
    missed = CliRunner().invoke(cli, ["conform", "folds", "--case", "letters-equal"])
    listed = CliRunner().invoke(cli, ["plugins", "--json"])

    assert done.exit_code == 1
    assert "cases of tertium-letters: " in done.output
    assert words in done.output
    assert missed.exit_code == 2
    assert words in missed.output
    (plugin,) = [one for one in json.loads(listed.output)["plugins"] if one["plugin"] == "letters"]
    assert any(words in one for one in plugin["problems"])

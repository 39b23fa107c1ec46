"""
Real corpora: the values that the library itself gave when they were recorded.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tertium

WMT17 = "mt/wmt17-en-de"
CORPORA: list[tuple[str, list[str], dict[str, str]]] = [
    # corpus, files of references, parameters of bleu
    ("mt/newstest2020-ru-en", ["ref.txt"], {}),
    ("mt/ted-sk-en", ["ref.txt"], {}),
    ("mt/four-references", [f"ref{i}.txt" for i in range(4)], {}),
    ("simplification/turkcorpus", [f"ref{i}.txt" for i in range(8)], {"tokenize": "none"}),
    ("mt/three-optimiser-runs", ["ref.txt"], {"tokenize": "none"}),
]
# TER by the library takes minutes on some of them.
QUICK = {
    "mt/newstest2020-ru-en": ("bleu", "chrf", "chrf++", "ter"),
    "simplification/turkcorpus": ("bleu", "chrf", "chrf++"),
    "mt/four-references": ("bleu", "chrf", "chrf++"),
}

Lines = Callable[[Path], list[str]]


def cases_of(folder: Path, system: str, references: list[str], lines: Lines) -> tertium.Cases:
    """
    Read one system's output with its references.
    """
    # A name in parentheses is a text beside the systems that was scored as if it were one.
    place = folder if system.startswith("(") else folder / "systems"
    name = system.strip("()")
    (file,) = [path for path in place.iterdir() if path.name in (name, f"{name}.txt")]
    return tertium.Cases.from_streams(lines(file), [lines(folder / name) for name in references])


def check(metric: str, params: dict[str, Any], cases: tertium.Cases, recorded: dict[str, Any]) -> None:
    """
    Compare one score with the recorded one, parts and signature included.
    """
    score = tertium.score(tertium.Spec(metric, "sacrebleu", params=params), cases)

    assert score.value == pytest.approx(recorded["score"], rel=1e-12)
    assert score.conventions["sacrebleu.signature"] == recorded["signature"]
    parts = {
        "brevity_penalty": "bp",
        "hypothesis_length": "sys_len",
        "reference_length": "ref_len" if metric == "bleu" else "ref_length",
    }
    for output, name in parts.items():
        if name in recorded:
            assert score[output] == pytest.approx(recorded[name], rel=1e-12)
    if "num_edits" in recorded:
        assert score["edits"] == recorded["num_edits"]
    if "counts" in recorded:
        counts = [value for output, value in score.outputs.items() if output.startswith(("matches_", "totals_"))]
        assert counts == [*recorded["counts"], *recorded["totals"]]


@pytest.mark.parametrize("rank", range(10))
@pytest.mark.parametrize(
    "metric",
    ["bleu", "chrf", pytest.param("chrf++", marks=pytest.mark.slow), pytest.param("ter", marks=pytest.mark.slow)],
)
def test_wmt17(metric: str, rank: int, data: Path, lines: Lines, expected: Callable[[Path], dict[str, Any]]) -> None:
    """Each of the ten English-German systems of WMT17 gets the recorded value."""
    recorded = expected(data / WMT17)
    system = sorted(recorded)[rank]

    check(metric, {}, cases_of(data / WMT17, system, ["ref.txt"], lines), recorded[system][metric])


@pytest.mark.parametrize("tokenize", ["ja-mecab", "char", "13a"])
def test_ted_english_japanese(
    tokenize: str, data: Path, lines: Lines, expected: Callable[[Path], dict[str, Any]]
) -> None:
    """Raw Japanese gets the recorded value under each of three tokenizers."""
    folder = data / "mt/ted-en-ja"

    for system, recorded in expected(folder).items():
        check("bleu", {"tokenize": tokenize}, cases_of(folder, system, ["ref.txt"], lines), recorded[tokenize]["bleu"])


def test_ted_english_japanese_characters(data: Path, lines: Lines, expected: Callable[[Path], dict[str, Any]]) -> None:
    """Raw Japanese gets the recorded chrF and chrF++."""
    folder = data / "mt/ted-en-ja"

    for system, recorded in expected(folder).items():
        for metric in ("chrf", "chrf++"):
            check(metric, {}, cases_of(folder, system, ["ref.txt"], lines), recorded["char"][metric])


def check_systems(
    corpus: str, metrics: tuple[str, ...], at_most: int | None, data: Path, lines: Lines, expected: Any
) -> None:
    """
    Check metrics of the systems of one corpus.
    """
    _, references, params = next(row for row in CORPORA if row[0] == corpus)
    checked = set()
    for system, recorded in list(expected(data / corpus).items())[:at_most]:
        cases = cases_of(data / corpus, system, references, lines)
        for metric in metrics:
            check(metric, params if metric == "bleu" else {}, cases, recorded[metric])
            checked.add(metric)
    assert checked == set(metrics)


@pytest.mark.parametrize("corpus", QUICK)
def test_first_system(corpus: str, data: Path, lines: Lines, expected: Callable[[Path], dict[str, Any]]) -> None:
    """The first system of a corpus gets the recorded BLEU, chrF and chrF++, and TER where that is quick."""
    check_systems(corpus, QUICK[corpus], 1, data, lines, expected)


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["bleu", "chrf", "chrf++", "ter"])
@pytest.mark.parametrize("corpus", [row[0] for row in CORPORA])
def test_all_systems(
    corpus: str, metric: str, data: Path, lines: Lines, expected: Callable[[Path], dict[str, Any]]
) -> None:
    """Every system of a corpus gets the recorded BLEU, chrF, chrF++ and TER."""
    check_systems(corpus, (metric,), None, data, lines, expected)

"""
`tertium constants build` and `tertium score --constants`.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tertium.console import cli

DATA = [
    {"hypothesis": "a red bus", "references": ["a red bus on a road", "the bus"]},
    {"hypothesis": "two dogs", "references": ["two dogs run", "a dog"]},
    {"hypothesis": "a cat", "references": ["a cat sits"]},
]


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words))


def scores(*words: str) -> list[dict[str, object]]:
    result = run("score", *words, "--json")
    assert result.exit_code == 0, result.stderr
    found: list[dict[str, object]] = json.loads(result.stdout)["results"]
    return found


@pytest.fixture
def data(tmp_path: Path) -> str:
    """
    Give a data file of three images.
    """
    file = tmp_path / "data.jsonl"
    file.write_text("".join(json.dumps(entry) + "\n" for entry in DATA), encoding="utf-8")
    return str(file)


def test_build_and_score(tmp_path: Path, data: str) -> None:
    """Frequencies of the scored references change nothing, and one image alone then has a value."""
    built = run("constants", "build", "cider-d", data, "-o", str(tmp_path / "df.npz"))
    assert built.exit_code == 0, built.stderr
    assert "document frequencies of 3 cases" in built.stdout
    alone = tmp_path / "alone.jsonl"
    alone.write_text(json.dumps(DATA[0]) + "\n", encoding="utf-8")

    (learned,), (given,) = scores("cider-d", data), scores("cider-d", data, "--constants", str(tmp_path / "df.npz"))

    assert given["value"] == learned["value"]
    assert "frequencies=sha256:" in str(given["signature"])
    (first,) = scores("cider-d", str(alone), "--constants", str(tmp_path / "df.npz"))
    assert isinstance(first["value"], float)
    assert first["value"] > 0


def test_build_from_reference_files(tmp_path: Path) -> None:
    """Parallel files of references are enough: nothing is scored."""
    for name, text in (("one", "a b\nc d\n"), ("two", "a\nd\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    files = [word for name in ("one", "two") for word in ("--ref", str(tmp_path / name))]

    built = run("constants", "build", "nist", *files, "-o", str(tmp_path / "counts.npz"))

    assert built.exit_code == 0, built.stderr
    assert "n-gram counts of 2 cases" in built.stdout
    assert built.stderr == ""


def test_other_metrics_are_scored_as_they_are(tmp_path: Path, data: str) -> None:
    """A metric that takes no constants is scored beside one that does, and a note says so."""
    run("constants", "build", "cider-d", data, "-o", str(tmp_path / "df.npz"))

    result = run("score", "cider-d", "bleu@native", data, "--constants", str(tmp_path / "df.npz"))

    assert result.exit_code == 0
    assert "bleu@native takes no constants" in result.stderr


@pytest.mark.parametrize(
    ("words", "expected", "code"),
    [
        (["score", "cider-d(tokenizer=none)", "DATA", "--constants", "DF"], "tokenizer=ptb", 2),
        (["score", "nist", "DATA", "--constants", "DF"], "kind=document frequencies", 2),
        (["score", "bleu@native", "DATA", "--constants", "DF"], "none of bleu@native takes constants", 2),
        (["score", "cider-d(frequencies='file:x')", "DATA", "--constants", "DF"], "of its own", 2),
        (["score", "cider-d", "DATA", "--constants", "DATA"], "is no file of constants", 3),
        (["score", "cider-d", "DATA", "--constants", "nowhere.npz"], "cannot be read", 3),
        (["constants", "build", "bleu@native", "DATA", "-o", "OUT"], "learns nothing", 2),
        (["constants", "build", "cider-d(frequencies='file:DF')", "DATA", "-o", "OUT"], "from a file already", 2),
        (["constants", "build", "cider-d", "-o", "OUT"], "no references are given", 2),
        (["constants", "build", "cider-d", "DATA", "--ref", "DATA", "-o", "OUT"], "beside --ref", 2),
        (["constants", "build", "cider-d", "DATA", "-o", "nowhere/df.npz"], "nowhere", 2),
    ],
)
def test_what_contradicts_is_refused(
    words: list[str], expected: str, code: int, tmp_path: Path, data: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Constants of other parameters, of another metric, twice given, damaged or missing name what is off."""
    monkeypatch.chdir(tmp_path)
    run("constants", "build", "cider-d", data, "-o", "DF")

    result = run(*(word.replace("DATA", data) for word in words))

    assert result.exit_code == code
    assert expected in result.stderr
    assert not (tmp_path / "OUT").exists()


def test_a_case_without_references_is_refused(tmp_path: Path) -> None:
    """An image without references cannot be counted."""
    file = tmp_path / "data.jsonl"
    file.write_text('{"hypothesis": "a", "references": []}\n', encoding="utf-8")

    result = run("constants", "build", "cider-d", str(file), "-o", str(tmp_path / "df.npz"))

    assert result.exit_code == 3
    assert "no references" in result.stderr or "empty list" in result.stderr

"""
`tertium demo` and the example corpora.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tertium import example_files
from tertium.console import cli, demo
from tertium.errors import DataError

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_demo_prints_each_command_and_its_result(run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> None:
    """Every job shows the command that a reader can type, and the table that it prints."""
    monkeypatch.setattr(demo, "JOBS", (("Sizes", ("length", "nosuch"), demo.SPEECH), ("None", ("nosuch",), ())))

    result = run("demo")

    folder = example_files.examples()
    assert result.exit_code == 0
    assert f"$ tertium score length@all --hyp {folder}/speech.hyp.txt --ref {folder}/speech.ref.txt" in result.stdout
    hypotheses = (EXAMPLES / "speech.hyp.txt").read_text(encoding="utf-8").splitlines()
    assert f"{sum(map(len, hypotheses)) / 20:.4f}" in result.stdout
    assert "none of nosuch is installed" in result.stderr


def test_where_prints_the_folder(run: Callable[..., Result]) -> None:
    """--where tells where the files are."""
    assert Path(run("demo", "--where").stdout.strip()).resolve() == EXAMPLES


def test_examples_are_found_inside_an_installed_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder inside the package is taken where there is one, and without any the error says so."""
    package = tmp_path / "site" / "tertium"
    (package / "examples").mkdir(parents=True)
    monkeypatch.setattr(example_files, "__file__", str(package / "example_files.py"))

    with pytest.raises(DataError):
        example_files.examples()
    (package / "examples" / "captions.jsonl").touch()

    assert package / "examples" == example_files.examples()


def test_examples_are_parallel_and_whole() -> None:
    """48 sentences in four files, 20 requests in two, and 12 captions with three references each."""
    lines = {file.name: file.read_text(encoding="utf-8").split("\n")[:-1] for file in EXAMPLES.glob("*.txt")}
    captions = [json.loads(line) for line in (EXAMPLES / "captions.jsonl").read_text(encoding="utf-8").splitlines()]

    assert {48} == {len(found) for name, found in lines.items() if name.startswith("sentences.")}
    assert {20} == {len(found) for name, found in lines.items() if name.startswith("speech.")}
    assert len(lines) == 6
    assert [len(caption["references"]) for caption in captions] == [3] * 12


def test_the_real_demo_prefers_the_better_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """With every plugin that is installed here, Aurora is better than Brook by each metric that could be computed."""
    monkeypatch.setenv("COLUMNS", "250")

    result = CliRunner().invoke(cli, ["demo"])

    assert (4 if "failed" in result.stdout else 0) == result.exit_code, result.stderr
    lines = result.stdout.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("sentences.aurora.txt"))
    arrows = [word for word in lines[first - 2].split() if word in "↑↓"]
    aurora, brook = (lines[number].split()[1:] for number in (first, first + 1))
    assert len(arrows) >= 1
    for arrow, one, other in zip(arrows, aurora, brook, strict=True):
        if "failed" not in (one, other):
            assert float(one) > float(other) if arrow == "↑" else float(one) < float(other)


def test_the_main_job_equals_the_library() -> None:
    """BLEU of the example corpus by `tertium score` is what sacreBLEU itself computes, to 1e-12."""
    sacrebleu = pytest.importorskip("sacrebleu")
    pytest.importorskip("tertium_sacrebleu")
    files = {name: EXAMPLES / f"sentences.{name}.txt" for name in ("aurora", "ref1", "ref2")}
    texts = {name: file.read_text(encoding="utf-8").splitlines() for name, file in files.items()}

    words = ["--hyp", str(files["aurora"]), "--ref", str(files["ref1"]), "--ref", str(files["ref2"]), "--json"]
    result = json.loads(CliRunner().invoke(cli, ["score", "bleu@sacrebleu", *words]).stdout)

    expected = sacrebleu.corpus_bleu(texts["aurora"], [texts["ref1"], texts["ref2"]]).score
    assert pytest.approx(expected, rel=1e-12) == result["results"][0]["value"]

"""
`tertium fuzz`: what it shows for people and for programs, what it saves, and how it ends.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tertium.conformance.case_files import load_cases
from tertium.console import cli
from tertium.fuzzing.hunting import Hunt

Run = Callable[..., Result]

FAULTY = "py:miniatures.planted:Planted"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """
    Give a function that runs a command line in this process with the metrics that are installed.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    return lambda *words: CliRunner().invoke(cli, ["fuzz", *words])


def test_it_shows_what_explains(run: Run) -> None:
    """Counts, seed, the explanation, both choices and the smallest input with nothing hidden; the exit code is 0."""
    result = run("wer", "wer(split=unicode)", "--count", "400", "--seed", "3")

    assert result.exit_code == 0, result.output
    shown = result.stdout
    assert "400 cases in" in shown
    assert "seed 3" in shown
    assert "1 finding, 0 unexplained" in shown
    assert "1. wer.word-split" in shown
    assert "split: A jiwer, B unicode" in shown
    assert "  ref  " in shown


@pytest.mark.parametrize(
    ("words", "head"),
    [
        (("wer", "wer", "--count", "1"), "1 case in 1 corpus"),
        (("wer", "wer", "--count", "30"), "30 cases in"),
        (("wer", "wer", "--count", "30"), "0 inputs on which they differ; 0 findings, 0 unexplained"),
    ],
)
def test_counts_have_their_number(run: Run, words: tuple[str, ...], head: str) -> None:
    """One is one case in one corpus; everything else is many."""
    assert head in run(*words).stdout


def test_a_function_without_an_equivalent_points_to_what_infers_one(run: Run) -> None:
    """What a plain function differs in cannot be explained before its conventions are known, and it says how they are found."""
    function = "py:miniatures.functions:stripped"
    shape = "metric=exact-match,level=segment,input=strings,references=one,first=hypothesis,result=number,scale=1"
    result = run("exact-match", f"{function}({shape})", "--count", "600", "--longest", "0")
    declared = run("exact-match", f"{function}({shape},equivalent='exact-match(normalizer=strip)')", "--count", "600")

    assert result.exit_code == 1, result.output
    said = " ".join(result.stdout.split())
    assert f"`tertium audit {function} --metric exact-match` infers one; declare it with equivalent=SPEC" in said
    assert declared.exit_code == 0, declared.output
    assert "exact.normaliser" in declared.stdout


def test_agreement_is_said(run: Run) -> None:
    """Two that never part exit with 0."""
    result = run("wer", "wer", "--count", "100")

    assert result.exit_code == 0
    assert "the two agree on all of them" in result.stdout


def test_what_is_unexplained_exits_with_1(run: Run) -> None:
    """A planted fault is unexplained, comes first, and the exit code says so."""
    result = run("exact-match(normalizer=lowercase)", f"{FAULTY}(fault=flips)", "--count", "700")

    assert result.exit_code == 1, result.output
    assert "2 findings, 1 unexplained" in result.stdout
    assert "1. unexplained" in result.stdout
    assert "2. exact.normaliser" in result.stdout
    assert "parts first in" in result.stdout


def test_programs_read_json(run: Run) -> None:
    """One object holds specs, counts and each finding with its case."""
    result = run("wer", "wer(case=lower)", "--count", "300", "--json")

    report = json.loads(result.stdout)
    assert (report["cases"], report["seed"], report["unexplained"]) == (300, 0, 0)
    (finding,) = report["findings"]
    assert finding["by"] == ["wer.case"]
    assert finding["explained"] is True
    assert finding["case"]["axes"] == ["wer.case"]
    assert finding["choices"] == {"case": ["sensitive", "lower"]}


def test_saved_findings_are_conformance_cases(run: Run, tmp_path: Path) -> None:
    """Findings are written as a file of cases that the suite's reader takes; saved twice they stand there once."""
    words = ("wer", "wer(case=lower,split=unicode)", "--count", "400", "--save", "found")
    first, again = run(*words), run(*words)

    assert (first.exit_code, again.exit_code) == (0, 0), first.output
    assert "saved to found/wer.jsonl" in first.stdout
    cases = load_cases(tmp_path / "found")
    assert {case.axes for case in cases} == {("wer.case",), ("wer.word-split",)}
    assert all(case.metric == "wer" and len(case.measured) == 2 for case in cases)
    assert len((tmp_path / "found" / "wer.jsonl").read_text(encoding="utf-8").splitlines()) == 2


def test_other_outputs_are_saved_under_their_name(run: Run, tmp_path: Path) -> None:
    """A finding about another output than the headline names it in its case."""
    assert run("rougeL.recall", "rougeL(stemmer=nltk).recall", "--count", "300", "--save", "found").exit_code == 0

    assert {case.output for case in load_cases(tmp_path / "found")} == {"recall"}


def test_real_text_is_read(run: Run, tmp_path: Path) -> None:
    """A data file, or parallel files, give the text that is changed."""
    line = json.dumps({"hypothesis": "one zyzzyva", "references": ["two zyzzyva"]})
    (tmp_path / "data.jsonl").write_text(line + "\n", encoding="utf-8")
    (tmp_path / "hyp.txt").write_text("one zyzzyva\n", encoding="utf-8")
    (tmp_path / "ref.txt").write_text("two zyzzyva\n", encoding="utf-8")
    pair = ("exact-match", f"{FAULTY}(fault=word)", "--count", "200")

    assert run(*pair).exit_code == 0
    assert run(*pair, "--corpus", "data.jsonl").exit_code == 1
    assert run(*pair, "--hyp", "hyp.txt", "--ref", "ref.txt").exit_code == 1


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("wer",), 2, "takes two specs"),
        (("wer", "wer", "data.jsonl"), 2, "text goes to --corpus FILE"),
        (("wer", "chrf"), 2, "measure different things"),
        (("wer", "weer"), 2, "no metric 'weer'"),
        (("wer", "wer", "--time", "0"), 2, "--time"),
        (("wer", "wer", "--ref", "ref.txt"), 2, "--ref without --hyp"),
        (("wer", "wer", "--corpus", "a", "--hyp", "b"), 2, "--corpus beside --hyp"),
        (("wer", "wer", "--corpus", "none.jsonl"), 3, "none.jsonl"),
        (("wer", "wer", "--save", "file/below", "--count", "1"), 2, "saving to file/below"),
        (("wer", "py:miniatures.nowhere:Thing"), 4, "miniatures.nowhere"),
    ],
)
def test_bad_requests_end_with_one_line(run: Run, tmp_path: Path, words: tuple[str, ...], code: int, said: str) -> None:
    """What cannot be done is said in one line, with the exit code of its kind."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    result = run(*words)

    assert result.exit_code == code, result.output
    assert said in result.stderr
    assert "Traceback" not in result.stderr


def test_ctrl_c_shows_what_was_found(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """After an interruption the findings are printed, and the exit code is 130."""
    whole = Hunt._round

    def once(hunt: Hunt, corpora: Any) -> None:
        if hunt.result.tried:
            raise KeyboardInterrupt
        whole(hunt, corpora)

    monkeypatch.setattr(Hunt, "_round", once)
    result = run("wer", "wer(split=unicode)", "--count", "100000")

    assert result.exit_code == 130
    assert "1. wer.word-split" in result.stdout
    assert "interrupted" in result.stdout
    assert "interrupted" in result.stderr

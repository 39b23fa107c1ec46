"""
`tertium audit`: the report for people, for programs and as a page, and how it ends.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tertium.console import cli, notes

MINE = """
def hits(prediction, truth):
    return float(prediction.strip() == truth.strip())


def broken(prediction, truth):
    if len(prediction) == 5:
        raise ValueError("five")
    return float(prediction == truth)
"""

SHAPE = "(level=segment,input=strings,references=one,first=hypothesis,result=number,scale=1)"

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """
    Give a function that runs a command line in a folder with a module and data.
    """
    (tmp_path / "mine_hits.py").write_text(MINE, encoding="utf-8")
    rows = [
        {"id": "one", "hypothesis": " a", "references": ["a"]},
        {"id": "two", "hypothesis": "<b> ", "references": ["<b>"]},
    ]
    (tmp_path / "data.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (tmp_path / "sys.txt").write_text("a\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("COLUMNS", "120")
    return lambda *words: CliRunner().invoke(cli, list(words))


def test_it_shows_how_far_it_has_come(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal a line counts the probes, then the conformance cases."""
    seen: list[tuple[int, int, str]] = []
    monkeypatch.setattr(notes.Progress, "__call__", lambda _, *step: seen.append(step))
    done = run("audit", f"py:mine_hits:hits{SHAPE}", "--metric", "exact-match", "--probes", "30")
    units = [unit for *_, unit in seen]
    probes = [(count, total) for count, total, unit in seen if unit == "probes"]
    cases = [(count, total) for count, total, unit in seen if unit == "conformance cases"]

    assert done.exit_code == 0, done.stderr
    assert units == sorted(units, reverse=True)
    assert probes[0] == (1, 30)
    assert [count for count, _ in cases] == list(range(cases[0][1]))


def test_an_equal_function_ends_with_0_and_leaves_a_page(run: Run, tmp_path: Path) -> None:
    """The verdict leads; the page stands in the file that was named."""
    done = run("audit", "py:mine_hits:hits", "--metric", "exact-match", "data.jsonl", "--html", "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")

    assert done.exit_code == 0, done.stderr
    assert done.stdout.startswith("py:mine_hits:hits equals exact-match@native(normalizer=")
    assert "strip): in " in done.stdout.splitlines()[0]
    assert "the native default against it on data.jsonl" in done.stdout
    assert page.startswith("<!doctype html>")
    assert "&lt;b&gt;" in page
    assert "<b>" not in page
    assert "tried on a few lines" in done.stderr


def test_another_function_ends_with_1_and_says_why_as_json(run: Run) -> None:
    """A function that raises is unlike any setting; its case and error stand in the report."""
    done = run("audit", f"py:mine_hits:broken{SHAPE}", "--metric", "exact-match", "data.jsonl", "--json")
    report = json.loads(done.stdout)

    assert done.exit_code == 1
    assert not report["equal"]
    assert "equals no known setting" in report["verdict"]
    assert "ValueError" in [one["answer"] for one in report["fingerprint"]["unexplained"]]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["py:mine_hits:hits:level=segment"], 2, "Name it"),
        (["py:mine_hits:none", "--metric", "bleu"], 4, "no none in it; it has broken, hits"),
        (["py:mine_hits:hits", "--metric", "blue"], 2, "Did you mean bleu"),
        (["py:mine_hits:hits", "data.jsonl", "more.jsonl", "--metric", "bleu"], 2, "3 words were given"),
        (
            ["py:mine_hits:hits", "--metric", "bleu", "--hyp", "sys.txt", "--hyp", "sys.txt", "--ref", "sys.txt"],
            2,
            "one --hyp",
        ),
        (["py:mine_hits:hits", "none.jsonl", "--metric", "exact-match"], 3, "none.jsonl"),
        (["py:mine_hits:hits", "--metric", "exact-match", "--html", "nowhere/report.html"], 2, "no folder"),
    ],
)
def test_mistakes_are_one_line(run: Run, words: list[str], code: int, said: str) -> None:
    """Exit codes are the usual ones, and there is no traceback."""
    done = run("audit", *words)

    assert (done.exit_code, done.stdout) == (code, "")
    assert said in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr

"""
Functions on the command line: score, diff, explain and show take code of this folder.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tertium.console import cli

MINE = '''
import random


def f1(prediction, truth):
    """Token F1, as I do it."""
    one, other = prediction.split(), truth.split()
    common = len(set(one) & set(other))
    return 2 * common / (len(set(one)) + len(set(other))) if common else 0.0


def noisy(prediction, truth):
    return f1(prediction, truth) + random.random() / 100


def broken(prediction, truth):
    if prediction == "a b":
        raise ValueError("<b>\\n")
    return f1(prediction, truth)
'''

DATA = [
    {"hypothesis": "a b c", "references": ["a b c"]},
    {"hypothesis": "a b", "references": ["a c"]},
    {"hypothesis": "x x y", "references": ["x z"]},
]


Run = Callable[..., Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """
    Give a function that runs a command line in this process with the metrics that are installed.
    """
    monkeypatch.setenv("COLUMNS", "120")
    return lambda *words: CliRunner().invoke(cli, list(words))


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """
    Give a folder with a module and data.
    """
    (tmp_path / "mine_f1.py").write_text(MINE, encoding="utf-8")
    (tmp_path / "data.jsonl").write_text("".join(json.dumps(row) + "\n" for row in DATA), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_score_takes_functions_and_says_what_was_found_out(run: Run, place: Path) -> None:
    """The value is the function's mean, and its shape stands in a note."""
    done = run("score", "py:mine_f1:f1:metric=token-f1", "token-f1", "data.jsonl", "--json")

    assert done.exit_code == 0, done.stderr
    values = [result["value"] for result in json.loads(done.stdout)["results"]]
    assert values == pytest.approx([(1 + 0.5 + 0.5) / 3, (1 + 0.5 + 0.4) / 3], rel=1e-12)
    assert "note: py:mine_f1:f1(metric=token-f1): tried on a few lines, it is taken as input=strings" in done.stderr


def test_per_case_values_are_written(run: Run, place: Path) -> None:
    """A function of segments has values of cases."""
    done = run("score", "py:mine_f1:f1", "data.jsonl", "--per-case")

    assert done.exit_code == 0, done.stderr
    assert [line.split("\t")[2] for line in done.stdout.splitlines()[-3:]] == ["1.0", "0.5", "0.5"]


def test_diff_takes_the_metric_from_the_other_side(run: Run, place: Path) -> None:
    """`tertium diff token-f1 py:module:function DATA` needs no more; the case that differs is shown and shrunk."""
    done = run("diff", "token-f1", "py:mine_f1:f1", "data.jsonl", "--shrink", "--json")
    report = json.loads(done.stdout)

    assert done.exit_code == 1
    assert (report["differing"], report["carriers"][0]["hypothesis"]) == (1, "x x y")
    assert report["b"]["behaviour"] == {"calls": 3, "apart": report["b"]["behaviour"]["apart"], "remarks": []}
    scores = [result["score"] for result in report["shrunk"]["case"]["results"].values()]
    assert report["shrunk"]["complete"]
    assert scores[0] != scores[1]


def test_diff_says_what_is_amiss(run: Run, place: Path) -> None:
    """Randomness is a note; an error on one side is the finding, with its case, and no traceback."""
    noisy = run("diff", "token-f1", "py:mine_f1:noisy", "data.jsonl")
    broken = run("diff", "token-f1", "py:mine_f1:broken", "data.jsonl", "--shrink")

    assert (noisy.exit_code, broken.exit_code) == (1, 1)
    assert "note: py:mine_f1:noisy: it draws at random" in noisy.stderr
    assert "py:mine_f1:broken refuses these cases" in broken.stdout
    assert "it raises ValueError for case 1 (id '1'): <b>" in " ".join(broken.stdout.split())
    assert '"hyp": "a b"' in broken.stdout
    assert "Traceback" not in broken.stdout + broken.stderr


def test_explain_takes_a_declared_equivalent(run: Run, place: Path) -> None:
    """What the equivalent does not reproduce is the remainder."""
    spec = "py:mine_f1:f1(equivalent=token-f1)"
    done = run("explain", "token-f1(lowercase=true)", spec, "data.jsonl", "--json")
    report = json.loads(done.stdout)

    assert done.exit_code == 0, done.stderr
    assert report["parts"] == {"case": 0.0}
    assert report["remainder"] == pytest.approx(0.1 / 3, rel=1e-9)


def test_show_explains_the_shape(run: Run, place: Path) -> None:
    """The function's own words, its scale and the shape that was found."""
    done = run("show", "py:mine_f1:f1:metric=token-f1", "--json")
    (facts,) = json.loads(done.stdout)["metrics"]
    shape = {row["name"]: row["value"] for row in facts["parameters"]}

    assert (facts["metric"], facts["summary"], facts["scale"]) == ("token-f1", "Token F1, as I do it.", [0.0, 1.0])
    assert (shape["input"], shape["level"], shape["references"]) == ("strings", "segment", "one")
    assert "function" not in shape


@pytest.mark.parametrize(
    ("spec", "code", "said"),
    [
        ("py:mine_f1:f2", 4, "no f2 in it"),
        ("py:nowhere:f", 4, "there is no module nowhere"),
        ("py:mine_f1:f1:level=word", 2, "it takes segment, corpus"),
        ("py:mine_f1:random", 2, "nothing that can be called"),
        ("py:mine_f1:f1:metric=bleu", 2, "measure different things"),
    ],
)
def test_mistakes_are_one_line(run: Run, place: Path, spec: str, code: int, said: str) -> None:
    """Exit codes are the usual ones, and there is no traceback."""
    done = run("diff", "wer", spec, "data.jsonl")

    assert (done.exit_code, len(done.stderr.splitlines())) == (code, 1)
    assert said in done.stderr

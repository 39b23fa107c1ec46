"""
Tables of scores.
"""

from __future__ import annotations

from typing import Any

import pytest

from tertium.reports import table
from tertium.reports.terminal import render


def result(spec: str, value: float | str | None, system: str | None = None, **facts: Any) -> dict[str, Any]:
    """Make one result as --json prints it."""
    metric, _, provider = spec.partition("@")
    made = {
        "spec": spec,
        "metric": metric,
        "provider": provider,
        "version": "1",
        "value": value,
        "outputs": {"score": value},
        "scale": [0.0, 100.0],
        "higher_is_better": True,
        "signature": f"{spec}|x=1",
    }
    return made | ({} if system is None else {"system": system}) | facts


def draw(report: dict[str, Any], width: int, monkeypatch: pytest.MonkeyPatch, **options: Any) -> list[str]:
    """Draw a report on so many columns."""
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    return render(*table.scores({"tertium": "0", "cases": 1204, **report}, **options)).splitlines()


def test_decimal_points_stand_in_one_column(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scores of different sizes are right-aligned with equal decimals."""
    lines = draw({"results": [result("a@n", 100.0), result("b@n", 3.25)]}, 80, monkeypatch)

    rows = [line for line in lines if line.startswith(("a@n ", "b@n "))]
    assert [row.split()[1] for row in rows] == ["100.0000", "3.2500"]
    assert rows[0].index(".") == rows[1].index(".")
    assert lines[0] == "1,204 cases"


def test_further_outputs_stand_beside_where_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """At 120 columns further outputs are a column, in a narrow place they follow the table; nothing is lost."""
    spec = "bleu@a-provider(smooth_method=add-k,tokenize=intl)"
    outputs = {"score": 30.0, "bp": 0.98765, "hypothesis_length": 1204.0, "ratio": 1.5}
    report = {"results": [result(spec, 30.0, outputs=outputs)]}

    wide = draw(report, 140, monkeypatch, signatures=False)
    narrow = draw(report, 80, monkeypatch, signatures=False)

    expected = "bp=0.9877, hypothesis_length=1,204, ratio=1.5000"
    assert any(line.startswith(spec) and "30.0000" in line and expected in line for line in wide)
    assert f"{spec}: {expected}" in " ".join(narrow)
    assert all(len(line) <= 80 for line in narrow)


@pytest.mark.parametrize(
    ("spec", "left"), [("m@p.bp", "score=30"), ("m@p(k=1.5).bp", "score=30"), ("m@p(k=1.5)", "bp=0.5000")]
)
def test_the_score_is_not_among_the_further_outputs(monkeypatch: pytest.MonkeyPatch, spec: str, left: str) -> None:
    """The output that is the score is named by the spec, else it is the first; the others are the further ones."""
    lines = draw({"results": [result(spec, 30.0, outputs={"score": 30.0, "bp": 0.5})]}, 120, monkeypatch)

    row = next(line for line in lines if line.startswith(spec))
    assert row.endswith(left)


def test_failures_are_rows_with_their_reasons(monkeypatch: pytest.MonkeyPatch) -> None:
    """A provider that failed stands in the table with its reason, whatever the width."""
    failure = {"spec": "a@gone", "metric": "a", "provider": "gone", "reason": "the library [x] is not installed"}

    for width in (60, 120):
        text = " ".join(draw({"results": [result("a@n", 1.0)], "failures": [failure]}, width, monkeypatch))
        assert "failed" in text
        assert "the library [x] is not installed" in text


def test_undefined_scores_say_why(monkeypatch: pytest.MonkeyPatch) -> None:
    """An undefined score is a word in the table and a sentence below it."""
    lines = draw({"results": [result("a@n", None, reason="no word at all")]}, 80, monkeypatch)

    assert any("undefined" in line and line.startswith("a@n ") for line in lines)
    assert "a@n is undefined: no word at all" in lines


SYSTEMS = [
    result("a@n", 30.0, "out/x.txt"),
    result("e@n", 0.5, "out/x.txt", higher_is_better=False, scale=[0.0, "Infinity"]),
    result("a@n", 31.5, "out/y.txt"),
    result("e@n", 0.25, "out/y.txt", higher_is_better=False, scale=[0.0, "Infinity"]),
]


def test_systems_make_rows_and_specs_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several systems are compared down the columns, with direction and scale in the heading."""
    lines = draw({"results": SYSTEMS}, 80, monkeypatch)

    start = next(number for number, line in enumerate(lines) if "a@n" in line)
    assert lines[start].split() == ["a@n", "e@n"]
    assert lines[start + 1].split() == ["system", "↑", "0–100", "↓", "0–∞"]
    assert [line.split() for line in lines[start + 3 : start + 5]] == [
        ["x.txt", "30.0000", "0.5000"],
        ["y.txt", "31.5000", "0.2500"],
    ]


def test_signatures_that_systems_share_stand_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal signatures are one line; one that differs names its system."""
    odd = result("a@n", 2.0, "out/z.txt", signature="a@n|x=2")

    lines = draw({"results": [*SYSTEMS, odd]}, 80, monkeypatch)

    assert lines[-3:] == ["out/x.txt, out/y.txt: a@n|x=1", "out/x.txt, out/y.txt: e@n|x=1", "out/z.txt: a@n|x=2"]
    assert draw({"results": SYSTEMS}, 80, monkeypatch)[-2:] == ["a@n|x=1", "e@n|x=1"]


def test_too_many_columns_become_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the columns do not fit, each pair of spec and system is a row, and nothing is cut off."""
    many = [
        result(f"metric{number}@a-provider(parameter=value)", float(number), system)
        for system in ("out/x.txt", "out/y.txt")
        for number in range(6)
    ]

    lines = draw({"results": many}, 80, monkeypatch)

    assert all(len(line) <= 80 for line in lines[: lines.index("signatures")])
    rows = [line.split() for line in lines if ".txt" in line and "|" not in line]
    assert len(rows) == 12
    assert rows[10] == ["metric5@a-provider(parameter=value)", "x.txt", "5.0000", "↑", "0–100"]
    assert rows[11] == ["y.txt", "5.0000", "↑", "0–100"]


def test_the_best_is_marked_by_the_metric_s_direction() -> None:
    """The highest, or for an error rate the lowest, is the best; equal values have no best."""
    assert table._best([SYSTEMS[0], SYSTEMS[2]]) == 31.5
    assert table._best([SYSTEMS[1], SYSTEMS[3]]) == 0.25
    assert table._best([SYSTEMS[0], SYSTEMS[0]]) is None
    assert table._best([result("a@n", None), result("a@n", "Infinity")]) is None


def test_systems_of_one_name_keep_their_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders are left out only where the names still differ."""
    same = [result("a@n", 1.0, "one/x.txt"), result("a@n", 2.0, "two/x.txt")]

    text = "\n".join(draw({"results": same}, 80, monkeypatch))

    assert "one/x.txt" in text
    assert "two/x.txt" in text


def test_a_failure_among_systems_is_a_cell_and_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """A spec that failed for every system, or for one, is marked in the table and explained below it."""
    failures = [{"spec": "b@gone", "metric": "b", "provider": "gone", "reason": "not installed"}]

    lines = draw({"results": SYSTEMS, "failures": failures}, 100, monkeypatch)

    assert sum("failed" in line for line in lines if ".txt" in line) == 2
    assert "b@gone failed: not installed" in lines

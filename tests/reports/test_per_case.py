"""
Scores case by case.
"""

from __future__ import annotations

import json
import math

import pytest

from tertium.reports import per_case


def part(system: str | None, spec: str, **outputs: list[float]) -> dict[str, object]:
    """Make what the writers take."""
    return {"system": system, "spec": spec, "signature": f"{spec}|s", "ids": ("x", "y\tz"), "outputs": outputs}


def test_tsv_has_one_line_a_case() -> None:
    """Specs stand side by side; ids cannot break the table."""
    parts = [part(None, "a@n", f=[0.1, math.nan], g=[1.0, 2.0]), part(None, "b@n", f=[math.inf, 0.0])]

    assert list(per_case.tsv(parts)) == [
        "position\tid\ta@n/f\ta@n/g\tb@n/f\ta@n/signature\tb@n/signature\n",
        "0\tx\t0.1\t1.0\tInfinity\ta@n|s\tb@n|s\n",
        "1\ty\\tz\tnull\t2.0\t0.0\ta@n|s\tb@n|s\n",
    ]


def test_tsv_of_several_systems_keeps_its_columns() -> None:
    """A spec that failed for one system leaves null in its cells, and every line has as many cells as the header."""
    parts = [part("A", "a@n", f=[0.5, 1.0]), part("B", "a@n", f=[0.0, 0.25]), part("B", "b@n", f=[2.0, 3.0])]

    rows = [line.removesuffix("\n").split("\t") for line in per_case.tsv(parts)]

    assert rows[0] == ["system", "position", "id", "a@n/f", "b@n/f", "a@n/signature", "b@n/signature"]
    assert rows[1] == ["A", "0", "x", "0.5", "null", "a@n|s", "null"]
    assert rows[4] == ["B", "1", "y\\tz", "0.25", "3.0", "a@n|s", "b@n|s"]
    assert {7} == set(map(len, rows))


def test_json_lines_hold_one_object_a_case() -> None:
    """Each line has the scores and signatures of every spec, undefined ones as null."""
    parts = [part("A", "a@n", f=[0.1, math.nan]), part("A", "b@n", f=[-math.inf, 2.0])]

    first, second = map(json.loads, per_case.jsonl(parts))

    assert first == {
        "system": "A",
        "position": 0,
        "id": "x",
        "scores": {"a@n": {"f": 0.1}, "b@n": {"f": "-Infinity"}},
        "signatures": {"a@n": "a@n|s", "b@n": "b@n|s"},
    }
    assert (second["id"], second["scores"]) == ("y\tz", {"a@n": {"f": None}, "b@n": {"f": 2.0}})


@pytest.mark.parametrize("write", [per_case.tsv, per_case.jsonl])
def test_columns_of_other_lengths_are_refused(write: object) -> None:
    """A column that is too short is an error, never a shorter file."""
    assert callable(write)
    with pytest.raises(ValueError, match="zip"):
        list(write([part(None, "a@n", f=[1.0])]))


def test_nothing_is_no_file() -> None:
    """Without any part there is nothing to write."""
    with pytest.raises(ValueError, match="nothing"):
        list(per_case.tsv([]))


def test_groups_stand_beside_the_id() -> None:
    """Clusters and labels are columns after the id, and keys of each object."""
    groups = {"cluster": ("d1", "d\n2"), "label.genre": ("news", "")}
    parts = [{**part(None, "a@n", f=[0.5, 1.0]), "groups": groups}]

    rows = list(per_case.tsv(parts))
    second = json.loads(list(per_case.jsonl(parts))[1])

    assert rows[0] == "position\tid\tcluster\tlabel.genre\ta@n/f\ta@n/signature\n"
    assert rows[2] == "1\ty\\tz\td\\n2\t\t1.0\ta@n|s\n"
    assert list(second)[:4] == ["position", "id", "cluster", "label.genre"]
    assert (second["cluster"], second["label.genre"]) == ("d\n2", "")

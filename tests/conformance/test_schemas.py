"""
Schemas: the path to what is wrong.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from tertium.conformance.places import folder
from tertium.conformance.schemas import problem

CASE: dict[str, Any] = {
    "id": "one-idea",
    "family": "bleu",
    "metric": "bleu",
    "title": "T",
    "explanation": "E.",
    "tags": ["tie"],
    "axes": ["bleu.tie"],
    "params": {},
    "cases": [{"hyp": "a", "refs": ["a", {"$range": "w%d", "stop": 3}]}],
    "textbook": {"value": 0.5, "scale": "0-1"},
    "results": {"nltk": {"version": "3.10.0", "scale": "0-1", "status": "ok", "score": 1}},
}


def test_a_sound_case_has_no_problem() -> None:
    """The empty text says that all is well."""
    assert problem(CASE, "case") == ""


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"id": "One Idea"}, "$.id is"),
        ({"tags": []}, "$.tags holds 0 items"),
        ({"tags": ["tie", "nonsense"]}, "$.tags[1] is"),
        ({"metric": 5}, "$.metric is 5, not of type string"),
        ({"extra": 1}, "$ has 'extra', which is none of"),
        ({"cases": [{"hyp": "a"}]}, "$.cases[0] has no 'refs'"),
        ({"cases": [{"hyp": "a", "refs": "b"}]}, "$.cases[0].refs is"),
        ({"cases": [{"hyp": {"$range": "w%d"}, "refs": None}]}, "$.cases[0].hyp"),
        ({"cases": [{"hyp": "a", "refs": [None, True]}]}, "$.cases[0].refs[1] is true"),
        ({"textbook": {"value": "half", "scale": "0-1"}}, "$.textbook.value is"),
        ({"textbook": {"value": 1, "scale": "0-7"}}, "$.textbook.scale is"),
        ({"results": {"x": {"version": "1", "scale": "0-1", "status": "fine"}}}, "$.results.x.status is"),
        ({"tolerance": {"absolute": 0.1}}, "$.tolerance has no 'why'"),
        ({"title": ""}, "$.title is shorter than 1"),
        ({"title": "x" * 121}, "$.title is longer than 120"),
    ],
)
def test_a_problem_names_the_path(change: dict[str, Any], words: str) -> None:
    """What is wrong is named with the way to it."""
    assert words in problem({**CASE, **change}, "case")


def test_a_missing_field_is_a_problem() -> None:
    """Every required field must be there."""
    for name in CASE:
        if name != "textbook":
            assert problem({key: value for key, value in CASE.items() if key != name}, "case") == f"$ has no {name!r}"


def test_a_line_of_a_report_is_known_by_its_kind() -> None:
    """A faulty footer is told as a footer's fault, not as no kind of line."""
    footer = {"line": "footer", "cases": -1, "results": 0, "counts": {}, "seconds": None}

    assert problem(footer, "report") == "$.cases is -1, below 0"
    assert problem({"line": "tail"}, "report").startswith("$ is ")


def test_schemas_use_only_what_is_understood() -> None:
    """No keyword stands in a schema without effect."""
    known = {
        *("$schema", "$id", "$ref", "$defs", "title", "description", "type", "const", "enum", "required", "properties"),
        *(
            "additionalProperties",
            "items",
            "minItems",
            "minLength",
            "maxLength",
            "minimum",
            "pattern",
            "anyOf",
            "oneOf",
        ),
    }

    def keywords(schema: Any) -> set[str]:
        if not isinstance(schema, dict):
            return set()
        found = set(schema)
        for name, part in schema.items():
            if name in ("properties", "$defs"):
                found |= {word for one in part.values() for word in keywords(one)}
            elif name in ("anyOf", "oneOf"):
                found |= {word for one in part for word in keywords(one)}
            elif name in ("items", "additionalProperties"):
                found |= keywords(part)
        return found

    for file in (folder() / "schemas").glob("*.json"):
        assert keywords(json.loads(file.read_text(encoding="utf-8"))) <= known, file.name

"""
Case files: the suite that comes along, and files that are broken.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from miniatures.conformance import case_line
from tertium.conformance.case_files import digest, load_cases
from tertium.conformance.compact import written_out
from tertium.conformance.outcomes import Failed, Number
from tertium.conformance.schemas import problem
from tertium.errors import DataError, FormatError


def test_suite_is_large_and_every_case_is_its_own() -> None:
    """At least 450 cases, no id and no input twice, each with a title and one sentence."""
    cases = load_cases()
    inputs = [json.dumps([c.metric, c.output, {**c.params, **c.switches}, c.segments]) for c in cases]

    assert len(cases) >= 450
    assert len({case.id for case in cases}) == len(cases)
    assert len(set(inputs)) == len(cases)
    for case in cases:
        assert case.explanation.endswith("."), case.id
        assert case.title[:1].isupper() or not case.title[:1].isalpha(), case.id
        assert not case.title.endswith("."), case.id


def test_suite_covers_what_it_must() -> None:
    """Every kind of trouble has cases, and so has every metric that adapters bring."""
    cases = load_cases()
    tags = {tag for case in cases for tag in case.tags}

    assert {"empty", "tie", "chimera", "unicode", "whitespace", "short", "aggregation", "multi-ref", "gaming"} <= tags
    assert {"bleu", "chrf", "ter", "wer", "cer", "rouge1", "rougeLsum", "meteor", "cider-d", "ribes", "gleu"} <= {
        case.metric for case in cases
    }


def test_every_textbook_value_has_a_source() -> None:
    """A value that stands there says whose it is."""
    for case in load_cases():
        if case.textbook_value() is not None:
            assert case.textbook is not None
            assert case.textbook["source"], case.id


def test_lines_of_reports_fit_their_schema() -> None:
    """Every case can be written into a report."""
    for case in load_cases():
        assert problem(json.loads(json.dumps(case.to_json())), "report") == "", case.id


def test_measured_outcomes_are_typed() -> None:
    """A number is brought to the unit scale, and what a library raised keeps its name."""
    by_id = {case.id: case for case in load_cases()}

    found = by_id["8-3-exact-match-bleu"].measured["sacrebleu"].outcome
    assert isinstance(found, Number)
    assert abs(found.unit - 1) < 1e-12
    assert by_id["8-3-both-empty-bleu"].measured["torcheval"].outcome == Failed("ValueError", "")


def test_digest_sees_every_change(suite: Path) -> None:
    """The digest of two suites is equal only if they are."""
    before = digest(load_cases(suite))
    suite.write_text(suite.read_text(encoding="utf-8").replace('"hyp": "b"', '"hyp": "B"'), encoding="utf-8")

    assert before != digest(load_cases(suite))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", r"made\.jsonl:4.*not JSON"),
        ('{"id": "x"}', r"made\.jsonl:4.*\$ has no 'family'"),
        (json.dumps(case_line(id="right", hyp="x", refs=["y"])), r"made\.jsonl:4.*'right' stands at made\.jsonl:1"),
        (
            json.dumps({**case_line(id="other", hyp="x", refs=["y"]), "family": "else"}),
            r"made\.jsonl:4.*'else' in a file of 'made'",
        ),
        (json.dumps(case_line(id="other", hyp=7, refs=["y"])), r"made\.jsonl:4.*\$\.cases\[0\]\.hyp is 7"),
    ],
)
def test_broken_line_is_named_with_its_place(suite: Path, line: str, words: str) -> None:
    """File, line and the path inside the line are named."""
    suite.write_text(suite.read_text(encoding="utf-8") + line + "\n", encoding="utf-8")

    with pytest.raises(FormatError, match=words):
        load_cases(suite)


def test_nothing_to_read_is_said(tmp_path: Path) -> None:
    """A folder without files of cases is an error."""
    with pytest.raises(DataError, match="no file of JSON Lines"):
        load_cases(tmp_path)


@pytest.mark.parametrize(
    ("compact", "text"),
    [
        ({"$repeat": "ab", "times": 2, "suffix": "c"}, "ababc"),
        ({"$range": "w%d", "start": 1, "stop": 3}, "w1 w2"),
        ({"$range": "w%d", "stop": 2, "sep": ","}, "w0,w1"),
        ({"$concat": ["a", {"$repeat": "b", "times": 2}]}, "abb"),
        ({"$list": "a", "times": 2}, ["a", "a"]),
        (["a", {"$repeat": "b", "times": 1}], ["a", "b"]),
        (None, None),
    ],
)
def test_compact_texts_are_written_out(compact: object, text: object) -> None:
    """A description becomes the text or list that it stands for."""
    assert written_out(compact) == text

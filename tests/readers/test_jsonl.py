"""
JSON Lines: one object a line, with null, "" and a missing field kept apart.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.errors import EmptyCorpus, FormatError, ParameterError
from tertium.readers import read

Write = Callable[[str, bytes | str], str]
GOOD = '{"hypothesis": "a", "references": ["b"]}\n'


def lines(*objects: Any) -> str:
    return "".join(json.dumps(one) + "\n" for one in objects)


def test_objects_become_cases(write: Write) -> None:
    """
    The usual fields are read by name; references are a list or one text.
    """
    path = write(
        "a.jsonl",
        lines(
            {
                "id": "s1",
                "hypothesis": "a b",
                "references": ["a b", "a c"],
                "source": "A",
                "cluster": "d1",
                "labels": {"domain": "news", "year": 2017},
                "label.tone": "dry",
            },
            {
                "labels": {"year": 2018, "domain": "law"},
                "label.tone": "wry",
                "id": 2,
                "references": "d",
                "hypothesis": "",
                "source": "",
                "cluster": "d1",
                "extra": None,
            },
        ),
    )
    cases = read(path)
    assert cases.hypotheses == ("a b", "")
    assert cases.references == (("a b", "a c"), ("d",))
    assert (cases.ids, cases.sources, cases.clusters) == (("s1", "2"), ("A", ""), ("d1", "d1"))
    assert dict(cases.labels) == {"domain": ("news", "law"), "year": ("2017", "2018"), "tone": ("dry", "wry")}


def test_null_empty_list_and_empty_text_are_three_things(write: Write) -> None:
    """
    null: no reference entry; []: an empty list; "" and [""]: an empty text.
    """
    entries: list[Any] = [None, [], "", [""], ["a", ""]]
    path = write("a.jsonl", lines(*({"hypothesis": "x", "references": entry} for entry in entries)))
    assert read(path).references == (None, (), ("",), ("",), ("a", ""))
    assert read(path, empty_reference="absent").references == (None, (), (), (), ("a",))


def test_missing_field_names_its_line(write: Write) -> None:
    """
    A field that one object lacks is an error and no empty text, wherever it happens.
    """
    for field in ("hypothesis", "references", "id"):
        whole = {"id": "0", "hypothesis": "a", "references": ["b"]}
        partial = {key: value for key, value in whole.items() if key != field}
        body = lines(*({**whole, "id": str(n)} for n in range(5000)), partial)
        with pytest.raises(FormatError, match=f"the object has no '{field}'") as caught:
            read(write("a.jsonl", body))
        assert caught.value.line == 5001


def test_field_that_the_first_object_lacks_is_an_error(write: Write) -> None:
    """
    A source, a label or another numbered reference that appears later is not passed over in silence.
    """
    for late in ({"source": "A"}, {"id": "7"}, {"label.x": "y"}, {"labels": {"x": "y"}}):
        with pytest.raises(FormatError, match="which line 1 has not") as caught:
            read(write("a.jsonl", GOOD + lines({"hypothesis": "a", "references": ["b"], **late})))
        assert caught.value.line == 2
    with pytest.raises(FormatError, match="the object has 'ref2', which line 1 has not"):
        read(write("b.jsonl", lines({"hyp": "a", "ref1": "b"}, {"hyp": "a", "ref1": "b", "ref2": "c"})))
    extra = GOOD + lines({"hypothesis": "a", "references": ["b"], "source": "A", "comment": 1})
    assert read(write("c.jsonl", extra), sources="").sources is None


def test_numbered_fields_make_several_references(write: Write) -> None:
    """
    ref1 and ref2 go together; null in one of them: this stream has none; null in all: no entry.
    """
    body = lines(
        {"hyp": "a", "ref1": "b", "ref2": "c"},
        {"hyp": "a", "ref1": None, "ref2": ["c", "d"]},
        {"hyp": "a", "ref1": None, "ref2": None},
    )
    assert read(write("a.jsonl", body)).references == (("b", "c"), ("c", "d"), None)


def test_other_usual_names_and_chosen_ones(write: Write, notes: list[str]) -> None:
    """
    A usual name is found when it leaves no doubt; any name can be chosen; two in doubt are an error.
    """
    for hypothesis in ("prediction", "output", "pred", "generated_text", "hyp"):
        for reference in ("reference", "target", "label", "refs", "ref"):
            path = write("a.jsonl", lines({hypothesis: "a", reference: "b"}))
            case = read(path, notes=notes.append)[0]
            assert (case.hypothesis, case.references) == ("a", ("b",))
    assert any("'generated_text'" in note for note in notes)
    both = write("b.jsonl", lines({"pred": "a", "output": "b", "target": "c", "gold": ["d"]}))
    with pytest.raises(FormatError, match="several fields may hold the hypotheses: pred, output") as caught:
        read(both)
    assert caught.value.line == 1
    assert read(both, hypotheses="output", references="gold").references == (("d",),)
    with pytest.raises(FormatError, match=r"no field 'golds' for the references.*Did you mean gold\?"):
        read(both, hypotheses="pred", references="golds")


def test_aliases_that_change_between_lines_are_an_error(write: Write) -> None:
    """
    A file that calls the hypothesis by two names is not mixed.
    """
    with pytest.raises(FormatError, match="the object has 'pred', which line 1 has not") as caught:
        read(write("a.jsonl", lines({"prediction": "a", "ref": "b"}, {"pred": "a", "ref": "b"})), notes=lambda _: None)
    assert caught.value.line == 2


@pytest.mark.parametrize(
    ("hypothesis", "references", "problem"),
    [
        (None, ["b"], "'hypothesis' is null, not a text"),
        (3, ["b"], "'hypothesis' is the number 3, not a text"),
        (["a"], ["b"], "'hypothesis' is a list, not a text"),
        ({"text": "a"}, ["b"], "'hypothesis' is an object, not a text"),
        ("a", 1.5, "'references' is the number 1.5, not a text, a list of texts or null"),
        ("a", {"text": "b"}, "'references' is an object"),
        ("a", [["b"]], "the list 'references' holds a list, not a text"),
        ("a", ["b", None], "the list 'references' holds null, not a text"),
        ("a", ["b", 2], "the list 'references' holds the number 2, not a text"),
        ("a", [True], "the list 'references' holds true, not a text"),
    ],
)
def test_values_of_other_types_name_their_line(hypothesis: Any, references: Any, problem: str, write: Write) -> None:
    """
    Numbers, null, objects and nested lists are refused with the line and what stands there.
    """
    with pytest.raises(FormatError) as caught:
        read(write("a.jsonl", GOOD * 2 + lines({"hypothesis": hypothesis, "references": references}) + GOOD))
    assert caught.value.line == 3
    assert problem in str(caught.value)


@pytest.mark.parametrize("value", [None, 1.0, True, ["x"]])
def test_ids_and_labels_are_texts_or_whole_numbers(value: Any, write: Write) -> None:
    """
    null, fractions, truth values and lists are no ids and no labels.
    """
    for field in ("id", "cluster", "label.x"):
        with pytest.raises(FormatError, match=f"'{field}' is .* not a text or a whole number") as caught:
            read(write("a.jsonl", lines({"hypothesis": "a", "references": [], field: value})))
        assert caught.value.line == 1
    with pytest.raises(FormatError, match=r"'labels\.x' is"):
        read(write("b.jsonl", lines({"hypothesis": "a", "references": [], "labels": {"x": value}})))


def test_labels_must_be_the_same_on_every_line(write: Write) -> None:
    """
    An object of labels with another set of names is an error with its line.
    """
    one = {"hypothesis": "a", "references": ["b"], "labels": {"x": "1"}}
    for other in ({"y": "1"}, {"x": "1", "y": "2"}, None, "x"):
        with pytest.raises(FormatError, match=r"the labels are not those of line 1 \(x\)") as caught:
            read(write("a.jsonl", lines(one, {**one, "labels": other})))
        assert caught.value.line == 2


def test_repeated_ids_and_keys_are_errors(write: Write) -> None:
    """
    An id that stands twice names both lines (also 1 and "1"); a key that stands twice names the key.
    """
    with pytest.raises(FormatError, match="the id '1' stands on line 1 already") as caught:
        read(write("a.jsonl", lines(*({"id": i, "hypothesis": "a", "references": []} for i in (1, "2", "1")))))
    assert caught.value.line == 3
    with pytest.raises(FormatError, match="the key 'hypothesis' stands twice") as caught:
        read(write("b.jsonl", GOOD + '{"hypothesis": "a", "hypothesis": "b", "references": []}\n'))
    assert caught.value.line == 2


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_nan_and_infinity_are_no_json(word: str, write: Write) -> None:
    """
    The words that Python's json writes for such numbers are refused, also in fields that are not read.
    """
    with pytest.raises(FormatError, match=f"{word} is no JSON value") as caught:
        read(write("a.jsonl", GOOD + f'{{"hypothesis": "a", "references": [], "score": {word}}}\n'))
    assert caught.value.line == 2


@pytest.mark.parametrize("escape", ["\\ud83d", "\\uDE00", "\\ude00\\ud83d"])
def test_escaped_half_characters_name_their_line(escape: str, write: Write) -> None:
    """
    A lone surrogate is refused; a pair is the character that it stands for.
    """
    with pytest.raises(FormatError, match="lone surrogate U\\+D") as caught:
        read(write("a.jsonl", GOOD + f'{{"hypothesis": "a {escape}", "references": []}}\n'))
    assert caught.value.line == 2
    assert read(write("b.jsonl", '{"hypothesis": "\\ud83d\\ude00", "references": []}')).hypotheses == ("😀",)


def test_literal_line_separators_stay_in_their_line(write: Write) -> None:
    """
    U+2028 and U+0085 written as themselves end no record.
    """
    text = "a\u2028b\u0085c"
    cases = read(write("a.jsonl", json.dumps({"hypothesis": text, "references": [text]}, ensure_ascii=False) + "\n"))
    assert (cases.hypotheses, cases.references) == ((text,), ((text,),))


def test_array_and_object_over_several_lines_are_named(write: Write) -> None:
    """
    A pretty-printed array or object is not taken for lines, and the error says how to make lines of it.
    """
    data = [{"hypothesis": "a", "references": ["b"]}]
    for body, problem in [
        (json.dumps(data, indent=2), "a JSON array begins here"),
        (json.dumps(data), "the line is a JSON array"),
        (json.dumps(data[0], indent=2), "the object goes on beyond the line"),
    ]:
        with pytest.raises(FormatError, match=rf"{problem}.*jq -c") as caught:
            read(write("a.json", body))
        assert caught.value.line == 1


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        ("", "the line is blank"),
        ("  ", "the line is blank"),
        ("a b", "not JSON"),
        ('{"hypothesis": "a",', "goes on beyond the line"),
        ('{"hypothesis": "a\tb", "references": []}', "not JSON .*control character"),
        ("{'hypothesis': 'a'}", "not JSON"),
        ('{"hypothesis": "a", "references": []} {"hypothesis": "b"}', "after the JSON value stands"),
        ('{"hypothesis": "a", "references": []},', "after the JSON value stands ','"),
        ('"text"', "the line is a text, not an object"),
        ("null", "the line is null"),
        ("12", "the line is the number 12"),
        ("[" * 100_000, "nested too deeply"),
        ('{"hypothesis": "a", "references": [], "n": ' + "1" * 5000 + "}", "not JSON"),
    ],
)
def test_lines_that_are_no_object_name_their_line(bad: str, problem: str, write: Write) -> None:
    """
    Whatever else stands on a line is an error with its number and never a traceback.
    """
    with pytest.raises(FormatError, match=problem) as caught:
        read(write("a.jsonl", f"{GOOD}{bad}\n{GOOD}"))
    assert caught.value.line == 2


def test_blank_lines_at_the_end_are_noted(write: Write, notes: list[str]) -> None:
    """
    Only at the end blank lines are ignored, with a note.
    """
    assert len(read(write("a.jsonl", GOOD + "\n \n"), notes=notes.append)) == 1
    assert ["2 lines without an object" in note for note in notes] == [True]


def test_text_that_is_no_json_is_shown(write: Write) -> None:
    """
    A line on which no JSON value begins is told by its own beginning.
    """
    with pytest.raises(FormatError, match=r"the line is not JSON \(it begins with 'plain text'\)"):
        read(write("a.jsonl", "plain text\n"))


def test_one_blank_line_at_the_end_is_noted_in_the_singular(write: Write, notes: list[str]) -> None:
    """
    The note about one blank line reads as a sentence about one.
    """
    read(write("a.jsonl", GOOD + "\n"), notes=notes.append)

    assert notes[0].endswith("1 line without an object at the end was ignored")


def test_white_space_around_objects_and_crlf_are_accepted(write: Write) -> None:
    """
    JSON allows blanks around a value; Windows line ends are line ends.
    """
    assert len(read(write("a.jsonl", f" \t{GOOD.rstrip()} \r\n{GOOD.rstrip()}\r\n"), notes=pytest.fail)) == 2


def test_no_objects_are_no_corpus(write: Write) -> None:
    """
    An empty file and one of blank lines hold no cases.
    """
    for body in ("", "\n\n"):
        with pytest.raises(EmptyCorpus, match=r"a\.jsonl"):
            read(write("a.jsonl", body), notes=lambda _: None)


def test_missing_references_must_be_said(write: Write) -> None:
    """
    Data without references are read when the user says so, and are an error otherwise.
    """
    path = write("a.jsonl", lines({"hypothesis": "a", "source": "A"}))
    with pytest.raises(FormatError, match=r"no field is known to hold the references.*references=''"):
        read(path)
    assert read(path, references="").references == (None,)


def test_options_of_tables_mean_nothing_here(write: Write) -> None:
    """
    A delimiter or a missing header is refused for JSON Lines, not ignored.
    """
    for options in ({"delimiter": ";"}, {"header": False}):
        with pytest.raises(ParameterError, match="is read as jsonl"):
            read(write("a.jsonl", GOOD), **options)


def test_separator_cuts_references_that_are_one_text(write: Write) -> None:
    """
    One text may hold several references; texts of a list are whole.
    """
    body = lines({"hyp": "a", "ref": "b|c"}, {"hyp": "a", "ref": ["b|c"]})
    assert read(write("a.jsonl", body), reference_separator="|").references == (("b", "c"), ("b|c",))


def test_traces_are_noted_for_both_sides(write: Write, notes: list[str]) -> None:
    """
    Entities in hypotheses and in first references are noted.
    """
    read(write("a.jsonl", lines({"hyp": "a &amp; b", "ref": ["c &lt; d"]})), notes=notes.append)
    assert ["(hypotheses)" in note for note in notes] == [True, False]
    assert ["(first references)" in note for note in notes] == [False, True]


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


@settings(max_examples=100, deadline=None)
@given(
    rows=st.lists(st.tuples(TEXTS, st.none() | st.lists(TEXTS, max_size=3)), min_size=1, max_size=6),
    escaped=st.booleans(),
)
def test_any_objects_come_back(rows: list[tuple[str, list[str] | None]], escaped: bool) -> None:
    """
    Any texts, line breaks included, written by Python's json in either style come back.
    """
    body = "".join(json.dumps({"hypothesis": h, "references": r}, ensure_ascii=escaped) + "\n" for h, r in rows)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.jsonl")
        path.write_bytes(body.encode())
        cases = read(path, notes=lambda _: None)
    assert cases.hypotheses == tuple(h for h, _ in rows)
    assert cases.references == tuple(None if r is None else tuple(r) for _, r in rows)


def test_real_file(shared: Path) -> None:
    """
    A real file with a field reference and others that mean nothing here is read whole.
    """
    path = shared / "data" / "asr" / "aishell1-zh" / "data.jsonl"
    cases = read(path, notes=lambda _: None)
    assert len(cases) == 2000
    assert cases.ids[:2] == ("sample_0", "sample_1")
    assert set(cases.reference_counts.tolist()) == {1}

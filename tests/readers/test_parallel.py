"""
Parallel files: equal counts, references that may be absent, and lines that are records of another format.
"""

from __future__ import annotations

import io
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from tertium.errors import BadNesting, CountMismatch, EmptyCorpus, FormatError, ParameterError, UsageError
from tertium.readers import ReadingNote, read_parallel, read_systems

Write = Callable[[str, bytes | str], str]
REF = "the red fox ran home\nthe blue bird sang a song\n"


def test_files_become_cases_line_by_line(write: Write) -> None:
    """
    Hypotheses, several references, sources, ids, clusters and labels of one line belong to one case.
    """
    cases = read_parallel(
        write("hyp", "a\nb\n"),
        [write("ref0", "a1\nb1\n"), write("ref1", "a2\n\n")],
        write("src", "A\nB\n"),
        ids=write("ids", "s1\ns2\n"),
        clusters=write("docs", "d1\nd1\n"),
        labels={"domain": write("domains", "news\nlaw\n")},
    )
    assert cases.hypotheses == ("a", "b")
    assert cases.references == (("a1", "a2"), ("b1", ""))
    assert cases.sources == ("A", "B")
    assert cases.ids == ("s1", "s2")
    assert cases.clusters == ("d1", "d1")
    assert dict(cases.labels) == {"domain": ("news", "law")}


def test_one_path_is_one_stream_and_none_is_no_references(write: Write) -> None:
    """
    A single reference file need not stand in a list; without any, cases have no reference entry.
    """
    hyp, ref = write("hyp", "a\n"), write("ref", "b\n")
    assert read_parallel(hyp, Path(ref)).references == (("b",),)
    assert read_parallel(hyp).references == (None,)
    with pytest.raises(BadNesting, match="file names are needed"):
        read_parallel(hyp, [[ref]])  # type: ignore[list-item]


def test_byte_order_mark_does_not_reach_the_texts(write: Write, notes: list[str]) -> None:
    """
    UC-060: hypotheses saved with a byte order mark equal the references.
    """
    hyp = write(
        "hyp",
        bytes.fromhex(
            "efbbbf7468652072656420666f782072616e20686f6d650a74686520626c756520626972642073616e67206120736f6e670a"
        ),
    )
    cases = read_parallel(hyp, write("ref", REF), notes=notes.append)
    assert [(case.hypothesis,) for case in cases] == [case.references for case in cases]
    assert [note for note in notes if "byte order mark" in note] == notes
    assert len(notes) == 1


def test_line_separator_does_not_shift_lines(write: Write) -> None:
    """
    UC-061: U+2028 inside a hypothesis leaves two segments.
    """
    cases = read_parallel(write("hyp", "the red fox ran home\nthe blue\u2028bird sang a song\n"), write("ref", REF))
    assert len(cases) == 2
    assert cases[1].hypothesis == "the blue\u2028bird sang a song"


def test_extra_blank_line_at_the_end_is_counted(write: Write) -> None:
    """
    UC-062: three lines against two are an error with files, counts and the blank line.
    """
    hyp, ref = write("hyp.txt", REF + "\n"), write("ref.txt", REF)
    with pytest.raises(CountMismatch) as caught:
        read_parallel(hyp, ref)
    error = caught.value
    assert error.sides == ((hyp, 3), (ref, 2))
    assert error.detail == f"the first blank line in only one of them is {hyp}:3"
    assert error.exit_code == 3
    assert "3 segments" in str(error)
    assert "has 2" in str(error)


def test_unequal_counts_name_the_first_line_that_only_one_side_left_blank(write: Write) -> None:
    """
    The blank line that may have shifted a side is named, also in the middle and on the reference side.
    """
    hyp, ref = write("hyp", "a\n\nb\nc\n"), write("ref", "A\n\nB\n \nC\n")
    with pytest.raises(CountMismatch) as caught:
        read_parallel(hyp, ref)
    assert caught.value.detail.endswith(f"{ref}:4")
    with pytest.raises(CountMismatch, match="2 lines too many"):
        read_parallel(write("h", "a\nb\nc\n"), write("r", "A\n"))


def test_every_file_is_counted_before_anything_is_scored(write: Write) -> None:
    """
    UC-002 and UC-050: a short stream among several, and short sources and ids, are found by name.
    """
    hyp, ref, short = write("hyp", "a b\nc d\n"), write("ref0", "a b\nc d\n"), write("ref1", "a b\n")
    with pytest.raises(CountMismatch) as caught:
        read_parallel(hyp, [ref, short])
    assert caught.value.sides == ((hyp, 2), (short, 1))
    for role in ("sources", "ids", "clusters"):
        with pytest.raises(CountMismatch) as caught:
            read_parallel(hyp, ref, **{role: short})  # type: ignore[arg-type]
        assert caught.value.sides == ((hyp, 2), (short, 1))
    with pytest.raises(CountMismatch):
        read_parallel(hyp, ref, labels={"domain": short})


def test_one_character_and_blank_lines_are_cases(write: Write) -> None:
    """
    UC-063: segments of one letter, one ideograph or nothing are neither dropped nor shifted.
    """
    cases = read_parallel(
        write("hyp", "go left\na\n我\n\nturn right\n"), write("ref", "go left\nI\n你\n\nturn right\n")
    )
    assert cases.hypotheses == ("go left", "a", "我", "", "turn right")
    assert cases.references == (("go left",), ("I",), ("你",), ("",), ("turn right",))


def test_crlf_on_one_side_changes_nothing(write: Write) -> None:
    """
    Windows line ends on the reference side leave the texts equal.
    """
    cases = read_parallel(write("hyp", REF), write("ref", REF.replace("\n", "\r\n")))
    assert all(case.references == (case.hypothesis,) for case in cases)


def test_latin1_is_an_error_with_the_place(write: Write) -> None:
    """
    UC-064: a byte that is not UTF-8 names file, line, byte and an encoding to ask for.
    """
    hyp = write("hyp", bytes.fromhex("746865207265640a746865206361e92066616c6c730a"))
    with pytest.raises(FormatError, match="name that encoding") as caught:
        read_parallel(hyp, write("ref", "the red\nthe cafe falls\n"))
    assert (caught.value.file, caught.value.line, caught.value.offset) == (hyp, 2, 14)


def test_two_empty_files_are_no_corpus(write: Write) -> None:
    """
    UC-019: no segments at all is an error that names the file.
    """
    hyp = write("hyp", b"")
    with pytest.raises(EmptyCorpus, match="hyp"):
        read_parallel(hyp, write("ref", b""))
    with pytest.raises(CountMismatch):
        read_parallel(hyp, write("other", b"a\n"))


def test_empty_reference_is_absent_only_when_asked(write: Write) -> None:
    """
    A blank reference line is an empty text by default, and no reference of that stream when asked.
    """
    hyp, refs = write("hyp", "a\nb\nc\n"), [write("ref0", "a\n\n\n"), write("ref1", "A\nB\n\n")]
    assert read_parallel(hyp, refs).references == (("a", "A"), ("", "B"), ("", ""))
    assert read_parallel(hyp, refs, empty_reference="absent").references == (("a", "A"), ("B",), ())
    with pytest.raises(ParameterError, match="text or absent"):
        read_parallel(hyp, refs, empty_reference="drop")  # type: ignore[arg-type]


def test_one_file_may_hold_several_references(write: Write) -> None:
    """
    A separator cuts each line into as many references as it has; without one a tab is text.
    """
    hyp, ref = write("hyp", "a\nb\n"), write("ref", "a\tA\nb\n")
    assert read_parallel(hyp, ref).references == (("a\tA",), ("b",))
    assert read_parallel(hyp, ref, reference_separator="\t").references == (("a", "A"), ("b",))
    marked = write("marked", "a*#A*#\nb\n")
    assert read_parallel(hyp, marked, reference_separator="*#").references == (("a", "A", ""), ("b",))
    absent = read_parallel(hyp, marked, reference_separator="*#", empty_reference="absent")
    assert absent.references == (("a", "A"), ("b",))
    for bad in ("", "\n"):
        with pytest.raises(ParameterError, match="reference_separator"):
            read_parallel(hyp, ref, reference_separator=bad)


def test_repeated_id_names_both_lines(write: Write) -> None:
    """
    An id that stands twice is an error with both lines.
    """
    ids = write("ids", "s1\ns2\ns1\n")
    with pytest.raises(FormatError, match="'s1' stands on line 1 already") as caught:
        read_parallel(write("hyp", "a\nb\nc\n"), ids=ids)
    assert (caught.value.file, caught.value.line) == (ids, 3)


def test_standard_input_may_be_one_side(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    One side may be -, two may not.
    """
    ref = write("ref", "a\nb\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a\n")))
    with pytest.raises(CountMismatch, match="standard input has 1 segments"):
        read_parallel("-", ref)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a\nb\n")))
    with pytest.raises(UsageError, match="named more than once"):
        read_parallel("-", "-")
    assert read_parallel("-", ref).hypotheses == ("a", "b")


def test_the_same_file_on_two_sides_is_noted(write: Write, notes: list[str]) -> None:
    """
    A perfect score of a file against itself does not go unnoticed.
    """
    ref = write("ref", "a\n")
    assert read_parallel(ref, [ref], notes=notes.append).references == (("a",),)
    assert len(notes) == 1
    assert "the same file as the hypotheses" in notes[0]


def test_several_systems_share_their_references(write: Write, notes: list[str]) -> None:
    """
    The references of several systems are read once, from a stream too, and a system given twice is noted.
    """
    systems = [write("a", "a\nb\n"), write("b", "c\nd\n")]
    ref = write("ref", "\ufeffA\nB\n")
    first, second = read_systems(systems, ref, notes=notes.append)
    assert (first.hypotheses, second.hypotheses) == (("a", "b"), ("c", "d"))
    assert first.references == second.references == (("A",), ("B",))
    assert ["byte order mark" in note for note in notes] == [True]
    notes.clear()
    read_systems([*systems, systems[0]], ref, notes=notes.append)
    assert [f"the same file as the hypotheses {systems[0]}" in note for note in notes] == [True, False]
    with pytest.raises(CountMismatch) as caught:
        read_systems([systems[0], write("c", "a\n")], ref, notes=notes.append)
    assert [count for _, count in caught.value.sides] == [1, 2]


def test_n_best_lists_and_sgml_are_no_plain_lines(write: Write) -> None:
    """
    Lines that are candidates of one segment, or markup, are refused instead of scored with their marks.
    """
    ref = write("ref", "a\nb\n")
    with pytest.raises(FormatError, match="n-best list"):
        read_parallel(write("hyp", "0 ||| a ||| f=1 ||| -1.2\n0 ||| b ||| f=2 ||| -1.4\n"), ref)
    with pytest.raises(FormatError, match="SGML"):
        read_parallel(write("hyp2", "a\nb\n"), write("sgm", '<refset setid="demo" refid="A">\n<seg id=1>a</seg>\n'))
    assert read_parallel(write("hyp3", "0 ||| a ||| b\nplain\n"), ref).hypotheses[1] == "plain"


def test_json_lines_given_as_plain_lines_are_noted(write: Write, notes: list[str]) -> None:
    """
    A data file named as the hypotheses is scored as it stands, and a note says so.
    """
    read_parallel(write("hyp", '{"hypothesis": "a"}\n'), write("ref", "a\n"), notes=notes.append)
    assert ["JSON object" in note for note in notes] == [True]


def test_traces_of_earlier_steps_are_noted(write: Write, notes: list[str]) -> None:
    """
    HTML entities and subword marks left in a text are noted with their number and the first text.
    """
    hyp = write("hyp", "Tom\nTom &amp; Ann\n&quot;no&quot;\nlow@@ er\n")
    read_parallel(hyp, write("ref", "Tom\nTom & Ann\nno\nlower\n"), notes=notes.append)
    assert len(notes) == 2
    assert notes[0].startswith(f"{hyp}: 2 texts hold HTML entities")
    assert notes[0].endswith("(the first is 2)")
    assert notes[1].startswith(f"{hyp}: 1 text holds subword marks")
    assert notes[1].endswith("(the first is 4)")


def test_tokenized_side_is_noted(write: Write, notes: list[str]) -> None:
    """
    UC-031: a side that looks tokenized gives one note when the other does not, and none when both do.
    """
    hyp = write("hyp", "".join(f"this is line {n} .\n" for n in range(120)))
    cases = read_parallel(hyp, write("ref", "".join(f"this is line {n}.\n" for n in range(120))), notes=notes.append)
    assert cases.hypotheses[0] == "this is line 0 ."
    assert len(notes) == 1
    assert "120 texts look tokenized" in notes[0]
    assert notes[0].endswith("(the first is 1)")
    notes.clear()
    read_parallel(hyp, write("ref2", "".join(f"it is line {n} .\n" for n in range(120))), notes=notes.append)
    assert notes == []


def test_invisible_characters_of_one_side_are_noted(write: Write, notes: list[str]) -> None:
    """
    UC-033: right-to-left marks, soft hyphens and joiners that the other side lacks are reported and kept.
    """
    refs = "שלום\ncooperate\nمیروم\n"
    hyps = "\u200fשלום\nco\u00adoperate\nمی\u200cروم\n"
    cases = read_parallel(write("hyp", hyps), write("ref", refs), notes=notes.append)
    assert cases.hypotheses == tuple(hyps.split("\n")[:3])
    assert len(notes) == 1
    assert "3 texts hold invisible characters" in notes[0]
    notes.clear()
    read_parallel(write("hyp2", hyps + "x\n"), write("ref2", "x\n" + hyps), notes=notes.append)
    assert notes == []


def test_clean_input_gives_no_note(write: Write) -> None:
    """
    Ordinary files give no warning.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("error", ReadingNote)
        read_parallel(write("hyp", REF), write("ref", REF))


def test_real_files_keep_their_counts(shared: Path) -> None:
    """
    Files of real corpora are read line by line, with the numbers of segments and references that they have.
    """
    four = shared / "data" / "mt" / "four-references"
    system = next((four / "systems").iterdir())
    cases = read_parallel(system, [four / f"ref{n}.txt" for n in range(4)], notes=lambda _: None)
    assert len(cases) == 1357
    assert set(cases.reference_counts.tolist()) == {4}

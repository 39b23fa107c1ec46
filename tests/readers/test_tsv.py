"""
Tables: raw TSV, quoted CSV, named columns, and cells that stay the texts that they are.
"""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.errors import EmptyCorpus, FormatError, ParameterError
from tertium.readers import read

Write = Callable[[str, bytes | str], str]


def test_words_for_missing_values_are_texts(write: Write) -> None:
    """
    UC-069: NA, null and blank cells are texts.
    """
    cases = read(write("a.csv", "hyp,ref\nNA,NA\nnull,null\n,\n"))
    assert cases.hypotheses == ("NA", "null", "")
    assert cases.references == (("NA",), ("null",), ("",))


@pytest.mark.parametrize(
    "text", ["NA", "null", "nan", "None", "TRUE", "1e5", "007", "'apostrophe", "=1+2", "@a", "+1", "-", " ", " a "]
)
@pytest.mark.parametrize("suffix", ["csv", "tsv"])
def test_cells_are_not_converted(text: str, suffix: str, write: Write) -> None:
    """
    Numbers, truth values, formulas and blanks come back letter by letter.
    """
    mark = "," if suffix == "csv" else "\t"
    cases = read(write(f"a.{suffix}", f"hyp{mark}ref\n{text}{mark}{text}\n"))
    assert cases[0].hypothesis == text
    assert cases[0].references == (text,)


def test_quotes_in_raw_tsv_are_text(write: Write) -> None:
    """
    UC-070: a quote at the beginning of a line swallows nothing.
    """
    body = '"Stop, he said\tStop, he said\nnext line\tnext line\n'
    for path, header in [(write("a.tsv", body), False), (write("b.tsv", "hyp\tref\n" + body), True)]:
        cases = read(path, header=header)
        assert len(cases) == 2
        assert (cases[0].hypothesis, cases[0].references) == ('"Stop, he said', ("Stop, he said",))


def test_csv_quotes_follow_rfc_4180(write: Write) -> None:
    """
    Quoted cells hold delimiters, doubled quotes and line breaks; a quote inside an unquoted cell is text.
    """
    body = 'hyp,ref\r\n"a, b","a ""b"""\r\n"one\r\ntwo\n\nthree",x\r\n5" tape,"""" \n'
    with pytest.raises(FormatError, match="after a closing quote stands ' '") as caught:
        read(write("bad.csv", body))
    assert caught.value.line == 7
    cases = read(write("a.csv", body.replace('"""" \n', '""""\n')))
    assert cases.hypotheses == ("a, b", "one\r\ntwo\n\nthree", '5" tape')
    assert cases.references == (('a "b"',), ("x",), ('"',))


CELLS = st.text(
    st.sampled_from('ab",; \n\u2028é日') | st.characters(exclude_characters="\r\0", exclude_categories=["Cs"])
)
ROWS = st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=1, max_size=8)


@settings(max_examples=150, deadline=None)
@given(rows=ROWS, delimiter=st.sampled_from(",;\t|"), quoting=st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]))
def test_csv_written_by_the_standard_library_comes_back(
    rows: list[tuple[str, str, str]], delimiter: str, quoting: int
) -> None:
    """
    Any cells that Python's csv writer quotes, in either style and with any delimiter, are read back.
    """
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, quoting=quoting)  # type: ignore[arg-type]
    writer.writerows([("hypothesis", "ref1", "ref2"), *rows])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.csv")
        path.write_bytes(out.getvalue().encode())
        cases = read(path, delimiter=delimiter, notes=lambda _: None)
    assert [(case.hypothesis, *(case.references or ())) for case in cases] == rows


def test_quote_that_is_never_closed_names_its_line(write: Write) -> None:
    """
    An open quote is an error at the line where it opens, not a corpus with fewer records.
    """
    with pytest.raises(FormatError, match="never closed") as caught:
        read(write("a.csv", 'hyp,ref\na,b\n"c,d\ne,f\n'))
    assert caught.value.line == 3


def test_named_columns_and_all_parts(write: Write) -> None:
    """
    Columns are taken by the names that the user gives, in any order, and others are left alone.
    """
    path = write("a.csv", "junk,mt,gold2,gold1,speaker,key,de,domain\nx,a,r2,r1,s1,k1,A,news\ny,b,q2,q1,s1,k2,B,law\n")
    cases = read(
        path,
        hypotheses="mt",
        references=["gold1", "gold2"],
        sources="de",
        ids="key",
        clusters="speaker",
        labels=["domain"],
    )
    assert cases.hypotheses == ("a", "b")
    assert cases.references == (("r1", "r2"), ("q1", "q2"))
    assert (cases.sources, cases.ids, cases.clusters) == (("A", "B"), ("k1", "k2"), ("s1", "s1"))
    assert dict(cases.labels) == {"domain": ("news", "law")}


def test_usual_names_are_found(write: Write, notes: list[str]) -> None:
    """
    Parts are found by their usual names, numbered references together, labels by their prefix.
    """
    path = write("a.tsv", "id\tsource\thyp\tref0\tref1\tdocument\tlabel.domain\n7\tA\ta\tr\ts\td\tnews\n")
    case = read(path, notes=notes.append)[0]
    assert (case.id, case.source, case.hypothesis, case.references) == ("7", "A", "a", ("r", "s"))
    assert (case.cluster, dict(case.labels)) == ("d", {"domain": "news"})
    assert notes == []


def test_usual_name_that_is_less_telling_is_noted(write: Write, notes: list[str]) -> None:
    """
    A note says that the hypotheses come from a column such as output.
    """
    assert read(write("a.csv", "output,target\na,b\n"), notes=notes.append).hypotheses == ("a",)
    assert ["'output'" in note or "'target'" in note for note in notes] == [True, True]


def test_part_can_be_switched_off(write: Write) -> None:
    """
    The empty name says that a part is not there, whatever the columns are called.
    """
    path = write("a.csv", "id,hyp,ref,label.x\n1,a,b,c\n1,c,d,e\n")
    with pytest.raises(FormatError, match="the id '1' stands on line 2 already") as caught:
        read(path)
    assert caught.value.line == 3
    cases = read(path, ids="", references="", labels=[])
    assert cases.ids == ("0", "1")
    assert cases.references == (None, None)
    assert not cases.labels


def test_missing_column_suggests_the_nearest(write: Write) -> None:
    """
    A column that is not there is an error that lists the columns and suggests one.
    """
    path = write("a.csv", "hypotheses,reference\na,b\n")
    with pytest.raises(FormatError, match="Did you mean hypotheses") as caught:
        read(path)
    assert caught.value.line == 1
    assert "'reference'" in str(caught.value)
    with pytest.raises(FormatError, match=r"no column 'referense' for the references.*Did you mean reference"):
        read(path, hypotheses="hypotheses", references="referense")
    with pytest.raises(FormatError, match="no column is known to hold the references"):
        read(write("b.csv", "hyp,gold\na,b\n"))


def test_ambiguous_columns_must_be_chosen(write: Write, notes: list[str]) -> None:
    """
    Two usual names for one part are an error, unless the decisive one is among them, which a note says.
    """
    with pytest.raises(FormatError, match="several columns may hold the hypotheses: prediction, output"):
        read(write("a.csv", "prediction,output,ref\na,b,c\n"))
    with pytest.raises(FormatError, match="several columns may hold the references: ref, ref2"):
        read(write("b.csv", "hyp,ref,ref2\na,b,c\n"))
    cases = read(write("c.csv", "hypothesis,output,ref\na,b,c\n"), notes=notes.append)
    assert cases.hypotheses == ("a",)
    assert ["not used: output" in note for note in notes] == [True]


def test_two_columns_of_one_name_are_an_error(write: Write) -> None:
    """
    A name that stands twice in the header is refused; unnamed columns may repeat.
    """
    with pytest.raises(FormatError, match="two columns are named 'ref'"):
        read(write("a.tsv", "hyp\tref\tref\na\tb\tc\n"))
    assert read(write("b.csv", "hyp,ref,,\na,b,,\n")).hypotheses == ("a",)


@pytest.mark.parametrize(("suffix", "mark"), [("csv", ","), ("tsv", "\t")])
def test_ragged_rows_name_their_line(suffix: str, mark: str, write: Write) -> None:
    """
    A record with too many or too few cells, or none, is an error with line and both counts.
    """
    head = f"hyp{mark}ref\na{mark}b\n"
    for bad, problem in [
        (f"a{mark}b{mark}c", "has 3 cells but the table has 2"),
        ("alone", "has 1 cell but the table has 2"),
        ("", "the line is blank"),
    ]:
        with pytest.raises(FormatError, match=problem) as caught:
            read(write(f"a.{suffix}", f"{head}{bad}\nx{mark}y\n"))
        assert caught.value.line == 3


def test_ragged_row_after_a_record_of_several_lines_names_the_line_of_the_file(write: Write) -> None:
    """
    Lines are counted in the file, also after quoted line breaks and far behind the first block.
    """
    body = 'hyp,ref\n"a\n\n",b\n' + "x,y\n" * 40_000 + "only\n"
    with pytest.raises(FormatError, match="has 1 cell") as caught:
        read(write("a.csv", body))
    assert caught.value.line == 40_005


def test_blank_lines_at_the_end_of_a_table_are_noted(write: Write, notes: list[str]) -> None:
    """
    Blank lines after the last record are ignored with a note; in a table of one column they are empty texts.
    """
    for suffix, mark in (("csv", ","), ("tsv", "\t")):
        notes.clear()
        assert len(read(write(f"a.{suffix}", f"hyp{mark}ref\r\na{mark}b\r\n\r\n\r\n"), notes=notes.append)) == 1
        assert ["2 lines without a record" in note for note in notes] == [True]
        one = read(write(f"b.{suffix}", "hyp\na\n\n\n"), references="", notes=pytest.fail)
        assert one.hypotheses == ("a", "", "")


def test_other_delimiters(write: Write) -> None:
    """
    A semicolon is read when asked, and suggested when the header shows it; a quoted TSV is read as csv with tabs.
    """
    path = write("a.csv", 'hyp;ref\n"a;b";c\n')
    with pytest.raises(FormatError, match="delimiter=';'") as caught:
        read(path)
    assert "Did you mean" not in str(caught.value)
    assert read(path, delimiter=";").hypotheses == ("a;b",)
    quoted = write("a.tsv", '"hyp"\t"ref"\n"a\tb"\t"c"\n')
    with pytest.raises(FormatError, match="Its cells are quoted"):
        read(quoted)
    assert read(quoted, file_format="csv", delimiter="\t").hypotheses == ("a\tb",)
    assert read(write("bars.tsv", "hyp ||| ref\na ||| b\n"), delimiter=" ||| ").hypotheses == ("a",)
    for bad in ("", '"', "ab", "\n"):
        with pytest.raises(ParameterError, match="delimiter"):
            read(path, delimiter=bad)


def test_byte_order_mark_is_no_part_of_the_first_name(write: Write, notes: list[str]) -> None:
    """
    A mark before the header is removed with a note, also before a quoted name.
    """
    for body in ("\ufeffhyp,ref\na,b\n", '\ufeff"hyp",ref\na,b\n'):
        notes.clear()
        assert read(write("a.csv", body), notes=notes.append).hypotheses == ("a",)
        assert ["byte order mark" in note for note in notes] == [True]


def test_very_long_cells(write: Write) -> None:
    """
    A cell longer than the limit of table readers is read whole, without touching that limit.
    """
    long, limit = "é" * 1_000_000, csv.field_size_limit()
    assert read(write("a.csv", f'hyp,ref\n{long},"{long}, ""x"""\n')).references == ((f'{long}, "x"',),)
    assert read(write("a.tsv", f"hyp\tref\n{long}\tb\n")).hypotheses == (long,)
    assert csv.field_size_limit() == limit


def test_without_header_columns_have_numbers(write: Write) -> None:
    """
    Two columns without a header are hypotheses and references; more must be chosen by number.
    """
    path = write("a.tsv", "a\tb\tc\n")
    with pytest.raises(FormatError, match=r"it has '1', '2', '3'"):
        read(path, header=False)
    assert read(path, header=False, hypotheses="3", references=["1", "2"]).references == (("a", "b"),)
    with pytest.raises(FormatError, match="header=False"):
        read(write("b.tsv", "good morning\tguten Morgen\nbye\ttschüss\n"))


def test_table_without_records_is_no_corpus(write: Write) -> None:
    """
    A header alone, and no bytes at all, are errors.
    """
    for body in ("hyp,ref\n", ""):
        with pytest.raises(EmptyCorpus, match=r"a\.csv"):
            read(write("a.csv", body))


def test_references_in_one_cell_and_absent_ones(write: Write) -> None:
    """
    A separator cuts a reference cell; a blank one is a text unless asked otherwise.
    """
    path = write("a.tsv", "hyp\tref\na\tb|c\nd\t\n")
    assert read(path, reference_separator="|").references == (("b", "c"), ("",))
    assert read(path, reference_separator="|", empty_reference="absent").references == (("b", "c"), ())


def test_lone_cr_and_line_separators_in_cells(write: Write, notes: list[str]) -> None:
    """
    U+2028 and a CR in the middle of an unquoted cell do not end a record.
    """
    cases = read(write("a.csv", "hyp,ref\na\u2028b\rc,d\n"), notes=notes.append)
    assert cases.hypotheses == ("a\u2028b\rc",)
    assert read(write("b.csv", "hyp,ref\ra,b\rc,d\r"), notes=notes.append).hypotheses == ("a", "c")
    assert ["no LF" in note for note in notes] == [True]

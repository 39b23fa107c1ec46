"""
What ends a line, what is UTF-8, and what is told about it.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.errors import FormatError, ParameterError
from tertium.readers import ReadingNote, read_lines

Write = Callable[[str, bytes | str], str]


def zstd(data: bytes) -> bytes:
    return bytes(pytest.importorskip("zstandard", reason="zstandard is not installed").compress(data))


def same(data: bytes) -> bytes:
    return data


# A text may hold a NUL; but a file in which every second byte is one is taken for UTF-16.
CHARACTERS = st.characters(exclude_characters="\n\r\0", exclude_categories=["Cs"]) | st.sampled_from(
    "\u2028\u2029\u0085\v\f\x1c\x1d\x1e\ufeff\u00a0"
)
TEXTS = st.lists(st.text(CHARACTERS, max_size=20), max_size=12)


@pytest.mark.parametrize("pack", [same, gzip.compress, bz2.compress, lzma.compress, zstd])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@settings(max_examples=40, deadline=None)
@given(texts=TEXTS)
def test_any_texts_come_back_as_they_were_written(pack: Callable[[bytes], bytes], end: str, texts: list[str]) -> None:
    """
    Texts without LF and CR, written one a line in any compression, are read back unchanged.
    """
    data = "".join(text + end for text in texts).encode()
    mark = b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") else b""  # one mark in front would be removed
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "texts")
        path.write_bytes(pack(mark + data))
        assert read_lines(path, notes=lambda _: None) == texts


@settings(max_examples=40, deadline=None)
@given(texts=TEXTS.filter(lambda texts: bool(texts) and texts[-1] != ""))
def test_last_line_may_lack_its_end(texts: list[str]) -> None:
    """
    A last text that is not empty counts without LF.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "texts")
        path.write_bytes(b"\xef\xbb\xbf" + "\n".join(texts).encode())
        assert read_lines(path, notes=lambda _: None) == texts


def test_no_bytes_are_no_lines_and_one_lf_is_one_blank_line(write: Write) -> None:
    """
    A blank line is an empty text, not nothing.
    """
    assert read_lines(write("a", b"")) == []
    assert read_lines(write("b", b"\n")) == [""]
    assert read_lines(write("c", b"a\n\n \n\n")) == ["a", "", " ", ""]
    assert read_lines(write("d", b"a")) == ["a"]


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\u0085", "\v", "\f", "\x1c", "\x1d", "\x1e", "\u00a0", "\0"])
def test_other_line_marks_are_ordinary_characters(mark: str, write: Write, notes: list[str]) -> None:
    """
    U+2028, U+2029, U+0085, VT, FF, the separators and NUL stand inside a text.
    """
    text = f"the blue{mark}bird sang a song"
    assert read_lines(write("a", f"{text}\n{mark}\n"), notes=notes.append) == [text, mark]
    assert notes == []


def test_crlf_ends_lines_also_mixed_with_lf(write: Write, notes: list[str]) -> None:
    """
    One CR before LF belongs to the end of the line; a second one belongs to the text.
    """
    assert read_lines(write("a", b"a\r\nb\n\r\nc\r\n"), notes=notes.append) == ["a", "b", "", "c"]
    assert notes == []
    assert read_lines(write("b", b"a\r\r\nb\n"), notes=notes.append) == ["a\r", "b"]


def test_lone_cr_in_a_file_with_lf_is_text_and_noted(write: Write, notes: list[str]) -> None:
    """
    A CR without LF does not end a line in a file that has LF; a note names the first.
    """
    assert read_lines(write("a", b"a\r\nb\rc\nd\r"), notes=notes.append) == ["a", "b\rc", "d\r"]
    assert len(notes) == 1
    assert notes[0].split(": ", 1)[0].endswith("a:2")
    assert "2 CR without LF" in notes[0]


def test_one_lone_cr_is_noted_in_the_singular(write: Write, notes: list[str]) -> None:
    """
    The note about a single CR reads as a sentence about one.
    """
    read_lines(write("a", b"a\rb\nc\n"), notes=notes.append)

    assert notes[0].endswith(":1: 1 CR without LF stands inside this line and was kept as text")


def test_lone_cr_ends_lines_where_there_is_no_lf(write: Write, notes: list[str]) -> None:
    """
    In a file without any LF each CR ends a line, with a note.
    """
    assert read_lines(write("a", b"a\rb\r\rc\r"), notes=notes.append) == ["a", "b", "", "c"]
    assert len(notes) == 1
    assert "no LF" in notes[0]


def test_one_byte_order_mark_is_removed_with_a_note(write: Write, notes: list[str]) -> None:
    """
    One leading mark goes, once a file; a second one and one further on are text.
    """
    mark = "\ufeff"
    assert read_lines(write("a", f"{mark}{mark}the\n{mark}red\n"), notes=notes.append) == [f"{mark}the", f"{mark}red"]
    assert len(notes) == 1
    assert "byte order mark" in notes[0]


def test_notes_are_warnings_by_default_and_point_here(write: Write) -> None:
    """
    Without a place for notes they are warnings of their own class, at the line that called the reader.
    """
    with pytest.warns(ReadingNote, match="byte order mark") as caught:
        read_lines(write("a", "\ufeffthe\n"))
    assert caught[0].filename == __file__


def test_bytes_that_are_not_utf8_are_an_error_with_line_and_offset(write: Write) -> None:
    """
    The error names file, line, byte offset and the encoding that would read the byte; nothing is replaced.
    """
    path = write("hyp.txt", bytes.fromhex("746865207265640a746865206361e92066616c6c730a"))
    with pytest.raises(FormatError) as caught:
        read_lines(path)
    error = caught.value
    assert (error.file, error.line, error.offset, error.exit_code) == (path, 2, 14, 3)
    assert "0xE9" in str(error)
    assert "cp1252" in str(error)
    assert "'the caé falls'" in str(error)
    assert read_lines(path, encoding="cp1252") == ["the red", "the caé falls"]


def test_offset_counts_bytes_of_the_file_with_mark_and_crlf(write: Write) -> None:
    """
    The offset is that of the bytes in the file, byte order mark and CRs included, also far into it.
    """
    with pytest.raises(FormatError) as caught:
        read_lines(write("a", b"\xef\xbb\xbfa\r\nb\r\n\xc3("), notes=lambda _: None)
    assert (caught.value.line, caught.value.offset) == (3, 9)
    long = b"0123456789\n" * 2_000_000
    with pytest.raises(FormatError) as caught:
        read_lines(write("b", long + b"\x80\n"))
    assert (caught.value.line, caught.value.offset) == (2_000_001, 22_000_000)


def test_long_lines_and_many_blocks_are_whole(write: Write) -> None:
    """
    A line longer than a block of the reader, and characters at the edges of blocks, come back whole.
    """
    texts = ["é" * 9_000_000, "", "日本" * 100, "x" * (1 << 24), "end"]
    assert read_lines(write("a", "\n".join(texts))) == texts


def test_text_that_ends_inside_a_character_was_cut_off(write: Write) -> None:
    """
    Missing bytes at the very end are told apart from a wrong encoding.
    """
    with pytest.raises(FormatError, match=r"ends inside a character.*cut off") as caught:
        read_lines(write("a", "a\ncafé".encode()[:-1]))
    assert (caught.value.line, caught.value.offset) == (2, 5)


def test_offset_inside_an_archive_says_so(write: Write) -> None:
    """
    For a packed file the offset is that of the unpacked bytes.
    """
    with pytest.raises(FormatError, match="after unpacking gzip") as caught:
        read_lines(write("a.gz", gzip.compress(b"a\n\xff\n")))
    assert caught.value.offset == 2


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"])
def test_utf16_and_utf32_are_named_with_and_without_mark(encoding: str, write: Write) -> None:
    """
    Wide encodings are recognised by their mark or by their NULs, and can be asked for.
    """
    text = "the red fox ran home\nthe blue bird sang\n"
    path = write("a", text.encode(encoding))
    with pytest.raises(FormatError, match=f"it is {encoding[:6].upper()} and not UTF-8.*iconv") as caught:
        read_lines(path)
    named = str(caught.value).rsplit("encoding='", 1)[1].rstrip("')")
    assert read_lines(path, encoding=named) == text.split("\n")[:-1]


def test_encoded_surrogates_are_not_utf8(write: Write) -> None:
    """
    A surrogate written as three bytes is refused like any other invalid byte.
    """
    with pytest.raises(FormatError, match="not valid UTF-8") as caught:
        read_lines(write("a", "ok\n\ud800\n"))
    assert caught.value.line == 2


def test_unknown_encoding_is_a_usage_error(write: Write) -> None:
    """
    A name that is no text encoding is refused before the file is read.
    """
    for name in ("utf-9", "hex"):
        with pytest.raises(ParameterError, match="no text encoding") as caught:
            read_lines(write("a", b"a\n"), encoding=name)
        assert caught.value.exit_code == 2


def test_bytes_outside_a_named_encoding_are_an_error(write: Write) -> None:
    """
    A named encoding is decoded as strictly as UTF-8.
    """
    with pytest.raises(FormatError, match="not valid ascii") as caught:
        read_lines(write("a", "a\nb\ncafé\n"), encoding="ascii")
    assert (caught.value.line, caught.value.offset) == (3, 7)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_short_lines_without_a_mark_are_known_as_utf_16(write: Write, encoding: str) -> None:
    """
    Line ends count as letters when UTF-16 is recognised, so that a file of one-letter lines is refused too.
    """
    with pytest.raises(FormatError, match="UTF-16"):
        read_lines(write("a", "a b\nc\n".encode(encoding)))

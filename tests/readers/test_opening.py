"""
Archives by content, streams that cannot be rewound, and files that are not there.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import sys
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tertium.errors import FormatError, UsageError
from tertium.readers import read_lines
from tertium.readers.opening import check_single_use, display, load

Write = Callable[[str, bytes | str], str]
TEXT = "the red fox ran home\nthe blue bird sang a song\n" * 50
LINES = TEXT.split("\n")[:-1]


def zstd(data: bytes) -> bytes:
    return bytes(pytest.importorskip("zstandard", reason="zstandard is not installed").compress(data))


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zstd,
}
packers = pytest.mark.parametrize("suffix", PACKERS)


@packers
def test_archive_is_known_by_its_content_and_not_by_its_name(suffix: str, write: Write, notes: list[str]) -> None:
    """
    An archive is unpacked whatever the name of its file, without a note.
    """
    packed = PACKERS[suffix](TEXT.encode())
    for name in (f"hyp.{suffix}", "hyp.txt", "hyp", "hyp.gz"):
        assert read_lines(write(name, packed), notes=notes.append) == LINES
    assert notes == []


@packers
def test_every_member_of_an_archive_is_read(suffix: str, write: Write) -> None:
    """
    Archives written one after the other hold one text, whether a member ends inside a block or spans several.
    """
    pack = PACKERS[suffix]
    long = os.urandom(150_000).hex() + "\n"
    path = write("hyp", pack(b"a\nb") + pack(b"c\n") + pack(long.encode()) + pack(b"") + pack(b"d\n"))
    assert read_lines(path) == ["a", "bc", long[:-1], "d"]


@packers
@pytest.mark.parametrize("members", [1, 2])
def test_archive_that_is_cut_off_is_an_error(suffix: str, members: int, write: Write) -> None:
    """
    An archive cut at any place is refused, and never read as a shorter corpus.
    """
    pack = PACKERS[suffix]
    whole = pack(b"first\n") * (members - 1) + pack(TEXT.encode())
    begin = len(whole) - len(pack(TEXT.encode()))
    for cut in (*range(begin + 1, begin + 16), len(whole) // 2, len(whole) - 5, len(whole) - 1):
        if cut <= begin:
            continue
        path = write(f"hyp.txt.{suffix}", whole[:cut])
        with pytest.raises(FormatError, match="archive") as caught:
            load(path, pytest.fail)
        assert caught.value.file == path
        assert caught.value.exit_code == 3


@packers
def test_damaged_archive_is_an_error(suffix: str, write: Write) -> None:
    """
    A flipped byte or strange bytes after the last member are refused.
    """
    packed = PACKERS[suffix](TEXT.encode())
    with pytest.raises(FormatError, match=r"damaged after 1 whole member|cut off"):
        read_lines(write("tail", packed + b"some other text that follows"))
    if suffix != "zst":  # zstandard.compress writes no checksum that could show it
        middle = len(packed) // 2
        broken = packed[:middle] + bytes([packed[middle] ^ 0xFF]) + packed[middle + 1 :]
        with pytest.raises(FormatError, match=r"damaged|cut off"):
            read_lines(write("flip", broken))


def test_padding_after_an_archive_is_no_text(write: Write) -> None:
    """
    Zero bytes up to the size of a block after a gzip member are padding.
    """
    assert read_lines(write("hyp", gzip.compress(b"a\n") + bytes(512))) == ["a"]


@packers
def test_plain_text_named_as_an_archive_is_read_with_a_note(suffix: str, write: Write, notes: list[str]) -> None:
    """
    A file that is called .gz and is plain is read as it is, and a note says so.
    """
    assert read_lines(write(f"hyp.{suffix}", "a b\nc\n"), notes=notes.append) == ["a b", "c"]
    assert len(notes) == 1
    assert "not compressed" in notes[0]


@packers
def test_empty_file_named_as_an_archive_is_an_error(suffix: str, write: Write) -> None:
    """
    An archive of 0 bytes was cut off; it is no corpus without segments.
    """
    with pytest.raises(FormatError, match="archive was expected and the file holds 0 bytes"):
        read_lines(write(f"hyp.{suffix}", b""))


def test_text_that_begins_like_bzip2_is_text(write: Write) -> None:
    """
    The three letters BZh at the beginning of a line make no archive.
    """
    assert read_lines(write("hyp", "BZh9 is a mark\n")) == ["BZh9 is a mark"]


def test_zstd_without_its_library_names_the_extra(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Without zstandard the error says how to install it.
    """
    path = write("hyp", zstd(b"a\n"))
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(FormatError, match=r"pip install 'tertium\[zstd\]'"):
        read_lines(path)


def test_archives_that_are_not_read_are_named(write: Write) -> None:
    """
    Zip files, tar archives and archives in archives are refused by what they are, not as bad UTF-8.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.txt", "a\n")
    tar = b"a.txt".ljust(257, b"\0") + b"ustar\0" + bytes(249)
    for content, what in [
        (buffer.getvalue(), "it is a zip archive"),
        (gzip.compress(tar), "the gzip archive holds a tar archive"),
        (gzip.compress(gzip.compress(b"a\n")), "the gzip archive holds a gzip archive"),
        (b"PAR1....", "it is a Parquet file"),
    ]:
        with pytest.raises(FormatError, match=what):
            read_lines(write("hyp", content))


def test_standard_input_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    The name - reads standard input, packed or plain, and a second time is an error and no empty corpus.
    """
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(b"a\nb\n"))))
    assert read_lines("-") == ["a", "b"]
    with pytest.raises(UsageError, match="only once"):
        read_lines("-")
    monkeypatch.setattr(sys, "stdin", io.StringIO("c\n"))
    assert read_lines("-") == ["c"]


def test_standard_input_twice_is_refused_before_it_is_read() -> None:
    """
    Naming - for two files is a usage error.
    """
    with pytest.raises(UsageError, match="standard input is named more than once") as caught:
        check_single_use(["-", "ref.txt", "-"])
    assert caught.value.exit_code == 2


def test_closed_standard_input_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    A program started without standard input gets an error and no traceback.
    """
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(FormatError, match="standard input: it is closed"):
        read_lines("-")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_named_pipe_is_read(tmp_path: Path) -> None:
    """
    A pipe, which cannot be rewound, is read like a file, packed or not, and not twice.
    """
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for content in (b"a\nb\n", gzip.compress(b"a\nb\n")):
        writer = threading.Thread(target=pipe.write_bytes, args=(content,), daemon=True)
        writer.start()
        assert read_lines(pipe) == ["a", "b"]
        writer.join(10)
    with pytest.raises(UsageError, match="named more than once"):
        check_single_use([pipe, str(pipe)])


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="this system has no /dev/fd")
def test_process_substitution_is_read() -> None:
    """
    The /dev/fd path that a shell gives for a process substitution is read like a file.
    """
    reading, writing = os.pipe()
    try:
        os.write(writing, b"a\nb\n")
        os.close(writing)
        assert read_lines(f"/dev/fd/{reading}") == ["a", "b"]
    finally:
        os.close(reading)


def test_missing_file_says_what_lies_near(write: Write, tmp_path: Path) -> None:
    """
    A missing file is an input error with the nearest name in its folder.
    """
    write("system-a.txt", "a\n")
    with pytest.raises(FormatError, match=r"there is no such file.*Did you mean .*system-a\.txt") as caught:
        read_lines(tmp_path / "sytem-a.txt")
    assert caught.value.exit_code == 3
    with pytest.raises(FormatError, match="cannot be listed either"):
        read_lines(tmp_path / "no" / "such.txt")


def test_directory_and_unreadable_file_are_errors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    A directory, a forbidden file and an impossible name are input errors, never tracebacks of the system.
    """
    with pytest.raises(FormatError, match="it is a directory"):
        read_lines(tmp_path)
    with pytest.raises(FormatError, match="not a file name"):
        read_lines("a\0b")
    with pytest.raises(FormatError, match="cannot be read"):
        read_lines("x" * 5000)

    def forbid(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", forbid)
    with pytest.raises(FormatError, match="permission denied"):
        read_lines("hyp.txt")


def test_names_with_spaces_and_other_letters(write: Write) -> None:
    """
    Paths with spaces and non-ASCII letters are read and shown as typed; control characters are shown escaped.
    """
    path = write("größe und 日本 (1).txt", b"\xff\n")
    with pytest.raises(FormatError) as caught:
        read_lines(path)
    assert str(caught.value).startswith(path + ":1: ")
    assert display("a\nb") == "a\\nb"
    assert display(os.fsdecode(b"caf\xe9")) == "caf\\xe9" or sys.platform == "win32"

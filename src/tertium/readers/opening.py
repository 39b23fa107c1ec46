"""
Bring the bytes of a file, a pipe or standard input into memory, unpacked.

Whether a file is compressed is decided by its first bytes and never by its name. Every member of an archive is
read, and an archive that is cut off is an error: it would look like a shorter corpus.
"""

from __future__ import annotations

import difflib
import os
import sys
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from tertium.errors import FormatError, UsageError
from tertium.readers.notes import Notes

Path = str | os.PathLike[str]
"""A file as the user names it; ``-`` is standard input."""

_BLOCK = 1 << 16
_SUFFIXES = {".gz": "gzip", ".bz2": "bzip2", ".xz": "xz", ".zst": "zstd"}
_MAGIC = {"gzip": b"\x1f\x8b", "bzip2": b"BZh91AY&SY", "xz": b"\xfd7zXZ\x00", "zstd": b"\x28\xb5\x2f\xfd"}
_FOREIGN = (
    (b"PK\x03\x04", "a zip archive (a spreadsheet or document may be one)"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"\x04\x22\x4d\x18", "an lz4 archive"),
    (b"\x1f\x9d", "a compress (.Z) archive"),
    (b"LZIP", "an lzip archive"),
    (b"PAR1", "a Parquet file"),
    (b"%PDF-", "a PDF document"),
)
_spent: Callable[[], object | None] = lambda: None  # noqa: E731 - the stream that was read last, weakly held


class _Machine(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: Any, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Content:
    """
    Hold the bytes of one file after decompression.

    Attributes:
        name: The file as the user named it, fit for a message.
        data: All bytes.
        packed: The kind of archive that they came from, or None.
    """

    name: str
    data: bytes
    packed: str | None


def display(path: Path) -> str:
    """
    Return the name of a file for messages: as it was typed, on one line, and ``standard input`` for ``-``.
    """
    typed = os.fspath(path)
    if typed == "-":
        return "standard input"
    shown = typed.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in shown)


def without_packing(path: Path) -> str:
    """
    Return a file name without the suffix of its compression: ``a.tsv`` for ``a.tsv.gz``.
    """
    stem, suffix = os.path.splitext(os.fspath(path))
    return stem if suffix.lower() in _SUFFIXES else os.fspath(path)


def load(path: Path, notes: Notes) -> Content:
    """
    Read a whole file and unpack it.

    Args:
        path: A file, a named pipe, or ``-`` for standard input.
        notes: Told when a name promises an archive and the content is plain.

    Returns:
        The content, plain or out of gzip, bzip2, xz or zstd.

    Raises:
        FormatError: The file is missing or unreadable, a directory, a cut or damaged archive, or of a kind that
            holds no lines of text.
        UsageError: Standard input was read before.
    """
    name = display(path)
    raw = _standard_input() if os.fspath(path) == "-" else _file(path, name)
    kind = _kind(raw)
    promised = _SUFFIXES.get(os.path.splitext(os.fspath(path))[1].lower())
    if kind is None and promised is not None:
        if len(raw) < 10 and _MAGIC[promised].startswith(raw[:2]):
            raise FormatError(
                name,
                f"a {promised} archive was expected and the file holds {len(raw)} bytes",
                "Fetch or pack the file again: it was cut off",
            )
        notes(f"{name}: the name says {promised} but the content is not compressed; read as it is")
    data = raw if kind is None else _unpack(raw, kind, name)
    _refuse_foreign(data, name, kind)
    return Content(name, data, kind)


def check_single_use(paths: list[Path]) -> None:
    """
    Refuse a list of files in which a stream that can be read only once stands twice.

    Raises:
        UsageError: ``-`` or the same pipe is named more than once.
    """
    seen: set[object] = set()
    for path in paths:
        key = _stream_key(path)
        if key is not None and key in seen:
            raise UsageError(
                f"{display(path)} is named more than once",
                "it is a stream and can be read only once",
                "Save it to a file first, and name the file",
            )
        seen.add(key)


def _stream_key(path: Path) -> object:
    if os.fspath(path) == "-":
        return "-"
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    # 0o010000 is S_IFIFO: a named pipe or a process substitution
    return (status.st_dev, status.st_ino) if status.st_mode & 0o170000 == 0o010000 else None


def _standard_input() -> bytes:
    global _spent
    stream = sys.stdin
    if stream is None or stream.closed:
        raise FormatError("standard input", "it is closed", "Name a file instead of -")
    source = getattr(stream, "buffer", stream)
    if _spent() is source:
        raise UsageError("- was named more than once", "standard input can be read only once", "Save it to a file")
    _spent = weakref.ref(source)
    data = source.read()
    # a stream without bytes below it (a notebook, a test) gives text
    return data.encode("utf-8", "surrogatepass") if isinstance(data, str) else bytes(data)


def _file(path: Path, name: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        raise FormatError(name, "there is no such file", _nearest(path)) from None
    except IsADirectoryError:
        raise FormatError(name, "it is a directory", "Name one file in it") from None
    except PermissionError:
        raise FormatError(name, "it may not be read (permission denied)", "Change its permissions") from None
    except OSError as error:
        raise FormatError(name, f"it cannot be read ({error.strerror or error})", "Check the path") from None
    except ValueError as error:
        raise FormatError(name, f"it is not a file name ({error})", "Correct the path") from None


def _nearest(path: Path) -> str:
    folder, wanted = os.path.split(os.fspath(path))
    try:
        present = os.listdir(folder or ".")
    except OSError:
        return f"The folder {display(folder)} cannot be listed either: check the path"
    near = difflib.get_close_matches(wanted, present, n=1, cutoff=0.6)
    return f"Did you mean {display(os.path.join(folder, near[0]))}?" if near else "Check the path"


def _kind(raw: bytes) -> str | None:
    if raw.startswith(_MAGIC["gzip"]):
        return "gzip"
    # the three letters may begin a text: the marks of a block, or of an empty stream, must follow
    if raw[:3] == b"BZh" and raw[4:10] in (b"1AY&SY", b"\x17rE8P\x90"):
        return "bzip2"
    if raw.startswith(_MAGIC["xz"]):
        return "xz"
    if raw.startswith(_MAGIC["zstd"]) or (raw[1:4] == b"*M\x18" and 0x50 <= raw[0] <= 0x5F):
        return "zstd"
    return None


def _refuse_foreign(data: bytes, name: str, packed: str | None) -> None:
    what = next((kind for magic, kind in _FOREIGN if data.startswith(magic)), None)
    if what is None and data[257:262] == b"ustar":
        what = "a tar archive"
    if what is None and packed is not None and _kind(data) is not None:
        what = f"a {_kind(data)} archive"
    if what is not None:
        inside = f"the {packed} archive holds {what}" if packed else f"it is {what}"
        raise FormatError(name, f"{inside}, not text", "Unpack or convert it, and name the text file")


def _unpack(raw: bytes, kind: str, name: str) -> bytes:
    new, failures = _machines(kind, name)
    pieces: list[bytes] = []
    view, start, members = memoryview(raw), 0, 0
    machine: _Machine | None = None
    try:
        while start < len(raw):
            if machine is None:
                if members and raw[start] == 0 and not raw[start:].strip(b"\0"):
                    break  # padding to the size of a tape or disk block
                machine = new()
            block = view[start : start + _BLOCK]
            pieces.append(machine.decompress(block))
            start += len(block)
            if machine.eof:
                start -= len(machine.unused_data)
                members, machine = members + 1, None
    except failures as error:
        after = f" after {members:,} whole member{'s' * (members > 1)}" if members else ""
        raise FormatError(
            name, f"the {kind} archive is damaged{after} ({error})", "Fetch or pack the file again", offset=start
        ) from None
    if machine is not None:
        raise FormatError(
            name,
            f"the {kind} archive is cut off after {len(raw):,} bytes",
            "Fetch or pack the file again; its beginning alone was not scored",
        )
    return b"".join(pieces)


def _machines(kind: str, name: str) -> tuple[Callable[[], _Machine], tuple[type[Exception], ...]]:
    if kind == "gzip":
        import zlib

        return lambda: zlib.decompressobj(31), (zlib.error,)
    if kind == "bzip2":
        import bz2

        return bz2.BZ2Decompressor, (OSError, ValueError)
    if kind == "xz":
        import lzma

        return lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ), (lzma.LZMAError,)
    try:
        import zstandard
    except ImportError:
        raise FormatError(
            name, "it is a zstd archive and zstandard is not installed", "Run `pip install 'tertium[zstd]'`"
        ) from None
    made = zstandard.ZstdDecompressor(max_window_size=2**31)
    return made.decompressobj, (zstandard.ZstdError,)

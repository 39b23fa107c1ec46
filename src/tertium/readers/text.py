"""
Read plain lines: strict UTF-8, and only LF and CRLF end a line.

U+2028, U+2029, U+0085, VT and FF are ordinary characters, a blank line is an empty text, and the last line may
lack its LF. A lone CR ends a line only in a file that has no LF at all.
"""

from __future__ import annotations

from tertium.errors import FormatError, ParameterError
from tertium.readers.notes import Notes, lines_phrase, warn
from tertium.readers.opening import Content, Path, load

_BLOCK = 1 << 24
_SHORT = 4096
_UTF8 = frozenset({"utf-8", "utf8", "utf_8", "u8", "utf-8-sig", "utf_8_sig"})
_MARKS = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)


def read_lines(path: Path, *, encoding: str = "utf-8", notes: Notes = warn) -> list[str]:
    """
    Read a file as one text a line.

    Args:
        path: A file (plain, gz, bz2, xz or zst by content), a pipe, or ``-`` for standard input.
        encoding: The encoding to decode strictly; UTF-8 unless the file is known to have another.
        notes: Told what was changed: a byte order mark removed, lone CRs taken as line ends.

    Returns:
        The lines without their ends; no lines for a file of 0 bytes.

    Raises:
        FormatError: The file cannot be read or decoded; the error has its name, line and byte offset.
        UsageError: Standard input was read before.
        ParameterError: There is no such encoding.

    Example:
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "hyp.txt")
        >>> _ = path.write_bytes("one\\u2028and the same\\r\\n\\nthree".encode())
        >>> read_lines(path)
        ['one\\u2028and the same', '', 'three']
    """
    check_encoding(encoding)
    return split(load(path, notes), encoding=encoding, notes=notes)


def check_encoding(encoding: str) -> None:
    """
    Refuse a name that is not a text encoding.
    """
    try:
        b" ".decode(encoding)
    except UnicodeDecodeError:
        pass  # one byte is no character of UTF-16, but the encoding exists
    except LookupError:
        raise ParameterError(
            f"encoding={encoding!r}", "there is no text encoding of that name", "Write for instance utf-8 or latin-1"
        ) from None


def split(content: Content, *, encoding: str = "utf-8", notes: Notes = warn, keep_cr: bool = False) -> list[str]:
    """
    Decode the content of a file and cut it into lines.

    Args:
        content: The bytes.
        encoding: As for :func:`read_lines`.
        notes: As for :func:`read_lines`.
        keep_cr: Leave the CR of a CRLF at the end of its line, for a format whose records may span lines.

    Raises:
        FormatError: The bytes are not in that encoding.
    """
    name, data = content.name, content.data
    if encoding.lower() not in _UTF8:
        data = _transcode(content, encoding)
    else:
        _refuse_wide(content)
    start = 0
    if data.startswith(b"\xef\xbb\xbf"):
        start = 3
        notes(f"{name}: one byte order mark was removed from the beginning")
    end = b"\n"
    if b"\r" in data:
        if b"\n" not in data:
            end = b"\r"
            notes(f"{name}: it has no LF, so each CR was taken as the end of a line")
        elif not keep_cr:
            _note_lone_cr(data, name, notes)
    lines: list[str] = []
    while start < len(data):
        # blocks end right after a line end, so that no character and no CRLF is cut
        stop = data.find(end, min(start + _BLOCK, len(data)) - 1) + 1 or len(data)
        block = data[start:stop]
        if end == b"\n" and not keep_cr and b"\r" in block:
            block = block.replace(b"\r\n", b"\n")
        try:
            found = block.decode("utf-8").split(end.decode())
        except UnicodeDecodeError:
            _refuse_bytes(Content(name, data, content.packed), start)
        if not found[-1]:
            del found[-1]  # the block ends with the end of its last line
        lines += found
        start = stop
    return lines


def _transcode(content: Content, encoding: str) -> bytes:
    try:
        return content.data.decode(encoding).encode("utf-8")
    except UnicodeDecodeError as error:
        before = content.data[: error.start].decode(encoding, "ignore")
        raise FormatError(
            content.name,
            f"the bytes are not valid {encoding} ({error.reason})",
            "Name the encoding that the file was written in, or convert it to UTF-8",
            line=before.count("\n") + 1,
            offset=error.start,
        ) from None
    except UnicodeError as error:
        raise FormatError(
            content.name, f"the bytes are not valid {encoding} ({error})", "Convert it to UTF-8"
        ) from None


def _note_lone_cr(data: bytes, name: str, notes: Notes) -> None:
    lone = data.count(b"\r") - data.count(b"\r\n")
    if lone:
        at = -1
        while (at := data.find(b"\r", at + 1)) >= 0 and data[at + 1 : at + 2] == b"\n":
            pass
        line = data.count(b"\n", 0, at) + 1
        notes(
            f"{name}:{line}: 1 CR without LF stands inside this line and was kept as text"
            if lone == 1
            else f"{name}:{line}: {lone:,} CR without LF stand inside lines (the first one here) and were kept as text"
        )


def _refuse_wide(content: Content) -> None:
    """
    Refuse UTF-16 and UTF-32, which may decode as UTF-8 full of NULs.
    """
    data = content.data
    found = next((kind for mark, kind in _MARKS if data.startswith(mark)), None)
    if found is None and b"\0" in data[:_SHORT]:
        found = _wide_pattern(data[:_SHORT])
    if found is not None:
        family = found[:6]
        raise FormatError(
            content.name,
            f"it is {family.upper()} and not UTF-8{_unpacked(content)}",
            f"Convert it (iconv -f {family.upper()} -t UTF-8) or name its encoding (encoding={found!r})",
            line=1,
            offset=0,
        )


def _wide_pattern(sample: bytes) -> str | None:
    # In UTF-16 most text of alphabets has a zero byte beside each letter; a text with some NULs in it has not.
    for width, family in ((4, "utf-32"), (2, "utf-16")):
        for place, order in ((0, "le"), (width - 1, "be")):
            whole = sample[: len(sample) // width * width]
            letters = whole[place::width]
            printable = sum(0x20 <= byte < 0x7F or byte in b"\t\n\r" for byte in letters)
            zeros = whole.count(0)
            if len(letters) >= 3 and printable >= 0.7 * len(letters) and zeros >= 0.9 * (width - 1) * len(letters):
                return f"{family}-{order}"
    return None


def _unpacked(content: Content) -> str:
    return f" (after unpacking {content.packed})" if content.packed else ""


def _refuse_bytes(content: Content, start: int) -> None:
    """
    Raise the error for the first byte at or after ``start`` that is not UTF-8.
    """
    data = content.data
    try:
        data[start:].decode("utf-8")
    except UnicodeDecodeError as error:
        at, reason = start + error.start, error.reason
    ends = b"\n" if b"\n" in data else b"\r"
    line = data.count(ends, 0, at) + 1
    if at + 4 > len(data) and reason == "unexpected end of data":
        raise FormatError(
            content.name,
            f"the text ends inside a character{_unpacked(content)}",
            "The file was cut off: fetch or write it again",
            line=line,
            offset=at,
        )
    raise FormatError(
        content.name,
        f"byte 0x{data[at]:02X} is not valid UTF-8{_unpacked(content)}",
        _encoding_hint(data, at),
        line=line,
        offset=at,
    )


def _encoding_hint(data: bytes, at: int) -> str:
    first = data.rfind(b"\n", 0, at) + 1
    last = data.find(b"\n", at)
    line = data[max(first, at - 20) : min(last if last >= 0 else len(data), at + 20)]
    high = sum(byte >= 0x80 for byte in line)
    if high and 3 * high <= len(line):
        try:
            read = line.decode("cp1252").strip()
        except UnicodeDecodeError:
            read = ""
        if read.isprintable() and read:
            return (
                f"As Latin-1 (Windows-1252) it reads {read!r}: name that encoding (encoding='cp1252'), "
                "or convert the file (iconv -f CP1252 -t UTF-8)"
            )
    return "Name the encoding that the file was written in (encoding='...'), or convert it to UTF-8 (iconv -f ENCODING -t UTF-8)"


def describe_difference(first: tuple[str, list[str]], second: tuple[str, list[str]]) -> str:
    """
    Say where the first blank line stands that only one of two files has, or nothing when there is none.

    Args:
        first: Name and lines of one file.
        second: Name and lines of the other.
    """
    (_, left), (_, right) = first, second
    for number in range(max(len(left), len(right))):
        blank = [number < len(side) and not side[number].strip() for side in (left, right)]
        if blank[0] != blank[1]:
            name = first[0] if blank[0] else second[0]
            return f"the first blank line in only one of them is {name}:{number + 1}"
    longer, shorter = (first, second) if len(left) > len(right) else (second, first)
    extra = len(longer[1]) - len(shorter[1])
    return f"{lines_phrase(extra)} too many, with no blank line in only one of them"

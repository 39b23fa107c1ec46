"""
Read tables: TSV as raw cells between tabs, and CSV with the quoting of RFC 4180.

Every cell is the text that stands in the file. ``NA``, ``null``, ``1e5``, ``007`` and a blank cell are texts; an
apostrophe or an equals sign at the beginning of a cell is part of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tertium.cases import Cases
from tertium.errors import EmptyCorpus, FormatError, ParameterError
from tertium.readers.fields import Fields, Wanted, choose
from tertium.readers.marks import look_for_traces
from tertium.readers.notes import Notes, lines_phrase
from tertium.readers.opening import Content
from tertium.readers.parallel import EmptyReference, check_unique, join_streams
from tertium.readers.text import split

_CHUNK = 1 << 14
_Chunk = tuple[list[int], list[list[str]]]


@dataclass(frozen=True, slots=True)
class Layout:
    """
    Hold how a table is written.

    Attributes:
        quoted: Whether double quotes enclose cells.
        delimiter: What stands between two cells.
        header: Whether the first record names the columns.
    """

    quoted: bool
    delimiter: str
    header: bool = True

    def __post_init__(self) -> None:
        bad = not self.delimiter or set(self.delimiter) & set("\r\n")
        if bad or (self.quoted and (len(self.delimiter) != 1 or self.delimiter == '"')):
            raise ParameterError(
                f"delimiter={self.delimiter!r}",
                "it must be one character that is no quote and no line break",
                "Give for instance ';'",
            )


def read_table(
    content: Content,
    layout: Layout,
    wanted: Wanted,
    *,
    reference_separator: str | None,
    empty_reference: EmptyReference,
    encoding: str,
    notes: Notes,
) -> Cases:
    """
    Read cases from the columns of a table.

    Args:
        content: The bytes of the file.
        layout: How the table is written.
        wanted: Which columns the user named. Without a header they are ``"1"``, ``"2"``... and a table of two
            columns holds hypotheses and references.
        reference_separator: Cut each reference cell at this text into several references.
        empty_reference: Whether a blank reference cell is an empty text or says that there is no reference.
        encoding: The encoding to decode strictly.
        notes: Told what was noticed or changed.

    Raises:
        FormatError: A column is missing, named twice or ambiguous; a record has more or fewer cells than the
            header; a quote is not closed.
        EmptyCorpus: There is no record.
    """
    name = content.name
    lines = split(content, encoding=encoding, notes=notes, keep_cr=layout.quoted)
    chunks = _quoted(name, lines, layout.delimiter) if layout.quoted else _raw(lines, layout.delimiter)
    fields: Fields | None = None
    columns: dict[str, list[str]] = {}
    place: dict[str, int] = {}
    numbers: list[int] = []
    width, last = 0, _last_filled(lines)
    for starts, rows in chunks:
        if fields is None:
            names, width = _names(name, rows[0], layout), len(rows[0])
            fields = _choose(name, names, layout, wanted, notes)
            place = {column: names.index(column) for column in fields.used}
            columns = {column: [] for column in place}
            if layout.header:
                del rows[0], starts[0]
        if width > 1 and starts and starts[-1] > last:
            keep = sum(number <= last for number in starts)
            del rows[keep:], starts[keep:]
        if set(map(len, rows)) - {width}:
            _refuse_ragged(name, starts, rows, width, layout)
        numbers += starts
        for column, at in place.items():
            columns[column] += [row[at] for row in rows]
    if fields is None or not numbers:
        raise EmptyCorpus(name)
    if width > 1 and last < len(lines):
        notes(
            f"{name}: {lines_phrase(len(lines) - last)} without a record at the end {'was' if len(lines) - last == 1 else 'were'} ignored"
        )
    if fields.ids is not None:
        check_unique(name, columns[fields.ids], numbers)
    streams = [columns[column] for column in fields.references or ()]
    _traces(name, fields, columns, notes)
    return Cases(
        columns[fields.hypotheses],
        join_streams(streams, reference_separator, empty_reference) if streams else None,
        None if fields.sources is None else columns[fields.sources],
        None if fields.ids is None else columns[fields.ids],
        None if fields.clusters is None else columns[fields.clusters],
        {label: columns[column] for label, column in fields.labels.items()},
    )


def _traces(name: str, fields: Fields, columns: dict[str, list[str]], notes: Notes) -> None:
    left, *right = [
        (f"{name} (column {column!r})", columns[column]) for column in (fields.hypotheses, *(fields.references or ()))
    ]
    look_for_traces([left], right, notes)


def _last_filled(lines: Sequence[str]) -> int:
    last = len(lines)
    while last and not lines[last - 1].strip("\r"):
        last -= 1
    return last


def _names(file: str, first: Sequence[str], layout: Layout) -> list[str]:
    if not layout.header:
        return [str(number) for number in range(1, len(first) + 1)]
    names = list(first)
    twice = next((column for i, column in enumerate(names) if column and column in names[:i]), None)
    if twice is not None:
        raise FormatError(
            file,
            f"two columns are named {twice!r}",
            "Give every column its own name, or read it without a header (header=False) and name columns by number",
            line=1,
        )
    return names


def _choose(file: str, names: Sequence[str], layout: Layout, wanted: Wanted, notes: Notes) -> Fields:
    if not layout.header and len(names) == 2 and wanted.hypotheses is None and wanted.references is None:
        wanted = Wanted("1", "2", wanted.sources, wanted.ids, wanted.clusters, wanted.labels)
    hint = "If the first line is data and not a header, say so (header=False)" if layout.header else ""
    if len(names) == 1:
        other = next((mark for mark in ("\t", ";", ",", "|") if mark in names[0] and mark != layout.delimiter), None)
        if other is not None:
            hint = f"Cells seem to be separated by {other!r} and not by {layout.delimiter!r} (delimiter={other!r})"
    if not layout.quoted and any(len(n) > 1 and n[0] == n[-1] == '"' for n in names):
        hint = f"Its cells are quoted: read it as quoted (file_format='csv') with delimiter={layout.delimiter!r}"
    return choose(names, wanted, file, notes, kind="column", line=1, hint=hint)


def _refuse_ragged(file: str, starts: Sequence[int], rows: Sequence[Sequence[str]], width: int, layout: Layout) -> None:
    line, row = next((line, row) for line, row in zip(starts, rows, strict=True) if len(row) != width)
    if row == [""]:
        problem = "the line is blank"
    else:
        problem = f"the record has {len(row):,} cell{'s' * (len(row) != 1)}"
    advice = (
        "Put a cell that holds the delimiter into double quotes"
        if layout.quoted
        else "Take tabs and line breaks out of the cells; if cells are quoted, say so (file_format='csv')"
    )
    raise FormatError(file, f"{problem} but the table has {width:,} columns", advice, line=line)


def _raw(lines: Sequence[str], delimiter: str) -> Iterator[_Chunk]:
    for start in range(0, len(lines), _CHUNK):
        rows = [line.split(delimiter) for line in lines[start : start + _CHUNK]]
        yield list(range(start + 1, start + len(rows) + 1)), rows


def _quoted(file: str, lines: Sequence[str], delimiter: str) -> Iterator[_Chunk]:
    starts: list[int] = []
    rows: list[list[str]] = []
    between = f'"{delimiter}"'
    at = 0
    while at < len(lines):
        line = lines[at].removesuffix("\r")
        starts.append(at + 1)
        at += 1
        quotes = line.count('"')
        if not quotes:
            rows.append(line.split(delimiter))
        elif line[0] == line[-1] == '"' and quotes == 2 * len(cells := line[1:-1].split(between)):
            rows.append(cells)  # every quote opens or closes a cell
        else:
            row, at = _record(file, lines, at - 1, delimiter)
            rows.append(row)
        if len(rows) == _CHUNK or starts[0] == 1:
            # the first record goes alone: its names are looked at before cells behind it can be misread
            yield starts, rows
            starts, rows = [], []
    if rows:
        yield starts, rows


def _record(file: str, lines: Sequence[str], at: int, delimiter: str) -> tuple[list[str], int]:
    """
    Read one record cell by cell, over as many lines as its quotes span.
    """
    row: list[str] = []
    line, position = lines[at], 0
    while True:
        if not line.startswith('"', position):
            end = line.find(delimiter, position)
            row.append(line[position:].removesuffix("\r") if end < 0 else line[position:end])
            if end < 0:
                return row, at + 1
            position = end + len(delimiter)
            continue
        pieces: list[str] = []
        opened, position = at, position + 1
        while True:
            end = line.find('"', position)
            if end < 0:
                pieces.append(line[position:] + "\n")
                at += 1
                if at == len(lines):
                    raise FormatError(
                        file,
                        "a cell opens with a quote that is never closed",
                        "Close it, or read the file as tsv if its quotes are text",
                        line=opened + 1,
                    )
                line, position = lines[at], 0
            elif line.startswith('"', end + 1):
                pieces.append(line[position : end + 1])
                position = end + 2
            else:
                pieces.append(line[position:end])
                position = end + 1
                break
        row.append("".join(pieces))
        if line[position:] in ("", "\r"):
            return row, at + 1
        if not line.startswith(delimiter, position):
            raise FormatError(
                file,
                f"after a closing quote stands {line[position : position + 20]!r} and not the delimiter {delimiter!r}",
                "Double the quotes inside a quoted cell, or read the file as tsv if its quotes are text",
                line=at + 1,
            )
        position += len(delimiter)

"""
Read JSON Lines: one object a line, each a case.

``""`` is an empty text, ``null`` in the place of references says that the case has no reference entry, and a field
that is missing is an error.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import chain
from typing import Any, NoReturn

from tertium.cases import Cases
from tertium.errors import EmptyCorpus, FormatError
from tertium.readers.fields import Fields, Wanted, choose, decisive
from tertium.readers.marks import look_for_traces
from tertium.readers.notes import Notes, lines_phrase
from tertium.readers.opening import Content
from tertium.readers.parallel import EmptyReference, check_unique
from tertium.readers.text import split

_CHUNK = 1 << 12
_Row = list[str] | None


class _Repeated(ValueError):
    pass


class _Literal(ValueError):
    pass


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        keys = [key for key, _ in pairs]
        raise _Repeated(next(key for i, key in enumerate(keys) if key in keys[:i]))
    return made


def _refuse_literal(text: str) -> NoReturn:
    raise _Literal(text)


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_refuse_literal)


def read_json_lines(
    content: Content,
    wanted: Wanted,
    *,
    reference_separator: str | None,
    empty_reference: EmptyReference,
    encoding: str,
    notes: Notes,
) -> Cases:
    """
    Read cases from one JSON object a line.

    Args:
        content: The bytes of the file.
        wanted: Which fields the user named.
        reference_separator: Cut each reference that is one text at this text into several references.
        empty_reference: Whether an empty reference is a text or says that it is absent.
        encoding: The encoding to decode strictly.
        notes: Told what was noticed or changed.

    Raises:
        FormatError: A line is not one object, a field is missing, ambiguous or of the wrong type, a key or an id
            stands twice, a text holds half of a surrogate pair, or NaN stands anywhere.
        EmptyCorpus: There is no line.
    """
    lines = split(content, encoding=encoding, notes=notes)
    last = len(lines)
    while last and not lines[last - 1].strip():
        last -= 1
    if last < len(lines):
        notes(
            f"{content.name}: {lines_phrase(len(lines) - last)} without an object at the end {'was' if len(lines) - last == 1 else 'were'} ignored"
        )
        del lines[last:]
    if not lines:
        raise EmptyCorpus(content.name)
    table = _Table(content.name, wanted, reference_separator, empty_reference, notes)
    for start in range(0, len(lines), _CHUNK):
        block = lines[start : start + _CHUNK]
        table.add(start, _parse(content.name, start, block))
    return table.cases(notes)


def _parse(file: str, start: int, lines: Sequence[str]) -> list[dict[str, Any]]:
    scan = _DECODER.scan_once  # type: ignore[attr-defined] # raw_decode without its Python frame
    objects: list[dict[str, Any]] = []
    for line in lines:
        number = start + len(objects) + 1
        try:
            found, end = scan(line, 0)
        except (StopIteration, ValueError, RecursionError) as error:
            if line[:1].isspace() and line.strip():
                found, end = _parse_padded(file, number, line), len(line)
            else:
                _refuse(file, number, line, error)
        if end != len(line) and line[end:].strip(" \t\r"):
            rest = line[end:].strip()[:20]
            problem = f"after the JSON value stands {rest!r}"
            raise FormatError(file, problem, "Write one object a line", line=number)
        if type(found) is not dict:
            _refuse_shape(file, number, found)
        if "\\" in line and ("\\ud" in line or "\\uD" in line):
            _refuse_surrogates(file, number, found)
        objects.append(found)
    return objects


def _parse_padded(file: str, number: int, line: str) -> Any:
    try:
        return _DECODER.decode(line)
    except (ValueError, RecursionError) as error:
        _refuse(file, number, line, error)


def _refuse(file: str, number: int, line: str, error: Exception) -> NoReturn:
    text = line.strip()
    if not text:
        problem, remedy = "the line is blank", "Write one object a line; a blank line is no case"
    elif isinstance(error, _Repeated):
        problem, remedy = f"the key {str(error)!r} stands twice in one object", "Keep one of them"
    elif isinstance(error, _Literal):
        problem, remedy = f"{error} is no JSON value", "Write null for a missing reference, and texts for texts"
    elif isinstance(error, RecursionError):
        problem, remedy = "the object is nested too deeply", "Write texts and lists of texts"
    elif text[0] == "[":
        problem, remedy = "a JSON array begins here", "Write one object a line (jq -c '.[]' FILE)"
    elif text[0] == "{" and _goes_on(text):
        problem, remedy = "the object goes on beyond the line", "Write one object a line (jq -c . FILE)"
    else:
        where = f" at character {error.pos + 1}" if isinstance(error, json.JSONDecodeError) else ""
        what = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        if isinstance(error, StopIteration):  # the scanner's way to say that no value begins here
            what = f"it begins with {text[:20]!r}"
        problem, remedy = f"the line is not JSON ({what}{where})", "Write one JSON object a line"
    raise FormatError(file, problem, remedy, line=number)


def _goes_on(text: str) -> bool:
    return text[-1] in "{[,:" or text.count("{") > text.count("}")


def _refuse_shape(file: str, number: int, found: Any) -> NoReturn:
    if isinstance(found, list):
        raise FormatError(
            file, "the line is a JSON array, not an object", "Write one object a line (jq -c '.[]' FILE)", line=number
        )
    raise FormatError(
        file,
        f"the line is {_describe(found)}, not an object",
        'Write {"hypothesis": ..., "references": [...]}',
        line=number,
    )


def _refuse_surrogates(file: str, number: int, found: dict[str, Any]) -> None:
    text = json.dumps(found, ensure_ascii=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise FormatError(
            file,
            f"a text holds the lone surrogate U+{ord(text[error.start]):04X}, half of a character",
            "Write the character itself, or both halves",
            line=number,
        ) from None


def _describe(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, (int, float)):
        return f"the number {value!r}"[:40]
    if isinstance(value, list):
        return "a list"
    return "an object" if isinstance(value, dict) else "a text"


class _Table:
    """
    Collect the columns of the cases, chunk by chunk.
    """

    def __init__(self, file: str, wanted: Wanted, separator: str | None, empty: EmptyReference, notes: Notes) -> None:
        self.file, self.wanted, self.separator, self.empty, self.notes = file, wanted, separator, empty, notes
        self.fields: Fields | None = None
        self.texts: dict[str, list[Any]] = {}
        self.references: list[_Row] = []
        self.labels: dict[str, list[Any]] = {}
        self.nested: tuple[str, ...] = ()
        self.first: frozenset[str] = frozenset()

    def add(self, start: int, objects: list[dict[str, Any]]) -> None:
        """
        Add the objects of the lines after line ``start``.
        """
        fields = self.fields
        if fields is None:
            fields = self.fields = self._open(objects[0])
        try:
            self._extend(start, objects, fields)
        except KeyError:
            self._refuse_missing(start, objects, fields)

    def _extend(self, start: int, objects: list[dict[str, Any]], fields: Fields) -> None:
        self._check_keys(start, objects, fields)
        for name in self.texts:
            values = [one[name] for one in objects]
            if name in (fields.hypotheses, fields.sources):
                if set(map(type, values)) != {str}:
                    self._refuse_value(start, name, values, (str,), "a text")
            elif not set(map(type, values)) <= {str, int}:
                self._refuse_value(start, name, values, (str, int), "a text or a whole number")
            self.texts[name] += values
        for label, column in self.labels.items():
            if label in self.nested:
                values = [one["labels"][label] for one in objects]
                if not set(map(type, values)) <= {str, int}:
                    self._refuse_value(start, f"labels.{label}", values, (str, int), "a text or a whole number")
                column += values
        if fields.references is not None:
            self.references += self._rows(start, objects, fields.references)

    def _open(self, first: dict[str, Any]) -> Fields:
        self.first = frozenset(first)
        fields = choose(list(first), self.wanted, self.file, self.notes, kind="field", line=1, hint="")
        self.texts = {name: [] for name in fields.used if name not in (fields.references or ())}
        self.labels = {label: self.texts[name] for label, name in fields.labels.items()}
        if self.wanted.labels is None and type(first.get("labels")) is dict and "labels" not in fields.used:
            self.nested = tuple(first["labels"])
            self.labels |= {label: [] for label in self.nested}
        return fields

    def _check_keys(self, start: int, objects: list[dict[str, Any]], fields: Fields) -> None:
        if self.nested:
            for i, one in enumerate(objects, 1):
                labels = one.get("labels")
                if type(labels) is not dict or set(labels) != set(self.nested):
                    raise FormatError(
                        self.file,
                        f"the labels are not those of line 1 ({', '.join(self.nested)})",
                        "Give every case the same labels",
                        line=start + i,
                    )
        present: set[str] = set().union(*objects)
        late = {name for name in present - self.first if decisive(name, fields, self.wanted)}
        if late:
            line, name = next((start + i, n) for i, one in enumerate(objects, 1) for n in one if n in late)
            raise FormatError(
                self.file,
                f"the object has {name!r}, which line 1 has not",
                "Every line needs the same fields",
                line=line,
            )

    def _refuse_missing(self, start: int, objects: list[dict[str, Any]], fields: Fields) -> NoReturn:
        used = fields.used
        line, name = next((start + i, name) for i, one in enumerate(objects, 1) for name in used if name not in one)
        remedy = "Every line needs the same fields"
        if name in (fields.references or ()):
            remedy += "; null says that a case has no references"
        raise FormatError(self.file, f"the object has no {name!r}", remedy, line=line)

    def _rows(self, start: int, objects: list[dict[str, Any]], names: tuple[str, ...]) -> list[_Row]:
        if len(names) == 1:
            return self._column(start, names[0], [one[names[0]] for one in objects])
        columns = [self._column(start, name, [one[name] for one in objects]) for name in names]
        return [
            None if all(cell is None for cell in cells) else [text for cell in cells for text in cell or ()]
            for cells in zip(*columns, strict=True)
        ]

    def _column(self, start: int, name: str, values: list[Any]) -> list[_Row]:
        if not set(map(type, values)) <= {str, list, type(None)}:
            self._refuse_value(start, name, values, (str, list, type(None)), "a text, a list of texts or null")
        separator = self.separator
        if separator is None:
            rows: list[_Row] = [[value] if type(value) is str else value for value in values]
        else:
            rows = [value.split(separator) if type(value) is str else value for value in values]
        if not set(map(type, chain.from_iterable(filter(None, rows)))) <= {str}:
            for i, row in enumerate(rows, 1):
                wrong = next((text for text in row or () if type(text) is not str), "")
                if type(wrong) is not str:
                    remedy = (
                        "Take the inner brackets out"
                        if isinstance(wrong, list)
                        else "Write texts, or null for the whole list"
                    )
                    raise FormatError(
                        self.file, f"the list {name!r} holds {_describe(wrong)}, not a text", remedy, line=start + i
                    )
        if self.empty == "absent":
            return [row and [text for text in row if text] for row in rows]
        return rows

    def _refuse_value(self, start: int, name: str, values: list[Any], right: tuple[type, ...], what: str) -> NoReturn:
        line, value = next((start + i, v) for i, v in enumerate(values, 1) if type(v) not in right)
        remedy = "Take it out of the list" if isinstance(value, list) else "Write it as one, in quotes"
        if value is None:
            remedy = 'Write "" for an empty text'
        raise FormatError(self.file, f"{name!r} is {_describe(value)}, not {what}", remedy, line=line)

    def cases(self, notes: Notes) -> Cases:
        """
        Make the cases once every line was added.
        """
        fields = self.fields
        assert fields is not None
        hypotheses = self.texts[fields.hypotheses]
        ids = None if fields.ids is None else self.texts[fields.ids]
        if ids is not None:
            check_unique(self.file, ids, range(1, len(ids) + 1))
        sides = []
        if fields.references is not None:
            firsts = [row[0] if row else "" for row in self.references]
            sides.append((f"{self.file} (first references)", firsts))
        look_for_traces([(f"{self.file} (hypotheses)", hypotheses)], sides, notes)
        return Cases(
            hypotheses,
            None if fields.references is None else self.references,
            None if fields.sources is None else self.texts[fields.sources],
            ids,
            None if fields.clusters is None else self.texts[fields.clusters],
            self.labels,
        )

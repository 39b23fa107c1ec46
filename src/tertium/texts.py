"""
Check what is handed over as texts, before any of it is kept: the place and kind of every fault is named.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any

from tertium.errors import BadNesting, BadText, CountMismatch

SINGLE = (str, bytes, int, float, type(None))
"""What is one value, where many are meant."""

BLOCK = 512
"""Texts that are encoded at once to check them: what that takes stays in the processor's cache."""

NESTING = (
    "Give one list of references a case: references=[['first', 'second'], ['only one']]; "
    "for parallel streams use Cases.from_streams(hypotheses, [stream, ...])"
)


def reference_rows(references: Iterable[Sequence[str] | None]) -> list[Sequence[str] | None]:
    """
    Return one list of texts or None a case.

    Raises:
        BadNesting: A text stands where a list is meant, or something else that is no list.
    """
    if isinstance(references, SINGLE):
        raise BadNesting("references must be one list of texts a case", f"{described(references)} was given", NESTING)
    rows = list(references)
    if set(map(type, rows)) <= {list, tuple, type(None)}:
        return rows
    return [_row(position, row) for position, row in enumerate(rows)]


def _row(position: int, row: Any) -> Sequence[str] | None:
    if row is None or isinstance(row, (list, tuple)):
        return row
    if isinstance(row, str):
        raise BadNesting(
            "references must be one list of texts a case", f"case {position} has the text {_shorten(row)}", NESTING
        )
    if isinstance(row, (bytes, Mapping, Set)) or not isinstance(row, Iterable):
        raise BadNesting(
            "references must be one list of texts a case", f"case {position} has a {type(row).__name__}", NESTING
        )
    return tuple(row)


def checked_texts(role: str, values: Iterable[Any], rows: Sequence[Sequence[Any]] | None = None) -> tuple[str, ...]:
    """
    Return texts of Unicode characters.

    Args:
        role: What they are, for messages.
        rows: The rows that they come from, where they were chained, for messages.

    Raises:
        BadText: One is no text, or holds a lone surrogate.
        BadNesting: One is a list.
    """
    texts = tuple(values)
    if not set(map(type, texts)) <= {str}:
        texts = tuple(_text(role, i, value, rows) for i, value in enumerate(texts))
    try:
        for start in range(0, len(texts), BLOCK):
            "".join(texts[start : start + BLOCK]).encode("utf-16-le")  # fails on half a character pair
    except UnicodeEncodeError:
        for i, text in enumerate(texts):
            _check_surrogates(role, i, text, rows)
    return texts


def _text(role: str, index: int, value: Any, rows: Sequence[Sequence[Any]] | None) -> str:
    if isinstance(value, str):
        return str(value)
    where = _place(role, index, rows)
    if isinstance(value, (list, tuple)):
        raise BadNesting("texts are needed", f"{where} is a {type(value).__name__}, one level too deep", NESTING)
    shown = "None" if value is None else f"{_shorten(value)} of type {type(value).__name__}"
    if isinstance(value, bytes):
        remedy = "Decode bytes first: value.decode('utf-8')"
    elif value is None or isinstance(value, float):
        remedy = "A missing cell is not an empty text: give '' or leave the case out"
    else:
        remedy = "Give texts (str)"
    raise BadText("texts are needed", f"{where} is {shown}", remedy)


def _check_surrogates(role: str, index: int, text: str, rows: Sequence[Sequence[Any]] | None) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise BadText(
            "texts of Unicode characters are needed",
            f"{_place(role, index, rows)} has the lone surrogate U+{ord(text[error.start]):04X} at character {error.start}",
            "Decode the text as it was written; half of a character pair cannot be scored",
        ) from None


def _place(role: str, index: int, rows: Sequence[Sequence[Any]] | None) -> str:
    if rows is None:
        return f"the {role} of case {index}"
    for case, row in enumerate(rows):
        if index < len(row):
            return f"{role} {index} of case {case}"
        index -= len(row)
    raise AssertionError("the index lies in one of the rows")


def checked_labels(values: Iterable[object]) -> tuple[str, ...]:
    """
    Return ids, clusters or labels as texts.

    Raises:
        BadText: One is neither a text nor a whole number.
    """
    column = tuple(values)
    return checked_texts("label or id", column) if set(map(type, column)) == {str} else tuple(map(_label, column))


def _label(value: object) -> str:
    if isinstance(value, (str, int)) and not isinstance(value, bool):
        text = str(value)
        _check_surrogates("label or id", 0, text, None)
        return text
    raise BadText("ids, clusters and labels are texts or whole numbers", f"{_shorten(value)} was given", "Convert it")


def checked_column(name: str, column: tuple[str, ...], size: int) -> tuple[str, ...]:
    """
    Return a column that is as long as the hypotheses.

    Raises:
        CountMismatch: It is not.
    """
    if len(column) != size:
        raise CountMismatch([("hypotheses", size), (name, len(column))])
    return column


def checked_ids(ids: tuple[str, ...]) -> tuple[str, ...]:
    """
    Return ids that are all different.

    Raises:
        BadText: One stands twice.
    """
    if len(set(ids)) != len(ids):
        seen: set[str] = set()
        twice = next(i for i in ids if i in seen or seen.add(i))  # type: ignore[func-returns-value]
        raise BadText("ids name one case each", f"the id {twice!r} stands twice", "Give every case its own id")
    return ids


def described(value: object) -> str:
    """
    Describe a value that is no list of texts, for messages.
    """
    return ("one text " if isinstance(value, str) else "") + _shorten(value)


def _shorten(value: object, most: int = 60) -> str:
    text = repr(value)
    return text if len(text) <= most else text[: most - 3] + "..."

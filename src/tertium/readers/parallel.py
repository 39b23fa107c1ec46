"""
Read parallel files: line n of every file belongs to case n.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from typing import Literal

from tertium.cases import Cases
from tertium.errors import BadNesting, CountMismatch, EmptyCorpus, FormatError, ParameterError
from tertium.readers.marks import look_for_traces
from tertium.readers.notes import Notes, collector_paused, warn
from tertium.readers.opening import Path, check_single_use, display
from tertium.readers.text import check_encoding, describe_difference, read_lines

EmptyReference = Literal["text", "absent"]

_NBEST = re.compile(r"\s*\d+ \|\|\| .* \|\|\| ")
_MARKUP = re.compile(r"\s*(<(ref|src|tst)set\b|<!doctype\s+mteval)", re.IGNORECASE)


def read_parallel(
    hypotheses: Path,
    references: Path | Sequence[Path] = (),
    sources: Path | None = None,
    *,
    ids: Path | None = None,
    clusters: Path | None = None,
    labels: Mapping[str, Path] | None = None,
    reference_separator: str | None = None,
    empty_reference: EmptyReference = "text",
    encoding: str = "utf-8",
    notes: Notes | None = None,
) -> Cases:
    """
    Read one file of hypotheses and the files that are parallel to it.

    Args:
        hypotheses: The file of hypotheses, one a line; ``-`` is standard input.
        references: The files of references, each a whole stream; none for a corpus without references.
        sources: The file of source texts.
        ids: A file of one id a line, all different.
        clusters: A file that names the document (speaker, call...) of each line.
        labels: Names of labels to files of one label a line.
        reference_separator: Cut every line of a reference file at this text, for instance a tab, into several
            references.
        empty_reference: ``text``: an empty reference is an empty text. ``absent``: it says that this stream has no
            reference for the case.
        encoding: The encoding of all files, decoded strictly.
        notes: Told what was noticed or changed on the way; by default a :class:`ReadingNote` warning.

    Returns:
        The cases, as many as there are lines in every file.

    Raises:
        CountMismatch: Two files differ in their number of lines.
        FormatError: A file cannot be read or decoded, or is no file of plain lines.
        EmptyCorpus: There are no lines at all.
        UsageError: Standard input or a pipe is named twice.

    Example:
        >>> import pathlib, tempfile
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> _ = (folder / "hyp").write_bytes(b"a b\\nc\\n"), (folder / "ref").write_bytes(b"a b\\nc d\\n")
        >>> read_parallel(folder / "hyp", folder / "ref").references
        (('a b',), ('c d',))
    """
    systems = read_systems(
        [hypotheses],
        references,
        sources,
        ids=ids,
        clusters=clusters,
        labels=labels,
        reference_separator=reference_separator,
        empty_reference=empty_reference,
        encoding=encoding,
        notes=notes,
    )
    return systems[0]


def read_systems(
    hypotheses: Sequence[Path],
    references: Path | Sequence[Path] = (),
    sources: Path | None = None,
    *,
    ids: Path | None = None,
    clusters: Path | None = None,
    labels: Mapping[str, Path] | None = None,
    reference_separator: str | None = None,
    empty_reference: EmptyReference = "text",
    encoding: str = "utf-8",
    notes: Notes | None = None,
) -> list[Cases]:
    """
    Read the hypotheses of several systems and, once for all of them, the files that are parallel to them.

    Args:
        hypotheses: One file a system. The other arguments are those of :func:`read_parallel`.

    Returns:
        The cases of each system, in the order of the files.

    Raises:
        CountMismatch: Two files differ in their number of lines.
        FormatError: A file cannot be read or decoded, or is no file of plain lines.
        EmptyCorpus: There are no lines at all.
        UsageError: Standard input or a pipe is named twice.

    Example:
        >>> import pathlib, tempfile
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> for name in ("a", "b", "ref"):
        ...     _ = (folder / name).write_text(name + "\\n")
        >>> [cases.hypotheses for cases in read_systems([folder / "a", folder / "b"], folder / "ref")]
        [('a',), ('b',)]
    """
    notes = warn if notes is None else notes
    check_options(reference_separator, empty_reference, encoding)
    streams = [references] if isinstance(references, (str, os.PathLike)) else list(references)
    single = {"sources": sources, "ids": ids, "clusters": clusters}
    beside = {role: path for role, path in single.items() if path is not None}
    beside |= {f"label {name}": path for name, path in (labels or {}).items()}
    paths = [*hypotheses, *streams, *beside.values()]
    for path in paths:
        if not isinstance(path, (str, os.PathLike)):
            raise BadNesting("file names are needed", f"a {type(path).__name__} was given", "Give one path a file")
    check_single_use(paths)
    _note_same_file([*hypotheses, *streams], len(hypotheses), notes)

    def side(path: Path, plain: bool) -> tuple[str, list[str]]:
        name, lines = display(path), read_lines(path, encoding=encoding, notes=notes)
        if plain:
            _refuse_records(name, lines, notes)
        return name, lines

    systems = [side(path, True) for path in hypotheses]
    targets = [side(path, True) for path in streams]
    others = {role: side(path, False) for role, path in beside.items()}
    for system in systems:
        _check_counts(system, [*targets, *others.values()])
        if not system[1]:
            raise EmptyCorpus(system[0])
    if "ids" in others:
        check_unique(*others["ids"], range(1, len(others["ids"][1]) + 1))
    look_for_traces(systems, targets, notes)
    columns = {role: lines for role, (_, lines) in others.items()}
    with collector_paused():
        rows = join_streams([lines for _, lines in targets], reference_separator, empty_reference) if targets else None
        return [
            Cases(
                lines,
                rows,
                columns.get("sources"),
                columns.get("ids"),
                columns.get("clusters"),
                {name: columns[f"label {name}"] for name in labels or {}},
            )
            for _, lines in systems
        ]


def check_options(reference_separator: str | None, empty_reference: str, encoding: str) -> None:
    """
    Refuse values that no reader takes.
    """
    if empty_reference not in ("text", "absent"):
        raise ParameterError(f"empty_reference={empty_reference!r}", "it is text or absent", "Choose one of these two")
    if reference_separator is not None and (not reference_separator or set(reference_separator) & set("\r\n")):
        raise ParameterError(
            f"reference_separator={reference_separator!r}",
            "it must be a text without line breaks",
            "Give for instance a tab or *#",
        )
    check_encoding(encoding)


def join_streams(
    columns: Sequence[Sequence[str]], separator: str | None, empty: EmptyReference
) -> list[tuple[str, ...]]:
    """
    Turn parallel columns of references into one list of references a case.

    Args:
        columns: One column a stream, all of one length.
        separator: Cut each cell into several references at this text.
        empty: Whether an empty reference is a text or says that there is none.

    Returns:
        The references of each case; ``()`` where every stream says that it has none.
    """
    rows: list[tuple[str, ...]] = list(zip(*columns, strict=True))
    if separator is not None:
        rows = [tuple(text for cell in row for text in cell.split(separator)) for row in rows]
    return [tuple(filter(None, row)) for row in rows] if empty == "absent" else rows


def check_unique(name: str, ids: Sequence[object], lines: Sequence[int]) -> None:
    """
    Refuse ids of which one stands twice.

    Args:
        name: The file.
        ids: The ids in order.
        lines: The line of each.
    """
    if len(set(ids)) == len(ids) and len(set(map(type, ids))) == 1:
        return
    first: dict[str, int] = {}
    for identity, line in zip(map(str, ids), lines, strict=True):
        if identity in first:
            raise FormatError(
                name,
                f"the id {identity!r} stands on line {first[identity]} already",
                "Give every case its own id, or read the file without ids",
                line=line,
            )
        first[identity] = line


def _check_counts(lead: tuple[str, list[str]], sides: list[tuple[str, list[str]]]) -> None:
    wrong = [side for side in sides if len(side[1]) != len(lead[1])]
    if wrong:
        raise CountMismatch(
            [(name, len(lines)) for name, lines in (lead, *wrong)],
            describe_difference(lead, wrong[0]),
            "Give every file one line a case; nothing was scored",
        )


def _refuse_records(name: str, lines: list[str], notes: Notes) -> None:
    """
    Refuse files whose lines are records of another format, which would be scored with their markup.
    """
    if not lines:
        return
    if _MARKUP.match(lines[0]):
        raise FormatError(
            name, "it is mteval SGML, not plain lines", "Take the text out of its seg elements, one a line", line=1
        )
    if _NBEST.match(lines[0]) and all(map(_NBEST.match, lines)):
        raise FormatError(
            name,
            "it is an n-best list (number ||| text ||| ...), several lines a segment",
            "Keep the text of one line a segment",
            line=1,
        )
    if lines[0].startswith("{") and _is_object(lines[0]):
        notes(f"{name}: its first line is a JSON object, scored as it stands; JSON Lines are read as one data file")


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _note_same_file(paths: Sequence[Path], systems: int, notes: Notes) -> None:
    seen: dict[tuple[int, int], int] = {}
    for place, path in enumerate(paths):
        try:
            status = os.stat(path)
        except (OSError, ValueError):
            continue  # reading it says why
        before = seen.setdefault((status.st_dev, status.st_ino), place)
        if before != place:
            role = "the hypotheses" if before < systems else "the references"
            notes(f"{display(path)}: the same file as {role} {display(paths[before])}")

"""
Read cases from files, strictly: nothing is dropped, padded or cut in silence.

:func:`read` takes one data file (JSON Lines, CSV, TSV), :func:`read_parallel` one file a side,
:func:`read_systems` the same for several systems. Files may be plain or
packed with gzip, bzip2, xz or zstd, as their content says; ``-`` is standard input. Errors are of
:mod:`tertium.errors` and name file, line and counts; what is worth knowing and no error goes to ``notes``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from tertium.cases import Cases
from tertium.errors import EmptyCorpus, FormatError, ParameterError, ProviderBroken, TertiumError, did_you_mean
from tertium.extensions import Offer, find, offered
from tertium.readers.fields import Wanted
from tertium.readers.jsonl import read_json_lines
from tertium.readers.notes import Notes, ReadingNote, collector_paused, warn
from tertium.readers.opening import Content, Path, load, without_packing
from tertium.readers.parallel import EmptyReference, check_options, read_parallel, read_systems
from tertium.readers.text import read_lines
from tertium.readers.tsv import Layout, read_table

__all__ = [
    "FORMATS",
    "Content",
    "Format",
    "Options",
    "ReadingNote",
    "read",
    "read_lines",
    "read_parallel",
    "read_systems",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """
    Hold what the user asked of a reader; the fields are those of :func:`read`.
    """

    wanted: Wanted
    delimiter: str | None
    header: bool
    reference_separator: str | None
    empty_reference: EmptyReference
    encoding: str
    notes: Notes


@dataclass(frozen=True, slots=True)
class Format:
    """
    Describe one format of data files.

    Attributes:
        name: What it is called as ``file_format``.
        suffixes: The endings of its files.
        load: Makes cases of the content of a file.
        tabular: Whether ``delimiter`` and ``header`` mean something to it.
    """

    name: str
    suffixes: tuple[str, ...]
    load: Callable[[Content, Options], Cases]
    tabular: bool = False


def _table(content: Content, options: Options, quoted: bool, delimiter: str) -> Cases:
    layout = Layout(quoted, delimiter if options.delimiter is None else options.delimiter, options.header)
    return read_table(
        content,
        layout,
        options.wanted,
        reference_separator=options.reference_separator,
        empty_reference=options.empty_reference,
        encoding=options.encoding,
        notes=options.notes,
    )


def _json_lines(content: Content, options: Options) -> Cases:
    return read_json_lines(
        content,
        options.wanted,
        reference_separator=options.reference_separator,
        empty_reference=options.empty_reference,
        encoding=options.encoding,
        notes=options.notes,
    )


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        one.name: one
        for one in (
            Format("jsonl", (".jsonl", ".ndjson", ".jsonlines", ".json"), _json_lines),
            Format("csv", (".csv",), lambda content, options: _table(content, options, True, ","), tabular=True),
            Format(
                "tsv", (".tsv", ".tab"), lambda content, options: _table(content, options, False, "\t"), tabular=True
            ),
        )
    }
)
"""The formats of data files by name, each with the suffixes that stand for it."""


def read(
    path: Path,
    *,
    file_format: str | None = None,
    hypotheses: str | None = None,
    references: str | Sequence[str] | None = None,
    sources: str | None = None,
    ids: str | None = None,
    clusters: str | None = None,
    labels: Sequence[str] | None = None,
    delimiter: str | None = None,
    header: bool = True,
    reference_separator: str | None = None,
    empty_reference: EmptyReference = "text",
    encoding: str = "utf-8",
    notes: Notes | None = None,
) -> Cases:
    """
    Read cases from one data file.

    The fields (JSON Lines) or columns (CSV, TSV) are found by their usual names where these leave no doubt: first
    of all ``hypothesis``, ``references`` (in tables also ``ref0``, ``ref1``...), ``source``, ``id``, ``cluster``,
    and ``label.NAME`` or an object ``labels``.

    Args:
        path: The file, a named pipe, or ``-`` for standard input.
        file_format: ``jsonl``, ``csv``, ``tsv`` or what a plugin offers; by default what the suffix says, before that of a compression.
            Without a known suffix, a content that begins with ``{`` or ``[{`` is JSON Lines.
        hypotheses: The field of the hypotheses.
        references: The field of the references, or several; ``""`` for data without references.
        sources: The field of the source texts; ``""``: none, whatever the names.
        ids: The field of the ids, all different; ``""``: none.
        clusters: The field of the cluster (document, speaker); ``""``: none.
        labels: The fields of labels for slices.
        delimiter: What separates the cells of a table: by default a comma (csv) or a tab (tsv).
        header: Whether the first record of a table names its columns; if not, they are ``"1"``, ``"2"``...
        reference_separator: Cut each reference that is one text at this text into several.
        empty_reference: ``text``: an empty reference is an empty text. ``absent``: it is no reference.
        encoding: The encoding of the file, decoded strictly.
        notes: Told what was noticed or changed on the way; by default a :class:`ReadingNote` warning.

    Returns:
        The cases, one a record, in the order of the file.

    Raises:
        FormatError: The file cannot be read, or is not in its format.
        EmptyCorpus: It holds no record.
        ParameterError: An argument is out of its choices or means nothing to the format.

    Example:
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "data.jsonl")
        >>> _ = path.write_text('{"id": "s1", "hypothesis": "a b", "references": ["a b", "a c"]}\\n')
        >>> read(path)
        Cases(1 cases, 2 references each)
    """
    notes = warn if notes is None else notes
    check_options(reference_separator, empty_reference, encoding)
    found = _by_suffix(path) if file_format is None else _by_name(file_format)
    content = load(path, notes)
    if found is None:
        found = _by_content(content)
    if not found.tabular and (delimiter is not None or not header):
        asked = f"delimiter={delimiter!r}" if delimiter is not None else "header=False"
        raise ParameterError(asked, f"{content.name} is read as {found.name}", "Leave it out, or name the format")
    options = Options(
        wanted=Wanted(hypotheses, references, sources, ids, clusters, labels),
        delimiter=delimiter,
        header=header,
        reference_separator=reference_separator,
        empty_reference=empty_reference,
        encoding=encoding,
        notes=notes,
    )
    with collector_paused():
        return found.load(content, options)


def _by_name(name: str) -> Format:
    if name in FORMATS:
        return FORMATS[name]
    offer = find("readers", name)
    if offer is None:
        known = [*FORMATS, *offered("readers")]
        raise ParameterError(
            f"file_format={name!r}",
            f"the formats are {', '.join(known)}",
            did_you_mean(name, known) or "Choose one of these",
        )
    return _guarded(offer)


def _by_suffix(path: Path) -> Format | None:
    suffix = os.path.splitext(without_packing(path))[1].lower()
    found = next((one for one in FORMATS.values() if suffix in one.suffixes), None)
    if found is not None or not suffix:
        return found
    offer = next((one for one in offered("readers").values() if suffix in one.value.suffixes), None)
    return None if offer is None else _guarded(offer)


def _guarded(offer: Offer) -> Format:
    """
    Let a plugin's reader give cases or an error that names the plugin.
    """
    label = f"the format {offer.name} of {offer.distribution}"
    remedy = "Tell the plugin's author, or convert the file to JSON Lines"

    def loaded(content: Content, options: Options) -> Cases:
        try:
            made = offer.value.load(content, options)
        except (TertiumError, KeyboardInterrupt):
            raise
        except BaseException as error:
            raise ProviderBroken(
                label, f"reading {content.name} raised {type(error).__name__}: {error}", remedy
            ) from error
        if not isinstance(made, Cases):
            raise ProviderBroken(label, f"reading {content.name} gave a {type(made).__name__}, not Cases", remedy)
        return made

    found: Format = offer.value
    return replace(found, load=loaded)


def _by_content(content: Content) -> Format:
    begins = content.data.removeprefix(b"\xef\xbb\xbf")[:4096].lstrip()
    if not begins:
        raise EmptyCorpus(f"{content.name} is empty and")
    # Of an array, too, the reader of JSON Lines says what to do with it.
    if begins.startswith(b"{") or (begins.startswith(b"[") and begins[1:].lstrip().startswith((b"{", b"]"))):
        return FORMATS["jsonl"]
    raise FormatError(
        content.name,
        "its format is not known from its name",
        f"Say which it is (file_format='...': {', '.join(FORMATS)}); plain lines are read as hypotheses with references beside them",
    )

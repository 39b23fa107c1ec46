"""
Read the corpus that a command line names: parallel files, or one data file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tertium.errors import FormatError, ParameterError, UsageError

if TYPE_CHECKING:
    from tertium.cases import Cases

Command = TypeVar("Command", bound=Callable[..., Any])

_PARALLEL = {"references": "--ref", "source": "--src", "ids": "--ids"}
_PARALLEL_GROUPS = {"clusters": "--clusters", "labels": "--labels"}
_TABLE_GROUPS = {"cluster_column": "--cluster-column", "label_columns": "--label-column"}
_TABLE = {
    "hypothesis_column": "--hyp-column",
    "reference_columns": "--ref-column",
    "source_column": "--src-column",
    "id_column": "--id-column",
    "file_format": "--format",
    "delimiter": "--delimiter",
    "no_header": "--no-header",
}
_SPOKEN = (
    # What the readers' messages call their arguments, and what a command line calls them.
    ("hypotheses=", "--hyp-column "),
    ("references=", "--ref-column "),
    ("sources=", "--src-column "),
    ("ids=", "--id-column "),
    ("clusters=", "--cluster-column "),
    ("labels=", "--label-column "),
    ("file_format=", "--format "),
    ("header=False", "--no-header"),
    ("delimiter=", "--delimiter "),
    ("reference_separator=", "--reference-separator "),
    ("empty_reference=", "--empty-reference "),
    ("encoding=", "--encoding "),
)


def _mark(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    # A tab is hard to type in a shell.
    return None if value is None else value.replace("\\t", "\t")


_OPTIONS = (
    click.option(
        "--hyp",
        "hypotheses",
        metavar="FILE",
        multiple=True,
        help="Hypotheses, one a line; `-` is standard input. Repeat it to score several systems.",
    ),
    click.option(
        "--ref",
        "references",
        metavar="FILE",
        multiple=True,
        help="References, one a line. Repeat it for several references.",
    ),
    click.option("--src", "source", metavar="FILE", help="Source texts, one a line."),
    click.option("--ids", metavar="FILE", help="Ids of the cases, one a line; by default positions from 0."),
    click.option("--hyp-column", "hypothesis_column", metavar="NAME", help="Column or field of DATA with hypotheses."),
    click.option(
        "--ref-column",
        "reference_columns",
        metavar="NAME",
        multiple=True,
        help="The same for references; '' for none. Repeat it for several.",
    ),
    click.option("--src-column", "source_column", metavar="NAME", help="The same for sources; '' for none."),
    click.option("--id-column", "id_column", metavar="NAME", help="The same for ids; '' for none."),
    click.option("--format", "file_format", metavar="NAME", help="Format of DATA: jsonl, csv or tsv."),
    click.option("--delimiter", callback=_mark, metavar="TEXT", help="What stands between two cells of a table."),
    click.option("--no-header", is_flag=True, help="The table has no header: its columns are 1, 2..."),
    click.option(
        "--reference-separator", callback=_mark, metavar="TEXT", help="Cut a reference into several at this text."
    ),
    click.option(
        "--empty-reference",
        type=click.Choice(["text", "absent"]),
        default="text",
        show_default=True,
        help="Whether an empty reference is an empty text or stands for none.",
    ),
    click.option("--encoding", metavar="NAME", default="utf-8", show_default=True, help="Encoding of the files."),
)


def _labels(_: click.Context, __: click.Parameter, values: Sequence[str]) -> dict[str, str]:
    """
    Read NAME=FILE, each name once.
    """
    found: dict[str, str] = {}
    for value in values:
        name, mark, file = value.partition("=")
        if not (name and mark and file):
            raise UsageError(f"--labels {value}", "it is not a name, an equals sign and a file", "Write NAME=FILE")
        if name in found:
            raise UsageError(f"--labels {value}", f"{name} is named twice", "Give each label one file")
        found[name] = file
    return found


_GROUPS = (
    click.option(
        "--clusters", metavar="FILE", help="The document, speaker or call of each line; stands in --per-case output."
    ),
    click.option(
        "--labels",
        metavar="NAME=FILE",
        multiple=True,
        callback=_labels,
        help="One label a line, such as genre=genres.txt; stands in --per-case output. Repeat it for several.",
    ),
    click.option("--cluster-column", metavar="NAME", help="Column or field of DATA with the cluster; '' for none."),
    click.option(
        "--label-column",
        "label_columns",
        metavar="NAME",
        multiple=True,
        help="The same for a label. Repeat it for several.",
    ),
)


def corpus_options(command: Command) -> Command:
    """
    Give a command the options that name a corpus.
    """
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def group_options(command: Command) -> Command:
    """
    Give a command the options that name what cases belong to, beside those that name a corpus.
    """
    for option in reversed(_GROUPS):
        command = option(command)
    return command


def split_words(words: Sequence[str], hypotheses: Sequence[str]) -> tuple[list[str], str | None]:
    """
    Part positional words into specs and, where no ``--hyp`` is given, the data file at the end.

    Raises:
        UsageError: There is no spec, or no data.
    """
    if hypotheses:
        for word in words:
            if word == "-" or (os.path.sep in word and os.path.exists(word)):
                raise UsageError(
                    f"{word} is given beside --hyp", "with --hyp every word is a spec", "Use --hyp, or one data file"
                )
        if not words:
            raise UsageError("a score was asked for", "no metric is named", "Name one, for instance bleu@sacrebleu")
        return list(words), None
    *specs, data = words
    if not specs:
        if _is_file(data):
            raise UsageError(f"{data} is to be scored", "no metric is named", f"Write `tertium score bleu {data}`")
        raise UsageError(f"{data} is to be scored", "no data are given", "Add a data file, or --hyp FILE --ref FILE")
    named = next((word for word in specs if _is_file(word)), None)
    if named is not None and _is_file(data):
        raise UsageError(
            f"{named} and {data} are to be scored",
            "only the last word can be a data file",
            f"Parallel files are named by options: --hyp {named} --ref {data}",
        )
    return specs, data


def _is_file(word: str) -> bool:
    return word == "-" or os.path.exists(word)


def read_systems(
    data: str | None, options: Mapping[str, Any], say: Callable[[str], None]
) -> list[tuple[str | None, Cases]]:
    """
    Read the corpus of every system.

    Args:
        data: The data file, or None where ``--hyp`` names the systems.
        options: What :func:`corpus_options`, and perhaps :func:`group_options`, gathered.
        say: Told what readers noticed.

    Returns:
        (name, cases) a system; the name is None where there is only one.

    Raises:
        UsageError: Options contradict each other.
        DataError: The files cannot be read as they are.
    """
    shared = {name: options[name] for name in ("reference_separator", "empty_reference", "encoding")}
    parallel, table = {**_PARALLEL, **_PARALLEL_GROUPS}, {**_TABLE, **_TABLE_GROUPS}
    asked, truth = (f"the data file {data}", parallel) if data is not None else ("--hyp", table)
    for name, flag in truth.items():
        if options.get(name):
            where = "--hyp FILE" if data is not None else "a data file"
            raise UsageError(f"{flag} beside {asked}", f"it goes with {where}", f"Leave {flag} out")
    try:
        return _parallel(options, shared, say) if data is None else [(None, _table(data, options, shared, say))]
    except (ParameterError, FormatError) as error:
        for written, spoken in _SPOKEN:
            error.asked, error.truth = error.asked.replace(written, spoken), error.truth.replace(written, spoken)
            error.remedy = error.remedy.replace(written, spoken)
        raise


def _table(data: str, options: Mapping[str, Any], shared: dict[str, Any], say: Callable[[str], None]) -> Cases:
    from tertium.readers import read

    return read(
        data,
        file_format=options["file_format"],
        hypotheses=options["hypothesis_column"],
        references=list(options["reference_columns"]) or None,
        sources=options["source_column"],
        ids=options["id_column"],
        clusters=options.get("cluster_column"),
        labels=list(options.get("label_columns") or ()) or None,
        delimiter=options["delimiter"],
        header=not options["no_header"],
        notes=say,
        **shared,
    )


def _parallel(
    options: Mapping[str, Any], shared: dict[str, Any], say: Callable[[str], None]
) -> list[tuple[str | None, Cases]]:
    from tertium import readers

    files = options["hypotheses"]
    twice = next((file for number, file in enumerate(files) if file in files[:number]), None)
    if twice is not None:
        raise UsageError(f"--hyp {twice} is given twice", "each system stands once", "Leave one of them out")
    systems = readers.read_systems(
        files,
        options["references"],
        options["source"],
        ids=options["ids"],
        clusters=options.get("clusters"),
        labels=options.get("labels"),
        notes=say,
        **shared,
    )
    return [(None if len(files) == 1 else file, cases) for file, cases in zip(files, systems, strict=True)]

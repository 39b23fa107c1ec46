"""
Run the Java tokenizer that pycocoevalcap ships, once for all columns of captions, in a folder of our own.

The library starts Java twice, writes its temporary files into its own package folder, and pairs lines with captions by
position: a caption that holds another line separator than LF makes two lines and shifts all that follow. Here each
separator becomes a space first, as the library does with LF, and the lines that come back are checked:

- every column has as many lines as captions;
- captions with control, format or other unprintable characters are tokenized a second time, each followed by a guard
  line, and the guards must stand where they were put.

Captions keep their neighbours: the tokenizer looks beyond the end of a line after an abbreviation such as ``U.S.``, so
another neighbour can give other tokens.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tertium.errors import ProviderBroken
from tertium.resources import java

SEPARATORS = "\n\r\x0b\x0c\u2028\u2029"
"""Characters at which the tokenizer begins a new line; NEL (U+0085) is none of them, it becomes an ellipsis."""

_TO_SPACE = str.maketrans(dict.fromkeys(SEPARATORS, " "))
_GUARD = "tertiumguard"
_CLASS = "edu.stanford.nlp.process.PTBTokenizer"
_SHOWN = 2000


def one_line(caption: str) -> str:
    """
    Put a space where the tokenizer would begin a new line.
    """
    return caption.translate(_TO_SPACE)


_ahead: dict[tuple[str, ...], list[str]] = {}
"""Columns that were tokenized before they are asked for; the last batch alone is kept."""


def tokenize_ahead(columns: Sequence[Sequence[str]]) -> None:
    """
    Tokenize the columns of many small corpora with one start of Java; :func:`tokenize` then finds them done.
    """
    _ahead.clear()
    distinct = list(dict.fromkeys(tuple(column) for column in columns))
    _ahead.update(zip(distinct, tokenize(*distinct), strict=True))


def tokenize(*columns: Sequence[str]) -> list[list[str]]:
    """
    Tokenize columns of captions as the COCO caption evaluation does: PTB tokens, lower case, no punctuation.

    Args:
        columns: Each is tokenized on its own, as if it were the only one.

    Returns:
        For each column the tokens of each caption, joined by spaces.

    Raises:
        ResourceMissing: There is no Java.
        ProviderBroken: Java failed, or its lines are not those of the captions; quotes what Java said.
    """
    from pycocoevalcap.tokenizer import ptbtokenizer

    if _ahead:
        known = [_ahead.get(tuple(column)) for column in columns]
        if None not in known:
            return [list(column) for column in known if column is not None]
    executable = java.find().executable
    archive = Path(ptbtokenizer.__file__).resolve().with_name(ptbtokenizer.STANFORD_CORENLP_3_4_1_JAR)
    lines = [[one_line(caption) for caption in column] for column in columns]
    suspects = [line for column in lines for line in column if not line.isprintable()]
    guarded = [_GUARD, *(text for suspect in suspects for text in (suspect, _GUARD))]
    # The guarded column comes last: a full disk, of which Java does not tell, cuts it short too.
    *found, echoed = _run(executable, archive, [*lines, guarded])
    for column, tokens in zip(lines, found, strict=True):
        if len(tokens) != len(column):
            raise _broken(f"it gave {len(tokens):,} lines for {len(column):,} captions")
    _check_guards(suspects, echoed)
    dropped = frozenset(ptbtokenizer.PUNCTUATIONS)
    return [[_words(line, dropped) for line in column] for column in found]


def _words(line: str, dropped: frozenset[str]) -> str:
    # The library parts tokens at spaces alone: a no-break space inside a number such as 1 1/2 does not part them.
    return " ".join([token for token in line.rstrip().split(" ") if token not in dropped])


def _check_guards(suspects: list[str], echoed: list[str]) -> None:
    for i, suspect in enumerate(["", *suspects]):
        place = 2 * i
        if place >= len(echoed) or echoed[place].strip() != _GUARD:
            raise _broken(f"it gave not one line for the caption {suspect[:80]!r}")
    if len(echoed) != 2 * len(suspects) + 1:
        raise _broken(f"it gave {len(echoed):,} lines for {2 * len(suspects) + 1:,}")


def _run(executable: Path, archive: Path, columns: list[list[str]]) -> list[list[str]]:
    with tempfile.TemporaryDirectory(prefix="tertium-ptb-") as name:
        folder = Path(name)
        for i, column in enumerate(columns):
            (folder / f"captions{i}").write_bytes("\n".join(column).encode())
        # Pairs of input and output file: one start of Java for all, each read as a text of its own.
        (folder / "files").write_text("".join(f"captions{i}\ttokens{i}\n" for i in range(len(columns))))
        command = [str(executable), "-Duser.language=en", "-Duser.country=US", "-cp", str(archive), _CLASS]
        command += ["-preserveLines", "-lowerCase", "-ioFileList", "files"]
        try:
            done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        except OSError as error:
            raise _broken(f"{executable} cannot be started ({error.strerror})") from error
        said = (done.stderr + done.stdout).decode("utf-8", "replace").strip()[-_SHOWN:]
        if done.returncode != 0:
            raise _broken(f"{executable} exits with {done.returncode} and says: {said or 'nothing'}")
        try:
            return [
                (folder / f"tokens{i}").read_bytes().decode("utf-8").split("\n") if column else []
                for i, column in enumerate(columns)
            ]
        except (OSError, UnicodeDecodeError) as error:
            raise _broken(f"its output cannot be read ({error}); Java says: {said or 'nothing'}") from error


def _broken(truth: str) -> ProviderBroken:
    return ProviderBroken(
        "pycocoevalcap's PTB tokenizer was started",
        truth,
        "Check Java (`tertium plugins`) and the space for temporary files, or score with tokenizer=none",
    )

"""
Talk to the Meteor 1.5 program that pycocoevalcap ships, over its standard streams.

The library starts the program with every scorer, writes a line and waits for the answer; a text with a separator or a line
break makes other lines of it, and a program that ends leaves the caller waiting or with an empty number. Here one program
serves all metrics of a process, because it reads a table of paraphrases for seconds and keeps it in a gigabyte; it ends
with the last metric that used it. Separators and line breaks never reach it, and every answer is checked.
"""

from __future__ import annotations

import contextlib
import math
import os
import re
import subprocess
import tempfile
import threading
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from tertium.errors import ProviderBroken
from tertium.resources import java

COUNTS = 23
"""Numbers in the program's answer to a pair."""

SEPARATOR = "|||"
BREAKS = re.compile("[\n\r]")
"""Where a line ends for the program; other separators of lines are characters to it."""

_SHOWN = 2000
_AT_ONCE = 500
_lock = threading.RLock()
_running: weakref.WeakValueDictionary[int, Program] = weakref.WeakValueDictionary()
_kept: list[Program] = []


def hypothesis_line(text: str) -> str:
    """
    Clean a hypothesis as the library does: without separators, and without one space of two; line breaks become spaces.
    """
    return BREAKS.sub(" ", text).replace(SEPARATOR, "").replace("  ", " ")


def reference_line(text: str) -> str:
    """
    Clean a reference: the library leaves it as it is, so that a separator would make two references of one.
    """
    return BREAKS.sub(" ", text).replace(SEPARATOR, "")


class Program:
    """
    Hold a running program; only one thread asks at a time.

    Args:
        executable: Java.
        archive: The program's archive; its data lie beside it.
    """

    def __init__(self, executable: Path, archive: Path) -> None:
        self._heard: IO[bytes] = tempfile.TemporaryFile(prefix="tertium-meteor-")  # noqa: SIM115 - closed with the program
        # The library's own arguments; the encoding that Java takes from the locale is named, and the language of numbers.
        command = [str(executable), "-Dfile.encoding=UTF-8", "-Duser.language=en", "-Xmx2G", "-jar", archive.name]
        command += ["-", "-", "-stdio", "-l", "en", "-norm"]
        try:
            self._process = subprocess.Popen(
                command, cwd=archive.parent, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._heard
            )
        except OSError as error:
            self._heard.close()
            raise _broken(f"{executable} cannot be started ({error.strerror})") from error
        self.close = weakref.finalize(self, _end, self._process, self._heard, os.getpid())

    @property
    def pid(self) -> int:
        """
        The number of the program's process.
        """
        return self._process.pid

    def counts(self, hypothesis: str, references: Sequence[str]) -> list[float]:
        """
        Ask for the counts of one case, those of its best reference.

        Raises:
            ProviderBroken: The program ended, or answered something else; quotes what it said.
        """
        line = f" {SEPARATOR} ".join(("SCORE", *map(reference_line, references), hypothesis_line(hypothesis)))
        with _lock:
            self._write([line])
            answer = self._read()
        numbers = _numbers(answer)
        if len(numbers) != COUNTS:
            raise self._unexpected(answer, f"{COUNTS} numbers")
        return numbers

    def scores(self, counts: Sequence[Sequence[float]]) -> list[float]:
        """
        Ask for the scores of rows of counts, be they of one case or sums of many.

        Raises:
            ProviderBroken: The program ended, or answered something else; quotes what it said.
        """
        found: list[float] = []
        with _lock:
            for start in range(0, len(counts), _AT_ONCE):
                rows = [" ".join(map(repr, row)) for row in counts[start : start + _AT_ONCE]]
                self._write([f" {SEPARATOR} ".join(("EVAL", *rows))])
                for _ in rows:
                    found.append(self._score())
                self._score()  # the score of all rows together
        return found

    def _score(self) -> float:
        answer = self._read()
        numbers = _numbers(answer)
        if len(numbers) != 1:
            raise self._unexpected(answer, "one number")
        return numbers[0]

    def _write(self, lines: Sequence[str]) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write("".join(f"{line}\n" for line in lines).encode())
            self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise self._unexpected("", "a line") from error

    def _read(self) -> str:
        assert self._process.stdout is not None
        try:
            return self._process.stdout.readline().decode("utf-8", "replace")
        except (OSError, ValueError) as error:
            raise self._unexpected("", "a line") from error

    def _unexpected(self, answer: str, wanted: str) -> ProviderBroken:
        if answer:
            truth = f"it answered {answer.strip()[:200]!r} in place of {wanted}"
        else:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(1)
            code = self._process.poll()
            truth = f"it ended with {code}" if code is not None else "it closed its output"
        said = ""
        if not self._heard.closed:
            self._heard.seek(0)
            said = self._heard.read().decode("utf-8", "replace").strip()[-_SHOWN:]
        self.close()  # what it would say next belongs to another question
        return _broken(f"{truth} and says: {said or 'nothing'}")


def program() -> Program:
    """
    Return this process's running program, started if there is none.

    Raises:
        ResourceMissing: There is no Java.
        ProviderBroken: It cannot be started.
    """
    with _lock:
        found = _running.get(os.getpid())
        if found is None or not found.close.alive:
            from pycocoevalcap.meteor import meteor

            archive = Path(meteor.__file__).resolve().with_name(meteor.METEOR_JAR)
            found = _running[os.getpid()] = Program(java.find().executable, archive)
        return found


def keep() -> None:
    """
    Start the program, and let it run until this process ends.
    """
    with _lock:
        _kept[:] = [program()]


def _numbers(answer: str) -> list[float]:
    try:
        found = [float(part) for part in answer.split()]
    except ValueError:
        return []
    return found if all(map(math.isfinite, found)) else []


def _end(process: subprocess.Popen[bytes], heard: IO[bytes], owner: int) -> None:
    if os.getpid() != owner:  # a forked process must not end its parent's program
        return
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()
    process.kill()
    process.wait()
    heard.close()


def _broken(truth: str) -> ProviderBroken:
    return ProviderBroken(
        "pycocoevalcap's Meteor 1.5 was started",
        truth,
        "Check Java and its memory (2 GB), or score with meteor@native(version='1.5'), which needs no Java",
    )

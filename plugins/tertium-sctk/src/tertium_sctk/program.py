"""
Find sclite, write transcripts for it, run it once for many utterances, and read the counts of each.

A transcript (``trn``) holds one utterance a line with its id in parentheses at the end; the ids are numbers made here.
The report ``pralign`` repeats each id with the counts of its alignment, so that nothing is read from rounded rates.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tertium.errors import ProviderBroken
from tertium.resources import Finding, Resource

Counts = NDArray[np.int64]

VERSION = "2.10"
"""What sclite calls itself in SCTK 2.4.10 and 2.4.12, which gave the same alignments wherever both were run."""

DEBIAN = "/usr/lib/sctk/bin"
"""Where Debian's package puts the program, which is not on PATH."""

_NAME = re.compile(r"sclite Version: ([0-9.]+\w*), SCTK Version: ([0-9.]+\w*)")
_SCORES = re.compile(rb"^id: \(t-(\d+)\)\nScores: \(#C #S #D #I\) (\d+) (\d+) (\d+) (\d+)$", re.MULTILINE)
_BREAKS = str.maketrans("\n\r", "  ")
_SHOWN = 2000


@lru_cache(maxsize=8)
def _ask(program: str) -> tuple[str, str]:
    try:
        done = subprocess.run([program], stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=30)
    except OSError as error:
        return "", f"it cannot be started ({error.strerror})"
    except subprocess.TimeoutExpired:
        return "", "it does not say its version within 30 s"
    said = (done.stdout + done.stderr).decode("utf-8", "replace")
    found = _NAME.search(said)
    if found is None:
        return "", f"it does not say its version but {' '.join(said.split())[:120] or 'nothing'}"
    if found[1] != VERSION:
        return "", f"it is version {found[1]}, and the numbers are tested with {VERSION}"
    return f"sclite-{found[1]} SCTK-{found[2]}", ""


def inspect_sclite() -> Finding:
    """
    Find sclite on the path or where Debian has it, and ask for its version.
    """
    program = shutil.which("sclite") or shutil.which("sclite", path=DEBIAN)
    if program is None:
        return Finding(None, f"there is no sclite on PATH, nor in {DEBIAN}")
    problem = _ask(program)[1]
    return Finding(None, f"{program}: {problem}") if problem else Finding(Path(program), None)


def _version() -> str:
    return _ask(str(SCTK.require()))[0]


SCTK = Resource(
    "sctk",
    f"NIST's scoring toolkit SCTK with the program sclite {VERSION}",
    "apt-get install sctk",
    inspect_sclite,
    identify=_version,
)


def counts(references: Sequence[str], hypotheses: Sequence[str], options: Sequence[str]) -> Counts:
    """
    Align utterances.

    Args:
        references: Texts that begin no comment and hold no NUL; what ends a line in them is written as a space, which
            parts words as well.
        hypotheses: As many.
        options: What the command line has beside files and reports.

    Returns:
        Hits, substitutions, deletions and insertions of each utterance, shape (utterances, 4).

    Raises:
        ResourceMissing: There is no sclite, or another version.
        ProviderBroken: It failed, or left an utterance out; quotes what it said.
    """
    program = SCTK.require()
    with tempfile.TemporaryDirectory(prefix="tertium-sctk-") as name:
        folder = Path(name)
        _write(folder / "ref", references)
        _write(folder / "hyp", hypotheses)
        files = ["-r", "ref", "trn", "-h", "hyp", "trn", "-i", "spu_id"]
        command = [str(program), *files, *options, "-f", "0", "-o", "pralign", "stdout"]
        try:
            done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        except OSError as error:
            raise _broken(f"{program} cannot be started ({error.strerror})") from error
    said = re.sub(r"\s+", " ", done.stderr.decode("utf-8", "replace")).strip()[-_SHOWN:] or "nothing"
    if done.returncode != 0:
        raise _broken(f"it exits with {done.returncode} and says: {said}")
    table = np.full((len(references), 4), -1, np.int64)
    for number, *found in _SCORES.findall(done.stdout):
        table[int(number)] = [int(count) for count in found]
    missing = np.flatnonzero(table[:, 0] < 0)
    if len(missing):
        raise _broken(f"its report lacks {len(missing)} of {len(table)} utterances, and it says: {said}")
    return table


def _write(file: Path, texts: Sequence[str]) -> None:
    lines = [f"{text.translate(_BREAKS)} (t-{number})\n" for number, text in enumerate(texts)]
    file.write_bytes("".join(lines).encode("utf-8"))


def _broken(truth: str) -> ProviderBroken:
    return ProviderBroken(
        "sclite was started",
        truth,
        "Check the program (`tertium plugins`) and the space for temporary files, or score with the native metric",
    )

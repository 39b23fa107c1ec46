"""
Put a result where it was asked for: on standard output, or whole in a file, never half of it.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tertium.errors import OutputError


def emit(chunks: str | Iterable[str], file: str | None = None, encoding: str = "utf-8") -> None:
    """
    Write a result as it is.

    Args:
        chunks: The text, or its pieces in order.
        file: Where to; standard output by default or for ``-``.
        encoding: That of standard output; a file is always UTF-8, and so is what programs read.

    Raises:
        OutputError: It cannot be written; a file that was there before is as it was.
        BrokenPipeError: Nobody reads standard output any more.
    """
    pieces = [chunks] if isinstance(chunks, str) else chunks
    if file is not None and file != "-":
        _replace(Path(file), pieces)
        return
    _require_output()
    sys.stdout.flush()
    target = getattr(sys.stdout, "buffer", None)
    try:
        for piece in pieces:
            if target is None:
                sys.stdout.write(piece)
            else:
                target.write(piece.encode(encoding, "backslashreplace"))
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _failure("standard output", error) from error


def show(*parts: Any, file: str | None = None) -> None:
    """
    Draw tables and paragraphs for people, fitting the terminal where there is one.

    Raises:
        OutputError: It cannot be written.
        BrokenPipeError: Nobody reads standard output any more.
    """
    from tertium.reports.terminal import render

    if file is not None and file != "-":
        emit(render(*parts), file)
        return
    _require_output()
    emit(render(*parts, stream=sys.stdout), encoding=getattr(sys.stdout, "encoding", None) or "utf-8")


def check(file: str | None) -> None:
    """
    Find out before long work whether a file can be written at its end.

    Raises:
        OutputError: It cannot.
    """
    if file is None or file == "-":
        return
    path = Path(file)
    real = _real(path)
    if os.path.isdir(path):
        raise OutputError(f"writing to {file}", "it is a folder", "Name a file")
    if not real.parent.is_dir():
        raise OutputError(f"writing to {file}", f"there is no folder {real.parent}", "Make the folder first")
    if _special(path):
        if not os.access(path, os.W_OK):
            raise OutputError(f"writing to {file}", "permission denied", "Choose a place that you may write to")
        return
    try:
        with contextlib.suppress(FileNotFoundError):
            os.lstat(real)  # a name that is too long, for instance
        _try(real.parent)
    except OSError as error:
        raise _failure(file, error) from error


def check_folder(folder: str | None) -> None:
    """
    Find out before long work whether files can be written to a folder, which is made at the end where it is not there.

    Raises:
        OutputError: They cannot.
    """
    if folder is None:
        return
    path = _real(Path(folder))
    while not os.path.lexists(path):
        path = path.parent
    if not path.is_dir():
        raise OutputError(f"saving to {folder}", f"{path} is no folder", "Name another folder")
    try:
        _try(path)
    except OSError as error:
        raise OutputError(f"saving to {folder}", error.strerror or str(error), "Name another folder") from error


def _try(folder: Path) -> None:
    # Permissions do not tell everything: a disk may be mounted for reading only, and for some users nothing is forbidden.
    descriptor, draft = tempfile.mkstemp(prefix=".tertium.", suffix=".part", dir=folder)
    os.close(descriptor)
    os.unlink(draft)


def _replace(path: Path, pieces: Iterable[str]) -> None:
    check(str(path))
    try:
        if _special(path):
            with open(path, "w", encoding="utf-8", newline="") as target:
                target.writelines(pieces)
            return
        real = _real(path)
        mode = stat.S_IMODE(real.stat().st_mode) if real.exists() else 0o666 & ~_umask()
        descriptor, draft = tempfile.mkstemp(prefix=".tertium.", suffix=".part", dir=real.parent)
        try:
            with open(descriptor, "w", encoding="utf-8", newline="") as target:
                target.writelines(pieces)
                target.flush()
                os.fsync(target.fileno())
            os.chmod(draft, mode)
            os.replace(draft, real)
        except BaseException:
            Path(draft).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise _failure(str(path), error) from error


def _require_output() -> None:
    if sys.stdout is None:
        raise OutputError("writing to standard output", "it is closed", "Write to a file (--output FILE), or open it")


def _failure(where: str, error: OSError) -> OutputError:
    return OutputError(
        f"writing to {where}", error.strerror or type(error).__name__, "Nothing was kept there; write elsewhere"
    )


def _special(path: Path) -> bool:
    # Devices, pipes and sockets take text but cannot be replaced by another file.
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current

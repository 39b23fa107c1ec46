"""
Tell the user what a reader did to a file without failing, and keep the reader quick.
"""

from __future__ import annotations

import gc
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Notes = Callable[[str], None]
"""What a note goes to: any function of one text."""


class ReadingNote(UserWarning):
    """
    Say something worth knowing about a file that was read: a byte order mark removed, lone CRs taken as line ends.
    """


def warn(text: str) -> None:
    """
    Give a note as a :class:`ReadingNote` warning that points at the caller of the readers.
    """
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("tertium.readers"):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, ReadingNote, stacklevel=level)


@contextmanager
def collector_paused() -> Iterator[None]:
    """
    Keep the garbage collector off while millions of texts are made, none of which can be garbage.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def lines_phrase(count: int) -> str:
    """
    Write a number of lines in words: ``1 line``, ``1,204 lines``.
    """
    return f"{count:,} line" + ("" if count == 1 else "s")

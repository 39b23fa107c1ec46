"""
Keep arrays that were compiled from a verified resource, verified, in tertium's data folder.

A file is named by what it holds and by the digest of what it came from, and opens with that digest and the digest of
its own content. It is put in its place by renaming, so that several processes may make it at the same time: each sees
a whole file or none. A file that is not whole counts as absent.
"""

from __future__ import annotations

import hashlib
import io
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium.resources import data_folder

FORMAT = 1
"""The version of what is in the files; a change makes all be compiled anew."""

Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True)
class Compiled:
    """
    Name one compiled file.

    Args:
        name: What it holds.
        source: The digest of the resource that it came from.
    """

    name: str
    source: str

    @property
    def place(self) -> Path:
        """
        Where it is, or would be.
        """
        return data_folder() / "compiled" / f"{self.name}-{self.source[:16]}.bin"

    def read(self) -> dict[str, NDArray[Any]] | None:
        """
        Give its arrays, or None where there is no whole file.
        """
        try:
            head, _, content = self.place.read_bytes().partition(b"\n")
        except OSError:
            return None
        return _unpacked(content) if head == self._head(content) else None

    def write(self, arrays: Arrays) -> None:
        """
        Put arrays in its place; where nothing can be written, nothing is.
        """
        stream = io.BytesIO()
        np.savez(stream, allow_pickle=False, **arrays)
        content = stream.getvalue()
        with suppress(OSError):
            self.place.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self.place.parent, prefix=f".{self.place.name}-")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(self._head(content) + b"\n")
                    file.write(content)
                    file.flush()
                    os.fsync(file.fileno())
                os.replace(name, self.place)
            except OSError:
                os.unlink(name)
                raise

    def _head(self, content: bytes) -> bytes:
        return f"tertium {self.name} {FORMAT} {self.source} {hashlib.sha256(content).hexdigest()}".encode()


def _unpacked(content: bytes) -> dict[str, NDArray[Any]]:
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        return {name: arrays[name] for name in arrays.files}

"""
Compile Meteor 1.5's table of paraphrases once, and keep it verified in tertium's data folder.

The text, 272 MB, is read in pieces. The compiled file is named by the digest of the packed text that it came from and
opens with the digest of its own content; it is put in its place by renaming.
"""

from __future__ import annotations

import functools
import gzip
import logging
import sys
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import ResourceMissing
from tertium.native import meteor_data
from tertium.native.compiled_files import Compiled

if TYPE_CHECKING:
    from tertium.native.phrase_tables import PhraseTable

PIECE = 1 << 25

_lock = threading.Lock()
_opened: dict[str, Paraphrases] = {}


@dataclass(frozen=True, eq=False)
class Paraphrases:
    """
    Hold a table of paraphrases and the numbers of its words.
    """

    numbers: Mapping[str, int]
    table: PhraseTable

    @functools.cached_property
    def depth(self) -> int:
        """
        The number of words of the longest phrase.
        """
        start, end, levels = 0, 1, -1
        while end > start:
            start, end, levels = int(self.table.children[start]), int(self.table.children[end]), levels + 1
        return levels


def english_paraphrases() -> Paraphrases:
    """
    Give the English paraphrases: from memory, from the compiled file, or compiled now, which takes some seconds.

    Raises:
        ResourceMissing: The file is not there, or is another.
    """
    place = meteor_data.place(meteor_data.PARAPHRASES)
    digest = meteor_data.digest(meteor_data.PARAPHRASES)
    with _lock:
        if digest not in _opened:
            kept = Compiled("paraphrases", digest)
            arrays = kept.read()
            if arrays is None:
                _say("compiling Meteor's paraphrases, once; this takes some seconds")
                arrays = compile_table(_pieces(str(place)))
                kept.write(arrays)
            _opened[digest] = _opened_table(arrays)
        return _opened[digest]


def _say(text: str) -> None:
    if sys.stderr is not None and sys.stderr.isatty():
        logging.getLogger("tertium").warning("tertium: %s", text)


def _pieces(place: str) -> Iterator[bytes]:
    """
    Yield the text in pieces that end with an entry.
    """
    try:
        with gzip.open(place) as stream:
            rest = b""
            while True:
                piece = stream.read(PIECE)
                text = rest + piece
                cut = len(text)
                lines = np.flatnonzero(np.frombuffer(text, np.uint8) == 10)
                if piece:
                    whole = len(lines) // 3 * 3
                    cut = int(lines[whole - 1]) + 1 if whole else 0
                elif len(lines) % 3 or (text and not text.endswith(b"\n")):
                    raise ResourceMissing(meteor_data.PARAPHRASES, f"{place} ends amid an entry", meteor_data.COMMAND)
                if cut:
                    yield text[:cut]
                rest = text[cut:]
                if not piece:
                    return
    except (OSError, EOFError) as error:
        problem = f"{place} cannot be read ({error})"
        raise ResourceMissing(meteor_data.PARAPHRASES, problem, meteor_data.COMMAND) from error


def compile_table(pieces: Iterator[bytes]) -> dict[str, np.ndarray]:
    """
    Turn entries into arrays.

    Args:
        pieces: Whole entries: a line with a probability, one with a phrase, one with its paraphrase.
    """
    from tertium.native import phrase_tables
    from tertium.native.interning import empty_vocabulary

    vocabulary = empty_vocabulary()
    slots, keys = np.full(8, -1, np.int64), np.zeros(1, np.int64)
    parents, last, nodes = np.zeros(1, np.int32), np.zeros(1, np.int32), 1
    entries: list[np.ndarray] = []
    for piece in pieces:
        points = np.frombuffer(piece, np.uint8)
        starts, ends = np.empty((2, len(points) // 2 + 1), np.int64)
        offsets = np.zeros(piece.count(b"\n") + 1, np.int64)
        phrases = phrase_tables.words_in_lines(points, starts, ends, offsets)
        offsets = offsets[: phrases + 1].copy()
        count = int(offsets[-1])
        tokens, vocabulary = vocabulary.extend(points, starts[:count].copy(), ends[:count].copy())
        slots, keys = phrase_tables.grown(slots, keys, nodes, count)
        parents, last = (_with_room(array, nodes, count) for array in (parents, last))
        found = np.empty(phrases, np.int32)
        nodes = phrase_tables.insert_phrases(tokens, offsets, slots, keys, parents, last, nodes, found)
        entries.append(found.reshape(-1, 2))
    pairs = np.concatenate(entries) if entries else np.zeros((0, 2), np.int32)
    table = phrase_tables.renumbered(parents[:nodes], last[:nodes], pairs[:, 0], pairs[:, 1])
    words = b"\n".join(word.encode("latin-1") for word in vocabulary.words())  # points were bytes of UTF-8
    return {"vocabulary": np.frombuffer(words, np.uint8), **table._asdict()}


def _with_room(array: np.ndarray, used: int, room: int) -> np.ndarray:
    wider = np.zeros(used + room, array.dtype)
    wider[:used] = array[:used]
    return wider


def _opened_table(arrays: Mapping[str, np.ndarray]) -> Paraphrases:
    from tertium.native.phrase_tables import PhraseTable

    words = arrays["vocabulary"].tobytes().decode("utf-8").split("\n")
    table = PhraseTable(*(np.array(arrays[name]) for name in PhraseTable._fields))
    return Paraphrases(dict(zip(words, range(len(words)), strict=True)), table)

"""
Tables of paraphrases: what is compiled from their text, and what becomes of damaged ones.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tertium.errors import ResourceMissing
from tertium.native import meteor_data, paraphrases
from tertium.native.compiled_files import Compiled
from tertium.native.phrase_tables import ROOT, child_of

ENTRIES = [
    ("took part", "participated"),
    ("big", "large"),
    ("big", "very large"),
    ("participated", "took part"),
    ("took", "grabbed"),
    ("été chaud", "sommeil"),
]


def text(entries: list[tuple[str, str]]) -> bytes:
    """
    Write entries as the table does: a probability, a phrase, its paraphrase.
    """
    return "".join(f"0.25\n{phrase}\n{other}\n" for phrase, other in entries).encode()


def partners(table: paraphrases.Paraphrases, phrase: str) -> list[str]:
    """
    Look the paraphrases of a phrase up.
    """
    words = {number: word for word, number in table.numbers.items()}
    parents = np.repeat(np.arange(len(table.table.words)), np.diff(table.table.children))
    node = ROOT
    for word in phrase.split():
        node = int(child_of(table.table.words, table.table.children, node, table.numbers[word]))
        if node < 0:
            return []
    found = []
    for other in table.table.partners[table.table.edges[node] : table.table.edges[node + 1]].tolist():
        names: list[str] = []
        while other != ROOT:
            names.insert(0, words[int(table.table.words[other])])
            other = int(parents[other - 1])
        found.append(" ".join(names))
    return found


@pytest.mark.parametrize("size", [1, 2, 6])
def test_a_table_gives_back_its_entries(size: int) -> None:
    """
    Each phrase has its paraphrases in the order of the text, whatever the pieces in which that is read.
    """
    pieces = (text(ENTRIES[start : start + size]) for start in range(0, len(ENTRIES), size))
    table = paraphrases._opened_table(paraphrases.compile_table(pieces))
    for phrase in {phrase for phrase, _ in ENTRIES}:
        assert partners(table, phrase) == [other for known, other in ENTRIES if known == phrase]
    assert partners(table, "very large") == []
    assert partners(table, "part") == []
    assert table.depth == 2


def test_an_empty_table_is_a_table() -> None:
    """
    A text without entries compiles to the root alone.
    """
    nothing: Iterator[bytes] = iter(())
    table = paraphrases._opened_table(paraphrases.compile_table(nothing))
    assert (len(table.table.words), table.depth) == (1, 0)


@pytest.mark.parametrize("damage", ["cut", "amid"])
def test_damaged_texts_are_named(tmp_path: Path, damage: str) -> None:
    """
    A packed text that is cut short, or ends amid an entry, is an error that names the file.
    """
    place = tmp_path / "paraphrase-en.gz"
    packed = gzip.compress(text(ENTRIES) + (b"0.5\nbig\n" if damage == "amid" else b""))
    place.write_bytes(packed[:-9] if damage == "cut" else packed)
    with pytest.raises(ResourceMissing, match=r"paraphrase-en\.gz"):
        list(paraphrases._pieces(str(place)))


def test_pieces_end_with_entries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    However little is read at once, each piece holds whole entries, and all together hold the text.
    """
    place = tmp_path / "paraphrase-en.gz"
    place.write_bytes(gzip.compress(text(ENTRIES)))
    for size in (1, 7, 50, 10_000):
        monkeypatch.setattr(paraphrases, "PIECE", size)
        pieces = list(paraphrases._pieces(str(place)))
        assert b"".join(pieces) == text(ENTRIES)
        assert all(piece.count(b"\n") % 3 == 0 and piece.endswith(b"\n") for piece in pieces)


def test_the_compiled_table_is_kept_and_verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    The first use compiles into the data folder, later ones read; a damaged file is made anew.
    """
    source = tmp_path / "paraphrase-en.gz"
    source.write_bytes(gzip.compress(text(ENTRIES)))
    monkeypatch.setenv("TERTIUM_DATA", str(tmp_path))
    monkeypatch.setattr(meteor_data, "place", lambda _: source)

    def fresh() -> paraphrases.Paraphrases:
        monkeypatch.setattr(paraphrases, "_opened", {})
        return paraphrases.english_paraphrases()

    assert partners(fresh(), "big") == ["large", "very large"]
    place = Compiled("paraphrases", meteor_data.digest(meteor_data.PARAPHRASES)).place
    whole = place.read_bytes()
    place.write_bytes(whole[:-5])
    assert partners(fresh(), "big") == ["large", "very large"]
    assert place.read_bytes() == whole
    with monkeypatch.context() as patched:
        patched.setattr(paraphrases, "compile_table", pytest.fail)
        assert partners(fresh(), "big") == ["large", "very large"]

"""
Compile WordNet's synonym sets into arrays, once, and keep them verified in tertium's data folder.

What METEOR asks of WordNet is one question: which words share a synonym set with this one? So all that is kept is,
for each lemma of each part of speech, the one-word names in its synonym sets, beside the lists of irregular forms.

Source of the format of WordNet's files: wndb(5WN), exception lists and morphology: morphy(7WN).
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import offsets_of
from tertium.native.compiled_files import Compiled
from tertium.resources import wordnet

PARTS = ("noun", "verb", "adj", "adv")
"""Parts of speech, in WordNet's order."""

# morphy(7WN), as in WordNet's library and in NLTK: what an ending may become, by part of speech
ENDINGS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "noun": (
        *(("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z")),
        *(("ches", "ch"), ("shes", "sh"), ("men", "man"), ("ies", "y")),
    ),
    "verb": (
        *(("s", ""), ("ies", "y"), ("es", "e"), ("es", "")),
        *(("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    ),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}

_MARKER = re.compile(r"\([^)]*\)$")  # a syntactic marker, as in `galore(ip)`
_lock = threading.Lock()
_opened: dict[str, SynonymSets] = {}


@dataclass(frozen=True, eq=False)
class SynonymSets:
    """
    Answer which names share a synonym set with a word.

    Args:
        names: All one-word names that stand in synonym sets, by number; upper case is kept.
        numbers: The number of each name.
        entries: For each part of speech, each lemma's entry.
        irregular: For each part of speech, irregular forms and their lemmas.
        edges: Entry i has the names ``members[edges[i]:edges[i + 1]]``.
        members: Numbers of names.
    """

    names: list[str]
    numbers: Mapping[str, int]
    entries: Mapping[str, Mapping[str, int]]
    irregular: Mapping[str, Mapping[str, list[str]]]
    edges: NDArray[np.int64]
    members: NDArray[np.int32]

    def entries_of(self, word: str) -> tuple[int, ...]:
        """
        Find the entries of a word: of itself and of its base forms, in each part of speech.

        A form in the list of irregular forms has the base forms listed there and no others. All base forms that an
        ending may have come from count, not just the first.
        """
        word = word.lower()
        found: list[int] = []
        for part, known in self.entries.items():
            forms = [word]
            listed = self.irregular[part].get(word)
            if listed is not None:
                forms += listed
            else:
                forms += [word[: -len(old)] + new for old, new in ENDINGS[part] if word.endswith(old)]
            found += [known[form] for form in dict.fromkeys(forms) if form in known]
        return tuple(found)

    def members_of(self, word: str) -> NDArray[np.int32]:
        """
        Give the numbers of the names in all synonym sets of a word and of its base forms, each once.
        """
        entries = self.entries_of(word)
        groups = [self.members[self.edges[entry] : self.edges[entry + 1]] for entry in entries]
        if len(groups) == 1:
            return groups[0]
        return np.unique(np.concatenate(groups)) if groups else self.members[:0]

    def synonyms(self, word: str) -> set[str]:
        """
        Give the one-word names in all synonym sets of a word and of its base forms.
        """
        return {self.names[number] for number in self.members_of(word).tolist()}


def synonym_sets() -> SynonymSets:
    """
    Give the synonym sets of the verified WordNet: from memory, from the compiled file, or compiled now.

    Raises:
        ResourceMissing: There is no whole WordNet.
    """
    digest = wordnet.find().edition.digest
    with _lock:
        if digest not in _opened:
            kept = Compiled("synonym-sets", digest)
            arrays = kept.read()
            if arrays is None:
                arrays = compile_sets()
                kept.write(arrays)
            _opened[digest] = _sets_in(arrays)
        return _opened[digest]


def compile_sets() -> dict[str, NDArray[Any]]:
    """
    Read WordNet's files and lay out the synonym sets as arrays.

    Raises:
        ResourceMissing: There is no whole WordNet.
    """
    files = wordnet.read([f"{kind}.{part}" for part in PARTS for kind in ("index", "data")])
    exceptions = wordnet.read([f"{part}.exc" for part in PARTS])
    numbers: dict[str, int] = {}
    groups: list[list[int]] = []
    arrays: dict[str, NDArray[Any]] = {}
    for part in PARTS:
        sets = {
            offset: [numbers.setdefault(name, len(numbers)) for name in names]
            for offset, names in _data(files[f"data.{part}"])
        }
        lemmas: list[str] = []
        for lemma, offsets in _index(files[f"index.{part}"]):
            lemmas.append(lemma)
            groups.append(sorted({number for offset in offsets for number in sets[offset]}))
        arrays[f"lemmas.{part}"] = _packed(lemmas)
        arrays[f"irregular.{part}"] = _packed(
            " ".join(line.split()) for line in exceptions[f"{part}.exc"].decode("utf-8").splitlines()
        )
    arrays["names"] = _packed(numbers)
    arrays["edges"] = offsets_of(map(len, groups), len(groups))
    arrays["members"] = np.array([number for group in groups for number in group], np.int32)
    return arrays


def _data(content: bytes) -> Iterator[tuple[bytes, list[str]]]:
    """
    Yield each synonym set's offset and its one-word names, without their syntactic markers.
    """
    for line in content.split(b"\n"):
        if not line or line.startswith(b" "):
            continue
        offset, _, _, count, rest = line.split(b" ", 4)
        fields = rest.split(b" ", 2 * int(count, 16))
        names = [_MARKER.sub("", name.decode("utf-8")) for name in fields[: 2 * int(count, 16) : 2]]
        yield offset, [name for name in names if "_" not in name]


def _index(content: bytes) -> Iterator[tuple[str, list[bytes]]]:
    """
    Yield each lemma and the offsets of its synonym sets.
    """
    for line in content.split(b"\n"):
        if line and not line.startswith(b" "):
            fields = line.split()
            yield fields[0].decode("utf-8"), fields[-int(fields[2]) :]


def _packed(lines: Iterable[str]) -> NDArray[np.uint8]:
    return np.frombuffer("\n".join(lines).encode("utf-8"), np.uint8)


def _lines(packed: NDArray[np.uint8]) -> list[str]:
    return packed.tobytes().decode("utf-8").split("\n")


def _sets_in(arrays: Mapping[str, NDArray[Any]]) -> SynonymSets:
    names = _lines(arrays["names"])
    entries: dict[str, dict[str, int]] = {}
    first = 0
    for part in PARTS:
        lemmas = _lines(arrays[f"lemmas.{part}"])
        entries[part] = dict(zip(lemmas, range(first, first + len(lemmas)), strict=True))
        first += len(lemmas)
    irregular = {
        part: {form: bases for form, *bases in map(str.split, _lines(arrays[f"irregular.{part}"]))} for part in PARTS
    }
    numbers = dict(zip(names, range(len(names)), strict=True))
    return SynonymSets(names, numbers, entries, irregular, arrays["edges"], arrays["members"])

"""
Remember what METEOR asks of words: their form after preprocessing, their stem, their synonyms.

A corpus has few words, each many times, and the next system has nearly the same ones. So words, stems and synonyms are
numbered for as long as the process lives, and each chunk only looks numbers up. Threads may share a lexicon: numbers
are only ever added, under a lock, and an array that has to grow is replaced by a longer one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Ids, Offsets

if TYPE_CHECKING:
    from tertium.native.interning import Vocabulary
    from tertium.native.synonym_sets import SynonymSets

Change = Callable[[str], str]
Marks = NDArray[np.bool_]

REMEMBERED = 1 << 17
"""Words after which a shared lexicon is given up for a new one."""


def lengthened(array: NDArray[Any], length: int) -> NDArray[Any]:
    """
    Give an array that is at least so long; what is new in it is 0.
    """
    if length <= len(array):
        return array
    longer = np.zeros(max(length, 2 * len(array)), array.dtype)
    longer[: len(array)] = array
    return longer


class Numbering:
    """
    Number strings from 0 on, and derive another string from each, once.

    Args:
        derive: Gives the derived string; it is called under a lock.
    """

    def __init__(self, derive: Change) -> None:
        self.derived: list[str] = []
        self._derive = derive
        self._of_derived: dict[str, int] = {}
        self._lock = threading.RLock()  # some of NLTK's stemmers keep the word that they work on in themselves

    def of(self, words: Iterable[str]) -> list[int]:
        """
        Give the number of what each word is turned into; ``derived`` holds it by number.
        """
        with self._lock:
            return [self._number(self._derive(word)) for word in words]

    def _number(self, made: str) -> int:
        number = self._of_derived.get(made)
        if number is None:
            number = self._of_derived[made] = len(self.derived)
            self.derived.append(made)
        return number


class Words(Numbering):
    """
    Number the words of vocabularies by what they are turned into.
    """

    def __init__(self, derive: Change) -> None:
        super().__init__(derive)
        self._vocabulary: Vocabulary | None = None
        self._known = np.zeros(1024, np.int32)

    def __len__(self) -> int:
        return 0 if self._vocabulary is None else len(self._vocabulary)

    def of_vocabulary(self, vocabulary: Vocabulary) -> Ids:
        """
        Give, by number in a vocabulary, the number of what each word is turned into.
        """
        from tertium.native.interning import empty_vocabulary

        known, numbers = self._vocabulary or empty_vocabulary(), self._known
        ids, grown = known.extend(*vocabulary.spans)
        if grown is not known:
            with self._lock:
                known = self._vocabulary or empty_vocabulary()  # another thread may have added words
                ids, grown = known.extend(*vocabulary.spans)
                numbers = self._known = lengthened(self._known, len(grown))
                fresh = np.unique(ids[ids >= len(known)])
                numbers[fresh] = self.of(map(grown.__getitem__, fresh.tolist()))
                self._vocabulary = grown
        return numbers[ids]


class Stems:
    """
    Number the stems of numbered words.

    Args:
        words: The words by number; the list may grow.
        stem: Maps a word to its stem.
    """

    def __init__(self, words: list[str], stem: Change) -> None:
        self._words, self._numbering = words, Numbering(stem)
        self._known = np.zeros(1024, np.int32)  # a stem's number plus 1, or 0
        self._lock = threading.Lock()

    @property
    def names(self) -> list[str]:
        """
        The stems by number; the list may grow.
        """
        return self._numbering.derived

    def of(self, chosen: NDArray[np.int64]) -> Ids:
        """
        Find the stems of some words.

        Args:
            chosen: Numbers of words.

        Returns:
            By number of word, its stem's number; what it gives for words that were never chosen means nothing.
        """
        known = self._known
        if len(known) < len(self._words) or not known[chosen].all():
            with self._lock:
                known = self._known = lengthened(self._known, len(self._words))
                missing = chosen[known[chosen] == 0]
                found = self._numbering.of(map(self._words.__getitem__, missing.tolist()))
                known[missing] = np.array(found, np.int32) + 1
        return np.maximum(known - 1, 0)


class Synonyms:
    """
    Keep the names in the synonym sets of numbered words.

    Args:
        words: The words by number; the list may grow.
        sets: Where synonyms are looked up.
    """

    def __init__(self, words: list[str], sets: SynonymSets) -> None:
        self._words, self._sets = words, sets
        self._names = np.zeros(1024, np.int32)  # the number of a word among the names plus 2; 1: none, 0: not looked up
        self._starts, self._sizes = np.zeros(1024, np.int64), np.zeros(1024, np.int64)
        self._members, self._filled = np.zeros(1024, np.int32), 0
        self._lock = threading.Lock()

    def links(self, left: Marks, right: Marks) -> tuple[Offsets, Ids]:
        """
        Link words to those that stand in one of their synonym sets, as they are spelt there.

        Args:
            left: Marks the words whose synonyms are looked up.
            right: Marks the words that may be synonyms; as long.

        Returns:
            Edges, one more than there are marks, and the numbers of the words that each is linked to.
        """
        asked, offered = np.flatnonzero(left), np.flatnonzero(right)
        with self._lock:
            self._look_up(np.flatnonzero(left | right))
            names, starts, sizes, members = self._names, self._starts, self._sizes, self._members
        word_of = np.full(len(self._sets.names) + 2, -1, np.int32)
        word_of[names[offered]] = offered
        word_of[1] = -1
        counts = sizes[asked]
        spread = np.repeat(starts[asked] - np.cumsum(counts) + counts, counts)
        found = word_of[members[spread + np.arange(len(spread))] + 2]
        sources = np.repeat(asked, counts)[found >= 0]
        edges = np.zeros(len(left) + 1, np.int64)
        np.cumsum(np.bincount(sources, minlength=len(left)), out=edges[1:])
        return edges, found[found >= 0]

    def _look_up(self, chosen: NDArray[np.int64]) -> None:
        if len(chosen) and int(chosen[-1]) >= len(self._names):
            self._names, self._starts, self._sizes = (
                lengthened(array, len(self._words)) for array in (self._names, self._starts, self._sizes)
            )
        for number in chosen[self._names[chosen] == 0].tolist():
            word = self._words[number]
            found = self._sets.members_of(word)
            self._members = lengthened(self._members, self._filled + len(found))
            self._members[self._filled : self._filled + len(found)] = found
            self._starts[number], self._sizes[number] = self._filled, len(found)
            self._filled += len(found)
            self._names[number] = self._sets.numbers.get(word, -1) + 2


class Lexicon:
    """
    Answer about words under one preprocessing, stemmer and source of synonyms.

    Args:
        change: What is done to each word first.
        stem: Maps a word to its stem, or None where stems are not asked for.
        sets: Where synonyms are looked up, or None where they are not asked for.
        of_stems: Whether synonyms are those of stems, not of words.
    """

    def __init__(self, change: Change, stem: Change | None, sets: SynonymSets | None, of_stems: bool) -> None:
        self.words = Words(change)
        self._stems = Stems(self.words.derived, stem) if stem else None
        self._synonyms: Synonyms | None = None
        if sets:
            self._synonyms = Synonyms(self.stems.names if of_stems else self.words.derived, sets)

    @property
    def stems(self) -> Stems:
        """
        The stems of its words.
        """
        assert self._stems is not None
        return self._stems

    @property
    def synonyms(self) -> Synonyms:
        """
        The synonyms of its words or stems.
        """
        assert self._synonyms is not None
        return self._synonyms

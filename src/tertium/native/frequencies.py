"""
Learn once, from all references, how often each n-gram stands there.

Chunks count apart and are merged by what the tokens are, not by their numbers, so the result is the same for every
chunk size: n-grams are numbered in order of first occurrence in the corpus.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium.native.columns import Ids, Offsets, Points, TokenColumn

if TYPE_CHECKING:
    from tertium.native.interning import Longs, Vocabulary


@dataclass(frozen=True, eq=False)
class Counts:
    """
    Hold the n-grams of a chunk or corpus with their counts.

    Args:
        cases: How many cases they were counted in.
        vocabulary: The tokens.
        keys: For each order, the n-grams as pairs (see ``corpus_grams.chunk_grams``).
        counts: For each order, how often each n-gram was counted.
        tables: For each order from the second on, the table by which n-grams are found; empty for a chunk.
    """

    cases: int
    vocabulary: Vocabulary
    keys: tuple[Longs, ...]
    counts: tuple[Longs, ...]
    tables: tuple[Ids, ...] = ()

    @property
    def size(self) -> int:
        """
        Give the number of different n-grams.
        """
        return sum(map(len, self.keys))


@dataclass(frozen=True, eq=False)
class Frequencies:
    """
    Count n-grams over the references of a corpus; two of them merge with ``|``.

    Args:
        parts: The counts of chunks, in the order of the corpus.
    """

    parts: tuple[Counts, ...]
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def __or__(self, other: Frequencies) -> Frequencies:
        parts = self.parts + other.parts
        if sum(part.size for part in parts[1:]) > parts[0].size + (1 << 20):
            parts = (merged(parts),)  # now and then, so that memory and time stay in proportion to the corpus
        return Frequencies(parts)

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        # Tables hold hashes of this process; another one makes its own.
        whole = self.merged
        return restored, (whole.cases, whole.vocabulary.contents, whole.vocabulary.edges, whole.keys, whole.counts)

    @property
    def merged(self) -> Counts:
        """
        Give the counts of all chunks together, with tables.
        """
        with self._lock:
            if len(self.parts) > 1 or not self.parts[0].tables:
                object.__setattr__(self, "parts", (merged(self.parts),))
            return self.parts[0]

    @property
    def cases(self) -> int:
        """
        Give the number of cases that were counted.
        """
        return sum(part.cases for part in self.parts)


def counted(references: TokenColumn, bounds: Offsets, orders: int, once: bool) -> Frequencies:
    """
    Count the n-grams of a chunk's references.

    Args:
        references: The references of all cases.
        bounds: Case i owns the references ``bounds[i]:bounds[i + 1]``.
        orders: The longest n-gram.
        once: Count an n-gram once a case (document frequency), not each time that it occurs.
    """
    from tertium.native.corpus_grams import chunk_grams

    return counted_grams(
        chunk_grams(references.ids, references.offsets, len(references.vocabulary), orders), references, bounds, once
    )


def counted_grams(
    grams: Sequence[tuple[Ids, Longs]], references: TokenColumn, bounds: Offsets, once: bool
) -> Frequencies:
    """
    Count the n-grams of a chunk's references, as ``corpus_grams.chunk_grams`` numbers them.
    """
    from tertium.native.corpus_grams import count_grams

    owned = np.array(bounds, np.int64)
    keys, counts = [], []
    for numbers, pairs in grams:
        counts.append(np.zeros(len(pairs), np.int64))
        keys.append(pairs)
        if len(pairs):
            count_grams(numbers, references.offsets, owned, once, np.full(len(pairs), -1, np.int32), counts[-1])
    return Frequencies((Counts(len(bounds) - 1, references.vocabulary, tuple(keys), tuple(counts)),))


def restored(
    cases: int, contents: Points, edges: Offsets, keys: Sequence[Longs], counts: Sequence[Longs]
) -> Frequencies:
    """
    Make frequencies from what was kept of them, in another process or in a file.

    Raises:
        ValueError: Two words or two n-grams are the same.
    """
    from tertium.native.corpus_grams import fill_table
    from tertium.native.interning import empty_vocabulary, salt, table_size

    ids, vocabulary = empty_vocabulary(np.uint32).extend(contents, edges[:-1], edges[1:])
    if len(vocabulary) != len(ids):
        raise ValueError("a word stands twice")
    tables = [np.empty(0, np.int32)]
    for pairs in keys[1:]:
        tables.append(np.full(int(table_size(len(pairs))), -1, np.int32))
        if not fill_table(pairs, tables[-1], salt()):
            raise ValueError("an n-gram stands twice")
    return Frequencies((Counts(cases, vocabulary, tuple(keys), tuple(counts), tuple(tables)),))


def merged(parts: Sequence[Counts]) -> Counts:
    """
    Merge the counts of several chunks.
    """
    from tertium.native.corpus_grams import merge_grams
    from tertium.native.interning import salt, table_size

    words, vocabulary = _merged_words(parts)
    keys: list[Longs] = [np.arange(len(vocabulary), dtype=np.int64)]
    counts: list[Longs] = [np.zeros(len(vocabulary), np.int64)]
    tables: list[Ids] = [np.empty(0, np.int32)]
    for part, tokens in zip(parts, words, strict=True):
        counts[0][tokens] += part.counts[0]  # the tokens of one chunk all differ
    shorter = words
    for order in range(2, len(parts[0].keys) + 1):
        room = sum(len(part.keys[order - 1]) for part in parts)
        slots, pairs = np.full(int(table_size(room)), -1, np.int32), np.empty(room, np.int64)
        total = np.zeros(room, np.int64)
        known, numbers = 0, []
        for part, tokens, first in zip(parts, words, shorter, strict=True):
            found = np.empty(len(part.keys[order - 1]), np.int64)
            known = int(merge_grams(part.keys[order - 1], first, tokens, slots, pairs, known, salt(), found))
            total[found] += part.counts[order - 1]
            numbers.append(found)
        keys.append(pairs[:known].copy())
        counts.append(total[:known].copy())
        tables.append(slots)
        shorter = numbers
    return Counts(sum(part.cases for part in parts), vocabulary, tuple(keys), tuple(counts), tuple(tables))


def _merged_words(parts: Sequence[Counts]) -> tuple[list[Longs], Vocabulary]:
    from tertium.native.interning import empty_vocabulary

    starts, ends, contents = [], [], []
    filled = 0
    for part in parts:
        edges = part.vocabulary.edges
        starts.append(edges[:-1] + filled)
        ends.append(edges[1:] + filled)
        contents.append(part.vocabulary.contents[: edges[-1]])
        filled += int(edges[-1])
    ids, vocabulary = empty_vocabulary(np.uint32).extend(
        np.concatenate(contents), np.concatenate(starts), np.concatenate(ends)
    )
    sizes = [len(part.vocabulary) for part in parts]
    return np.split(ids.astype(np.int64), np.cumsum(sizes)[:-1]), vocabulary


def corpus_counts(corpus: Counts, vocabulary: Vocabulary, chunk: Sequence[tuple[Ids, Longs]]) -> list[Longs]:
    """
    Look up the n-grams of a chunk in the counts of a corpus.

    Args:
        corpus: Merged counts.
        vocabulary: The chunk's tokens.
        chunk: The chunk's n-grams, as ``corpus_grams.chunk_grams`` numbers them.

    Returns:
        For each order, by the chunk's number the corpus' count; 0 where the corpus has none.
    """
    from tertium.native.corpus_grams import find_grams
    from tertium.native.interning import salt

    tokens = corpus_words(corpus, vocabulary)
    found, numbers = [], tokens
    for order, (_, pairs) in enumerate(chunk, 1):
        if order > 1:
            shorter, numbers = numbers, np.empty(len(pairs), np.int64)
            find_grams(pairs, shorter, tokens, corpus.tables[order - 1], corpus.keys[order - 1], salt(), numbers)
        counts = np.zeros(len(pairs), np.int64)
        known = numbers >= 0
        counts[known] = corpus.counts[order - 1][numbers[known]]
        found.append(counts)
    return found


def corpus_words(corpus: Counts, vocabulary: Vocabulary) -> Longs:
    """
    Find the tokens of a chunk among those of a corpus: by the chunk's number the corpus' one, -1 where it has none.
    """
    tokens = corpus.vocabulary.find(*vocabulary.spans).astype(np.int64)
    tokens[tokens >= len(corpus.vocabulary)] = -1
    return tokens

"""
Hold the cases that are scored, column by column.

A case is a hypothesis with the references *of that case*, and optionally a source, a cluster and labels. The
columns are checked once, when :class:`Cases` is made, and never change afterwards.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from types import MappingProxyType
from typing import Any, overload

import numpy as np

from tertium.errors import BadNesting, CountMismatch, EmptyCorpus
from tertium.texts import (
    NESTING,
    SINGLE,
    checked_column,
    checked_ids,
    checked_labels,
    checked_texts,
    described,
    reference_rows,
)


@dataclass(frozen=True, slots=True)
class Case:
    """
    Show one case of a corpus.

    Attributes:
        position: Index of the case in the corpus that was read, which slices and chunks keep.
        references: The texts, or None when the case has no reference entry at all.
    """

    id: str
    position: int
    hypothesis: str
    references: tuple[str, ...] | None
    source: str | None
    cluster: str | None
    labels: Mapping[str, str]


class Cases(Sequence[Case]):
    """
    Keep hypotheses with their references, sources, ids, clusters and labels.

    Args:
        hypotheses: One text a case, from any iterable.
        references: One list of texts a case; a case without an entry has None, which is another thing than
            ``[]`` (an empty list) and ``[""]`` (one empty text). None instead of the whole: no references.
        sources: One text a case.
        ids: One id a case, all different; by default the positions ``"0"``, ``"1"``...
        clusters: The cluster (document, speaker) of each case.
        labels: Names to columns of one label a case, for slices.

    Raises:
        CountMismatch: The columns differ in length.
        EmptyCorpus: There is no case.
        BadText: A value is None, a number, bytes, or holds a lone surrogate.
        BadNesting: A string stands where a list of references is meant, or lists are too deep.

    Example:
        >>> cases = Cases(["a b", "c"], [["a b", "a"], ["c d"]])
        >>> len(cases), cases[0].references
        (2, ('a b', 'a'))
    """

    hypotheses: tuple[str, ...]
    """All hypotheses, one a case."""
    flat_references: tuple[str, ...]
    """The references of all cases, one after the other."""
    bounds: np.ndarray[Any, np.dtype[np.int64]]
    """int64 of shape (cases + 1,): case i's references are ``flat_references[bounds[i]:bounds[i + 1]]``."""
    absent: frozenset[int]
    """Rows that have no reference entry at all."""
    sources: tuple[str, ...] | None
    positions: np.ndarray[Any, np.dtype[np.int64]]
    """int64 of shape (cases,): the place of each case in the corpus that was read."""
    clusters: tuple[str, ...] | None
    labels: Mapping[str, tuple[str, ...]]

    def __init__(
        self,
        hypotheses: Iterable[str],
        references: Iterable[Sequence[str] | None] | None,
        sources: Iterable[str] | None = None,
        ids: Iterable[object] | None = None,
        clusters: Iterable[object] | None = None,
        labels: Mapping[str, Iterable[object]] | None = None,
    ) -> None:
        if isinstance(hypotheses, SINGLE):
            raise BadNesting(
                "hypotheses must be a list of texts", f"{described(hypotheses)} was given", "Wrap it: [text]"
            )
        self.hypotheses = checked_texts("hypothesis", hypotheses)
        size = len(self.hypotheses)
        rows = [None] * size if references is None else reference_rows(references)
        if len(rows) != size:
            raise CountMismatch([("hypotheses", size), ("references", len(rows))], remedy=NESTING)
        if not size:
            raise EmptyCorpus()
        self.absent = frozenset(i for i, row in enumerate(rows) if row is None) if None in rows else frozenset()
        kept = [row or () for row in rows]
        self.flat_references = checked_texts("reference", chain.from_iterable(kept), kept)
        self.bounds = _bounds(map(len, kept), size)
        self.sources = None if sources is None else checked_column("sources", checked_texts("source", sources), size)
        self._ids = None if ids is None else checked_ids(checked_column("ids", checked_labels(ids), size))
        self.clusters = None if clusters is None else checked_column("clusters", checked_labels(clusters), size)
        named = (
            {}
            if labels is None
            else {str(k): checked_column(f"labels {k!r}", checked_labels(v), size) for k, v in labels.items()}
        )
        self.labels = MappingProxyType(named)
        self.positions = np.arange(size, dtype=np.int64)
        self.positions.flags.writeable = False

    @classmethod
    def from_streams(
        cls,
        hypotheses: Iterable[str],
        streams: Iterable[Iterable[str | None]],
        sources: Iterable[str] | None = None,
        ids: Iterable[object] | None = None,
        clusters: Iterable[object] | None = None,
        labels: Mapping[str, Iterable[object]] | None = None,
    ) -> Cases:
        """
        Make cases from reference streams that are parallel to the hypotheses, as files are.

        Args:
            streams: One column a reference set; None inside a column: that set has no reference for the case.
        """
        texts = list(hypotheses)
        columns = [list(stream) for stream in streams]
        for number, column in enumerate(columns, 1):
            if len(column) != len(texts):
                raise CountMismatch([("hypotheses", len(texts)), (f"reference stream {number}", len(column))])
        rows = [[text for text in row if text is not None] for row in zip(*columns, strict=True)] if columns else None
        return cls(texts, rows, sources, ids, clusters, labels)

    @property
    def ids(self) -> tuple[str, ...]:
        """
        One id a case; the positions where none were given.
        """
        return self._ids if self._ids is not None else tuple(map(str, self.positions.tolist()))

    @property
    def references(self) -> tuple[tuple[str, ...] | None, ...]:
        """
        The references case by case; None where a case has no entry.
        """
        ends = self.bounds.tolist()
        return tuple(
            None if i in self.absent else self.flat_references[ends[i] : ends[i + 1]] for i in range(len(self))
        )

    @property
    def reference_counts(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """
        Number of references of each case, int64 of shape (cases,).
        """
        return np.diff(self.bounds)

    def __len__(self) -> int:
        return len(self.hypotheses)

    @overload
    def __getitem__(self, key: int) -> Case: ...
    @overload
    def __getitem__(self, key: slice | Sequence[int] | np.ndarray[Any, Any]) -> Cases: ...
    def __getitem__(self, key: int | slice | Sequence[int] | np.ndarray[Any, Any]) -> Case | Cases:
        """
        Return one case for an index, and cases for a slice, a sequence of indices or a boolean mask.
        """
        if isinstance(key, (int, np.integer)):
            row = range(len(self))[int(key)]
            start, stop = int(self.bounds[row]), int(self.bounds[row + 1])
            return Case(
                self._ids[row] if self._ids is not None else str(int(self.positions[row])),
                int(self.positions[row]),
                self.hypotheses[row],
                None if row in self.absent else self.flat_references[start:stop],
                None if self.sources is None else self.sources[row],
                None if self.clusters is None else self.clusters[row],
                {name: column[row] for name, column in self.labels.items()},
            )
        if isinstance(key, slice):
            start, stop, step = key.indices(len(self))
            return self._span(start, max(start, stop)) if step == 1 else self._take(range(start, stop, step))
        wanted = np.asarray(key)
        if wanted.dtype == bool:
            if wanted.shape != (len(self),):
                raise CountMismatch([("cases", len(self)), ("the mask", wanted.size)])
            wanted = np.flatnonzero(wanted)
        return self._take([range(len(self))[int(i)] for i in wanted])

    def __iter__(self) -> Iterator[Case]:
        return (self[i] for i in range(len(self)))

    def _span(self, start: int, stop: int) -> Cases:
        low, high = int(self.bounds[start]), int(self.bounds[stop])
        return self._with(
            hypotheses=self.hypotheses[start:stop],
            flat_references=self.flat_references[low:high],
            bounds=self.bounds[start : stop + 1] - low,
            absent=frozenset(i - start for i in self.absent if start <= i < stop),
            positions=self.positions[start:stop],
            pick=lambda column: column[start:stop],
        )

    def _take(self, rows: Sequence[int]) -> Cases:
        ends = self.bounds.tolist()
        kept = [self.flat_references[ends[i] : ends[i + 1]] for i in rows]
        return self._with(
            hypotheses=tuple(self.hypotheses[i] for i in rows),
            flat_references=tuple(chain.from_iterable(kept)),
            bounds=_bounds(map(len, kept), len(kept)),
            absent=frozenset(new for new, old in enumerate(rows) if old in self.absent),
            positions=self.positions[np.asarray(rows, dtype=np.int64)],
            pick=lambda column: tuple(column[i] for i in rows),
        )

    def _with(self, *, pick: Callable[[tuple[str, ...]], tuple[str, ...]], **columns: Any) -> Cases:
        if not columns["hypotheses"]:
            raise EmptyCorpus("the selection")
        made = Cases.__new__(Cases)
        made.__dict__.update(columns)
        made.sources = None if self.sources is None else pick(self.sources)
        made._ids = None if self._ids is None else pick(self._ids)
        made.clusters = None if self.clusters is None else pick(self.clusters)
        made.labels = MappingProxyType({name: pick(column) for name, column in self.labels.items()})
        return made

    def chunks(self, size: int) -> Iterator[Cases]:
        """
        Yield the cases in order, at most ``size`` at a time.
        """
        if size < 1:
            raise ValueError(f"a chunk holds at least one case, not {size}")
        for start in range(0, len(self), size):
            yield self._span(start, min(start + size, len(self)))

    def map(self, function: Callable[[str], str]) -> Cases:
        """
        Return the cases with every text (hypotheses, references, sources) put through a function.
        """
        made = Cases.__new__(Cases)
        made.__dict__.update({k: v for k, v in self.__dict__.items() if k != "digest"})
        made.hypotheses = checked_texts("mapped hypothesis", map(function, self.hypotheses))
        made.flat_references = checked_texts("mapped reference", map(function, self.flat_references))
        made.sources = None if self.sources is None else checked_texts("mapped source", map(function, self.sources))
        return made

    @cached_property
    def digest(self) -> str:
        """
        SHA-256 over all columns and positions, in hexadecimal: equal digests mean equal cases.
        """
        total = hashlib.sha256(f"tertium.cases/1:{len(self)}".encode())
        texts: list[tuple[str, Sequence[str] | None]] = [
            ("hypotheses", self.hypotheses),
            ("references", self.flat_references),
            ("sources", self.sources),
            ("ids", self.ids),
            ("clusters", self.clusters),
        ]
        texts += [(f"label {name}", self.labels[name]) for name in sorted(self.labels)]
        for name, column in texts:
            total.update(f"\n{name}:{-1 if column is None else len(column)}:".encode())
            for text in column or ():
                encoded = text.encode("utf-8")
                total.update(b"%d:" % len(encoded))
                total.update(encoded)
        total.update(self.bounds.astype("<i8").tobytes())
        total.update(self.positions.astype("<i8").tobytes())
        total.update(repr(sorted(self.absent)).encode())
        return total.hexdigest()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "labels": dict(self.labels)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, labels=MappingProxyType(state["labels"]))

    def __eq__(self, other: object) -> bool:
        return self.digest == other.digest if isinstance(other, Cases) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        counts = self.reference_counts
        few, many = int(counts.min()), int(counts.max())
        extra = [name for name in ("sources", "clusters") if getattr(self, name) is not None] + list(self.labels)
        return f"Cases({len(self):,} cases, {few if few == many else f'{few}-{many}'} references each" + (
            f", with {', '.join(extra)})" if extra else ")"
        )


def _bounds(counts: Iterable[int], size: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    bounds = np.zeros(size + 1, dtype=np.int64)
    np.cumsum(np.fromiter(counts, np.int64, size), out=bounds[1:])
    bounds.flags.writeable = False
    return bounds

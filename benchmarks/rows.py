"""
Describe what is timed: a row is a metric of tertium and the peers that compute the same.

A family of metrics has a module beside this one with a list ``ROWS``; ``run.py`` finds it there. Peers are imported
inside the functions that use them, so that one which is not installed is only reported as absent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

Run = Callable[[], float]


@dataclass(frozen=True)
class Corpus:
    """
    Hold what is scored: lists of strings, as a user has them.

    Attributes:
        name: What it is, for the report.
        hypotheses: One text a segment.
        references: One list of texts a segment.
        sources: One text a segment, or empty.
    """

    name: str
    hypotheses: list[str]
    references: list[list[str]]
    sources: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.hypotheses)

    def first(self, count: int) -> Corpus:
        """
        Give the first segments.
        """
        return Corpus(self.name, self.hypotheses[:count], self.references[:count], self.sources[:count])


@dataclass(frozen=True)
class Peer:
    """
    Name a library that computes the same value.

    Attributes:
        distribution: Its name on the package index.
        version: The version that the figures are for; empty where the peer is plain Python and no distribution.
        make: Takes the corpus and gives what is timed: a function from lists of strings to the value. Preparing
            what a user would have at hand anyway, such as reference streams, is not timed.
        wanted: How many times as long it should take.
        scale: What its value is multiplied by to compare with tertium's.
        tolerance: Up to which relative difference the values agree; None where they are not the same quantity.
        note: What to know about it.
        segments: Give it and tertium only so many segments, where it is too slow for all.
    """

    distribution: str
    version: str
    make: Callable[[Corpus], Run]
    wanted: float
    scale: float = 1.0
    tolerance: float | None = 1e-6
    note: str = ""
    segments: int | None = None


@dataclass(frozen=True)
class Row:
    """
    Hold a metric of tertium against its peers.

    Attributes:
        metric: What the command line calls it.
        title: What the report calls it.
        specs: The specs that tertium computes in one run; the value compared is the first one's.
        peers: Who else computes it.
        corpus: Makes the corpus from a number of segments; by default translations.
    """

    metric: str
    title: str
    specs: Sequence[str]
    peers: Sequence[Peer]
    corpus: Callable[[int], Corpus] | None = None

    def ours(self, corpus: Corpus, workers: int) -> Run:
        """
        Give what is timed on tertium's side: cases from lists, statistics, value. No memo helps from run to run.
        """
        import tertium
        from tertium.native import cache

        metrics = [tertium.load(spec) for spec in self.specs]

        def run() -> float:
            cache.forget()
            cases = tertium.Cases(corpus.hypotheses, corpus.references, corpus.sources or None)
            values = [tertium.score(metric, cases, workers).value for metric in metrics]
            return values[0]

        return run

"""
Run the library's scorer on cases: its own statistics, case by case, and its own finaliser.

sacreBLEU takes references as streams (first references of all cases, second references of all cases...), cuts
everything to the shortest stream, and keeps the number of references as state. Here each case is handed over by
itself, through the functions that the library calls for each case, so nothing can be cut or shifted, and cases may
have different numbers of references.
"""

from __future__ import annotations

import logging
import threading
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

import tertium
from tertium.errors import ParameterError

Matrix = NDArray[np.float64]

PINNED = "2.6.0"


@dataclass
class Scorer:
    """
    Keep one of the library's metric objects with what it said while it was made.

    Args:
        library: The library's object (``sacrebleu.BLEU``, ``CHRF`` or ``TER``).
        remarks: Its log messages.
        facts: What belongs into the signature beyond parameters, for instance the hash of a model.
    """

    library: Any
    remarks: tuple[str, ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict)


class _Scorers(threading.local):
    """
    Keep the scorers of one thread: a MeCab tagger must not be shared, and workers get the metric anew with each chunk.
    """

    most: ClassVar[int] = 16

    def __init__(self) -> None:
        self.made: dict[tuple[object, ...], Scorer] = {}


_SCORERS = _Scorers()


class SacreBLEUMetric(tertium.Metric):
    """
    Join what the three metrics share; the classes below it name the library's class and its parameters.
    """

    provider = "sacrebleu"
    library = "sacrebleu"
    pinned = PINNED

    @property
    def scorer(self) -> Scorer:
        """
        Return this thread's scorer for these parameters, made on first use.
        """
        key = (type(self), *self.parameters.items())
        found = _SCORERS.made.get(key)
        if found is None:
            while len(_SCORERS.made) >= _SCORERS.most:
                del _SCORERS.made[next(iter(_SCORERS.made))]
            found = _SCORERS.made[key] = self.make_scorer()
        return found

    def make_scorer(self) -> Scorer:
        """
        Make the library's object.
        """
        raise TypeError(f"{type(self).__name__} does not name a class of the library")

    def statistics(self, prepared: tertium.Cases, constants: None) -> Matrix:
        """
        Return the library's sufficient statistics, shape (cases, columns).
        """
        library = self.scorer.library
        preprocess = library._preprocess_segment
        extract = library._extract_reference_info
        count = library._compute_segment_statistics
        bounds, texts = prepared.bounds.tolist(), prepared.flat_references
        rows = []
        for case, hypothesis in enumerate(prepared.hypotheses):
            references = extract([preprocess(text) for text in texts[bounds[case] : bounds[case + 1]]])
            rows.append(count(preprocess(hypothesis), references))
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(self.columns))

    def aggregate(self, sums: Matrix) -> Matrix:
        """
        Return the outputs of every row of sums, each by the library's finaliser.
        """
        library = self.scorer.library
        rows = np.asarray(sums, dtype=np.float64)
        values = [self.finalise(library, row) for row in rows.reshape(-1, rows.shape[-1]).tolist()]
        return np.array(values, dtype=np.float64).reshape(*rows.shape[:-1], len(self.outputs))

    def finalise(self, library: Any, row: list[float]) -> list[float]:
        """
        Return the outputs for one row of sums.
        """
        raise TypeError(f"{type(self).__name__} has no finaliser")

    def data_signature(self, cases: tertium.Cases) -> Mapping[str, object]:
        """
        Return the library's own signature, verbatim, for these cases.

        Its ``nrefs`` is the number of references where all cases have the same number, and ``var`` where not.
        """
        scorer = self.scorer
        counts = np.unique(cases.reference_counts)
        facts = {**vars(scorer.library), "num_refs": int(counts[0]) if len(counts) == 1 else -1}
        return {"sacrebleu.signature": str(scorer.library._SIGNATURE_TYPE(facts)), **scorer.facts}

    def notes(self, cases: tertium.Cases) -> list[str]:
        """
        Return what the library logged while its object was made.
        """
        return list(self.scorer.remarks)


@contextmanager
def overheard() -> Iterator[list[str]]:
    """
    Collect what the library logs in this thread instead of letting it go to the terminal.
    """
    remarks: list[str] = []
    thread = threading.get_ident()

    def take(record: logging.LogRecord) -> bool:
        if record.thread != thread or record.levelno < logging.WARNING:
            return True
        remarks.append(record.getMessage())
        return False

    logger = logging.getLogger("sacrebleu")
    logger.addFilter(take)
    try:
        with warnings.catch_warnings():
            # It logs by a method that Python deprecates; that is no concern of the user's.
            warnings.filterwarnings("ignore", "The 'warn' method is deprecated", DeprecationWarning)
            yield remarks
    finally:
        logger.removeFilter(take)


def refuse(metric: tertium.Metric, asked: str, truth: str, remedy: str) -> ParameterError:
    """
    Make the error for parameters that contradict each other.
    """
    return ParameterError(f"{metric.name}@{metric.provider} with {asked}", truth, remedy)

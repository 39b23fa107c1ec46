"""
A few lines of text whose order is known: equal to their references, equal in part, and without a word in common; and
what native metrics say of them.
"""

from __future__ import annotations

import math

import numpy as np

from tertium.cases import Cases
from tertium.errors import TertiumError
from tertium.metric import Metric, unit_of

_HYPOTHESES = (
    ("a little cat was lying upon my rug", "a dog ran over the green hill today", "we saw seven ships near the coast"),
    ("a little cat was lying upon my rug", "a dog ran over the green hill", "we saw seven ships"),
    (
        "blue tables never sing loud songs outdoors",
        "any paper moon wants much colder tea please",
        "his uncle paints round yellow doors fast",
    ),
)
_FIRST = (
    "the small cat sat on the old mat",
    "a dog ran over the green hill today",
    "we saw seven ships near the coast",
)
_SECOND = (
    "a little cat was lying upon my rug",
    "one dog was running over that green hill today",
    "they met several boats by some beach",
)
_ONLY = (_SECOND[0], _FIRST[1], _FIRST[2])


def samples(several: bool) -> tuple[Cases, Cases, Cases]:
    """
    Return three corpora: hypotheses that equal a reference, that do so in part, and that share no word with any.

    Args:
        several: Two references a case instead of one. The one that fits is not always the first, so that layouts that
            are taken for each other show.
    """
    references = list(zip(_FIRST, _SECOND, strict=True)) if several else [(text,) for text in _ONLY]
    one, part, none = (Cases(texts, references, texts) for texts in _HYPOTHESES)
    return one, part, none


class Native:
    """
    Give the native metric's values of the samples on the unit scale.

    Args:
        metric: The metric, or None: nothing is expected then but order.
    """

    def __init__(self, metric: Metric | None) -> None:
        self._metric = metric
        self._known: dict[tuple[bool, str], tuple[float, ...] | None] = {}

    @property
    def one_reference(self) -> bool:
        """
        Whether the metric takes one reference a case.
        """
        return self._metric is not None and "one-reference" in self._metric.info.needs

    @property
    def names(self) -> tuple[str, ...]:
        """
        Names under which a result may hold the value.
        """
        return () if self._metric is None else (self._metric.name,)

    def values(self, several: bool, level: str) -> tuple[float, ...] | None:
        """
        Return the three values, the means of cases for a function of segments; None where there is no such metric.
        """
        if self._metric is None:
            return None
        key = (several, level)
        if key not in self._known:
            self._known[key] = self._computed(self._metric, several, level)
        return self._known[key]

    @staticmethod
    def _computed(metric: Metric, several: bool, level: str) -> tuple[float, ...] | None:
        found = []
        try:
            for cases in samples(several):
                prepared = metric.preprocess(cases)
                rows = np.asarray(metric.statistics(prepared, metric.constants(prepared)), np.float64)
                with np.errstate(all="ignore"):
                    values = metric.per_case(rows) if level == "segment" else metric.aggregate(rows.sum(axis=0)[None])
                found.append(float(np.asarray(values)[:, 0].mean()) / unit_of(metric))
        except TertiumError:
            return None
        return tuple(found) if all(map(math.isfinite, found)) else None

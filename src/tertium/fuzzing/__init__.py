"""
Fuzz two metrics: draw texts that part implementations, and explain every difference that is found.

Hypothesis draws corpora that know scripts, marks, blanks, repeats and ties (:mod:`tertium.fuzzing.strategies`). What differs
is shrunk, and then explained: by conventions on which the two differ, where both agree with their native equivalents;
by a documented divergence; or not at all. There is one finding an explanation, so that a known one does not hide the
next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from tertium.errors import Refused

if TYPE_CHECKING:
    from tertium.cases import Cases
    from tertium.fuzzing.hunting import Hunt
    from tertium.fuzzing.results import Fuzzing
    from tertium.sides import Asked

__all__ = ["fuzz", "prepared"]

LONGEST = 10_000
"""Characters of a long text at most, by default."""

COSTLY: Mapping[tuple[str, str], int] = {
    ("levenshtein", "nltk"): 250,
    ("ribes", "nltk"): 500,
    ("rougeL", "rouge-score"): 3_000,
    ("rougeLsum", "rouge-score"): 3_000,
    ("ter", "sacrebleu"): 2_500,
}
"""Metric and provider to the characters of a long text where time grows with the square of the text, in Python."""


def fuzz(
    a: Asked,
    b: Asked,
    *,
    seconds: float | None = None,
    count: int | None = None,
    seed: int = 0,
    corpus: Cases | None = None,
    tolerance: float | None = None,
    longest: int | None = None,
    budget: int | None = None,
    allow_unpinned: bool = False,
    progress: Callable[[int, float], None] | None = None,
) -> Fuzzing:
    """
    Search for inputs on which two metrics differ, and explain them.

    Args:
        a: A spec or a metric.
        b: Another one of the same name or family.
        seconds: Stop after that time; 30 seconds where no count is given either.
        count: Stop after that many cases. The same seed and count try the same inputs and find the same.
        seed: Where the search begins, from 0.
        corpus: Cases of real text, which are changed here and there and mixed with invented ones.
        tolerance: Difference, on the shared scale, up to which values are equal; by default what rounding makes.
        longest: Characters of a long text at most, 0 for no long texts; by default ``LONGEST``, or less as ``COSTLY`` says.
        budget: Inputs to try at most while one finding is shrunk.
        progress: Called with the cases tried and the share of the budget that is spent.

    Returns:
        Counts and findings, the unexplained ones first.

    Raises:
        Refused: The two measure different things, or the budget is none.
        ProviderError: One of them, or Hypothesis, is not there.
        TertiumError: One of them cannot be loaded.

    Example:
        >>> found = fuzz("exact-match", "exact-match(normalizer=lowercase)", count=500)
        >>> [(finding.by, finding.kind) for finding in found.findings], len(found.unexplained)
        ([(('exact.normaliser',), 'value')], 0)
    """
    hunt = prepared(
        a,
        b,
        seed=seed,
        corpus=corpus,
        tolerance=tolerance,
        longest=longest,
        budget=budget,
        allow_unpinned=allow_unpinned,
    )
    return hunt.run(*limits(seconds, count), progress)


def limits(seconds: float | None, count: int | None) -> tuple[float | None, int | None]:
    """
    Return a search's limits, checked; 30 seconds where none is given.

    Raises:
        Refused: A limit is not above 0.
    """
    for name, value in (("seconds", seconds), ("count", count)):
        if value is not None and not value > 0:
            raise Refused(f"fuzzing with {name}={value}", "a limit is above 0", "Give a larger one, or leave it out")
    return (30.0 if seconds is None and count is None else seconds), count


def prepared(
    a: Asked,
    b: Asked,
    *,
    seed: int = 0,
    corpus: Cases | None = None,
    tolerance: float | None = None,
    longest: int | None = None,
    budget: int | None = None,
    allow_unpinned: bool = False,
) -> Hunt:
    """
    Make a search ready, such that what it found can be read even after an interruption; see :func:`fuzz`.
    """
    from tertium.fuzzing import drawing

    drawing.require()
    from tertium.conformance.divergences import load_divergences
    from tertium.fuzzing.contest import Contest
    from tertium.fuzzing.hunting import BUDGET, Hunt
    from tertium.shrinking import drafts_of

    given: dict[str, Any] = {"seed": seed, "longest": longest, "tolerance": tolerance, "budget": budget}
    for name, value in given.items():
        if value is not None and not value >= 0:
            raise Refused(f"fuzzing with {name}={value}", "it is 0 or more", "Give another one, or leave it out")
    contest = Contest(a, b, tolerance, allow_unpinned)
    if longest is None:
        names = [(side.metric.name, side.metric.provider) for side in contest.both]
        longest = min(COSTLY.get(name, LONGEST) for name in names)
    real = () if corpus is None else drafts_of(corpus)
    return Hunt(contest, seed, real, longest, BUDGET if budget is None else budget, load_divergences())

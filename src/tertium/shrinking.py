"""
Make an input as small as it can be while something about it stays true: fewer cases, references, sentences, tokens,
characters.

The method is delta debugging (Zeller and Hildebrandt 2002, "Simplifying and isolating failure-inducing input"): pieces
are left out, large ones first, as long as what is interesting stays.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from tertium.cases import Cases
from tertium.errors import Refused, TertiumError
from tertium.findings import conformance_case
from tertium.scoring import Progress
from tertium.sides import Answer, Asked, Side, answer, distance, rescaled, shared_unit, sides

Piece = TypeVar("Piece")

BUDGET = 2_000
"""Inputs to try at most, by default."""

REMEMBERED = 100
"""Cases up to which an input is remembered, so that it is not tried twice."""

FORESEEN = 32
"""Inputs that are foretold at a time."""

SMALLEST = 1e-6
"""Difference on the unit scale that the two must keep, by default: more than arithmetic makes by chance."""

_SENTENCES = re.compile(r".*?(?:[.!?。！？]+\s+|\n|\Z)", re.DOTALL)
_TOKENS = re.compile(r"\s*\S+|\s+\Z")


class _Spent(Exception):
    """
    The budget is used up.
    """


@dataclass(frozen=True)
class Draft:
    """
    Hold one case on its way to become smaller.
    """

    hypothesis: str
    references: tuple[str, ...] | None
    source: str | None

    @property
    def texts(self) -> tuple[str, ...]:
        """
        All texts, the hypothesis first.
        """
        return (self.hypothesis, *(self.references or ()), *(() if self.source is None else (self.source,)))

    def with_texts(self, texts: Sequence[str]) -> Draft:
        """
        Return the case with other texts, as many and in the same order.
        """
        count = len(self.references or ())
        references = None if self.references is None else tuple(texts[1 : 1 + count])
        return Draft(texts[0], references, None if self.source is None else texts[1 + count])


class Shrinker:
    """
    Shrink cases while a condition holds.

    Args:
        interesting: The condition; it is asked about at most ``budget`` inputs.
        budget: How many inputs may be tried.
        foresee: Told which inputs are likely to be asked about next, so that a costly program starts once for several.
        progress: Called with the number of inputs tried and the budget.
    """

    def __init__(
        self,
        interesting: Callable[[Cases], bool],
        budget: int = BUDGET,
        foresee: Callable[[Sequence[Cases]], None] | None = None,
        progress: Progress | None = None,
    ) -> None:
        self._interesting, self._budget, self._foresee, self._progress = interesting, budget, foresee, progress
        self._seen: dict[tuple[Draft, ...], bool] = {}
        self._best: Cases | None = None
        self.calls = 0
        self.spent = False

    def shrink(self, cases: Cases, likely: Sequence[int] = ()) -> Cases:
        """
        Return the smallest cases that were found; those given, where nothing can go.

        Args:
            likely: Rows to try alone first, the likeliest first.
        """
        drafts = drafts_of(cases)
        try:
            drafts = self._alone(drafts, likely)
            before: tuple[Draft, ...] | None = None
            while drafts != before:
                before = drafts
                drafts = self._fewer(drafts, lambda rows: tuple(rows), least=1)
                for row in range(len(drafts)):
                    drafts = self._smaller(drafts, row)
                if len(drafts) <= REMEMBERED:
                    drafts = self._together(drafts)
        except _Spent:
            self.spent = True
        return self._best if self._best is not None else cases

    def _holds(self, drafts: tuple[Draft, ...]) -> bool:
        short = len(drafts) <= REMEMBERED
        if short and drafts in self._seen:
            return self._seen[drafts]
        if self.calls >= self._budget:
            raise _Spent
        self.calls += 1
        cases = as_cases(drafts)
        found = self._interesting(cases)
        if self._progress is not None:
            self._progress(self.calls, self._budget)
        if short:
            self._seen[drafts] = found
        if found:
            self._best = cases  # every step goes from what holds to something smaller that holds
        return found

    def _alone(self, drafts: tuple[Draft, ...], likely: Sequence[int]) -> tuple[Draft, ...]:
        # What shows on no case alone may show on a few that bear it together.
        tried = [likely[place : place + 1] for place in range(len(likely))]
        tried += [likely[: 1 << power] for power in range(1, len(likely).bit_length())]
        for rows in tried:
            if len(rows) < len(drafts) and self._holds(tuple(drafts[row] for row in sorted(rows))):
                return tuple(drafts[row] for row in sorted(rows))
        return drafts

    def _fewer(
        self, pieces: Sequence[Piece], whole: Callable[[Sequence[Piece]], tuple[Draft, ...]], least: int = 0
    ) -> Any:
        """
        Leave out runs of pieces, half of them at first and single ones at last.
        """
        kept = list(pieces)
        size = max(1, len(kept) // 2)
        while len(kept) > least:
            start = foreseen = 0
            while start < len(kept):
                if self._foresee is not None and start >= foreseen:
                    places = range(start, len(kept), size)[:FORESEEN]
                    rests = [kept[:place] + kept[place + size :] for place in places]
                    self._foresee([as_cases(whole(rest)) for rest in rests if len(rest) >= least])
                    foreseen = start + size * len(places)
                rest = kept[:start] + kept[start + size :]
                if len(rest) >= least and self._holds(whole(rest)):
                    kept, foreseen = rest, start
                else:
                    start += size
            if size == 1:
                break
            size = max(1, size // 2)
        return whole(kept)

    def _smaller(self, drafts: tuple[Draft, ...], row: int) -> tuple[Draft, ...]:
        def placed(draft: Draft) -> tuple[Draft, ...]:
            return (*drafts[:row], draft, *drafts[row + 1 :])

        draft = drafts[row]
        if draft.references:
            drafts = self._fewer(draft.references, lambda found: placed(replace(draft, references=tuple(found))))
        for cut in (sentences, tokens, list):
            for place in range(len(drafts[row].texts)):
                draft = drafts[row]

                def with_text(found: Sequence[str], draft: Draft = draft, place: int = place) -> tuple[Draft, ...]:
                    texts = list(draft.texts)
                    texts[place] = "".join(found)
                    return placed(draft.with_texts(texts))

                drafts = self._fewer(cut(draft.texts[place]), with_text)
        return drafts

    def _together(self, drafts: tuple[Draft, ...]) -> tuple[Draft, ...]:
        """
        Leave out of all texts at once what several of them share: alone it would only make them differ.
        """
        for cut in (tokens, list):
            for piece in dict.fromkeys(piece for draft in drafts for text in draft.texts for piece in cut(text)):
                found = tuple(draft.with_texts([text.replace(piece, "") for text in draft.texts]) for draft in drafts)
                if found != drafts and self._holds(found):
                    drafts = found
        return drafts


def sentences(text: str) -> list[str]:
    """
    Cut a text after sentences and lines, such that the pieces make up the text.
    """
    return [piece for piece in _SENTENCES.findall(text) if piece]


def tokens(text: str) -> list[str]:
    """
    Cut a text before white space, such that the pieces make up the text.
    """
    return _TOKENS.findall(text)


def drafts_of(cases: Cases) -> tuple[Draft, ...]:
    """
    Make drafts of cases.
    """
    return tuple(Draft(case.hypothesis, case.references, case.source) for case in cases)


def as_cases(drafts: Sequence[Draft]) -> Cases:
    """
    Make cases of drafts.
    """
    sources = [draft.source for draft in drafts]
    return Cases(
        [draft.hypothesis for draft in drafts],
        [draft.references for draft in drafts],
        None if sources[0] is None else [source or "" for source in sources],
    )


@dataclass(frozen=True)
class Shrunk:
    """
    Hold the smallest input that was found on which two metrics differ.

    Attributes:
        a: The first metric.
        b: The second.
        cases: The input.
        answers: What each says about it: a kind and a value on the metric's own scale.
        gap: The second value less the first on one scale; NaN where one of them is no number.
        calls: Inputs that were tried.
        complete: Whether nothing more can be left out; otherwise the budget ended the search.
    """

    a: Side
    b: Side
    cases: Cases
    answers: tuple[Answer, Answer]
    gap: float
    calls: int
    complete: bool

    def case(self, axes: Sequence[str] = ()) -> dict[str, Any]:
        """
        Return the input as a case of the conformance suite, ready for its file.

        Args:
            axes: Ids of the conventions that explain the difference.
        """
        return conformance_case(self.a, self.b, self.cases, self.answers, axes)


def shrink(
    a: Asked,
    b: Asked,
    cases: Cases,
    *,
    tolerance: float | None = None,
    budget: int = BUDGET,
    likely: Sequence[int] | None = None,
    progress: Progress | None = None,
) -> Shrunk:
    """
    Find the smallest input, made of these cases by leaving out, on which two metrics differ.

    What stays is the kind of the difference: two numbers stay numbers, and where one of them refuses, it keeps to its
    reason.

    Args:
        tolerance: On the shared scale: the two must differ by more; by default a millionth of the scale's unit.
        budget: Inputs to try at most.
        likely: Rows to try alone first; by default those with the greatest influence on the gap.
        progress: Called with the number of inputs tried and the budget.

    Raises:
        Refused: The two do not differ by more than the tolerance.

    Example:
        >>> import tertium
        >>> cases = tertium.Cases(["The cat sat.", "a dog"], [["the cat sat."], ["a dog"]])
        >>> found = shrink("exact-match", "exact-match(normalizer=lowercase)", cases)
        >>> found.cases.hypotheses, found.cases.references
        (('T',), (('t',),))
    """
    left, right = sides(a, b, "shrinking the difference")
    unit = shared_unit((left, right))
    bound = SMALLEST * unit if tolerance is None else tolerance

    def answers(some: Cases) -> tuple[Answer, Answer]:
        return answer(left.metric, left.column, some), answer(right.metric, right.column, some)

    def apart(found: tuple[Answer, Answer]) -> float:
        scaled = [
            (kind, rescaled(value, side.unit, unit)) for (kind, value), side in zip(found, (left, right), strict=True)
        ]
        return distance(scaled[0], scaled[1])

    first = answers(cases)
    if apart(first) <= bound:
        raise Refused(
            f"shrinking what makes {left.label} and {right.label} differ",
            f"they lie {apart(first):.6g} apart on these cases, and the tolerance is {bound:.6g}",
            "Give a smaller --tolerance, or other cases",
        )
    kinds = [kind for kind, _ in first]

    def interesting(some: Cases) -> bool:
        found = answers(some)
        return [kind for kind, _ in found] == kinds and apart(found) > bound

    shrinker = Shrinker(interesting, budget, progress=progress)
    smallest = shrinker.shrink(cases, _likely(a, b, cases) if likely is None else likely)
    last = answers(smallest)
    values = [rescaled(value, side.unit, unit) for (_, value), side in zip(last, (left, right), strict=True)]
    gap = values[1] - values[0] if kinds == ["number", "number"] else math.nan
    return Shrunk(left, right, smallest, last, gap, shrinker.calls, not shrinker.spent)


def _likely(a: Asked, b: Asked, cases: Cases) -> list[int]:
    from tertium.differing import diff

    if len(cases) == 1:
        return []
    try:
        return [case.row for case in diff(a, b, cases, top=20).carriers]
    except TertiumError:
        return []

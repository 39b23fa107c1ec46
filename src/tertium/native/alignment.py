"""
Align sequences: how many hits, substitutions, deletions and insertions, and where.

Where several alignments cost the same, a named rule chooses. A rule ranks the steps that may be open on the way back
from the end of both sequences; the rank decides. ``jiwer`` and ``sclite`` give the breakdowns of these programs,
``kaldialign`` that of kaldialign and MeetEval; ``most-hits`` and ``fewest-hits`` bound what any rule can give.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tertium.errors import ParameterError, Refused
from tertium.native.columns import Ids
from tertium.native.units import Column

Counts = NDArray[np.int64]
Ties = Literal["jiwer", "sclite", "kaldialign", "most-hits", "fewest-hits"]

# Ranks of match, substitution, insertion and deletion on the way back from the end.
_RANKS: dict[str, tuple[int, int, int, int]] = {
    "jiwer": (3, 1, 2, 0),
    "sclite": (0, 1, 2, 3),
    "kaldialign": (2, 3, 0, 1),
    "most-hits": (0, 1, 2, 3),
    "fewest-hits": (3, 0, 1, 2),
}
_SPLIT_AT = 1 << 20
"""Bytes of the two bit matrices of a pair from which rapidfuzz aligns its halves, by Hirschberg's method."""
_MOST_CELLS = 1 << 30


class Step(NamedTuple):
    """
    Hold one step of an alignment.

    Attributes:
        operation: ``hit``, ``substitution``, ``insertion`` or ``deletion``.
        reference: The reference's unit, None for an insertion.
        hypothesis: The hypothesis's unit, None for a deletion.
        reference_span: The units of the reference that it covers: from, to (not included).
        hypothesis_span: The units of the hypothesis that it covers.
    """

    operation: str
    reference: str | None
    hypothesis: str | None
    reference_span: tuple[int, int]
    hypothesis_span: tuple[int, int]


OPERATIONS = ("hit", "substitution", "insertion", "deletion")


def steps_of(pairs: Iterable[tuple[str, str | None, str | None]]) -> tuple[Step, ...]:
    """
    Number the units of an alignment's steps.

    Args:
        pairs: Operation, reference's unit and hypothesis's unit of each step, None where there is none.
    """
    made = []
    row = column = 0
    for operation, reference, hypothesis in pairs:
        end = row + (reference is not None), column + (hypothesis is not None)
        made.append(Step(operation, reference, hypothesis, (row, end[0]), (column, end[1])))
        row, column = end
    return tuple(made)


@dataclass(frozen=True)
class Costs:
    """
    Hold what a step costs, as whole numbers.

    Args:
        substitution: Of a substitution.
        insertion: Of an insertion.
        deletion: Of a deletion.
        unit: How many make 1.
    """

    substitution: int = 1
    insertion: int = 1
    deletion: int = 1
    unit: int = 1

    @property
    def equal(self) -> bool:
        """
        Whether all steps cost the same, so that the least cost is the fewest edits.
        """
        return self.substitution == self.insertion == self.deletion > 0


SCLITE = Costs(4, 3, 3)


def costs(text: str) -> Costs:
    """
    Read costs: ``unit``, ``sclite`` (4, 3 and 3), or three numbers ``substitution/insertion/deletion``.

    Raises:
        ParameterError: It is none of these, or a number is negative or not finite.
    """
    if text == "unit":
        return Costs()
    if text == "sclite":
        return SCLITE
    asked = f"costs={text}"
    remedy = "Write substitution/insertion/deletion, for instance costs='4/3/3'"
    parts = text.split("/")
    if len(parts) != 3:
        raise ParameterError(asked, "costs are unit, sclite, or three numbers", remedy)
    found = []
    for name, part in zip(("substitution", "insertion", "deletion"), parts, strict=True):
        try:
            number = float(part)
        except ValueError:
            raise ParameterError(asked, f"{part!r} is not a number", remedy) from None
        if not math.isfinite(number) or number < 0:
            raise ParameterError(asked, f"the {name} cannot cost {part}: costs are finite and at least 0", remedy)
        found.append(Fraction(part.strip()))
    unit = math.lcm(*(cost.denominator for cost in found))
    whole = [int(cost * unit) for cost in found]
    if max(*whole, unit) > 1_000_000:
        raise ParameterError(asked, "it needs more than six digits to be held exactly", "Round the costs")
    return Costs(whole[0], whole[1], whole[2], unit)


@dataclass(frozen=True)
class Aligner:
    """
    Align by costs and a tie rule.

    Args:
        costs: What a step costs.
        ties: Which of the cheapest alignments to take.
    """

    costs: Costs
    ties: Ties

    def counts(self, left: Column, right: Column, owners: NDArray[np.int64]) -> Counts:
        """
        Count hits, substitutions, deletions and insertions.

        Args:
            left: References.
            right: Hypotheses, numbered with the references.
            owners: The hypothesis of each reference.

        Returns:
            Shape (references, 4).
        """
        spans = np.empty((len(left), 4), np.int64)
        spans[:, 0], spans[:, 1] = left.offsets[:-1], left.offsets[1:]
        spans[:, 2], spans[:, 3] = right.offsets[owners], right.offsets[owners + 1]
        return self._count(left.ids, right.ids, spans, max(left.size, right.size))

    def _count(self, left: Ids, right: Ids, spans: Counts, size: int) -> Counts:
        from tertium.native.weighted import weighted

        rows, columns = spans[:, 1] - spans[:, 0], spans[:, 3] - spans[:, 2]
        found = np.zeros((len(spans), 4), np.int64)
        widest = int(columns.max(initial=0))
        if self._is_rapidfuzz:
            long = np.flatnonzero((rows * columns) // 4 >= _SPLIT_AT)
            short = np.ones(len(spans), bool)
            short[long] = False
            work = _Work(size, widest)
            for pair in long:
                parts = np.array(list(_halved(left, right, spans[pair], work)), np.int64)
                found[pair] = self._count_short(left, right, parts, work).sum(axis=0)
            if len(long) == 0:
                return self._count_short(left, right, spans, work)
            found[short] = self._count_short(left, right, spans[short], work)
            return found
        trimmed = self.ties == "jiwer"
        totals, counts = np.empty(widest + 1, np.int64), np.empty(widest + 1, np.int64)
        weighted(left, right, spans, self._steps(rows, columns), self._ranks, trimmed, totals, counts, found)
        return found

    def _count_short(self, left: Ids, right: Ids, spans: Counts, work: _Work) -> Counts:
        from tertium.native.edits import WORD, breakdowns

        found = np.zeros((len(spans), 4), np.int64)
        rows, columns = spans[:, 1] - spans[:, 0], spans[:, 3] - spans[:, 2]
        room = int((-(-rows // WORD) * columns).max(initial=0))
        ups, downs = np.empty(room, np.int64), np.empty(room, np.int64)
        breakdowns(left, right, spans, work.table, work.carry, ups, downs, found)
        return found

    @property
    def _is_rapidfuzz(self) -> bool:
        return self.ties == "jiwer" and self.costs.equal

    @property
    def _ranks(self) -> Counts:
        return np.array(_RANKS[self.ties], np.int64)

    def _steps(self, rows: Counts, columns: Counts) -> Counts:
        steps = np.array([0, self.costs.substitution, self.costs.insertion, self.costs.deletion], np.int64)
        longest = int(np.minimum(rows, columns).max(initial=0)) + 1
        most = int((rows + columns).max(initial=0)) + 1
        if self.ties in ("most-hits", "fewest-hits"):
            steps *= longest  # so that all hits together weigh less than the least difference in cost
            steps[0] = -1 if self.ties == "most-hits" else 1
        if int(steps.max()) * most >= 1 << 60:
            raise Refused("weighted edits", "the texts are too long for such large costs", "Give smaller whole costs")
        return steps

    def path(self, left: Column, right: Column) -> list[int]:
        """
        Give the steps of the alignment of one pair, first one first, as ``edits`` numbers them.

        Args:
            left: One reference.
            right: One hypothesis, numbered with the reference.

        Raises:
            Refused: The table of the pair would not fit into memory.
        """
        from tertium.native.edits import trim
        from tertium.native.weighted import MATCH, trace

        span = np.array([0, len(left.ids), 0, len(right.ids)], np.int64)
        parts = [span]
        if self._is_rapidfuzz:
            work = _Work(max(left.size, right.size), len(right.ids))
            parts = [np.array(part, np.int64) for part in _halved(left.ids, right.ids, span, work)]
        taken: list[int] = []
        for part in parts:
            before = part.copy()
            if self.ties == "jiwer":
                trim(left.ids, right.ids, part)
            rows, columns = int(part[1] - part[0]), int(part[3] - part[2])
            if rows * columns > _MOST_CELLS:
                raise Refused(
                    "an alignment to look at",
                    f"{rows:,} against {columns:,} units need {rows * columns:,} cells",
                    "Align parts of the texts; counts alone have no such limit",
                )
            path = np.empty(rows + columns, np.uint8)
            steps = self._steps(np.array([rows]), np.array([columns]))
            totals, cells = np.empty(columns + 1, np.int64), np.empty(rows * columns, np.uint8)
            count = trace(left.ids, right.ids, part, steps, self._ranks, totals, cells, path)
            taken += [MATCH] * int(part[0] - before[0])
            taken += path[:count][::-1].tolist()
            taken += [MATCH] * int(before[1] - part[1])
        return taken


class _Work:
    def __init__(self, size: int, widest: int) -> None:
        self.table = np.zeros(size, np.int64)
        self.carry = np.empty(widest, np.int8)


def _halved(left: Ids, right: Ids, span: Counts, work: _Work) -> Iterator[tuple[int, int, int, int]]:
    """
    Cut a pair into pairs small enough for one table, as rapidfuzz cuts it: the hypothesis in the middle, the reference
    at the first place from where both halves together need the fewest edits.

    Yields:
        Start and end in ``left``, start and end in ``right``, in order; what is cut off between them matches.
    """
    from tertium.native.edits import margin, trim

    waiting = [((int(span[0]), int(span[1]), int(span[2]), int(span[3])), 1 << 62)]
    while waiting:
        whole, most = waiting.pop()
        inner = np.array(whole, np.int64)
        trim(left, right, inner)
        start, end, begin, stop = (int(edge) for edge in inner)
        rows, columns = end - start, stop - begin
        band = min(rows, 2 * min(most, max(rows, columns)) + 1)
        if 2 * band * columns // 8 < _SPLIT_AT or rows < 65 or columns < 10:
            yield whole  # with its common ends, so that they are counted
            continue
        middle = begin + columns // 2
        first, last = np.empty(rows + 1, np.int64), np.empty(rows + 1, np.int64)
        upper, lower = np.array([start, end, begin, middle]), np.array([start, end, middle, stop])
        margin(left, right, upper, False, work.table, work.carry, first)
        margin(left, right, lower, True, work.table, work.carry, last)
        cut = int(np.argmin(first + last[::-1]))
        distances = int(first[cut]), int(last[rows - cut])
        waiting.append(((start + cut, whole[1], middle, whole[3]), distances[1]))
        waiting.append(((whole[0], start + cut, whole[2], middle), distances[0]))

"""
Count the n-grams that sequences share, order by order.

A longer n-gram cannot be shared where its beginning is not, so each order goes on only from the positions whose n-gram
stands on both sides. Where it stands once on either side nothing need be looked up any more: the units that follow
are compared, and each that is equal makes one more n-gram shared. Classes of n-grams are numbered within the case, so a
table over (class, next unit) is small and addressed directly; where it would not be, it is probed by a hash. Equal
numbers always mean equal n-grams.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Ids, Offsets, Points, TextColumn
from tertium.native.gram_orders import DIRECT, count_shared
from tertium.native.interning import Longs, salt, table_size


def shared_grams(
    hypotheses: Ids,
    hypothesis_offsets: Offsets,
    references: Ids,
    reference_offsets: Offsets,
    bounds: Offsets,
    orders: int,
) -> Longs:
    """
    Count, for every reference, the n-grams that it shares with its case's hypothesis, with multiplicity.

    Args:
        hypotheses: The units (characters or tokens) of all hypotheses, at least 0.
        hypothesis_offsets: Where each hypothesis starts, and the end of the last.
        references: The units of all references.
        reference_offsets: Where each reference starts, and the end of the last.
        bounds: Case i owns the references ``bounds[i]:bounds[i + 1]``.
        orders: The longest n-gram.

    Returns:
        int64 of shape (references, orders): the sum over n-grams of the smaller of their two counts.
    """
    owners, groups = _pairs(bounds)
    offsets = hypothesis_offsets, reference_offsets
    return _counted(hypotheses, references, offsets, owners, groups, orders, None)[0]


def clipped_grams(
    hypotheses: Ids,
    hypothesis_offsets: Offsets,
    references: Ids,
    reference_offsets: Offsets,
    bounds: Offsets,
    orders: int,
) -> Longs:
    """
    Count the n-grams of each hypothesis that its references hold, each at most as often as in one of them.

    The maximum over references is taken for each n-gram by itself (Papineni et al. 2002, section 2.1).

    Args:
        hypotheses: The units of all hypotheses, at least 0.
        hypothesis_offsets: Where each hypothesis starts, and the end of the last.
        references: The units of all references.
        reference_offsets: Where each reference starts, and the end of the last.
        bounds: Case i owns the references ``bounds[i]:bounds[i + 1]``.
        orders: The longest n-gram.

    Returns:
        int64 of shape (cases, orders).
    """
    owners, groups = np.arange(len(bounds) - 1), np.array(bounds, np.int64)
    offsets = hypothesis_offsets, reference_offsets
    return _counted(hypotheses, references, offsets, owners, groups, orders, None)[0]


def shared_characters(
    hypotheses: TextColumn, references: TextColumn, bounds: Offsets, orders: int, dropped: NDArray[np.bool_]
) -> tuple[Longs, Longs, Longs]:
    """
    Count, for every reference, the n-grams of characters that it shares with its case's hypothesis.

    Args:
        hypotheses: One text a case.
        references: The references of all cases.
        bounds: Case i owns the references ``bounds[i]:bounds[i + 1]``.
        orders: The longest n-gram.
        dropped: Whether to leave a code point out; those beyond its end stay.

    Returns:
        int64 of shape (references, orders), and how many characters stay of each hypothesis and of each reference.
    """
    offsets = hypotheses.offsets, references.offsets
    return _counted(hypotheses.points, references.points, offsets, *_pairs(bounds), orders, dropped)


def _pairs(bounds: Offsets) -> tuple[Longs, Longs]:
    return np.repeat(np.arange(len(bounds) - 1), np.diff(bounds)), np.arange(bounds[-1] + 1)


def _counted(
    hypotheses: Points | Ids,
    references: Points | Ids,
    offsets: tuple[Offsets, Offsets],
    owners: Longs,
    groups: Longs,
    orders: int,
    dropped: NDArray[np.bool_] | None,
) -> tuple[Longs, Longs, Longs]:
    matches = np.zeros((len(owners), orders), np.int64)
    left, right = (np.zeros(len(edges) - 1, np.int64) for edges in offsets)
    units = 1 + max(int(hypotheses.max(initial=0)), int(references.max(initial=0)))
    numbers = np.zeros(units, np.int64)
    if dropped is not None:
        numbers[: len(dropped)][dropped[:units]] = -1
    longest = int(np.diff(offsets[0]).max(initial=0))
    most = int((np.diff(offsets[1][groups]) + np.diff(groups)).max(initial=0))
    count_shared(
        _as_points(hypotheses, units),
        offsets[0],
        _as_points(references, units),
        offsets[1],
        owners,
        groups,
        numbers,
        np.zeros(max(DIRECT + 1, table_size(longest)), np.int64),
        np.empty((3, longest + orders + 1), np.int64),
        np.empty((4, most + orders + 1), np.int64),
        np.empty((11, longest + 2), np.int64),
        salt(),
        matches,
        left,
        right,
    )
    return matches, left, right


def _as_points(units: Points | Ids, count: int) -> Points:
    """
    Give units as unsigned numbers of one width and not to be written to, so that the kernel is compiled once for all.
    """
    points = units.astype(np.uint16 if count <= 1 << 16 else np.uint32, copy=False).view()
    points.flags.writeable = False
    return points

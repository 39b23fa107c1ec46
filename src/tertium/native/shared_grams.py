"""
Count the n-grams that two sequences share, pair by pair and order by order.

Each order goes on only from the positions whose n-gram stands on both sides: a longer n-gram cannot be shared where
its beginning is not. Classes of n-grams are numbered within the pair, so a table over (class, next unit) is small and
addressed directly; where it would not be, an open-addressing table takes its place. Equal numbers always mean equal
n-grams.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Ids, Offsets, Points
from tertium.native.interning import Longs, find_pair, salt, table_size
from tertium.native.kernels import kernel

DIRECT = 1 << 16
"""Entries of the directly addressed table."""


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
    matches = np.zeros((len(reference_offsets) - 1, orders), np.int64)
    if not matches.size or not len(references) or not len(hypotheses):
        return matches
    longest_reference = int(np.diff(reference_offsets).max())
    longest_hypothesis = int(np.diff(hypothesis_offsets).max())
    units = 1 + max(int(hypotheses.max()), int(references.max()))
    count_shared(
        hypotheses,
        hypothesis_offsets,
        references,
        reference_offsets,
        np.array(bounds, np.int64),
        np.zeros(units, np.int64),
        np.zeros(DIRECT, np.int64),
        np.empty(table_size(longest_reference), np.int64),
        np.empty((8, longest_reference + 1), np.int64),
        np.empty((3, longest_hypothesis), np.int64),
        salt(),
        matches,
    )
    return matches


@kernel
def count_shared(
    hypotheses: Ids,
    hypothesis_offsets: Offsets,
    references: Ids,
    reference_offsets: Offsets,
    bounds: Offsets,
    local: Longs,
    direct: Longs,
    slots: Longs,
    by_reference: NDArray[np.int64],
    by_hypothesis: NDArray[np.int64],
    salt: Longs,
    matches: NDArray[np.int64],
) -> None:
    """
    Do the work of :func:`shared_grams`.

    An entry of ``local`` or ``direct`` counts only if it is at least ``base``, the first number of the order in hand;
    older ones are left where they are, so that nothing has to be cleared.

    Args:
        local: Zeros, one for each unit that may occur.
        direct: Zeros.
        slots: Room for a table of as many n-grams as the longest reference has.
        by_reference: Room for eight numbers a unit of the longest reference, and eight more.
        by_hypothesis: Room for three numbers a unit of the longest hypothesis.
        salt: See ``interning.salt``.
        matches: Zeros of shape (references, orders); written to.
    """
    reference_unit = by_reference[0]  # by position: the unit's number within the pair
    reference_at = by_reference[1]  # positions that go on
    reference_gram = by_reference[2]  # and the class of the n-gram that starts there
    left = by_reference[3]  # by class: how many of the reference's are not matched yet
    keys = by_reference[4]  # by class: (class of the beginning, unit), for the open-addressing table
    occurs = by_reference[5]  # by unit: whether the hypothesis has it
    hypothesis_unit = by_hypothesis[0]
    hypothesis_at = by_hypothesis[1]
    hypothesis_gram = by_hypothesis[2]
    orders = matches.shape[1]
    stamp = 1
    for case in range(len(hypothesis_offsets) - 1):
        hypothesis_start = hypothesis_offsets[case]
        hypothesis_length = hypothesis_offsets[case + 1] - hypothesis_start
        for reference in range(bounds[case], bounds[case + 1]):
            start = reference_offsets[reference]
            length = reference_offsets[reference + 1] - start
            base = stamp
            known = 0
            for position in range(length):
                unit = np.int64(references[start + position])
                entry = local[unit]
                if entry < base:
                    entry = base + known
                    local[unit] = entry
                    left[known] = 0
                    occurs[known] = 0
                    known += 1
                left[entry - base] += 1
                reference_unit[position] = entry - base
                reference_at[position] = position
                reference_gram[position] = entry - base
            stamp = base + known
            units = known
            absent = known  # the number of every unit that the reference lacks
            found = 0
            going = 0
            for position in range(hypothesis_length):
                gram = local[np.int64(hypotheses[hypothesis_start + position])] - base
                if gram < 0:
                    hypothesis_unit[position] = absent
                    continue
                hypothesis_unit[position] = gram
                hypothesis_at[going] = position
                hypothesis_gram[going] = gram
                going += 1
                occurs[gram] = 1
                taken = 1 if left[gram] > 0 else 0
                left[gram] -= taken
                found += taken
            matches[reference, 0] = found
            shared = by_reference[6]  # by class: whether the hypothesis has it too
            other = by_reference[7]
            for gram in range(known):
                shared[gram] = occurs[gram]
            staying = length
            width = units + 1
            for order in range(2, orders + 1):
                if found == 0:
                    break
                # What goes on is gathered without a branch: whether a position does can hardly be foreseen.
                kept = 0
                for index in range(staying):
                    position = reference_at[index]
                    last = position + order - 1
                    if last >= length:
                        break
                    beginning = reference_gram[index]
                    unit = reference_unit[last]
                    reference_at[kept] = position
                    reference_gram[kept] = beginning * width + unit
                    kept += shared[beginning] & occurs[unit]
                staying = kept
                base = stamp
                if known * width <= len(direct):
                    known = 0
                    for index in range(staying):
                        pair = reference_gram[index]
                        gram = direct[pair] - base
                        if gram < 0:
                            gram = known
                            direct[pair] = base + gram
                            left[gram] = 0
                            other[gram] = 0
                            known += 1
                        left[gram] += 1
                        reference_gram[index] = gram
                    left[known] = 0  # where the n-grams that the reference lacks are counted
                    found = 0
                    kept = 0
                    for index in range(going):
                        position = hypothesis_at[index]
                        last = position + order - 1
                        if last >= hypothesis_length:
                            break
                        gram = direct[hypothesis_gram[index] * width + hypothesis_unit[last]] - base
                        hypothesis_at[kept] = position
                        hypothesis_gram[kept] = gram
                        kept += 1 if gram >= 0 else 0
                        gram = gram if gram >= 0 else known
                        other[gram] = 1
                        taken = 1 if left[gram] > 0 else 0
                        left[gram] -= taken
                        found += taken
                else:
                    table = slots[: table_size(staying)]
                    for free in range(len(table)):
                        table[free] = -1
                    known = 0
                    for index in range(staying):
                        pair = reference_gram[index]
                        slot = find_pair(table, keys, pair // width, pair % width, salt)
                        gram = table[slot]
                        if gram < 0:
                            gram = known
                            table[slot] = gram
                            keys[gram] = (pair // width) << 32 | pair % width
                            left[gram] = 0
                            other[gram] = 0
                            known += 1
                        left[gram] += 1
                        reference_gram[index] = gram
                    found = 0
                    kept = 0
                    for index in range(going):
                        position = hypothesis_at[index]
                        last = position + order - 1
                        if last >= hypothesis_length:
                            break
                        unit = hypothesis_unit[last]
                        if unit == absent:
                            continue
                        gram = table[find_pair(table, keys, hypothesis_gram[index], unit, salt)]
                        if gram < 0:
                            continue
                        hypothesis_at[kept] = position
                        hypothesis_gram[kept] = gram
                        kept += 1
                        other[gram] = 1
                        if left[gram] > 0:
                            left[gram] -= 1
                            found += 1
                stamp = base + known
                going = kept
                matches[reference, order - 1] = found
                swap = shared
                shared = other
                other = swap


@kernel
def kept_units(points: Points, offsets: Offsets, dropped: NDArray[np.bool_], units: Ids, kept: Offsets) -> int:
    """
    Copy code points without the dropped ones.

    Args:
        points: Code points of all rows.
        offsets: Where each row starts, and the end of the last.
        dropped: Whether to leave a code point out; those beyond its end stay.
        units: Room for all code points; written to.
        kept: Room for as many offsets; written to.

    Returns:
        How many stay.
    """
    count = 0
    kept[0] = 0
    for row in range(len(offsets) - 1):
        for index in range(offsets[row], offsets[row + 1]):
            point = np.int64(points[index])
            if point >= len(dropped) or not dropped[point]:
                units[count] = point
                count += 1
        kept[row + 1] = count
    return count

"""
Count in compiled code how often n-grams stand on both sides, order by order: see :mod:`tertium.native.shared_grams`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Offsets, Points
from tertium.native.interning import LOW_31, Longs, Whole, pair_hash, table_size
from tertium.native.kernels import inner_kernel, kernel, unsigned

DIRECT = 1 << 16
"""Entries of the directly addressed table."""

NONE = -(1 << 60)
"""Stands for a class that does not go on: with any unit added it is below 0."""

OVER, OVER_REFERENCE = NONE + 1, NONE + 2
"""Stand behind the last unit of a hypothesis and of a reference."""


@kernel
def count_shared(
    hypotheses: Points,
    hypothesis_offsets: Offsets,
    references: Points,
    reference_offsets: Offsets,
    owners: Longs,
    groups: Longs,
    numbers: Longs,
    table: Longs,
    by_hypothesis: NDArray[np.int64],
    by_reference: NDArray[np.int64],
    by_class: NDArray[np.int64],
    salt: Longs,
    matches: NDArray[np.int64],
    left: Longs,
    right: Longs,
) -> None:
    """
    Number the units of each row by first occurrence in its hypothesis, and count what is shared.

    A row is a hypothesis and a group of references. An entry of ``numbers`` or ``table`` counts only if it is at least
    ``base``, the first number of the order in hand; older ones are left where they are, so that nothing has to be
    cleared. Little branches here, for whether a unit is new or shared can hardly be foreseen: what does not count is
    written where it does no harm.

    Args:
        hypotheses: The units of all hypotheses.
        hypothesis_offsets: Where each hypothesis starts, and the end of the last.
        references: The units of all references.
        reference_offsets: Where each reference starts, and the end of the last.
        owners: The hypothesis of each row.
        groups: Row i has the references ``groups[i]:groups[i + 1]``.
        numbers: For each unit that may occur 0, or -1 if it is left out.
        table: Zeros: room for ``DIRECT`` entries and one more, and for a table of as many n-grams as the longest
            hypothesis has.
        by_hypothesis: Room for three numbers a unit of the longest hypothesis and an order, and three more.
        by_reference: Room for four numbers a unit of the largest group, a reference in it and an order, and four more.
        by_class: Room for eleven numbers a unit of the longest hypothesis, and 22 more.
        salt: See ``interning.salt``.
        matches: Zeros of shape (rows, orders); written to.
        left: Written to: how many units stay of each hypothesis.
        right: Written to: how many units stay of each reference.
    """
    orders = matches.shape[1]
    unit_of = by_hypothesis[0]
    reference_unit = by_reference[0]
    reference_class = by_reference[2]
    whose = by_reference[3]
    wanted = by_class[0]
    held = by_class[1]
    place = by_class[2]
    reference_place = by_class[3]
    base: Whole = np.int64(1)  # as numbers of the machine, these are of one type throughout
    for row in range(len(owners)):
        case = owners[row]
        for number in range(hypothesis_offsets[case + 1] - hypothesis_offsets[case] + 1):
            wanted[number] = 0
            held[number] = 0
        known: Whole = np.int64(0)
        length: Whole = np.int64(0)
        for position in range(hypothesis_offsets[case], hypothesis_offsets[case + 1]):
            unit = hypotheses[unsigned(position)]
            entry = numbers[unsigned(unit)]
            kept = int(entry >= 0)
            new = int(entry < base)
            gram = known if new else entry - base
            unit_of[unsigned(length)] = gram
            place[unsigned(gram)] = length
            numbers[unsigned(unit)] = base + gram if kept else -1
            wanted[unsigned(gram)] += kept
            length += kept
            known += kept & new
        left[case] = length
        total: Whole = np.int64(0)
        for reference in range(groups[row], groups[row + 1]):
            first = total
            for position in range(reference_offsets[reference], reference_offsets[reference + 1]):
                entry = numbers[unsigned(references[unsigned(position)])]
                shared = int(entry >= base)
                gram = entry - base if shared else known
                reference_unit[unsigned(total)] = gram if shared else OVER_REFERENCE
                reference_class[unsigned(total)] = gram
                reference_place[unsigned(gram)] = total
                held[unsigned(gram)] += 1
                total += int(entry >= 0)
            right[reference] = total - first
            reference_unit[unsigned(total)] = OVER_REFERENCE
            reference_class[unsigned(total)] = known
            total += 1
            for position in range(first, total):
                whose[position] = reference
        for beyond in range(orders):
            unit_of[length + beyond] = OVER
            reference_unit[total + beyond] = OVER_REFERENCE
        several = groups[row + 1] - groups[row] > 1
        base = count_orders(
            length, total, known, several, base, table, by_hypothesis, by_reference, by_class, salt, matches[row]
        )


@inner_kernel
def count_orders(
    length: Whole,
    total: Whole,
    known: Whole,
    several: Whole,
    base: Whole,
    table: Longs,
    by_hypothesis: NDArray[np.int64],
    by_reference: NDArray[np.int64],
    by_class: NDArray[np.int64],
    salt: Longs,
    matches: Longs,
) -> Whole:
    """
    Count what one hypothesis and one group of references share, order by order.

    Args:
        length: Units of the hypothesis.
        total: Units of the references, with one behind each.
        known: Distinct units of the hypothesis.
        several: Whether there are several references.
        base: The first number of single units in ``table``.
        table: See :func:`count_shared`.
        by_hypothesis: Its first row holds the units.
        by_reference: Its first row holds the units, the third their classes, the fourth whose they are.
        by_class: How often each unit stands in the hypothesis and in the references, and one place in each.
        salt: See ``interning.salt``.
        matches: Zeros, one an order; written to.

    Returns:
        The first number that is free.
    """
    orders = len(matches)
    unit_of = by_hypothesis[0]
    at = by_hypothesis[1]  # positions that go on
    class_at = by_hypothesis[2]  # and the class of the n-gram that starts there
    reference_unit = by_reference[0]
    reference_at = by_reference[1]
    reference_class = by_reference[2]
    whose = by_reference[3]
    wanted = by_class[0]  # by class: how often the hypothesis has it
    held = by_class[1]  # and the references
    place = by_class[2]  # where it stands in the hypothesis
    reference_place = by_class[3]  # and in the references
    onward = by_class[4]  # where its row of the table starts, or NONE
    keys = by_class[5]  # (class of the beginning, unit), where the table is probed by a hash
    most = by_class[6]  # how often the reference has it that has the most of it
    counted = by_class[7]  # how often it was seen in the reference in hand
    seen_in = by_class[8]  # which reference that is
    single = by_class[9]  # where n-grams stand that are in the hypothesis once
    reference_single = by_class[10]  # and once in the references
    for index in range(length):
        at[index] = index
        class_at[index] = unit_of[index]
    for index in range(total):
        reference_at[index] = index
    width = known + 1
    stamp = base + known
    rows = 0
    for order in range(1, orders + 1):
        if order > 1:
            base = stamp
            size = table_size(length) if rows * width > DIRECT else 0
            for gram in range(length + 1):
                wanted[gram] = 0
                held[gram] = 0
            known = 0
            kept = 0
            for index in range(length):
                position = at[unsigned(index)]
                pair = onward[unsigned(class_at[unsigned(index)])] + unit_of[unsigned(position + order - 1)]
                slot = max(pair + 1, 0)  # 0 is where nothing is kept
                if size:
                    slot = find_class(table, keys, base, pair, size, salt)
                entry = table[unsigned(slot)]
                going = int(pair >= 0)
                new = int(entry < base)
                gram = known if new else entry - base
                if size:
                    keys[gram] = pair
                table[unsigned(slot)] = base + gram if going else 0
                wanted[unsigned(gram)] += going
                place[unsigned(gram)] = position
                at[unsigned(kept)] = position
                class_at[unsigned(kept)] = gram
                kept += going
                known += going & new
            length = kept
            kept = 0
            for index in range(total):
                position = reference_at[unsigned(index)]
                pair = onward[unsigned(reference_class[unsigned(index)])]
                pair += reference_unit[unsigned(position + order - 1)]
                slot = max(pair + 1, 0)
                if size:
                    slot = find_class(table, keys, base, pair, size, salt)
                entry = table[unsigned(slot)]
                shared = int(entry >= base)
                gram = entry - base if shared else known
                held[unsigned(gram)] += 1
                reference_place[unsigned(gram)] = position
                reference_at[unsigned(kept)] = position
                reference_class[unsigned(kept)] = gram
                kept += shared
            total = kept
            stamp = base + known
        limits = held
        if several:
            limits = most
            for gram in range(known + 1):
                most[gram] = 0
                seen_in[gram] = -1
            for index in range(total):
                gram = reference_class[index]
                reference = whose[reference_at[index]]
                if seen_in[gram] != reference:
                    seen_in[gram] = reference
                    counted[gram] = 0
                counted[gram] += 1
                most[gram] = max(most[gram], counted[gram])
        found = 0
        singles = 0
        rows = 0
        for gram in range(known):
            ours = wanted[unsigned(gram)]
            theirs = held[unsigned(gram)]
            found += min(ours, limits[unsigned(gram)])
            once = int(ours == 1) & int(theirs == 1)
            single[unsigned(singles)] = place[unsigned(gram)]
            reference_single[unsigned(singles)] = reference_place[unsigned(gram)]
            singles += once
            going = int(theirs > 0) & (1 - once)
            onward[unsigned(gram)] = rows * width if going else NONE
            rows += going
        onward[known] = NONE
        matches[order - 1] += found
        for index in range(singles):
            position = single[unsigned(index)]
            reference = reference_single[unsigned(index)]
            same = 1
            for further in range(order, orders):
                following = unit_of[unsigned(position + further)]
                same &= int(following == reference_unit[unsigned(reference + further)])
                matches[unsigned(further)] += same
        if rows == 0:
            break
    return stamp


@inner_kernel
def find_class(table: Longs, keys: Longs, base: Whole, pair: Whole, size: int, salt: Longs) -> Whole:
    """
    Find the slot of a pair in the table, of which ``size`` entries are probed from its hash on; 0 if it is below 0.
    """
    if pair < 0:
        return 0
    slot = pair_hash(pair >> 31, pair & LOW_31, salt) & (size - 1)
    while slot == 0 or (table[slot] >= base and keys[table[slot] - base] != pair):
        slot = (slot + 1) & (size - 1)
    return slot

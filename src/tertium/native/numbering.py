"""
Number the tokens of each case by itself, compiled.

Where tokens are compared within a case only, a table of the case's hypothesis is all that is needed, and that stays
in the processor's nearest cache. Tokens are read several code points at a time. Their first eight bytes, their next
eight and their last eight are all there is of a token of up to 24 bytes; what a longer one has between is compared
where these are equal. So two numbers are equal exactly where tokens are; hashes only say where to look.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Ids, Offsets, Places, SpanColumn, window_masks, windows_of
from tertium.native.interning import LOW_32, LOW_62, Longs, factors, table_size
from tertium.native.kernels import kernel, unsigned


def case_numbers(hypotheses: SpanColumn, references: SpanColumn, bounds: Offsets) -> tuple[Ids, Ids]:
    """
    Number the tokens of each hypothesis from 0 by first occurrence, and those of its references likewise.

    Args:
        hypotheses: One row a case.
        references: The references of all cases.
        bounds: Case i owns the references ``bounds[i]:bounds[i + 1]``.

    Returns:
        int32 for each token of the hypotheses and of the references. A token that its hypothesis lacks has the number
        after the largest of the hypothesis.
    """
    ours, theirs = np.empty(len(hypotheses.starts), np.int32), np.empty(len(references.starts), np.int32)
    width = np.promote_types(hypotheses.points.dtype, references.points.dtype)
    longest = int(hypotheses.lengths.max(initial=0))
    number_cases(
        windows_of(hypotheses.points, int(hypotheses.ends.max(initial=0)), width),
        hypotheses.starts,
        hypotheses.ends,
        hypotheses.offsets,
        windows_of(references.points, int(references.ends.max(initial=0)), width),
        references.starts,
        references.ends,
        references.offsets[bounds],
        window_masks(width.itemsize),
        factors(),
        np.zeros(table_size(2 * longest), np.int64),
        np.empty((5, longest + 1), np.int64),
        ours,
        theirs,
    )
    return ours, theirs


@kernel
def number_cases(
    hypotheses: Longs, hypothesis_starts: Places, hypothesis_ends: Places, hypothesis_bounds: Offsets,
    references: Longs, reference_starts: Places, reference_ends: Places, reference_bounds: Offsets,
    masks: Longs, factors: Longs, slots: Longs, by_number: NDArray[np.int64], ours: Ids, theirs: Ids,
) -> None:  # fmt: skip
    """
    Do the work of :func:`case_numbers`.

    An entry of the table counts only if it is at least the first number of the case in hand: numbers go on counting
    from case to case, so that the table need not be cleared.

    Args:
        hypotheses: At each code point of the hypotheses the eight bytes that start there.
        hypothesis_starts: Where each token starts among the code points.
        hypothesis_ends: Where each token ends.
        hypothesis_bounds: Where each case's tokens start, and the end of the last.
        references: The same for the references, whose code points are as wide.
        reference_starts: Where each token starts.
        reference_ends: Where each token ends.
        reference_bounds: Where the tokens of each case's references start, and the end of the last.
        masks: See ``columns.window_masks``.
        factors: See ``interning.factors``.
        slots: Zeros: room for a table of twice as many tokens as the longest hypothesis has.
        by_number: Room for five numbers a token of the longest hypothesis, and one more.
        ours: Written to: the number of each token of the hypotheses.
        theirs: Written to: the number of each token of the references.
    """
    step = len(masks) - 1
    factor_0, factor_1, factor_2, factor_3 = int(factors[0]), int(factors[1]), int(factors[2]), int(factors[3])
    factor_4, factor_5, factor_6 = int(factors[4]), int(factors[5]), int(factors[6])
    firsts = by_number[0]
    seconds = by_number[1]
    lasts = by_number[2]
    lengths = by_number[3]
    places = by_number[4]
    base = 1
    for case in range(len(hypothesis_bounds) - 1):
        bits = 3
        while 1 << bits < 4 * (hypothesis_bounds[case + 1] - hypothesis_bounds[case]):
            bits += 1
        shift = 62 - bits
        limit = (1 << bits) - 1
        known = 0
        for side in range(2):
            windows, starts, ends, bounds, numbers = (
                hypotheses, hypothesis_starts, hypothesis_ends, hypothesis_bounds, ours
            )  # fmt: skip
            if side == 1:
                windows, starts, ends, bounds, numbers = (
                    references, reference_starts, reference_ends, reference_bounds, theirs
                )  # fmt: skip
            for token in range(bounds[case], bounds[case + 1]):
                start = int(starts[unsigned(token)])
                length = int(ends[unsigned(token)]) - start
                beyond = max(length - step, 0)
                mask = masks[unsigned(min(length, step))]
                first = int(windows[unsigned(start)] & mask)
                second = int(windows[unsigned(start + step)] & masks[unsigned(min(beyond, step))])
                last = int(windows[unsigned(start + beyond)] & mask)
                # Both halves of a word are multiplied with numbers of their own: the upper bits of the sum hash well.
                code = length * factor_6 + (first & LOW_32) * factor_0 + (first >> 32 & LOW_32) * factor_1
                code += (second & LOW_32) * factor_2 + (second >> 32 & LOW_32) * factor_3
                code += (last & LOW_32) * factor_4 + (last >> 32 & LOW_32) * factor_5
                code &= LOW_62
                if length > 3 * step:
                    for place in range(start + 2 * step, start + beyond, step):
                        word = int(windows[unsigned(place)])
                        code = (code ^ code >> 31) * factor_6 + (word & LOW_32) * factor_0
                        code = (code + (word >> 32 & LOW_32) * factor_1) & LOW_62
                slot = code >> shift
                while True:
                    number = slots[unsigned(slot)] - base
                    if number < 0:
                        break
                    differing = (firsts[unsigned(number)] ^ first) | (seconds[unsigned(number)] ^ second)
                    differing |= (lasts[unsigned(number)] ^ last) | (lengths[unsigned(number)] ^ length)
                    if differing == 0:
                        offset = 2 * step
                        other = places[unsigned(number)]
                        while offset < beyond and hypotheses[other + offset] == windows[start + offset]:
                            offset += step
                        if offset >= beyond:
                            break
                    slot = (slot + 1) & limit
                if side == 1:
                    numbers[unsigned(token)] = number if number >= 0 else known
                    continue
                # Written each time: whether a token is new can hardly be foreseen, and the same again does no harm.
                new = int(number < 0)
                number = known if new else number
                slots[unsigned(slot)] = base + number
                firsts[unsigned(number)] = first
                seconds[unsigned(number)] = second
                lasts[unsigned(number)] = last
                lengths[unsigned(number)] = length
                places[unsigned(number)] = start
                numbers[unsigned(token)] = number
                known += new
        base += known

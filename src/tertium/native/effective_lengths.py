"""
Choose the length of a case's references that its hypothesis is held against.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Offsets
from tertium.native.interning import Longs
from tertium.native.kernels import kernel

CLOSEST, FIRST_CLOSEST, SHORTEST, LONGEST, MEAN = range(5)


def reference_lengths(hypothesis_lengths: Longs, lengths: Longs, bounds: Offsets, rule: int) -> NDArray[np.float64]:
    """
    Choose the length of a case's references that its hypothesis is held against.

    Args:
        hypothesis_lengths: For each case, in tokens.
        lengths: For each reference, in tokens.
        bounds: Case i owns the references ``bounds[i]:bounds[i + 1]``.
        rule: CLOSEST (the shorter on a tie), FIRST_CLOSEST (the first listed on a tie), SHORTEST, LONGEST or MEAN.

    Returns:
        float64, one a case; 0 for a case without references.
    """
    if len(lengths) == len(bounds) - 1 and (np.diff(bounds) == 1).all():  # nothing to choose, nor a kernel to compile
        return lengths.astype(np.float64)
    chosen = np.zeros(len(hypothesis_lengths), np.float64)
    choose_lengths(hypothesis_lengths, lengths, np.array(bounds, np.int64), rule, chosen)
    return chosen


@kernel
def choose_lengths(
    hypothesis_lengths: Longs, lengths: Longs, bounds: Offsets, rule: int, chosen: NDArray[np.float64]
) -> None:
    """
    Do the work of :func:`reference_lengths`; ``chosen`` is written to.
    """
    for case in range(len(hypothesis_lengths)):
        first = bounds[case]
        last = bounds[case + 1]
        if first == last:
            continue
        target = hypothesis_lengths[case]
        best = lengths[first]
        total = best
        for reference in range(first + 1, last):
            length = lengths[reference]
            total += length
            if rule == SHORTEST:
                better = length < best
            elif rule == LONGEST:
                better = length > best
            else:
                gain = abs(best - target) - abs(length - target)
                better = gain > 0 or (gain == 0 and rule == CLOSEST and length < best)
            if better:
                best = length
        chosen[case] = total / (last - first) if rule == MEAN else best

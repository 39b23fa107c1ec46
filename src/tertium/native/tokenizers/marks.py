"""
Part one punctuation mark from an end of each word, compiled.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Offsets, Places, Points
from tertium.native.kernels import kernel


@kernel
def part_marks(
    points: Points,
    starts: Places,
    ends: Places,
    offsets: Offsets,
    marks: NDArray[np.bool_],
    part_starts: Places,
    part_ends: Places,
    rows: Offsets,
) -> int:
    """
    Cut the last character off a longer word if it is a mark, else the first if that is one.

    Args:
        points: Code points.
        starts: Where each word starts.
        ends: Where each word ends.
        offsets: Where each row's words start, and the end of the last.
        marks: Whether a code point is a mark; those beyond its end are none.
        part_starts: Room for twice as many parts; written to.
        part_ends: Room for twice as many parts; written to.
        rows: Room for as many offsets; written to.

    Returns:
        How many parts there are.
    """
    count = 0
    rows[0] = 0
    for row in range(len(offsets) - 1):
        for word in range(offsets[row], offsets[row + 1]):
            start = starts[word]
            end = ends[word]
            split = start
            if end - start > 1:
                last = np.int64(points[end - 1])
                first = np.int64(points[start])
                if last < len(marks) and marks[last]:
                    split = end - 1
                elif first < len(marks) and marks[first]:
                    split = start + 1
            if split > start:
                part_starts[count] = start
                part_ends[count] = split
                count += 1
            part_starts[count] = split
            part_ends[count] = end
            count += 1
        rows[row + 1] = count
    return count

"""
Count the words that two texts have in common, as bags and as sets.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Offsets, TokenColumn
from tertium.native.interning import Longs
from tertium.native.kernels import kernel

COMMON, SIZE, SHARED, HYPOTHESIS_TYPES, REFERENCE_TYPES = range(5)
"""Words in common, each at most as often as either side has it; the references' words; distinct words: in common, of
the hypothesis, of the references."""


def overlaps(hypotheses: TokenColumn, references: TokenColumn, owners: Longs, bounds: Offsets) -> NDArray[np.int64]:
    """
    Hold each group of references against the hypothesis that owns it.

    A group's bag has each word as often as the reference that has it most.

    Args:
        hypotheses: Its vocabulary extends the references'.
        references: The references of all groups.
        owners: The hypothesis of each group.
        bounds: Group i has the references ``bounds[i]:bounds[i + 1]``.

    Returns:
        int64 of shape (groups, 5), see the columns above.
    """
    found = np.zeros((len(owners), 5), np.int64)
    count_overlaps(
        hypotheses.ids,
        hypotheses.offsets,
        references.ids,
        references.offsets,
        owners,
        np.array(bounds, np.int64),
        np.zeros((2, len(hypotheses.vocabulary)), np.int32),
        np.full(len(hypotheses.vocabulary), -1, np.int32),
        found,
    )
    return found


@kernel
def count_overlaps(
    hypotheses: NDArray[np.int32],
    hypothesis_offsets: Offsets,
    references: NDArray[np.int32],
    reference_offsets: Offsets,
    owners: Longs,
    bounds: Longs,
    counts: NDArray[np.int32],
    seen: NDArray[np.int32],
    found: NDArray[np.int64],
) -> None:
    """
    Do the work of :func:`overlaps`; ``found`` is written to, ``counts`` is left as it was: all 0.
    """
    most = counts[0]  # of each word, how often the reference has it that has it most
    here = counts[1]  # how often the reference in hand has it
    for group in range(len(owners)):
        size = 0
        types = 0
        first = reference_offsets[bounds[group]]
        last = reference_offsets[bounds[group + 1]]
        single = bounds[group + 1] - bounds[group] == 1
        if single:
            size = int(last - first)
            for place in range(first, last):
                word = references[place]
                if most[word] == 0:
                    types += 1
                most[word] += 1
        else:
            for reference in range(bounds[group], bounds[group + 1]):
                for place in range(reference_offsets[reference], reference_offsets[reference + 1]):
                    word = references[place]
                    here[word] += 1
                    if here[word] > most[word]:
                        if most[word] == 0:
                            types += 1
                        most[word] += 1
                        size += 1
                for place in range(reference_offsets[reference], reference_offsets[reference + 1]):
                    here[references[place]] = 0
        common = 0
        shared = 0
        own = 0
        for place in range(hypothesis_offsets[owners[group]], hypothesis_offsets[owners[group] + 1]):
            word = hypotheses[place]
            if seen[word] != group:
                seen[word] = group
                own += 1
                if most[word] > 0:
                    shared += 1
            if most[word] > 0:
                most[word] -= 1
                common += 1
        for place in range(first, last):
            most[references[place]] = 0
        found[group, COMMON] = common
        found[group, SIZE] = size
        found[group, SHARED] = shared
        found[group, HYPOTHESIS_TYPES] = own
        found[group, REFERENCE_TYPES] = types

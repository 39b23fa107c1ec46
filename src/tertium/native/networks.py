"""
Align two word networks: texts that leave a choice between words.

A network is a list of arcs, each with a word, in an order in which every arc comes after those that lead to it. Arc 0
carries nothing and leads to the first words. The table has a cell for every pair of arcs (Fiscus 1997).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Ids
from tertium.native.kernels import kernel

PLAIN, NULL, OPTIONAL = range(3)

Singles = NDArray[np.float32]
Kinds = NDArray[np.uint8]


@kernel
def gap(kind: int, full: float, prices: Singles) -> float:
    """
    Give the price of a word with nothing opposite.

    Args:
        kind: PLAIN, NULL or OPTIONAL.
        full: The price of a plain word.
        prices: See ``fill``.
    """
    if kind == NULL:
        return prices[3]  # type: ignore[no-any-return]
    if kind == OPTIONAL:
        return prices[5]  # type: ignore[no-any-return]
    return full


@kernel
def fill(
    match: Kinds, left_kinds: Kinds, left_before: Ids, left_edges: Ids, right_kinds: Kinds, right_before: Ids,
    right_edges: Ids, prices: Singles, cells: Singles, backs: Ids,
) -> None:  # fmt: skip
    """
    Find the cheapest way to every pair of arcs.

    Sums are of single precision, as in sclite: a null word's price is so small that rounding decides ties.

    Args:
        match: Whether the words of two arcs are equal, shape (left arcs, right arcs).
        left_kinds: PLAIN, NULL or OPTIONAL of each arc.
        left_before: The arcs that lead to each arc, in the order in which they are tried.
        left_edges: Where those of each arc start in ``left_before``, and the end of the last.
        right_kinds: As above.
        right_before: As above.
        right_edges: As above.
        prices: Of a substitution, an insertion, a deletion, a null word against nothing, against another null word,
            and an optional word against nothing.
        cells: The price of each pair, shape (left arcs, right arcs).
        backs: The pair that each pair was reached from, shape (left arcs, right arcs, 2).
    """
    cells[0, 0] = 0
    for left in range(len(left_kinds)):
        for right in range(len(right_kinds)):
            if left == 0 and right == 0:
                continue
            deletion = np.float32(1e9)
            insertion = np.float32(1e9)
            pairing = np.float32(1e9)
            deleted = 0
            inserted = 0
            paired_left = 0
            paired_right = 0
            if left > 0:
                for place in range(left_edges[left], left_edges[left + 1]):
                    before = left_before[place]
                    if cells[before, right] < deletion:
                        deletion = cells[before, right]
                        deleted = before
                deletion = np.float32(deletion + gap(left_kinds[left], prices[2], prices))
            if right > 0:
                for place in range(right_edges[right], right_edges[right + 1]):
                    before = right_before[place]
                    if cells[left, before] < insertion:
                        insertion = cells[left, before]
                        inserted = before
                insertion = np.float32(insertion + gap(right_kinds[right], prices[1], prices))
            if left > 0 and right > 0:
                for place in range(left_edges[left], left_edges[left + 1]):
                    for other in range(right_edges[right], right_edges[right + 1]):
                        before = left_before[place]
                        beside = right_before[other]
                        if cells[before, beside] < pairing:
                            pairing = cells[before, beside]
                            paired_left = before
                            paired_right = beside
                if left_kinds[left] == NULL and right_kinds[right] == NULL:
                    pairing = np.float32(pairing + prices[4])
                elif match[left, right] == 0:
                    pairing = np.float32(pairing + prices[0])
            if pairing <= deletion and pairing <= insertion:
                cells[left, right] = pairing
                backs[left, right, 0] = paired_left
                backs[left, right, 1] = paired_right
            elif deletion < insertion:
                cells[left, right] = deletion
                backs[left, right, 0] = deleted
                backs[left, right, 1] = right
            else:
                cells[left, right] = insertion
                backs[left, right, 0] = left
                backs[left, right, 1] = inserted

"""
Find weighted longest common subsequences: those that favour consecutive matches.

A run of k matches weighs f(k) = k^w (Lin 2004, section 4). The table is filled as its Figure 1 says: along each path the
choice is made by the weight so far, so that the result need not be the heaviest of all common subsequences.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Ids, Offsets
from tertium.native.interning import Longs
from tertium.native.kernels import inner_kernel, kernel
from tertium.native.lcs import longest, vocabulary_size

Reals = NDArray[np.float64]
TABLE, RUNS, RUNS_UNCLIPPED = range(3)


def powers(weight: float, most: int) -> Reals:
    """
    Give f(0) to f(``most``), each as Python's own power has it.
    """
    return np.array([float(k) ** weight for k in range(most + 1)], np.float64)


def weighted_hits(
    hypotheses: Ids,
    hypothesis_offsets: Offsets,
    hypothesis_sentences: Offsets,
    references: Ids,
    reference_offsets: Offsets,
    reference_sentences: Offsets,
    bounds: Offsets,
    *,
    weight: float,
    credit: int,
    counted: tuple[Ids, Offsets, Ids, Offsets] | None = None,
) -> Reals:
    """
    Weigh what each reference's sentences share, in order, with the sentences of its case's hypothesis.

    Args:
        hypotheses: Token ids of all hypothesis sentences; the texts are laid out as for ``lcs.union_lcs``.
        weight: The exponent w, above 0.
        credit: TABLE takes the value at the end of the table of the two whole texts, sentences notwithstanding.
            RUNS marks the tokens of each reference sentence that any hypothesis sentence matches, counts a marked one
            only as often as both texts hold it, and weighs each run of counted tokens; a run ends before a token
            without a mark and with the sentence, not with a token whose count is used up. RUNS_UNCLIPPED counts all
            marked tokens.
        counted: See ``lcs.union_lcs``.

    Returns:
        float64, one a reference: the sum of the runs' weights.
    """
    hits = np.zeros(len(reference_sentences) - 1, np.float64)
    if credit == TABLE:
        hypothesis_offsets = hypothesis_offsets[hypothesis_sentences]
        reference_offsets = reference_offsets[reference_sentences]
        hypothesis_sentences = np.arange(len(hypothesis_offsets), dtype=np.int64)
        reference_sentences = np.arange(len(reference_offsets), dtype=np.int64)
        counted = None
    if counted is None:
        counted = (
            hypotheses,
            hypothesis_offsets[hypothesis_sentences],
            references,
            reference_offsets[reference_sentences],
        )
    size = max(vocabulary_size(hypotheses, references), vocabulary_size(counted[0], counted[2]))
    wide, high = longest(hypothesis_offsets), longest(reference_offsets)
    strip = max(64, math.isqrt(high) + 1)
    saved = (high // strip + 1) * (wide + 1)
    weigh(
        hypotheses,
        hypothesis_offsets,
        hypothesis_sentences,
        references,
        reference_offsets,
        reference_sentences,
        np.array(bounds, np.int64),
        *counted,
        credit,
        powers(weight, max(wide, high) + 1),
        strip,
        np.zeros((2, size), np.int64),
        np.zeros(high, np.int64),
        np.empty(saved, np.float64),
        np.empty(saved, np.int64),
        np.empty(min(strip, high) * wide, np.uint8),
        hits,
    )
    return hits


@inner_kernel
def next_row(token: int, text: Ids, power: Reals, value: Reals, run: Longs, up: NDArray[np.uint8], keep: bool) -> None:
    """
    Replace a row of the table by the next one.

    Args:
        token: The reference token of the next row.
        text: The hypothesis.
        power: See :func:`powers`.
        value: The weight at each column, one more than the text has tokens; written to.
        run: How many consecutive matches end there; written to.
        up: Written to if ``keep``: whether the way back without a match goes on without the reference's token.
        keep: Whether the way back will be asked for.
    """
    before_value = value[0]
    before_run = run[0]
    for column in range(len(text)):
        above = value[column + 1]
        above_run = run[column + 1]
        if text[column] == token:
            value[column + 1] = before_value + power[before_run + 1] - power[before_run]
            run[column + 1] = before_run + 1
        else:
            higher = above >= value[column]
            if not higher:
                value[column + 1] = value[column]
            run[column + 1] = 0
            if keep:
                up[column] = higher
        before_value = above
        before_run = above_run


@inner_kernel
def mark_weighted(
    model: Ids, peer: Ids, power: Reals, strip: int, values: Reals, runs: Longs, ups: NDArray[np.uint8], marks: Longs
) -> float:
    """
    Mark the reference's tokens on the way back through the table, and give the table's last value.

    Every ``strip`` rows one is saved; on the way back a strip's rows are made anew from there.

    Args:
        values: Room for the saved rows' weights.
        runs: Room for their runs.
        ups: Room for a strip's directions.
        marks: Written to; nothing is marked, and no way back taken, if it is empty.
    """
    width = len(peer) + 1
    strips = (len(model) + strip - 1) // strip
    back = len(marks) > 0
    for column in range(width):
        values[column] = 0.0
        runs[column] = 0
    total = 0.0
    for index in range(strips):
        # a strip begins with a copy of the last row of the one before
        base = index * width if back else 0
        value = values[base : base + width]
        run = runs[base : base + width]
        if back:
            if index == strips - 1:
                break
            value = values[base + width : base + 2 * width]
            run = runs[base + width : base + 2 * width]
            for column in range(width):
                value[column] = values[base + column]
                run[column] = runs[base + column]
        for row in range(index * strip, min((index + 1) * strip, len(model))):
            next_row(model[row], peer, power, value, run, ups, False)
        total = value[width - 1]
    if not back:
        return total
    row = len(model)
    column = len(peer)
    for index in range(strips - 1, -1, -1):
        first = index * strip
        base = index * width
        for other in range(first, row):
            step = ups[(other - first) * (width - 1) : (other - first + 1) * (width - 1)]
            next_row(model[other], peer, power, values[base : base + width], runs[base : base + width], step, True)
        if index == strips - 1:
            total = values[base + width - 1]
        while row > first and column > 0:
            if model[row - 1] == peer[column - 1]:
                row -= 1
                column -= 1
                marks[row] = 1
            elif ups[(row - 1 - first) * (width - 1) + column - 1]:
                row -= 1
            else:
                column -= 1
        if column == 0:
            break
    return total


@kernel
def weigh(
    hypotheses: Ids,
    hypothesis_offsets: Offsets,
    hypothesis_sentences: Offsets,
    references: Ids,
    reference_offsets: Offsets,
    reference_sentences: Offsets,
    bounds: Offsets,
    counted_hypotheses: Ids,
    counted_hypothesis_offsets: Offsets,
    counted_references: Ids,
    counted_reference_offsets: Offsets,
    credit: int,
    power: Reals,
    strip: int,
    by_id: NDArray[np.int64],
    marks: Longs,
    values: Reals,
    runs: Longs,
    ups: NDArray[np.uint8],
    hits: Reals,
) -> None:
    """
    Do the work of :func:`weighted_hits`.

    Args:
        strip: Rows between two saved ones.
        by_id: Zeros, two for each id.
        marks: Zeros, one for each token of the longest reference sentence.
    """
    left = by_id[0]
    left_here = by_id[1]
    for case in range(len(hypothesis_sentences) - 1):
        first = hypothesis_sentences[case]
        last = hypothesis_sentences[case + 1]
        for reference in range(bounds[case], bounds[case + 1]):
            counted = counted_hypotheses[counted_hypothesis_offsets[case] : counted_hypothesis_offsets[case + 1]]
            counted_here = counted_references[
                counted_reference_offsets[reference] : counted_reference_offsets[reference + 1]
            ]
            for position in range(len(counted)):
                left[counted[position]] += 1
            for position in range(len(counted_here)):
                left_here[counted_here[position]] += 1
            found = 0.0
            for sentence in range(reference_sentences[reference], reference_sentences[reference + 1]):
                model = references[reference_offsets[sentence] : reference_offsets[sentence + 1]]
                for other in range(first, last):
                    peer = hypotheses[hypothesis_offsets[other] : hypothesis_offsets[other + 1]]
                    if credit == TABLE:
                        found += mark_weighted(model, peer, power, strip, values, runs, ups, marks[:0])
                    elif len(model) and len(peer):
                        mark_weighted(model, peer, power, strip, values, runs, ups, marks)
                run = 0
                for position in range(len(model)):
                    if marks[position] == 0:
                        continue
                    marks[position] = 0
                    token = model[position]
                    if credit == RUNS_UNCLIPPED or (left[token] > 0 and left_here[token] > 0):
                        run += 1
                        if position + 1 == len(model) or marks[position + 1] == 0:
                            found += power[run]
                            run = 0
                        left[token] -= 1
                        left_here[token] -= 1
            hits[reference] = found
            for position in range(len(counted)):
                left[counted[position]] = 0
            for position in range(len(counted_here)):
                left_here[counted_here[position]] = 0

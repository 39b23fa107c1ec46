"""
Find longest common subsequences of token sequences, many cells of the table at a time.

A column of the table is kept as one bit a row: whether a step down the column leaves the length as it is. One addition
moves a whole block of rows on to the next column (Crochemore, Iliopoulos, Pinzon and Reid 2001; Hyyrö 2004). A block
holds 62 rows, so that the sum and its carry fit a signed 64-bit integer. Blocks run one after the other over all
columns and hand on only their carries: memory grows with the sequences' lengths, not with their product.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Ids, Offsets
from tertium.native.interning import Longs
from tertium.native.kernels import inner_kernel, kernel

ROWS = 62
FULL = (1 << 62) - 1
CLIPPED, UNCLIPPED, DISTINCT = range(3)


def lcs_lengths(
    hypotheses: Ids, hypothesis_offsets: Offsets, references: Ids, reference_offsets: Offsets, bounds: Offsets
) -> Longs:
    """
    Measure the longest common subsequence of every reference and its case's hypothesis.

    Args:
        hypotheses: Token ids of all hypotheses, at least 0.
        hypothesis_offsets: Where each hypothesis starts, and the end of the last.
        references: Token ids of all references.
        reference_offsets: Where each reference starts, and the end of the last.
        bounds: Case i owns the references ``bounds[i]:bounds[i + 1]``.

    Returns:
        int64, one a reference.
    """
    lengths = np.zeros(len(reference_offsets) - 1, np.int64)
    measure_lcs(
        hypotheses,
        hypothesis_offsets,
        references,
        reference_offsets,
        np.array(bounds, np.int64),
        np.zeros(vocabulary_size(hypotheses, references), np.int64),
        np.zeros(longest(hypothesis_offsets), np.int64),
        lengths,
    )
    return lengths


def union_lcs(
    hypotheses: Ids,
    hypothesis_offsets: Offsets,
    hypothesis_sentences: Offsets,
    references: Ids,
    reference_offsets: Offsets,
    reference_sentences: Offsets,
    bounds: Offsets,
    *,
    credit: int = CLIPPED,
    drop_reference: bool = True,
    counted: tuple[Ids, Offsets, Ids, Offsets] | None = None,
) -> Longs:
    """
    Count what each reference's sentences share, in order, with any sentence of its case's hypothesis.

    Of each pair of sentences one longest common subsequence is read from the end of the table back to its start. A
    reference token is marked if it belongs to that of any hypothesis sentence (Lin 2004, section 3.2).

    Args:
        hypotheses: Token ids of all hypothesis sentences.
        hypothesis_offsets: Where each sentence starts, and the end of the last.
        hypothesis_sentences: Hypothesis i owns the sentences ``[i]:[i + 1]``.
        references: Token ids of all reference sentences.
        reference_offsets: Where each sentence starts, and the end of the last.
        reference_sentences: Reference i owns the sentences ``[i]:[i + 1]``.
        bounds: Case i owns the references ``bounds[i]:bounds[i + 1]``.
        credit: CLIPPED counts a marked token only as often as both texts hold it, UNCLIPPED every marked token,
            DISTINCT every marked token once in a reference, however often it stands there.
        drop_reference: Where two ways back are equally long, go on without the reference's token, not without the
            hypothesis's.
        counted: Ids and offsets of the texts that limit the credit, hypotheses first, where they differ from the
            texts above.

    Returns:
        int64, one a reference.
    """
    hits = np.zeros(len(reference_sentences) - 1, np.int64)
    wide, high = longest(hypothesis_offsets), longest(reference_offsets)
    if not drop_reference:
        wide, high = high, wide
    if counted is None:
        counted = (
            hypotheses,
            hypothesis_offsets[hypothesis_sentences],
            references,
            reference_offsets[reference_sentences],
        )
    size = max(vocabulary_size(hypotheses, references), vocabulary_size(counted[0], counted[2]))
    count_union(
        hypotheses,
        hypothesis_offsets,
        hypothesis_sentences,
        references,
        reference_offsets,
        reference_sentences,
        np.array(bounds, np.int64),
        *counted,
        credit,
        drop_reference,
        np.zeros((3, size), np.int64),
        np.zeros(longest(reference_offsets), np.int64),
        np.zeros((2, wide), np.int64),
        np.zeros(max(0, (high - 1) // ROWS) * (-(-wide // 8)), np.uint8),
        hits,
    )
    return hits


def longest(offsets: Offsets) -> int:
    """
    Give the length of the longest row.
    """
    return int(np.diff(offsets).max(initial=0))


def vocabulary_size(hypotheses: Ids, references: Ids) -> int:
    """
    Give one more than the highest id.
    """
    return 1 + max(int(hypotheses.max(initial=-1)), int(references.max(initial=-1)))


@kernel
def measure_lcs(
    hypotheses: Ids,
    hypothesis_offsets: Offsets,
    references: Ids,
    reference_offsets: Offsets,
    bounds: Offsets,
    masks: Longs,
    carries: Longs,
    lengths: Longs,
) -> None:
    """
    Do the work of :func:`lcs_lengths`.

    Args:
        masks: Zeros, one for each id; zeros again afterwards.
        carries: Room for the longest hypothesis.
    """
    for case in range(len(hypothesis_offsets) - 1):
        text = hypotheses[hypothesis_offsets[case] : hypothesis_offsets[case + 1]]
        for row in range(bounds[case], bounds[case + 1]):
            lengths[row] = lcs_length(
                references[reference_offsets[row] : reference_offsets[row + 1]], text, masks, carries
            )


@inner_kernel
def lcs_length(pattern: Ids, text: Ids, masks: Longs, carries: Longs) -> int:
    """
    Measure the longest common subsequence of two sequences.

    Args:
        pattern: One of them; its tokens are the rows.
        text: The other.
        masks: Zeros, one for each id; zeros again afterwards.
        carries: Room for the text.
    """
    found = 0
    several = len(pattern) > ROWS
    for begin in range(0, len(pattern), ROWS):
        rows = min(ROWS, len(pattern) - begin)
        for row in range(rows):
            masks[pattern[begin + row]] |= 1 << row
        column = FULL
        if several:
            if begin == 0:
                for position in range(len(text)):
                    carries[position] = 0
            for position in range(len(text)):
                match = masks[text[position]]
                total = column + (column & match) + carries[position]
                carries[position] = total >> ROWS
                column = (total & FULL) | (column & ~match)
        else:
            for position in range(len(text)):
                match = masks[text[position]]
                column = ((column + (column & match)) & FULL) | (column & ~match)
        for row in range(rows):
            masks[pattern[begin + row]] = 0
        steps = column ^ FULL
        while steps:
            steps &= steps - 1
            found += 1
    return found


@inner_kernel
def mark_lcs(
    pattern: Ids,
    text: Ids,
    masks: Longs,
    work: NDArray[np.int64],
    carried: NDArray[np.uint8],
    marks: Longs,
    on_pattern: bool,
) -> None:
    """
    Mark the tokens of one longest common subsequence; of equal ways back, take the one without the pattern's token.

    The carries of all blocks are kept, a bit each, so that on the way back a block's columns are made anew.

    Args:
        pattern: One sequence; its tokens are the rows.
        text: The other.
        masks: Zeros, one for each id; zeros again afterwards.
        work: Room for two numbers a token of the text.
        carried: Room for the carries: for each block but the last a bit a token of the text.
        marks: Written to: a one at each token of the subsequence.
        on_pattern: Whether ``marks`` is about the pattern, or about the text.
    """
    columns = work[0]
    carries = work[1]
    stride = (len(text) + 7) // 8
    blocks = (len(pattern) + ROWS - 1) // ROWS
    if blocks > 1:
        for position in range(len(text)):
            carries[position] = 0
        for byte in range((blocks - 1) * stride):
            carried[byte] = 0
    for block in range(blocks - 1):
        begin = block * ROWS
        for row in range(ROWS):
            masks[pattern[begin + row]] |= 1 << row
        column = FULL
        for position in range(len(text)):
            match = masks[text[position]]
            total = column + (column & match) + carries[position]
            carry = total >> ROWS
            carries[position] = carry
            byte = block * stride + (position >> 3)
            carried[byte] = np.int64(carried[byte]) | carry << (position & 7)
            column = (total & FULL) | (column & ~match)
        for row in range(ROWS):
            masks[pattern[begin + row]] = 0
    row = len(pattern)
    end = len(text)
    for block in range(blocks - 1, -1, -1):
        begin = block * ROWS
        rows = min(ROWS, len(pattern) - begin)
        for other in range(rows):
            masks[pattern[begin + other]] |= 1 << other
        column = FULL
        for position in range(end):
            match = masks[text[position]]
            total = column + (column & match)
            if block > 0:
                byte = (block - 1) * stride + (position >> 3)
                total += np.int64(carried[byte]) >> (position & 7) & 1
            column = (total & FULL) | (column & ~match)
            columns[position] = column
        for other in range(rows):
            masks[pattern[begin + other]] = 0
        while row > begin and end > 0:
            if pattern[row - 1] == text[end - 1]:
                row -= 1
                end -= 1
                marks[row if on_pattern else end] = 1
            elif columns[end - 1] >> (row - 1 - begin) & 1:
                row -= 1
            else:
                end -= 1


@kernel
def count_union(
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
    drop_reference: bool,
    by_id: NDArray[np.int64],
    marks: Longs,
    work: NDArray[np.int64],
    carried: NDArray[np.uint8],
    hits: Longs,
) -> None:
    """
    Do the work of :func:`union_lcs`.

    Args:
        by_id: Zeros, three for each id.
        marks: Zeros, one for each token of the longest reference sentence.
        work: See :func:`mark_lcs`.
        carried: See :func:`mark_lcs`.
        hits: Written to.
    """
    masks = by_id[0]
    left = by_id[1]  # how often the hypothesis still holds the token
    left_here = by_id[2]  # and the reference
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
            found = 0
            for sentence in range(reference_sentences[reference], reference_sentences[reference + 1]):
                model = references[reference_offsets[sentence] : reference_offsets[sentence + 1]]
                for other in range(first, last):
                    peer = hypotheses[hypothesis_offsets[other] : hypothesis_offsets[other + 1]]
                    pattern = model if drop_reference else peer
                    text = peer if drop_reference else model
                    mark_lcs(pattern, text, masks, work, carried, marks, drop_reference)
                for position in range(len(model)):
                    if marks[position] == 0:
                        continue
                    marks[position] = 0
                    token = model[position]
                    if credit == UNCLIPPED:
                        found += 1
                    elif left[token] > 0 and left_here[token] > 0:
                        found += 1
                        if credit == DISTINCT:
                            left[token] = 0
                        else:
                            left[token] -= 1
                            left_here[token] -= 1
            hits[reference] = found
            for position in range(len(counted)):
                left[counted[position]] = 0
            for position in range(len(counted_here)):
                left_here[counted_here[position]] = 0

"""
Collect the matches between two texts that CMU Meteor 1.5 would choose from: of words and of phrases, compiled.

Matches are sorted by where they start in the reference, and there by the order in which the program finds them: module
by module; paraphrases of the reference's phrases first, then those of the hypothesis' phrases.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Ids, Offsets
from tertium.native.interning import Longs, Whole
from tertium.native.kernels import kernel
from tertium.native.phrase_tables import ROOT, child_of

EXACT, STEM, SYNONYM, PARAPHRASE = range(4)
MOST = 25_000_000
"""Matches that are collected at most: they take 1 GB."""

HYPOTHESIS, HYPOTHESIS_WORDS, REFERENCE, REFERENCE_WORDS, MODULE = range(5)
"""Columns of a match: start and number of words on both sides, and the module."""


@kernel
def put(
    matches: Longs,
    cursors: Longs,
    base: Whole,
    start: Whole,
    words: Whole,
    place: Whole,
    length: Whole,
    module: int,
    fill: bool,
) -> None:
    """
    Write a match down, or only count it.
    """
    row = cursors[base + place]
    if fill:
        matches[row, HYPOTHESIS] = start
        matches[row, HYPOTHESIS_WORDS] = words
        matches[row, REFERENCE] = place
        matches[row, REFERENCE_WORDS] = length
        matches[row, MODULE] = module
    cursors[base + place] = row + 1


@kernel
def collect_words(
    left: Ids,
    left_offsets: Offsets,
    right: Ids,
    right_offsets: Offsets,
    owners: Offsets,
    wanted: NDArray[np.bool_],
    words: NDArray[np.int32],
    module: int,
    edges: Offsets,
    links: Ids,
    last: Ids,
    previous: Ids,
    cursors: Longs,
    matches: Longs,
    fill: bool,
) -> None:
    """
    Collect the matches of one module that knows single words.

    Args:
        left: The keys of the hypotheses' words under this module.
        left_offsets: Where each hypothesis starts, and the end of the last.
        right: The keys of the references' words.
        right_offsets: Where each reference starts.
        owners: The hypothesis of each reference.
        wanted: Whether to look at each reference.
        words: The words themselves, as numbers: hypotheses' in the first row, references' in the second. Under any
            module but the exact one, equal words do not match.
        module: The module.
        edges: A reference's key k matches the keys ``links[edges[k]:edges[k + 1]]``; empty where keys match their own.
        links: Keys.
        last: Room for each key, all -1, and so again afterwards.
        previous: Room for each word of the hypotheses.
        cursors: For each word of the references, where its next match is written; written to.
        matches: Rows of matches; written to.
        fill: Whether to write matches, or only to count them; counting ends beyond ``MOST``.
    """
    total = np.int64(0)
    for pair in range(len(owners)):
        if not wanted[pair] or total > MOST:
            continue
        first, end = left_offsets[owners[pair]], left_offsets[owners[pair] + 1]
        opening, closing = right_offsets[pair], right_offsets[pair + 1]
        for position in range(end - 1, first - 1, -1):  # so that a chain leads from the first occurrence to the last
            previous[position] = last[left[position]]
            last[left[position]] = position - first
        for position in range(opening, closing):
            key = right[position]
            linked = len(edges) > 0
            begin = np.int64(edges[key]) if linked else np.int64(0)
            stop = np.int64(edges[key + 1]) if linked else np.int64(1)
            row = cursors[position]
            if total > MOST:
                stop = begin
            for link in range(begin, stop):
                start = np.int64(last[links[link] if linked else key])
                while start >= 0:
                    if module == EXACT or words[0, first + start] != words[1, position]:
                        put(matches, cursors, opening, start, 1, position - opening, 1, module, fill)
                    start = np.int64(previous[first + start])
            total += cursors[position] - row
            if fill and stop - begin > 1:
                for later in range(row + 1, cursors[position]):  # in the order of the hypothesis' words
                    here = later
                    while here > row and matches[here - 1, HYPOTHESIS] > matches[here, HYPOTHESIS]:
                        kept = matches[here, HYPOTHESIS]
                        matches[here, HYPOTHESIS] = matches[here - 1, HYPOTHESIS]
                        matches[here - 1, HYPOTHESIS] = kept
                        here -= 1
        for position in range(first, end):
            last[left[position]] = -1


@kernel
def collect_phrases(
    left: Ids,
    left_offsets: Offsets,
    right: Ids,
    right_offsets: Offsets,
    owners: Offsets,
    wanted: NDArray[np.bool_],
    words: Ids,
    children: Ids,
    table_edges: Ids,
    partners: Ids,
    heads: Ids,
    chains: Ids,
    cursors: Longs,
    matches: Longs,
    fill: bool,
) -> None:
    """
    Collect paraphrases.

    Args:
        left: The numbers of the hypotheses' words in the table of paraphrases, -1 where it does not know them.
        right: The same for the references.
        words: The table's tree, see ``PhraseTable``.
        children: The same.
        table_edges: The same.
        partners: The same.
        heads: Room for each node, all -1, and so again afterwards.
        chains: Rows of node, start and number of words, and the next row of the node; as many as there may be phrases in
            one text.

    The other arguments are those of :func:`collect_words`.
    """
    for pair in range(len(owners)):
        if not wanted[pair]:
            continue
        first, end = left_offsets[owners[pair]], left_offsets[owners[pair] + 1]
        opening, closing = right_offsets[pair], right_offsets[pair + 1]
        for mirrored in range(2):
            here, begin, stop = (left, first, end) if mirrored == 0 else (right, opening, closing)
            count = 0
            for position in range(stop - 1, begin - 1, -1):
                node = np.int64(ROOT)
                place = position
                while place < stop and here[place] >= 0:
                    node = np.int64(child_of(words, children, node, here[place]))
                    if node < 0:
                        break
                    place += 1
                    chains[count, 0] = node
                    chains[count, 1] = position - begin
                    chains[count, 2] = place - position
                    chains[count, 3] = heads[node]
                    heads[node] = count
                    count += 1
            other, begin, stop = (right, opening, closing) if mirrored == 0 else (left, first, end)
            for position in range(begin, stop):
                node = np.int64(ROOT)
                place = position
                while place < stop and other[place] >= 0:
                    node = np.int64(child_of(words, children, node, other[place]))
                    if node < 0:
                        break
                    place += 1
                    for entry in range(table_edges[node], table_edges[node + 1]):
                        found = np.int64(heads[partners[entry]])
                        while found >= 0:
                            start, length = np.int64(chains[found, 1]), np.int64(chains[found, 2])
                            if mirrored == 0:
                                put(
                                    matches, cursors, opening, start, length, position - begin, place - position,
                                    PARAPHRASE, fill,
                                )  # fmt: skip
                            else:
                                put(
                                    matches, cursors, opening, position - begin, place - position, start, length,
                                    PARAPHRASE, fill,
                                )  # fmt: skip
                            found = np.int64(chains[found, 3])
            for row in range(count):
                heads[chains[row, 0]] = -1

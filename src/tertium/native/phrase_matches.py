"""
Collect the matches between two texts that CMU Meteor 1.5 would choose from: of words and of phrases.

Matches are sorted by where they start in the reference, and there by the order in which the program finds them: module
by module; paraphrases of the reference's phrases first, then those of the hypothesis' phrases.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Ids, Offsets
from tertium.native.interning import Longs
from tertium.native.kernels import kernel
from tertium.native.phrase_tables import ROOT, PhraseTable, child_of

EXACT, STEM, SYNONYM, PARAPHRASE = range(4)
MOST = 25_000_000
"""Matches that are collected at most: they take 1 GB."""

HYPOTHESIS, HYPOTHESIS_WORDS, REFERENCE, REFERENCE_WORDS, MODULE = range(5)
"""Columns of a match: start and number of words on both sides, and the module."""


class TooManyMatches(Exception):
    """
    Say that there are more than ``MOST`` matches.
    """


class Pairs(NamedTuple):
    """
    Hold which words belong together.

    Args:
        left: Where each hypothesis starts, and the end of the last.
        right: The same for the references; each belongs to one pair.
        owners: The hypothesis of each reference.
        wanted: Whether to look at each reference.
    """

    left: Offsets
    right: Offsets
    owners: Longs
    wanted: NDArray[np.bool_]

    @property
    def of_words(self) -> Longs:
        """
        Give the pair of each word of the references.
        """
        return np.repeat(np.arange(len(self.owners)), np.diff(self.right))


class Matches(NamedTuple):
    """
    Hold the matches of all pairs, sorted by where they start in the references.

    Args:
        rows: Start and number of words on both sides, and the module.
        starts: For each word of the references the first match that starts there, and the end of the last.
    """

    rows: Longs
    starts: Longs


class Found(NamedTuple):
    """
    Hold the matches of one module, those of one place in their order.

    Args:
        places: The first of the words among those of all references.
        lengths: How many words of the reference.
        starts: Where they start in the hypothesis.
        words: How many words of the hypothesis.
    """

    places: Longs
    lengths: Longs
    starts: Longs
    words: Longs


def spread(firsts: Longs, counts: Longs) -> tuple[Longs, Longs]:
    """
    Write out ranges: for each member the range that it belongs to, and the member.

    Raises:
        TooManyMatches: There are too many.
    """
    if int(counts.sum()) > MOST:
        raise TooManyMatches
    owners = np.repeat(np.arange(len(counts)), counts)
    return owners, (firsts - np.cumsum(counts) + counts)[owners] + np.arange(len(owners))


def sorted_matches(pairs: Pairs, found: Iterable[tuple[int, Found]]) -> Matches:
    """
    Bring the matches of modules into one order.

    Raises:
        TooManyMatches: There are too many.
    """
    modules, parts = zip(*found, strict=True)
    sizes = [len(part.places) for part in parts]
    if sum(sizes) > MOST:
        raise TooManyMatches
    places, lengths, starts, words = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.argsort(places, kind="stable")
    counts = np.bincount(places, minlength=int(pairs.right[-1]))
    opening = pairs.right[:-1][pairs.of_words]
    columns = (starts, words, places - opening[places], lengths, np.repeat(modules, sizes))
    rows = np.column_stack([column[order] for column in columns])
    return Matches(rows, np.concatenate([[0], np.cumsum(counts)]))


def word_matches(
    pairs: Pairs, left: Ids, right: Ids, unlike: tuple[Ids, Ids] | None, links: tuple[Offsets, Ids] | None
) -> Found:
    """
    Collect the matches of one module that knows single words.

    Args:
        left: The keys of the hypotheses' words under this module.
        right: The keys of the references' words.
        unlike: The words of both sides, as numbers: equal words do not match. None where they do.
        links: A reference's key k matches the keys ``links[1][links[0][k]:links[0][k + 1]]``; None where keys match
            their own.

    Raises:
        TooManyMatches: There are too many.
    """
    owners = pairs.of_words
    places = np.flatnonzero(pairs.wanted[owners])
    keys = right[places].astype(np.int64)
    if links is not None:
        edges, linked = links
        several, member = spread(edges[keys], edges[keys + 1] - edges[keys])
        places, keys = places[several], linked[member].astype(np.int64)
    texts = np.repeat(np.arange(len(pairs.left) - 1), np.diff(pairs.left))
    width = 1 + max(int(left.max(initial=0)), int(keys.max(initial=0)))
    codes = texts * width + left
    order = np.argsort(codes, kind="stable")
    codes = codes[order]
    sought = pairs.owners[owners[places]] * width + keys
    first = np.searchsorted(codes, sought)
    several, member = spread(first, np.searchsorted(codes, sought, side="right") - first)
    places, words = places[several], order[member]
    if unlike is not None:
        differing = unlike[0][words] != unlike[1][places]
        places, words = places[differing], words[differing]
    starts = words - pairs.left[texts[words]]
    if links is not None:  # in the order of the hypothesis' words
        sorting = np.lexsort((starts, places))
        places, starts = places[sorting], starts[sorting]
    ones = np.ones(len(places), np.int64)
    return Found(places, ones, starts, ones)


def phrase_matches(pairs: Pairs, left: Ids, right: Ids, table: PhraseTable, depth: int) -> Found:
    """
    Collect paraphrases.

    Args:
        left: The numbers of the hypotheses' words in the table of paraphrases, -1 where it does not know them.
        right: The same for the references.
        table: The paraphrases.
        depth: Words of the longest phrase.

    Raises:
        TooManyMatches: There are too many.
    """
    own = np.arange(len(pairs.owners))
    texts, phrases, edges = (pairs.owners, own), [], []
    for tokens, offsets in ((left, pairs.left), (right, pairs.right)):
        rows, bounds = np.empty((len(tokens) * depth, 3), np.int32), np.empty(len(offsets), np.int64)
        count = find_phrases(tokens, offsets, table.words, table.children, rows, bounds)
        phrases.append(rows[:count].astype(np.int64))
        edges.append(bounds)
    heads = np.full(len(table.words), -1, np.int64)
    found = []
    for here, other in ((0, 1), (1, 0)):
        nodes = [np.ascontiguousarray(rows[:, 0]) for rows in phrases]
        layout = (
            *(nodes[here], edges[here], texts[here], nodes[other], edges[other], texts[other], pairs.wanted),
            *(table.edges, table.partners, heads, np.empty(len(nodes[here]), np.int64)),
        )
        count = join_phrases(*layout, np.empty((0, 2), np.int64), False)
        if count > MOST:
            raise TooManyMatches
        joined = np.empty((count, 2), np.int64)
        join_phrases(*layout, joined, True)
        found.append(joined if here == 0 else joined[:, ::-1])
    joined = np.concatenate(found)
    hypothesis, reference = phrases[0][joined[:, 0]], phrases[1][joined[:, 1]]
    opening = np.repeat(pairs.left[:-1], np.diff(edges[0]))
    starts = hypothesis[:, 1] - opening[joined[:, 0]]
    return Found(reference[:, 1], reference[:, 2], starts, hypothesis[:, 2])


@kernel
def find_phrases(
    tokens: Ids, offsets: Offsets, words: Ids, children: Ids, rows: NDArray[np.int32], bounds: Longs
) -> int:
    """
    Find the phrases of each text that a table of paraphrases knows, by where they start, the shorter ones first.

    Args:
        tokens: The numbers of the texts' words in the table, -1 where it does not know them.
        offsets: Where each text starts, and the end of the last.
        words: The table's tree, see ``PhraseTable``.
        children: The same.
        rows: For each phrase its node, its first token and how many tokens it has; written to.
        bounds: Where each text's phrases start, and the end of the last; written to.

    Returns:
        The number of phrases.
    """
    count = 0
    bounds[0] = 0
    for row in range(len(offsets) - 1):
        for position in range(offsets[row], offsets[row + 1]):
            node = np.int64(ROOT)
            for place in range(position, offsets[row + 1]):
                if tokens[place] < 0:
                    break
                node = np.int64(child_of(words, children, node, tokens[place]))
                if node < 0:
                    break
                rows[count, 0] = node
                rows[count, 1] = position
                rows[count, 2] = place + 1 - position
                count += 1
        bounds[row + 1] = count
    return count


@kernel
def join_phrases(
    here: Longs,
    here_bounds: Longs,
    here_texts: Longs,
    other: Longs,
    other_bounds: Longs,
    other_texts: Longs,
    wanted: NDArray[np.bool_],
    edges: Ids,
    partners: Ids,
    heads: Longs,
    following: Longs,
    joined: Longs,
    fill: bool,
) -> int:
    """
    Find the phrases of one side that the table gives as paraphrases of the other side's phrases.

    Args:
        here: The nodes of one side's phrases.
        here_bounds: Where each text's phrases start.
        here_texts: The text of each pair.
        other: The same of the other side.
        other_bounds: The same.
        other_texts: The same.
        wanted: Whether to look at each pair.
        edges: See ``PhraseTable``.
        partners: The same.
        heads: Room for each node, all -1, and so again afterwards.
        following: Room for each phrase of ``here``.
        joined: The phrase of ``here`` and that of ``other``; written to.
        fill: Whether to write, or only to count; counting ends beyond ``MOST``.

    Returns:
        How many there are.
    """
    count = 0
    for pair in range(len(wanted)):
        if wanted[pair] and count <= MOST:
            first = here_bounds[here_texts[pair]]
            last = here_bounds[here_texts[pair] + 1]
            for phrase in range(last - 1, first - 1, -1):  # so that a chain leads from the first to the last
                following[phrase] = heads[here[phrase]]
                heads[here[phrase]] = phrase
            for phrase in range(other_bounds[other_texts[pair]], other_bounds[other_texts[pair] + 1]):
                for entry in range(edges[other[phrase]], edges[other[phrase] + 1]):
                    found = heads[partners[entry]]
                    while found >= 0:
                        if fill:
                            joined[count, 0] = found
                            joined[count, 1] = phrase
                        count += 1
                        found = following[found]
            for phrase in range(first, last):
                heads[here[phrase]] = -1
    return count

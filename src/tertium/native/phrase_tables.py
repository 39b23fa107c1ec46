"""
Hold a table of paraphrases as a tree of words, compiled.

Each node of the tree is a phrase; its children are the phrases that are one word longer. Nodes are numbered level by
level and in order of their last words, so that the children of a node stand in a row and are found by bisection.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Ids, Offsets, Points
from tertium.native.interning import Longs, Whole, find_pair, table_size
from tertium.native.kernels import inner_kernel, kernel

ROOT = 0
SALT = np.array([0x3C6EF35F, 0x19660D45, 1, 1], np.int64)
"""Fixed hash multipliers: a table that is verified beforehand cannot be written to make them slow."""


class PhraseTable(NamedTuple):
    """
    Hold phrases and their paraphrases.

    Args:
        words: For each node the last word of its phrase.
        children: Node i has the children ``children[i]:children[i + 1]``.
        edges: Node i has the paraphrases ``partners[edges[i]:edges[i + 1]]``, in the table's order.
        partners: Nodes.
    """

    words: Ids
    children: Ids
    edges: Ids
    partners: Ids


@kernel
def insert_phrases(
    tokens: Ids, offsets: Offsets, slots: Longs, keys: Longs, parents: Ids, last: Ids, nodes: int, found: Ids
) -> int:
    """
    Walk down the tree along phrases, and grow it where they are new.

    Args:
        tokens: The words of all phrases.
        offsets: Where each phrase starts, and the end of the last.
        slots: Hash table of the nodes, see ``find_pair``; written to.
        keys: The parent and last word of each node but the root, at the node's number less 1; written to.
        parents: The parent of each node; written to.
        last: The last word of each node; written to.
        nodes: How many nodes there are; the root is one.
        found: The node of each phrase; written to.

    Returns:
        How many nodes there are now.
    """
    for phrase in range(len(offsets) - 1):
        node = np.int64(ROOT)
        for place in range(offsets[phrase], offsets[phrase + 1]):
            word = np.int64(tokens[place])
            slot = find_pair(slots, keys, node, word, SALT)
            if slots[slot] < 0:
                slots[slot] = nodes - 1
                keys[nodes - 1] = node << 32 | word
                parents[nodes] = node
                last[nodes] = word
                nodes += 1
            node = slots[slot] + 1
        found[phrase] = node
    return nodes


@kernel
def words_in_lines(points: Points, starts: Longs, ends: Longs, offsets: Longs) -> int:
    """
    Find the words, parted by spaces, of the two phrases of each entry: three lines, the first a number.

    Args:
        points: Bytes of whole entries.
        starts: Where each word starts; written to.
        ends: Where each word ends; written to.
        offsets: Where each phrase's words start; written to, and the number of words goes to the place after the last.

    Returns:
        The number of phrases.
    """
    line = 0
    words = 0
    phrases = 0
    opened = -1
    offsets[0] = 0
    for place in range(len(points)):
        point = points[place]
        if point == 32 or point == 10:
            if opened >= 0:
                starts[words] = opened
                ends[words] = place
                words += 1
                opened = -1
            if point == 10:
                if line % 3 != 0:
                    phrases += 1
                    offsets[phrases] = words
                line += 1
        elif opened < 0 and line % 3 != 0:
            opened = place
    return phrases


@inner_kernel
def child_of(words: Ids, children: Ids, node: Whole, word: Whole) -> Whole:
    """
    Find the child of a node with a last word, or -1.
    """
    low = np.int64(children[node])
    high = np.int64(children[node + 1])
    while low < high:
        middle = (low + high) // 2
        if words[middle] < word:
            low = middle + 1
        else:
            high = middle
    if low < children[node + 1] and words[low] == word:
        return low
    return np.int64(-1)


def grown(slots: Longs, keys: Longs, nodes: int, room: int) -> tuple[Longs, Longs]:
    """
    Make room for more nodes in a table.
    """
    size = table_size(nodes + room)
    more = np.zeros(nodes + room, np.int64)
    more[: len(keys)] = keys[: len(more)]
    if size <= len(slots):
        return slots, more
    wider = np.full(size, -1, np.int64)
    refill(wider, more, nodes - 1)
    return wider, more


@kernel
def refill(slots: Longs, keys: Longs, count: int) -> None:
    """
    Enter known keys into an empty table.
    """
    for number in range(count):
        key = keys[number]
        slots[find_pair(slots, keys, key >> 32, key & 0xFFFFFFFF, SALT)] = number


def renumbered(parents: Ids, last: Ids, sources: Ids, targets: Ids) -> PhraseTable:
    """
    Number nodes level by level and in order of their words, and lay out paraphrases by node.

    Args:
        parents: The parent of each node; a parent's number is lower than its child's.
        last: The last word of each node.
        sources: For each entry of the table the node of its phrase, in order.
        targets: For each entry the node of its paraphrase.
    """
    count = len(parents)
    new = np.zeros(count, np.int32)
    order = [np.zeros(1, np.int64)]
    depth = _depths(parents)
    numbered = 1
    for level in range(1, int(depth.max(initial=0)) + 1):
        members = np.flatnonzero(depth == level)
        members = members[np.lexsort((last[members], new[parents[members]]))]
        new[members] = np.arange(numbered, numbered + len(members))
        numbered += len(members)
        order.append(members)
    by_number = np.concatenate(order)
    first = np.zeros(count + 1, np.int64)
    np.cumsum(np.bincount(new[parents[1:]], minlength=count), out=first[1:])
    first += 1  # the root is nobody's child
    edges = np.zeros(count + 1, np.int64)
    np.cumsum(np.bincount(new[sources], minlength=count), out=edges[1:])
    partners = new[targets[np.argsort(new[sources], kind="stable")]]
    return PhraseTable(last[by_number], first.astype(np.int32), edges.astype(np.int32), partners)


def _depths(parents: Ids) -> NDArray[np.uint8]:
    depth = np.zeros(len(parents), np.uint8)
    above = parents.astype(np.int64)
    while above.any():
        depth[above > 0] += 1
        above = parents[above].astype(np.int64)
    depth[1:] += 1
    return depth

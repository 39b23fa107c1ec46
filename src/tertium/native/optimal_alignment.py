"""
Align two texts one to one: as many words as can be, then in the best order.

Words of the hypothesis are taken from the first to the last; each takes one of its partners that are free, or none. Two
ways of having come so far are one where all that follows costs the same, and the cheaper one is kept. A word may be
left out only as often as a maximum matching of its component leaves words out.

The rule of 2005: Banerjee and Lavie, "METEOR: An automatic metric for MT evaluation", section 2.1.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

CROSSINGS, CHUNKS = "crossings", "chunks"


class BudgetSpent(Exception):
    """
    Tell that the search looked at as many partial alignments as it was allowed to.
    """


class Partial(NamedTuple):
    """
    Hold what decides how a partial alignment can go on.

    Args:
        used: A bit for each position of the reference that is taken.
        last: The partner of the word before, -1 where it has none.
        left_out: For each component how many of its words have been left out.
        bounds: For each word of the hypothesis that occurs again, the partner of its last occurrence.
    """

    used: int
    last: int
    left_out: tuple[int, ...]
    bounds: tuple[int, ...]


def align(
    partners: Sequence[Sequence[int]],
    words: Sequence[int],
    tie: str = CROSSINGS,
    budget: int = 1_000_000,
    beam: int | None = None,
) -> list[int]:
    """
    Find an alignment with the most matches and, among these, the fewest crossings or the fewest chunks.

    Two matches cross where their order differs on the two sides. Of alignments with equally few crossings one with the
    fewest chunks is found.

    Args:
        partners: For each position of the hypothesis, the positions of the reference that it may be matched with.
        words: The word at each position, as a number; equal words have equal partners.
        tie: ``crossings`` or ``chunks``.
        budget: Partial alignments to look at, at most.
        beam: Keep so many partial alignments at each position, and give up exactness; None keeps all that can win.

    Returns:
        For each position of the hypothesis its partner, or -1.

    Raises:
        BudgetSpent: More partial alignments than the budget allows would have to be looked at.
    """
    components, spare = _components(partners)
    later = _later_partners(partners)
    again = _repeated(words) if tie == CROSSINGS else [-1] * len(words)
    layer = {Partial(0, -1, (0,) * len(spare), (-1,) * (max(again, default=-1) + 1)): (0, 0, 0)}
    history: list[dict[Partial, tuple[Partial, int]]] = []
    looked = 0
    for position, choices in enumerate(partners):
        following: dict[Partial, tuple[int, int, int]] = {}
        origins: dict[Partial, tuple[Partial, int]] = {}
        component, number = components[position], again[position]
        for state, (matches, first, second) in layer.items():
            used, last, left_out, bounds = state
            options: list[tuple[int, tuple[int, ...], tuple[int, ...]]] = []
            # Crossing partners of two equal words can change places, which takes a crossing away: so the partners of
            # equal words may be asked to ascend.
            lowest = bounds[number] if number >= 0 else -1
            for partner in choices:
                if partner > lowest and not used >> partner & 1:
                    grown = bounds if number < 0 else (*bounds[:number], partner, *bounds[number + 1 :])
                    options.append((partner, left_out, grown))
            if not choices:
                options.append((-1, left_out, bounds))
            elif beam is not None or left_out[component] < spare[component]:
                more = left_out[component] + 1
                options.append((-1, (*left_out[:component], more, *left_out[component + 1 :]), bounds))
            for partner, outside, grown in options:
                looked += 1 + (used.bit_length() >> 10)  # a partial alignment of long texts costs more
                if looked > budget:
                    raise BudgetSpent
                if partner < 0:
                    cost, taken = (matches, first, second), used
                else:
                    chunk = int(last < 0 or partner != last + 1)
                    crossed = (used >> partner).bit_count() if tie == CROSSINGS else chunk
                    cost, taken = (matches - 1, first + crossed, second + chunk), used | 1 << partner
                kept = _canonical(taken, later[position + 1]) if tie == CROSSINGS else taken & later[position + 1]
                here = Partial(kept, partner, outside, grown)
                if here not in following or cost < following[here]:
                    following[here], origins[here] = cost, (state, partner)
        if beam is not None and len(following) > beam:
            following = dict(sorted(following.items(), key=lambda item: item[1])[:beam])
        layer = following
        history.append(origins)
    state = min(layer, key=layer.__getitem__)
    found: list[int] = []
    for origins in reversed(history):
        state, partner = origins[state]
        found.append(partner)
    return found[::-1]


def _canonical(used: int, later: int) -> int:
    """
    Move bits so that equal futures look equal: between two partners that are still to be had, only the number of
    positions taken matters, and below the first none do.

    Args:
        used: The positions taken.
        later: The positions that words to come may be matched with.
    """
    if not later:
        return 0
    lowest = (later & -later).bit_length() - 1
    kept = used & later
    rest = (used & ~later) >> lowest << lowest
    if not rest:
        return kept
    made = kept
    while rest:
        start = (rest & -rest).bit_length() - 1
        below = later & ((1 << start) - 1)
        opening = below.bit_length()
        above = later >> start
        end = start + (above & -above).bit_length() - 1 if above else max(used.bit_length(), start + 1)
        gap = rest & ((1 << end) - 1)
        made |= ((1 << gap.bit_count()) - 1) << opening
        rest &= ~gap
    return made


def _later_partners(partners: Sequence[Sequence[int]]) -> list[int]:
    """
    Give, for each position and for the end, the positions that words from there on may be matched with, as bits.
    """
    made = [0]
    for choices in reversed(partners):
        bits = made[-1]
        for partner in choices:
            bits |= 1 << partner
        made.append(bits)
    return made[::-1]


def _repeated(words: Sequence[int]) -> list[int]:
    """
    Number the words that occur more than once; -1 for the others.
    """
    counts: dict[int, int] = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    numbers: dict[int, int] = {}
    return [numbers.setdefault(word, len(numbers)) if counts[word] > 1 else -1 for word in words]


def _components(partners: Sequence[Sequence[int]]) -> tuple[list[int], list[int]]:
    """
    Find the component of each position of the hypothesis (-1 without partners), and how many positions of each component
    a maximum matching leaves out. Components that leave none out share the number of one that does not either.
    """
    owner: dict[int, int] = {}
    parent = list(range(len(partners)))

    def root(position: int) -> int:
        while parent[position] != position:
            parent[position] = parent[parent[position]]
            position = parent[position]
        return position

    for position, choices in enumerate(partners):
        for partner in choices:
            parent[root(owner.setdefault(partner, position))] = root(position)
    matched = _maximum_matching(partners)
    left_out: dict[int, int] = {}
    for position, choices in enumerate(partners):
        if choices:
            left_out[root(position)] = left_out.get(root(position), 0) + (matched[position] < 0)
    numbers: dict[int, int] = {}
    spare = [0]  # component 0: all those that leave nothing out
    components = []
    for position, choices in enumerate(partners):
        if not choices:
            components.append(-1)
        elif not left_out[root(position)]:
            components.append(0)
        else:
            number = numbers.setdefault(root(position), len(spare))
            if number == len(spare):
                spare.append(left_out[root(position)])
            components.append(number)
    return components, spare


def _maximum_matching(partners: Sequence[Sequence[int]]) -> list[int]:
    """
    Match as many positions as can be, by augmenting paths; -1 where none is left.
    """
    partner_of = [-1] * len(partners)
    taken: dict[int, int] = {}
    for start, choices in enumerate(partners):
        came_from: dict[int, int] = {}
        waiting = deque([start] if choices else ())
        while waiting:
            position = waiting.popleft()
            free = next((partner for partner in partners[position] if partner not in taken), None)
            if free is not None:
                while True:
                    before = partner_of[position]
                    partner_of[position], taken[free] = free, position
                    if position == start:
                        break
                    free, position = before, came_from[position]
                break
            for partner in partners[position]:
                holder = taken[partner]
                if holder != start and holder not in came_from:
                    came_from[holder] = position
                    waiting.append(holder)
    return partner_of

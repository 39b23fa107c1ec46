"""
Draw one reference a case again and again, with the numbers that Python's generator gives, and sum what is drawn.

The generator is the Mersenne Twister of Matsumoto and Nishimura 1998 (MT19937) with its authors' seeding by an array; a
number takes two of its words. One state serves as many numbers as stand in ``TURN``, then it is turned.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from tertium.compact import Compact, Matrix
from tertium.native.columns import Ids, Offsets
from tertium.native.interning import Longs, Whole
from tertium.native.kernels import inner_kernel, kernel

States = NDArray[np.uint32]

SEED = 101
"""Iteration j seeds its generator with j times this."""
WORDS = 624
TURN = WORDS // 2
"""Numbers that one state gives."""
PIECE = 1024
"""Cases that are drawn for at a time."""
LOW_32 = 0xFFFFFFFF


@kernel
def seed_states(factor: int, states: States) -> None:
    """
    Seed a generator for each row as Python does with the row's number times a factor; seeds are below 2^32.

    Args:
        states: Shape (generators, 624); written to.
    """
    for row in range(len(states)):
        state = states[row]
        word = np.int64(19650218)
        state[0] = word
        for index in range(1, WORDS):
            word = ((word ^ (word >> 30)) * 1812433253 + index) & LOW_32
            state[index] = word
        seed = np.int64(row) * factor
        index = 1
        for step in range(2 * WORDS - 1):
            word = np.int64(state[index - 1])
            word ^= word >> 30
            if step < WORDS:
                word = (np.int64(state[index]) ^ ((word * 1664525) & LOW_32)) + seed
            else:
                word = (np.int64(state[index]) ^ ((word * 1566083941) & LOW_32)) - index
            state[index] = word & LOW_32
            index += 1
            if index == WORDS:
                state[0] = state[WORDS - 1]
                index = 1
        state[0] = 0x80000000


@inner_kernel
def turned(high: Whole, low: Whole) -> Whole:
    """
    Give what two neighbouring words contribute to a turn.
    """
    word = (high & np.uint32(0x80000000)) | (low & np.uint32(0x7FFFFFFF))
    return (word >> np.uint32(1)) ^ (np.uint32(0x9908B0DF) if word & np.uint32(1) else np.uint32(0))


@inner_kernel
def turn_state(state: States) -> None:
    """
    Turn a state into the next one.
    """
    for index in range(WORDS - 397):
        state[index] = state[index + 397] ^ turned(state[index], state[index + 1])
    for index in range(WORDS - 397, WORDS - 1):
        state[index] = state[index + 397 - WORDS] ^ turned(state[index], state[index + 1])
    state[WORDS - 1] = state[396] ^ turned(state[WORDS - 1], state[0])


@inner_kernel
def tempered(word: Whole) -> Whole:
    """
    Give the output of a word of a state.
    """
    mixed = np.int64(word)
    mixed ^= mixed >> 11
    mixed ^= (mixed << 7) & 0x9D2C5680
    mixed ^= (mixed << 15) & 0xEFC60000
    return mixed ^ (mixed >> 18)


@kernel
def draw_choices(states: States, turn: int, turns: Longs, places: Longs, counts: Longs, chosen: Ids) -> int:
    """
    Draw a number from 0 to 1 for each generator and case, and choose a reference by it.

    Args:
        states: One row a generator; turned.
        turn: How often they were turned, at least once less than the first of ``turns``.
        turns: For each case after how many turns its number comes, ascending.
        places: Where among the numbers of that state.
        counts: How many references there are to choose from.
        chosen: Shape (generators, cases); written to.

    Returns:
        How often the states were turned.
    """
    now = turn
    for row in range(len(states)):
        state = states[row]
        now = turn
        for case in range(len(turns)):
            while now < turns[case]:
                turn_state(state)
                now += 1
            high = tempered(state[2 * places[case]]) >> 5
            low = tempered(state[2 * places[case] + 1]) >> 6
            chosen[row, case] = int((high * 67108864.0 + low) / 9007199254740992.0 * counts[case])
    return now


@kernel
def add_chosen(vectors: Matrix, first: Longs, chosen: Ids, sums: Matrix) -> None:
    """
    Add the vectors of the references that are chosen.

    Args:
        vectors: One row a reference.
        first: For each case its first reference.
        chosen: Shape (iterations, cases), counted from there.
        sums: Shape (iterations, vector); added to.
    """
    for iteration in range(len(sums)):
        for case in range(len(first)):
            reference = first[case] + chosen[iteration, case]
            for column in range(vectors.shape[1]):
                sums[iteration, column] += vectors[reference, column]


@kernel
def write_chosen(vectors: Matrix, first: Longs, chosen: Ids, cases: Longs, rows: Matrix) -> None:
    """
    Write the vectors of the references that are chosen, side by side by iteration.

    Args:
        cases: The row that belongs to each case of ``first``.
        rows: At least iterations times columns wide; written to.
    """
    width = vectors.shape[1]
    for case in range(len(first)):
        row = rows[cases[case]]
        for iteration in range(len(chosen)):
            reference = first[case] + chosen[iteration, case]
            for column in range(width):
                row[iteration * width + column] = vectors[reference, column]


class Draws:
    """
    Draw as the authors' program does: iteration j seeds Python's generator with 101 j and draws once a case.

    A draw depends on the case's position in the corpus. The generators' states at the ends of chunks are kept, so that
    the next chunk goes on from there.

    Args:
        kept: How many chunk ends to keep.
    """

    def __init__(self, kept: int = 32) -> None:
        self._kept = kept
        self._states: dict[tuple[int, int], States] = {}
        self._lock = threading.Lock()

    def choices(self, iterations: int, positions: Longs, counts: Longs) -> Iterator[tuple[Longs, Ids]]:
        """
        Choose one of each case's references, again and again.

        Args:
            iterations: How many generators draw.
            positions: The cases' positions in the corpus, at least 0, in any order.
            counts: How many references each case has.

        Yields:
            Some of the cases, by number, and what is chosen for each, of shape (iterations, those cases).
        """
        order = np.argsort(positions, kind="stable")
        turns, places = np.divmod(positions[order], TURN)
        turns += 1
        turn, states = self._nearest(iterations, int(turns[0]))
        for start in range(0, len(order), PIECE):
            piece = slice(start, start + PIECE)
            cases = order[piece]
            chosen = np.empty((iterations, len(cases)), np.int32)
            turn = draw_choices(states, turn, turns[piece], places[piece], counts[cases], chosen)
            yield cases, chosen
        with self._lock:
            self._states[iterations, turn] = states
            while len(self._states) > self._kept:
                del self._states[next(iter(self._states))]

    def _nearest(self, iterations: int, wanted: int) -> tuple[int, States]:
        with self._lock:
            turn = max((at for count, at in self._states if count == iterations and at <= wanted), default=0)
            if turn:
                return turn, self._states[iterations, turn].copy()
        states = np.empty((iterations, WORDS), np.uint32)
        seed_states(SEED, states)
        return 0, states


DRAWS = Draws()


class Drawn(Compact):
    """
    Hold the statistics of the reference that each iteration draws for each case: what each reference would give.

    Args:
        vectors: Of every reference, whole numbers of shape (references, columns).
        bounds: Case i owns the references ``bounds[i]:bounds[i + 1]``.
        positions: The cases' positions in the corpus.
        rest: Further columns, one row a case.
        sums: Of what is drawn, shape (iterations times columns,).
    """

    def __init__(self, vectors: Matrix, bounds: Offsets, positions: Longs, rest: Matrix, sums: Matrix) -> None:
        super().__init__(sums, rest)
        self.vectors, self.bounds, self.positions = vectors, bounds, positions

    @classmethod
    def of(cls, vectors: Matrix, bounds: Offsets, positions: Longs, iterations: int, rest: Matrix) -> Self:
        """
        Draw for a chunk of cases, and sum.
        """
        counts = np.diff(bounds)
        sums = np.zeros((iterations, vectors.shape[1]))
        if (counts == 1).all():
            sums += vectors.sum(axis=0)
        else:
            for cases, chosen in DRAWS.choices(iterations, positions, counts):
                add_chosen(vectors, bounds[cases], chosen, sums)
        return cls(vectors, bounds, positions, rest, sums.reshape(-1))

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """
        Join the statistics of chunks, in the order of the cases.
        """
        lengths = np.concatenate([np.diff(part.bounds) for part in parts])
        return cls(
            np.concatenate([part.vectors for part in parts]),
            np.concatenate([[0], np.cumsum(lengths)]),
            np.concatenate([part.positions for part in parts]),
            np.concatenate([part.rest for part in parts]),
            np.sum([part.sums for part in parts], axis=0),
        )

    def write(self, rows: Matrix) -> None:
        """
        Draw again, and write what is drawn.
        """
        iterations = len(self.sums) // self.vectors.shape[1]
        for cases, chosen in DRAWS.choices(iterations, self.positions, np.diff(self.bounds)):
            write_chosen(self.vectors, self.bounds[cases], chosen, cases, rows)

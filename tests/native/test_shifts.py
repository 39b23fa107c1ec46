"""
Kernels that search block moves: distances by bits, by band and by beam, and what each search finds.
"""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Sequence

import numpy as np
import pytest
from sacrebleu.metrics import lib_ter

from tertium.native import shifts, shifts_band, shifts_best, shifts_exact, tercom
from tertium.native.interning import intern_words

Words = Sequence[int]


def levenshtein(first: Words, second: Words) -> int:
    """
    Give the edit distance by its definition.
    """
    row = list(range(len(second) + 1))
    for i, word in enumerate(first, 1):
        before, row = row, [i]
        for j, other in enumerate(second, 1):
            row.append(min(before[j - 1] + (word != other), before[j] + 1, row[j - 1] + 1))
    return row[-1]


def pair(rng: random.Random, longest: int) -> tuple[list[int], list[int]]:
    """
    Give a hypothesis and a reference that share blocks, repeats and noise.
    """
    types = rng.choice([2, 4, 12, 1000])
    reference = [rng.randrange(types) for _ in range(rng.randrange(1, longest))]
    hypothesis = list(reference)
    kind = rng.randrange(6)
    if kind == 0:
        hypothesis = [rng.randrange(types) for _ in range(rng.randrange(1, longest))]
    elif kind == 1:
        cut = rng.randrange(len(reference) + 1)
        hypothesis = reference[cut:] + reference[:cut]
    elif kind == 2:
        for _ in range(rng.randrange(1, 4)):
            a, b, c = sorted(rng.randrange(len(hypothesis) + 1) for _ in range(3))
            hypothesis = hypothesis[:a] + hypothesis[b:c] + hypothesis[a:b] + hypothesis[c:]
    elif kind == 3:
        hypothesis = hypothesis[: rng.randrange(len(hypothesis) + 1)]
    elif kind == 4:
        hypothesis = [rng.randrange(types) for _ in range(rng.randrange(longest))] + hypothesis
    for _ in range(rng.randrange(1 + len(hypothesis) // 3)):
        place = rng.randrange(len(hypothesis))
        change = rng.randrange(3)
        if change == 0:
            hypothesis[place] = rng.randrange(types + 2)
        elif change == 1:
            hypothesis.insert(place, rng.randrange(types + 2))
        elif len(hypothesis) > 1:
            del hypothesis[place]
    return hypothesis, reference


class Rows:
    """
    Hold what the kernels over rows of bits need for one pair.
    """

    def __init__(self, hypothesis: Words, reference: Words) -> None:
        self.length, self.size = len(hypothesis), len(reference)
        ids, goals = np.array(hypothesis, np.int32), np.array(reference, np.int32)
        self.words, self.target = np.empty(self.length + 1, np.int64), np.empty(self.size, np.int64)
        self.starts, self.positions = np.empty(self.size + 2, np.int64), np.empty(self.size, np.int64)
        numbers = np.full(1 + int(max(ids.max(initial=0), goals.max())), -1, np.int32)
        self.known = shifts.number_words(
            ids,
            0,
            self.length,
            goals,
            0,
            self.size,
            numbers,
            self.words,
            self.target,
            self.starts,
            self.positions,
        )
        assert (numbers == -1).all()
        self.masks = np.empty(self.known + 1, np.int64)
        self.rows = np.empty((3, self.length + 1), np.int64)
        shifts.fill_rows(self.words, 0, self.length, self.target, self.size, self.masks, self.rows)

    def distance(self) -> int:
        return int(self.rows[2, self.length])

    def rotated(self, left: int, middle: int, right: int) -> int:
        return shifts.rotated_distance(self.words, self.length, left, middle, right, self.size, self.masks, self.rows)


def column(rows: Sequence[Words]) -> tuple[np.ndarray, np.ndarray]:
    """
    Lay out rows of ids as one array and offsets.
    """
    offsets = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
    return np.array([word for row in rows for word in row], np.int32), offsets


def found_by_band(pairs: Sequence[tuple[Words, Words]], *limits: int) -> np.ndarray:
    """
    Search pairs as sacreBLEU does.
    """
    hypotheses, references = column([h for h, _ in pairs]), column([r for _, r in pairs])
    return shifts_best.search(*hypotheses, *references, np.arange(len(pairs)), 2000, *limits)


@pytest.mark.parametrize("size", [1, 2, 33, 61, 62])
def test_bits_give_the_edit_distance(size: int) -> None:
    """Rows of bits give the distance of the definition, up to the longest reference that they hold, for all prefixes."""
    rng = random.Random(size)
    for types in (2, 5, 300):
        reference = [rng.randrange(types) for _ in range(size)]
        hypothesis = [rng.randrange(types + 1) for _ in range(rng.randrange(1, 90))]
        rows = Rows(hypothesis, reference)

        assert rows.distance() == levenshtein(hypothesis, reference)
        prefixes = rows.rows[2, : len(hypothesis) + 1].tolist()
        assert prefixes[::20] == [levenshtein(hypothesis[:i], reference) for i in range(0, len(hypothesis) + 1, 20)]


@pytest.mark.parametrize("longest", [10, 60])
def test_rotation_is_measured_from_the_rows_before_it(longest: int) -> None:
    """The distance after a rotation is that of the rotated text, whatever part of it moves."""
    rng = random.Random(longest)
    for _ in range(15):
        hypothesis, reference = pair(rng, longest)
        rows = Rows(hypothesis, reference)
        for _ in range(5):
            left, middle, right = sorted(rng.randrange(len(hypothesis) + 1) for _ in range(3))
            moved = np.array(hypothesis, np.int64)
            shifts.rotate(moved, left, middle, right, np.empty(len(moved), np.int64))

            expected = hypothesis[:left] + hypothesis[middle:right] + hypothesis[left:middle] + hypothesis[right:]
            assert moved.tolist() == expected
            assert rows.rotated(left, middle, right) == levenshtein(expected, reference)


def banded(hypothesis: Words, reference: Words, width: int, operations: np.ndarray | None = None) -> int:
    """
    Give the distance within a band.
    """
    return shifts_band.band_distance(
        np.array(hypothesis, np.int64),
        len(hypothesis),
        np.array(reference, np.int64),
        len(reference),
        width,
        np.empty((2, len(reference) + 1), np.int64),
        np.empty(0, np.uint8) if operations is None else operations,
    )


@pytest.mark.parametrize("beam", [0, 2, 25, 1000])
def test_trace_is_an_alignment_of_that_cost(beam: int) -> None:
    """The words that a trace leaves unmarked are equal, and those it marks count up to the distance."""
    rng = random.Random(beam)
    for _ in range(40):
        hypothesis, reference = pair(rng, rng.choice([8, 130]))
        hypothesis = hypothesis or [0]
        length, size = len(hypothesis), len(reference)
        width = shifts_band.band_width(length, size, beam)
        operations = np.empty(length * min(size + 1, 2 * width) + size + 1, np.uint8)
        distance = banded(hypothesis, reference, width, operations)
        aligned = np.empty(size, np.int64)
        wrong, missed = np.full(length, 9, np.uint8), np.full(size, 9, np.uint8)
        counts = np.zeros(shifts.FOUND, np.int64)
        shifts_band.trace_band(length, size, width, operations, aligned, wrong, missed, counts)
        extra, missing, substituted = counts[2:5].tolist()

        assert extra + missing + substituted == distance
        assert extra - missing == length - size
        assert wrong.sum() == extra + substituted
        assert missed.sum() == missing + substituted
        assert all(hypothesis[aligned[i]] == reference[i] for i in np.flatnonzero(missed == 0))
        assert (np.diff(aligned) >= 0).all()


@pytest.mark.parametrize("beam", [0, 1, 3, 8])
def test_band_matters_only_beyond_the_cheapest_detour(beam: int) -> None:
    """A banded distance is never below the true one, and equals it while that is below the cheapest way around."""
    rng = random.Random(beam)
    narrow = 0
    for _ in range(150):
        hypothesis, reference = pair(rng, 50)
        hypothesis = hypothesis or [0]
        length, size = len(hypothesis), len(reference)
        width = shifts_band.band_width(length, size, beam)
        found = banded(hypothesis, reference, width)
        true = levenshtein(hypothesis, reference)

        assert found >= true
        narrow += found > true
        if true < shifts_band.detour(length, size, width):
            assert found == true
    assert narrow > 5 or beam > 3


@pytest.mark.parametrize(
    ("beam", "size", "distance", "candidates"),
    [
        (25, 10, 50, 1000),
        (3, 2, 4, 50),
        (0, 10, 50, 100),
        (1, 10, 50, 200),
        (8, 9, 20, 300),
        (25, 1, 50, 40),
        (2, 0, 9, 9),
    ],
)
def test_search_finds_what_sacrebleu_finds(
    beam: int, size: int, distance: int, candidates: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On swapped blocks, repeats, cut and padded texts the edits equal the library's, under any of its limits."""
    monkeypatch.setattr(lib_ter, "_BEAM_WIDTH", beam)
    monkeypatch.setattr(lib_ter, "_MAX_SHIFT_SIZE", size)
    monkeypatch.setattr(lib_ter, "_MAX_SHIFT_DIST", distance)
    monkeypatch.setattr(lib_ter, "_MAX_SHIFT_CANDIDATES", candidates)
    rng = random.Random(beam + candidates)
    pairs = [pair(rng, 30 if i % 4 else 70) for i in range(60)]

    found = found_by_band(pairs, beam, size, distance, candidates, 10**10)

    assert found[:, shifts.EDITS].tolist() == [
        lib_ter.translation_edit_rate(hypothesis, reference)[0] for hypothesis, reference in pairs
    ]
    assert (found[:, 1:5].sum(axis=1) == found[:, 0]).all()
    assert not found[:, shifts.LIMITED].any()


def test_search_does_not_depend_on_its_neighbours() -> None:
    """A pair gives the same alone as among others, and a hypothesis may own several references."""
    rng = random.Random(4)
    pairs = [pair(rng, 70) for _ in range(20)]
    limits = (25, 10, 50, 1000, 10**10)
    together = found_by_band(pairs, *limits)

    alone = np.concatenate([found_by_band([one], *limits) for one in pairs])
    hypotheses, references = column([h for h, _ in pairs]), column([r for _, r in pairs] * 2)
    shared = shifts_best.search(*hypotheses, *references, np.arange(40) % 20, 2000, *limits)
    assert alone.tolist() == together.tolist()
    assert shared.tolist() == [*together.tolist(), *together.tolist()]


def simple_search(hypothesis: list[str], reference: list[str]) -> int:
    """
    Give the edits of pyter3's rules, as its README and the article describe them.
    """
    edits = 0
    while True:
        trials = []
        for i, j in itertools.product(range(len(hypothesis)), range(len(reference))):
            if i == j or hypothesis[i] != reference[j]:
                continue
            span = 1
            while (
                i + span < len(hypothesis) and j + span < len(reference) and hypothesis[i + span] == reference[j + span]
            ):
                span += 1
            rest = hypothesis[:i] + hypothesis[i + span :]
            text = rest[:j] + hypothesis[i : i + span] + rest[j:]
            trials.append((levenshtein(hypothesis, reference) - levenshtein(text, reference), text))
        if not trials or max(trials)[0] <= 0:
            return edits + levenshtein(hypothesis, reference)
        edits += 1
        hypothesis = max(trials)[1]


def test_exact_search_follows_its_rules() -> None:
    """The search without limits takes the best move, and of equals the one whose text sorts last."""
    rng = random.Random(9)
    pairs = [tuple([f"w{word:02}" for word in side] for side in pair(rng, 14)) for _ in range(60)]
    references = intern_words([reference for _, reference in pairs])
    hypotheses = intern_words([hypothesis for hypothesis, _ in pairs], references.vocabulary)
    words = hypotheses.vocabulary.words()
    ranks = np.argsort(np.argsort(words)).astype(np.int64)

    found = shifts_exact.search_exact(
        hypotheses.ids,
        hypotheses.offsets,
        references.ids,
        references.offsets,
        np.arange(len(pairs)),
        ranks,
        10**9,
        10**10,
    )
    assert found[:, 0].tolist() == [simple_search(*sides) for sides in pairs]
    assert found[:, shifts.SHIFTS].any()


@pytest.mark.parametrize("costs", [(1.0, 1.0, 1.0, 1.0), (0.8, 0.7, 0.6, 1.5)])
def test_beam_search_without_moves_is_a_weighted_distance(costs: tuple[float, float, float, float]) -> None:
    """With a wide beam and no moves, the cost is that of the cheapest insertions, deletions and substitutions."""
    rng = random.Random(2)
    pairs = [pair(rng, 25) for _ in range(40)]
    hypotheses, references = column([h for h, _ in pairs]), column([r for _, r in pairs])

    _, total = tercom.search_beam(
        *hypotheses, *references, np.arange(len(pairs)), 2000, 10**6, 0, 50, 10**6, 10**10, costs
    )
    extra, missing, other, _ = costs
    for (hypothesis, reference), cost in zip(pairs, total, strict=True):
        row = [missing * i for i in range(len(reference) + 1)]
        for word in hypothesis:
            before, row = row, [row[0] + extra]
            for j, goal in enumerate(reference, 1):
                row.append(min(before[j - 1] + other * (word != goal), before[j] + extra, row[j - 1] + missing))
        assert cost == pytest.approx(row[-1], rel=1e-12)


def test_beam_cuts_where_words_are_missing() -> None:
    """Thirty missing words at the start cost a beam of 20 the match that a beam of 100 finds (measured: 40 and 30)."""
    hypothesis = list(range(10))
    reference = [*range(100, 130), *hypothesis]

    edits = [
        tercom.search_beam(
            *column([hypothesis]), *column([reference]), np.zeros(1, np.int64), 200, beam, 10, 50, 10**6, 10**10
        )[1][0]
        for beam in (20, 100)
    ]
    assert edits == [40, 30]


@pytest.mark.parametrize("search", ["band", "beam", "exact"])
def test_search_ends_at_its_limit_of_work(search: str) -> None:
    """A search that would go on for long ends, keeps a valid count of edits, and says so."""
    rng = random.Random(1)
    reference = [rng.randrange(4) for _ in range(300)]
    hypothesis = [rng.randrange(4) for _ in range(300)]
    sides = (*column([hypothesis]), *column([reference]), np.zeros(1, np.int64))
    if search == "exact":
        found = shifts_exact.search_exact(*sides, np.arange(4), 10**9, 10**5)
    elif search == "beam":
        found = tercom.search_beam(*sides, 4, 20, 10, 50, 10**9, 10**5)[0]
    else:
        found = shifts_best.search(*sides, 4, 25, 10, 50, 10**9, 10**5)

    assert found[0, shifts.LIMITED] == 1
    assert found[0, shifts.CUT_OFF] == 0
    assert found[0, shifts.EDITS] == found[0, 1:5].sum()
    assert found[0, shifts.EDITS] <= 300


@pytest.mark.parametrize("search", ["band", "beam", "exact"])
def test_one_word_again_and_again_ends(search: str) -> None:
    """Two texts that are one word 3,000 times, but for one end, are searched within the limit of work, in seconds."""
    sides = (*column([[1] * 3000 + [2]]), *column([[2] + [1] * 3000]), np.zeros(1, np.int64))
    began = time.perf_counter()
    if search == "exact":
        found = shifts_exact.search_exact(*sides, np.arange(3), 10**9, 10**8)
    elif search == "beam":
        found = tercom.search_beam(*sides, 3, 20, 10, 50, 10**9, 10**8)[0]
    else:
        found = shifts_best.search(*sides, 3, 25, 10, 50, 1000, 10**8)

    assert time.perf_counter() - began < 30
    assert found[0, shifts.EDITS] == 2

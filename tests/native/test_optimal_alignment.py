"""
Optimal alignments: equal to trying all, and what happens where that is too much.
"""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest

import tertium
from tertium.errors import ParameterError, Refused
from tertium.native.meteor import Meteor
from tertium.native.optimal_alignment import BudgetSpent, align


def costs(found: list[int], tie: str) -> tuple[int, ...]:
    """
    Count what an alignment is judged by: unmatched words first, then crossings and chunks, or chunks.
    """
    matches = [(left, right) for left, right in enumerate(found) if right >= 0]
    crossings = sum((a < c) != (b < d) for (a, b), (c, d) in combinations(matches, 2))
    known = set(matches)
    chunks = sum((left - 1, right - 1) not in known for left, right in matches)
    return (-len(matches), crossings, chunks) if tie == "crossings" else (-len(matches), chunks)


def best_of_all(partners: list[list[int]], tie: str) -> tuple[int, ...]:
    """
    Try every alignment.
    """

    def tails(position: int, used: frozenset[int]) -> list[list[int]]:
        if position == len(partners):
            return [[]]
        made = [[-1, *rest] for rest in tails(position + 1, used)]
        for partner in partners[position]:
            if partner not in used:
                made += [[partner, *rest] for rest in tails(position + 1, used | {partner})]
        return made

    return min(costs(found, tie) for found in tails(0, frozenset()))


@pytest.mark.parametrize("tie", ["crossings", "chunks"])
@pytest.mark.parametrize("beam", [None, 100_000])
def test_equals_trying_all(tie: str, beam: int | None) -> None:
    """
    On 400 random graphs of repeated words and of words with partners of other kinds, no alignment is better.
    """
    rng = random.Random(8)
    for _ in range(400):
        kinds = rng.randrange(1, 5)
        left, right = (rng.choices(range(kinds), k=rng.randrange(7)) for _ in range(2))
        fits = {word: {word} | ({rng.randrange(kinds)} if rng.random() < 0.4 else set()) for word in range(kinds)}
        partners = [[place for place, other in enumerate(right) if other in fits[word]] for word in left]
        found = align(partners, left, tie, beam=beam)
        taken = [partner for partner in found if partner >= 0]
        assert len(set(taken)) == len(taken)
        assert all(partner < 0 or partner in partners[place] for place, partner in enumerate(found))
        assert costs(found, tie) == best_of_all(partners, tie), (left, right)


def meteor(hypothesis: str, reference: str, **parameters: Any) -> float:
    """
    Score one case, matched as it is, with an optimal alignment.
    """
    metric = Meteor(alignment="optimal", stages=parameters.pop("stages", "exact"), **parameters)
    return tertium.score(metric, tertium.Cases([hypothesis], [[reference]])).value


def test_the_rule_of_2005_finds_the_chunk_that_greed_misses() -> None:
    """
    "sat on the mat" stands in the reference in one chunk: P = 1, R = 4/9, F = 4/9 / (0.9 + 0.1 * 4/9), less 0.5 / 4^3.
    """
    mean = (4 / 9) / (0.9 + 0.1 * 4 / 9)
    got = meteor("sat on the mat", "the cat sat on the mat at the door")
    assert got == pytest.approx(mean * (1 - 0.5 / 64), rel=1e-12)
    assert got == pytest.approx(0.46691176470588236, rel=1e-9)


def test_ties_are_broken_by_crossings_or_by_chunks() -> None:
    """
    "a b" against "b a x a b" may take the first b or the last: crossings and chunks both want the last two. For
    "a b c b" against "b a b c" fewest crossings leaves one word of b out of order, fewest chunks keeps "a b c" whole.
    """
    whole = 1 - 0.5 / 8
    assert meteor("a b", "b a x a b") == pytest.approx(whole * (2 / 5) / (0.9 + 0.1 * 2 / 5), rel=1e-12)
    by_chunks = meteor("a b c b", "b a b c", tie="chunks")
    assert by_chunks == pytest.approx(1 - 0.5 * (2 / 4) ** 3, rel=1e-12)
    assert meteor("a b c b", "b a b c", tie="crossings") <= by_chunks


def test_stages_are_joined() -> None:
    """
    Any stage may match a word: "cats cat" and "cat cats" align in order by stem, without the crossing of exact matches.
    """
    assert meteor("cats cat", "cat cats", stages="exact,stem") == pytest.approx(1 - 0.5 / 8, rel=1e-12)


def test_beyond_the_budget_is_an_error_and_a_beam_is_a_way_out() -> None:
    """
    Too many partial alignments: the error names the budget; a beam gives a value and stands in the signature.
    """
    rng = random.Random(2)
    left, right = (" ".join(rng.choices("ab", k=60)) for _ in range(2))
    with pytest.raises(BudgetSpent):
        align([[0, 1, 2]] * 3, [0, 0, 0], budget=2)
    with pytest.raises(Refused, match=r"budget=1,000.*search=beam"):
        meteor(left, right, budget=1_000)
    metric = Meteor(alignment="optimal", stages="exact", search="beam", beam=5)
    score = tertium.score(metric, tertium.Cases([left], [[right]]))
    assert 0 < score.value < 1
    assert "search=beam|beam=5" in str(score.signature)


def test_long_texts_end_in_time() -> None:
    """
    100,000 different words in the same order are aligned, 100,000 repeated ones are refused at once.
    """
    text = " ".join(f"w{number}" for number in range(100_000))
    assert meteor(text, text) == pytest.approx(1)
    with pytest.raises(Refused, match="budget"):
        meteor("a b " * 50_000, "b a " * 50_000)


@pytest.mark.parametrize(
    "parameters",
    [
        {"tie": "chunks"},
        {"search": "exact"},
        {"beam": 3},
        {"budget": 3},
        {"alignment": "beam"},
        {"alignment": "optimal", "beam": 3},
        {"alignment": "optimal", "search": "beam", "budget": 3},
    ],
)
def test_what_would_change_nothing_is_refused(parameters: dict[str, Any]) -> None:
    """
    A parameter of a search that is not made is an error.
    """
    with pytest.raises(ParameterError):
        Meteor(**parameters)

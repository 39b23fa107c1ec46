"""
Shapley values: what they must hold on games whose shares are known.
"""

from __future__ import annotations

import math
import random
from itertools import permutations

import pytest

from tertium.shapley import Game, exact, interactions, sampled, sampled_interactions


def invented(players: int, seed: int) -> Game:
    source = random.Random(seed)
    values = [source.uniform(-1, 1) for _ in range(1 << players)]
    return values.__getitem__


def by_orders(players: int, game: Game) -> list[float]:
    """Average marginal gains over every order, which is what the formula stands for."""
    shares = [0.0] * players
    for order in permutations(range(players)):
        mask = 0
        for player in order:
            shares[player] += game(mask | 1 << player) - game(mask)
            mask |= 1 << player
    return [share / math.factorial(players) for share in shares]


@pytest.mark.parametrize("players", range(1, 7))
def test_shares_are_the_average_over_all_orders(players: int) -> None:
    """The exact shares are the mean gain over every order of arrival."""
    game = invented(players, players)

    assert exact(players, game).values == pytest.approx(by_orders(players, game), abs=1e-12)


@pytest.mark.parametrize("players", range(9))
def test_efficiency(players: int) -> None:
    """The shares sum to what all players gain over none."""
    game = invented(players, 7 + players)

    assert math.fsum(exact(players, game).values) == pytest.approx(game((1 << players) - 1) - game(0), abs=1e-12)


@pytest.mark.parametrize("players", [2, 5, 9, 12])
def test_efficiency_of_sampled_shares(players: int) -> None:
    """Sampled shares sum to the same gain, whatever is drawn."""
    game = invented(players, players)

    for seed in range(3):
        shares = sampled(players, game, 8, seed)
        assert math.fsum(shares.values) == pytest.approx(game((1 << players) - 1) - game(0), abs=1e-12)
        assert shares.orders == 8


def test_symmetry() -> None:
    """Two players that add the same to every coalition get the same."""

    def game(mask: int) -> float:
        return float((mask & 0b011).bit_count() ** 2 + 5 * (mask >> 2 & 1) * (mask & 0b011).bit_count())

    shares = exact(3, game).values

    assert shares[0] == shares[1] != shares[2]


def test_a_null_player_gets_nothing() -> None:
    """A player that changes no coalition's value gets exactly 0, drawn or not."""
    base = invented(3, 5)

    def game(mask: int) -> float:
        return base(mask & 0b111)

    assert exact(4, game).values[3] == 0
    assert sampled(4, game, 10, 1).values[3] == 0
    assert sampled(4, game, 10, 1).errors[3] == 0


def test_additivity() -> None:
    """The shares of a sum of games are the sums of the shares."""
    one, other = invented(4, 1), invented(4, 2)

    together = exact(4, lambda mask: one(mask) + other(mask)).values

    apart = [a + b for a, b in zip(exact(4, one).values, exact(4, other).values, strict=True)]
    assert together == pytest.approx(apart, abs=1e-12)


def test_the_glove_game() -> None:
    """One left and two right gloves: the left one is worth two thirds (Shapley and Shubik's example)."""

    def game(mask: int) -> float:
        return float(mask & 1 and mask & 0b110 and 1)

    assert exact(3, game).values == pytest.approx([2 / 3, 1 / 6, 1 / 6], abs=1e-12)


def test_sampled_shares_lie_near_the_exact_ones() -> None:
    """Sampled shares are off by a few of their stated standard errors at most, and the same seed gives the same."""
    game = invented(9, 3)
    truth = exact(9, game).values

    shares = sampled(9, game, 400, 11)

    for share, error, wanted in zip(shares.values, shares.errors, truth, strict=True):
        assert abs(share - wanted) < 5 * error
        assert error < 0.1
    assert sampled(9, game, 400, 11) == shares != sampled(9, game, 400, 12)


def test_interaction_of_two_who_only_work_together() -> None:
    """What only both bring is their interaction, and a game that adds up has none."""
    assert interactions(2, lambda mask: 6.0 * (mask == 3)) == {(0, 1): 6.0}
    assert interactions(3, lambda mask: 2.0 * mask.bit_count()) == {(0, 1): 0.0, (0, 2): 0.0, (1, 2): 0.0}


def test_interaction_in_a_larger_game() -> None:
    """A bonus for the first two, whoever else is there, is theirs alone."""

    def game(mask: int) -> float:
        return mask.bit_count() + (3.0 if mask & 3 == 3 else 0.0)

    found = interactions(4, game)

    assert found[0, 1] == pytest.approx(3.0, abs=1e-12)
    assert all(abs(value) < 1e-12 for pair, value in found.items() if pair != (0, 1))


def test_sampled_interactions_lie_near_the_exact_ones() -> None:
    """Drawn interactions are off by a few of their standard errors at most, and name every pair."""
    game = invented(9, 4)
    truth = interactions(9, game)

    found = sampled_interactions(9, game, 600, 7)

    assert found.keys() == truth.keys()
    for pair, (index, error) in found.items():
        assert abs(index - truth[pair]) < 5 * error
        assert error < 0.25


def test_a_bonus_of_two_is_drawn_without_error() -> None:
    """Where two players' bonus does not depend on the others, every order gives it exactly."""

    def game(mask: int) -> float:
        return mask.bit_count() + (3.0 if mask & 3 == 3 else 0.0)

    found = sampled_interactions(10, game, 200, 1)

    assert found[0, 1] == (3.0, 0.0)
    assert all(both == (0.0, 0.0) for pair, both in found.items() if pair != (0, 1))

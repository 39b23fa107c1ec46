"""
Share a gain among players by what each adds, averaged over every order in which they may come (Shapley 1953).

A game is a function from a coalition to a number. Coalitions are bit masks: player i is in where bit i is set.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

Game = Callable[[int], float]

EXACT = 8
"""Players up to which every coalition is valued."""


@dataclass(frozen=True)
class Shares:
    """
    Hold what each player gets.

    Attributes:
        values: One number a player; their sum is the value of all players less that of none.
        errors: The standard error of each, 0 where the shares are exact.
        orders: Orders that were drawn, or 0 where the shares are exact.
    """

    values: tuple[float, ...]
    errors: tuple[float, ...]
    orders: int = 0


def exact(players: int, game: Game) -> Shares:
    """
    Value every coalition once.

    Shapley 1953, "A Value for n-Person Games": with n players, player i gets the sum over the coalitions S without i of
    |S|! (n - |S| - 1)! / n! times game(S with i) - game(S).
    """
    values = [game(mask) for mask in range(1 << players)]
    shares = []
    for player in range(players):
        terms = []
        for mask in range(1 << players):
            if not mask >> player & 1:
                weight = 1 / (players * math.comb(players - 1, mask.bit_count()))
                terms.append(weight * (values[mask | 1 << player] - values[mask]))
        shares.append(math.fsum(terms))
    return Shares(tuple(shares), (0.0,) * players)


def sampled(players: int, game: Game, orders: int, seed: int) -> Shares:
    """
    Average over orders drawn at random, each with its reverse, which takes out much of the chance.

    Whatever is drawn, the shares sum to the value of all players less that of none.

    Args:
        orders: How many orders, rounded up to an even number of at least four.
        seed: Where the draw begins.
    """
    value = _once(game)
    drawn: list[list[float]] = []
    for both in _drawn_orders(players, orders, seed):
        gains = [0.0] * players
        for way in both:
            mask = 0
            for player in way:
                gains[player] += (value(mask | 1 << player) - value(mask)) / 2
                mask |= 1 << player
        drawn.append(gains)
    means, errors = zip(*(_mean(column) for column in zip(*drawn, strict=True)), strict=True)
    return Shares(means, errors, 2 * len(drawn))


def _once(game: Game) -> Game:
    known: dict[int, float] = {}

    def value(mask: int) -> float:
        if mask not in known:
            known[mask] = game(mask)
        return known[mask]

    return value


def _drawn_orders(players: int, orders: int, seed: int) -> Iterator[tuple[list[int], list[int]]]:
    """
    Draw orders, each with its reverse: the same for the shares as for the interactions.
    """
    source = random.Random(seed)
    for _ in range(max(2, -(-orders // 2))):
        order = source.sample(range(players), players)
        yield order, order[::-1]


def _mean(values: Sequence[float]) -> tuple[float, float]:
    """
    Return the mean of at least two values and its standard error.
    """
    mean = math.fsum(values) / len(values)
    spread = math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return mean, math.sqrt(spread / len(values))


def interactions(players: int, game: Game) -> dict[tuple[int, int], float]:
    """
    Say how much more, or less, two players add together than each by itself.

    The interaction index of Grabisch and Roubens 1999, "An axiomatic approach to the concept of interaction among players
    in cooperative games": over the coalitions S without i and j, |S|! (n - |S| - 2)! / (n - 1)! times
    game(S with both) - game(S with i) - game(S with j) + game(S).
    """
    values = [game(mask) for mask in range(1 << players)]
    found = {}
    for i in range(players):
        for j in range(i + 1, players):
            one, other = 1 << i, 1 << j
            terms = []
            for mask in range(1 << players):
                if not mask & (one | other):
                    weight = 1 / ((players - 1) * math.comb(players - 2, mask.bit_count()))
                    both = values[mask | one | other] - values[mask | one] - values[mask | other] + values[mask]
                    terms.append(weight * both)
            found[i, j] = math.fsum(terms)
    return found


def sampled_interactions(
    players: int, game: Game, orders: int, seed: int
) -> dict[tuple[int, int], tuple[float, float]]:
    """
    Estimate the interaction index from drawn orders, the same as :func:`sampled` draws with the same seed.

    Where two players follow each other, those before them are a coalition drawn as the index weights it: every size is as
    likely as another. One more coalition, with the second player alone, completes what the order has valued already.

    Returns:
        The index and its standard error by pair; a pair that stood together in less than two orders is left out.
    """
    value = _once(game)
    seen: dict[tuple[int, int], list[float]] = {}
    for both in _drawn_orders(players, orders, seed):
        for way in both:
            mask = 0
            for first, second in pairwise(way):
                one, other = 1 << first, 1 << second
                gain = value(mask | one | other) - value(mask | one) - value(mask | other) + value(mask)
                seen.setdefault((min(first, second), max(first, second)), []).append(gain)
                mask |= one
    return {pair: _mean(gains) for pair, gains in sorted(seen.items()) if len(gains) > 1}

"""
Share a gain among players by what each adds, averaged over every order in which they may come (Shapley 1953).

A game is a function from a coalition to a number. Coalitions are bit masks: player i is in where bit i is set.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass

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
    pairs = max(2, -(-orders // 2))
    source = random.Random(seed)
    known: dict[int, float] = {}

    def value(mask: int) -> float:
        if mask not in known:
            known[mask] = game(mask)
        return known[mask]

    drawn: list[list[float]] = []
    for _ in range(pairs):
        order = source.sample(range(players), players)
        gains = [0.0] * players
        for way in (order, order[::-1]):
            mask = 0
            for player in way:
                gains[player] += (value(mask | 1 << player) - value(mask)) / 2
                mask |= 1 << player
        drawn.append(gains)
    means = [math.fsum(column) / pairs for column in zip(*drawn, strict=True)]
    errors = []
    for mean, column in zip(means, zip(*drawn, strict=True), strict=True):
        spread = math.fsum((gain - mean) ** 2 for gain in column) / (pairs - 1)
        errors.append(math.sqrt(spread / pairs))
    return Shares(tuple(means), tuple(errors), 2 * pairs)


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

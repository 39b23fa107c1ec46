"""
Solve for numbers that no list holds: the value of a parameter under which a native setting gives a provider's answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from tertium.fingerprinting.answering import NUMBER, Natives
from tertium.fingerprinting.asking import Question
from tertium.fingerprinting.space import Setting
from tertium.parameters import Range

GRID = (
    0.0,
    1e-6,
    1e-3,
    0.01,
    0.05,
    0.1,
    0.2,
    0.35,
    0.5,
    0.65,
    0.8,
    0.9,
    1.0,
    1.3,
    1.7,
    2.2,
    3.0,
    4.5,
    7.0,
    10.0,
    30.0,
    100.0,
)
"""Where a change of sign is looked for."""

STEPS = 80
"""Halvings of the interval, at most."""


def solutions(
    natives: Natives, setting: Setting, name: str, bounds: Range, questions: Sequence[Question]
) -> Iterator[Setting]:
    """
    Yield settings that differ in one number and give a provider's answer to one of the questions.

    Args:
        name: The parameter.
        bounds: The values that it takes.
        questions: Answered with numbers, which the setting does not give.
    """
    for question in questions:
        for value in _roots(natives, setting, name, bounds, question):
            yield natives.space.with_params(setting, {name: value})


def _roots(natives: Natives, setting: Setting, name: str, bounds: Range, question: Question) -> Iterator[float]:
    target = question.answer[1]

    def excess(value: float) -> float:
        found = natives.answers(natives.space.with_params(setting, {name: value}), [question.place])
        return float(found.values[0]) - target if found.kinds[0] == NUMBER else math.nan

    grid = [value for value in GRID if bounds.holds(value)]
    heights = [excess(value) for value in grid]
    if 0 < heights.count(0.0) < len(heights):
        yield from (value for value, height in zip(grid, heights, strict=True) if height == 0)
    for low, high, below, above in zip(grid, grid[1:], heights, heights[1:], strict=False):
        if below * above < 0:
            yield from _plain(_bisected(excess, low, high, below))


def _bisected(excess: Callable[[float], float], low: float, high: float, below: float) -> float:
    for _ in range(STEPS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        height = excess(middle)
        if height == 0:
            return middle
        if (height < 0) == (below < 0):
            low, below = middle, height
        else:
            high = middle
    return (low + high) / 2


def _plain(root: float) -> Iterator[float]:
    # People choose short numbers: those near the root are tried first, and the root itself last.
    seen = set()
    for digits in range(1, 9):
        value = float(f"{root:.{digits}g}")
        if value not in seen and abs(value - root) <= 1e-3 * abs(root):
            seen.add(value)
            yield value
    yield root

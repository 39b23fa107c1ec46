"""
Solve for numbers that no list holds: the value of a parameter under which a native setting gives a provider's answer.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from tertium.fingerprinting.answering import NUMBER, Natives
from tertium.fingerprinting.asking import Question
from tertium.fingerprinting.space import OUTPUT, Setting
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

STEPS = 40
"""Values that the search for one root tries, at most."""

ORDERS = range(2, 7)
"""Longest n-grams for which BLEU's weights are solved for."""

_PLAIN = re.compile("[a-z ]*")


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
            yield from _plain(_crossing(excess, low, high, below, above))


def _crossing(excess: Callable[[float], float], low: float, high: float, below: float, above: float) -> float:
    """
    Find where a function changes its sign between two points, by false position (the Illinois rule).
    """
    side = 0
    middle = (low + high) / 2
    for _ in range(STEPS):
        last, middle = middle, (low * above - high * below) / (above - below)
        height = excess(middle)
        if math.isnan(height) or height == 0 or abs(middle - last) <= 1e-14 * abs(middle):
            break
        if (height < 0) == (below < 0):
            low, below = middle, height
            above, side = (above / 2 if side == 1 else above), 1
        else:
            high, above = middle, height
            below, side = (below / 2 if side == -1 else below), -1
    return middle


def _plain(root: float) -> Iterator[float]:
    # People choose short numbers: those near the root are tried first, and the root itself last.
    seen = set()
    for digits in range(1, 9):
        value = float(f"{root:.{digits}g}")
        if value not in seen and abs(value - root) <= 1e-3 * abs(root):
            seen.add(value)
            yield value
    yield root


def weighings(natives: Natives, setting: Setting, questions: Sequence[Question]) -> Iterator[Setting]:
    """
    Yield settings of BLEU with the weights of its orders solved for.

    The logarithm of a value over the brevity penalty is the weighted sum of the precisions' logarithms (Papineni et al.
    2002, section 2.3), so a few values without a zero precision determine the weights by least squares.

    Args:
        questions: Answered with numbers.
    """
    plain = [one for one in questions if all(map(_PLAIN.fullmatch, _texts(one)))]
    for orders in ORDERS:
        base = natives.space.with_params(setting, {"weights": "uniform", "max_order": orders, OUTPUT: None})
        made = natives.space.make(base)
        if made is None:
            continue
        unit = 100.0 if made.parameters.get("percent") else 1.0
        for chosen in (plain, questions):
            solved = _weights(natives, base, orders, unit, chosen)
            if solved is not None:
                yield natives.space.with_params(base, {"weights": ",".join(solved)})
                break


def _texts(question: Question) -> tuple[str, ...]:
    return (*question.probe.cases.hypotheses, *question.probe.cases.flat_references)


def _weights(
    natives: Natives, base: Setting, orders: int, unit: float, questions: Sequence[Question]
) -> list[str] | None:
    places = [question.place for question in questions]

    def output(name: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        return natives.answers(natives.space.with_params(base, {OUTPUT: name}), places).values

    values = np.array([question.answer[1] for question in questions]) / unit
    table = np.array([output(f"precision_{order}") / unit for order in range(1, orders + 1)]).T
    penalty = output("brevity_penalty")
    with np.errstate(invalid="ignore"):
        whole = (values > 0) & (penalty > 0) & (table > 0).all(axis=1) & (table < 1).any(axis=1)
    if whole.sum() <= orders:
        return None
    left, right = np.log(table[whole]), np.log(values[whole] / penalty[whole])
    found, _, rank, _ = np.linalg.lstsq(left, right, rcond=1e-9)
    if rank < orders or np.abs(left @ found - right).max() > 1e-6 or found.min() < -1e-9:
        return None
    return [f"{max(0.0, round(float(weight), 9)):g}" for weight in found]

"""
Build one automaton out of many patterns: at each place the longest match counts, and of equally long ones the first.

The patterns are regular expressions with the signs ``| ? * + {m,n} ( ) [ ]``, ``<name>`` for another pattern by name,
and ``\\`` before a sign that stands for itself. A letter outside of square brackets stands for both its cases.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

UNITS = 1 << 16
"""Patterns speak of UTF-16 units, as Java does."""
CASES = {"s": "sSſ", "k": "kK\u212a", "i": "iIİı"}
"""Letters that more than two characters are a case of."""

Node = tuple[Any, ...]


@dataclass(frozen=True)
class Automaton:
    """
    Hold a deterministic automaton.

    Args:
        classes: uint8, the class of each UTF-16 unit.
        moves: int16 of shape (states, classes), the next state or -1; the automaton starts in state 0.
        accepts: int16, for each state the number of the pattern that ends there, or -1.
    """

    classes: NDArray[np.uint8]
    moves: NDArray[np.int16]
    accepts: NDArray[np.int16]


class _Reader:
    """
    Read a pattern into a tree.
    """

    def __init__(self, text: str, names: Mapping[str, str], sets: Mapping[str, frozenset[int]]) -> None:
        self.text, self.at, self.names, self.sets = text, 0, names, sets

    def whole(self) -> Node:
        tree = self.either()
        if self.at != len(self.text):
            raise ValueError(f"{self.text!r} cannot be read from {self.at} on")
        return tree

    def either(self) -> Node:
        ways = [self.sequence()]
        while self.peek() == "|":
            self.at += 1
            ways.append(self.sequence())
        return ways[0] if len(ways) == 1 else ("either", ways)

    def sequence(self) -> Node:
        parts: list[Node] = []
        while self.peek() not in ("", "|", ")"):
            parts.append(self.repeated())
        return ("then", parts)

    def repeated(self) -> Node:
        part = self.single()
        while self.peek() and self.peek() in "?*+{":
            sign = self.text[self.at]
            self.at += 1
            if sign == "{":
                end = self.text.index("}", self.at)
                low, _, high = self.text[self.at : end].partition(",")
                self.at = end + 1
                least, most = int(low), int(high or low)
                part = ("then", [part] * least + [("maybe", part)] * (most - least))
            else:
                part = {"?": ("maybe", part), "*": ("many", part), "+": ("then", [part, ("many", part)])}[sign]
        return part

    def single(self) -> Node:
        sign = self.text[self.at]
        self.at += 1
        if sign == "(":
            tree = self.either()
            if self.peek() != ")":
                raise ValueError(f"{self.text!r} lacks a closing bracket")
            self.at += 1
            return tree
        if sign == "<":
            end = self.text.index(">", self.at)
            name, self.at = self.text[self.at : end], end + 1
            if name in self.sets:
                return ("one", self.sets[name])
            return _Reader(self.names[name], self.names, self.sets).whole()
        if sign == "[":
            return ("one", self.bracket())
        if sign == "\\":
            sign = self.text[self.at]
            self.at += 1
            return ("one", frozenset([ord(sign)]))
        return ("one", frozenset(map(ord, CASES.get(sign.lower(), sign.lower() + sign.upper()))))

    def bracket(self) -> frozenset[int]:
        found: set[int] = set()
        negated = self.peek() == "^"
        self.at += negated
        while self.peek() != "]":  # [^] is any unit
            first = self.member()
            if isinstance(first, frozenset):
                found |= first
            elif self.peek() == "-" and self.text[self.at + 1] != "]":
                self.at += 1
                last = self.member()
                assert isinstance(last, int)
                found |= set(range(first, last + 1))
            else:
                found.add(first)
        self.at += 1
        return frozenset(range(UNITS)) - found if negated else frozenset(found)

    def member(self) -> int | frozenset[int]:
        sign = self.text[self.at]
        self.at += 1
        if (
            sign == "<"
            and ">" in self.text[self.at :]
            and self.text[self.at : self.text.index(">", self.at)] in self.sets
        ):
            end = self.text.index(">", self.at)
            name, self.at = self.text[self.at : end], end + 1
            return self.sets[name]
        if sign == "\\":
            sign = self.text[self.at]
            self.at += 1
        return ord(sign)

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]


def build(patterns: Sequence[str], names: Mapping[str, str], sets: Mapping[str, frozenset[int]]) -> Automaton:
    """
    Build the automaton of patterns, in the order of their precedence.

    Args:
        patterns: The patterns.
        names: Patterns that others name as ``<name>``.
        sets: Characters that patterns and square brackets name as ``<name>``.
    """
    trees = [_Reader(pattern, names, sets).whole() for pattern in patterns]
    classes, members = _classes(trees)
    edges: list[list[tuple[int, ...]]] = []  # by state: the classes of its one move
    after: list[int] = []  # by state: where the move leads
    free: list[list[int]] = []  # by state: where it goes without a move

    def state() -> int:
        edges.append([])
        after.append(-1)
        free.append([])
        return len(after) - 1

    def draw(tree: Node, start: int) -> int:
        kind, content = tree
        if kind == "one":
            end = state()
            edges[start], after[start] = [members[content]], end
            return end
        if kind == "then":
            for part in content:
                joint = state()
                free[start].append(joint)
                start = draw(part, joint)
            return start
        end = state()
        if kind == "either":
            for way in content:
                inner = state()
                free[start].append(inner)
                free[draw(way, inner)].append(end)
            return end
        inner = state()
        free[start] += [inner, end]
        last = draw(content, inner)
        free[last].append(end)
        if kind == "many":
            free[last].append(inner)
        return end

    root = state()
    accepting: dict[int, int] = {}
    for number, tree in enumerate(trees):
        start = state()
        free[root].append(start)
        accepting[draw(tree, start)] = number
    moves, accepts = _determined(root, edges, after, free, accepting, int(classes.max()) + 1)
    return _smallest(classes, moves, accepts)


def _classes(trees: Iterable[Node]) -> tuple[NDArray[np.uint8], dict[frozenset[int], tuple[int, ...]]]:
    """
    Part the units so that each set of the patterns is a union of classes.
    """
    sets: dict[frozenset[int], None] = {}
    waiting = list(trees)
    while waiting:
        kind, content = waiting.pop()
        if kind == "one":
            sets[content] = None
        elif kind in ("then", "either"):
            waiting += content
        else:
            waiting.append(content)
    numbers = np.zeros(UNITS, np.int64)
    for units in sets:
        inside = np.zeros(UNITS, np.int64)
        inside[list(units)] = 1
        numbers = np.unique(2 * numbers + inside, return_inverse=True)[1]
    if numbers.max() > 255:
        raise ValueError("there are more classes than fit into a byte")
    members = {units: tuple(sorted(set(numbers[list(units)].tolist()))) for units in sets}
    return numbers.astype(np.uint8), members


def _determined(
    root: int,
    edges: Sequence[Sequence[tuple[int, ...]]],
    after: Sequence[int],
    free: Sequence[Sequence[int]],
    accepting: Mapping[int, int],
    count: int,
) -> tuple[NDArray[np.int32], NDArray[np.int16]]:
    reached: dict[int, frozenset[int]] = {}

    def closure(start: int) -> frozenset[int]:
        if start not in reached:
            seen, waiting = {start}, [start]
            while waiting:
                for other in free[waiting.pop()]:
                    if other not in seen:
                        seen.add(other)
                        waiting.append(other)
            reached[start] = frozenset(one for one in seen if after[one] >= 0 or one in accepting)
        return reached[start]

    first = closure(root)
    numbers, waiting, rows, accepts = {first: 0}, [first], [], []
    for states in waiting:  # grows while it is walked
        targets: dict[int, set[int]] = {}
        for one in states:
            if after[one] >= 0:
                for kind in edges[one][0]:
                    targets.setdefault(kind, set()).update(closure(after[one]))
        row = [-1] * count
        for kind, target in targets.items():
            found = frozenset(target)
            if found not in numbers:
                numbers[found] = len(numbers)
                waiting.append(found)
            row[kind] = numbers[found]
        rows.append(row)
        accepts.append(min((accepting[one] for one in states if one in accepting), default=-1))
    return np.array(rows, np.int32), np.array(accepts, np.int16)


def _smallest(classes: NDArray[np.uint8], moves: NDArray[np.int32], accepts: NDArray[np.int16]) -> Automaton:
    """
    Join states that no text tells apart (Moore's algorithm), then classes that no state tells apart.
    """
    block: NDArray[np.int32] = np.unique(accepts, return_inverse=True)[1].astype(np.int32)
    while True:
        following = np.where(moves >= 0, block[moves], -1)
        _, finer = np.unique(np.column_stack([block, following]), axis=0, return_inverse=True)
        finer = finer.reshape(-1)
        if finer.max() == block.max():
            break
        block = np.asarray(finer, np.int32)
    _, first, number = np.unique(block, return_index=True, return_inverse=True)
    order: NDArray[np.int64] = np.argsort(first)  # state 0 stays state 0
    place = np.empty(len(order), np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    joined = np.where(moves[first[order]] >= 0, place[number.reshape(-1)[moves[first[order]]]], -1)
    columns, kind = np.unique(joined, axis=1, return_inverse=True)
    if len(columns) > np.iinfo(np.int16).max:
        raise ValueError("there are more states than fit into two bytes")
    return Automaton(
        kind.reshape(-1).astype(np.uint8)[classes], columns.astype(np.int16), accepts[first[order]].astype(np.int16)
    )


def save(path: str) -> None:
    """
    Build the automaton of the rules for the Penn Treebank and write it to a file: ``python -m`` of this module.
    """
    from tertium.native.tokenizers.ptb_rules import NAMES, RULES, characters

    made = build([rule.pattern for rule in RULES], NAMES, characters())
    np.savez_compressed(path, classes=made.classes, moves=made.moves, accepts=made.accepts)


if __name__ == "__main__":
    from pathlib import Path

    save(str(Path(__file__).with_suffix(".npz")))

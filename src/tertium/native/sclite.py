"""
Read and align transcripts that are marked up for NIST's sclite.

``{ a / b c / @ }`` leaves a choice, nested as deep as one likes; ``@`` is a null word, which costs next to nothing and
is never counted. ``word;tag`` compares as ``word`` (``\\;`` is a semicolon, any other backslash is dropped), and so does
``word*``. With optional words ``(word)`` may be left out; with fragments ``fi-`` matches what begins with ``fi`` and
``-fi`` what ends so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tertium.cases import Cases
from tertium.errors import BadText
from tertium.native.text_changes import ASCII_BLANKS
from tertium.native.units import Side, Units

NULL_WORD = "@"
PLAIN, NULL, OPTIONAL = range(3)
PRICES = (4.0, 3.0, 3.0, 0.001, 1.0, 2.0)
"""Substitution, insertion, deletion, null word against nothing, against another, optional word against nothing."""


class Arc(NamedTuple):
    """
    Hold one word of a network.

    Attributes:
        word: What is compared.
        shown: What stood in the text.
        kind: PLAIN, NULL or OPTIONAL.
        before: The arcs that lead to it.
    """

    word: str
    shown: str
    kind: int
    before: tuple[int, ...]


@dataclass(frozen=True)
class Network:
    """
    Hold a text as arcs; arc 0 carries nothing.

    Attributes:
        arcs: Each after those that lead to it.
        ends: The arcs that lead to the end.
    """

    arcs: tuple[Arc, ...]
    ends: tuple[int, ...]
    fragments: bool = False


class Alignment(NamedTuple):
    """
    Hold the cheapest path through two networks.

    Attributes:
        counts: Hits, substitutions, deletions, insertions.
        pairs: A step's letter (C, S, D or I) with the words on both sides, None where there is none.
    """

    counts: tuple[int, int, int, int]
    pairs: tuple[tuple[str, str | None, str | None], ...]


class Markup:
    """
    Read marked-up texts.

    Args:
        units: How texts are normalised and where words end.
        optional_words: Whether ``(word)`` may be left out.
        fragments: Whether ``fi-`` and ``-fi`` match parts of words.
    """

    def __init__(self, units: Units, optional_words: bool, fragments: bool) -> None:
        self.units, self.optional_words, self.fragments = units, optional_words, fragments
        blanks = re.escape(ASCII_BLANKS) if units.split == "ascii" or units.blanks == "ignore-ascii" else r"\s"
        self._token = re.compile(rf"[{{}}/]|[^{blanks}{{}}/]+")
        self._outside = re.compile(rf"[{{}}]|[^{blanks}{{}}]+")
        self._special = re.compile(r"[{}@;*\0\\" + ("(" if optional_words else "") + ("\\-" if fragments else "") + "]")

    def networks(self, cases: Cases) -> dict[int, tuple[Network, Network]]:
        """
        Read the marked-up references and their hypotheses; texts without any markup are left out.

        Returns:
            The two networks by the reference's place in ``cases.flat_references``.

        Raises:
            BadText: Markup does not close; the message names the utterance and the position.
        """
        found = {}
        bounds = cases.bounds.tolist()
        for case, hypothesis in enumerate(cases.hypotheses):
            special = self._special.search(hypothesis)
            for row in range(bounds[case], bounds[case + 1]):
                reference = cases.flat_references[row]
                if special or self._special.search(reference):
                    name = cases.ids[case]
                    found[row] = (
                        self.read(reference, f"the reference of utterance {name!r}", "reference"),
                        self.read(hypothesis, f"the hypothesis of utterance {name!r}", "hypothesis"),
                    )
        return found

    def read(self, text: str, place: str = "the text", side: Side = "reference") -> Network:
        """
        Read one text.

        Args:
            text: The text.
            place: What to call it in an error.
            side: Whose it is.
        """
        text = self.units.normalized(text, side)
        if text.startswith((";;", "**")):
            raise BadText(
                f"sclite's markup in {place}",
                f"it begins with {text[:2]}, which makes a comment of the whole line",
                "Leave the case out, or choose markup=none",
            )
        if "\0" in text:
            raise BadText(
                f"sclite's markup in {place}",
                f"it holds a NUL at character {text.index(chr(0))}, where a transcript ends for sclite",
                "Delete it, or choose markup=none",
            )
        arcs = [Arc("", "", PLAIN, ())]
        ends: tuple[int, ...] = (0,)
        groups: list[tuple[tuple[int, ...], list[int], bool, int]] = []  # entry, ends so far, is it empty, position
        at = 0
        while token := (self._token if groups else self._outside).search(text, at):
            at = token.end()
            sign = token[0]
            if sign == "{":
                if self._within_word(text[: token.start()][-1:], bool(groups)):
                    raise _unclosed(place, "a brace within a word", token.start())
                groups.append((ends, [], True, token.start()))
            elif sign == "}" and not groups:
                raise _unclosed(place, "a closing brace without an opening one", token.start())
            elif sign in ("}", "/") and groups:
                entry, left, empty, opened = groups.pop()
                if empty:
                    raise _unclosed(place, "an alternative without a word", token.start())
                left += ends
                if sign == "/":
                    groups.append((entry, left, True, opened))
                    ends = entry
                else:
                    ends = tuple(left)
                    groups[-1:] = [(*groups[-1][:2], False, groups[-1][3])] if groups else []
            else:
                groups[-1:] = [(*groups[-1][:2], False, groups[-1][3])] if groups else []
                for arc in self._arcs(sign):
                    arcs.append(arc._replace(before=ends))
                    ends = (len(arcs) - 1,)
        if groups:
            raise _unclosed(place, "an opening brace that is never closed", groups[-1][3])
        return Network(tuple(arcs), ends, self.fragments)

    def _within_word(self, before: str, grouped: bool) -> bool:
        ended = before in "{}" or (grouped and before == "/")
        return not ended and self._outside.fullmatch(before) is not None

    def _arcs(self, shown: str) -> list[Arc]:
        word = re.split(r"(?<!\\);", shown, maxsplit=1)[0].replace("\\", "")
        if len(word) > 1 and word.endswith("*"):
            word = word[:-1]
        if word == NULL_WORD:
            return [Arc(word, shown, NULL, ())]
        if self.optional_words and len(word) > 1 and word.startswith("(") and word.endswith(")"):
            return [Arc(word[1:-1], shown, OPTIONAL, ())]
        if self.units.unit == "word":
            return [Arc(word, shown, PLAIN, ())]
        pieces = self.units.characters(word) or [""]  # a tag alone is a character without content
        return [Arc(piece, piece, NULL if piece == NULL_WORD else PLAIN, ()) for piece in pieces]


def _unclosed(place: str, problem: str, position: int) -> BadText:
    return BadText(
        f"sclite's markup in {place}",
        f"{problem} at character {position}",
        "Write { a / b / @ } with braces in pairs, set off by spaces, and a word in every alternative, or choose markup=none",
    )


def align(left: Network, right: Network) -> Alignment:
    """
    Align a reference and a hypothesis at sclite's costs and by its tie rule.
    """
    from tertium.native.networks import fill

    size = len(left.arcs), len(right.arcs)
    cells, backs = np.zeros(size, np.float32), np.zeros((*size, 2), np.int32)
    fill(_match(left, right), *_arrays(left), *_arrays(right), np.array(PRICES, np.float32), cells, backs)
    row, column = left.ends[0], right.ends[0]
    for other in left.ends:
        for beside in right.ends:
            if cells[other, beside] < cells[row, column]:
                row, column = other, beside
    pairs: list[tuple[str, str | None, str | None]] = []
    while row > 0 or column > 0:
        before = int(backs[row, column, 0]), int(backs[row, column, 1])
        reference, hypothesis = left.arcs[row], right.arcs[column]
        if before[0] == row:
            if hypothesis.kind != NULL:
                pairs.append(("C" if hypothesis.kind == OPTIONAL else "I", None, hypothesis.shown))
        elif before[1] == column:
            if reference.kind != NULL:
                pairs.append(("C" if reference.kind == OPTIONAL else "D", reference.shown, None))
        elif reference.kind != NULL or hypothesis.kind != NULL:
            same = _equal(reference.word, hypothesis.word, left.fragments)
            pairs.append(("C" if same else "S", reference.shown, hypothesis.shown))
        row, column = before
    pairs.reverse()
    letters = [pair[0] for pair in pairs]
    counts = letters.count("C"), letters.count("S"), letters.count("D"), letters.count("I")
    return Alignment(counts, tuple(pairs))


def _arrays(network: Network) -> tuple[NDArray[np.uint8], NDArray[np.int32], NDArray[np.int32]]:
    kinds = np.array([arc.kind for arc in network.arcs], np.uint8)
    before = [arc.before for arc in network.arcs]
    edges = np.zeros(len(before) + 1, np.int32)
    np.cumsum([len(arcs) for arcs in before], out=edges[1:])
    return kinds, np.array([arc for arcs in before for arc in arcs], np.int32), edges


def _match(left: Network, right: Network) -> NDArray[np.uint8]:
    numbers: dict[str, int] = {}
    rows, columns = (
        np.array([numbers.setdefault(arc.word, len(numbers)) for arc in network.arcs], np.int32)
        for network in (left, right)
    )
    match: NDArray[np.uint8] = (rows[:, None] == columns[None, :]).astype(np.uint8)
    if left.fragments:
        _match_fragments(match, [arc.word for arc in left.arcs], [arc.word for arc in right.arcs])
    return match


def _match_fragments(match: NDArray[np.uint8], left: Sequence[str], right: Sequence[str]) -> None:
    for row, word in enumerate(left):
        if _is_fragment(word):
            match[row] = [_equal(word, other, True) for other in right]
    for column, word in enumerate(right):
        if _is_fragment(word):
            match[:, column] = [_equal(other, word, True) for other in left]


def _is_fragment(word: str) -> bool:
    return len(word) > 1 and (word.startswith("-") or word.endswith("-"))


def _equal(reference: str, hypothesis: str, fragments: bool) -> bool:
    if fragments:
        for part, whole in ((reference, hypothesis), (hypothesis, reference)):
            if len(part) > 1 and part.startswith("-"):
                return whole.endswith(part[1:])
            if len(part) > 1 and part.endswith("-"):
                return whole.startswith(part[:-1])
    return reference == hypothesis

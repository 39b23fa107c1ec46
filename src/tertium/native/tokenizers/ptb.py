"""
Tokenize captions as the COCO caption evaluation does: Penn Treebank tokens in lower case, without punctuation.

It does what Stanford's PTBTokenizer of CoreNLP 3.4.1 does under ``-preserveLines -lowerCase`` and what the evaluation's
own code does after it, with three differences. A line separator inside a caption is a space here; there it begins a new
line, which gives every later caption to the wrong image. And a caption is tokenized by itself, as if a line break and
nothing else followed it; there the next caption follows, and a single letter with a full stop at the end of one (``plan
B.``) loses the stop if the next begins with ``A``, ``The`` or another of some sixty words, and ``No.``, ``fig.`` and
the like at the end of one keep it if the next begins with a digit. And a capital sigma after a digit inside a word is
lowered as Python does it, not as Java does, which looks for a letter further back.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from tertium.native.columns import (
    ROOM,
    Ids,
    Offsets,
    Points,
    SpanColumn,
    TokenColumn,
    code_points,
    offsets_of,
    text_column,
    windows_of,
)
from tertium.native.tokenizers import ptb_rules as rules
from tertium.native.tokenizers.ptb_automaton import Automaton
from tertium.native.tokenizers.tokenizer import Tokenizer

if TYPE_CHECKING:
    from tertium.native.interning import Vocabulary

DROPPED = frozenset(
    ["''", "'", "``", "`", "-LRB-", "-RRB-", "-LCB-", "-RCB-", ".", "?", "!", ",", ":", "-", "--", "...", ";"]
)
"""Tokens that the evaluation deletes. It compares after lower-casing, so the brackets in capitals are never found."""

Written = TypeVar("Written")

_NO_WORDS = DROPPED | {""}

SEPARATORS = "\n\r\v\f\u2028\u2029"
_TO_SPACE = str.maketrans(dict.fromkeys(SEPARATORS, " "))
_PARENTHESES = {"(": "-LRB-", ")": "-RRB-"}
_BRACKETS = {**_PARENTHESES, "[": "-LSB-", "]": "-RSB-", "{": "-LCB-", "}": "-RCB-"}
_FRACTIONS = {"\u00bc": "1/4", "\u00bd": "1/2", "\u00be": "3/4", "\u2153": "1/3", "\u2154": "2/3"}
_MONEY = {"\u00a2": "cents", "\u00a3": "#", "\u0080": "$", "\u00a4": "$", "\u20a0": "$", "\u20ac": "$"}
_QUOTES = str.maketrans(
    {
        **dict.fromkeys("\u0091\u2018\u201b\u2039", "`"),
        **dict.fromkeys("\u0092\u2019\u203a", "'"),
        **dict.fromkeys("\u0093\u201c\u00ab", "``"),
        **dict.fromkeys("\u0094\u201d\u00bb", "''"),
    }
)
_AMPERSAND = re.compile("&amp;", re.IGNORECASE | re.ASCII)
_SURROGATE = re.compile("[\ud800-\udfff]")


@functools.cache
def automaton() -> Automaton:
    """
    Load the automaton that ``ptb_automaton.build`` made of the rules.
    """
    with np.load(Path(__file__).with_name("ptb_automaton.npz"), allow_pickle=False) as archive:
        return Automaton(archive["classes"], archive["moves"], archive["accepts"])


@functools.lru_cache(maxsize=1 << 17)
def written(kind: int, span: str) -> str:
    """
    Write a span of a caption as a token, in lower case.
    """
    return _written(kind, span.translate(_TO_SPACE)).lower()


@functools.lru_cache(maxsize=1 << 17)
def written_words(kind: int, span: str) -> tuple[str, ...]:
    """
    Write a span of a caption as a token, in lower case, and split it at white space; nothing is left of punctuation.
    """
    token = written(kind, span)
    return () if token in DROPPED else tuple(token.split())


def _written(kind: int, span: str) -> str:
    if _SURROGATE.search(span):
        span = span.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if kind == rules.PLAIN:
        return span
    if kind == rules.WORD:
        return span.replace("\u00ad", "") or "-"
    if kind in (rules.CLOSING, rules.OPENING):
        single, double = ("`", "``") if kind == rules.OPENING else ("'", "''")
        span = span.replace("&apos;", "'").replace("'", single)
        return re.sub('"|&quot;', double, span).translate(_QUOTES)
    if kind == rules.AMPERSAND:
        return _AMPERSAND.sub("&", span)
    if kind == rules.SPACED:
        return span.replace(" ", "\u00a0")
    if kind in (rules.PHONE, rules.SMILEY):
        if kind == rules.PHONE:
            span = span.replace(" ", "\u00a0")
        return "".join(_PARENTHESES.get(unit, unit) for unit in span)
    if kind == rules.HYPHENS:
        return "--" if 3 <= len(span) <= 4 else span
    fixed = {rules.DASH: "--", rules.DOTS: "...", rules.LESS: "<", rules.MORE: ">"}
    tables = {rules.MONEY: _MONEY, rules.FRACTION: _FRACTIONS, rules.BRACKET: _BRACKETS}
    return fixed[kind] if kind in fixed else tables[kind].get(span, span)


@functools.cache
def _rule_table() -> Any:
    rows = [(rule.kind, rule.cut, rule.back, rule.apart) for rule in rules.RULES]
    return np.array(rows, np.int64)


@functools.cache
def _final() -> Any:
    return automaton().moves.max(axis=1) < 0


@functools.cache
def _classes() -> Any:
    classes = automaton().classes.copy()
    classes[[ord(unit) for unit in SEPARATORS]] = classes[ord(" ")]
    return classes


@dataclass(frozen=True)
class PtbTokenizer(Tokenizer):
    """
    Cut captions by the rules of the Penn Treebank, compiled.

    Args:
        whole: Keep a token whole where white space other than a space stands inside, as in ``1\\xa01/2``: what reads the
            evaluation's lines (ROUGE, Meteor) parts them at spaces alone, and BLEU and CIDEr at all white space.
    """

    whole: bool = False

    def column(self, texts: Sequence[str], vocabulary: Vocabulary | None = None) -> TokenColumn:
        """
        Cut texts into tokens and number them, each distinct one once.
        """
        from tertium.native.interning import empty_vocabulary

        numbers, bounds, words = self._words(self._prepared(texts))
        column = text_column(list(chain.from_iterable(words)))
        known = vocabulary or empty_vocabulary()
        ids, grown = known.extend(column.points, column.offsets[:-1], column.offsets[1:])
        return TokenColumn(*_laid_out(ids, numbers, bounds, words), grown)

    def _spans(self, texts: Sequence[str]) -> SpanColumn:
        numbers, bounds, words = self._words(texts)
        column = text_column(list(chain.from_iterable(words)))
        places, offsets = _laid_out(np.arange(len(column), dtype=np.int32), numbers, bounds, words)
        return SpanColumn(column.points, column.offsets[places], column.offsets[places + 1], offsets)

    def _words(self, texts: Sequence[str]) -> tuple[Ids, Offsets, list[tuple[str, ...]]]:
        """
        Give the number of each token of the texts, where each text's tokens start, and by number a token's words.
        """
        if not self.whole:
            # A number such as `1 1/2` is one token with a no-break space inside, and some scorers split there.
            return self._tokens(texts, written_words)
        numbers, bounds, pieces = self._tokens(texts, written)
        if any(piece[-1:].isspace() for piece in pieces):
            numbers, pieces = _stripped(numbers, bounds, pieces)
        return numbers, bounds, [() if piece in _NO_WORDS else (piece,) for piece in pieces]

    def lines(self, texts: Sequence[str]) -> list[str]:
        """
        Give each caption's tokens as the evaluation hands them to its scorers, joined by spaces, from a file that holds
        these captions alone: no line break follows the last one.
        """
        numbers, bounds, pieces = self._tokens(texts, written, ended=True)
        ends = bounds.tolist()
        found = []
        for start, end in pairwise(ends):
            line = " ".join(pieces[number] for number in numbers[start:end]).rstrip()
            found.append(" ".join(piece for piece in line.split(" ") if piece not in DROPPED))
        return found

    def _tokens(
        self, texts: Sequence[str], of: Callable[[int, str], Written], ended: bool = False
    ) -> tuple[Ids, Offsets, list[Written]]:
        """
        Find the tokens of captions.

        Args:
            of: What is made of a token, by its kind and its span of the caption.
            ended: Whether the last caption ends the file; otherwise a line break follows each.

        Returns:
            The number of each token, int32, where each caption's tokens start (with the end of the last), and by number
            what is made of the token.
        """
        from tertium.native.interning import empty_vocabulary, salt
        from tertium.native.tokenizers.ptb_scan import MEMO, lanes, scan_longest

        units, offsets = _units(texts)
        windows = windows_of(units, int(offsets[-1]))
        starts, ends = np.empty((2, len(units)), np.int64)
        kinds, numbers = np.empty((2, len(units)), np.int32)
        bounds = np.empty(len(texts) + 1, np.int64)
        found = automaton()
        room = min(MEMO, 1 << len(units).bit_length())
        count = scan_longest(
            windows,
            (1 << 8 * units.itemsize) - 1,
            lanes(units.itemsize),
            salt(),
            offsets,
            _classes(),
            int(found.classes[10]),
            ended,
            found.moves,
            found.accepts,
            _final(),
            _rule_table(),
            np.zeros(len(units), np.int16),
            np.full((room, 4), -1, np.int64),
            starts,
            ends,
            kinds,
            numbers,
            bounds,
        )
        ids, spans = empty_vocabulary().extend(units, starts[:count], ends[:count])
        # A span may be a token of several kinds, so the two together make the token.
        both = ids.astype(np.int64) * rules.KINDS + kinds[:count]
        seen = np.zeros(len(spans) * rules.KINDS, np.bool_)
        seen[both] = True
        distinct = np.flatnonzero(seen)
        place = np.cumsum(seen, dtype=np.int32) - np.int32(1)
        words = spans.words()
        made = [of(pair % rules.KINDS, words[pair // rules.KINDS]) for pair in distinct.tolist()]
        return place[both][numbers[: bounds[-1]]], bounds, made


def _laid_out(values: Ids, numbers: Ids, bounds: Offsets, words: Sequence[Sequence[str]]) -> tuple[Ids, Offsets]:
    """
    Give the value of each word of the texts, and where each text's words start.

    Args:
        values: One for each word of the tokens, token by token.
        numbers: The number of each token of the texts.
        bounds: Where each text's tokens start, and the end of the last.
        words: By number a token's words.
    """
    counts = np.fromiter(map(len, words), np.int64, len(words))
    starts = np.zeros(len(numbers) + 1, np.int64)
    if counts.max(initial=0) > 1:
        each, first = counts[numbers], np.cumsum(counts) - counts
        np.cumsum(each, out=starts[1:])
        return values[np.repeat(first[numbers] - starts[:-1], each) + np.arange(starts[-1])], starts[bounds]
    value = np.full(len(words), -1, np.int32)
    value[counts > 0] = values
    found = value[numbers]
    kept = found >= 0
    np.cumsum(kept, out=starts[1:])
    return found[kept], starts[bounds]


def _units(texts: Sequence[str]) -> tuple[Points, Offsets]:
    """
    Give the UTF-16 units of texts with a space behind each, one or two bytes wide, and where each text starts.
    """
    joined = " ".join([*texts, "\0" * ROOM])
    units = code_points(joined)
    offsets = offsets_of(map(len, texts), len(texts)) + np.arange(len(texts) + 1)
    if units.itemsize > 2:  # some characters take two units
        offsets[1:] += np.cumsum(units > 0xFFFF)[offsets[1:] - 1]
        units = np.frombuffer(joined.encode("utf-16-le", "surrogatepass"), "<u2").astype(np.uint16, copy=False)
    return units, offsets


def _stripped(numbers: Ids, bounds: Offsets, pieces: Sequence[str]) -> tuple[Ids, list[str]]:
    """
    Take white space from the end of each caption's last token, as from the end of its line.

    Returns:
        The number of each token and by number its text, with new numbers for what is new.
    """
    found, texts = numbers.copy(), list(pieces)
    last = bounds[1:][np.diff(bounds) > 0] - 1
    for number in np.unique(found[last]).tolist():
        if pieces[number][-1:].isspace():
            found[last[numbers[last] == number]] = len(texts)
            texts.append(pieces[number].rstrip())
    return found, texts


PTB = PtbTokenizer("ptb(stanford-3.4.1 coco)")
PTB_LINES = PtbTokenizer("ptb(stanford-3.4.1 coco, whole)", whole=True)

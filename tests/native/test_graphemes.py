"""
Grapheme clusters and normalising: the short cuts against the long way.
"""

from __future__ import annotations

import random
import unicodedata

import regex
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from tertium.native.graphemes import graphemes
from tertium.native.normalizing import Normalizer
from tertium.native.units import Units

PIECES = ["a", "é", "e\u0301", "\r\n", "\r", "\n", "\xad", "\xa9", "\u200d", "👩", "👩‍👩‍👧", "🇩🇪", "각", "\u1100\u1161", "नि", "क्ष", "\u0600", "ĳ"]  # fmt: skip
texts = st.one_of(st.lists(st.sampled_from(PIECES), max_size=8).map("".join), st.text(max_size=8))


def test_clusters_by_hand() -> None:
    """A letter with its accent, a line end, a flag and a family are one cluster each."""
    assert graphemes("e\u0301\r\n🇩🇪👩‍👩‍👧x") == ["e\u0301", "\r\n", "🇩🇪", "👩‍👩‍👧", "x"]


@settings(max_examples=300, deadline=None)
@given(texts)
def test_short_cuts_equal_the_pattern(text: str) -> None:
    """Texts that are cut at a glance are cut as Unicode's rules cut them."""
    assert graphemes(text) == regex.findall(r"\X", text)


def test_nothing_below_u0300_joins() -> None:
    """Any two code points below U+0300 are two clusters, but a carriage return with a line feed."""
    points = [chr(point) for point in range(0x300)]
    rng = random.Random(1)
    for text in ("".join(rng.choices(points, k=200)) for _ in range(200)):
        plain = text.replace("\r\n", "")
        assert regex.findall(r"\X", plain) == list(plain)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=3))
def test_columns_equal_the_pieces(pairs: list[tuple[str, str]]) -> None:
    """Numbers are equal exactly where units are, whichever way a column was made."""
    cases = tertium.Cases([pair[1] for pair in pairs], [[pair[0]] for pair in pairs])
    for blanks in ("keep", "strip", "ignore"):
        units = Units("grapheme", blanks=blanks)  # type: ignore[arg-type]
        left, right = units.columns(cases)
        for row, pair in enumerate(pairs):
            sides = [units.pieces(text) for text in pair]
            ids = [column.ids[column.offsets[row] : column.offsets[row + 1]].tolist() for column in (left, right)]
            assert [len(side) for side in sides] == [len(side) for side in ids]
            for i, one in enumerate(sides[0]):
                assert [one == other for other in sides[1]] == [ids[0][i] == other for other in ids[1]]


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=12))
def test_categories_and_case_are_unicodes(text: str) -> None:
    """Deleting by category deletes exactly its characters, and ASCII case touches A to Z alone."""
    for rule, category in ((Normalizer(strip_format=True), "Cf"), (Normalizer(strip_punctuation=True), "P")):
        assert rule(text) == "".join(c for c in text if not unicodedata.category(c).startswith(category))
    assert Normalizer(case="ascii")(text) == "".join(c.lower() if "A" <= c <= "Z" else c for c in text)

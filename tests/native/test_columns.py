"""
Texts as columns: every code point survives, as narrow as possible.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.native.columns import text_column


@given(st.lists(st.text(st.characters(), max_size=20), max_size=8))
def test_texts_come_back(strings: list[str]) -> None:
    """
    A column gives back the strings that it was made of, lone surrogates and NUL included.
    """
    column = text_column(strings)
    assert [column[row] for row in range(len(column))] == strings
    assert column.lengths.tolist() == [len(string) for string in strings]


@pytest.mark.parametrize(
    ("text", "width"),
    [("", 1), ("a\0ÿ", 1), ("Ā", 2), ("\ud800\udc00", 2), ("\uffff", 2), ("\U00010000", 4), ("\U0010ffffa", 4)],
)
def test_the_widest_character_decides_the_width(text: str, width: int) -> None:
    """
    Code points take one, two or four bytes each, as the widest of the chunk asks.
    """
    column = text_column(["b", text])
    assert column.points.dtype == np.dtype(f"u{width}")
    assert column.points.tolist() == [ord(c) for c in "b" + text]

"""
JSON that every parser reads.
"""

from __future__ import annotations

import json as standard
import math

import pytest

from tertium.reports import json

VALUE = {
    "text": 'é \x1b \x9b \u2028 \u202e \udc80 \U000e0041 👩‍🚀 \\ " \n',
    "numbers": [1.0, 0.1, None, "Infinity"],
    "empty": [[], {}, ""],
    "deep": [{"a": [{"b": 1}]}],
    "true": True,
}


def test_both_forms_read_back() -> None:
    """A document and a line hold the same value, and a line is one line."""
    assert standard.loads(json.document(VALUE)) == VALUE
    assert standard.loads(json.line(VALUE)) == VALUE
    assert len(json.line(VALUE).splitlines()) == 1


@pytest.mark.parametrize("write", [json.document, json.line])
def test_no_control_character_is_raw(write: object) -> None:
    """Controls, line separators and marks that reorder text are written as escapes; letters are not."""
    assert callable(write)
    written = write(VALUE)

    assert not {"\x1b", "\x9b", "\u2028", "\u202e", "\udc80", "\U000e0041"} & set(written)
    assert "é" in written
    assert "👩‍🚀" in written


def test_a_list_of_numbers_stays_on_one_line() -> None:
    """A document indents objects and keeps lists of plain values together."""
    assert json.document({"a": [1.0, 2.0], "b": {"c": []}}) == '{\n  "a": [1.0, 2.0],\n  "b": {\n    "c": []\n  }\n}\n'


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_bare_nan_and_infinity_are_refused(number: float) -> None:
    """No literal is written that JSON does not know."""
    for value in ({"x": number}, {"x": [number]}):
        with pytest.raises(ValueError, match="JSON"):
            json.document(value)
        with pytest.raises(ValueError, match="JSON"):
            json.line(value)

"""
Texts that others wrote, made safe to show.
"""

from __future__ import annotations

import math
import random

import pytest

from tertium.reports import text


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("plain [bold] text", "plain [bold] text"),
        ("a\tb\nc\rd", "a\\tb\\nc\\rd"),
        ("\x1b[31m", "\\x1b[31m"),
        ("\x9b1m\x7f\x00", "\\x9b1m\\x7f\\x00"),
        ("\u202eabc\u2066", "\\u202eabc\\u2066"),
        ("line\u2028end", "line\\u2028end"),
        ("\udc80", "\\udc80"),
        ("\U000e0041", "\\U000e0041"),
        ("می\u200cروم 👩\u200d🚀 e\u0301", "می\u200cروم 👩\u200d🚀 e\u0301"),
    ],
)
def test_control_characters_become_visible_and_letters_stay(raw: str, shown: str) -> None:
    """What could steer a terminal is escaped; scripts, joiners, marks and emoji are text."""
    assert shown == text.visible(raw)


def test_a_field_reads_back() -> None:
    """A TSV field with doubled backslashes is one cell and can be read back without loss."""
    raw = "tab\there \\t not here\nend\x1b"

    field = text.field(raw)

    assert not {"\t", "\n", "\x1b"} & set(field)
    assert raw == field.encode("ascii").decode("unicode_escape")


@pytest.mark.parametrize(
    ("value", "shown"),
    [(34.20456, "34.20"), (0.0, "0.00"), ("Infinity", "∞"), ("-Infinity", "-∞"), (None, "undefined")],
)
def test_numbers_for_tables(value: text.Number, shown: str) -> None:
    """Scores are rounded to the decimals asked for; infinite and undefined ones are words."""
    assert shown == text.number(value, 2)


def test_counts_have_no_decimals() -> None:
    """Whole numbers among further outputs are counts."""
    assert (
        text.compact(1204.0, 4),
        text.compact(0.98014, 4),
        text.compact(None, 4),
    ) == ("1,204", "0.9801", "undefined")


def test_scales() -> None:
    """A scale is written from low to high with signs for infinity."""
    assert (
        text.scale([0.0, 100.0]),
        text.scale([-1.0, 1.0]),
        text.scale([0.0, "Infinity"]),
        text.scale(["-Infinity", 0.0]),
    ) == ("0–100", "-1–1", "0–∞", "-∞–0")


def test_exact_numbers_read_back_to_the_same_double() -> None:
    """Full precision means that reading gives the same bits."""
    draw = random.Random(7)
    for _ in range(1000):
        value = draw.uniform(-1, 1) * 10 ** draw.randint(-300, 300)
        assert value == float(text.exact(value))
    assert (
        text.exact(None),
        text.exact(math.nan),
        text.exact(math.inf),
        text.exact(-math.inf),
        text.exact(3),
    ) == ("null", "null", "Infinity", "-Infinity", "3.0")

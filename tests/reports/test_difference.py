"""
Differences and explanations as people read them: numbers with signs, and texts that hide nothing.
"""

from __future__ import annotations

import pytest

from tertium.reports import text
from tertium.reports.difference import signed, texts


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("", '""'),
        ("a b", "a b"),
        (" a  b ", "␣a␣␣b␣"),
        ("a\u00a0b", "a\\xa0b"),
        ("a\u200bb\u200dc", "a\\u200bb\\u200dc"),
        ("a\tb\x1b", "a\\tb\\x1b"),
        ("caf\u00e9", "café"),
        ("cafe\u0301", "cafe\\u0301"),
        ("日本\u3000語", "日本\\u3000語"),
        ("हिन्दी", "हिन्दी"),
    ],
)
def test_nothing_hides_in_an_exposed_text(raw: str, shown: str) -> None:
    """Spaces at the ends and in runs, other white space, format characters and split accents can be seen."""
    assert text.exposed(raw) == shown


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (0.25, 1.0, "+0.250000"),
        (-12.5, 100.0, "-12.5000"),
        (0.0, 1.0, "0"),
        (-5e-17, 1.0, "0"),
        (3e-9, 1.0, "+3.0e-09"),
        (None, 1.0, "undefined"),
    ],
)
def test_differences_have_signs(value: float | None, unit: float, shown: str) -> None:
    """Noise is 0, small differences keep their size, and what is undefined is said."""
    assert signed(value, unit) == shown


def test_long_texts_are_cut_and_counted() -> None:
    """A text beyond the limit ends in dots with its length."""
    (line, reference) = texts("x" * 50, ["y"], limit=10)

    assert line.plain == "  hyp  xxxxxxxxxx... (50 characters)"
    assert reference.plain == "  ref  y"

"""
Take each Chinese character as a token and the rest as 13a does, without its clean-up and padding.

The ranges are those of sacreBLEU. Two of them were meant for planes beyond the first, but compare a character with a
string of two: they hold U+2001 to U+2A6D and U+2F81 to U+2FA1, and no character beyond U+FFEF.
"""

from __future__ import annotations

import functools

from tertium.native.tokenizers.tokenizer import Classes, ScanTokenizer, space_classes
from tertium.native.tokenizers.v13a import latin_classes

_CHINESE = (
    (0x2001, 0x2A6D),
    (0x2E80, 0x2EFF),
    (0x2F00, 0x2FDF),
    (0x2FF0, 0x303F),
    (0x3100, 0x312F),
    (0x31A0, 0x31BF),
    (0x31C0, 0x31EF),
    (0x3200, 0x33FF),
    (0x3400, 0x4DB5),
    (0x4E00, 0x9FBB),
    (0xF900, 0xFA2D),
    (0xFA30, 0xFA6A),
    (0xFA70, 0xFAD9),
    (0xFE10, 0xFE1F),
    (0xFE30, 0xFE4F),
    (0xFF00, 0xFFEF),
)


@functools.cache
def chinese_classes() -> Classes:
    """
    Give the class table of 13a in which Chinese characters stand alone.
    """
    from tertium.native.tokenizers.scan import ALONE, SPACE

    classes = latin_classes().copy()
    for first, last in _CHINESE:
        classes[first : last + 1] = ALONE
    classes[space_classes() == SPACE] = SPACE
    classes.flags.writeable = False
    return classes


ZH = ScanTokenizer("zh", classes=chinese_classes, strip_left=True, strip_right=True)

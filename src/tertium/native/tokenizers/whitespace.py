"""
Split at white space as ``str.split`` does, U+001C to U+001F, U+0085 and the no-break spaces included.
"""

from __future__ import annotations

from tertium.native.tokenizers.tokenizer import ScanTokenizer, space_classes

NONE = ScanTokenizer("none", classes=space_classes)
WHITESPACE = ScanTokenizer("whitespace", classes=space_classes)

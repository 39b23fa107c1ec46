"""
Take each character that is not white space as a token.
"""

from __future__ import annotations

import functools

from tertium.native.tokenizers.tokenizer import Classes, ScanTokenizer, space_classes


@functools.cache
def char_classes() -> Classes:
    """
    Give the class table in which all but white space stands alone.
    """
    from tertium.native.tokenizers.scan import ALONE, ORDINARY

    classes = space_classes().copy()
    classes[classes == ORDINARY] = ALONE
    classes.flags.writeable = False
    return classes


CHAR = ScanTokenizer("char", classes=char_classes)

"""
Tokenize as mteval-v14 does with international tokenization, in the form that sacreBLEU uses.

Every symbol (category S) stands alone, and so does punctuation (category P) unless it stands between numbers
(category N). The text is not padded: a number's final period stays with it.
"""

from __future__ import annotations

import functools

from tertium.native.tokenizers.categories import VERSION, category_table
from tertium.native.tokenizers.tokenizer import Classes, ScanTokenizer, space_classes


@functools.cache
def category_classes() -> Classes:
    """
    Give the class table of the rules by Unicode category.
    """
    from tertium.native.tokenizers.scan import ALONE, DIGIT, POINT

    categories, classes = category_table(), space_classes().copy()
    for letter, kind in (("P", POINT), ("S", ALONE), ("N", DIGIT)):
        classes[categories == ord(letter)] = kind
    classes.flags.writeable = False
    return classes


INTL = ScanTokenizer(f"intl-unicode-{VERSION}", classes=category_classes, strip_right=True)

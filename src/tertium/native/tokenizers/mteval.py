"""
Tokenize as the programs mteval-v13a.pl and mteval-v14.pl do.

sacreBLEU's 13a and intl come from these and differ in details: white space is Perl's (U+001C to U+001F are not), no
text is stripped, and case is lowered as each program does it, after the clean-up: ASCII letters only, or with
international tokenization every character by itself, without a rule for final sigma. v14 without international
tokenization is v13a.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

from tertium.native.columns import SpanColumn, span_column
from tertium.native.tokenizers.intl import category_classes
from tertium.native.tokenizers.tokenizer import Classes, ScanTokenizer
from tertium.native.tokenizers.v13a import latin_classes, unescape

_CONTROLS = slice(0x1C, 0x20)  # white space in Python, not in Perl
_ASCII_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}
_SEPARATORS = (
    " \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)


def lower_ascii(text: str) -> str:
    """
    Lower the case of the letters A to Z.
    """
    return text.translate(_ASCII_LOWER)


def lower_each(text: str) -> str:
    """
    Lower the case of each character by itself.
    """
    return "".join(map(str.lower, text))


@functools.cache
def perl_latin_classes() -> Classes:
    """
    Give the class table of v13a.
    """
    from tertium.native.tokenizers.scan import ORDINARY

    classes = latin_classes().copy()
    classes[_CONTROLS] = ORDINARY
    classes.flags.writeable = False
    return classes


@functools.cache
def perl_category_classes() -> Classes:
    """
    Give the class table of v14 with international tokenization.
    """
    from tertium.native.tokenizers.scan import ORDINARY

    classes = category_classes().copy()
    classes[_CONTROLS] = ORDINARY
    classes.flags.writeable = False
    return classes


@functools.cache
def perl_split_classes() -> Classes:
    """
    Give the class table of v14 with the option -e: characters beyond ASCII stand alone.
    """
    from tertium.native.tokenizers.scan import ALONE, SPACE

    classes = perl_category_classes().copy()
    beyond = classes[0x80:]
    beyond[beyond != SPACE] = ALONE
    classes.flags.writeable = False
    return classes


def clean_v13a(texts: Sequence[str]) -> Sequence[str]:
    """
    Delete ``<skipped>``, join lines and unescape entities.
    """
    return [unescape(text.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")) for text in texts]


def clean_v14(texts: Sequence[str]) -> Sequence[str]:
    """
    Delete ``<skipped>`` and unescape entities, the apostrophe's too.
    """
    return [unescape(text.replace("<skipped>", "")).replace("&apos;", "'") for text in texts]


class InternationalTokenizer(ScanTokenizer):
    """
    Keep the empty first word of a text that begins with white space other than a separator, for instance a tab.

    The program trims separators (category Z) only and then splits at all white space.
    """

    def _spans(self, texts: Sequence[str]) -> SpanColumn:
        column = super()._spans(texts)
        rest = [text.lstrip(_SEPARATORS)[:1] for text in texts]
        if not any(first in "\t\n\v\f\r\x85" for first in rest if first):
            return column
        rows = [column[row] for row in range(len(column))]
        return span_column(
            [["", *row] if first and first in "\t\n\v\f\r\x85" else row for first, row in zip(rest, rows, strict=True)]
        )


V13A = ScanTokenizer(
    "mteval-v13a", classes=perl_latin_classes, padded=True, rewrite=clean_v13a, lower=lower_ascii, lower_last=True
)
V14_INTL = InternationalTokenizer(
    "mteval-v14-intl", classes=perl_category_classes, rewrite=clean_v14, lower=lower_each, lower_last=True
)
V14_INTL_E = InternationalTokenizer(
    "mteval-v14-intl-e", classes=perl_split_classes, rewrite=clean_v14, lower=lower_each, lower_last=True
)

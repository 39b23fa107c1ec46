"""
Tokenize as mteval-v13a does, in the form that sacreBLEU and WMT use.

ASCII symbols stand alone except the apostrophe, the comma, the hyphen and the period; comma and period stay between
digits; a hyphen stands alone after a digit. Entities are unescaped first, ``<skipped>`` is deleted and a hyphen at
the end of a line joins the lines.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

from tertium.native.columns import SpanColumn, joined_with_room, text_column
from tertium.native.tokenizers.tokenizer import Classes, ScanTokenizer, space_classes

_SYMBOLS = ((0x20, 0x26), (0x28, 0x2B), (0x2F, 0x2F), (0x3A, 0x40), (0x5B, 0x60), (0x7B, 0x7E))
_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
_NAMES = tuple(name for name, _ in _ENTITIES)


@functools.cache
def latin_classes() -> Classes:
    """
    Give the class table of the rules for Western languages.
    """
    from tertium.native.tokenizers.scan import ALONE, DASH, DIGIT, POINT, SPACE

    classes = space_classes().copy()
    for first, last in _SYMBOLS:
        classes[first : last + 1] = ALONE
    classes[0x20] = SPACE
    classes[ord("0") : ord("9") + 1] = DIGIT
    classes[[ord("."), ord(",")]] = POINT
    classes[ord("-")] = DASH
    classes.flags.writeable = False
    return classes


def unescape(text: str) -> str:
    """
    Replace the four entities, in an order that lets ``&amp;lt;`` become ``<``.
    """
    for entity, character in _ENTITIES:
        text = text.replace(entity, character)
    return text


def clean(texts: Sequence[str]) -> Sequence[str]:
    """
    Delete ``<skipped>``, join lines and unescape entities, each only where there is one.
    """
    joined = [
        text.rstrip().replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
        if "<skipped>" in text or "\n" in text
        else text
        for text in texts
    ]
    return [unescape(text) if "&" in text else text for text in joined]


def _unclean(text: str) -> bool:
    if ("<" in text and "<skipped>" in text) or ("\n" in text and "-\n" in text):
        return True
    at = text.find("&")
    while at >= 0:
        if text.startswith(_NAMES, at):
            return True
        at = text.find("&", at + 1)
    return False


class CleaningTokenizer(ScanTokenizer):
    """
    Clean texts up before they are cut, where one look at all of them together finds something to clean.
    """

    def _spans(self, texts: Sequence[str]) -> SpanColumn:
        joined = joined_with_room(texts)
        if _unclean(joined):
            texts = clean(texts)
            joined = joined_with_room(texts)
        return self.spans_of(text_column(texts, joined))


V13A = CleaningTokenizer("13a", classes=latin_classes, padded=True)

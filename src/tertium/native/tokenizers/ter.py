"""
Tokenize for TER as sacreBLEU 2.6.0 does, after TERCOM.

By default texts are only lower-cased and split at white space. Normalising applies mteval's rules for Western text and
splits off ``'s``; with Asian support it also makes a token of each ideograph. Kana runs stay whole: the reference's
patterns for them can match nothing, since the text has been padded with a space before.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tertium.native.columns import SpanColumn, offsets_of, span_column
from tertium.native.tokenizers.tokenizer import Classes, ScanTokenizer, Tokenizer, space_classes
from tertium.native.tokenizers.v13a import latin_classes, unescape

# ideographs, strokes and radicals, compatibility forms, enclosed letters up to within extension A
IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x31C0, 0x31EF),
    (0x2E80, 0x2EFF),
    (0x3200, 0x4DBF),
    (0xF900, 0xFAFF),
    (0xFE30, 0xFE4F),
)
ASIAN_PUNCTUATION = (
    "\u3001\u3002\u3008-\u3011\u3014-\u301f\uff61-\uff65\u30fb\uff0e\uff0c\uff1f\uff1a\uff1b\uff01\uff02\uff08\uff09"
)
PUNCTUATION = '.,?:;!"()'
SYMBOLS = r" -&(-+/:-@\[-`{-~"
"""The ASCII symbols that stand alone, as the inside of a character class."""

_POSSESSIVE = re.compile(rf"'s(?=[{SYMBOLS}]|\Z)")


@functools.cache
def asian_points() -> frozenset[int]:
    """
    Give the code points of Asian and full-width punctuation.
    """
    inside = re.compile(f"[{ASIAN_PUNCTUATION}]")
    return frozenset(point for point in range(0x3000, 0x10000) if inside.match(chr(point)))


@functools.cache
def asian_classes() -> Classes:
    """
    Give the class table of the rules for Western and Asian text.
    """
    from tertium.native.tokenizers.scan import ALONE

    classes = latin_classes().copy()
    for first, last in IDEOGRAPHS:
        classes[first : last + 1] = ALONE
    classes[list(asian_points())] = ALONE
    classes[0x3000] = space_classes()[0x3000]
    classes.flags.writeable = False
    return classes


def clean(texts: Sequence[str]) -> list[str]:
    """
    Join lines, unescape entities and part ``'s`` from its word.
    """
    return [_clean(text) if "\n" in text or "&" in text or "'s" in text else text for text in texts]


def _clean(text: str) -> str:
    return _POSSESSIVE.sub(" 's", unescape(text.rstrip().replace("\n-", "").replace("\n", " ")))


@dataclass(frozen=True)
class StrikingTokenizer(ScanTokenizer):
    """
    Cut texts by classes of code points, then strike characters from the tokens; what is left empty is no token.

    Args:
        struck: Code points to strike, each mapped to None.
    """

    struck: dict[int, None] = field(default_factory=dict)

    def _spans(self, texts: Sequence[str]) -> SpanColumn:
        from tertium.native.interning import empty_vocabulary

        whole = super()._spans(texts)
        ids, vocabulary = empty_vocabulary().extend(whole.points, whole.starts, whole.ends)
        words = [word.translate(self.struck) for word in vocabulary.words()]  # each distinct token once
        left = span_column([words])
        stays = (left.ends > left.starts)[ids]
        edges = np.concatenate([[0], np.cumsum(stays)])[whole.offsets]
        kept = ids[stays]
        return SpanColumn(left.points, left.starts[kept], left.ends[kept], offsets_of(np.diff(edges), len(whole)))


@dataclass(frozen=True)
class RepeatingTokenizer(Tokenizer):
    """
    Cut texts, then cut again what the tokens with a space between them give.

    Args:
        once: What cuts, lower-casing included.
    """

    once: Tokenizer = field(default_factory=lambda: ScanTokenizer("whitespace"))

    def _spans(self, texts: Sequence[str]) -> SpanColumn:
        column = self.once.spans(texts)
        return self.once.spans([" ".join(column[row]) for row in range(len(column))])


def repeating(once: Tokenizer) -> RepeatingTokenizer:
    """
    Make a tokenizer cut twice, as sacreBLEU's TER does with references. With normalising, a second pass can change
    what the first one left: ``fox's.`` becomes ``fox's .`` and then ``fox 's .``.
    """
    return RepeatingTokenizer(f"{once.signature}|twice|lowercase:{once.lowercase}".lower(), once=once)


@functools.cache
def ter_tokenizer(normalized: bool, no_punct: bool, asian_support: bool, case_sensitive: bool) -> ScanTokenizer:
    """
    Make a tokenizer.

    Args:
        normalized: Apply mteval's rules.
        no_punct: Strike the nine common punctuation marks wherever they stand.
        asian_support: Ideographs are tokens when normalising, and Asian punctuation is punctuation.
        case_sensitive: Keep upper and lower case apart.
    """
    asian = asian_support and (normalized or no_punct)
    options = [f"normalized:{normalized}", f"no_punct:{no_punct}", f"asian:{asian}"]
    signature = "|".join(["ter", *options]).lower()
    classes = space_classes
    if normalized:
        classes = asian_classes if asian else latin_classes
    made = ScanTokenizer(
        signature, not case_sensitive, classes=classes, padded=normalized, rewrite=clean if normalized else None
    )
    if not no_punct:
        return made
    struck = dict.fromkeys([*map(ord, PUNCTUATION), *(asian_points() if asian else ())])
    facts = {name: getattr(made, name) for name in ("signature", "lowercase", "classes", "padded", "rewrite")}
    return replace(StrikingTokenizer(**facts), struck=struck)

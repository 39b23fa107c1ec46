"""
Tokenize as TERCOM 0.10.0 does.

White space is ASCII only: the no-break and the ideographic space are letters. Removing punctuation leaves a space at
the start of a text where it stood there, and with it an empty first token.
"""

from __future__ import annotations

import functools
import re

from tertium.native.tokenizers.ter import ASIAN_PUNCTUATION, PUNCTUATION, SYMBOLS
from tertium.native.tokenizers.tokenizer import FunctionTokenizer
from tertium.native.tokenizers.v13a import unescape

_MARGIN = "".join(map(chr, range(0x21)))
_SPACE = re.compile(r"[ \t\n\x0b\f\r]+")
_TAG = re.compile(r"<([^>]+)>")

_WESTERN = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (rf"([{SYMBOLS}])", r" \1 "),
        (r"'s(?= |\Z)", r" 's"),
        (r"([^0-9])([.,])", r"\1 \2 "),
        (r"([.,])([^0-9])", r" \1 \2"),
        (r"([0-9])(-)", r"\1 \2 "),
    )
)
_ASIAN = re.compile(
    "([\u4e00-\u9fff\u3400-\u4dbf\u31c0-\u31ef\u2e80-\u2eff\u3200-\u33ff\uf900-\ufaff\ufe30-\ufe4f]"
    "|[\u3040-\u309f]+|[\u30a0-\u30ff]+|[\u31f0-\u31ff]+)"
)
_ASIAN_MARK = re.compile(f"([{ASIAN_PUNCTUATION}])")
_MARK = re.compile(f"[{re.escape(PUNCTUATION)}]")


@functools.cache
def tercom_tokenizer(
    normalized: bool, no_punct: bool, asian_support: bool, case_sensitive: bool, no_tag_brackets: bool
) -> FunctionTokenizer:
    """
    Make a tokenizer.

    Args:
        normalized: Apply mteval's rules (its option -N).
        no_punct: Delete punctuation (-P).
        asian_support: With ``normalized``, ideographs are tokens and kana runs stand apart; Asian punctuation is
            punctuation (-A).
        case_sensitive: Keep upper and lower case apart (-s).
        no_tag_brackets: With ``normalized``, a tag loses its angle brackets (-K).
    """
    options = {
        "normalized": normalized,
        "no_punct": no_punct,
        "asian": asian_support,
        "case": case_sensitive,
        "no_tag_brackets": no_tag_brackets,
    }
    signature = "|".join(["tercom-0.10.0", *(f"{name}:{value}".lower() for name, value in options.items())])

    def cut(text: str) -> list[str]:
        text = text.strip(_MARGIN)
        if not text:
            return []
        if not case_sensitive:
            text = text.lower()
        if normalized:
            text = _normalize(text, asian_support, no_tag_brackets)
        if no_punct:
            text = _MARK.sub("", text)
            if asian_support:
                text = _ASIAN_MARK.sub("", text)
            text = _SPACE.sub(" ", text)
        return _split(text)

    return FunctionTokenizer(signature, function=cut)


def _normalize(text: str, asian_support: bool, no_tag_brackets: bool) -> str:
    text = unescape(text.replace("<skipped>", ""))
    if no_tag_brackets:
        text = _TAG.sub(r" \1 ", text)
    text = f" {text} "
    for pattern, replacement in _WESTERN:
        text = pattern.sub(replacement, text)
    if asian_support:
        text = _ASIAN.sub(r" \1 ", text)
        text = _ASIAN_MARK.sub(r" \1 ", text)
    return _SPACE.sub(" ", text).strip(_MARGIN)


def _split(text: str) -> list[str]:
    # as Java splits: no empty token at the end, but one at the start before white space, and one for the empty text
    if not text:
        return [""]
    words = _SPACE.split(text)
    while words and not words[-1]:
        words.pop()
    return words

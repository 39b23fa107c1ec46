"""
Change one text: letter case, Unicode forms, white space, punctuation, quotation marks, contractions.

The changes that take nothing but the text stand in ``STEPS`` under the names by which parameters ask for them.
"""

from __future__ import annotations

import functools
import re
import sys
import unicodedata
from collections.abc import Callable, Mapping

FORMS = ("none", "nfc", "nfd", "nfkc", "nfkd")
ASCII_BLANKS = " \t\n\v\f\r"

_WITHOUT_BLANKS = {ord(blank): None for blank in ASCII_BLANKS}
_SPACES = {ord(blank): " " for blank in ASCII_BLANKS}
_ASCII_PUNCTUATION = str.maketrans("", "", "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_SINGLE = "\u2018\u2019\u201a\u201b\u2039\u203a\u2032\u02bc\uff07`\u00b4"
_DOUBLE = "\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\u301d\u301e\u301f\uff02"
_QUOTES = {**{ord(mark): "'" for mark in _SINGLE}, **{ord(mark): '"' for mark in _DOUBLE}}
_CONTRACTIONS = (
    ("won't", "will not"), ("can't", "can not"), ("let's", "let us"), ("n't", " not"), ("'re", " are"), ("'s", " is"),
    ("'d", " would"), ("'ll", " will"), ("'t", " not"), ("'ve", " have"), ("'m", " am"),
)  # fmt: skip
_NON_WORD = re.compile(r"[<\[][^>\]]*[>\]]")
_QUOTE = re.compile(f"[{re.escape(_SINGLE + _DOUBLE)}]")
_SPACING = re.compile(r"\s\s+")

Change = Callable[[str], str]


def unchanged(text: str) -> str:
    """
    Leave a text as it is.
    """
    return text


def nfc(text: str) -> str:
    """
    Bring a text into Unicode's form NFC.
    """
    return unicodedata.normalize("NFC", text)


def nfd(text: str) -> str:
    """
    Bring a text into Unicode's form NFD.
    """
    return unicodedata.normalize("NFD", text)


def nfkc(text: str) -> str:
    """
    Bring a text into Unicode's form NFKC.
    """
    return unicodedata.normalize("NFKC", text)


def nfkd(text: str) -> str:
    """
    Bring a text into Unicode's form NFKD.
    """
    return unicodedata.normalize("NFKD", text)


def ascii_lower(text: str) -> str:
    """
    Lower the letters A to Z alone.
    """
    # In UTF-8 the bytes of A to Z stand for nothing else.
    return text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")


def even_spaces(text: str) -> str:
    """
    Leave no white space but one space between words.
    """
    return " ".join(text.split())


def collapse_spaces(text: str) -> str:
    """
    Write one space for two or more white-space characters in a row, as JiWER's RemoveMultipleSpaces does.
    """
    return _SPACING.sub(" ", text)


def delete_blanks(text: str) -> str:
    """
    Delete ASCII white space.
    """
    return text.translate(_WITHOUT_BLANKS)


def blanks_to_spaces(text: str) -> str:
    """
    Write a space for each ASCII white-space character.
    """
    return text.translate(_SPACES)


def strip_ascii_punctuation(text: str) -> str:
    """
    Delete the 32 ASCII punctuation characters.
    """
    return text.translate(_ASCII_PUNCTUATION)


def strip_punctuation(text: str) -> str:
    """
    Delete punctuation (general categories P*).
    """
    return characters("P").sub("", text)


def strip_format(text: str) -> str:
    """
    Delete format characters (general category Cf).
    """
    return text if text.isascii() else characters("Cf").sub("", text)


def strip_hyphens(text: str) -> str:
    """
    Delete hyphen-minus characters (U+002D).
    """
    return text.replace("-", "")


def strip_nonwords(text: str) -> str:
    """
    Delete what stands between ``<`` or ``[`` and the next ``>`` or ``]``, as JiWER's RemoveKaldiNonWords does.
    """
    return _NON_WORD.sub("", text)


def fold_quotes(text: str) -> str:
    """
    Write quotation marks, primes and apostrophes of all kinds as ASCII ones.
    """
    return text.translate(_QUOTES) if _QUOTE.search(text) else text


def expand_contractions(text: str) -> str:
    """
    Write lower-case English contractions out, by the eleven rules of JiWER's ExpandCommonEnglishContractions.
    """
    if "'" in text:
        for short, whole in _CONTRACTIONS:
            text = text.replace(short, whole)
    return text


STEPS: Mapping[str, Change] = {
    "none": unchanged,
    "lowercase": str.lower,
    "uppercase": str.upper,
    "casefold": str.casefold,
    "ascii-lowercase": ascii_lower,
    "strip": str.strip,
    "whitespace": even_spaces,
    "collapse-spaces": collapse_spaces,
    "delete-blanks": delete_blanks,
    "blanks-to-spaces": blanks_to_spaces,
    "punctuation": strip_ascii_punctuation,
    "strip-punctuation": strip_punctuation,
    "strip-format": strip_format,
    "strip-hyphens": strip_hyphens,
    "strip-nonwords": strip_nonwords,
    "fold-quotes": fold_quotes,
    "expand-contractions": expand_contractions,
    "nfc": nfc,
    "nfd": nfd,
    "nfkc": nfkc,
    "nfkd": nfkd,
}
"""Steps that take nothing; plugins offer more."""


@functools.cache
def characters(category: str) -> re.Pattern[str]:
    """
    Give the pattern of one or more characters of a general category, or of all that begin with a letter.
    """
    found = [chr(point) for point in range(sys.maxunicode + 1) if unicodedata.category(chr(point)).startswith(category)]
    return re.compile(f"[{re.escape(''.join(found))}]+")

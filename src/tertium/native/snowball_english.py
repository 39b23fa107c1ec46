"""
Strip English suffixes by Snowball's English stemmer ("Porter2"), in the form of 2010 that CMU Meteor 1.5 carries.

R1 is what follows the first consonant after a vowel, R2 the same again within R1; most suffixes must lie in one of them.
Case is not changed: an upper-case letter counts as a consonant.

Source: M. Porter, the English (Porter2) stemming algorithm, snowballstem.org.
"""

from __future__ import annotations

import re
from collections.abc import Container

_WHOLE = {
    "skis": "ski",
    "skies": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "idly": "idl",
    "gently": "gentl",
    "ugly": "ugli",
    "early": "earli",
    "only": "onli",
    "singly": "singl",
} | {word: word for word in ("sky", "news", "howe", "atlas", "cosmos", "bias", "andes")}
_AFTER_PLURAL = {"inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed"}

_REGION = re.compile("[aeiouy][^aeiouy]", re.DOTALL)
_FIXED_REGION = re.compile("gener|commun|arsen")
_VOWEL = re.compile("[aeiouy]")
_SHORT = re.compile(".*[^aeiouy][aeiouy][^aeiouywxY]|[aeiouy][^aeiouy]", re.DOTALL)

_SECOND = {
    "tional": "tion",
    "enci": "ence",
    "anci": "ance",
    "abli": "able",
    "entli": "ent",
    "izer": "ize",
    "ization": "ize",
    "ational": "ate",
    "ation": "ate",
    "ator": "ate",
    "alism": "al",
    "aliti": "al",
    "alli": "al",
    "fulness": "ful",
    "ousli": "ous",
    "ousness": "ous",
    "iveness": "ive",
    "iviti": "ive",
    "biliti": "ble",
    "bli": "ble",
    "ogi": "og",
    "fulli": "ful",
    "lessli": "less",
    "li": "",
}
_BEFORE: dict[str, tuple[str, ...]] = {"ogi": ("l",), "li": tuple("cdeghkmnrt")}
_THIRD = {
    "tional": "tion",
    "ational": "ate",
    "alize": "al",
    "icate": "ic",
    "iciti": "ic",
    "ical": "ic",
    "ful": "",
    "ness": "",
    "ative": "",
}
_FOURTH = (
    *("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ism", "ate", "iti"),
    *("ous", "ive", "ize", "ion"),
)


def _longest(word: str, suffixes: Container[str]) -> str:
    """
    Find the longest of some suffixes that a word ends in; empty where there is none.
    """
    for length in range(min(7, len(word)), 0, -1):
        if word[-length:] in suffixes:
            return word[-length:]
    return ""


def _regions(word: str) -> tuple[int, int]:
    """
    Give where R1 and R2 start.
    """
    fixed = _FIXED_REGION.match(word)
    first = fixed or _REGION.search(word)
    if first is None:
        return len(word), len(word)
    second = _REGION.search(word, first.end())
    return first.end(), len(word) if second is None else second.end()


def stem(word: str) -> str:
    """
    Stem a word.
    """
    if word in _WHOLE:
        return _WHOLE[word]
    if len(word) < 3:
        return word
    word = word.removeprefix("'")
    marked = _marked(word)
    found = marked != word
    stemmed = _stripped(marked)
    return stemmed.replace("Y", "y") if found else stemmed


def _marked(word: str) -> str:
    """
    Write Y for a y that is a consonant: at the start and after a vowel.
    """
    if "y" not in word:
        return word
    letters = list(word)
    for place, letter in enumerate(letters):
        if letter == "y" and (place == 0 or letters[place - 1] in "aeiouy"):
            letters[place] = "Y"
    return "".join(letters)


def _stripped(word: str) -> str:
    first, second = _regions(word)
    for suffix in ("'s'", "'s", "'"):
        if word.endswith(suffix):
            word = word[: -len(suffix)]
            break
    word = _without_plural(word)
    if word in _AFTER_PLURAL:
        return word
    word = _without_tense(word, first)
    if len(word) > 2 and word[-1] in "yY" and word[-2] not in "aeiouy":
        word = word[:-1] + "i"
    suffix = _longest(word, _SECOND)
    if suffix and len(word) - len(suffix) >= first:
        rest = word[: -len(suffix)]
        if rest.endswith(_BEFORE.get(suffix, ("",))):
            word = rest + _SECOND[suffix]
    suffix = _longest(word, _THIRD)
    if suffix and len(word) - len(suffix) >= (second if suffix == "ative" else first):
        word = word[: -len(suffix)] + _THIRD[suffix]
    suffix = _longest(word, _FOURTH)
    if suffix and len(word) - len(suffix) >= second and (suffix != "ion" or word[-4:-3] in ("s", "t")):
        word = word[: -len(suffix)]
    rest = word[:-1]
    if word.endswith("e"):
        if len(rest) >= second or (len(rest) >= first and not _SHORT.fullmatch(rest)):
            word = rest
    elif word.endswith("ll") and len(rest) >= second:
        word = rest
    return word


def _without_plural(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith(("ied", "ies")):
        return word[:-2] if len(word) > 4 else word[:-1]
    if word.endswith("s") and not word.endswith(("us", "ss")) and _VOWEL.search(word[:-2]):
        return word[:-1]
    return word


def _without_tense(word: str, first: int) -> str:
    suffix = _longest(word, ("eed", "eedly", "ed", "edly", "ing", "ingly"))
    rest = word[: len(word) - len(suffix)]
    if suffix in ("eed", "eedly"):
        return rest + "ee" if len(rest) >= first else word
    if not suffix or not _VOWEL.search(rest):
        return word
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    if rest.endswith(("bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt")):
        return rest[:-1]
    if len(rest) <= first and _SHORT.fullmatch(rest):
        return rest + "e"
    return rest

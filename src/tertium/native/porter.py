"""
Strip English suffixes as Porter 1980 does, in the three forms that ROUGE implementations use.

A rule fires only if what it would leave is long enough. Length is the measure m of Porter's paper: the number of times
that a run of vowels is followed by a run of consonants.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping, Sequence

Rules = Sequence[tuple[str, str]]

_IRREGULAR = {
    "skies": "sky",
    "sky": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "news": "news",
    "innings": "inning",
    "inning": "inning",
    "outings": "outing",
    "outing": "outing",
    "cannings": "canning",
    "canning": "canning",
    "howe": "howe",
    "proceed": "proceed",
    "exceed": "exceed",
    "succeed": "succeed",
}
_PLURALS: Rules = (("sses", "ss"), ("ies", "i"), ("ss", "ss"), ("s", ""))
_DOUBLED: Rules = (
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
)
_ORIGINAL_DOUBLED: Rules = (*_DOUBLED, ("abli", "able"))
_EXTENDED_DOUBLED: Rules = (*_DOUBLED, ("bli", "ble"), ("fulli", "ful"))
_PERL_DOUBLED: Rules = (*_DOUBLED, ("bli", "ble"), ("logi", "log"))
_ADJECTIVES: Rules = (
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
)
_ENDINGS: Rules = tuple(
    (suffix, "")
    for suffix in (
        *("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion"),
        *("ou", "ism", "ate", "iti", "ous", "ive", "ize"),
    )
)
_PERL_ENDINGS: Rules = tuple(rule for rule in _ENDINGS if rule[0] not in ("ment", "ent", "ion"))


def shape(word: str) -> str:
    """
    Give ``c`` for each consonant and ``v`` for each vowel of a word; y is a vowel after a consonant.
    """
    made = []
    vowel = True  # what stands before: at the start y is a consonant, as after a vowel
    for letter in word:
        vowel = letter in "aeiou" or (letter == "y" and not vowel)
        made.append("v" if vowel else "c")
    return "".join(made)


def measure(stem: str) -> int:
    """
    Give Porter's m.
    """
    return shape(stem).count("vc")


def _first(word: str, rules: Rules) -> tuple[str, str, str] | None:
    """
    Find the rule of the longest suffix: what it leaves, what it puts there, and the suffix.
    """
    found = None
    for suffix, replacement in rules:
        if word.endswith(suffix) and (found is None or len(suffix) > len(found[2])):
            found = word[: -len(suffix)], replacement, suffix
    return found


def _short_end(stem: str, extended: bool) -> bool:
    """
    Tell whether a stem ends in consonant, vowel, consonant, the last not w, x or y.
    """
    letters = shape(stem)
    if letters.endswith("cvc") and stem[-1] not in "wxy":
        return True
    return extended and letters == "vc"


def _tidied(stem: str, extended: bool) -> str:
    """
    Mend a stem that lost -ed or -ing.
    """
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if len(stem) > 1 and stem[-1] == stem[-2] and shape(stem)[-1] == "c":
        return stem if stem[-1] in "lsz" else stem[:-1]
    if stem.endswith("*d"):  # NLTK takes its own sign for a doubled consonant for a suffix, too
        return stem[:-2] + "d"
    return stem + "e" if measure(stem) == 1 and _short_end(stem, extended) else stem


def _without_tense(word: str, extended: bool) -> str:
    if extended and word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        if word.endswith(suffix) and "v" in shape(word[: -len(suffix)]):
            return _tidied(word[: -len(suffix)], extended)
    return word


def _doubled(word: str, extended: bool) -> str:
    if extended and word.endswith("alli") and measure(word[:-4]) > 0:
        return _doubled(word[:-2], extended)
    if extended and word.endswith("logi"):
        return word[:-1] if measure(word[:-3]) > 0 else word
    found = _first(word, _EXTENDED_DOUBLED if extended else _ORIGINAL_DOUBLED)
    return found[0] + found[1] if found and measure(found[0]) > 0 else word


def porter(word: str, *, extended: bool) -> str:
    """
    Strip the suffixes of a lower-case word.

    Args:
        word: The word.
        extended: With NLTK's extensions (its default mode), or as published in 1980.
    """
    if extended:
        if word in _IRREGULAR:
            return _IRREGULAR[word]
        if len(word) <= 2:
            return word
    if extended and len(word) == 4 and word.endswith("ies"):
        word = word[:-1]
    else:
        plural = _first(word, _PLURALS)
        word = plural[0] + plural[1] if plural else word
    word = _without_tense(word, extended)
    if word.endswith("y"):
        stem = word[:-1]
        letters = shape(stem)
        if (len(stem) > 1 and letters[-1] == "c") if extended else "v" in letters:
            word = stem + "i"
    word = _doubled(word, extended)
    found = _first(word, _ADJECTIVES)
    if found and measure(found[0]) > 0:
        word = found[0] + found[1]
    found = _first(word, _ENDINGS)
    if found and measure(found[0]) > 1 and (found[2] != "ion" or found[0][-1] in "st"):
        word = found[0]
    if word.endswith("e"):
        long = measure(word[:-1])
        if long > 1 or (long == 1 and not _short_end(word[:-1], extended)):
            word = word[:-1]
    if word.endswith("ll") and measure(word[:-1]) > 1:
        word = word[:-1]
    return word


# ROUGE-1.5.5 knows y by its place alone: never a vowel in front, a vowel in the nucleus, a consonant after it.
_ONSET, _VOWEL, _CODA = "[^aeiou][^aeiouy]*", "[aeiouy]", "[^aeiou][^aeiouy]*"
_NUCLEUS = f"{_VOWEL}[aeiou]*"
_SOME = re.compile(f"(?:{_ONSET})?{_NUCLEUS}{_CODA}")
_ONE = re.compile(f"(?:{_ONSET})?{_NUCLEUS}{_CODA}(?:{_NUCLEUS})?")
_MORE = re.compile(f"(?:{_ONSET})?{_NUCLEUS}{_CODA}{_NUCLEUS}{_CODA}")
_ANY_VOWEL = re.compile(f"(?:{_ONSET})?{_VOWEL}")
_SHORT = re.compile(f"{_ONSET}{_VOWEL}[^aeiouwxy]")


def porter_perl(word: str) -> str:
    """
    Strip the suffixes of a lower-case word as ROUGE-1.5.5 does.

    It follows Porter's own Perl version (``bli`` and ``logi`` among the suffixes of step 2), with a change of 2004 that
    tries -ment and -ent one after the other, and each also after another suffix of step 4 is gone.
    """
    if len(word) < 3:
        return word
    front = word[0] == "y"
    if front:
        word = "Y" + word[1:]
    if word.endswith(("sses", "ies")):
        word = word[:-2]
    elif word.endswith("s") and word[-2] != "s":
        word = word[:-1]
    if word.endswith("eed"):
        word = word[:-1] if _SOME.match(word[:-3]) else word
    elif word.endswith(("ed", "ing")):
        stem = word[:-2] if word.endswith("ed") else word[:-3]
        if _ANY_VOWEL.match(stem):
            word = stem
            if word.endswith(("at", "bl", "iz")):
                word += "e"
            elif len(word) > 1 and word[-1] == word[-2] and word[-1] not in "aeiouylsz":
                word = word[:-1]
            elif _SHORT.fullmatch(word):
                word += "e"
    if word.endswith("y") and _ANY_VOWEL.match(word[:-1]):
        word = word[:-1] + "i"
    for rules in (_PERL_DOUBLED, _ADJECTIVES):
        found = _first(word, rules)
        if found and _SOME.match(found[0]):
            word = found[0] + found[1]
    found = _first(word, _PERL_ENDINGS)
    if found and _MORE.match(found[0]):
        word = found[0]
    if word.endswith("ment") and _MORE.match(word[:-4]):
        word = word[:-4]
    if word.endswith("ent"):
        word = word[:-3] if _MORE.match(word[:-3]) else word
    elif word.endswith(("sion", "tion")) and _MORE.match(word[:-3]):
        word = word[:-3]
    if word.endswith("e"):
        stem = word[:-1]
        if _MORE.match(stem) or (_ONE.fullmatch(stem) and not _SHORT.fullmatch(stem)):
            word = stem
    if word.endswith("ll") and _MORE.match(word):
        word = word[:-1]
    return "y" + word[1:] if front else word


@functools.lru_cache(maxsize=1 << 17)
def nltk_stem(word: str) -> str:
    """
    Stem a word as NLTK 3.10.0's ``PorterStemmer`` does in its default mode.
    """
    return porter(word.lower(), extended=True)


@functools.lru_cache(maxsize=1 << 17)
def original_stem(word: str) -> str:
    """
    Stem a word as published in 1980.
    """
    return porter(word.lower(), extended=False)


@functools.lru_cache(maxsize=1 << 17)
def perl_stem(word: str) -> str:
    """
    Stem a word as ROUGE-1.5.5 does when its list of exceptions does not hold it.
    """
    return porter_perl(word)


STEMMERS: Mapping[str, Callable[[str], str]] = {"nltk": nltk_stem, "porter": original_stem, "rouge-1.5.5": perl_stem}
"""Stemmers by the name of their choice."""

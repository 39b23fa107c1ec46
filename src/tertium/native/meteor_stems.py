"""
Stem words as CMU Meteor 1.5 does: by Snowball's stemmers without a change of case, or by a table for Arabic.

English is stemmed here, all other languages by NLTK's transcriptions of Snowball's stemmers. These change case, and the
program's do not: to it an upper-case letter is an ordinary consonant. So upper-case letters are given to them in a
guise that has no case, and put back afterwards.

Beside the program, whether two words have one stem was asked for 4,000 pairs of invented words in each language. All
answers agree in Danish, German, English, Hungarian, Italian, Dutch, Norwegian, Romanian and Swedish; one or two differ
in Spanish, Finnish and Portuguese, 4 in French, 22 in Russian (words with the ending of superlatives too near their
start). NLTK has no stemmer for Turkish, and so neither has this module.
"""

from __future__ import annotations

import functools
import string
import threading
from collections.abc import Callable, Iterable

from tertium.errors import ResourceMissing
from tertium.native import meteor_data, snowball_english
from tertium.native.meteor_settings import NAMES

BY_NLTK = ("da", "de", "es", "fi", "fr", "hu", "it", "nl", "no", "pt", "ro", "ru", "se")
"""Languages that NLTK stems."""

LANGUAGES = ("ar", "en", *BY_NLTK)
"""Languages that can be stemmed."""

_GUISES = 0xF0000  # a plane for private use


def stems(language: str, words: Iterable[str]) -> list[str]:
    """
    Stem words of a language.

    Raises:
        ResourceMissing: NLTK, or the archive with the table of Arabic stems, is not there.
    """
    return list(map(_stemmer(language), words))


@functools.cache
def _stemmer(language: str) -> Callable[[str], str]:
    if language == "en":
        return functools.lru_cache(1 << 17)(snowball_english.stem)
    if language == "ar":
        table = meteor_data.arabic_stems()
        return lambda word: table.get(word, word)
    try:
        from nltk.stem import SnowballStemmer
    except ImportError as error:
        raise ResourceMissing(
            "nltk", f"words of language {language} are stemmed by NLTK: {error}", "pip install nltk"
        ) from error
    stem = SnowballStemmer(NAMES[language]).stem
    # In Russian NLTK takes U+0451 for another vowel and spells words in Latin letters; to Snowball all these were
    # consonants then.
    plain = frozenset(f"\u0451{string.ascii_lowercase}" if language == "ru" else "")
    lock = threading.Lock()  # some stemmers keep the word that they work on in themselves

    def stemmed(word: str) -> str:
        with lock:
            if word == word.lower() and not plain.intersection(word):
                return str(stem(word))
            guised = "".join(
                chr(_GUISES + ord(letter)) if letter != letter.lower() or letter in plain else letter for letter in word
            )
            return "".join(chr(ord(letter) - _GUISES) if ord(letter) >= _GUISES else letter for letter in stem(guised))

    return functools.lru_cache(1 << 17)(stemmed)

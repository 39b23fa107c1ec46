"""
Find a stemmer by name.

Porter's are tertium's own. The others that NLTK names are NLTK's, and an error says so where NLTK is not installed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Any, cast

from tertium.errors import ParameterError, ResourceMissing, did_you_mean

Stem = Callable[[str], str]

NAMES = (
    "porter",
    "porter:original",
    "porter:martin",
    "snowball:<language>",
    "lancaster",
    "cistem",
    "isri",
    "arlstem",
    "arlstem2",
    "none",
)
"""Choices of a stemmer."""

OWN = ("porter", "porter:original", "none")
"""Those that are not NLTK's."""

REMEMBERED = 1 << 17


def check(name: str, asked: str) -> None:
    """
    Refuse a Snowball stemmer of a language that NLTK has none for.

    Raises:
        ParameterError: There is no such stemmer.
    """
    language = name.removeprefix("snowball:")
    if language != name and language not in SNOWBALL:
        near = did_you_mean(language, SNOWBALL)
        raise ParameterError(asked, f"there are Snowball stemmers for {', '.join(SNOWBALL)}", near or "Choose one")


SNOWBALL = (
    *("arabic", "danish", "dutch", "english", "finnish", "french", "german", "hungarian", "italian", "norwegian"),
    *("porter", "portuguese", "romanian", "russian", "spanish", "swedish"),
)


class StemNumbers:
    """
    Number stems, and remember the number of each word's: a corpus has few words, each many times.

    Threads may share it. Numbers and stems are only ever added.

    Args:
        stem: Maps a word to its stem.
    """

    def __init__(self, stem: Stem) -> None:
        self.stems: list[str] = []
        self._stem = stem
        self._of_words: dict[str, int] = {}
        self._of_stems: dict[str, int] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._of_words)

    def of(self, words: Iterable[str]) -> list[int]:
        """
        Give the number of each word's stem; ``stems`` holds the stem of each number.
        """
        words = list(words)
        found = list(map(self._of_words.get, words))
        if None in found:
            with self._lock:  # some of NLTK's stemmers keep the word that they work on in themselves
                found = [self._of_words.get(word, -1) for word in words]
                for place, word in enumerate(words):
                    if found[place] == -1:
                        found[place] = self._add(word)
        return cast(list[int], found)

    def _add(self, word: str) -> int:
        stem = self._stem(word)
        number = self._of_stems.get(stem)
        if number is None:
            self.stems.append(stem)
            number = self._of_stems[stem] = len(self.stems) - 1
        self._of_words[word] = number
        return number


_known: dict[str, StemNumbers] = {}


def stem_numbers(choice: str | Stem) -> StemNumbers:
    """
    Give the numbering of a stemmer's stems. That of a named stemmer is kept until it holds many words.

    Raises:
        ResourceMissing: The stemmer is one of NLTK's and NLTK is not installed.
    """
    if callable(choice):
        return StemNumbers(choice)
    known = _known.get(choice)
    if known is None or len(known) > REMEMBERED:
        known = _known[choice] = StemNumbers(stemmer(choice))
    return known


def stemmer(name: str) -> Stem:
    """
    Make the function that stems a word.

    Raises:
        ResourceMissing: It is one of NLTK's and NLTK is not installed.
    """
    from tertium.native.porter import porter

    if name in ("porter", "porter:original"):
        extended = name == "porter"
        return lambda word: porter(word.lower(), extended=extended)
    if name == "none":
        return str
    try:
        from nltk import stem
        from nltk.stem.arlstem import ARLSTem
        from nltk.stem.arlstem2 import ARLSTem2
    except ImportError as error:
        raise ResourceMissing("nltk", f"the stemmer {name} is NLTK's: {error}", "pip install nltk") from error
    kind, _, variant = name.partition(":")
    makers: dict[str, Callable[[], Any]] = {
        "porter": lambda: stem.PorterStemmer(stem.PorterStemmer.MARTIN_EXTENSIONS),
        "snowball": lambda: stem.SnowballStemmer(variant),
        "lancaster": stem.LancasterStemmer,
        "cistem": stem.Cistem,
        "isri": stem.ISRIStemmer,
        "arlstem": ARLSTem,
        "arlstem2": ARLSTem2,
    }
    found: Stem = makers[kind]().stem
    return found

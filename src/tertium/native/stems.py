"""
Find a stemmer by name.

Porter's are tertium's own. The others that NLTK names are NLTK's, and an error says so where NLTK is not installed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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

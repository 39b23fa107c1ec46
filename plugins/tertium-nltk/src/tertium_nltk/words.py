"""
Name NLTK's tokenizers and stemmers, and make fresh ones.

Some stemmers keep the word that they work on in themselves, so each call of ``statistics`` makes its own: threads never
share one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache, partial
from typing import Annotated, Any

import tertium

REMEMBERED = 1 << 16
"""Words whose stem or synonym sets are remembered within one chunk; a corpus has few words, each many times."""

TOKENIZERS = ("whitespace", "wordpunct", "treebank", "word", "toktok", "tweet")
"""Names of tokenizers that need no data beside NLTK itself."""

STEMMERS = (
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

SNOWBALL_LANGUAGES = (
    "arabic",
    "danish",
    "dutch",
    "english",
    "finnish",
    "french",
    "german",
    "hungarian",
    "italian",
    "norwegian",
    "porter",
    "portuguese",
    "romanian",
    "russian",
    "spanish",
    "swedish",
)

TokenizerChoice = Annotated[
    str | Callable[[str], Iterable[str]],
    "How texts become words; a callable maps a text to words",
    tertium.Choices(*TOKENIZERS),
]

Prepared = tuple[list[list[str]], list[list[str]], list[int]]
"""The words of hypotheses, those of all references, and where each case's references begin and end."""


def split(cases: tertium.Cases, name: str | Callable[[str], Iterable[str]]) -> Prepared:
    """
    Cut all texts of cases into words.
    """
    cut = tokenizer(name)
    return (
        [list(cut(text)) for text in cases.hypotheses],
        [list(cut(text)) for text in cases.flat_references],
        cases.bounds.tolist(),
    )


def tokenizer(name: str | Callable[[str], Iterable[str]]) -> Callable[[str], Iterable[str]]:
    """
    Return the function that splits a text into words.
    """
    if callable(name):
        return name
    return str.split if name == "whitespace" else _library_tokenizer(name)


@cache
def _library_tokenizer(name: str) -> Callable[[str], Iterable[str]]:
    import nltk.tokenize

    made = {
        "wordpunct": nltk.tokenize.WordPunctTokenizer,
        "treebank": nltk.tokenize.TreebankWordTokenizer,
        "word": nltk.tokenize.NLTKWordTokenizer,
        "toktok": nltk.tokenize.ToktokTokenizer,
        "tweet": nltk.tokenize.TweetTokenizer,
    }[name]()
    found: Callable[[str], Iterable[str]] = made.tokenize
    return found


def offered() -> dict[str, Callable[[str], list[str]]]:
    """
    Return NLTK's own tokenizers under the names that native metrics know them by: ``nltk-wordpunct``...
    """
    return {f"nltk-{name}": partial(_cut, name) for name in TOKENIZERS if name != "whitespace"}


def _cut(name: str, text: str) -> list[str]:
    return list(tokenizer(name)(text))


def native_name(name: str | Callable[[str], Iterable[str]], plain: str = "none") -> str | None:
    """
    Return what a native metric calls a tokenizer, or None for a callable, which no spec can name.

    Args:
        name: As this plugin's parameter takes it.
        plain: What the native metric calls splitting at white space.
    """
    if callable(name):
        return None
    return plain if name == "whitespace" else f"nltk-{name}"


class Stemmer:
    """
    Stand where NLTK expects a stemmer, and remember the stems of one.

    Args:
        stem: Maps a word to its stem.
    """

    def __init__(self, stem: Callable[[str], str]) -> None:
        self.stem = lru_cache(REMEMBERED)(stem)


def stemmer(name: str | Callable[[str], str]) -> Stemmer:
    """
    Return a new stemmer; ``none`` leaves words as they are, so that the stem stage matches nothing more.
    """
    if callable(name):
        return Stemmer(name)
    if name == "none":
        return Stemmer(_as_is)
    from nltk.stem import Cistem, ISRIStemmer, LancasterStemmer, PorterStemmer, SnowballStemmer
    from nltk.stem.arlstem import ARLSTem
    from nltk.stem.arlstem2 import ARLSTem2

    kind, _, variant = name.partition(":")
    makers: dict[str, Callable[[], Any]] = {
        "porter": lambda: PorterStemmer(
            {"original": PorterStemmer.ORIGINAL_ALGORITHM, "martin": PorterStemmer.MARTIN_EXTENSIONS}.get(
                variant, PorterStemmer.NLTK_EXTENSIONS
            )
        ),
        "snowball": lambda: SnowballStemmer(variant),
        "lancaster": LancasterStemmer,
        "cistem": Cistem,
        "isri": ISRIStemmer,
        "arlstem": ARLSTem,
        "arlstem2": ARLSTem2,
    }
    return Stemmer(makers[kind]().stem)


def _as_is(word: str) -> str:
    return word


class Synonyms:
    """
    Stand where NLTK expects WordNet, and remember the synonym sets that a reader finds.

    Args:
        synsets: Maps a word to its synonym sets.
    """

    def __init__(self, synsets: Callable[[str], Iterable[Any]]) -> None:
        self.synsets = lru_cache(REMEMBERED)(synsets)


def synonyms(name: str) -> Synonyms:
    """
    Return WordNet, verified; ``none`` knows no synonym, so that the last stage matches nothing more.

    Raises:
        ResourceMissing: WordNet is not there or not whole; the error names the command that brings it.
    """
    if name == "none":
        return Synonyms(_no_synsets)
    from tertium.resources import wordnet

    return Synonyms(wordnet.load().synsets)


def _no_synsets(_: str) -> tuple[()]:
    return ()

"""
Find and read the data of CMU Meteor 1.5 that the package pycocoevalcap carries.

The program's archive holds function words, abbreviations, synonym sets and a table of Arabic stems; a file beside it
holds English paraphrases. Both are verified by their SHA-256. Nothing of the program is run.

Denkowski and Lavie 2014, "Meteor Universal: language specific translation evaluation for any target language".
"""

from __future__ import annotations

import functools
import gzip
import hashlib
import importlib.util
import threading
import zipfile
from pathlib import Path

from tertium.errors import ResourceMissing
from tertium.resources import Finding, Resource

COMMAND = "pip install pycocoevalcap==1.2"
ARCHIVE, PARAPHRASES = "meteor-1.5", "meteor-1.5-paraphrases-en"

_FILES = {
    ARCHIVE: ("meteor-1.5.jar", "1e57b4c72c0830ebe68558f1c799a624e96cbc1b6045c9f6330e26dcff6eafc2"),
    PARAPHRASES: ("data/paraphrase-en.gz", "c147ac7d2c91f2fbb3ad31e4b352235061eb83145e0434daf217ee9ca5975f48"),
}
_judged: dict[tuple[str, int, int], str] = {}
_lock = threading.Lock()


def folder() -> Path | None:
    """
    Find where the data would be, without importing the package.
    """
    try:
        spec = importlib.util.find_spec("pycocoevalcap")
    except (ImportError, ValueError):
        return None
    places = list(spec.submodule_search_locations or ()) if spec else []
    return Path(places[0]) / "meteor" if places else None


def inspect(name: str) -> Finding:
    """
    Find a file and verify it; the answer is remembered for as long as its size and time stay.
    """
    home = folder()
    if home is None:
        return Finding(None, "the package pycocoevalcap, which carries it, is not installed")
    file, wanted = _FILES[name]
    place = home / file
    try:
        status = place.stat()
        key = (str(place), status.st_size, status.st_mtime_ns)
        with _lock:
            if key not in _judged:
                with place.open("rb") as stream:
                    _judged[key] = hashlib.file_digest(stream, "sha256").hexdigest()
            found = _judged[key]
    except OSError as error:
        return Finding(None, f"{place} cannot be read ({error.strerror})")
    if found != wanted:
        return Finding(None, f"{place} is not the file of Meteor 1.5 (SHA-256 {found[:16]}..., not {wanted[:16]}...)")
    return Finding(place, None)


def _resource(name: str, summary: str) -> Resource:
    digest = _FILES[name][1]
    return Resource(name, summary, COMMAND, functools.partial(inspect, name), identify=lambda: digest)


RESOURCES = (
    _resource(ARCHIVE, "function words, abbreviations and synonyms of CMU Meteor 1.5"),
    _resource(PARAPHRASES, "English paraphrases of CMU Meteor 1.5"),
)


def digest(name: str) -> str:
    """
    Give the SHA-256 that a file must have.
    """
    return _FILES[name][1]


def place(name: str) -> Path:
    """
    Find a verified file.

    Raises:
        ResourceMissing: It is not there, or is another.
    """
    where, problem = inspect(name)
    if where is None:
        raise ResourceMissing(name, problem or "not found", COMMAND)
    return where


def member(path: str) -> bytes:
    """
    Read a file of the verified archive.

    Raises:
        ResourceMissing: The archive is not there, or is another.
    """
    where = place(ARCHIVE)
    try:
        with zipfile.ZipFile(where) as archive:
            return archive.read(path)
    except (OSError, KeyError, zipfile.BadZipFile) as error:
        raise ResourceMissing(ARCHIVE, f"{where}: {path} cannot be read ({error})", COMMAND) from error


@functools.cache
def function_words(language: str) -> frozenset[str]:
    """
    Read the function words of a language, by its English name.
    """
    return frozenset(word for word in member(f"function/{language}.words").decode("utf-8").split("\n") if word)


@functools.cache
def abbreviations(language: str) -> dict[str, bool]:
    """
    Read the abbreviations of a language: for each, whether it keeps its dot before numbers only.
    """
    from tertium.native import meteor_normalizer

    lines = member(f"nonbreaking/{language}.prefixes").decode("utf-8").split("\n")
    return meteor_normalizer.abbreviations(lines)


@functools.cache
def arabic_stems() -> dict[str, str]:
    """
    Read the table of Arabic stems (Buckwalter's transliteration, reduced).
    """
    lines = gzip.decompress(member("stem/arabic-buckwalter-reduced.gz")).decode("utf-8").split("\n")
    rows = (line.split() for line in lines)
    return {row[0]: row[-1] for row in rows if len(row) == 3}


# Endings and what they are replaced by, in the order in which they are tried: nouns, verbs, adjectives.
_BASES = (
    *(("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("men", "man")),
    *(("ies", "y"), ("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e")),
    *(("ing", ""), ("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
)


class Synonyms:
    """
    Answer which synonym sets of Meteor a word belongs to.

    Args:
        sets: For each listed word the numbers of its sets, as the file writes them.
        irregular: The base forms of irregular words.
    """

    def __init__(self, sets: dict[str, str], irregular: dict[str, list[str]]) -> None:
        self._sets, self._irregular = sets, irregular
        self.of = functools.lru_cache(1 << 17)(self._of)

    def _of(self, word: str) -> frozenset[str]:
        forms = [word, *self.bases(word)]
        return frozenset(number for form in forms for number in self._sets.get(form, "").split())

    def bases(self, word: str) -> list[str]:
        """
        Give the listed base forms of an irregular word, or the first listed word that an ending may have come from.
        """
        if word in self._irregular:
            return self._irregular[word]
        if word.endswith("ss") or len(word) <= 2:
            return []
        for ending, replacement in _BASES:
            if word.endswith(ending):
                base = word[: len(word) - len(ending)] + replacement
                if base in self._sets:
                    return [base]
        return []


@functools.cache
def english_synonyms() -> Synonyms:
    """
    Read the English synonym sets.

    Raises:
        ResourceMissing: The archive is not there, or is another.
    """
    lines = member("synonym/english.synsets").decode("utf-8").split("\n")
    irregular: dict[str, list[str]] = {}
    pairs = member("synonym/english.exceptions").decode("utf-8").split("\n")
    for base, forms in zip(pairs[::2], pairs[1::2], strict=False):  # a line feed may end the file
        for form in forms.split():
            irregular.setdefault(form, []).append(base)
    return Synonyms(dict(zip(lines[::2], lines[1::2], strict=False)), irregular)

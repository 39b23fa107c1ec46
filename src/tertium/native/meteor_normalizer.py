"""
Normalise text as CMU Meteor 1.5 does under ``-norm``: part words from punctuation, then lower the case.

The rules work on a text as a whole, one after the other; each is a single pass over it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

LANGUAGES = {"en": "english", "cz": "czech", "fr": "french", "de": "german", "ru": "russian", "es": "spanish"}
"""Languages that have a normaliser, each with the name of its list of abbreviations."""

_LETTERS = (
    "A-Za-z\u0160\u017d\u0161\u017e\u0178\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017e\u0400-\u0527"
    "\ua640-\ua66e\ua67e-\ua697\u1d00-\u1d7f"
)
_ALNUM = f"{_LETTERS}0-9"
_BLANKS = "\u2000-\u200a\u202f\u205f\u3000\u00a0"

Change = Callable[[str], str]


def _rule(pattern: str, replacement: str) -> Change:
    compiled = re.compile(pattern)
    return lambda text: compiled.sub(replacement, text)


_FIRST: tuple[Change, ...] = (
    _rule(rf"([^{_ALNUM} \t\n\v\f\r.'`,\-\u2018\u2019])", r" \1 "),
    # runs of dots become a word that no text holds, until all other dots are decided
    lambda text: re.sub(r"\.{2,}", lambda run: f" \ue000{len(run[0])}\ue001 ", text),
    _rule(r"([^0-9]),([^0-9])", r"\1 , \2"),
    _rule(r"([0-9]),([^0-9])", r"\1 , \2"),
    _rule(r"([^0-9]),([0-9])", r"\1 , \2"),
    _rule("[`\u2018\u2019]", "'"),
    _rule("[\u201c\u201d]|''", ' " '),
    _rule("\u2013", "-"),
    _rule("--", "-"),
    _rule(rf"([{_ALNUM}.])-(?=[{_ALNUM}])", r"\1 "),
)
_ENGLISH: tuple[Change, ...] = (
    _rule(rf"([^{_LETTERS}])'([^{_LETTERS}])", r"\1 ' \2"),
    _rule(rf"([^{_ALNUM}])'([{_LETTERS}])", r"\1 ' \2"),
    _rule(rf"([{_LETTERS}])'([^{_LETTERS}])", r"\1 ' \2"),
    _rule(rf"([{_LETTERS}])'([{_LETTERS}])", r"\1 '\2"),
    _rule(r"([0-9])'(s)", r"\1 '\2"),
)
_FRENCH: tuple[Change, ...] = (
    _ENGLISH[0],
    _rule(rf"([^{_LETTERS}])'([{_LETTERS}])", r"\1 ' \2"),
    _ENGLISH[2],
    _rule(rf"([{_LETTERS}])'([{_LETTERS}])", r"\1' \2"),
)
_OTHERS: tuple[Change, ...] = (_rule("'", " ' "),)
_RESTORED = re.compile("\ue000([0-9]+)\ue001")
_NOT_ALNUM = re.compile(f"[^{_ALNUM}]")
_SPACES = re.compile(f"[ {_BLANKS}]+")
_WORDS = re.compile(r"[^ \t\n\v\f\r]+")
_LETTER = re.compile(f"[{_LETTERS}]")


def abbreviations(lines: Sequence[str]) -> dict[str, bool]:
    """
    Read a list of abbreviations: for each, whether it keeps its dot before numbers only.
    """
    found: dict[str, bool] = {}
    for line in lines:
        text = line.strip()
        if text and not text.startswith("#"):
            word, *mark = text.split()
            found[word] = "#NUMERIC_ONLY#" in mark
    return found


@dataclass(frozen=True)
class Normalizer:
    """
    Hold the rules of one language.

    Args:
        language: One of ``LANGUAGES``.
        abbreviations: What keeps its dot, see :func:`abbreviations`.
        punctuation: Keep punctuation, or blank out what is neither letter nor digit.
    """

    language: str
    abbreviations: Mapping[str, bool] = field(repr=False)
    punctuation: bool = True

    def __call__(self, text: str) -> str:
        """
        Normalise one text; its case stays.
        """
        text = f" {text} "
        for change in (*_FIRST, *{"en": _ENGLISH, "fr": _FRENCH}.get(self.language, _OTHERS)):
            text = change(text)
        words = _WORDS.findall(text)
        text = " ".join(map(self._dotted, words, [*words[1:], ""]))
        text = _RESTORED.sub(lambda run: "." * int(run[1]), text)
        if not self.punctuation:
            text = _NOT_ALNUM.sub(" ", text)
        return _SPACES.sub(" ", text).strip()

    def _dotted(self, word: str, following: str) -> str:
        """
        Decide what becomes of the dot at the end of a word.
        """
        if len(word) < 2 or not word.endswith("."):
            return word
        rest = word[:-1]
        if "." in rest and _LETTER.search(rest):
            return word.replace(".", "")
        numeric = self.abbreviations.get(rest)
        if numeric is False or "a" <= following[:1] <= "z":
            return word
        if numeric and "0" <= following[:1] <= "9":
            return word
        return f"{rest} ."

"""
Name what an input must have for a known difference to show, so that new inputs can be recognised as instances of it.

A condition says whether an input has the feature, and gives the input without it. A difference is an instance of an entry
of ``divergences.toml`` with this condition if the input has the feature and the difference is gone without it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from tertium.cases import Cases

Pairs = list[tuple[str, tuple[str, ...]]]
"""Hypothesis and references of each case."""


@dataclass(frozen=True)
class Condition:
    """
    Describe a feature of an input.

    Attributes:
        meaning: What an input has, as the end of "it shows where...".
        holds: Whether an input has it.
        without: Make an input that lacks it and is otherwise the same.
    """

    meaning: str
    holds: Callable[[Pairs], bool]
    without: Callable[[Pairs], Pairs]

    def met(self, cases: Cases) -> bool:
        """
        Say whether cases have the feature.
        """
        return self.holds(_pairs(cases))

    def removed(self, cases: Cases) -> Cases:
        """
        Return the cases without the feature.
        """
        pairs = self.without(_pairs(cases))
        sources = cases.sources
        if sources is not None:
            sources = (*sources, *(["word"] * (len(pairs) - len(sources))))
        return Cases([hypothesis for hypothesis, _ in pairs], [list(found) for _, found in pairs], sources)


def _pairs(cases: Cases) -> Pairs:
    return [(case.hypothesis, case.references or ()) for case in cases]


def _each(change: Callable[[str], str]) -> Callable[[Pairs], Pairs]:
    def changed(pairs: Pairs) -> Pairs:
        return [(change(hypothesis), tuple(map(change, references))) for hypothesis, references in pairs]

    return changed


def _any(test: Callable[[str], bool]) -> Callable[[Pairs], bool]:
    def found(pairs: Pairs) -> bool:
        return any(test(text) for hypothesis, references in pairs for text in (hypothesis, *references))

    return found


_ENTITY = re.compile(r"&[A-Za-z]{1,10};")


def _wordless(text: str) -> bool:
    # COCO's tokenizer drops letters and digits, too, that UTF-16 writes as two units.
    return not any(character.isalnum() and character <= "\uffff" for character in _ENTITY.sub("", text))


def _worded(text: str) -> str:
    return "word" if _wordless(text) else text


def _unanswered(pairs: Pairs) -> bool:
    return all(_wordless(text) for _, references in pairs for text in references)


def _answered(pairs: Pairs) -> Pairs:
    return [(hypothesis, tuple(map(_worded, references))) for hypothesis, references in pairs]


def _silent(pairs: Pairs) -> bool:
    return not any(hypothesis.split() for hypothesis, _ in pairs)


def _told(pairs: Pairs) -> Pairs:
    return [("word" if not hypothesis.split() else hypothesis, references) for hypothesis, references in pairs]


def _short(pairs: Pairs) -> bool:
    return all(len(hypothesis.split()) < 5 for hypothesis, _ in pairs) or not any(
        text.split() for _, references in pairs for text in references
    )


def _longer(pairs: Pairs) -> Pairs:
    plain = "one two three four five six seven eight nine ten"
    return [*pairs, (plain, (plain,))]


# A single letter with a full stop at the end of a text, which may stand for a word or end a sentence.
_INITIAL = re.compile(r"(?<![^\W_])[^\W\d_]\.\s*\Z")
# An abbreviation that keeps its full stop before a number.
_NUMBERED = re.compile(r"(?<![^\W_])(ca|figs?|prop|nos?|art|bldg|pp|op)\.\s*\Z", re.IGNORECASE)
# What a lexer knows by the character after it: a contraction alone, a year in short, a smiley, an abbreviation, a file.
_OPEN = re.compile(r"(['\u2019][^\W_]{1,2}|[:;=][-o*']?[()DPdpO\\{@|\[\]]|(?<![^\W_])[^\W\d_]|\.[^\W_]+)\s*\Z")
_SIGMA = re.compile(r"[^\W_]\u03a3")


def _initials(pairs: Pairs) -> bool:
    columns = [hypothesis for hypothesis, _ in pairs], [text for _, references in pairs for text in references]
    return any(
        (_INITIAL.search(text) is not None and (follower.lstrip()[0] == "<" or follower.lstrip()[0].isupper()))
        or (_NUMBERED.search(text) is not None and follower[0].isdecimal())
        for column in columns
        for text, follower in pairwise([text for text in column if text.strip()])
    )


def _spelled(text: str) -> str:
    return _NUMBERED.sub("word", _INITIAL.sub("word", text))


def _last_texts(pairs: Pairs) -> list[str]:
    columns = [hypothesis for hypothesis, _ in pairs], [text for _, references in pairs for text in references]
    return [column[-1] for column in columns if column]


def _ends_open(pairs: Pairs) -> bool:
    return any(_OPEN.search(text) is not None for text in _last_texts(pairs))


def _closed(pairs: Pairs) -> Pairs:
    plain = "one two three"
    return [*pairs, (plain, (plain,))]


def _capital(text: str) -> bool:
    return _SIGMA.search(text) is not None


def _lowered(text: str) -> str:
    return text.replace("\u03a3", "a")


CONDITIONS: Mapping[str, Condition] = {
    "wordless-text": Condition("a text holds no letter and no digit below U+10000", _any(_wordless), _each(_worded)),
    "wordless-references": Condition("no reference holds a letter or digit below U+10000", _unanswered, _answered),
    "final-initial": Condition(
        "a text ends in one letter and a full stop, and the next one begins with a capital or a tag; or it ends in No., "
        "fig. or the like, and the next one begins with a digit",
        _initials,
        _each(_spelled),
    ),
    "open-end": Condition(
        "the last text ends in a contraction, a short year, a smiley, a letter or a name with a stop inside",
        _ends_open,
        _closed,
    ),
    "inner-sigma": Condition("a capital sigma stands within a word", _any(_capital), _each(_lowered)),
    "blank-hypotheses": Condition("no hypothesis holds anything but white space", _silent, _told),
    "short-hypotheses": Condition("no hypothesis has five words, or no reference has any", _short, _longer),
}
"""Name to condition, as ``when`` of an entry of ``divergences.toml`` names it."""

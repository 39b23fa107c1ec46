"""
Say in parameters of the native metrics what JiWER's transforms do.

A native metric changes texts by steps in their order (``normalize``), then by options whose order is fixed, and cuts
them by a rule. The last transforms of a chain become options and a rule where these do the same, so that an explanation
can name each; those before them become steps. Both sides share the options, so the two chains are parted together.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from tertium.native.text_steps import written
from tertium_jiwer.transforms import DROPPER, JOINER, Chain, Step, Unit

_ORDER = ["case", "expand_contractions", "strip_nonwords", "strip_punctuation"]
_OPTIONS: Mapping[str, tuple[str, str | bool]] = MappingProxyType(
    {
        "ToLowerCase": ("case", "lower"),
        "ToUpperCase": ("case", "upper"),
        "ExpandCommonEnglishContractions": ("expand_contractions", True),
        "RemoveKaldiNonWords": ("strip_nonwords", True),
        "RemovePunctuation": ("strip_punctuation", True),
    }
)
_PLAIN: Mapping[str, str] = MappingProxyType(
    {
        "ToLowerCase": "lowercase",
        "ToUpperCase": "uppercase",
        "ExpandCommonEnglishContractions": "expand-contractions",
        "RemoveKaldiNonWords": "strip-nonwords",
        "RemovePunctuation": "strip-punctuation",
        "RemoveMultipleSpaces": "collapse-spaces",
        "Strip": "strip",
        DROPPER: "drop-empty",
    }
)


@dataclass(frozen=True)
class _Way:
    """
    Hold one way to write a chain.

    Attributes:
        steps: What becomes a step.
        options: What becomes an option or the rule for white space, which both sides share.
        split: Where words end, or "" for characters.
    """

    steps: tuple[str, ...]
    options: Mapping[str, str | bool]
    split: str


def native_parameters(reference: Chain, hypothesis: Chain, unit: Unit) -> dict[str, str | bool]:
    """
    Give the parameters under which a native metric changes and cuts texts as two transforms do.

    Args:
        reference: The transform of references.
        hypothesis: That of hypotheses; it joins texts if the other does.
        unit: What is aligned.
    """
    pairs = itertools.product(_ways(reference, unit), _ways(hypothesis, unit))
    one, other = min(
        (pair for pair in pairs if pair[0].options == pair[1].options),
        key=lambda pair: (len(pair[0].steps) + len(pair[1].steps), pair[0].split != pair[1].split),
    )
    found: dict[str, str | bool] = dict(one.options)
    texts = ["+".join(way.steps) or "none" for way in (one, other)]
    if texts[0] != "none":
        found["normalize"] = texts[0]
    if texts[1] != texts[0]:
        found["hypothesis_normalize"] = texts[1]
    if one.split and one.split != "jiwer":
        found["split"] = one.split
    if other.split != one.split:
        found["hypothesis_split"] = other.split
    if reference.joins:
        found["joined"] = True
    return found


def _ways(chain: Chain, unit: Unit) -> Iterator[_Way]:
    """
    Give every way to part a chain; the last one makes steps of all transforms, so that two chains always meet.
    """
    *body, (_, splitter) = chain.steps
    if body and body[-1] in ((JOINER, {}), (JOINER, {"word_delimiter": " "})):
        body.pop()  # native metrics join at the end, by a space, where no step does
    first = max((place + 1 for place, (name, _) in enumerate(body) if name in (JOINER, DROPPER)), default=0)
    steps = [_written(*step) for step in body]
    for start in range(first, len(body) + 1):
        names = [name for name, _ in body[start:]]
        moved = [_OPTIONS[one] for one in names if one in _OPTIONS]
        options = dict(moved)
        if [name for name, _ in moved] != [name for name in _ORDER if name in options]:
            continue  # another order, or one of them twice
        cleaning = [step for step in body[start:] if step[0] not in _OPTIONS]
        if unit == "words":
            rule = _words(names, cleaning, splitter.get("word_delimiter", " "))
        else:
            rule = _characters(names, cleaning, chain.joins)
        if rule is not None:
            split, white = rule
            yield _Way(tuple(filter(None, steps[:start])), options | white, split)


_Rule = tuple[str, dict[str, str | bool]]


def _words(names: Sequence[str], cleaning: Sequence[Step], delimiter: str) -> _Rule | None:
    if not cleaning:
        return f"at:{delimiter}", {}
    if sorted(names[-2:]) != ["RemoveMultipleSpaces", "Strip"] or delimiter != " ":
        return None  # white space that is tidied first comes back where something is deleted later
    rest = [step for step in cleaning if step[0] not in ("RemoveMultipleSpaces", "Strip")]
    if rest == [("RemoveWhiteSpace", {"replace_by_space": True})] and len(cleaning) == 3:
        return "jiwer-ascii", {}
    return ("jiwer", {}) if len(cleaning) == 2 else None


def _characters(names: Sequence[str], cleaning: Sequence[Step], joins: bool) -> _Rule | None:
    if not cleaning:
        return "", {"whitespace": "keep"}
    if len(cleaning) > 1 or cleaning[0][0] != names[-1]:
        return None
    if names[-1] == "Strip":
        return "", {}
    blanks = cleaning[0][1].get("replace_by_space", False)
    # Among joined texts, JiWER counts the spaces that it puts between them.
    return ("", {"whitespace": "ignore-ascii"}) if names[-1] == "RemoveWhiteSpace" and not (blanks or joins) else None


def _written(name: str, given: Mapping[str, Any]) -> str:
    """
    Write a transform as a native step; one that changes nothing gives "".
    """
    if name in _PLAIN:
        return written(_PLAIN[name])
    write: Callable[[Any], str] = _TAKING[name]
    return write(given)


def _table(name: str, table: Mapping[str, str]) -> str:
    return written(name, dict(table)) if table else ""


def _literal(word: str, template: str) -> str:
    """
    Give what a replacement stands for: JiWER takes it for a template, and a word that is found is the word itself.
    """
    found = re.match(re.escape(word), word)
    assert found is not None
    return found.expand(template)


def _removed(given: Mapping[str, Any]) -> str:
    words = list(dict.fromkeys(given["words_to_remove"]))
    return written("remove-words", words) if words else ""


_TAKING: Mapping[str, Callable[[Mapping[str, Any]], str]] = MappingProxyType(
    {
        JOINER: lambda given: written("join", given.get("word_delimiter", " ")),
        "RemoveWhiteSpace": lambda given: "blanks-to-spaces" if given.get("replace_by_space") else "delete-blanks",
        "RemoveSpecificWords": _removed,
        "SubstituteRegexes": lambda given: _table("replace-patterns", given["substitutions"]),
        "SubstituteWords": lambda given: _table(
            "replace-words", {word: _literal(word, other) for word, other in given["substitutions"].items()}
        ),
    }
)

"""
Change texts before they are compared: Unicode forms, case, invisible characters, quotation marks.
"""

from __future__ import annotations

import functools
import re
import sys
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tertium.cases import Cases
from tertium.errors import BadText, ParameterError, did_you_mean
from tertium.extensions import find, offered

FORMS = ("none", "nfc", "nfd", "nfkc", "nfkd")
Case = Literal["sensitive", "lower", "casefold", "ascii"]

_FORMS: dict[str, Literal["NFC", "NFD", "NFKC", "NFKD"]] = {"nfc": "NFC", "nfd": "NFD", "nfkc": "NFKC", "nfkd": "NFKD"}
_SINGLE = "\u2018\u2019\u201a\u201b\u2039\u203a\u2032\u02bc\uff07`\u00b4"
_DOUBLE = "\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\u301d\u301e\u301f\uff02"
_QUOTES = {**{ord(mark): "'" for mark in _SINGLE}, **{ord(mark): '"' for mark in _DOUBLE}}
_CONTRACTIONS = (
    ("won't", "will not"), ("can't", "can not"), ("let's", "let us"), ("n't", " not"), ("'re", " are"), ("'s", " is"),
    ("'d", " would"), ("'ll", " will"), ("'t", " not"), ("'ve", " have"), ("'m", " am"),
)  # fmt: skip
_NON_WORD = re.compile(r"[<\[][^>\]]*[>\]]")
_QUOTE = re.compile(f"[{re.escape(_SINGLE + _DOUBLE)}]")


@dataclass(frozen=True)
class Normalizer:
    """
    Hold what is done to a text, in the order of the fields.

    Args:
        form: The Unicode normalisation form, or the name of a plugin's normalizer.
        strip_format: Delete format characters (general category Cf: zero-width joiners, directional marks, soft
            hyphens, the byte order mark).
        fold_quotes: Write quotation marks, primes and apostrophes of all kinds as ASCII ones.
        strip_hyphens: Delete hyphen-minus characters (U+002D), as sclite's option ``-c DH`` does.
        case: ``lower`` and ``casefold`` are Unicode's; ``ascii`` lowers the letters A to Z alone.
        expand_contractions: Write lower-case English contractions out, by the eleven rules of JiWER's
            ExpandCommonEnglishContractions: won't as will not, 's as is.
        strip_nonwords: Delete what stands between ``<`` or ``[`` and the next ``>`` or ``]``, as JiWER's
            RemoveKaldiNonWords does.
        strip_punctuation: Delete punctuation (general categories P*).
    """

    form: str = "none"
    strip_format: bool = False
    fold_quotes: bool = False
    strip_hyphens: bool = False
    case: Case = "sensitive"
    expand_contractions: bool = False
    strip_nonwords: bool = False
    strip_punctuation: bool = False

    @property
    def idle(self) -> bool:
        """
        Whether texts stay as they are.
        """
        return self == Normalizer()

    def __call__(self, text: str) -> str:
        for step in _steps(self):
            text = step(text)
        return text

    def all(self, texts: Sequence[str]) -> Sequence[str]:
        """
        Change every text.
        """
        for step in _steps(self):
            texts = [step(text) for text in texts]
        return texts


def form_notes(normalizer: Normalizer, cases: Cases) -> list[str]:
    """
    Note where hypotheses and references are written in different normalisation forms, so that equal texts differ.

    The first 2,000 cases tell: a form is a matter of the program that wrote the texts, not of one of them.
    """
    if normalizer.form != "none":
        return []
    last = min(len(cases), 2000)
    sides = cases.hypotheses[:last], cases.flat_references[: int(cases.bounds[last])]
    composed = [unicodedata.is_normalized("NFC", "\n".join(side)) for side in sides]
    if composed[0] == composed[1]:
        return []
    loose, side = ("hypotheses", sides[0]) if composed[1] else ("references", sides[1])
    first = next((n for n, text in enumerate(side) if not unicodedata.is_normalized("NFC", text)), 0)
    case = first if side is sides[0] else int(np.searchsorted(cases.bounds, first, side="right")) - 1
    return [
        f"the {loose} hold texts that are not in form NFC (the first is that of case {cases.positions[case]}) and the "
        "other side does not: what looks the same counts as an error; normalize=nfc brings both into one form"
    ]


@functools.lru_cache(maxsize=64)
def _steps(chosen: Normalizer) -> tuple[Callable[[str], str], ...]:
    steps: list[Callable[[str], str]] = []
    if chosen.form not in FORMS:
        steps.append(plugged(chosen.form))
    elif chosen.form != "none":
        steps.append(functools.partial(unicodedata.normalize, _FORMS[chosen.form]))
    if chosen.strip_format:
        steps.append(_without_format)
    if chosen.fold_quotes:
        steps.append(_plain_quotes)
    if chosen.strip_hyphens:
        steps.append(lambda text: text.replace("-", ""))
    if chosen.case == "lower":
        steps.append(str.lower)
    elif chosen.case == "casefold":
        steps.append(str.casefold)
    elif chosen.case == "ascii":
        steps.append(_ascii_lower)
    if chosen.expand_contractions:
        steps.append(_expanded)
    if chosen.strip_nonwords:
        steps.append(lambda text: _NON_WORD.sub("", text))
    if chosen.strip_punctuation:
        steps.append(lambda text: _characters("P").sub("", text))
    return tuple(steps)


def plugged(name: str) -> Callable[[str], str]:
    """
    Return the normalizer that a plugin offers.

    Raises:
        ParameterError: No plugin offers one of that name.
    """
    if find("normalizers", name) is None:
        known = sorted(offered("normalizers"))
        raise ParameterError(f"normalizer {name!r}", f"there are {', '.join(known)}", did_you_mean(name, known))

    return functools.partial(_plugged, name)  # which can be pickled; the function itself perhaps not


def _plugged(name: str, text: str) -> str:
    offer = find("normalizers", name)
    assert offer is not None
    made = offer.value(text)
    if isinstance(made, str):
        return made
    label = f"normalizer {name} of {offer.distribution}"
    raise BadText(label, f"gave a {type(made).__name__} for {text[:40]!r}", "Let it give texts")


def _ascii_lower(text: str) -> str:
    # In UTF-8 the bytes of A to Z stand for nothing else.
    return text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")


def _without_format(text: str) -> str:
    return text if text.isascii() else _characters("Cf").sub("", text)


def _plain_quotes(text: str) -> str:
    return text.translate(_QUOTES) if _QUOTE.search(text) else text


def _expanded(text: str) -> str:
    if "'" in text:
        for short, whole in _CONTRACTIONS:
            text = text.replace(short, whole)
    return text


@functools.cache
def _characters(category: str) -> re.Pattern[str]:
    found = [chr(point) for point in range(sys.maxunicode + 1) if unicodedata.category(chr(point)).startswith(category)]
    return re.compile(f"[{re.escape(''.join(found))}]+")

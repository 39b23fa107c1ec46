"""
Change texts before they are compared: Unicode forms, case, invisible characters, quotation marks.
"""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tertium.cases import Cases
from tertium.native import text_changes, text_steps

Case = Literal["sensitive", "lower", "upper", "casefold", "ascii"]

_CASES: dict[str, text_changes.Change] = {
    "lower": str.lower,
    "upper": str.upper,
    "casefold": str.casefold,
    "ascii": text_changes.ascii_lower,
}


@dataclass(frozen=True)
class Normalizer:
    """
    Hold what is done to a text, in the order of the fields.

    Args:
        form: Unicode's normalisation form, or steps that :mod:`tertium.native.text_steps` reads.
        strip_format: Delete format characters (general category Cf: zero-width joiners, directional marks, soft
            hyphens, the byte order mark).
        fold_quotes: Write quotation marks, primes and apostrophes of all kinds as ASCII ones.
        strip_hyphens: Delete hyphen-minus characters (U+002D), as sclite's option ``-c DH`` does.
        case: ``lower``, ``upper`` and ``casefold`` are Unicode's; ``ascii`` lowers the letters A to Z alone.
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
        return "".join(self.kept([text])[0])

    def kept(self, texts: Sequence[str]) -> tuple[Sequence[str], Sequence[int] | None]:
        """
        Change every text, and give the places of those that are left; None where all are.
        """
        return text_steps.run(_steps(self), texts)


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
def _steps(chosen: Normalizer) -> tuple[text_steps.Step, ...]:
    label = f"the text steps {chosen.form!r}"
    steps = list(text_steps.read(chosen.form, label, whole=True))
    if chosen.strip_format:
        steps.append(text_changes.strip_format)
    if chosen.fold_quotes:
        steps.append(text_changes.fold_quotes)
    if chosen.strip_hyphens:
        steps.append(text_changes.strip_hyphens)
    if chosen.case in _CASES:
        steps.append(_CASES[chosen.case])
    if chosen.expand_contractions:
        steps.append(text_changes.expand_contractions)
    if chosen.strip_nonwords:
        steps.append(text_changes.strip_nonwords)
    if chosen.strip_punctuation:
        steps.append(text_changes.strip_punctuation)
    return tuple(steps)

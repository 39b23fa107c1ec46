"""
List the settings of CMU Meteor 1.5 by language and task.

Denkowski and Lavie 2014, "Meteor Universal"; the figures are those that the program shows in its evaluation identifiers.
"""

from __future__ import annotations

from dataclasses import dataclass

STAGES = ("exact", "stem", "synonym", "paraphrase")
TASKS = ("rank", "adq", "hter", "util", "li", "tune", "universal")

COLUMNS = (
    *("hypothesis_length", "reference_length", "hypothesis_function", "reference_function"),
    *(
        f"{side}_{kind}_{stage}"
        for stage in STAGES
        for kind in ("content", "function")
        for side in ("hypothesis", "reference")
    ),
    *("chunks", "hypothesis_matches", "reference_matches", "hypothesis_words", "reference_words"),
)

NAMES = {
    "en": "english",
    "cz": "czech",
    "fr": "french",
    "es": "spanish",
    "de": "german",
    "ru": "russian",
    "ar": "arabic-buckwalter-reduced",
    "da": "danish",
    "fi": "finnish",
    "hu": "hungarian",
    "it": "italian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "se": "swedish",
    "tr": "turkish",
    "other": "other",
}
"""Languages, each with the name that Meteor's data have for it."""


@dataclass(frozen=True)
class Setting:
    """
    Hold the parameters of a language and task.

    Args:
        numbers: Alpha, beta, gamma, delta.
        stages: The modules that are used.
        weights: Their weights, by position.
    """

    numbers: tuple[float, float, float, float]
    stages: tuple[str, ...]
    weights: tuple[float, ...]


_ALL, _NO_SYNONYMS, _EXACT_PARAPHRASE = STAGES, ("exact", "stem", "paraphrase"), ("exact", "paraphrase")
_RANK = {
    "en": Setting((0.85, 0.2, 0.6, 0.75), _ALL, (1.0, 0.6, 0.8, 0.6)),
    "cz": Setting((0.95, 0.2, 0.6, 0.8), _EXACT_PARAPHRASE, (1.0, 0.4)),
    "fr": Setting((0.9, 1.4, 0.6, 0.65), _NO_SYNONYMS, (1.0, 0.2, 0.4)),
    "es": Setting((0.65, 1.3, 0.5, 0.8), _NO_SYNONYMS, (1.0, 0.8, 0.6)),
    "de": Setting((0.95, 1.0, 0.55, 0.55), _NO_SYNONYMS, (1.0, 0.8, 0.2)),
    "ru": Setting((0.75, 1.4, 0.7, 0.5), _NO_SYNONYMS, (1.0, 0.5, 0.5)),
}
_ENGLISH = {
    "adq": Setting((0.75, 1.4, 0.45, 0.7), _ALL, (1.0, 1.0, 0.6, 0.8)),
    "hter": Setting((0.4, 1.5, 0.35, 0.55), _ALL, (1.0, 0.2, 0.6, 0.8)),
    "util": Setting((0.65, 0.1, 0.55, 0.65), _ALL, (1.0, 0.0, 0.0, 0.8)),
}


def stages_of(language: str) -> tuple[str, ...]:
    """
    Give the modules that a language has.
    """
    if language in _RANK:
        return _RANK[language].stages
    return ("exact",) if language == "other" else ("exact", "stem")


def setting(language: str, task: str) -> Setting | None:
    """
    Give the parameters of a language and task, or None where Meteor has none.
    """
    if task == "rank" and language in _RANK:
        return _RANK[language]
    if task in _ENGLISH:
        return _ENGLISH[task] if language == "en" else None
    if task in ("rank", "li"):
        return Setting((0.75, 1.4, 0.7, 0.5), stages_of(language), (1.0, 0.5, 0.5, 0.5))
    if task == "tune":
        return Setting((0.5, 1.0, 0.5, 0.5), stages_of(language), (1.0, 0.5, 0.5, 0.5))
    return Setting((0.7, 1.4, 0.3, 0.7), _EXACT_PARAPHRASE, (1.0, 0.6))

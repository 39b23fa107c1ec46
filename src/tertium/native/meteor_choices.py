"""
Turn METEOR's parameters into a way of computing it, and refuse those that contradict each other.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from tertium.errors import ParameterError, did_you_mean
from tertium.native import meteor_settings, meteor_stems, stems
from tertium.native.meteor_cmu import CmuMeteor
from tertium.native.meteor_normalizer import LANGUAGES
from tertium.native.meteor_staged import STAGES, StagedMeteor

_OF_NLTK = ("stemmer", "synonym_form", "tie", "search", "budget")
_OF_CMU = ("delta", "weights", "punctuation", "language", "task", "characters", "hashes")
BUDGET, BEAM = 1_000_000, 40


def _refuse(asked: str, truth: str, remedy: str) -> None:
    raise ParameterError(f"meteor@native with {asked}", truth, remedy)


def _shown(name: str, value: Any) -> str:
    return f"{name}={str(value).lower() if isinstance(value, bool) else value}"


def _of_version(given: Mapping[str, Any], others: tuple[str, ...]) -> None:
    for name in others:
        if given[name] not in (None, "default"):
            _refuse(
                f"{_shown(name, given[name])} and version={given['version']}",
                f"{name} is a parameter of version={'1.5' if given['version'] == 'nltk' else 'nltk'}",
                f"Leave {name} out, or choose the other version",
            )


def _stages(given: Mapping[str, Any], known: tuple[str, ...], default: tuple[str, ...]) -> tuple[str, ...]:
    """
    Read a list of stages.
    """
    if given["stages"] is None:
        return default
    asked = f"stages={given['stages']!r}"
    named = [stage.strip() for stage in given["stages"].split(",")]
    for stage in named:
        if stage not in known:
            hint = did_you_mean(stage, known) or "Name some of these"
            _refuse(asked, f"the stages are {', '.join(known)}, and {stage!r} is none of them", hint)
    if sorted(set(named), key=known.index) != named:
        _refuse(asked, f"stages come once each, in the order {', '.join(known)}", "Reorder them")
    return tuple(named)


def staged_meteor(given: Mapping[str, Any]) -> StagedMeteor:
    """
    Make METEOR as NLTK has it, or with an optimal alignment.

    Raises:
        ParameterError: The parameters contradict each other.
    """
    _of_version(given, _OF_CMU)
    chosen = _stages(given, STAGES, STAGES)
    stemmer = "porter" if given["stemmer"] == "default" else given["stemmer"]
    if given["stemmer"] != "default" and "stem" not in chosen:
        _refuse(f"stemmer={stemmer} and stages={given['stages']!r}", "there is no stem stage", "Leave stemmer out")
    if isinstance(stemmer, str):
        stems.check(stemmer, f"meteor@native with stemmer={stemmer!r}")
    if given["preprocessing"] == "normalize":
        _refuse("preprocessing=normalize and version=nltk", "texts are normalised by version 1.5 alone", "Choose lower")
    missing = [stage for stage in ("stem", "synonym") if stage not in chosen]
    if missing and given["synonym_form"] == "stem":
        _refuse(
            f"synonym_form=stem and stages={given['stages']!r}",
            f"there is no {missing[0]} stage",
            "Leave synonym_form out, or name the stage",
        )
    tie, budget, beam = _search(given)
    return StagedMeteor(
        *(0.9 if given["alpha"] is None else given["alpha"], 3.0 if given["beta"] is None else given["beta"]),
        0.5 if given["gamma"] is None else given["gamma"],
        stages=chosen,
        stemmer=stemmer,
        synonym_form=given["synonym_form"] or ("word" if missing else "stem"),
        preprocessing="lower" if given["preprocessing"] == "default" else given["preprocessing"],
        tokenize=given["tokenize"] or "whitespace",
        tie=tie,
        budget=budget,
        beam=beam,
    )


def _search(given: Mapping[str, Any]) -> tuple[str | None, int, int | None]:
    """
    Read how optimal alignments are sought: the rule (None for greedy matching), the budget, and the beam (None: exact).
    """
    alignment = given["alignment"] or "greedy"
    if alignment == "beam":
        _refuse("alignment=beam and version=nltk", "that is the search of version 1.5", "Choose greedy or optimal")
    if alignment == "greedy":
        for name in ("tie", "search", "beam", "budget"):
            if given[name] is not None:
                truth = "greedy matching has no choice between alignments"
                _refuse(f"{_shown(name, given[name])} and alignment=greedy", truth, "Give alignment=optimal")
        return None, BUDGET, None
    sought = given["search"] or "exact"
    if sought == "exact" and given["beam"] is not None:
        _refuse(f"beam={given['beam']} and search=exact", "an exact search keeps all", "Give search=beam")
    if sought == "beam" and given["budget"] is not None:
        _refuse(f"budget={given['budget']} and search=beam", "a beam bounds the search", "Leave budget out")
    beam = (given["beam"] or BEAM) if sought == "beam" else None
    return given["tie"] or "crossings", given["budget"] or BUDGET, beam


def cmu_meteor(given: Mapping[str, Any]) -> CmuMeteor:
    """
    Make CMU Meteor 1.5.

    Raises:
        ParameterError: The parameters contradict each other, or the language lacks something.
    """
    _of_version(given, _OF_NLTK)
    if given["alignment"] not in (None, "beam"):
        _refuse(
            f"alignment={given['alignment']} and version=1.5",
            "version 1.5 has a search of its own",
            "Leave alignment out, or choose version=nltk",
        )
    language, task = given["language"] or "en", given["task"] or "rank"
    preprocessing = "none" if given["preprocessing"] == "default" else given["preprocessing"]
    if preprocessing not in ("none", "lower", "normalize"):
        _refuse("another preprocessing and version=1.5", "version 1.5 takes none, lower or normalize", "Choose one")
    if preprocessing == "normalize" and language not in LANGUAGES:
        truth = f"there are normalisers for {', '.join(LANGUAGES)}"
        _refuse(f"preprocessing=normalize and language={language}", truth, "Choose lower")
    if given["punctuation"] is not None and preprocessing != "normalize":
        truth = "punctuation is left out where texts are normalised"
        _refuse(f"{_shown('punctuation', given['punctuation'])}", truth, "Give preprocessing=normalize")
    setting = meteor_settings.setting(language, task)
    if setting is None:
        _refuse(f"task={task} and language={language}", f"{task} is a task for English", "Choose rank")
    assert setting is not None
    chosen = _stages(given, meteor_settings.STAGES, setting.stages)
    if chosen[0] != "exact":
        _refuse(f"stages={given['stages']!r}", "version 1.5 always matches words as they are", "Begin with exact")
    for stage, languages in (("stem", meteor_stems.LANGUAGES), ("synonym", ("en",)), ("paraphrase", ("en",))):
        if stage in chosen and language not in languages:
            left = ",".join(other for other in chosen if other != stage)
            truth = f"there is {stage} data for {', '.join(languages)} only"
            _refuse(f"language={language} and the {stage} stage", truth, f"Give stages='{left}'")
    numbers = tuple(
        known if given[name] is None else given[name]
        for name, known in zip(("alpha", "beta", "gamma", "delta"), setting.numbers, strict=True)
    )
    return CmuMeteor(
        language=language,
        task=task,
        stages=chosen,
        weights=_weights(given["weights"], setting.weights, chosen),
        numbers=(numbers[0], numbers[1], numbers[2], numbers[3]),
        preprocessing=preprocessing,
        punctuation=given["punctuation"] is not False,
        tokenize=given["tokenize"],
        beam=given["beam"] or BEAM,
        characters=bool(given["characters"]),
        hashes=given["hashes"] is not False,
    )


def _weights(text: str | None, known: tuple[float, ...], chosen: tuple[str, ...]) -> tuple[float, ...]:
    """
    Read the weights of stages; by default the language's, by position.
    """
    if text is None:
        if len(known) < len(chosen):
            named = ", ".join(chosen)
            _refuse(
                f"the stages {named}", f"the task has {len(known)} weights for {len(chosen)} stages", "Give weights"
            )
        return known[: len(chosen)]
    try:
        numbers = tuple(float(part) for part in text.split(","))
    except ValueError:
        numbers = ()
    if len(numbers) != len(chosen) or not all(math.isfinite(number) and number >= 0 for number in numbers):
        truth = f"{', '.join(chosen)} need {len(chosen)} numbers of at least 0"
        _refuse(f"weights={text!r}", truth, "Write them with commas between")
    return numbers

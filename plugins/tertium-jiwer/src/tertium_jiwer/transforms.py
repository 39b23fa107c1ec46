"""
Name JiWER's transforms: the compositions that it ships, and chains of its classes.

A chain is written as one would write it in Python, without evaluating anything: names of JiWER's transform classes,
parted by commas, each with literal arguments where it takes any::

    ToLowerCase,RemovePunctuation,Strip
    RemoveSpecificWords(["uh", "um"]),RemoveMultipleSpaces,Strip
    RemoveWhiteSpace(replace_by_space=True),RemoveMultipleSpaces,Strip

A chain that does not end in the step which splits texts into units gets the one that fits the metric.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from tertium.errors import ParameterError, did_you_mean

Unit = Literal["words", "chars"]

_SPLITTERS: Mapping[Unit, str] = MappingProxyType(
    {"words": "ReduceToListOfListOfWords", "chars": "ReduceToListOfListOfChars"}
)
JOINER = "ReduceToSingleSentence"
DROPPER = "RemoveEmptyStrings"

COMPOSITIONS: Mapping[Unit, tuple[str, ...]] = MappingProxyType(
    {
        "words": ("wer_default", "wer_contiguous", "wer_standardize", "wer_standardize_contiguous"),
        "chars": ("cer_default", "cer_contiguous"),
    }
)
"""Compositions of ``jiwer.transformations`` by the unit into which they split a text."""

Step = tuple[str, Mapping[str, Any]]

_TIDY: tuple[Step, ...] = (("RemoveMultipleSpaces", {}), ("Strip", {}))
_STANDARD: tuple[Step, ...] = (
    ("ToLowerCase", {}),
    ("ExpandCommonEnglishContractions", {}),
    ("RemoveKaldiNonWords", {}),
    ("RemoveWhiteSpace", {"replace_by_space": True}),
    *_TIDY,
)
_JOINED: Step = (JOINER, {})
_SHIPPED: Mapping[str, tuple[Step, ...]] = MappingProxyType(
    {
        "wer_default": _TIDY,
        "wer_contiguous": (*_TIDY, _JOINED),
        "wer_standardize": _STANDARD,
        "wer_standardize_contiguous": (*_STANDARD, _JOINED),
        "cer_default": (("Strip", {}),),
        "cer_contiguous": (("Strip", {}), _JOINED),
    }
)
"""What JiWER's compositions do before they split a text."""

ARGUMENTS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "ExpandCommonEnglishContractions": {},
        "ReduceToListOfListOfChars": {},
        "ReduceToListOfListOfWords": {"word_delimiter": "a text"},
        "ReduceToSingleSentence": {"word_delimiter": "a text"},
        "RemoveEmptyStrings": {},
        "RemoveKaldiNonWords": {},
        "RemoveMultipleSpaces": {},
        "RemovePunctuation": {},
        "RemoveSpecificWords": {"words_to_remove": "a list of texts"},
        "RemoveWhiteSpace": {"replace_by_space": "True or False"},
        "Strip": {},
        "SubstituteRegexes": {"substitutions": "a dict of texts"},
        "SubstituteWords": {"substitutions": "a dict of texts"},
        "ToLowerCase": {},
        "ToUpperCase": {},
    }
)
"""JiWER's transform classes with their arguments and what each takes; a list and a dict must be given."""


@dataclass(frozen=True)
class Chain:
    """
    Hold a transform that was read but not built yet.

    Attributes:
        text: What was written.
        composition: The name of JiWER's own composition, or "" for a chain of steps.
        steps: Class names with their arguments.
        joins: Whether all texts become one before they are aligned.
        drops: Whether empty texts are taken out of the list.
    """

    text: str
    composition: str
    steps: tuple[Step, ...]
    joins: bool
    drops: bool

    def build(self) -> Any:
        """
        Return JiWER's own object.
        """
        import jiwer

        if self.composition:
            return getattr(jiwer, self.composition)
        return jiwer.Compose([getattr(jiwer, name)(**arguments) for name, arguments in self.steps])

    def survivors(self, texts: list[str]) -> list[bool]:
        """
        Tell which texts the chain keeps in the list; all of them unless it drops empty ones.
        """
        import jiwer

        if not self.drops:
            return [True] * len(texts)
        before = jiwer.Compose([getattr(jiwer, name)(**arguments) for name, arguments in self.steps[:-1]])
        return [bool(before([text])) for text in texts]


def read(text: str, unit: Unit, label: str) -> Chain:
    """
    Read a transform's name or a chain.

    Args:
        text: For instance ``wer_standardize`` or ``ToLowerCase,Strip``.
        unit: What the metric aligns.
        label: How messages name the parameter, for instance ``wer@jiwer: transform``.

    Raises:
        ParameterError: It is neither; says which step is wrong and what it takes.
    """
    if text in COMPOSITIONS[unit]:
        return Chain(text, text, (*_SHIPPED[text], (_SPLITTERS[unit], {})), text.endswith("contiguous"), False)
    asked = f"{label}={text!r}"
    for other, names in COMPOSITIONS.items():
        if text in names:
            raise ParameterError(asked, f"it splits texts into {other}, and the metric aligns {unit}", _offer(unit))
    steps = [_step(node, asked, unit) for node in _nodes(text, asked)]
    if not steps:
        raise ParameterError(asked, "it names no transform", _offer(unit))
    names_only = [name for name, _ in steps]
    for other, splitter in _SPLITTERS.items():
        if splitter in names_only and other != unit:
            raise ParameterError(asked, f"{splitter} gives {other}, and the metric aligns {unit}", _offer(unit))
        if splitter in names_only[:-1]:
            raise ParameterError(asked, f"nothing can follow {splitter}", "Put it last, or leave it out")
    if names_only[-1] != _SPLITTERS[unit]:
        steps.append((_SPLITTERS[unit], {}))
    joins = JOINER in names_only
    return Chain(text, "", tuple(steps), joins, DROPPER in names_only and not joins)


def _offer(unit: Unit) -> str:
    return f"Write one of {', '.join(COMPOSITIONS[unit])}, or a chain such as 'ToLowerCase,RemovePunctuation,Strip'"


def _nodes(text: str, asked: str) -> list[ast.expr]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # "\d" in a text that is not raw would only warn, and mean something else
            tree = ast.parse(f"[{text}\n]", mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise ParameterError(
            asked,
            f"it cannot be read ({error.args[0] if error.args else type(error).__name__})",
            'Part names by commas and write arguments as Python literals; patterns as r"..."',
        ) from None
    if not isinstance(tree, ast.List):
        raise ParameterError(asked, "it is no list of names", "Part names by commas")
    return tree.elts


def _step(node: ast.expr, asked: str, unit: Unit) -> Step:
    call = node if isinstance(node, ast.Call) else None
    called = call.func if call else node
    if not isinstance(called, ast.Name):
        raise ParameterError(asked, f"{ast.unparse(node)} is not a transform's name", _offer(unit))
    name = called.id
    if name not in ARGUMENTS:
        near = did_you_mean(name, [*ARGUMENTS, *COMPOSITIONS[unit]])
        raise ParameterError(asked, f"JiWER has no transform {name}", near or f"It has {', '.join(ARGUMENTS)}")
    taken = ARGUMENTS[name]
    given: dict[str, Any] = {}
    if call:
        positional = dict(zip(taken, call.args, strict=False))
        named = {keyword.arg: keyword.value for keyword in call.keywords}
        if len(call.args) > len(taken) or not set(named) <= set(taken) or set(named) & set(positional):
            shown = ", ".join(f"{argument} ({kind})" for argument, kind in taken.items()) or "no argument"
            raise ParameterError(asked, f"{name} takes {shown}", f"Correct {ast.unparse(node)}")
        for argument, value in [*positional.items(), *named.items()]:
            given[str(argument)] = _literal(value, taken[str(argument)], f"{name}'s {argument}", asked)
    for argument, kind in taken.items():
        if argument not in given and kind.startswith(("a list", "a dict")):
            raise ParameterError(asked, f"{name} needs {argument}, {kind}", f"Write {name}(...)")
    _check_patterns(name, given, asked)
    return name, given


def _literal(node: ast.expr, kind: str, what: str, asked: str) -> Any:
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        value = None
    fits = {
        "a text": isinstance(value, str) and value != "",
        "True or False": isinstance(value, bool),
        "a list of texts": isinstance(value, list) and all(isinstance(word, str) for word in value),
        "a dict of texts": isinstance(value, dict)
        and all(isinstance(text, str) for pair in value.items() for text in pair),
    }
    if not fits[kind]:
        raise ParameterError(asked, f"{what} is {kind}, not {ast.unparse(node)}", "Write it as a Python literal")
    return value


def _check_patterns(name: str, given: Mapping[str, Any], asked: str) -> None:
    for key, value in given.get("substitutions", {}).items():
        pattern = key if name == "SubstituteRegexes" else rf"\b{re.escape(key)}\b"
        try:
            re.sub(pattern, value, "")
        except (re.error, IndexError, OverflowError, RecursionError) as error:
            raise ParameterError(asked, f"{key!r}: {value!r} is no substitution ({error})", "Correct it") from None

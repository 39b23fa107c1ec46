"""
Hold the reading of transforms to JiWER's classes.
"""

from __future__ import annotations

import inspect

import jiwer
import pytest
from jiwer import transformations
from jiwer import transforms as library

from tertium.errors import ParameterError
from tertium_jiwer.transforms import ARGUMENTS, COMPOSITIONS, read


def test_every_transform_of_the_library_is_named() -> None:
    """The table of classes and arguments is the library's own list, its two base classes left out."""
    classes = set(library.__all__) - {"AbstractTransform", "Compose"}

    assert set(ARGUMENTS) == classes
    for name, arguments in ARGUMENTS.items():
        constructor = getattr(jiwer, name).__init__
        taken = [] if constructor is object.__init__ else [*inspect.signature(constructor).parameters][1:]
        assert list(arguments) == taken, name


def test_every_composition_of_the_library_is_named() -> None:
    """The compositions by unit are all that the library ships."""
    assert {name for names in COMPOSITIONS.values() for name in names} == set(transformations.__all__)


def test_composition_is_the_librarys_object() -> None:
    """A composition's name stands for the very object of the library."""
    assert read("wer_standardize", "words", "t").build() is jiwer.wer_standardize


@pytest.mark.parametrize(
    ("unit", "splitter"), [("words", "ReduceToListOfListOfWords"), ("chars", "ReduceToListOfListOfChars")]
)
def test_splitting_step_is_added_or_kept(unit: str, splitter: str) -> None:
    """A chain ends in the step that splits texts, once."""
    bare = read("Strip", unit, "t")  # type: ignore[arg-type]
    whole = read(f"Strip,{splitter}", unit, "t")  # type: ignore[arg-type]

    assert [name for name, _ in bare.steps] == [name for name, _ in whole.steps] == ["Strip", splitter]


def test_delimiter_is_handed_on() -> None:
    """Arguments reach the library's classes, by position or by name."""
    by_name = read('ReduceToListOfListOfWords(word_delimiter="|")', "words", "t").build()
    by_place = read('ReduceToListOfListOfWords("|")', "words", "t").build()

    assert by_name(["a b|c"]) == by_place(["a b|c"]) == [["a b", "c"]]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ToLowercase", "JiWER has no transform ToLowercase. Did you mean ToLowerCase"),
        ("wer_standardise", "Did you mean wer_standardize"),
        ("cer_default", "splits texts into chars, and the metric aligns words"),
        ("ReduceToListOfListOfChars", "gives chars, and the metric aligns words"),
        ("ReduceToListOfListOfWords,Strip", "nothing can follow ReduceToListOfListOfWords"),
        ("Strip(", "cannot be read"),
        ("Strip\x00", "cannot be read"),
        (",", "cannot be read"),
        (" ", "names no transform"),
        ("Strip]+[Strip", "is no list of names"),
        ("__import__('os').system('true')", "is not a transform's name"),
        ("__import__", "JiWER has no transform __import__"),
        ("Strip(1)", "Strip takes no argument"),
        ("RemoveWhiteSpace(1)", "replace_by_space is True or False, not 1"),
        ("RemoveWhiteSpace(replace=True)", r"takes replace_by_space \(True or False\)"),
        ("RemoveWhiteSpace(True, replace_by_space=True)", "takes replace_by_space"),
        ("RemoveWhiteSpace(**{})", "takes replace_by_space"),
        ("RemoveWhiteSpace(*[True])", r"True or False, not \*\[True\]"),
        ("RemoveSpecificWords", "needs words_to_remove, a list of texts"),
        ("RemoveSpecificWords('uh')", "a list of texts, not 'uh'"),
        ("RemoveSpecificWords([open])", r"a list of texts, not \[open\]"),
        ("SubstituteWords({'a': 1})", "a dict of texts"),
        ("SubstituteRegexes({'(': 'a'})", r"'\(': 'a' is no substitution"),
        (r"SubstituteRegexes({'a': r'\2'})", "is no substitution"),
        (r"SubstituteRegexes({'\d': '#'})", "cannot be read"),
        ("ReduceToListOfListOfWords('')", "word_delimiter is a text"),
        ("(" * 500 + ")" * 500, "cannot be read|is not a transform's name"),
    ],
)
def test_what_is_no_transform_is_refused(text: str, words: str) -> None:
    """A wrong chain is refused with what is wrong, and nothing in it is evaluated."""
    with pytest.raises(ParameterError, match=words):
        read(text, "words", "wer@jiwer: transform")

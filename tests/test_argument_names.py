# ruff: noqa: ARG005 - names of arguments are what is tested
"""
Signatures: what names and annotations of arguments say, and functions that cannot be called.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tertium.argument_names import arguments_of, role
from tertium.errors import ParameterError
from tertium.shapes import Shape

OPEN: dict[str, Any] = {"first": None, "source": None}


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("hyp hypotheses prediction preds candidate sys_out list_of_hypotheses y_pred", "hypothesis"),
        ("ref references gold target truth list_of_references y_true labels expected", "references"),
        ("src sources original", "source"),
        ("a x r h text", None),
    ],
)
def test_names_say_what_an_argument_is(names: str, expected: str | None) -> None:
    """The field's usual names are known."""
    assert {role(name) for name in names.split()} == {expected}


@pytest.mark.parametrize(
    ("function", "first"),
    [
        (lambda hyp, ref: 0, "hypothesis"),
        (lambda ref, hyp: 0, "references"),
        (lambda references, b: 0, "references"),
        (lambda a, references: 0, "hypothesis"),
        (lambda a, b: 0, None),
        (lambda hyp, hyp2: 0, None),
        (lambda refs, gold: 0, None),
        (lambda *texts: 0, None),
        (max, None),
    ],
)
def test_the_first_argument_is_named(function: Callable[..., Any], first: str | None) -> None:
    """One name that is known is enough; two that contradict each other say nothing."""
    assert arguments_of(function, "f", OPEN).first == first


def test_arguments_can_be_taken_the_other_way_round() -> None:
    """Swapped, each nesting goes with its place; names that say nothing cannot be swapped."""

    def named(references: list[str], hypothesis: str) -> float:
        return 0.0

    found = arguments_of(named, "f", OPEN)
    other = found.swapped

    assert (found.first, found.depths) == ("references", (0, 1))
    assert other is not None
    assert (other.first, other.depths, other.called) == ("hypothesis", (1, 0), ("references", "hypothesis"))
    assert arguments_of(lambda a, b: 0, "f", OPEN).swapped is None


def test_a_declaration_stands_above_names() -> None:
    """What is declared is not guessed."""
    assert arguments_of(lambda ref, hyp: 0, "f", {**OPEN, "first": "hypothesis"}).first == "hypothesis"


@pytest.mark.parametrize(
    ("function", "source", "first"),
    [
        (lambda src, hyp, ref: 0, "first", "hypothesis"),
        (lambda ref, hyp, src: 0, "last", "references"),
        (lambda hyp, ref, src=None: 0, "none", "hypothesis"),
    ],
)
def test_a_third_argument_may_be_the_source(function: Callable[..., Any], source: str, first: str) -> None:
    """Only one that must be given is taken for it."""
    found = arguments_of(function, "f", OPEN)

    assert (found.source, found.first) == (source, first)


def test_arguments_by_name_only_are_called_by_name() -> None:
    """Their order is that in which texts are given, not that of the signature."""
    found = arguments_of(lambda *, references, sources, predictions: 0, "f", OPEN)

    assert (found.names, found.source) == (("predictions", "references", "sources"), "last")


@pytest.mark.parametrize(
    "function",
    [
        lambda hyp: 0,
        lambda: 0,
        lambda hyp, ref, order: 0,
        lambda *, a, b: 0,
        lambda hyp, ref, *, order: 0,
        lambda *, predictions, references, order: 0,
    ],
    ids=["one", "none", "three", "unknown names", "one more by name", "three by name"],
)
def test_other_counts_of_arguments_are_refused(function: Callable[..., Any]) -> None:
    """The error shows what the function takes and how to wrap it."""
    with pytest.raises(ParameterError, match=r"it takes .* lambda hypothesis, references: your_function"):
        arguments_of(function, "f", OPEN)


def strings(hyp: str, ref: str) -> float:
    return 0.0


def tokens(references: Sequence[list[str]], hypothesis: list[str]) -> float:
    return 0.0


def corpora(hyps: list[str], refs: list[tuple[str, ...]]) -> float:
    return 0.0


def mixed(hyp: Any, ref: "Unknown") -> float:  # type: ignore[name-defined]  # noqa: F821, UP037
    return 0.0


@pytest.mark.parametrize(
    ("function", "allowed"),
    [
        (strings, {("strings", "segment", "one")}),
        (tokens, {("tokens", "segment", "list"), ("strings", "corpus", "list"), ("strings", "corpus", "streams")}),
        (corpora, {("tokens", "segment", "list"), ("strings", "corpus", "list"), ("strings", "corpus", "streams")}),
    ],
)
def test_annotations_leave_few_shapes_open(function: Callable[..., Any], allowed: set[tuple[str, ...]]) -> None:
    """How deep lists are nested says whether a text is a string, and what is one case."""
    found = arguments_of(function, "f", OPEN)
    shapes = [
        Shape(text, level, references, found.first or "hypothesis")  # type: ignore[arg-type]
        for text in ("strings", "tokens")
        for level in ("segment", "corpus")
        for references in ("one", "list", "streams")
        if (level, references) != ("segment", "streams")
    ]

    assert {(one.input, one.level, one.references) for one in shapes if found.allows(one)} == allowed


def test_annotations_that_cannot_be_read_leave_all_open() -> None:
    """A name that is not there is the author's affair."""
    assert arguments_of(mixed, "f", OPEN).depths == (None, None)

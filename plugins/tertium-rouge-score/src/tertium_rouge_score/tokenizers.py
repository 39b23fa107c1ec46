"""
Make the tokenizer that the library's scorer is given.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

from tertium.errors import ParameterError

DEFAULT, WHITESPACE, CHAR = "default", "whitespace", "char"

Tokenize = Callable[[str], list[str]]


class Tokenizer:
    """
    Have the one method that the library's scorer calls.

    Args:
        function: Takes a text and gives its tokens, or one string with white space between them.
        name: How messages name it.
    """

    def __init__(self, function: Callable[[str], Any], name: str) -> None:
        self.function, self.name = function, name

    def tokenize(self, text: str) -> list[str]:
        """
        Return the tokens of a text.

        Raises:
            ParameterError: The function gives something else than strings.
        """
        given = self.function(text)
        tokens = given.split() if isinstance(given, str) else list(given)
        for token in tokens:
            if not isinstance(token, str):
                raise ParameterError(
                    f"tokenizer={self.name}",
                    f"it gave a token of type {type(token).__name__} for {text[:40]!r}",
                    "Let it give strings",
                )
        return tokens


def characters(text: str) -> list[str]:
    """
    Return the characters of a text but for white space, as sacreBLEU's ``char`` tokenizer has them.
    """
    return list("".join(text.split()))


def scorer_tokenizer(choice: str | Tokenize) -> Tokenizer | None:
    """
    Return what the library's scorer takes as its tokenizer; None stands for its default one.

    Raises:
        ParameterError: A Python name does not lead to a function.
    """
    if choice == DEFAULT:
        return None
    if choice == WHITESPACE:
        return Tokenizer(str.split, WHITESPACE)
    if choice == CHAR:
        return Tokenizer(characters, CHAR)
    if isinstance(choice, str):
        return Tokenizer(imported(choice), choice)
    return Tokenizer(choice, getattr(choice, "__qualname__", repr(choice)))


@functools.cache
def imported(target: str) -> Callable[[str], Any]:
    """
    Return the function that ``py:module:attribute`` names.

    Raises:
        ParameterError: There is no such module, attribute or function.
    """
    _, _, path = target.partition(":")
    module, _, attribute = path.partition(":")
    remedy = "Write tokenizer='py:module:attribute' with a function that takes a text and gives a list of tokens"
    if not module or not attribute:
        raise ParameterError(f"tokenizer={target!r}", "it names no module and attribute", remedy)
    try:
        found: Any = importlib.import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except Exception as error:
        raise ParameterError(
            f"tokenizer={target!r}", f"it cannot be imported ({type(error).__name__}: {error})", remedy
        ) from error
    if not callable(found):
        raise ParameterError(f"tokenizer={target!r}", f"{attribute} is a {type(found).__name__}", remedy)
    function: Callable[[str], Any] = found
    return function


def spelled(choice: str | Tokenize) -> str | None:
    """
    Return a tokenizer as a spec spells it, or None for a function that cannot be found again by a name.
    """
    if isinstance(choice, str):
        return choice
    target = f"py:{getattr(choice, '__module__', '')}:{getattr(choice, '__qualname__', '')}"
    try:
        return target if imported(target) is choice else None
    except ParameterError:
        return None

"""
Turn texts into token columns: by a compiled scan, or by a function in Python.
"""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from tertium.errors import BadText
from tertium.native.columns import Offsets, TextColumn, TokenColumn, text_column

if TYPE_CHECKING:
    from tertium.native.interning import Vocabulary

Classes = NDArray[np.uint8]
Rewrite = Callable[[Sequence[str]], Sequence[str]]


@functools.cache
def space_classes() -> Classes:
    """
    Give the class table that knows white space only: the code points at which ``str.split`` splits.
    """
    from tertium.native.tokenizers.scan import SPACE

    classes = np.zeros(0x110000, np.uint8)
    classes[[point for point in range(0x3001) if chr(point).isspace()]] = SPACE
    classes.flags.writeable = False
    return classes


def cut(
    column: TextColumn, classes: Classes, padded: bool = False, strip_left: bool = False, strip_right: bool = False
) -> tuple[Offsets, Offsets, Offsets, Offsets]:
    """
    Find the tokens of each text by classes of code points; see ``scan`` for what these and the margins mean.

    Returns:
        For each token where it starts and ends among the code points, and its code for interning; and where each text's tokens
        start among all, with the end of the last.
    """
    from tertium.native.interning import salt
    from tertium.native.tokenizers.scan import scan

    starts, ends, codes = np.empty((3, len(column.points)), np.int64)
    offsets = np.empty(len(column) + 1, np.int64)
    count = scan(
        column.points, column.offsets, classes, padded, strip_left, strip_right, salt(), starts, ends, codes, offsets
    )
    return starts[:count], ends[:count], codes[:count], offsets


@dataclass(frozen=True)
class Tokenizer(ABC):
    """
    Cut texts into tokens.

    Args:
        signature: Everything that decides the tokens, in words.
        lowercase: Lower the case of each text.
        lower: How. ``str.lower`` sees a whole segment, so that a final sigma knows its context.
    """

    signature: str
    lowercase: bool = False
    lower: Callable[[str], str] = str.lower

    def lowering(self, lowercase: bool) -> Self:
        """
        Give this tokenizer with or without lower-casing.
        """
        return replace(self, lowercase=lowercase)

    @property
    def key(self) -> Hashable:
        """
        Give what tells this tokenizer from others in a cache.
        """
        return self.signature, self.lowercase

    def tokens(self, text: str) -> list[str]:
        """
        Cut one text into tokens.
        """
        return self.column([text])[0]

    def column(self, texts: Sequence[str], vocabulary: Vocabulary | None = None) -> TokenColumn:
        """
        Cut texts into tokens and number them.

        Args:
            texts: The texts of a chunk.
            vocabulary: What to go on from, so that ids compare with those of an earlier column.
        """
        return self._column(self._prepared(texts), vocabulary)

    def _prepared(self, texts: Sequence[str]) -> Sequence[str]:
        return [self.lower(text) for text in texts] if self.lowercase else texts

    @abstractmethod
    def _column(self, texts: Sequence[str], vocabulary: Vocabulary | None) -> TokenColumn: ...


@dataclass(frozen=True)
class ScanTokenizer(Tokenizer):
    """
    Cut texts by classes of code points, compiled.

    Args:
        classes: Gives the class of each code point (see ``scan``), 0x110000 long.
        padded: See ``scan``.
        strip_left: See ``scan``.
        strip_right: See ``scan``.
        rewrite: Changes the texts, or gives them back as they are.
        lower_last: Lower the case after rewriting, not before.
    """

    classes: Callable[[], Classes] = space_classes
    padded: bool = False
    strip_left: bool = False
    strip_right: bool = False
    rewrite: Rewrite | None = None
    lower_last: bool = False

    def _prepared(self, texts: Sequence[str]) -> Sequence[str]:
        if self.rewrite is None:
            return super()._prepared(texts)
        if self.lower_last:
            return super()._prepared(self.rewrite(texts))
        return self.rewrite(super()._prepared(texts))

    def _column(self, texts: Sequence[str], vocabulary: Vocabulary | None) -> TokenColumn:
        from tertium.native.interning import empty_vocabulary

        column = text_column(texts)
        starts, ends, codes, offsets = cut(column, self.classes(), self.padded, self.strip_left, self.strip_right)
        ids, grown = (vocabulary or empty_vocabulary()).extend(column.points, starts, ends, codes)
        return TokenColumn(ids, offsets, grown)


@dataclass(frozen=True)
class FunctionTokenizer(Tokenizer):
    """
    Cut texts by a function in Python.

    Args:
        function: Takes a text and gives its tokens, or one string with white space between them.
    """

    function: Callable[[str], Any] = str.split

    @property
    def key(self) -> Hashable:
        """
        Give what tells this tokenizer from others in a cache: two functions may share a name.
        """
        return self.signature, self.lowercase, self.function

    def _column(self, texts: Sequence[str], vocabulary: Vocabulary | None) -> TokenColumn:
        from tertium.native.interning import intern_words

        return intern_words([self._words(text) for text in texts], vocabulary)

    def _words(self, text: str) -> list[str]:
        words = self.function(text)
        if isinstance(words, str):
            return words.split()
        words = list(words)
        for word in words:
            if not isinstance(word, str):
                raise BadText(
                    f"tokenizer {self.signature}",
                    f"gave a token of type {type(word).__name__} for {text[:40]!r}",
                    "Let it give strings",
                )
        return words


@dataclass(frozen=True)
class NormalizingTokenizer(Tokenizer):
    """
    Change texts by functions in Python, then cut them by another tokenizer.

    Args:
        steps: Functions from text to text, in order.
        inner: The tokenizer.
    """

    steps: tuple[Callable[[str], str], ...] = ()
    inner: Tokenizer | None = None

    @property
    def key(self) -> Hashable:
        """
        Give what tells this tokenizer from others in a cache: two functions may share a name.
        """
        return self.signature, self.lowercase, self.steps

    def _prepared(self, texts: Sequence[str]) -> Sequence[str]:
        for step in self.steps:
            texts = [step(text) for text in texts]
        return super()._prepared(texts)

    def _column(self, texts: Sequence[str], vocabulary: Vocabulary | None) -> TokenColumn:
        assert self.inner is not None
        return self.inner.column(texts, vocabulary)

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
from tertium.native.columns import (
    SpanColumn,
    TextColumn,
    TokenColumn,
    joined_with_room,
    place_type,
    span_column,
    text_column,
)

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
        return self.spans([text])[0]

    def column(self, texts: Sequence[str], vocabulary: Vocabulary | None = None) -> TokenColumn:
        """
        Cut texts into tokens and number them.

        Args:
            texts: The texts of a chunk.
            vocabulary: What to go on from, so that ids compare with those of an earlier column.
        """
        from tertium.native.interning import empty_vocabulary

        spans = self.spans(texts)
        ids, grown = (vocabulary or empty_vocabulary()).extend(spans.points, spans.starts, spans.ends)
        return TokenColumn(ids, spans.offsets, grown)

    def spans(self, texts: Sequence[str]) -> SpanColumn:
        """
        Cut texts into tokens, as spans of code points.
        """
        return self._spans(self._prepared(texts))

    def _prepared(self, texts: Sequence[str]) -> Sequence[str]:
        return [self.lower(text) for text in texts] if self.lowercase else texts

    @abstractmethod
    def _spans(self, texts: Sequence[str]) -> SpanColumn: ...


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

    def _spans(self, texts: Sequence[str]) -> SpanColumn:
        return self.spans_of(text_column(texts, joined_with_room(texts)))

    def spans_of(self, column: TextColumn) -> SpanColumn:
        """
        Find the tokens of texts that are prepared and laid out already.
        """
        from tertium.native.tokenizers.scan import scan

        points, kind = column.points, place_type(len(column.points))
        starts, ends = np.empty(len(points) + 1, kind), np.empty(len(points) + 1, kind)
        offsets = np.empty(len(column) + 1, np.int64)
        margins = self.padded, self.strip_left, self.strip_right
        count = scan(points, column.offsets, self.classes(), *margins, starts, ends, offsets)
        return SpanColumn(points, starts[:count], ends[:count], offsets)


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

    def _spans(self, texts: Sequence[str]) -> SpanColumn:
        return span_column([self._words(text) for text in texts])

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

    def _spans(self, texts: Sequence[str]) -> SpanColumn:
        assert self.inner is not None
        return self.inner.spans(texts)

"""
Remember tokenized reference chunks, so that ten systems cut their references once.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar
from weakref import WeakSet

from tertium.native.columns import SpanColumn, TokenColumn
from tertium.native.tokenizers.tokenizer import Tokenizer

Value = TypeVar("Value")

_MEMOS: WeakSet[Memo[Any]] = WeakSet()


class Memo(Generic[Value]):
    """
    Keep what was made last, up to a number of bytes: the least recently used go first. Threads may share it.

    Args:
        limit: Bytes to keep at most. A value larger than that is made anew each time.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.used = 0
        self._kept: OrderedDict[Hashable, tuple[Value, int]] = OrderedDict()
        self._lock = threading.Lock()
        _MEMOS.add(self)

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: Hashable, make: Callable[[], Value], size: Callable[[Value], int]) -> Value:
        """
        Give the value of a key, made now or earlier.

        Args:
            key: Equal keys have equal values.
            make: Makes the value. Two threads that ask at once may both make it; one result is kept.
            size: The bytes that the value and its key hold.
        """
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key][0]
        value = make()
        taken = size(value)
        with self._lock:
            if key not in self._kept and taken <= self.limit:
                self._kept[key] = value, taken
                self.used += taken
                while self.used > self.limit:
                    self.used -= self._kept.popitem(last=False)[1][1]
        return value

    def clear(self) -> None:
        """
        Forget everything.
        """
        with self._lock:
            self._kept.clear()
            self.used = 0


def forget() -> None:
    """
    Empty every memo, as a measurement of time asks for.
    """
    for memo in list(_MEMOS):
        memo.clear()


REFERENCES: Memo[TokenColumn | SpanColumn] = Memo(256 << 20)
"""Tokenized references by what holds the tokens, tokenizer and texts, 256 MB."""


def key_bytes(texts: tuple[str, ...]) -> int:
    """
    Bound the bytes that texts take which a key keeps alive: four for each code point, and what each object costs.
    """
    return 4 * len("".join(texts)) + 88 * len(texts)


def reference_tokens(texts: tuple[str, ...], tokenizer: Tokenizer) -> TokenColumn:
    """
    Tokenize the references of a chunk, or give them as they were tokenized before.

    The key holds the texts themselves, not a digest: equal keys mean equal references.

    Args:
        texts: The references of all cases of the chunk, as ``Cases.flat_references`` holds them.
        tokenizer: How to cut them.
    """

    kept = REFERENCES.get(("tokens", tokenizer.key, texts), lambda: tokenizer.column(texts), _size(texts))
    assert isinstance(kept, TokenColumn)
    return kept


def reference_spans(texts: tuple[str, ...], tokenizer: Tokenizer) -> SpanColumn:
    """
    Cut the references of a chunk into spans, or give them as they were cut before.

    Args:
        texts: As for :func:`reference_tokens`.
        tokenizer: How to cut them.
    """
    kept = REFERENCES.get(("spans", tokenizer.key, texts), lambda: tokenizer.spans(texts), _size(texts))
    assert isinstance(kept, SpanColumn)
    return kept


def _size(texts: tuple[str, ...]) -> Callable[[TokenColumn | SpanColumn], int]:
    return lambda made: made.nbytes + key_bytes(texts)

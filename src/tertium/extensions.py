"""
Look up what plugins offer beside metrics: tokenizers, normalizers, readers, conformance cases, known divergences, conventions.

What is built in is looked up first and by its owner; only a name that is not built in makes this module load the plugins.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from tertium.errors import UsageError

Kind = Literal["tokenizers", "normalizers", "readers", "cases", "divergences", "conventions"]


@dataclass(frozen=True)
class Offer:
    """
    Hold one thing that a plugin offers.

    Attributes:
        name: What it is asked for by.
        value: The function, format, file or family.
        distribution: Name of the distribution that offers it.
        version: That distribution's version.
        problems: The plugin's list of problems; whoever uses the offer adds what is wrong with it.
    """

    name: str
    value: Any
    distribution: str
    version: str
    problems: list[str]


_state = threading.local()


@contextlib.contextmanager
def loading() -> Iterator[None]:
    """
    Mark that plugins are being loaded in this thread: until they are, there is nothing to look up.
    """
    before = getattr(_state, "loading", False)
    _state.loading = True
    try:
        yield
    finally:
        _state.loading = before


def refuse_while_loading() -> None:
    """
    Refuse to look plugins up while they are being loaded, which would never end.

    Raises:
        UsageError: This thread is loading plugins.
    """
    if getattr(_state, "loading", False):
        raise UsageError(
            "metrics were asked for while plugins are loaded", "they are not known yet", "Ask inside a function"
        )


def offered(kind: Kind) -> Mapping[str, Offer]:
    """
    Return everything of one kind that the installed plugins offer, by name.
    """
    if getattr(_state, "loading", False):
        return MappingProxyType({})
    from tertium.registry import registry

    return registry().offers.get(kind, MappingProxyType({}))


def find(kind: Kind, name: str) -> Offer | None:
    """
    Return what a plugin offers under a name, or None.
    """
    return offered(kind).get(name)

"""
Read from a function's signature which argument is the hypothesis and which the references.
"""

from __future__ import annotations

import collections.abc
import inspect
import re
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tertium.errors import ParameterError
from tertium.shapes import First, Shape, Source

_ROLES = {
    "hypothesis": re.compile(r"hyp|pred|cand|sys|out|translat|mt|gen|answer|response|decoded|y_pred"),
    "references": re.compile(r"ref|gold|target|tgt|tru|label|expected|correct|gt|y_true"),
    "source": re.compile(r"src|source|input|original"),
}
_PREFIX = re.compile(r"(?:_+|the_|list_of_|list_|all_|my_)*")
_LISTS = (list, tuple, collections.abc.Sequence, collections.abc.Iterable, collections.abc.Collection)


@dataclass(frozen=True)
class Arguments:
    """
    Hold what a signature says.

    Attributes:
        first: What the first argument is, or None where the names do not say.
        source: Where the source stands, if it is an argument.
        names: Names of arguments that can be given by name only, in the order in which they are given.
        depths: How deep lists are nested by the annotations of hypothesis and references; None where that is open.
        called: What the two are called, in their places.
        named: What the names say that the first argument is, whatever was declared; None where they do not say.
    """

    label: str
    first: First | None
    source: Source
    names: tuple[str, ...] = ()
    depths: tuple[int | None, int | None] = (None, None)
    called: tuple[str, ...] = ()
    named: First | None = None

    @property
    def swapped(self) -> Arguments | None:
        """
        The same arguments taken the other way round than their names say, or None where these do not say.
        """
        if self.named is None:
            return None
        first: First = "references" if self.named == "hypothesis" else "hypothesis"
        return replace(self, first=first, depths=self.depths if self.first == first else self.depths[::-1])

    def allows(self, shape: Shape) -> bool:
        """
        Say whether the annotations leave a shape open.
        """
        places = (0, 1) if self.first is not None or shape.first == "hypothesis" else (1, 0)
        hypothesis, references = self.depths[places[0]], self.depths[places[1]]
        depth = (shape.input == "tokens") + (shape.level == "corpus")
        return hypothesis in (None, depth) and references in (None, depth + (shape.references != "one"))


def role(name: str) -> str | None:
    """
    Return what an argument of a name must be: ``hypothesis``, ``references``, ``source``, or None.
    """
    bare = name.lower()[_PREFIX.match(name.lower()).end() :]  # type: ignore[union-attr]
    return next((found for found, pattern in _ROLES.items() if pattern.match(bare)), None)


def arguments_of(function: Callable[..., Any], label: str, declared: Mapping[str, Any]) -> Arguments:
    """
    Read a function's signature.

    Args:
        declared: What was declared about ``first`` and ``source``.

    Raises:
        ParameterError: It cannot be called with hypotheses and references alone.
    """
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # a builtin that does not tell
        return Arguments(label, declared["first"], declared["source"] or "none")
    placed = [one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    more = any(one.kind is one.VAR_POSITIONAL for one in parameters)
    named = [one for one in parameters if one.kind is one.KEYWORD_ONLY and one.default is one.empty]
    required = [one for one in placed if one.default is one.empty]
    roles = [role(one.name) for one in placed]
    source: Source = declared["source"] or _source(required, roles)
    wanted = 2 if source == "none" else 3
    if not placed and not more and named:
        return _by_name(function, label, named, source)
    if named or len(required) > wanted or (len(placed) < wanted and not more):
        raise _wrong_count(label, parameters, [one.name for one in (*required, *named)], wanted)
    start = 1 if source == "first" else 0
    texts = list(range(start, min(start + 2, len(placed))))
    told = _first([roles[index] for index in texts])
    first = declared["first"] or told
    called = tuple(placed[index].name for index in texts)
    depths = _depths(function, called) if len(called) == 2 else (None, None)
    if first == "references":
        depths = (depths[1], depths[0])
    return Arguments(label, first, source, (), depths, called, told)


def _source(required: list[inspect.Parameter], roles: list[str | None]) -> Source:
    if len(required) == 3 and roles[0] == "source":
        return "first"
    return "last" if len(required) == 3 and roles[2] == "source" else "none"


def _first(roles: list[str | None]) -> First | None:
    if roles[:1] == ["references"] or roles[1:2] == ["hypothesis"]:
        return None if roles[:2] in (["references"] * 2, ["hypothesis"] * 2) else "references"
    if roles[:1] == ["hypothesis"] or roles[1:2] == ["references"]:
        return "hypothesis"
    return None


def _by_name(function: Callable[..., Any], label: str, named: list[inspect.Parameter], source: Source) -> Arguments:
    found = {role(one.name): one.name for one in named}
    order = ["hypothesis", "references"]
    if "source" in found:
        source = "last" if source == "none" else source
        order.insert(0 if source == "first" else 2, "source")
    if set(found) != set(order) or len(named) != len(order):
        raise _wrong_count(label, named, [one.name for one in named], len(order))
    depths = _depths(function, [str(found["hypothesis"]), str(found["references"])])
    return Arguments(label, "hypothesis", source, tuple(str(found[one]) for one in order), depths)


def _wrong_count(label: str, parameters: list[Any], needed: list[str], wanted: int) -> ParameterError:
    takes = ", ".join(str(one) for one in parameters) or "nothing"
    return ParameterError(
        f"{label} as a metric",
        f"it is called with {'hypotheses and references' if wanted == 2 else 'hypotheses, references and sources'}, and "
        f"it takes ({takes})" + (f", of which {', '.join(needed)} must be given" if len(needed) > wanted else ""),
        "Give a function of these alone, for instance lambda hypothesis, references: your_function(...)",
    )


def _depths(function: Callable[..., Any], names: Sequence[str]) -> tuple[int | None, int | None]:
    try:
        hints = typing.get_type_hints(function)
    except Exception:  # annotations are the author's own, and need not be types
        return None, None
    one, other = (_depth(hints.get(name)) for name in names)
    return one, other


def _depth(hint: Any) -> int | None:
    if hint is str:
        return 0
    if typing.get_origin(hint) in _LISTS:
        inner = [one for one in typing.get_args(hint) if one is not Ellipsis]
        depths = {_depth(one) for one in inner}
        found = depths.pop() if len(depths) == 1 else None
        return None if found is None else found + 1
    return None

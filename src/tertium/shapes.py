"""
Say in which shape a plain function takes texts and gives its value, and call it that way.

A shape is what a person would read from the function's first lines: strings or lists of tokens, one case or a whole
corpus, one reference or several and how they are nested, which argument comes first, where in the result the number
stands.
"""

from __future__ import annotations

import contextlib
import inspect
import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from tertium.cases import Cases
from tertium.errors import DataError

Input = Literal["strings", "tokens"]
Level = Literal["segment", "corpus"]
References = Literal["one", "list", "streams"]
First = Literal["hypothesis", "references"]
Source = Literal["none", "first", "last"]

Cut = Callable[[str], Sequence[str]]

NUMBER = "number"
"""The result is the number itself."""


class BadResult(Exception):
    """
    A function returned something that is no number.
    """


@dataclass(frozen=True)
class Shape:
    """
    Hold how a function is called.

    Attributes:
        input: Whether a text is a string or a list of tokens.
        level: Whether the function is called with one case or with lists of all.
        references: A case's one reference; a list of them for each case; or, for a corpus, streams: a list for each
            set of references, as long as the list of hypotheses.
        first: What the first argument is.
        source: Whether the source text is an argument, and where.
        names: Names of the arguments where they can be given by name only, in the order of ``arguments``.
    """

    input: Input
    level: Level
    references: References
    first: First
    source: Source = "none"
    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        parts = [f"input={self.input}", f"level={self.level}", f"references={self.references}", f"first={self.first}"]
        return ",".join(parts if self.source == "none" else [*parts, f"source={self.source}"])

    def arguments(self, cases: Cases, cut: Cut) -> list[Any]:
        """
        Return the arguments of one call with a corpus, made anew: what a function does to them changes nothing else.

        Args:
            cut: Cuts a text into tokens.

        Raises:
            DataError: The references cannot be laid out that way.
        """
        if self.level == "segment":
            source = cases.sources[0] if cases.sources else None
            return self.segment(cases.hypotheses[0], cases.flat_references[: int(cases.bounds[1])], source, cut)
        text = self._text(cut)
        flat = [text(one) for one in cases.flat_references]
        ends = cases.bounds.tolist()
        rows = [flat[ends[i] : ends[i + 1]] for i in range(len(cases))]
        references: list[Any]
        if self.references == "one":
            references = [row[0] for row in rows]
        else:
            references = rows if self.references == "list" else self._streams(rows, cases)
        return self._ordered([text(one) for one in cases.hypotheses], references, [*map(text, cases.sources or ())])

    def holds(self, cases: Cases) -> bool:
        """
        Say whether the references of these cases can be laid out that way: streams need as many for each case.
        """
        return self.references != "streams" or len(np.unique(cases.reference_counts)) <= 1

    def segment(self, hypothesis: str, references: Sequence[str], source: str | None, cut: Cut) -> list[Any]:
        """
        Return the arguments of one call with one case.
        """
        text = self._text(cut)
        given = text(references[0]) if self.references == "one" else [text(one) for one in references]
        return self._ordered(text(hypothesis), given, None if source is None else text(source))

    def _text(self, cut: Cut) -> Callable[[str], Any]:
        return str if self.input == "strings" else lambda one: list(cut(one))

    def _ordered(self, hypothesis: Any, references: Any, source: Any) -> list[Any]:
        found = [hypothesis, references] if self.first == "hypothesis" else [references, hypothesis]
        if self.source != "none":
            found.insert(0 if self.source == "first" else 2, source)
        return found

    @staticmethod
    def _streams(rows: list[list[Any]], cases: Cases) -> list[Any]:
        few, many = min(map(len, rows)), max(map(len, rows))
        if few != many:
            odd = next(i for i, row in enumerate(rows) if len(row) != len(rows[0]))
            raise DataError(
                "streams of references, one a set",
                f"case {int(cases.positions[0])} has {len(rows[0])} and case {int(cases.positions[odd])} has "
                f"{len(rows[odd])}, so the sets are not equally long",
                "Give every case as many references, or take a function of references=list",
            )
        return [list(stream) for stream in zip(*rows, strict=True)]

    def call(self, function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
        """
        Call the function.

        Raises:
            BadResult: It is asynchronous: nothing awaits what it returns.
        """
        if self.names:
            found = function(**dict(zip(self.names, arguments, strict=True)))
        else:
            found = function(*arguments)
        if inspect.iscoroutine(found):
            found.close()  # else Python complains that nothing awaited it
            raise BadResult("a coroutine, since it is an async function; give a plain one that awaits it (asyncio.run)")
        return found


@contextlib.contextmanager
def seeded(seed: int) -> Iterator[None]:
    """
    Seed the generators that functions share, and leave them afterwards as they were.
    """
    states = random.getstate(), np.random.get_state()
    random.seed(seed)
    np.random.seed(seed)
    try:
        yield
    finally:
        random.setstate(states[0])
        np.random.set_state(states[1])


def copied(value: Any) -> Any:
    """
    Copy lists within lists; strings are what they are.
    """
    return [copied(one) for one in value] if isinstance(value, list) else value


def picked(value: Any, result: str | int) -> Any:
    """
    Return the part of a result that a declaration names: an index, a key or an attribute, with dots between steps.

    Raises:
        BadResult: There is no such part.
    """
    if result == NUMBER:
        return value
    for step in [result] if isinstance(result, int) else result.split("."):
        try:
            if isinstance(value, Mapping):
                value = value[step] if step in value else value[int(step)]
            elif isinstance(step, int) or step.lstrip("-").isdecimal():
                value = value[int(step)]
            else:
                value = getattr(value, step)
        except (LookupError, AttributeError, TypeError, ValueError) as error:
            raise BadResult(f"{described(value)}, which has no {step!r}") from error
    return value


def number(value: Any) -> float:
    """
    Return a result as a float: numbers of Python and NumPy, and what holds exactly one without a shape.

    Raises:
        BadResult: It is none; the message describes what it is.
    """
    scalar = hasattr(value, "__float__") and not isinstance(value, (str, bytes))
    if not scalar or getattr(value, "shape", ()) != ():
        raise BadResult(described(value))
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
    except (TypeError, ValueError) as error:
        raise BadResult(described(value)) from error


def described(value: Any) -> str:
    """
    Say what a result is, briefly.
    """
    if value is None:
        return "None"
    if isinstance(value, Mapping):
        return f"a mapping with {_listed(list(value))}"
    if isinstance(value, str):
        return f"the text {value[:40]!r}"
    fields = getattr(value, "_fields", None)
    if fields:
        return f"a {type(value).__name__} with {_listed(list(fields))}"
    shape = getattr(value, "shape", None)
    if shape:
        return f"an array of shape {tuple(shape)}"
    if isinstance(value, (list, tuple)):
        return f"a {type(value).__name__} of {len(value)} value{'s' if len(value) != 1 else ''}"
    held = getattr(value, "__dict__", None)
    if held and not callable(value):
        return f"a {type(value).__name__} with {_listed(list(held))}"
    return f"a {type(value).__name__}"


def _listed(names: list[Any]) -> str:
    shown = ", ".join(str(name)[:40] for name in names[:8])
    return (shown or "nothing") + (f" and {len(names) - 8} more" if len(names) > 8 else "")


def parts_of(value: Any) -> dict[str, float]:
    """
    Return the numbers among a result's entries, by the name that ``result=`` takes.
    """
    if isinstance(value, Mapping):
        found = {str(key): one for key, one in value.items()}
    elif getattr(value, "_fields", None):
        found = {name: getattr(value, name) for name in value._fields}
    elif isinstance(value, (list, tuple)):
        found = {str(place): one for place, one in enumerate(value)}
    else:
        found = {name: one for name, one in getattr(value, "__dict__", {}).items() if not name.startswith("_")}
    kept = {}
    for name, one in found.items():
        try:
            kept[name] = number(one)
        except BadResult:
            continue
    return kept

"""
Read a metric's parameters from the one place where they are declared: its constructor.

A parameter is a keyword-only constructor parameter. Its type says which values it takes; a one-line help and a
:class:`Range` or :class:`Choices` stand beside the type::

    def __init__(
        self,
        *,
        lowercase: Annotated[bool, "Lower-case all texts first"] = False,
        max_order: Annotated[int, "Longest n-gram", Range(1, 9)] = 4,
        tokenize: Annotated[str, "Tokenizer", Choices("13a", "none", "spm:<file>")] = "13a",
    ) -> None: ...

The spec parser, ``tertium show``, the signature and the validation all read this declaration.
"""

from __future__ import annotations

import inspect
import math
import re
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated, Any, Literal, Union

from tertium.errors import ParameterError, did_you_mean
from tertium.extensions import Kind, Offer, find

_ARGUMENT = re.compile(r'\((?:[^"()]|"(?:[^"\\]|\\.)*+")*+\)', re.DOTALL)
"""What a text step takes, in parentheses: ``remove-words(["uh"])``."""


@dataclass(frozen=True)
class Range:
    """
    Bound a number, both ends included unless said otherwise.
    """

    low: float | None = None
    high: float | None = None
    open_low: bool = False

    def holds(self, value: float) -> bool:
        above = self.low is None or (value > self.low if self.open_low else value >= self.low)
        return above and (self.high is None or value <= self.high)

    def __str__(self) -> str:
        if self.low is not None and self.high is not None:
            return f"{self.low:g} to {self.high:g}" + (f", not {self.low:g} itself" if self.open_low else "")
        if self.low is not None:
            return f"more than {self.low:g}" if self.open_low else f"at least {self.low:g}"
        return f"at most {self.high:g}" if self.high is not None else "any"


@dataclass(frozen=True)
class Choices:
    """
    List the texts that a parameter takes; ``prefix:<what>`` stands for any text with that prefix.

    Args:
        offers: Take what plugins offer, too: ``tokenizers`` (after normalizers with ``+`` between, as
            ``plain-dashes+13a``) or ``normalizers``.
    """

    values: tuple[str, ...]
    offers: Kind | None = None

    def __init__(self, *values: str, offers: Kind | None = None) -> None:
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "offers", offers)

    def holds(self, value: str) -> bool:
        for choice in self.values:
            stem, mark, _ = choice.partition("<")
            if value == choice or (mark and value.startswith(stem) and len(value) > len(stem)):
                return True
        return bool(self.offers) and self._offered(value) is not None

    def _offered(self, value: str) -> list[Offer] | None:
        """
        Return what plugins offer of a value, or None where it is neither theirs nor built in.
        """
        if self.offers is None:
            return None
        *steps, last = value.split("+") if self.offers == "tokenizers" else [value]
        if not steps and last in self.values:
            return []
        found = [*(find("normalizers", step) for step in steps), find(self.offers, last)]
        return [one for one in found if one is not None] if None not in found else None

    def distributions(self, value: str) -> dict[str, str]:
        """
        Return the distributions, name to version, whose offers a value uses, be it one step or several with ``+`` between.
        """
        if self.offers is None:
            return {}
        *steps, last = _ARGUMENT.sub("", value).split("+")
        asked = [*(("normalizers", step) for step in steps), (self.offers, last)]
        found = [find(kind, name) for kind, name in asked if name not in self.values]
        return {offer.distribution: offer.version for offer in found if offer is not None}


@dataclass(frozen=True)
class Parameter:
    """
    Describe one parameter.

    Attributes:
        kinds: The types that a value may have.
        choices: The values that it takes, or () when the type alone decides.
        default: The default, or ``inspect.Parameter.empty`` where a value must be given.
        help: One line.
        axis: The convention axis that the parameter moves, where it is declared.
    """

    name: str
    kinds: tuple[type, ...]
    choices: tuple[Any, ...]
    default: Any
    help: str
    range: Range | None = None
    open_choices: Choices | None = None
    nullable: bool = False
    callable: bool = False
    axis: str | None = field(default=None)

    def check(self, metric: str, value: Any) -> Any:
        """
        Return the value as the constructor takes it.

        Raises:
            ParameterError: The value is not one that the parameter takes.
        """
        if value is None:
            if self.nullable:
                return None
            # A spec's bare word `none` arrives as None; where a choice bears that name, it is the choice.
            value = "none" if "none" in self.texts else value
        if self.callable and callable(value):
            return value
        fit = self._fit(value)
        if fit is None:
            shown = repr(value)
            truth = f"it takes {self.domain}" + (f"; default {self.shown_default}" if self.has_default else "")
            hint = did_you_mean(value, map(str, self.texts)) if isinstance(value, str) else ""
            raise ParameterError(f"{metric} cannot take {self.name}={shown}", truth, hint)
        return fit[0]

    def _fit(self, value: Any) -> tuple[Any] | None:
        if self.choices:
            return next(
                ((c,) for c in self.choices if c == value and isinstance(value, bool) == isinstance(c, bool)), None
            )
        if bool in self.kinds and isinstance(value, bool):
            return (value,)
        if isinstance(value, bool):
            return None
        if int in self.kinds and isinstance(value, int):
            return (value,) if self.range is None or self.range.holds(value) else None
        if float in self.kinds and (isinstance(value, (int, float)) or value in ("inf", "-inf")):
            number = float(value)
            return (number,) if not math.isnan(number) and (self.range or Range()).holds(number) else None
        if str in self.kinds and isinstance(value, (str, int, float)):
            text = str(value)
            return (text,) if self.open_choices is None or self.open_choices.holds(text) else None
        return None

    @property
    def has_default(self) -> bool:
        """
        Whether the parameter may be left out.
        """
        return self.default is not inspect.Parameter.empty

    @property
    def shown_default(self) -> str:
        """
        The default as a spec writes it.
        """
        from tertium.spec import format_value

        return format_value(self.default) if self.has_default else "(must be given)"

    @property
    def texts(self) -> tuple[Any, ...]:
        """
        The choices, those with a placeholder included.
        """
        return self.choices or (self.open_choices.values if self.open_choices else ())

    @property
    def domain(self) -> str:
        """
        The values that the parameter takes, in words.
        """
        if self.texts:
            names = [value if isinstance(value, str) else str(value).lower() for value in self.texts]
        elif bool in self.kinds:
            names = ["true", "false"]
        else:
            words = {int: "a whole number", float: "a number", str: "a text"}
            names = [" or ".join(words.get(kind, kind.__name__) for kind in self.kinds)]
            if self.range is not None:
                names[0] += f", {self.range}"
        if self.open_choices is not None and self.open_choices.offers is not None:
            names.append(f"what plugins offer ({self.open_choices.offers})")
        if self.callable:
            names.append("a Python callable")
        if self.nullable:
            names.append("none")
        return ", ".join(names)


def parameters_of(metric: Callable[..., Any]) -> Mapping[str, Parameter]:
    """
    Return a metric class's parameters by name, in the order of declaration.

    Raises:
        TypeError: The constructor has a parameter that is not keyword-only (a fault of the metric's author).
    """
    return _parameters_of(metric)


@lru_cache(maxsize=1024)
def _parameters_of(metric: Callable[..., Any]) -> Mapping[str, Parameter]:
    constructor: Any = getattr(metric, "__init__") if isinstance(metric, type) else metric  # noqa: B009 - the class's own
    if constructor is object.__init__:
        return types.MappingProxyType({})
    try:
        hints = typing.get_type_hints(constructor, include_extras=True)
    except NameError as error:
        raise TypeError(f"{metric.__qualname__}: a parameter's type cannot be resolved: {error}") from error
    found: dict[str, Parameter] = {}
    for name, declared in list(inspect.signature(constructor).parameters.items()):
        if name == "self" or declared.kind in (declared.VAR_POSITIONAL, declared.VAR_KEYWORD):
            continue
        if declared.kind is not declared.KEYWORD_ONLY:
            raise TypeError(f"{metric.__qualname__}: the parameter {name!r} must be keyword-only (put `*` before it)")
        found[name] = _declare(name, hints.get(name, Any), declared.default)
    return types.MappingProxyType(found)


def _declare(name: str, hint: Any, default: Any) -> Parameter:
    notes: tuple[Any, ...] = ()
    if typing.get_origin(hint) is Annotated:
        hint, *rest = typing.get_args(hint)
        notes = tuple(rest)
    members = typing.get_args(hint) if typing.get_origin(hint) in (Union, types.UnionType) else (hint,)
    choices: list[Any] = []
    kinds: list[type] = []
    nullable = takes_callable = False
    for member in members:
        if member is type(None) or member is None:
            nullable = True
        elif typing.get_origin(member) is Literal:
            choices += typing.get_args(member)
        elif isinstance(member, type) and member in (bool, int, float, str):
            kinds.append(member)
        else:
            takes_callable = True
    if None in choices:
        choices.remove(None)
        nullable = True
    return Parameter(
        name=name,
        kinds=tuple(kinds),
        choices=tuple(choices),
        default=default,
        help=next((note for note in notes if isinstance(note, str)), ""),
        range=next((note for note in notes if isinstance(note, Range)), None),
        open_choices=next((note for note in notes if isinstance(note, Choices)), None),
        nullable=nullable,
        callable=takes_callable,
    )


def bind(metric: Callable[..., Any], label: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """
    Check values against a metric class's parameters and return them as its constructor takes them.

    Args:
        label: How messages name the metric, for instance ``bleu@sacrebleu``.

    Raises:
        ParameterError: A parameter is unknown, missing, or has a value that it does not take.
    """
    declared = parameters_of(metric)
    for name in values:
        if name not in declared:
            takes = ", ".join(declared) or "none"
            near = did_you_mean(name, declared)
            shown = near.removesuffix("?").removeprefix("Did you mean ")
            hint = (
                f"Did you mean {shown} ({declared[shown].domain}; default {declared[shown].shown_default})?"
                if near
                else ""
            )
            raise ParameterError(f"{label} has no parameter {name!r}", f"it takes {takes}", hint)
    bound = {name: declared[name].check(label, value) for name, value in values.items()}
    missing = [name for name, parameter in declared.items() if not parameter.has_default and name not in bound]
    if missing:
        raise ParameterError(
            f"{label} needs {missing[0]}",
            declared[missing[0]].help or "it has no default",
            f"Write {label}({missing[0]}=...)",
        )
    return bound

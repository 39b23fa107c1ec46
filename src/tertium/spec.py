"""
Read and write specs: ``bleu@sacrebleu(tokenize=intl).bp``.

The grammar::

    spec   = metric [ "@" provider [ "==" version ] ] [ params ] [ "." output ]
           | "py:" module ":" attribute [ params [ "." output ] ]
    params = "(" [ pair { "," pair } ] ")"     for Python, files and reports
           | ":" pair { "," pair }             for a shell, where "(" would need quotes
    pair   = key "=" value
    value  = true | false | none | number | word | 'quoted text'

A bare word is made of letters, digits, ``_``, ``+`` and ``-``; a bare number may hold a dot and an exponent;
everything else stands in single quotes, inside which ``\\'`` and ``\\\\`` stand for ``'`` and ``\\``.
The attribute of a Python object may hold dots, so its output follows parentheses: ``py:mine:scorers.f1().recall``.
A spec is what a person writes; the complete account of a score is its signature.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from tertium.errors import SpecError

Value = bool | int | float | str | None

_WORD = re.compile(r"[A-Za-z0-9_+-]+")
_NUMBER = re.compile(r"-?[0-9]{1,300}(\.[0-9]{1,300})?([eE][+-]?[0-9]{1,9})?(?![A-Za-z0-9_+-])")
_VERSION = re.compile(r"[A-Za-z0-9_.+!-]+")
_QUOTED = re.compile(r"'((?:[^'\\]|\\['\\])*)'", re.DOTALL)
_CALLABLE = re.compile(r"py:([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*):([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)")
_CONSTANTS: dict[str, Value] = {"true": True, "false": False, "none": None}


@dataclass(frozen=True)
class Spec:
    """
    Name a metric, who computes it, under which parameters, and which output is wanted.

    Attributes:
        metric: The metric's name, or ``py:module:attribute``.
        provider: The provider's name, ``all``, or None for the default one.
        version: The version that must be installed, or None.
        params: Parameter names to values; read-only.
        output: The output that counts as the value, or None for the headline.
    """

    metric: str
    provider: str | None = None
    version: str | None = None
    params: Mapping[str, Value] = field(default_factory=dict)
    output: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "params", MappingProxyType({key: self.params[key] for key in sorted(self.params)}))

    def __hash__(self) -> int:
        return hash((self.metric, self.provider, self.version, tuple(self.params.items()), self.output))

    def __reduce__(self) -> tuple[object, ...]:
        return Spec, (self.metric, self.provider, self.version, dict(self.params), self.output)

    def __str__(self) -> str:
        text = self.metric
        if self.provider is not None:
            text += f"@{self.provider}"
        if self.version is not None:
            bare = _VERSION.fullmatch(self.version) and self.output is None
            text += f"=={self.version if bare else _quote(self.version)}"
        # An attribute may hold dots itself: only behind parentheses is a further name an output.
        if self.params or (self.output is not None and self.metric.startswith("py:")):
            text += "(" + ",".join(f"{key}={format_value(value)}" for key, value in self.params.items()) + ")"
        if self.output is not None:
            text += f".{self.output}"
        return text

    def with_params(self, params: Mapping[str, Value]) -> Spec:
        """
        Return the same spec with these parameters instead of its own.
        """
        return replace(self, params=dict(params))


def format_value(value: Value) -> str:
    """
    Write a parameter's value so that the parser reads the same value back.
    """
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        text = repr(value)
        return text if _NUMBER.fullmatch(text) else _quote(text)
    bare = _WORD.fullmatch(value) and value not in _CONSTANTS and not _NUMBER.fullmatch(value)
    return value if bare else _quote(value)


def _quote(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def parse(text: str) -> Spec:
    """
    Read one spec.

    Raises:
        SpecError: The text does not follow the grammar; the error says where.
    """
    if not isinstance(text, str):
        raise SpecError(repr(text), 0, "a text")
    return _Parser(text).spec()


class _Parser:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def spec(self) -> Spec:
        found = _CALLABLE.match(self.text)
        if found:
            self.at = found.end()
            return self.rest(found.group(), None, None)
        if self.text.startswith("py:"):
            raise SpecError(self.text, len("py:"), "module:name of something in Python")
        metric = self.word("a metric's name")
        provider = version = None
        if self.take("@"):
            provider = self.word("a provider's name")
            if self.take("=="):
                version = self.version()
        return self.rest(metric, provider, version)

    def rest(self, metric: str, provider: str | None, version: str | None) -> Spec:
        output = None
        params: dict[str, Value] = {}
        if self.take("("):
            if not self.take(")"):
                self.pairs(params)
                self.demand(")", "a comma or a closing parenthesis")
        elif self.take(":"):
            self.pairs(params)
        if self.take("."):
            output = self.word("an output's name")
        if self.at != len(self.text):
            raise SpecError(self.text, self.at, "the end")
        return Spec(metric, provider, version, params, output)

    def pairs(self, params: dict[str, Value]) -> None:
        while True:
            start = self.at
            key = self.word("a parameter's name")
            if key in params:
                raise SpecError(self.text, start, "a parameter that was not given before")
            self.demand("=", "an equals sign")
            params[key] = self.value()
            if not self.take(","):
                return

    def value(self) -> Value:
        quoted = self.quoted()
        if quoted is not None:
            return quoted
        number = _NUMBER.match(self.text, self.at)
        if number:
            if number.group(1) is None and number.group(2) is None:
                self.at = number.end()
                return int(number.group())
            if math.isinf(float(number.group())):
                raise SpecError(self.text, self.at, "a number that a double can hold")
            self.at = number.end()
            return float(number.group())
        word = self.word("a value (quote what is not a word or a number)")
        return _CONSTANTS.get(word, word)

    def version(self) -> str:
        quoted = self.quoted()
        if quoted is not None:
            return quoted
        found = _VERSION.match(self.text, self.at)
        if not found:
            raise SpecError(self.text, self.at, "a version")
        self.at = found.end()
        return found.group()

    def quoted(self) -> str | None:
        if not self.text.startswith("'", self.at):
            return None
        found = _QUOTED.match(self.text, self.at)
        if not found:
            raise SpecError(self.text, self.at, "a quoted text that is closed")
        self.at = found.end()
        return re.sub(r"\\(.)", r"\1", found.group(1))

    def word(self, expected: str) -> str:
        found = _WORD.match(self.text, self.at)
        if not found:
            raise SpecError(self.text, self.at, expected)
        self.at = found.end()
        return found.group()

    def take(self, mark: str) -> bool:
        if self.text.startswith(mark, self.at):
            self.at += len(mark)
            return True
        return False

    def demand(self, mark: str, expected: str) -> None:
        if not self.take(mark):
            raise SpecError(self.text, self.at, expected)

"""
Parameters: one declaration, read by everyone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

import pytest

from tertium import Choices, Metric, Range
from tertium.errors import ParameterError
from tertium.parameters import bind, parameters_of


class Sample(Metric):
    """Have one parameter of each kind."""

    name, provider = "sample", "test"

    def __init__(
        self,
        *,
        lowercase: Annotated[bool, "Lower-case first"] = False,
        order: Annotated[int, "Longest n-gram", Range(1, 9)] = 4,
        beta: Annotated[float | None, "Weight", Range(0, open_low=True)] = 2.0,
        smooth: Annotated[Literal["none", "exp"], "Smoothing"] = "exp",
        tokenize: Annotated[str | Callable[[str], list[str]], "Tokenizer", Choices("13a", "spm:<file>")] = "13a",
        needed: Annotated[str, "Has no default"],
    ) -> None:
        self.lowercase, self.order, self.beta = lowercase, order, beta
        self.smooth, self.tokenize, self.needed = smooth, tokenize, needed


@pytest.mark.parametrize(
    ("given", "bound"),
    [
        ({"order": 9}, 9),
        ({"beta": 1}, 1.0),
        ({"beta": None}, None),
        ({"beta": "inf"}, float("inf")),
        ({"tokenize": "spm:a b.model"}, "spm:a b.model"),
        ({"tokenize": str.split}, str.split),
        ({"smooth": "none"}, "none"),
        ({"smooth": None}, "none"),
        ({"needed": 13}, "13"),
    ],
)
def test_values_in_the_domain_are_taken(given: dict[str, Any], bound: Any) -> None:
    """A value of the declared type, choice and range is bound, converted where the type asks for it."""
    (name,) = given
    value = bind(Sample, "sample", {"needed": "x", **given})[name]

    assert bound == value
    assert type(bound) is type(value)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"order": 0}, "order=0: it takes a whole number, 1 to 9; default 4"),
        ({"order": 2.5}, "order=2.5"),
        ({"order": True}, "order=True"),
        ({"beta": 0}, "more than 0"),
        ({"beta": float("nan")}, "beta=nan"),
        ({"smooth": "expp"}, "smooth='expp': it takes none, exp; default exp. Did you mean exp"),
        ({"order": None}, "order=None"),
        ({"tokenize": "moses"}, "it takes 13a, spm:<file>, a Python callable"),
        ({"tokenize": "spm:"}, "tokenize='spm:'"),
        ({"lowercase": 1}, "it takes true, false"),
        ({"lowcase": True}, r"no parameter 'lowcase'.*Did you mean lowercase \(true, false; default false\)"),
    ],
)
def test_values_outside_the_domain_are_refused(given: dict[str, Any], words: str) -> None:
    """A value outside the domain is refused with the domain, the default and the nearest name."""
    with pytest.raises(ParameterError, match=words):
        bind(Sample, "sample", {"needed": "x", **given})


def test_missing_value_is_named() -> None:
    """A parameter without default must be given."""
    with pytest.raises(ParameterError, match="sample needs needed"):
        bind(Sample, "sample", {})


def test_direct_construction_checks_as_the_spec_does() -> None:
    """The class refuses what the spec parser would refuse."""
    with pytest.raises(ParameterError, match="order=0"):
        Sample(needed="x", order=0)
    with pytest.raises(ParameterError, match="given by name"):
        Sample("x")  # type: ignore[misc, call-arg]


def test_order_help_and_defaults_come_from_the_declaration() -> None:
    """Names stand in the order of declaration, with help and default."""
    declared = parameters_of(Sample)

    assert list(declared) == ["lowercase", "order", "beta", "smooth", "tokenize", "needed"]
    assert (declared["order"].help, declared["order"].default) == ("Longest n-gram", 4)


def test_positional_parameter_is_the_authors_fault() -> None:
    """A constructor with positional parameters is refused with the name."""

    def make(lowercase: bool = False) -> None: ...

    with pytest.raises(TypeError, match="'lowercase' must be keyword-only"):
        parameters_of(make)

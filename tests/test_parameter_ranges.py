"""
Ranges: at the ends of every numeric parameter an adapter still has the equivalent that it declares.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

import tertium
from tertium.errors import DataError, ParameterError, TertiumError
from tertium.parameters import Parameter, parameters_of
from tertium.registry import KNOWN_PROVIDERS, registry
from tertium.spec import Spec

CASES = tertium.Cases(
    ["a b c d e f", "the cat sat on the mat", "x y"],
    [["a b d c e g"], ["the cat sat on a mat"], ["x z"]],
)
ADAPTERS = sorted(set(KNOWN_PROVIDERS) - {"example"})


def ends(parameter: Parameter) -> list[Any]:
    """Give the smallest and the largest value that a number may have, or values that are very small and large."""
    if not {int, float} & set(parameter.kinds) or {bool, str} & set(parameter.kinds) or parameter.choices:
        return []
    whole = float not in parameter.kinds
    bounds = parameter.range or tertium.Range()
    low: list[Any] = [-(2**31)] if whole else [-math.inf, -1e308]
    high: list[Any] = [2**31 - 1] if whole else [math.inf, 1e308]
    if bounds.low is not None:
        low = [bounds.low + bounds.open_low] if whole else [math.nextafter(bounds.low, math.inf), float(bounds.low)]
    if bounds.high is not None:
        high = [bounds.high] if whole else [math.nextafter(bounds.high, -math.inf), float(bounds.high)]
    return [int(value) if whole else value for value in low + high if bounds.holds(value)]


def companions(parameters: dict[str, Parameter]) -> Iterator[dict[str, Any]]:
    """Give no other parameter, and then each choice and flag at each of its other values."""
    yield {}
    for name, one in parameters.items():
        values = one.choices or ((True, False) if bool in one.kinds else ())
        yield from ({name: value} for value in values if value != one.default)


def made(provider: str) -> Iterator[tuple[Spec, tertium.Metric]]:
    """Make an adapter's metrics with each of their numbers at either end; what they refuse is left out."""
    for metric, found in registry().metrics.items():
        parameters = dict(parameters_of(found[provider])) if provider in found else {}
        for name, one in parameters.items():
            for value in ends(one):
                for others in companions(parameters):
                    spec = Spec(metric, provider, params={name: value, **others})
                    try:
                        yield spec, registry().load(spec)
                    except ParameterError:  # the two do not go together, and it says so
                        continue


def value(metric: tertium.Metric) -> float | None:
    """Score on the unit scale; None where there is no value."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            score = tertium.score(metric, CASES)
    except DataError:
        return None
    found = next(iter(score.outputs.values())) / (100 if score.info.scale[1] == 100 else 1)
    return None if math.isnan(found) else found


@pytest.mark.parametrize("provider", ADAPTERS)
def test_an_equivalent_takes_what_its_adapter_takes(provider: str) -> None:
    """No number that an adapter accepts is refused by the native metric that it declares, whatever else is chosen."""
    if not any(provider in found for found in registry().metrics.values()):
        pytest.skip(f"no plugin provides {provider}")
    refused = []
    for spec, metric in made(provider):
        equivalent = metric.equivalent()
        try:
            if equivalent is not None:
                registry().load(equivalent)
        except TertiumError as error:
            refused.append(f"{spec}: {error}")

    assert refused == []


@pytest.mark.parametrize("provider", ADAPTERS)
def test_an_equivalent_holds_at_the_ends(provider: str) -> None:
    """At the ends of a parameter, whatever else is chosen, adapter and equivalent give the same value, or none."""
    if not any(provider in found for found in registry().metrics.values()):
        pytest.skip(f"no plugin provides {provider}")
    parted = []
    for spec, metric in made(provider):
        equivalent = metric.equivalent()
        if equivalent is None or metric.info.resources:
            continue
        ours, theirs = value(registry().load(equivalent)), value(metric)
        same = ours == theirs if None in (ours, theirs) else math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-300)  # type: ignore[arg-type]
        if not same:
            parted.append((str(spec), theirs, str(equivalent), ours))

    assert parted == []


def test_ends_are_within_the_range() -> None:
    """Both ends of a closed range are probed, and a number next to each; an open end is not touched."""

    def declared(kind: type, bounds: tertium.Range | None) -> Parameter:
        return Parameter("x", (kind,), (), 1, "", bounds)

    assert ends(declared(int, tertium.Range(1, 9))) == [1, 9]
    assert ends(declared(int, tertium.Range(0, open_low=True))) == [1, 2**31 - 1]
    assert ends(declared(float, tertium.Range(0, 1))) == [5e-324, 0.0, math.nextafter(1, 0), 1.0]
    assert ends(declared(float, tertium.Range(0, open_low=True))) == [5e-324, math.inf, 1e308]
    assert ends(declared(float, None)) == [-math.inf, -1e308, math.inf, 1e308]
    assert ends(declared(str, None)) == []

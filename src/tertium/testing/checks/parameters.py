"""
Check parameters: what is declared works, is kept, is written in the signature.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from tertium import Metric
from tertium.errors import TertiumError
from tertium.metric import signature_of
from tertium.parameters import Parameter, bind, parameters_of
from tertium.spec import Spec, parse
from tertium.testing import corpora
from tertium.testing.checks import when
from tertium.testing.trial import CheckFailed, Trial, require

_ADDRESS = re.compile(r"0x[0-9a-fA-F]{6,}")


def _has_parameters(trial: Trial) -> bool:
    return bool(parameters_of(type(trial.metric)))


@when(_has_parameters)
def check_parameters_round_trip(trial: Trial) -> None:
    """
    Parameters are kept as they are given: metric to spec to text and back makes an equal metric.
    """
    metric = trial.metric
    for shown, made in [("no change", metric), *alternatives(trial)]:
        values = {name: value for name, value in made.parameters.items() if not callable(value)}
        name, _, value = shown.partition("=")
        require(
            not value or repr(getattr(made, name, None)) == value,
            "parameters are kept as attributes of the same name and value",
            f"{shown} is kept as {getattr(made, name, None)!r}",
            "Keep the value as given, and what is made of it under another name",
        )
        text = str(Spec(metric.name, metric.provider).with_params(values))
        bound = bind(type(metric), text, parse(text).params)
        callables = {name: value for name, value in made.parameters.items() if callable(value)}
        back = type(metric)(**bound, **callables)
        require(
            back.parameters == made.parameters,
            "a spec makes the same metric again",
            f"{text} becomes {back.parameters}",
            "Declare the types of parameters as they are",
        )


@when(_has_parameters)
def check_declared_values_work(trial: Trial) -> None:
    """
    Every declared choice makes a metric that scores, or is refused by an error of tertium's.
    """
    trial.ready()
    for shown, made in alternatives(trial, strict=True):
        try:
            trial.outcome(trial.ordinary, made)
        except TertiumError:
            continue
        except Exception as error:
            raise CheckFailed(
                "a declared value works", f"with {shown} scoring raised {type(error).__name__}: {error}"
            ) from error


@when(_has_parameters)
def check_signature_is_complete(trial: Trial) -> None:
    """
    Two settings that give different numbers have different signatures.
    """
    corpora_tried = [trial.ordinary] if trial.given is not None else [trial.ordinary, corpora.rich(trial.info)]
    seen: dict[str, tuple[str, Any]] = {}
    for shown, made in [("no change", trial.metric), *alternatives(trial)]:
        try:
            numbers = [[array.tolist() for array in trial.everything(cases, made)] for cases in corpora_tried]
        except Exception:  # other checks tell what cannot be scored
            continue
        signature = str(signature_of(made, trial.ordinary))
        before, known = seen.setdefault(signature, (shown, numbers))
        require(
            repr(known) == repr(numbers),
            "two settings that give different numbers have different signatures",
            f"{before} and {shown} share {signature[:160]!r}",
            "Let signature() give every parameter",
        )


def check_signature_is_stable(trial: Trial) -> None:
    """
    A metric made twice has one signature, which holds no memory address.
    """
    metric = trial.metric
    first = str(signature_of(metric, trial.ordinary))
    again = str(signature_of(type(metric)(**metric.parameters), trial.ordinary)) if _kept(metric) else first
    require(not _ADDRESS.search(first), "a signature holds no memory address", first[:160])
    require(first == again, "equal metrics have equal signatures", f"{first[:80]!r} and {again[:80]!r}")


@when(_has_parameters)
def check_wrong_parameters_are_refused(trial: Trial) -> None:
    """
    An unknown parameter is refused by an error of tertium's that says which there are.
    """
    try:
        type(trial.metric)(**{**trial.metric.parameters, "no_such_parameter": 1})
    except TertiumError:
        return
    except Exception as error:
        raise CheckFailed(
            "an unknown parameter is a ParameterError", f"it is {type(error).__name__}: {error}"
        ) from error
    raise CheckFailed("an unknown parameter is refused", "no_such_parameter=1 was taken", "Take no **kwargs")


def _kept(metric: Metric) -> bool:
    try:
        return type(metric)(**metric.parameters).parameters == metric.parameters
    except Exception:
        return False


def alternatives(trial: Trial, strict: bool = False) -> Iterator[tuple[str, Metric]]:
    """
    Yield the metric with one parameter changed at a time, within what is declared.

    Args:
        strict: Let an exception that is not tertium's own fail the check instead of leaving that value out.
    """
    kind = type(trial.metric)
    for name, parameter in parameters_of(kind).items():
        for value in _values(parameter, getattr(trial.metric, name, parameter.default)):
            shown = f"{name}={value!r}"
            try:
                yield shown, kind(**{**trial.metric.parameters, name: value})
            except TertiumError:
                continue  # two parameters may contradict each other, and a resource may be missing
            except Exception as error:
                if strict:
                    raise CheckFailed(
                        "a declared value works", f"{shown} raised {type(error).__name__}: {error}"
                    ) from error


def _values(parameter: Parameter, current: Any) -> list[Any]:
    if parameter.choices:
        found = list(parameter.choices)
    elif parameter.open_choices is not None:
        found = [value for value in parameter.open_choices.values if "<" not in value]
    elif bool in parameter.kinds:
        found = [False, True]
    elif (int in parameter.kinds or float in parameter.kinds) and not callable(current):
        number = current if isinstance(current, (int, float)) and not isinstance(current, bool) else 1
        steps = [number + 1, number - 1] if int in parameter.kinds else [number * 2 + 0.5, number / 2 + 0.01]
        found = [step for step in steps if parameter.range is None or parameter.range.holds(step)]
    else:
        found = []
    if parameter.nullable:
        found.append(None)
    return [value for value in found if value != current or type(value) is not type(current)]

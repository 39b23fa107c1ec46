"""
Find what ``py:module:attribute`` names, and name what a person gives.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import inspect
from collections.abc import Callable, Mapping
from typing import Any

from tertium.errors import ParameterError, ProviderMissing
from tertium.spec import Spec


def imported(target: str) -> Any:
    """
    Return what ``py:module:attribute`` names: a metric, a class of one, or a function.

    Raises:
        ProviderMissing: It cannot be imported.
        ParameterError: It is nothing that can score.
    """
    _, module, attribute = target.split(":")
    try:
        found: Any = importlib.import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except (Exception, SystemExit) as error:
        raise ProviderMissing(
            target, f"it cannot be imported ({type(error).__name__}: {error})", "Check module and attribute"
        ) from error
    remedy = "Name a class that inherits from tertium.Metric, or a function of hypothesis and references"
    if isinstance(found, type) and not is_metric(found):
        raise ParameterError(target, f"{attribute} is no metric class", remedy)
    if not callable(found) and not is_metric(found):
        truth = f"{attribute} is a {type(found).__name__}: no metric class, and nothing that can be called"
        raise ParameterError(target, truth, remedy)
    return found


def parameters_for(thing: Any, spec: Spec) -> Mapping[str, Any] | None:
    """
    Return what the class of something imported is made with, or None where it is a metric already.

    Raises:
        ParameterError: The spec gives parameters that have no place.
    """
    if isinstance(thing, type):
        return spec.params
    if is_metric(thing):
        if spec.params:
            raise ParameterError(str(spec), "it is a metric that is made already", "Leave the parameters out")
        return None
    if "function" in spec.params:
        raise ParameterError(str(spec), f"the function is {spec.metric} already", "Leave function= out")
    return {"label": spec.metric, **spec.params, "function": thing}


def is_metric(thing: object) -> bool:
    """
    Say whether a thing is a metric already, a class of one included.
    """
    return hasattr(thing, "aggregate") and (hasattr(thing, "statistics") or hasattr(thing, "corpus"))


def label_of(function: Callable[..., Any]) -> str:
    """
    Return what a function is called: ``py:module:name``.
    """
    if isinstance(function, functools.partial):
        return label_of(function.func)
    owner = function if hasattr(function, "__qualname__") else type(function)
    return f"py:{getattr(function, '__module__', None) or owner.__module__ or '__main__'}:{owner.__qualname__}"


def digest(function: Callable[..., Any]) -> str:
    """
    Return the beginning of the SHA-256 of a function's source text in hexadecimal, or ``unknown``.
    """
    try:
        source = inspect.getsource(function.func if isinstance(function, functools.partial) else function)
    except (OSError, TypeError):
        return "unknown"
    return hashlib.sha256(source.encode()).hexdigest()[:12]

"""
Find what ``py:module:attribute`` names, and name what a person gives.
"""

from __future__ import annotations

import difflib
import functools
import hashlib
import importlib
import inspect
import os
import pkgutil
import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from tertium.errors import ParameterError, ProviderMissing, did_you_mean
from tertium.spec import Spec

SHOWN = 8
"""Names that a message lists."""


def imported(target: str) -> Any:
    """
    Return what ``py:module:attribute`` names: a metric, a class of one, or a function.

    Raises:
        ProviderMissing: It cannot be imported.
        ParameterError: It is nothing that can score.
    """
    _, module, attribute = target.split(":")
    found: Any = _module(target, module)
    owner = module
    for part in attribute.split("."):
        try:
            found = getattr(found, part)
        except AttributeError as error:
            raise _lacking(target, owner, found, part) from error
        except (Exception, SystemExit) as error:
            raise ProviderMissing(target, f"reading {part} of {owner} raised {_said(error)}", "Mend it") from error
        owner = f"{owner}.{part}"
    remedy = "Name a class that inherits from tertium.Metric, or a function of hypothesis and references"
    if isinstance(found, type) and not is_metric(found):
        raise ParameterError(target, f"{attribute} is no metric class", remedy)
    if not callable(found) and not is_metric(found):
        truth = f"{attribute} is a {type(found).__name__}: no metric class, and nothing that can be called"
        raise ParameterError(target, truth, remedy)
    return found


def _module(target: str, name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except (Exception, SystemExit) as error:
        lost = error.name if isinstance(error, ModuleNotFoundError) else None
        if lost is None or not f"{name}.".startswith(f"{lost}."):
            truth = f"the module {name} is there and cannot be imported (it raises {_said(error)})"
            remedy = f"Install {lost}, or mend the module" if lost else "Mend the module"
            raise ProviderMissing(target, truth, remedy) from error
        parent, _, last = lost.rpartition(".")
        near = did_you_mean(last, _modules(parent)).removeprefix("Did you mean ").removesuffix("?")
        meant = f"Did you mean {parent}{'.' if parent else ''}{near}?" if near else ""
        there = f"the module {parent} is there, and no module {last} in it" if parent else f"there is no module {last}"
        where = f"Modules are looked for where Python does, and in this folder ({os.getcwd()})"
        raise ProviderMissing(target, there, " ".join(filter(None, (meant, where)))) from error


def _modules(parent: str) -> set[str]:
    """
    Name the modules that can be imported, or those within one of them.
    """
    if not parent:
        return {one.name for one in pkgutil.iter_modules()} | set(sys.builtin_module_names)
    return {one.name for one in pkgutil.iter_modules(getattr(sys.modules[parent], "__path__", []))}


def _lacking(target: str, owner: str, holder: Any, name: str) -> ProviderMissing:
    # Looked at without being read: reading may import more.
    public = {one: inspect.getattr_static(holder, one, None) for one in dir(holder) if not one.startswith("_")}
    own = [one for one, value in public.items() if callable(value)] or [*public]
    if isinstance(holder, ModuleType):
        own = [one for one in own if getattr(public[one], "__module__", None) == holder.__name__] or own
    shown = difflib.get_close_matches(name, own, len(own), 0.0)[:SHOWN] if own else []
    more = f" and {len(own) - len(shown)} more" if len(own) > len(shown) else ""
    kind = "module" if isinstance(holder, ModuleType) else type(holder).__name__
    truth = f"the {kind} {owner} is there, and no {name} in it" + (
        f"; it has {', '.join(shown)}{more}" if shown else ""
    )
    return ProviderMissing(target, truth, did_you_mean(name, own) or "Name what there is")


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


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
    owner: Any = function if hasattr(function, "__qualname__") else type(function)
    # a method of a built-in type, as str.find, has a type for a home, and no module
    home = getattr(function, "__objclass__", owner)
    module = getattr(function, "__module__", None) or getattr(home, "__module__", None)
    return f"py:{module or '__main__'}:{owner.__qualname__}"


def digest(function: Callable[..., Any]) -> str:
    """
    Return the beginning of the SHA-256 of a function's source text in hexadecimal, or ``unknown``.
    """
    try:
        source = inspect.getsource(function.func if isinstance(function, functools.partial) else function)
    except (OSError, TypeError):
        return "unknown"
    return hashlib.sha256(source.encode()).hexdigest()[:12]

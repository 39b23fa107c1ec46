"""
Score texts against references with every serious implementation of every surface metric, under one name each.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tertium import errors as errors
    from tertium.auditing import Audit as Audit
    from tertium.auditing import audit as audit
    from tertium.callables import adapt as adapt
    from tertium.cases import Case as Case
    from tertium.cases import Cases as Cases
    from tertium.differing import Difference as Difference
    from tertium.differing import diff as diff
    from tertium.explaining import Explanation as Explanation
    from tertium.explaining import explain as explain
    from tertium.fingerprinting.account import Fingerprint as Fingerprint
    from tertium.fingerprinting.finding import fingerprint as fingerprint
    from tertium.fuzzing import fuzz as fuzz
    from tertium.fuzzing.results import Finding as Finding
    from tertium.fuzzing.results import Fuzzing as Fuzzing
    from tertium.hookspecs import hookimpl as hookimpl
    from tertium.metric import Metric as Metric
    from tertium.metric import MetricInfo as MetricInfo
    from tertium.metric import Signature as Signature
    from tertium.noticing import notices as notices
    from tertium.parameters import Choices as Choices
    from tertium.parameters import Range as Range
    from tertium.readers import read as read
    from tertium.scoring import Score as Score
    from tertium.scoring import score as score
    from tertium.spec import Spec as Spec

_HOMES = {
    "Audit": "auditing",
    "Case": "cases",
    "Cases": "cases",
    "Choices": "parameters",
    "Difference": "differing",
    "Explanation": "explaining",
    "Finding": "fuzzing.results",
    "Fingerprint": "fingerprinting.finding",
    "Fuzzing": "fuzzing.results",
    "Metric": "metric",
    "MetricInfo": "metric",
    "Range": "parameters",
    "Score": "scoring",
    "Signature": "metric",
    "Spec": "spec",
    "adapt": "callables",
    "audit": "auditing",
    "diff": "differing",
    "explain": "explaining",
    "fingerprint": "fingerprinting.finding",
    "fuzz": "fuzzing",
    "hookimpl": "hookspecs",
    "notices": "noticing",
    "read": "readers",
    "score": "scoring",
}

__all__ = [
    "Audit",
    "Case",
    "Cases",
    "Choices",
    "Difference",
    "Explanation",
    "Finding",
    "Fingerprint",
    "Fuzzing",
    "Metric",
    "MetricInfo",
    "Range",
    "Score",
    "Signature",
    "Spec",
    "__version__",
    "adapt",
    "audit",
    "diff",
    "explain",
    "fingerprint",
    "fuzz",
    "hookimpl",
    "load",
    "metrics",
    "notices",
    "providers",
    "read",
    "score",
]


def load(spec: str | Spec, *, allow_unpinned: bool = False) -> Metric:
    """
    Make the metric that a spec names.

    Example:
        >>> import tertium
        >>> tertium.load("exact-match@example(lowercase=true)").parameters
        {'lowercase': True}
    """
    from tertium.registry import registry

    return registry().load(spec, allow_unpinned=allow_unpinned)


def metrics() -> Mapping[str, tuple[str, ...]]:
    """
    Return every installed metric's name with its providers, native first.

    Example:
        >>> import tertium
        >>> "example" in tertium.metrics()["exact-match"]
        True
    """
    from tertium.registry import registry

    return {name: registry().providers(name) for name in registry().metrics}


def providers(metric: str) -> tuple[str, ...]:
    """
    Return the providers of one metric, native first.

    Example:
        >>> import tertium
        >>> "example" in tertium.providers("exact-match")
        True
    """
    from tertium.registry import registry

    return registry().providers(metric)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("tertium")
    if name in _HOMES:
        value = getattr(importlib.import_module(f"tertium.{_HOMES[name]}"), name)
        globals()[name] = value
        return value
    if name == "errors":
        return importlib.import_module("tertium.errors")
    raise AttributeError(f"module 'tertium' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

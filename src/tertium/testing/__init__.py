"""
Hold a metric to the protocol: one test a check and configuration.

In a plugin's test file::

    from tertium.testing import contract

    @contract(ExactMatch(), ExactMatch(lowercase=True), expected_failures={})
    def test_contract(metric, check):
        check(metric)

``python -m tertium.testing`` lists the checks, and ``pytest --metric SPEC`` runs them, with every conformance case of
that metric, against any installed implementation. It needs the extra ``tertium[testing]``.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tertium.testing.contracts import Check as Check
    from tertium.testing.contracts import all_checks as all_checks
    from tertium.testing.contracts import contract as contract
    from tertium.testing.trial import Blocked as Blocked
    from tertium.testing.trial import CheckFailed as CheckFailed

_HOMES = {
    "Blocked": "trial",
    "Check": "contracts",
    "CheckFailed": "trial",
    "all_checks": "contracts",
    "contract": "contracts",
}

__all__ = ["Blocked", "Check", "CheckFailed", "all_checks", "contract"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'tertium.testing' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"tertium.testing.{_HOMES[name]}"), name)
    globals()[name] = value
    return value

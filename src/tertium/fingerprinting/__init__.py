"""
Infer the conventions of a provider by probing it.

A fingerprint asks a provider about small inputs and keeps the native settings that give the same answers, as in twenty
questions. It never looks at what the provider says of itself: not its parameters, not its declared equivalent.
"""

from __future__ import annotations

from tertium.fingerprinting.account import Convention, Fingerprint
from tertium.fingerprinting.finding import BUDGET, fingerprint

__all__ = ["BUDGET", "Convention", "Fingerprint", "fingerprint"]

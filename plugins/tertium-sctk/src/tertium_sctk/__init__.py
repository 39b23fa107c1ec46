"""
Provide the error rates of NIST's sclite to tertium.
"""

from __future__ import annotations

import tertium
from tertium.resources import Resource
from tertium_sctk.error_rates import Cer, Wer
from tertium_sctk.program import SCTK

__all__ = ["Cer", "Wer"]


@tertium.hookimpl
def tertium_metrics() -> list[type[tertium.Metric]]:
    """
    Return the metrics that sclite computes.
    """
    return [Wer, Cer]


@tertium.hookimpl
def tertium_resources() -> list[Resource]:
    """
    Return the program itself.
    """
    return [SCTK]

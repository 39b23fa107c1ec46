"""
Draw as Hypothesis does, without the constants that it finds in the modules that happen to be loaded.
"""

from __future__ import annotations

from typing import Any

from hypothesis.internal.conjecture.providers import HypothesisProvider
from hypothesis.internal.constants_ast import Constants


class Steady(HypothesisProvider):
    """
    Make the same draws for the same seed in every process.
    """

    @property
    def _local_constants(self) -> Any:
        return Constants()

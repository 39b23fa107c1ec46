"""
A metric that warns, logs and prints while it counts.
"""

from __future__ import annotations

import logging
import warnings
from typing import Any

import numpy as np

from tertium import Metric


class Talking(Metric):
    """Count cases, and say so by every way that there is."""

    name = "talking"
    provider = "test"
    columns = ("cases",)

    def statistics(self, prepared: Any, constants: Any) -> Any:
        """Warn, log, print, and count one a case."""
        warnings.warn("the hay is wet", RuntimeWarning, stacklevel=1)
        logging.getLogger("barn").warning("the door is open")
        print("moo")  # noqa: T201
        return np.ones((len(prepared), 1))

    def aggregate(self, sums: Any) -> Any:
        """Return the number of cases."""
        return sums

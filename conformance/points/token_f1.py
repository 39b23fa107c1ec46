"""
SQuAD's F1 in three implementations.
"""

from __future__ import annotations

from points.em import DIVERGENCES, POINTS, point

__all__ = ["DIVERGENCES", "METRIC", "POINTS", "TOLERANCE", "point"]

METRIC = "squad-f1"

TOLERANCE = {"torchmetrics": 1e-7}
"""It computes in single precision."""

"""
The choice among several references of a case.
"""

from __future__ import annotations

import numpy as np

from tertium.native.reference_choice import best_rows


def test_the_first_of_the_highest_scores_is_best() -> None:
    """Each case gets its highest score, the first of equals; neither other cases nor zeros matter."""
    scores = np.array([0.5, 0.5, 0.25, 0.75, 0.0, 0.0, 1.0])

    assert best_rows(scores, np.array([0, 2, 4, 6, 7])).tolist() == [0, 3, 4, 6]

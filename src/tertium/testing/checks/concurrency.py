"""
Check that one metric serves several threads.
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

from tertium.testing.trial import Trial, require, same


def check_threads_agree(trial: Trial) -> None:
    """
    One metric used by several threads at once gives each of them the bits that it gives alone.
    """
    cases = trial.ordinary
    trial.sound_outcome(cases)
    pieces = [cases[i : i + 6] for i in range(0, max(1, len(cases) - 5), 2)] * 3
    alone = [trial.outcome(piece) for piece in pieces]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(4) as pool:
            together = list(pool.map(trial.outcome, pieces))
    finally:
        sys.setswitchinterval(interval)
    require(
        all(same(one, other) for one, other in zip(alone, together, strict=True)),
        "threads get the numbers that they would get alone",
        "they get others",
        "Keep what belongs to one call in local variables, not on self",
    )

"""
Check that statistics add up: under any split, in any order, with constants learned in pieces.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tertium import Cases
from tertium.metric import Metric
from tertium.testing import corpora
from tertium.testing.checks import tried, when
from tertium.testing.trial import Trial, close, require, same

_WORDS = [
    "the",
    "cat",
    "sat",
    "on",
    "a",
    "mat",
    "The",
    "Dog",
    "barks",
    ",",
    ".",
    "twice",
    "twice",
    "12",
    "river's",
    "well-known",
]


@when(lambda trial: trial.info.additive and not trial.info.whole_corpus)
def check_splits_add_up(trial: Trial) -> None:
    """
    Statistics of a corpus are the statistics of its parts, wherever it is cut.
    """
    trial.sound(trial.ordinary)

    def holds(cases: Cases, cuts: list[int]) -> None:
        learned = trial.learned(cases)
        whole = trial.rows(cases, learned)
        bounds = [0, *sorted({cut % len(cases) for cut in cuts} - {0}), len(cases)]
        pieces = [cases[bounds[i] : bounds[i + 1]] for i in range(len(bounds) - 1)]
        parts = np.concatenate([trial.rows(piece, learned) for piece in pieces])
        require(
            same(whole, parts),
            "the statistics of a case do not depend on the cases beside it",
            f"{len(cases)} cases cut at {bounds[1:-1]} give other rows than the whole",
            "Learn what the whole corpus decides in `constants`, or declare whole_corpus = True",
        )

    _drawn(trial, holds)


@when(lambda trial: trial.info.additive)
def check_order_is_free(trial: Trial) -> None:
    """
    Rows follow their cases when the cases are put in another order.
    """
    trial.sound(trial.ordinary)

    def holds(cases: Cases, cuts: list[int]) -> None:
        order = np.random.default_rng(cuts).permutation(len(cases))
        learned = trial.learned(cases)
        require(
            close(trial.rows(cases, learned)[order], trial.rows(cases[order], learned), 1e-12),
            "rows follow their cases",
            f"in the order {order.tolist()} the cases have other rows",
            "Depend on Cases.positions where the place of a case matters, and declare order_dependent = True",
        )

    _drawn(trial, holds)


@when(lambda trial: type(trial.metric).constants is not Metric.constants)
def check_constants_merge(trial: Trial) -> None:
    """
    Constants of parts, merged with `|` in any order, are those of the whole; merging changes neither part.
    """
    cases = trial.ordinary
    whole = trial.learned(cases)
    if whole is None or not trial.info.additive:
        return
    trial.sound(cases)
    parts = [trial.learned(cases[:5]), trial.learned(cases[5:])]
    wanted = trial.rows(cases, whole)
    for one, other in (parts, parts[::-1]):
        merged = one | other
        require(
            close(trial.rows(cases, merged), wanted, 1e-12),
            "constants merge with `|`",
            "those of two parts together give other statistics than those of the whole",
        )
    again = parts[0] | parts[1]
    require(
        close(trial.rows(cases, again), wanted, 1e-12),
        "merging leaves its parts as they are",
        "a second merge of the same two gives other statistics",
        "Return a new object from `|`",
    )


def _drawn(trial: Trial, holds: Callable[[Cases, list[int]], None]) -> None:
    from hypothesis import strategies as st

    cut = st.lists(st.integers(0, 50), max_size=4)
    if trial.given is not None:
        tried(trial, st.just(trial.given), holds, cut)
        return
    sentence = st.lists(st.sampled_from(_WORDS), min_size=1, max_size=9).map(" ".join)
    pair = st.tuples(sentence, st.lists(sentence, min_size=1, max_size=3))
    corpus = st.lists(pair, min_size=1, max_size=8).map(lambda pairs: corpora.made(pairs, trial.info))
    tried(trial, corpus, holds, cut)

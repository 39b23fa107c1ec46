"""
Check that scoring changes nothing and always gives the same numbers.
"""

from __future__ import annotations

import pickle

import numpy as np

from tertium.testing import corpora, processes
from tertium.testing.checks import additive, when
from tertium.testing.trial import Blocked, Trial, require, same


def check_cases_stay_as_they_are(trial: Trial) -> None:
    """
    The cases that are scored are not changed.
    """
    cases = trial.ordinary[:]
    before, columns = cases.digest, (cases.hypotheses, cases.flat_references, cases.sources)
    try:
        trial.outcome(cases)
    except Exception as error:
        raise Blocked("check_scores_plain_text fails") from error
    del cases.digest
    after = (cases.hypotheses, cases.flat_references, cases.sources)
    require(
        cases.digest == before and columns == after,
        "scoring leaves the cases as they are",
        "they have changed",
        "Make new cases: cases.map(function)",
    )


@when(additive)
def check_sums_stay_as_they_are(trial: Trial) -> None:
    """
    The sums and statistics that are aggregated are not changed.
    """
    rows = trial.sound(trial.ordinary)
    sums = np.stack([rows.sum(axis=0), rows[:4].sum(axis=0)])
    for function, whole in ((trial.metric.aggregate, sums), (trial.metric.per_case, rows)):
        given = whole.copy()
        with np.errstate(all="ignore"):
            function(given)
        require(
            same(given, whole),
            f"{function.__name__} leaves what it is given as it is",
            "the array has changed",
            "Compute new arrays instead of writing into it",
        )


def check_repeats_itself(trial: Trial) -> None:
    """
    The same cases give the same bits again, also after other cases, and from a metric made afresh.
    """
    cases = trial.ordinary
    first = trial.sound_outcome(cases)
    trial.outcome(cases[::2])
    again = trial.outcome(cases)
    require(
        same(first, again),
        "scoring twice gives the same bits",
        f"it gave {first.tolist()} and then {again.tolist()}",
        "Keep nothing between calls, and seed what is drawn",
    )


def check_same_in_other_processes(trial: Trial) -> None:
    """
    Another process with another hash seed gives the same bits.
    """
    cases = trial.ordinary
    here = trial.sound_outcome(cases)
    try:
        work = pickle.dumps((trial.metric, cases))
    except Exception as error:
        raise Blocked("check_pickles fails") from error
    for seed in (1, 2):
        there = processes.child(seed).outcome(work)
        require(
            same(here, there),
            "every process gives the same bits",
            f"{here.tolist()} here, {there.tolist()} under PYTHONHASHSEED={seed}",
            "Sort what comes out of a set before the order can matter",
        )


def check_pickles(trial: Trial) -> None:
    """
    A pickled metric comes back with its parameters and gives the same bits.
    """
    here = trial.sound_outcome(trial.ordinary)
    try:
        back = pickle.loads(pickle.dumps(trial.metric))
        there = trial.outcome(trial.ordinary, back)
    except Exception as error:
        require(
            False, "a metric can be pickled", f"{type(error).__name__}: {error}", "Keep open files and functions out"
        )
    else:
        require(same(here, there), "a pickled metric gives the same bits", f"{here.tolist()} and {there.tolist()}")


@when(lambda trial: bool({"references", "reference-lists"} & trial.info.needs) and trial.given is None)
def check_reference_lists_stay_apart(trial: Trial) -> None:
    """
    Each case is compared with its own references and with no other case's.
    """
    if not trial.info.additive:
        return
    cases = corpora.identical(trial.info)
    learned = trial.learned(cases)
    trial.sound(cases)
    shifted = corpora.made(
        [(cases.hypotheses[i], [cases.flat_references[(i + (i >= 6)) % len(cases)]]) for i in range(len(cases))],
        trial.info,
    )
    require(
        same(trial.rows(cases, learned)[:6], trial.rows(shifted, learned)[:6]),
        "a case is compared with its own references",
        "other cases' references changed its row",
    )

"""
Check shapes, types and declared facts.
"""

from __future__ import annotations

import re

import numpy as np

from tertium import Cases
from tertium.metric import Metric, installed_version
from tertium.testing import corpora
from tertium.testing.checks import additive, when
from tertium.testing.trial import Blocked, CheckFailed, Trial, close, require

_NAME = re.compile(r"[A-Za-z0-9_+-]+")
_NEEDS = {"references", "reference-lists", "sources", "one-reference"}


def check_facts_are_sound(trial: Trial) -> None:
    """
    Names can be written in a spec, outputs and columns are named once, and the scale, needs and pin make sense.
    """
    info = trial.info
    for what, text in (("name", info.name), ("provider", info.provider), *(("output", name) for name in info.outputs)):
        require(_NAME.fullmatch(text), "names are words of letters, digits, _, + and -", f"the {what} is {text!r}")
    for what, names in (("outputs", info.outputs), ("columns", info.columns)):
        require(len(set(names)) == len(names), f"{what} are named once", f"they are {', '.join(names)}")
    require(info.outputs, "a metric has an output", "it has none")
    low, high = info.scale
    require(low < high, "a scale goes from low to high", f"it is {low:g} to {high:g}")
    require(
        info.needs <= _NEEDS, f"needs are of {', '.join(sorted(_NEEDS))}", f"they are {', '.join(sorted(info.needs))}"
    )
    require(info.summary.strip(), "a metric says what it measures", "it has no docstring", "Write its first paragraph")
    precision = trial.metric.precision
    require(precision in ("double", "single"), "a precision is double or single", f"it is {precision!r}")
    require(
        info.pinned is None or info.library is not None,
        "a pin belongs to a library",
        f"the pin is {info.pinned} and there is no library",
    )
    installed = None if info.library is None else installed_version(info.library)
    require(
        info.pinned is None or installed in (None, info.pinned),
        f"the pin of {info.library} is the version whose numbers are tested",
        f"the pin is {info.pinned}, and {installed} is installed",
        "Change `pinned` or install the pinned version",
    )


def check_scores_plain_text(trial: Trial) -> None:
    """
    Plain sentences with references are scored without an error.
    """
    for cases in _plain(trial):
        try:
            if trial.info.additive:
                trial.rows(cases)
            else:
                trial.outcome(cases)
        except Exception as error:
            raise CheckFailed(
                "plain sentences can be scored", f"scoring raised {type(error).__name__}: {error}"
            ) from error


@when(additive)
def check_statistics_shape(trial: Trial) -> None:
    """
    Statistics are a matrix of real numbers with one row a case and one column a declared name.
    """
    whole = trial.ordinary
    for cases in [*_plain(trial), whole[:1], whole[:2]]:
        try:
            raw = np.asarray(trial.metric.statistics(trial.metric.preprocess(cases), trial.learned(cases)))
        except Exception as error:
            raise Blocked("check_scores_plain_text fails") from error
        wanted = (len(cases), len(trial.info.columns))
        require(raw.shape == wanted, f"{len(cases)} cases give statistics of shape {wanted}", f"they have {raw.shape}")
        require(raw.dtype.kind in "biuf", "statistics are real numbers", f"their type is {raw.dtype}")


@when(additive)
def check_statistics_are_finite(trial: Trial) -> None:
    """
    Statistics are finite: what is infinite is counted in a column of its own.
    """
    for cases in _plain(trial):
        try:
            rows = trial.rows(cases)
        except Exception as error:
            raise Blocked("check_scores_plain_text fails") from error
        bad = np.argwhere(~np.isfinite(rows))
        if len(bad):
            row, column = (int(i) for i in bad[0])
            case = cases[row]
            raise CheckFailed(
                "statistics are finite", f"column {column} is {rows[row, column]} for {case.hypothesis[:40]!r}"
            )


def check_aggregate_shape(trial: Trial) -> None:
    """
    Sums of shape (..., columns) give outputs of shape (..., outputs), each as if it stood alone.
    """
    wanted = len(trial.info.outputs)
    if not trial.info.additive:
        values = trial.outcome(trial.ordinary)
        require(values.shape == (wanted,), f"a corpus has {wanted} outputs", f"their shape is {values.shape}")
        return
    rows = trial.sound(trial.ordinary)
    stacks = [rows.sum(axis=0), rows, np.stack([rows[:3], rows[3:6]]), rows[:0]]
    for sums in stacks:
        values = trial.values(sums)
        shape = (*sums.shape[:-1], wanted)
        require(values.shape == shape, f"sums of shape {sums.shape} give shape {shape}", f"they give {values.shape}")
    alone = np.stack([trial.values(row) for row in rows])
    require(
        close(trial.values(rows), alone, 1e-12),
        "every row of sums is finished by itself",
        "rows together give other values than one at a time",
        "Index the last axis only: sums[..., 0]",
    )


@when(lambda trial: trial.info.additive and type(trial.metric).per_case is not Metric.per_case)
def check_per_case_shape(trial: Trial) -> None:
    """
    A `per_case` of the metric's own gives every output of every case.
    """
    rows = trial.sound(trial.ordinary)
    with np.errstate(all="ignore"):
        values = np.asarray(trial.metric.per_case(rows.copy()), dtype=np.float64)
    wanted = (len(rows), len(trial.info.outputs))
    require(values.shape == wanted, f"per_case of {len(rows)} cases has shape {wanted}", f"it has {values.shape}")


def _plain(trial: Trial) -> list[Cases]:
    if trial.given is not None:
        return [trial.given]
    info = trial.info
    return [trial.ordinary, corpora.identical(info), corpora.unrelated(info), corpora.damaged(info, 0.5)]

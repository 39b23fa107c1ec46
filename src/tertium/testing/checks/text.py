"""
Check texts of all kinds: other scripts, empty and blank ones.
"""

from __future__ import annotations

import numpy as np

from tertium import Cases
from tertium.errors import TertiumError
from tertium.testing import corpora
from tertium.testing.checks import plain, when
from tertium.testing.trial import CheckFailed, Trial, require


@when(plain)
def check_unicode_is_scored(trial: Trial) -> None:
    """
    Texts of any script, with marks, invisible characters and controls, are scored or refused in words.
    """
    trial.ready()
    cases = corpora.rich(trial.info)
    _scored_or_refused(trial, cases, "texts of any script")
    for row in range(len(cases)):
        _scored_or_refused(trial, cases[row : row + 1], "texts of any script")


@when(plain)
def check_empty_outputs_are_scored(trial: Trial) -> None:
    """
    An empty or blank hypothesis is scored or refused in words.
    """
    trial.ready()
    cases = corpora.blank(trial.info, "hypotheses")
    _scored_or_refused(trial, cases, "empty hypotheses")
    _scored_or_refused(trial, cases[:1], "an empty hypothesis")


@when(lambda trial: plain(trial) and bool({"references", "reference-lists", "one-reference"} & trial.info.needs))
def check_empty_references_are_scored(trial: Trial) -> None:
    """
    An empty or blank reference is scored or refused in words.
    """
    trial.ready()
    cases = corpora.blank(trial.info, "references")
    _scored_or_refused(trial, cases, "empty references")
    _scored_or_refused(trial, cases[:1], "an empty reference")


@when(lambda trial: plain(trial) and trial.info.additive)
def check_undefined_is_explained(trial: Trial) -> None:
    """
    A metric that gives NaN says in `undefined` when and why.
    """
    info = trial.info
    nothing = corpora.made([("", [""])], info)
    tried = [trial.ordinary, corpora.unrelated(info), corpora.blank(info, "hypotheses"), nothing]
    for cases in tried:
        try:
            rows = trial.rows(cases)
            with np.errstate(all="ignore"):
                values = [trial.values(rows.sum(axis=0)), np.asarray(trial.metric.per_case(rows), dtype=np.float64)]
        except Exception:  # other checks tell what cannot be scored
            continue
        undefined = any(np.isnan(found[..., 0]).any() for found in values if found.size)
        require(
            not undefined or info.undefined.strip(),
            "an undefined value is explained",
            "the value is NaN and `undefined` says nothing",
            'Write undefined = "when and why"',
        )


def _scored_or_refused(trial: Trial, cases: Cases, what: str) -> None:
    try:
        rows, values = trial.everything(cases)
    except TertiumError as refusal:
        require(refusal.asked and refusal.truth, f"{what} are refused in words", f"the error is {refusal!r}")
        return
    except Exception as error:
        raise CheckFailed(
            f"{what} are scored, or refused by an error of tertium's",
            f"{type(error).__name__}: {error}",
            "Decide what they mean, and say it in the docstring",
        ) from error
    require(np.isfinite(rows).all(), f"{what} give finite statistics", "they do not")
    require(values.shape == (len(trial.info.outputs),), f"{what} give every output", f"the shape is {values.shape}")

"""
Check the scale, the direction and what holds at its ends.
"""

from __future__ import annotations

import math

import numpy as np

from tertium import Cases
from tertium.testing import corpora
from tertium.testing.checks import compares, plain, tried, when
from tertium.testing.trial import Blocked, Trial, close, require

_ROUNDING = {"double": 1e-9, "single": 2e-6}
"""What a value may be off by, as a share of it, under the precision that a metric declares."""


def _rounding(trial: Trial) -> float:
    return _ROUNDING[trial.metric.precision]


@when(plain)
def check_scale_holds(trial: Trial) -> None:
    """
    The value of every corpus and case lies within the declared scale.
    """
    from hypothesis import strategies as st

    info = trial.info
    low, high = info.scale
    if not low < high:
        raise Blocked("check_facts_are_sound fails")
    room = _rounding(trial) * max(1.0, *(abs(bound) for bound in (low, high) if math.isfinite(bound)), 1.0)
    fixed = [trial.ordinary, corpora.identical(info), corpora.unrelated(info), corpora.repeated(info)]

    def holds(cases: Cases) -> None:
        values = [float(trial.outcome(cases)[0])]
        if info.additive:
            with np.errstate(all="ignore"):
                found = np.asarray(trial.metric.per_case(trial.rows(cases)))
            if found.shape != (len(cases), len(info.outputs)):
                raise Blocked("check_per_case_shape fails")
            values += found[:, 0].tolist()
        for value in values:
            require(
                math.isnan(value) or low - room <= value <= high + room,
                f"values lie in the scale {low:g} to {high:g}",
                f"{value!r} does not",
                "Declare the scale as it is",
            )

    for cases in fixed:
        if trial.refused(cases):
            continue
        trial.sound_outcome(cases)
        holds(cases)
    word = st.sampled_from(["a", "a", "a", "b", "b", "cat", "The", ".", ",", "7"])
    sentence = st.lists(word, min_size=1, max_size=12).map(" ".join)
    pair = st.tuples(sentence, st.lists(sentence, min_size=1, max_size=2))

    tried(trial, st.lists(pair, min_size=1, max_size=4).map(lambda pairs: corpora.made(pairs, info)), holds)


@when(compares)
def check_identity_is_an_end_of_the_scale(trial: Trial) -> None:
    """
    Texts that equal their references score at an end of the scale.
    """
    low, high = trial.info.scale
    if not math.isfinite(high if trial.info.higher_is_better else low):
        return  # the good end is nowhere
    value = float(trial.sound_outcome(corpora.identical(trial.info))[0])
    ends = [bound for bound in trial.info.scale if math.isfinite(bound)]
    require(
        any(abs(value - end) <= _rounding(trial) * max(1.0, abs(end)) for end in ends),
        f"identical texts score {' or '.join(f'{end:g}' for end in ends)}",
        f"they score {value!r}",
        "Declare another scale, or write down why among the expected failures",
    )


@when(compares)
def check_direction_is_honoured(trial: Trial) -> None:
    """
    Texts that equal their references score better than unrelated ones, in the declared direction.
    """
    best = float(trial.sound_outcome(corpora.identical(trial.info))[0])
    worst = float(trial.sound_outcome(corpora.unrelated(trial.info))[0])
    better = best > worst if trial.info.higher_is_better else best < worst
    require(
        better,
        f"{'higher' if trial.info.higher_is_better else 'lower'} is better",
        f"identical texts score {best!r} and unrelated ones {worst!r}",
        "Set higher_is_better",
    )


@when(lambda trial: compares(trial) and "monotone" in trial.claims)
def check_more_damage_never_helps(trial: Trial) -> None:
    """
    Where it is claimed: the more words are replaced, the further the value goes in one direction.
    """
    values = [float(trial.sound_outcome(corpora.damaged(trial.info, step / 5))[0]) for step in range(6)]
    steps = np.diff(values)
    room = _rounding(trial) * max(1.0, *map(abs, values))
    require(
        (steps <= room).all() or (steps >= -room).all(),
        "more damage never improves the value",
        f"from none to all words replaced it goes {', '.join(f'{value:.6g}' for value in values)}",
        "Take the claim back",
    )


def check_equivalent_holds(trial: Trial) -> None:
    """
    The declared equivalent gives the same value, for the corpus and for every case.
    """
    import tertium
    from tertium.errors import ProviderError

    spec = trial.metric.equivalent()
    if spec is None:
        return
    try:
        other = tertium.load(spec)
    except ProviderError as missing:
        raise Blocked(str(missing)) from missing
    output = getattr(tertium.spec.parse(spec) if isinstance(spec, str) else spec, "output", None)
    place = other.info.outputs.index(output) if output else 0
    more: list[Cases] = []
    if (
        trial.given is None
    ):  # nothing matches, outputs shorter than some reference: where choices of zeros and lengths show
        more = [corpora.damaged(trial.info, 1), corpora.cut(trial.info), corpora.cut(trial.info)[:1]]
    for cases in (trial.ordinary, trial.ordinary[:1], trial.ordinary[3:5], *more):
        if cases in more and trial.refused(cases):
            continue
        mine, theirs = trial.sound_outcome(cases)[:1], trial.outcome(cases, other)[place : place + 1]
        span, other_span = _span(trial.info.scale), _span(other.info.scale)
        require(
            close(mine / span, theirs / other_span, _rounding(trial)),
            f"{spec} gives the same value",
            f"{mine[0]!r} here and {theirs[0]!r} there",
            "Correct equivalent(), or return None",
        )


def _span(scale: tuple[float, float]) -> float:
    return scale[1] if math.isfinite(scale[1]) else 1.0


check_equivalent_holds.applies = lambda trial: trial.metric.equivalent() is not None  # type: ignore[attr-defined]

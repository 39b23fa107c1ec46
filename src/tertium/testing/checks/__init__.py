"""
Group the checks by theme: a check is a function ``check_<behaviour>(trial)`` that fails by raising CheckFailed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tertium.testing.trial import Trial

Function = Callable[["Trial"], None]


def when(condition: Callable[[Trial], bool]) -> Callable[[Function], Function]:
    """
    Let a check apply only to metrics whose declared facts meet a condition.
    """

    def marked(function: Function) -> Function:
        function.applies = condition  # type: ignore[attr-defined]
        return function

    return marked


def additive(trial: Trial) -> bool:
    """
    Whether the metric has statistics that add up.
    """
    return trial.info.additive


def compares(trial: Trial) -> bool:
    """
    Whether the metric compares with references, and reads plain texts.
    """
    references = {"references", "reference-lists", "one-reference"} & trial.info.needs
    return bool(references) and "sources" not in trial.info.needs and trial.given is None


def plain(trial: Trial) -> bool:
    """
    Whether the metric reads plain texts.
    """
    return trial.given is None


def settings(trial: Trial) -> Any:
    """
    Return Hypothesis settings: the same examples on every run, and no files.
    """
    import hypothesis

    return hypothesis.settings(
        max_examples=trial.examples,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(hypothesis.HealthCheck),
        phases=[hypothesis.Phase.generate, hypothesis.Phase.shrink],
    )


def tried(trial: Trial, corpora: Any, holds: Callable[..., None], *others: Any) -> None:
    """
    Hold a property on drawn corpora; one that the metric refuses, as it declares, is passed over for another.

    Args:
        corpora: Strategy of cases.
        holds: Takes cases and a value of each of the other strategies, and raises where the property does not hold.
        others: More strategies.

    Raises:
        CheckFailed: It does not hold, or every drawn corpus is refused.
    """
    import hypothesis
    from hypothesis.errors import Unsatisfiable

    from tertium.testing.trial import CheckFailed

    def once(drawn: tuple[Any, ...]) -> None:
        if trial.refused(drawn[0]):
            hypothesis.reject()
        holds(*drawn)

    run: Any = settings(trial)(hypothesis.given(hypothesis.strategies.tuples(corpora, *others))(once))
    try:
        run()
    except Unsatisfiable as none:
        raise CheckFailed(
            "a metric refuses what has no value",
            f"every drawn corpus is refused, and `refuses` says: {trial.metric.refuses}",
            "Refuse less",
        ) from none

"""
Let Hypothesis draw corpora, many at a time and the same ones for the same seed.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random
from typing import TYPE_CHECKING

from tertium.errors import ResourceMissing

if TYPE_CHECKING:
    from tertium.shrinking import Draft

ROUND = 40
"""Corpora that are drawn at a time."""

VARIANTS = 6
"""Corpora that are made of each one drawn, itself included: drawing costs more than changing."""

_BACKEND = "tertium-steady"


def require() -> None:
    """
    Make sure that Hypothesis is there.

    Raises:
        ResourceMissing: It is not installed.
    """
    try:
        import hypothesis  # noqa: F401 - whether it is there is the question
    except ImportError as error:
        raise ResourceMissing(
            "hypothesis", "it draws what `tertium fuzz` tries, and is not installed", 'pip install "tertium[fuzz]"'
        ) from error


def drawn(
    seed: int, number: int, needs: Collection[str], longest: int, real: Sequence[Draft] = ()
) -> list[list[Draft]]:
    """
    Draw the corpora of one round.

    Args:
        seed: That of the whole search.
        number: Which round it is, from 0.
        needs: What the metrics need.
        longest: Characters of a long text at most.
        real: Cases to start from.
    """
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import seed as seeded

    from tertium.fuzzing.strategies import corpora, reworked

    found: list[list[Draft]] = []

    @seeded(seed * 1_000_003 + number)
    @settings(
        max_examples=ROUND,
        database=None,
        deadline=None,
        derandomize=False,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        backend=_steady(),
    )
    @given(corpora(needs, longest, real))
    def collect(corpus: list[Draft]) -> None:
        found.append(corpus)

    collect()
    random = Random(f"{seed}/{number}")
    long = [any(len(text) > 2_000 for case in corpus for text in case.texts) for corpus in found]
    copies = [corpus for corpus, much in zip(found, long, strict=True) if not much]
    return found + [reworked(corpus, random) for corpus in copies for _ in range(VARIANTS - 1)]


def _steady() -> str:
    """
    Name a way of drawing that depends on nothing but the seed.

    Hypothesis tries constants of the modules that happen to be loaded; which ones are must not change what is drawn.
    """
    from hypothesis.internal.conjecture import providers

    if _BACKEND not in providers.AVAILABLE_PROVIDERS:
        providers.AVAILABLE_PROVIDERS[_BACKEND] = f"{__package__}.provider.Steady"
    return _BACKEND

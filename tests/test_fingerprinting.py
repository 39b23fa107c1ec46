"""
Fingerprints: conventions recovered from answers alone.
"""

from __future__ import annotations

import tertium
from tertium.fingerprinting import fingerprint


class Blind(tertium.Metric):
    """
    Hide what a metric says of itself: all that is left are its answers.
    """

    name, provider = "hidden", "blind"

    def __init__(self) -> None:
        self.inner = tertium.load("wer")

    @classmethod
    def of(cls, spec: str) -> Blind:
        """
        Hide the metric that a spec names.
        """
        made = cls()
        made.inner = tertium.load(spec)
        made.columns, made.outputs, made.scale = made.inner.columns, made.inner.outputs, made.inner.scale
        made.additive, made.needs = made.inner.additive, made.inner.needs
        return made

    def preprocess(self, cases: tertium.Cases) -> object:
        return self.inner.preprocess(cases)

    def constants(self, prepared: object) -> object:
        return self.inner.constants(prepared)

    def statistics(self, prepared: object, constants: object) -> object:
        return self.inner.statistics(prepared, constants)

    def aggregate(self, sums: object) -> object:
        return self.inner.aggregate(sums)  # type: ignore[arg-type]

    def corpus(self, prepared: object, constants: object) -> object:
        return self.inner.corpus(prepared, constants)


def test_a_setting_away_from_every_default_is_found_by_its_answers() -> None:
    """Three conventions that are changed at once are recovered, and nothing else is."""
    found = fingerprint(Blind.of("chrf(beta=1.7,whitespace=keep,percent=false)"), metric="chrf")

    assert (found.spec, found.explained) == ("chrf@native(beta=1.7,percent=false,whitespace=keep)", True)
    assert found.asked <= 200

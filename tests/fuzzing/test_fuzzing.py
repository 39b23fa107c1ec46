"""
Fuzzing: planted faults are found, made small and left unexplained; conventions and documented divergences are explained.
"""

from __future__ import annotations

import doctest
from typing import Any

import pytest

import tertium
from miniatures.metrics import Needy
from miniatures.planted import Mean, Planted
from tertium import Cases, fuzzing
from tertium.errors import Refused, ResourceMissing, UnknownMetric
from tertium.fuzzing import fuzz, prepared
from tertium.fuzzing.results import Fuzzing


def told(found: Fuzzing) -> dict[str, Any]:
    """Give everything that was found, but for the time it took."""
    return {name: value for name, value in found.to_dict().items() if name not in ("seconds", "rate")}


def test_a_planted_fault_is_found_and_made_small() -> None:
    """A metric that flips its answer on one letter is found out by that letter alone, in the column where it begins."""
    found = fuzz("exact-match", Planted(fault="flips"), count=600)

    (finding,) = found.unexplained
    assert found.findings == (finding,)
    assert (finding.kind, finding.by, finding.complete) == ("value", ("unexplained",), True)
    assert (finding.cases.hypotheses, finding.cases.references) == (("ß",), (("",),))
    assert [value for _, value in finding.answers] == [0.0, 1.0]
    assert finding.gap == 1.0
    assert "exact-match@test parts from exact-match@native" in finding.reason
    assert finding.seen > 1
    assert found.tried == 600


def test_two_that_agree_give_no_finding() -> None:
    """Without a fault nothing differs, and nothing is found."""
    found = fuzz("exact-match", Planted(), count=300)

    assert (found.findings, found.differing, found.tried) == ((), 0, 300)


def test_an_error_on_one_side_is_a_finding() -> None:
    """Where one raises and the other answers, the smallest input that makes it raise is given with the error's name."""
    (finding,) = fuzz("exact-match", Planted(fault="raises"), count=600).findings

    assert (finding.kind, finding.explained) == ("error", False)
    assert finding.cases.hypotheses == ("&",)
    assert [kind for kind, _ in finding.answers] == ["number", "ValueError"]


def test_a_value_on_one_side_only_is_a_finding() -> None:
    """Where one is undefined and the other is not, that is the kind of the finding."""
    (finding,) = fuzz("exact-match", Planted(fault="undefined"), count=800).findings

    assert (finding.kind, finding.explained) == ("undefined", False)
    assert finding.cases.hypotheses == ("\u3000",)


def test_a_fault_does_not_hide_another_kind() -> None:
    """Faults of several kinds are found in one search."""
    found = fuzz("exact-match", Planted(fault="flips+raises+undefined"), count=800)

    assert {finding.kind for finding in found.unexplained} == {"value", "error", "undefined"}


@pytest.mark.parametrize("metric", [Planted(fault="three"), Mean(fault="three")], ids=["additive", "whole"])
def test_a_fault_of_the_corpus_needs_as_many_cases_as_show_it(metric: tertium.Metric) -> None:
    """A finaliser that errs from three cases on is found by three empty cases, though each case by itself agrees."""
    (finding,) = fuzz("exact-match", metric, count=400).findings

    assert not finding.explained
    assert finding.view == "corpus"
    assert finding.cases.hypotheses == ("", "", "")


def test_chance_is_told_from_a_difference() -> None:
    """A metric that gives another value each time is called unsteady, once."""
    (finding,) = fuzz("exact-match", Planted(fault="random"), count=100).findings

    assert (finding.kind, finding.explained) == ("unsteady", False)
    assert finding.seen > 1


def test_a_known_convention_does_not_hide_a_fault() -> None:
    """Between settings that differ by a convention, both that and the planted fault are found."""
    found = fuzz("exact-match(normalizer=lowercase)", Planted(fault="flips"), count=700)

    assert [(finding.explained, finding.by) for finding in found.findings] == [
        (False, ("unexplained",)),
        (True, ("exact.normaliser",)),
    ]


def test_conventions_are_found_one_by_one() -> None:
    """Three conventions at once are three findings, each with the smallest input that shows it and its choices."""
    found = fuzz("wer", "wer(split=unicode,case=lower,strip_punctuation=true)", count=700)

    by = {finding.by: finding for finding in found.findings}
    assert set(by) == {("wer.word-split",), ("wer.case",), ("wer.punctuation",)}
    assert not found.unexplained
    assert by["wer.case",].choices == {"case": ("sensitive", "lower")}
    for finding in found.findings:
        assert finding.complete
        other = "wer(split=unicode,case=lower,strip_punctuation=true)"
        assert tertium.diff(f"wer.{finding.output}", f"{other}.{finding.output}", finding.cases).differing


@pytest.mark.parametrize(("seed", "count"), [(3, 5), (6, 5), (7, 12), (9, 5)])
def test_what_was_found_was_seen(seed: int, count: int) -> None:
    """Every finding showed on an input at least, that to which it was made smaller if on no other."""
    found = fuzz(
        "bleu(tokenize=none,smoothing=none,zero_precision=tiny,denominator_floor=case)", "bleu", count=count, seed=seed
    )

    assert found.findings
    assert all(finding.seen >= 1 for finding in found.findings)


def test_refusal_by_convention_is_explained() -> None:
    """Where a convention decides that one side refuses, it is named, and the error is no unexplained finding."""
    found = fuzz("wer", "wer(empty_reference=error)", count=400)

    assert {finding.by for finding in found.findings} == {("wer.empty-reference",)}
    assert found.findings[0].kind == "error"


def test_same_seed_finds_the_same() -> None:
    """Seed and count decide everything: inputs, findings, counts; another seed tries other inputs."""
    words = ("exact-match(normalizer=lowercase)", Planted(fault="flips+raises"))
    first, again, other = (fuzz(*words, count=400, seed=seed) for seed in (5, 5, 6))

    assert told(first) == told(again)
    assert told(first) != told(other)


def test_real_text_is_changed() -> None:
    """A fault that shows only on a word of a corpus is found with the corpus, and not without it."""
    real = Cases(["a zyzzyva sat"], [["a zyzzyva sat there"]])

    assert not fuzz("exact-match", Planted(fault="word"), count=300).findings
    (finding,) = fuzz("exact-match", Planted(fault="word"), count=300, corpus=real).findings
    assert finding.cases.hypotheses == ("zyzzyva",)


def test_needs_are_kept() -> None:
    """Metrics that need sources and take one reference get these, so that neither refuses a single input."""
    found = fuzz(Needy(), Needy(), count=200)

    assert (found.refused, found.findings) == (0, ())


def test_time_ends_a_search() -> None:
    """A limit in seconds holds, give or take a round, and is no interruption."""
    found = fuzz("exact-match", Planted(), seconds=0.2)

    assert found.tried > 0
    assert found.rate > 0
    assert not found.interrupted


def test_what_was_found_outlives_an_interruption(monkeypatch: pytest.MonkeyPatch) -> None:
    """After Ctrl-C the search still gives its findings, marked as cut short."""
    hunt = prepared("exact-match", Planted(fault="flips"))
    rounds = []
    whole = hunt._round

    def some(corpora: Any) -> None:
        if len(rounds) == 2:
            raise KeyboardInterrupt
        rounds.append(corpora)
        whole(corpora)

    monkeypatch.setattr(hunt, "_round", some)
    with pytest.raises(KeyboardInterrupt):
        hunt.run(None, 100_000)

    assert hunt.result.interrupted
    assert hunt.result.tried == sum(len(corpus) for corpora in rounds for corpus in corpora)
    assert hunt.result.unexplained


def test_other_measures_are_refused() -> None:
    """Metrics of different families have nothing to explain between them."""
    with pytest.raises(Refused, match="fuzzing of wer@native and chrf@native"):
        fuzz("wer", "chrf", count=1)


def test_unknown_metrics_are_refused() -> None:
    """A spec that names nothing is an error before anything is tried."""
    with pytest.raises(UnknownMetric):
        fuzz("wer", "weer", count=1)


@pytest.mark.parametrize(
    "limit", [{"count": 0}, {"seconds": -1.0}, {"count": 1, "seed": -1}, {"count": 1, "tolerance": float("nan")}]
)
def test_limits_make_sense(limit: dict[str, Any]) -> None:
    """Budgets are above 0, seeds and tolerances not below."""
    with pytest.raises(Refused):
        fuzz("wer", "wer", **limit)


def test_the_tolerance_is_kept() -> None:
    """Differences within the tolerance are none."""
    assert not fuzz("exact-match", Planted(fault="flips"), count=600, tolerance=1.0).findings


def test_hypothesis_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Hypothesis the message names the extra that brings it."""
    monkeypatch.setitem(__import__("sys").modules, "hypothesis", None)

    with pytest.raises(ResourceMissing, match=r"tertium\[fuzz\]"):
        fuzz("wer", "wer", count=1)


def installed(spec: str) -> None:
    """Skip where a provider is not there."""
    metric, provider = spec.split("@")
    if provider not in tertium.providers(metric):
        pytest.skip(f"{spec} is not installed")


def test_conventions_of_two_libraries_are_found() -> None:
    """NLTK's and sacreBLEU's BLEU part by tokenizer and smoothing at least, and nothing is unexplained."""
    installed("bleu@nltk")
    installed("bleu@sacrebleu")
    found = fuzz("bleu@nltk", "bleu@sacrebleu", count=700)

    assert {("bleu.tokenizer",), ("bleu.smoothing",)} <= {finding.by for finding in found.findings}
    assert not found.unexplained
    smoothing = next(finding for finding in found.findings if finding.by == ("bleu.smoothing",))
    assert smoothing.shares["smoothing"] == pytest.approx(smoothing.gap, abs=1e-9)


@pytest.mark.parametrize(
    "spec", ["bleu@sacrebleu", "chrf@sacrebleu", "ter@sacrebleu", "wer@jiwer", "rouge2@rouge-score"]
)
def test_native_equals_the_library(spec: str) -> None:
    """Native and the library that its defaults follow agree on everything that is tried."""
    installed(spec)
    found = fuzz(spec.split("@")[0], spec, count=600, seed=20, longest=500)

    assert found.findings == ()
    assert found.tried == 600


def test_documented_divergences_are_recognised() -> None:
    """That the package `rouge` refuses texts without words is known, and told with the entry's reason and number."""
    installed("rouge2@rouge")
    equivalent = tertium.load("rouge2@rouge").equivalent()
    found = fuzz(equivalent, "rouge2@rouge", count=600)

    assert not found.unexplained
    (finding,) = found.findings
    assert (finding.kind, finding.by) == ("error", ("rouge.empty",))
    assert finding.divergence > 0
    assert "ValueError" in finding.reason


def test_examples_in_docstrings_run() -> None:
    """Examples in docstrings print what they say."""
    failed, tried = doctest.testmod(fuzzing)

    assert (failed, tried > 0) == (0, True)

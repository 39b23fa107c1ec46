"""
Fingerprints: conventions recovered from answers alone, and what is said where they cannot be.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from typing import Any

import numpy as np
import pytest

import tertium
from fingerprints import Hidden
from tertium.errors import Refused
from tertium.fingerprinting import Fingerprint, fingerprint
from tertium.fingerprinting.answering import ALIKE, DIFFERENT, EQUAL, Answers, Natives, Probe, Tolerance
from tertium.fingerprinting.asking import Subject
from tertium.fingerprinting.parting import entropy, named
from tertium.fingerprinting.probing import groups, invented, suite
from tertium.fingerprinting.separating import separation
from tertium.fingerprinting.space import Setting, Space
from tertium.registry import registry
from tertium.sides import answer


class Changed(Hidden):
    """
    Change another metric's corpus value by a function of the value and the cases.
    """

    provider = "changed"
    change: Any = None

    @classmethod
    def by(cls, spec: str, change: Any) -> Any:
        """
        Give the metric that a spec names another value.
        """
        made = cls.behind(spec)
        made.additive, made.change, made.outputs = False, change, made.outputs[:1]
        return made

    def preprocess(self, cases: tertium.Cases) -> Any:
        return cases

    def constants(self, prepared: Any) -> Any:
        return None

    def corpus(self, prepared: Any, constants: Any) -> Any:
        return np.array([self.change(tertium.score(self._inner, prepared).value, prepared)])


def held(found: Fingerprint, metric: str, known: str, provider: tertium.Metric) -> bool:
    """
    Tell whether a setting gives what a known native spec does, wherever the provider gives a value.
    """
    space = Space(metric)
    spec = registry().resolve(known)
    wanted = space.with_params(Setting(spec.metric), spec.params)
    natives = Natives(space)
    places = natives.add([*suite(space.family), *invented(99, 300)])
    one, other = natives.answers(found.setting, places), natives.answers(wanted, places)
    apart = np.flatnonzero(one.against(other, found.tolerance) == DIFFERENT)
    return not any(answer(provider, 0, natives.probes[place].cases)[0] == "number" for place in apart)


BLIND = (
    "chrf@sacrebleu(word_order=1,beta=1.7,whitespace=true)",
    "chrf@sacrebleu(whitespace=true,eps_smoothing=true,char_order=4)",
    "wip@jiwer",
    "gleu@nltk",
    "levenshtein@rapidfuzz(normalized=true)",
    "chrf@fastchrf",
)


@pytest.mark.parametrize("spec", BLIND)
def test_an_adapter_is_recovered_blind(spec: str) -> None:
    """From answers alone, in under 100 probes, comes a setting that does what the adapter declares of itself."""
    provider = Hidden.behind(spec)
    name = spec.partition("@")[0]

    found = fingerprint(provider, metric=name)

    assert (found.unexplained, found.declared) == ((), None)
    assert found.asked < 100
    assert held(found, name, str(tertium.load(spec).equivalent()), provider)


def test_what_is_declared_is_looked_at_only_afterwards() -> None:
    """A provider that declares a wrong equivalent is still recovered, and the fingerprint says that it is wrong."""

    class Wrong(Hidden):
        provider = "wrong"

        def equivalent(self) -> str:
            return "exact-match(normalizer=strip)"

    found = fingerprint(Wrong.behind("exact-match(normalizer=lowercase,percent=true)"), metric="exact-match")

    assert found.spec == "exact-match@native(normalizer=lowercase,percent=true)"
    assert (found.declared, found.agrees, found.explained) == ("exact-match@native(normalizer=strip)", False, True)


def test_another_unit_is_found_as_a_factor() -> None:
    """A distance that is written a hundred times as large is the native one, times 100."""
    found = fingerprint(Changed.by("levenshtein", lambda value, _: 100 * value), metric="levenshtein")

    assert (found.spec, found.setting.factor, found.explained) == ("levenshtein@native", 100.0, True)


def test_rounding_is_told_from_the_answers() -> None:
    """Values that all have three decimals at most are compared within half a thousandth."""
    found = fingerprint(Changed.by("gleu(max_order=3)", lambda value, _: round(value, 3)), metric="gleu")

    assert found.tolerance.why == "all values are rounded to 3 decimals"
    assert found.tolerance.absolute == pytest.approx(0.0005)
    assert found.spec == "gleu@native(max_order=3)"


def test_what_no_setting_explains_is_listed() -> None:
    """A rule that no native metric has, a bonus for a letter, leaves probes with that letter and no others."""

    def bonus(value: float, cases: tertium.Cases) -> float:
        return value + 0.123 * any("e" in text for text in cases.hypotheses)

    found = fingerprint(Changed.by("exact-match", bonus), metric="exact-match")

    assert found.spec == "exact-match@native"
    assert not found.explained
    assert found.unexplained
    assert all("e" in " ".join(miss.probe.cases.hypotheses) for miss in found.unexplained)
    assert all(abs(miss.theirs[1] - miss.ours[1] - 0.123) < 1e-12 for miss in found.unexplained)


def test_a_provider_that_draws_at_random_is_told_of() -> None:
    """Questions that are answered otherwise the second time are counted, and nothing counts as explained."""
    ticks = itertools.count()
    found = fingerprint(Changed.by("gleu", lambda value, _: value + 1e-4 * next(ticks)), metric="gleu", probes=40)

    assert found.unsteady
    assert not found.explained


def test_kinds_of_questions_that_are_refused_are_left_out() -> None:
    """A function of one case is recovered from single cases, and rules for a corpus stay open with what would tell."""

    def alone(value: float, cases: tertium.Cases) -> float:
        if len(cases) > 1:
            raise ValueError("one case")
        return value

    found = fingerprint(Changed.by("gleu", alone), metric="gleu")
    aggregation = next(one for one in found.conventions if one.axis == "aggregation")

    assert found.refused == ("it takes one case a call",)
    assert (found.spec, found.unexplained) == ("gleu@native", ())
    assert not aggregation.decided
    assert aggregation.separation is not None
    assert len(aggregation.separation.cases) == 2


class Finished(Hidden):
    """
    Change what another metric makes of its sums.
    """

    provider = "finished"
    finish: Any = None

    @classmethod
    def by(cls, spec: str, finish: Any, outputs: tuple[str, ...]) -> Any:
        """
        Give the metric that a spec names other outputs: a function of its outputs, under these names.
        """
        made = cls.behind(spec)
        made.finish, made.outputs = finish, outputs
        return made

    def aggregate(self, sums: Any) -> Any:
        return self.finish(self._inner.aggregate(sums))


def test_all_outputs_tell_settings_apart() -> None:
    """A tie rule changes hits and kinds of errors and never the rate: the other outputs show it."""
    found = fingerprint(Hidden.behind("wer(ties=most-hits)"), metric="wer")
    ties = next(one for one in found.conventions if one.axis == "tie-breaking")
    alone = fingerprint("wer(ties=most-hits).wer", metric="wer")

    assert (found.spec, ties.decided, found.explained) == ("wer@native(ties=most-hits)", True, True)
    assert found.compared[:4] == ("hits", "substitutions", "deletions", "insertions")
    assert found.asked <= 200
    assert (alone.compared, alone.left_out) == ((), {})


def test_outputs_that_cannot_be_the_native_ones_are_left_out_with_the_reason() -> None:
    """An output of a native name with other values, of no native name, or that says nothing, changes nothing and is told."""

    def finish(values: Any) -> Any:
        f1, precision, recall = np.moveaxis(np.asarray(values), -1, 0)
        return np.stack([f1, precision / 2 + 0.1, recall, f1 - recall], axis=-1)

    found = fingerprint(
        Finished.by("token-f1(lowercase=true)", finish, ("f1", "precision", "recall", "difference")), metric="token-f1"
    )
    still = Finished.by("token-f1", lambda values: values * [1, 0, 1], ("f1", "precision", "recall"))

    assert found.spec == "token-f1@native(lowercase=true)"
    assert (found.compared, found.unexplained) == (("recall",), ())
    assert found.left_out == {
        "precision": "no setting that gives the headline gives it",
        "difference": "no native metric has an output of that name",
    }
    assert fingerprint(still, metric="token-f1").left_out == {"precision": "it hardly changed"}


def test_a_small_budget_is_kept_and_leaves_rivals_with_what_parts_them() -> None:
    """Ten probes leave several settings, each named with an input that would part it from the first."""
    found = fingerprint(Hidden.behind("levenshtein(normalize=nfkc,strip_format=true)"), metric="levenshtein", probes=10)

    assert found.asked <= 10
    assert found.rivals
    assert not found.explained
    rival, parted = found.rivals[0]
    assert parted is not None
    assert parted.answers[0] != parted.answers[1]
    assert answer(tertium.load(str(rival.spec)), 0, parted.cases)[1] * rival.factor == parted.answers[1][1]


def test_a_provider_without_any_number_is_refused() -> None:
    """Where every probe is refused the message carries the first reason."""

    def broken(value: float, cases: tertium.Cases) -> float:
        raise ValueError("no such thing")

    with pytest.raises(Refused, match=r"it gave no number on any of .* no such thing"):
        fingerprint(Changed.by("exact-match", broken), metric="exact-match")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({}, "there is none of that name"),
        ({"metric": "blue"}, "there is none of that name"),
        ({"metric": "gleu", "probes": 3}, "10 probes or more"),
        ({"metric": "gleu", "tolerance": 1.0}, "from 0 to below 1"),
        ({"metric": "gleu", "digits": 16}, "0 to 15 decimals"),
    ],
)
def test_arguments_out_of_range_are_refused(given: dict[str, Any], says: str) -> None:
    """A metric without a native counterpart and numbers out of range are refused with what would do."""
    with pytest.raises(Refused, match=says):
        fingerprint(Hidden.behind("gleu"), **given)


def test_answers_in_one_pass_are_those_one_by_one() -> None:
    """A setting's answers to many corpora in one pass equal its scores of each, refusals included."""
    space = Space("wer")
    natives = Natives(space)
    places = natives.add([*suite(space.family)[:60], *groups(suite(space.family)[:40], 3)])
    for params in ((), (("empty_reference", "error"),), (("average", "mean"),)):
        setting = Setting("wer", params)
        metric = space.make(setting)
        assert metric is not None

        found = natives.answers(setting, places)
        alone = Answers.of([answer(metric, 0, natives.probes[place].cases) for place in places])

        assert found.kinds.tolist() == alone.kinds.tolist()
        np.testing.assert_allclose(found.values, alone.values, rtol=1e-12, equal_nan=True)


def test_answers_compare_by_kind_and_value() -> None:
    """Numbers are equal within the tolerance; refusals and undefined values, and two near nothings, are alike."""
    one = Answers.of(
        [("number", 1.0), ("number", 1.0), ("ValueError", np.nan), ("number", 4e-78), ("infinite", np.inf)]
    )
    other = Answers.of(
        [("number", 1.0 + 1e-10), ("number", 1.001), ("undefined", np.nan), ("number", 0.0), ("infinite", -np.inf)]
    )

    assert one.against(other, Tolerance()).tolist() == [EQUAL, DIFFERENT, ALIKE, ALIKE, DIFFERENT]
    assert one.against(other, Tolerance(absolute=0.01)).tolist()[1] == EQUAL


def test_questions_are_weighed_by_what_they_tell() -> None:
    """Four settings that a question parts in halves give one bit, in quarters two; near values share a name."""
    values = np.array([[1.0, 1.0, 0.0], [1.0, 2.0, 1e-16], [2.0, 3.0, 0.0], [2.0, 4.0, 0.0]])

    names = named(values, np.zeros((4, 3), np.int8), Tolerance())

    assert [entropy(column) for column in names.T] == [1.0, 2.0, 0.0]


def test_the_smallest_separating_input_is_small() -> None:
    """Two settings that differ in case part on a single letter."""
    natives = Natives(Space("exact-match"))
    natives.add([Probe("long", tertium.Cases(["A b c", "x"], [["a b c"], ["x"]]))])

    found = separation(
        natives, Setting("exact-match"), Setting("exact-match", (("normalizer", "lowercase"),)), Tolerance()
    )

    assert found is not None
    assert (found.cases.hypotheses, found.cases.references) == (("A",), (("a",),))


def test_settings_that_contradict_themselves_are_no_part_of_the_space() -> None:
    """Every step leads to a setting that can be made; changing the unit gives way where word rules were chosen."""
    space = Space("wer")
    start = space.with_params(Setting("wer"), {"split": "whitespace"})

    steps = list(space.moves(start))

    assert len(steps) == len({*steps}) > 40
    assert all(space.readable(step) for step in steps)
    assert Setting("wer", (("unit", "codepoint"),)) in steps


def test_invented_inputs_are_the_same_for_the_same_seed() -> None:
    """Equal seeds give equal corpora; with one reference a case no case has more."""
    one = [probe.cases for probe in invented(5, 40, one_reference=True)]

    assert one == [probe.cases for probe in invented(5, 40, one_reference=True)]
    assert one != [probe.cases for probe in invented(6, 40, one_reference=True)]
    assert {int(cases.reference_counts.max()) for cases in one} == {1}


def test_the_subject_counts_every_call() -> None:
    """Asking and repeating both count against the budget."""
    calls = itertools.count()
    subject = Subject(Changed.by("gleu", lambda value, _: value + 0 * next(calls)), None, budget=5)
    for number in range(3):
        subject.ask(number, Probe("x", tertium.Cases(["a b c d"], [["a b d e"]])))
    subject.repeat(1)

    assert (subject.spent, subject.left, next(calls)) == (4, 1, 4)


def test_streams_are_not_asked_what_they_cannot_hold() -> None:
    """A corpus BLEU of streams is asked no corpus whose cases have different counts of references, and is recovered."""

    def streamed(hypotheses: list[str], streams: list[list[str]]) -> float:
        rows = [list(row) for row in zip(*streams, strict=True)]
        return tertium.score("bleu(tokenize=none,max_order=2)", tertium.Cases(hypotheses, rows)).value

    shape = {"input": "strings", "level": "corpus", "references": "streams", "first": "hypothesis", "result": "number"}
    found = fingerprint(tertium.adapt(streamed, metric="bleu", scale=100, **shape), metric="bleu", probes=40)

    assert not found.unexplained
    assert dict(found.setting.params) == {"tokenize": "none", "max_order": 2}
    assert all(len(set(question.probe.cases.reference_counts.tolist())) == 1 for question in found.questions)
    assert any(question.probe.references > 1 for question in found.questions)
    assert found.refused == ("it takes streams of references, so as many for each case of a call",)


def test_a_mean_of_sentences_written_by_hand_is_recovered() -> None:
    """BLEU without smoothing, a mean of segments from 0 to 1 over split words, lies four steps from the default."""

    def bleu(hypothesis: list[str], reference: list[str]) -> float:
        logs = 0.0
        for order in range(1, 5):
            mine, theirs = (
                Counter(zip(*(words[start:] for start in range(order)), strict=False))
                for words in (hypothesis, reference)
            )
            matched = sum((mine & theirs).values())
            if not matched:
                return 0.0
            logs += math.log(matched / sum(mine.values())) / 4
        return math.exp(logs + min(0.0, 1 - len(reference) / len(hypothesis)))

    def mean(hypotheses: list[str], references: list[str]) -> float:
        pairs = zip(hypotheses, references, strict=True)
        return sum(bleu(one.split(), other.split()) for one, other in pairs) / len(hypotheses)

    shape = {"input": "strings", "level": "corpus", "references": "one", "first": "hypothesis", "result": "number"}
    found = fingerprint(tertium.adapt(mean, metric="bleu", scale=1, **shape), metric="bleu", probes=80)

    assert not found.unexplained
    assert dict(found.setting.params) == {
        "tokenize": "none",
        "no_match": "zero-any",
        "aggregation": "mean",
        "percent": False,
    }

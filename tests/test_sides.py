"""
Two metrics side by side: what stands for them, their scales, and answers that may be refusals.
"""

from __future__ import annotations

import math
from typing import Any

import pytest

import tertium
from miniatures.metrics import Faulty, Thirds
from tertium.errors import Refused
from tertium.sides import answer, distance, native_of, rescaled, shared_unit, sides, state_of, unit_of

CASES = tertium.Cases(["a b", "c"], [["a b"], ["d"]])


def test_a_native_metric_stands_for_itself_and_an_adapter_for_its_equivalent() -> None:
    """What explains a metric is native; a metric that declares nothing has nothing."""
    native = tertium.load("bleu(max_order=2)")
    found = native_of(tertium.load("bleu@sacrebleu(lowercase=true)"))

    assert native_of(native) is native
    assert found is not None
    assert (found.provider, found.parameters["lowercase"]) == ("native", True)
    assert native_of(Thirds()) is None


@pytest.mark.parametrize(
    ("spec", "unit"),
    [
        ("bleu", 100),
        ("bleu@nltk", 1),
        ("cider-d(tokenizer=none)", 10),
        ("wer", 1),
        ("ter", 100),
        ("ter(percent=false)", 1),
        ("ter@sacrebleu", 100),
        ("exact-match(percent=true)", 100),
    ],
)
def test_unit_is_what_stands_for_one(spec: str, unit: float) -> None:
    """Scales end at their unit; a scale without end has the unit that its percent parameter says."""
    assert sides(spec, spec, "a test")[0].unit == unit


def test_changing_the_scale_multiplies_by_the_ratio_of_units() -> None:
    """Whatever a family's scale axis does, values divided by the unit stay the same."""
    from tertium.conventions import SCALE, families
    from tertium.parameters import parameters_of

    seen = 0
    for family in families().values():
        for name in family.metrics if SCALE in family.axes else ():
            (parameter,) = family.axes[SCALE].parameters
            kind = type(tertium.load(name))
            changed: Any = not parameters_of(kind)[parameter].default if parameter == "percent" else 3.0
            extra = {"tokenizer": "none"} if family.name == "cider" else {}
            one, other = kind(**extra), kind(**extra, **{parameter: changed})
            values = [tertium.score(metric, CASES).value / unit_of(metric) for metric in (one, other)]
            assert values[0] == pytest.approx(values[1], rel=1e-12), name
            assert unit_of(one) != unit_of(other)
            seen += 1
    assert seen > 8


def test_one_scale() -> None:
    """Equal units are kept to the bit, others are brought to 0 to 1."""
    percent, share = sides("exact-match(percent=true)", "exact-match", "a test")

    assert shared_unit((percent, percent)) == 100
    assert shared_unit((percent, share)) == 1
    assert rescaled(0.1 + 0.2, 100.0, 100.0) == 0.1 + 0.2
    assert rescaled(50.0, 100.0, 1.0) == 0.5


def test_answers_name_their_kind() -> None:
    """A number, an infinity, an undefined value and an error are four kinds of answers."""
    empty = tertium.Cases(["a"], [[""]])

    def asked(spec: str, cases: tertium.Cases) -> str:
        return answer(tertium.load(spec), 0, cases)[0]

    assert answer(tertium.load("wer"), 0, CASES) == ("number", 1 / 3)
    assert asked("wer(empty_reference=infinity)", empty) == "infinite"
    assert asked("wer(empty_reference=undefined)", empty) == "undefined"
    assert asked("wer(empty_reference=error)", empty) == "BadText"
    assert asked("wer", tertium.Cases(["a"], [None])) == "MissingReferences"
    assert [state_of(value) for value in (0.0, -math.inf, math.nan)] == ["number", "infinite", "undefined"]


def test_an_answer_is_what_scoring_gives() -> None:
    """The quick way to a value of few cases is the value."""
    for spec in ("bleu", "chrf", "cider-d(tokenizer=none)", "rougeL(corpus_value=bootstrap)"):
        assert answer(tertium.load(spec), 0, CASES) == ("number", tertium.score(spec, CASES).value)


def test_distance_of_answers() -> None:
    """Kinds that differ lie infinitely apart; two refusals say the same."""
    assert distance(("number", 1.0), ("number", 1.5)) == 0.5
    assert distance(("number", 1.0), ("undefined", math.nan)) == math.inf
    assert distance(("BadText", math.nan), ("ValueError", math.nan)) == 0
    assert distance(("BadText", math.nan), ("undefined", math.nan)) == math.inf
    assert distance(("infinite", math.inf), ("infinite", math.inf)) == 0
    assert distance(("infinite", math.inf), ("infinite", -math.inf)) == math.inf


def test_a_refusal_is_kept() -> None:
    """Scoring a side that fails keeps the reason in place of the score."""
    left, right = sides(Faulty(fault="shape"), Faulty(fault="shape"), "a test")
    left.run(CASES)

    assert (left.state, left.score) == ("error", None)
    assert "faulty@test" in str(left.reason)
    assert math.isnan(left.value)
    assert left.to_dict()["state"] == "error"
    assert right.state == "error"


def test_other_measurements_are_refused() -> None:
    """Two names of no common family are refused, by what each could be compared with."""
    with pytest.raises(Refused, match=r"Compare wer with wer@jiwer, wer@native.*, cer, mer, wil, wip, or thirds"):
        sides("wer", Thirds(), "a test")


@pytest.mark.parametrize("spec", ["bleu", "nist", "gleu", "ribes", "ter", "rouge1", "meteor", "token-f1", "wer"])
def test_metrics_show_their_tokens(spec: str) -> None:
    """A metric shows the units that a text is cut into."""
    metric = tertium.load(f"{spec}(stages=exact)" if spec == "meteor" else spec)

    assert [token.lower().strip(",.") for token in metric.tokens("A cat, a dog") or ()][:2] == ["a", "cat"]
    assert Thirds().tokens("A cat") is None

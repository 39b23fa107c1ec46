"""
Functions as metrics: what they are scored as in every shape, and what is said where they break.
"""

from __future__ import annotations

import functools
import gc
import math
import pickle
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import tertium
from miniatures import functions
from tertium.callables import CallableMetric
from tertium.errors import (
    DataError,
    ParameterError,
    ProviderBroken,
    ProviderMissing,
    Refused,
    TertiumError,
    UnknownMetric,
)

ONE = tertium.Cases(["a b c", "a b", "x y z"], [["a b c"], ["a c"], ["p q r"]])
"""Token F1 is 1, 1/2 and 0."""

TWO = tertium.Cases(["a b c", "a b", "x y z"], [["q", "a b c"], ["a c", "q"], ["p q r", "q"]])

SEGMENT = {"level": "segment", "result": "number", "scale": 1, "first": "hypothesis"}


def declared(function: Any, **shape: Any) -> CallableMetric:
    return tertium.adapt(function, **{**SEGMENT, "input": "strings", "references": "one", **shape})


@pytest.mark.parametrize(
    ("function", "cases"),
    [
        (functions.token_f1, ONE),
        (functions.token_f1_of_tokens, ONE),
        (functions.best_f1, TWO),
        (functions.corpus_f1, TWO),
        (functions.streams_f1, TWO),
        (functions.by_name, ONE),
        (functions.entries, ONE),
    ],
    ids=lambda value: getattr(value, "__name__", "cases"),
)
def test_every_shape_is_found_and_gives_the_functions_value(function: Any, cases: tertium.Cases) -> None:
    """Strings and tokens, segments and corpora, one reference, lists and streams: the mean of 1, 1/2 and 0."""
    assert tertium.score(tertium.adapt(function, metric="token-f1"), cases).value == pytest.approx(0.5, rel=1e-12)


def test_a_function_of_segments_adds_up() -> None:
    """Its cases have values of their own, and its parameters and source stand in the signature."""
    found = tertium.score(tertium.adapt(functions.token_f1, metric="token-f1"), ONE)

    assert found.per_case["score"].tolist() == [1.0, 0.5, 0.0]
    assert (found.info.additive, found.info.name, found.info.provider) == (True, "token-f1", "py")
    assert found.conventions["function"] == "py:miniatures.functions:token_f1"
    assert (found.conventions["input"], found.conventions["references"]) == ("strings", "one")
    assert len(found.conventions["code"]) == 12
    assert str(found.spec) == "py:miniatures.functions:token_f1(metric=token-f1)"


def test_a_function_of_a_corpus_has_no_values_of_cases() -> None:
    """What is called once with everything is not additive."""
    found = tertium.score(tertium.adapt(functions.corpus_f1, metric="token-f1"), TWO)

    assert not found.info.additive
    with pytest.raises(Refused, match="corpus value only"):
        _ = found.per_case


def test_a_function_itself_can_be_scored_and_diffed() -> None:
    """`score` and `diff` take the function; it computes what the other side does, on the scale that it uses."""
    found = tertium.diff("token-f1", functions.percent_f1, ONE)

    assert tertium.score(functions.token_f1, ONE).value == 0.5
    assert (found.a.value, found.b.value, found.gap, found.differing) == (0.5, 50.0, 0.0, 0)
    assert found.b.label == "py:miniatures.functions:percent_f1"
    assert found.b.metric.info.scale == (0.0, 100.0)


def test_two_functions_can_be_diffed() -> None:
    """Neither needs to say which metric it computes."""
    found = tertium.diff(functions.token_f1, functions.backwards, ONE)

    assert found.gap == 0.0
    assert tertium.diff(functions.token_f1, "token-f1", ONE).gap == 0.0


def test_specs_name_functions_with_their_shape() -> None:
    """`py:module:function` takes the shape as parameters, in both grammars."""
    python = "py:miniatures.functions:token_f1_of_tokens(metric=token-f1,input=tokens,level=segment,references=one)"
    shell = "py:miniatures.functions:token_f1_of_tokens:metric=token-f1,input=tokens,level=segment,references=one"

    assert [tertium.score(spec, ONE).value for spec in (python, shell)] == [0.5, 0.5]
    assert str(tertium.score(shell, ONE).spec) == (
        "py:miniatures.functions:token_f1_of_tokens(input=tokens,level=segment,metric=token-f1,references=one)"
    )


@pytest.mark.parametrize(
    ("spec", "error", "said"),
    [
        ("py:miniatures.functions:token_f1(inptu=tokens)", ParameterError, "Did you mean input"),
        ("py:miniatures.functions:token_f1(level=word)", ParameterError, "it takes segment, corpus"),
        ("py:miniatures.functions:token_f1(scale=0)", ParameterError, "more than 0"),
        ("py:miniatures.functions:token_f1(metric=blue)", UnknownMetric, "Did you mean bleu"),
        ("py:miniatures.functions:token_f1(function=x)", ParameterError, "Leave function= out"),
        (
            "py:miniatures.functions:token_f1(tokenize='13b',input=tokens)",
            ParameterError,
            r"^py:miniatures\.functions:token_f1 cannot take tokenize='13b': it takes .*; default whitespace. Did you mean 13a",
        ),
        ("py:miniatures.functions:token_f1().f1", TertiumError, "no output 'f1'"),
        (
            "py:miniatures.functions:token_f2",
            ProviderMissing,
            "the module miniatures.functions is there, and no token_f2 in it; it has token_f1, .* and .* more. Did you mean",
        ),
        (
            "py:miniatures.functions:token_f1.x",
            ProviderMissing,
            "the function miniatures.functions.token_f1 is there, and",
        ),
        ("py:miniatures.functoins:token_f1", ProviderMissing, "Did you mean miniatures.functions"),
        ("py:miniatures.functions.f1:x", ProviderMissing, "miniatures.functions is there, and no module f1 in it"),
        ("py:no_such_module:f", ProviderMissing, "there is no module no_such_module. Modules are looked for"),
        (
            "py:miniatures.unimportable:f",
            ProviderMissing,
            r"unimportable is there and cannot be imported \(it raises RuntimeError: no shared object",
        ),
        (
            "py:miniatures.functions:_calls",
            ParameterError,
            "is a list: no metric class, and nothing that can be called",
        ),
        ("py:miniatures.functions:Scores", ParameterError, "no metric class"),
        ("py:miniatures.functions:best_f1(references=streams,level=segment)", ParameterError, "Declare level=corpus"),
    ],
)
def test_wrong_declarations_are_refused_with_help(spec: str, error: type[TertiumError], said: str) -> None:
    """What is misspelt or contradictory is named, with what to write instead."""
    with pytest.raises(error, match=said):
        tertium.load(spec)


def test_a_metric_object_can_be_named() -> None:
    """A metric that is made already needs no class around it, and takes no parameters."""
    assert tertium.load("py:miniatures.metrics:Thirds").info.name == tertium.load("py:test_callables:MADE").info.name
    with pytest.raises(ParameterError, match="made already"):
        tertium.load("py:test_callables:MADE(level=corpus)")


def test_named_tokenizers_cut_for_the_function() -> None:
    """`tokenize` takes the names of bleu's tokenizers: 13a parts the full stop."""
    spaced = declared(functions.token_f1_of_tokens, input="tokens")
    parted = declared(functions.token_f1_of_tokens, input="tokens", tokenize="13a")
    cases = tertium.Cases(["a b."], [["a b"]])

    assert spaced.tokens("a b.") == ["a", "b."]
    assert parted.tokens("a b.") == ["a", "b", "."]
    assert tertium.score(spaced, cases).value == 0.5
    assert tertium.score(parted, cases).value == pytest.approx(0.8, rel=1e-12)
    assert declared(functions.token_f1).tokens("a b.") is None


def test_sources_are_given_where_they_are_arguments() -> None:
    """A third argument of such a name is the source; without sources the function cannot be called."""
    metric = tertium.adapt(functions.with_source)
    cases = tertium.Cases(["a b"], [["a c"]], ["a c d"])

    assert (metric.source, metric.info.needs) == ("first", frozenset({"sources", "one-reference"}))
    assert tertium.score(metric, cases).value == 0.5
    with pytest.raises(DataError, match="no sources"):
        tertium.score(metric, ONE)


def test_what_takes_one_reference_refuses_several() -> None:
    """Nothing is dropped: the case is named."""
    with pytest.raises(Refused, match="takes one reference a case: case 0"):
        tertium.score(tertium.adapt(functions.token_f1), TWO)


def test_streams_need_as_many_references_for_every_case() -> None:
    """Nothing is padded: the case is named."""
    cases = tertium.Cases(["a b c", "a b"], [["a b c"], ["a c", "q"]])
    with pytest.raises(DataError, match="case 0 has 1 and case 1 has 2"):
        tertium.score(tertium.adapt(functions.streams_f1), cases)


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (functions.raises, "it raises ZeroDivisionError for case 1 .id '1'.: no words at all. Mend the function"),
        (functions.leaves, "it raises SystemExit for case 1"),
        (functions.returning(None), "it returns None for case 1"),
        (functions.returning("0.5"), "it returns the text '0.5' for case 1"),
        (functions.returning([0.5]), "it returns a list of 1 value for case 1"),
        (functions.returning({"f1": 0.5, "p": 1}), "it returns a mapping with f1, p for case 1"),
        (functions.returning(np.ones((2, 3))), r"it returns an array of shape \(2, 3\) for case 1"),
        (functions.returning(1j), "it returns a complex for case 1"),
    ],
    ids=["raises", "exits", "none", "text", "list", "mapping", "array", "complex"],
)
def test_what_breaks_is_told_with_the_case(function: Any, said: str) -> None:
    """An exception or a result that is no number names function and case, and keeps the cause."""
    with pytest.raises(ProviderBroken, match=said) as caught:
        tertium.score(declared(function), ONE)

    cause = caught.value.__cause__
    assert (type(cause).__name__ if cause else None) == (
        "ZeroDivisionError" if function is functions.raises else "SystemExit" if function is functions.leaves else None
    )


@pytest.mark.parametrize(
    "value",
    [True, 1, np.float32(1), np.int64(1), np.bool_(True), np.array(1.0), Fraction(1), Decimal(1)],
    ids=["bool", "int", "float32", "int64", "bool_", "scalar array", "fraction", "decimal"],
)
def test_numbers_of_all_kinds_are_taken(value: Any) -> None:
    """What is one number without a shape is that number: the mean of 1, 1 and 0."""
    assert tertium.score(declared(functions.returning(value)), ONE).value == pytest.approx(2 / 3, rel=1e-12)


def test_nan_makes_the_value_undefined_and_is_said() -> None:
    """The mean with a NaN has no value; the other cases keep theirs."""
    found = tertium.score(declared(functions.undefined), ONE)

    assert math.isnan(found.value)
    assert found.reason == "the function returns NaN"
    assert found.notes == ("it returns NaN for 1 case (first: 1)",)
    assert [found.per_case["score"][0], found.per_case["score"][2]] == [1.0, 0.0]
    assert math.isnan(found.per_case["score"][1])


@pytest.mark.parametrize(("value", "mean"), [(math.inf, math.inf), (-math.inf, -math.inf), (10**400, math.inf)])
def test_infinite_values_make_the_mean_infinite(value: float, mean: float) -> None:
    """An infinite value counts as what it is."""
    assert tertium.score(declared(functions.returning(value)), ONE).value == mean


def test_what_only_one_side_cannot_do_is_the_finding() -> None:
    """An error or NaN on one side is no error of the diff."""
    broken = tertium.diff("token-f1", declared(functions.raises), ONE)
    undefined = tertium.diff("token-f1", declared(functions.undefined), ONE)

    assert broken.exceeds()
    assert "refuses these cases (py:miniatures.functions:raises: it raises ZeroDivisionError" in str(broken.finding)
    assert undefined.exceeds()
    assert "is undefined (the function returns NaN)" in str(undefined.finding)
    assert (undefined.differing, undefined.carriers[0].row) == (1, 1)


def test_a_function_that_changes_its_arguments_changes_nothing_else() -> None:
    """It is given copies, the score is right, and it is said."""
    cases = tertium.Cases(["a b c", "a b"], [["q", "a b c"], ["z", "a c"]])
    of_segments = tertium.score(declared(functions.sorting, references="list"), cases)
    of_a_corpus = tertium.score(declared(functions.emptying, references="list", level="corpus"), cases)

    assert of_segments.value == of_a_corpus.value == 0.75
    assert cases.references == (("q", "a b c"), ("z", "a c"))
    assert of_segments.notes == ("it changes its arguments (references; 2 cases (first: 0, 1)); it was given copies",)
    assert of_a_corpus.notes == ("it changes its arguments (hypothesis; the corpus); it was given copies",)


def test_notes_speak_of_the_cases_that_were_scored() -> None:
    """A metric that is used again says nothing about other cases."""
    metric = declared(functions.undefined)
    tertium.score(metric, ONE)

    assert tertium.score(metric, ONE[:1]).notes == ()
    assert metric.notes(tertium.Cases(["a b c", "other"], [["a"], ["b"]])) == []


def test_what_was_found_by_trying_is_said() -> None:
    """A shape that was not declared stands in a note, ready to be declared."""
    metric = tertium.adapt(functions.backwards)

    assert metric.notes(ONE) == [
        "tried on a few lines, it is taken as input=strings,level=segment,references=one,first=references,result=number,"
        "scale=1. Declare that to be sure"
    ]
    assert metric.first == "references"


def test_workers_give_the_same() -> None:
    """A function at the top of a module reaches worker processes; one that cannot be sent says what to do."""
    metric = declared(functions.token_f1)

    assert tertium.score(pickle.loads(pickle.dumps(metric)), ONE).value == 0.5
    with pytest.raises(Refused, match="Use workers=1"):
        tertium.score(declared(functions.returning(1)), ONE, workers=2, chunk=1)


def test_labels_name_what_has_no_good_name() -> None:
    """Partial functions are called after what they hold, and a label stands for any name."""
    partial = functools.partial(functions.token_f1)

    assert tertium.adapt(partial).label == "py:miniatures.functions:token_f1"
    assert str(tertium.score(tertium.adapt(lambda a, b: float(a == b), label="mine", **SEGMENT, input="strings",
        references="one"), ONE).spec).startswith("mine(")  # fmt: skip


@pytest.mark.parametrize(
    ("equivalent", "says"),
    [
        ("nosuch", "no metric 'nosuch'"),
        ("token-f1(", "is not a spec"),
        ("bleu@sacrebleu", "native metric, and that is none"),
        (
            "wer",
            "it is said to compute token-f1, and wer measures something else. Name a setting of dice, jaccard, token-f1",
        ),
    ],
)
def test_an_equivalent_must_be_a_native_spec(equivalent: str, says: str) -> None:
    """An equivalent that is unknown, no spec or another provider's is refused when it is declared."""
    with pytest.raises(tertium.errors.TertiumError, match=says):
        tertium.adapt(functions.token_f1, metric="token-f1", equivalent=equivalent)


def test_an_equivalent_can_be_declared_and_explains() -> None:
    """With the native spec that it is held to, a difference is explained, and the remainder tells how well."""
    metric = declared(functions.percent_f1, metric="token-f1", scale=100, equivalent="token-f1")
    cases = tertium.Cases(["a B", "x"], [["a b"], ["x"]])
    found = tertium.explain("token-f1(lowercase=true)", metric, cases)

    assert (found.gap, found.remainder) == (-0.25, 0.0)
    assert found.parts == {"case": -0.25}


def test_an_equivalent_of_the_same_family_can_be_declared() -> None:
    """A function may be held to another metric of its family, and to any one where it does not say what it computes."""
    assert str(declared(functions.token_f1, metric="token-f1", equivalent="dice").equivalent()) == "dice"
    assert str(declared(functions.token_f1, equivalent="wer").equivalent()) == "wer"


def test_an_async_function_is_told_from_a_broken_one(recwarn: pytest.WarningsRecorder) -> None:
    """What it returns is closed, so that Python has nothing to complain of, and the message says what to give instead."""
    with pytest.raises(ParameterError, match="returns a coroutine, since it is an async function; give a plain one"):
        tertium.adapt(functions.later)
    with pytest.raises(ProviderBroken, match="returns a coroutine, since it is an async function"):
        tertium.score(declared(functions.later, metric="token-f1"), ONE)
    gc.collect()

    assert [str(warning.message) for warning in recwarn] == []


def test_no_function_is_refused() -> None:
    """What cannot be called is told so."""
    with pytest.raises(ParameterError, match="cannot be called"):
        tertium.adapt(3)  # type: ignore[arg-type]


MADE = tertium.load("py:miniatures.metrics:Thirds")

"""
Trying shapes: which are told apart, which are not, and what is said then.
"""

from __future__ import annotations

from typing import Any

import pytest

import tertium
from miniatures import functions
from tertium.errors import ParameterError
from tertium.shape_samples import samples


def test_samples_are_what_they_are_called() -> None:
    """Each sample's hypotheses equal a reference, share its beginning, or share no word with any."""
    for several in (False, True):
        same, part, none = samples(several)

        assert all(case.hypothesis in (case.references or ()) for case in same)
        assert all(any(one.startswith(case.hypothesis) for one in case.references or ()) for case in part)
        assert not any(set(case.hypothesis.split()) & set(" ".join(case.references or ()).split()) for case in none)
        assert {len(case.references or ()) for case in same} == {1 + several}


def test_layouts_of_references_cannot_be_taken_for_each_other() -> None:
    """Where a case's references are read as a stream, identical texts are not identical any more."""
    same, _, _ = samples(True)
    rows = [list(case.references or ()) for case in same]
    streams = [list(stream) for stream in zip(*rows, strict=True)]

    assert functions.corpus_f1(list(same.hypotheses), rows) == 1.0
    assert functions.corpus_f1(list(same.hypotheses[:2]), streams) < 1.0
    assert functions.corpus_f1(list(same.hypotheses[:2]), list(zip(*rows, strict=True))) < 1.0


@pytest.mark.parametrize(
    ("function", "metric", "shape"),
    [
        (functions.token_f1, "token-f1", ("strings", "segment", "one", "hypothesis", "number", 1.0)),
        (functions.token_f1_of_tokens, "token-f1", ("tokens", "segment", "one", "hypothesis", "number", 1.0)),
        (functions.best_f1, "token-f1", ("strings", "segment", "list", "hypothesis", "number", 1.0)),
        (functions.corpus_f1, "token-f1", ("strings", "corpus", "list", "hypothesis", "number", 1.0)),
        (functions.streams_f1, "token-f1", ("strings", "corpus", "streams", "hypothesis", "number", 1.0)),
        (functions.percent_f1, "token-f1", ("strings", "segment", "one", "hypothesis", "number", 100.0)),
        (functions.percent_f1, None, ("strings", "segment", "one", "hypothesis", "number", 100.0)),
        (functions.backwards, None, ("strings", "segment", "one", "references", "number", 1.0)),
        (functions.by_name, "token-f1", ("strings", "corpus", "one", "hypothesis", "number", 1.0)),
        (functions.entries, "token-f1", ("strings", "segment", "one", "hypothesis", "score", 1.0)),
        (functions.same, "exact-match", ("strings", "segment", "one", "hypothesis", "number", 1.0)),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_shapes_are_told_apart(function: Any, metric: str | None, shape: tuple[Any, ...]) -> None:
    """One shape gives sensible values, or the only one that gives the native metric's values is taken."""
    found = tertium.adapt(function, metric=metric)

    assert shape == (found.input, found.level, found.references, found.first, found.result, found.unit_value)


def test_annotations_and_libraries_are_read() -> None:
    """Functions of libraries are taken as their documentation says."""
    bleu_score = pytest.importorskip("nltk.translate.bleu_score", reason="NLTK is not installed")
    sacrebleu = pytest.importorskip("sacrebleu", reason="sacreBLEU is not installed")
    nltk = tertium.adapt(bleu_score.corpus_bleu, metric="bleu")
    streams = tertium.adapt(sacrebleu.corpus_bleu, metric="bleu")

    assert (nltk.input, nltk.level, nltk.references, nltk.first, nltk.unit_value) == (
        "tokens", "corpus", "list", "references", 1.0,
    )  # fmt: skip
    assert (streams.input, streams.level, streams.references, streams.result, streams.unit_value) == (
        "strings", "corpus", "streams", "score", 100.0,
    )  # fmt: skip


def test_several_sensible_shapes_are_listed_with_what_each_gave() -> None:
    """Equality holds of texts and of lists of texts alike; the error names what to declare."""
    with pytest.raises(ParameterError, match="several shapes give sensible values") as caught:
        tertium.adapt(functions.same)

    assert "input=strings,level=segment,references=one,first=hypothesis gives 1 / 0.333333 / 0" in caught.value.truth
    assert "level=corpus,references=one,first=hypothesis gives 1 / 0 / 0" in caught.value.truth
    assert caught.value.remedy == "Declare what tells them apart, for instance level=segment"


def test_a_list_is_given_where_a_single_reference_does_as_well() -> None:
    """A function that takes one reference as a string and several as a list is given lists, and that is said."""

    def either(prediction: str, references: str | list[str]) -> float:
        return functions.best_f1(prediction, [references] if isinstance(references, str) else references)

    del either.__annotations__["references"]
    found = tertium.adapt(either, metric="bleu")

    assert (found.input, found.level, found.references) == ("strings", "segment", "list")
    assert "one reference may stand without a list there" in found.found
    assert tertium.score(found, tertium.Cases(["a b"], [["c", "a b"]])).value == 1.0
    assert tertium.adapt(either, metric="bleu", references="one").references == "one"


def test_no_sensible_shape_is_told_with_what_each_gave() -> None:
    """A function that gives the same for everything, or raises in every shape, is told so."""
    with pytest.raises(ParameterError, match=r"gives 0\.25 / 0\.25 / 0\.25 .and 9 more shapes do so") as caught:
        tertium.adapt(functions.constant, metric="bleu")
    assert "input=strings|tokens" in caught.value.remedy
    with pytest.raises(
        ParameterError, match="returns a Scores with precision, recall, f1; declare result= with one of"
    ):
        tertium.adapt(functions.fields, metric="token-f1")


def test_names_that_look_swapped_are_told() -> None:
    """Where a function does as the native metric only when its arguments are taken the other way round, that is said."""
    found = tertium.adapt(functions.misnamed, metric="wer")

    assert found.first == "references"
    assert found.advice.startswith(
        "its arguments are called references and hypotheses, and with first=hypothesis it gives"
    )
    assert found.advice.endswith("as wer does: perhaps the names are swapped")
    assert found.advice in found.notes(tertium.Cases(["a"], [["a"]]))
    assert tertium.adapt(functions.misnamed, metric="wer", first="hypothesis").advice == ""
    assert tertium.adapt(functions.backwards).advice == ""


def test_swapped_names_are_told_where_no_shape_fits() -> None:
    """A function that breaks as its names have it, and works the other way round, is an error that says so."""
    with pytest.raises(
        ParameterError, match="called references and hypotheses, and with first=hypothesis it gives 1 / "
    ):
        tertium.adapt(functions.misnamed_best)


def test_a_declaration_against_the_names_is_told() -> None:
    """Arguments declared to stand the other way round than they are called are noted, unless the values prove it."""
    shape: dict[str, Any] = {
        "input": "strings",
        "level": "segment",
        "references": "one",
        "result": "number",
        "scale": 1,
    }
    partly = tertium.adapt(functions.backwards, first="hypothesis")
    wholly = tertium.adapt(functions.backwards, first="hypothesis", **shape)

    assert partly.advice == wholly.advice
    assert partly.advice.startswith("its arguments are called gold and predicted, and first=hypothesis was declared")
    assert tertium.adapt(functions.misnamed, metric="wer", first="hypothesis", **shape).advice == ""
    assert "first=hypothesis" in tertium.adapt(functions.misnamed, metric="wer", first="references", **shape).advice


@pytest.mark.parametrize("result", ["f1", 2, "2"])
def test_results_are_picked_by_name_or_place(result: str | int) -> None:
    """A field has a name and a place."""
    metric = tertium.adapt(functions.fields, metric="token-f1", result=result)

    assert tertium.score(metric, tertium.Cases(["a b"], [["a c"]])).value == 0.5


def test_a_wrong_declaration_is_advised_against() -> None:
    """A whole declaration that does not work, or gives other values than the native metric, names the one that does."""
    shape: dict[str, Any] = {
        "level": "segment",
        "references": "one",
        "first": "hypothesis",
        "result": "number",
        "scale": 1,
    }
    strings = tertium.adapt(functions.token_f1_of_tokens, metric="token-f1", input="strings", **shape)
    tokens = tertium.adapt(functions.token_f1, metric="token-f1", input="tokens", **shape)
    right = tertium.adapt(functions.token_f1, metric="token-f1", input="strings", **shape)

    assert right.advice == ""
    assert (
        "with input=tokens,level=segment,references=one,first=hypothesis,result=number,scale=1 it gives"
        in strings.advice
    )
    assert tokens.advice.startswith("as declared, it raises AttributeError: 'list' object has no attribute 'split'")
    with pytest.raises(
        tertium.errors.ProviderBroken, match=r"Perhaps the shape is wrong: as declared, .* with input=strings"
    ):
        tertium.score(tokens, tertium.Cases(["a"], [["a"]]))


def test_a_whole_declaration_of_an_unknown_metric_is_trusted() -> None:
    """Where nothing is known of the metric, sensible order is all that is asked."""
    metric = tertium.adapt(
        functions.backwards, input="strings", level="segment", references="one", first="references", result="number", scale=1
    )  # fmt: skip

    assert (metric.advice, metric.found) == ("", "")


@pytest.mark.parametrize(
    ("function", "gave"),
    [
        (functions.breaking, "raises ValueError: no dogs"),
        (functions.unbounded, "gives inf / inf / inf"),
    ],
    ids=["raises", "infinite"],
)
def test_a_declared_shape_is_kept_where_our_lines_give_nothing(function: Any, gave: str) -> None:
    """What a function does on lines of ours says nothing about its shape: where that is declared, it is taken, and told."""
    shape = {"input": "strings", "level": "segment", "references": "one", "first": "hypothesis"}

    found = tertium.adapt(function, metric="exact-match", **shape)

    assert (found.input, found.level, found.references, found.first) == tuple(shape.values())
    assert found.found == "it is taken as result=number. Declare that to be sure"
    assert found.advice == f"as declared, it {gave} for identical / partly equal / unrelated texts"
    with pytest.raises(ParameterError, match=gave):
        tertium.adapt(function, metric="exact-match")


def test_a_declared_result_is_kept_where_our_lines_break_the_function() -> None:
    """Where the scale alone is open, a function that breaks on lines of ours is still read by the key that was declared."""
    shape = {"input": "strings", "level": "segment", "references": "one", "first": "hypothesis", "result": "score"}

    found = tertium.adapt(functions.breaking_entries, metric="exact-match", **shape)

    assert (found.result, found.found) == ("score", "")
    assert tertium.score(found, tertium.Cases(["a", "b"], [["a"], ["c"]])).value == 0.5


@pytest.mark.parametrize(("function", "scale"), [(functions.damped, 1.0), (functions.damped_percent, 100.0)])
def test_the_size_of_values_tells_the_scale(function: Any, scale: float) -> None:
    """Values near the native ones on one scale only are on that scale, though identical texts do not reach its end."""
    found = tertium.adapt(function, metric="bleu", level="corpus", input="strings", references="list")

    assert found.unit_value == scale
    assert f"scale={scale:g}" in found.found


def test_a_scale_that_nothing_tells_is_that_of_the_equivalent() -> None:
    """Values far from the native ones on every scale leave the scale open; it is assumed, and that is said."""
    shape = {"level": "segment", "input": "strings", "references": "one", "first": "hypothesis"}
    for equivalent, unit in ((None, 100.0), ("bleu(percent=false)", 1.0)):
        found = tertium.adapt(functions.faint, metric="bleu", equivalent=equivalent, **shape)

        assert found.unit_value == unit
        assert ("nothing tells its scale, which is taken as that of bleu, 0–100" in found.found) == (unit == 100)


def test_where_the_source_stands_is_told() -> None:
    """An argument that is called after the source is given it, and the note says so."""
    assert "source=first" in tertium.adapt(functions.with_source).found


def test_methods_of_built_in_types_have_names() -> None:
    """A method that no module holds is named by its type."""
    assert tertium.adapt(str.__contains__, metric="exact-match").label == "py:builtins:str.__contains__"

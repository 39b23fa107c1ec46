"""
Errors: three parts, exit codes, and the tree that the docstring draws.
"""

from __future__ import annotations

import pickle

import pytest

from tertium import errors
from tertium.spec import parse


def subclasses(kind: type[errors.TertiumError]) -> set[type[errors.TertiumError]]:
    return {kind}.union(*(subclasses(child) for child in kind.__subclasses__() if child.__module__ == errors.__name__))


def test_docstring_draws_every_exception() -> None:
    """The tree in the module's docstring names every exception of the module."""
    drawn = errors.__doc__ or ""

    assert [kind.__name__ for kind in subclasses(errors.TertiumError) if kind.__name__ not in drawn] == []


@pytest.mark.parametrize(("kind", "code"), [(errors.UsageError, 2), (errors.DataError, 3), (errors.ProviderError, 4)])
def test_exit_codes_belong_to_branches(kind: type[errors.TertiumError], code: int) -> None:
    """Every exception of a branch has the branch's exit code."""
    assert {code} == {child.exit_code for child in subclasses(kind)}


@pytest.mark.parametrize(
    "error",
    [
        errors.CountMismatch([("sys.txt", 2999), ("ref.txt", 3000)], "the first blank line is sys.txt:1204"),
        errors.SpecError("a b", 1, "the end"),
        errors.UnknownMetric("blue", ["bleu", "chrf"]),
        errors.MissingReferences("bleu@native", 3, "s3", 2, True),
        errors.VersionMismatch("bleu@sacrebleu", "sacrebleu", "2.6.0", "2.5.1"),
        errors.FormatError("ref.txt", "is not UTF-8", "Convert it", line=3, offset=17),
        errors.ResourceMissing("wordnet", "not found", "tertium fetch wordnet"),
    ],
)
def test_errors_survive_pickling(error: errors.TertiumError) -> None:
    """An error that crosses processes keeps its message and its facts."""
    again = pickle.loads(pickle.dumps(error))

    assert str(error) == str(again)
    assert error.__dict__ == again.__dict__


def test_message_says_what_was_asked_what_is_true_and_what_to_do() -> None:
    """A message holds the three parts in order."""
    error = errors.CountMismatch([("sys.txt", 2999), ("ref.txt", 3000)])

    assert "parallel segments are needed: sys.txt has 2,999 segments but ref.txt has 3,000" in str(error)
    assert str(error).endswith(error.remedy)


@pytest.mark.parametrize(("written", "meant"), [("blue", "bleu"), ("rougel", "rougeL"), ("zzz", "")])
def test_did_you_mean_suggests_only_near_names(written: str, meant: str) -> None:
    """The nearest name is suggested, and nothing when none is near."""
    assert (f"Did you mean {meant}?" if meant else "") == errors.did_you_mean(written, ["bleu", "rougeL", "wer"])


@pytest.mark.parametrize(
    ("spec", "hint"),
    [
        ("wer(costs=4/3/3)", "costs='4/3/3'"),
        ("wer:costs=4/3/3,split=space", "costs='4/3/3'"),
        ('wer(costs="4/3/3")', "costs='4/3/3'"),
        ("bleu(tokenize=spm:my.model,lowercase=true)", "tokenize='spm:my.model'"),
        ("bleu(weights=0.4,0.3,0.2,0.1)", "weights='0.4,0.3,0.2,0.1'"),
        ('wer(normalize=remove-words(["uh"]))', "normalize='...'"),
    ],
)
def test_unquoted_values_are_led_to_quotes(spec: str, hint: str) -> None:
    """A spec that breaks off inside a value says how that value is written."""
    with pytest.raises(errors.SpecError) as caught:
        parse(spec)

    assert f"Quote a value that is neither a word nor a number: {hint} " in caught.value.remedy


@pytest.mark.parametrize(
    "spec", ["wer(costs=)", "wer(costs=sclite", "wer(costs=sclite,)", "wer(costs='4", "wer x", "wer(=4/3)"]
)
def test_other_faults_of_specs_show_the_grammar(spec: str) -> None:
    """Where no value goes on, nothing is said about quotes."""
    with pytest.raises(errors.SpecError) as caught:
        parse(spec)

    assert caught.value.remedy.startswith("Write metric[@provider")

"""
How functions behave: what is told of those that misbehave, and of sound ones nothing.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import tertium
from miniatures import functions
from tertium import behaving
from tertium.behaving import THOROUGH, behaviour

CASES = tertium.Cases(["a b c", "a b", "x y z", "a b c", "d e f"], [["a b c"], ["a c"], ["p q r"], ["a b"], ["d e g"]])
TWO = tertium.Cases(["a b c", "a b", "d e f"], [["q", "a b c"], ["a c", "a"], ["z", "d e"]])
SHAPE: dict[str, Any] = {
    "input": "strings", "level": "segment", "references": "one", "first": "hypothesis", "result": "number", "scale": 1,
}  # fmt: skip


def remarks(function: Any, cases: tertium.Cases = CASES, limit: int = behaving.QUICK, **shape: Any) -> dict[str, str]:
    found = behaviour(tertium.adapt(function, **{**SHAPE, **shape}), cases, limit)
    return {one.kind: one.text for one in found.remarks}


@pytest.fixture(params=["apart", "together"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """
    Let runs have a copy of the process each, or follow each other.
    """
    if request.param == "together":
        monkeypatch.delattr("os.fork", raising=False)
    elif not hasattr(behaving.os, "fork") or behaving.sys.platform == "darwin":
        pytest.skip("this platform cannot copy a process")
    return str(request.param)


@pytest.mark.parametrize("limit", [behaving.QUICK, THOROUGH])
@pytest.mark.parametrize(
    ("function", "shape"),
    [
        (functions.token_f1, {}),
        (functions.token_f1_of_tokens, {"input": "tokens"}),
        (functions.best_f1, {"references": "list"}),
        (functions.corpus_f1, {"references": "list", "level": "corpus"}),
    ],
)
def test_nothing_is_said_of_sound_functions(way: str, function: Any, shape: dict[str, Any], limit: int) -> None:
    """A function that depends on its arguments alone passes, whatever its shape."""
    assert remarks(function, limit=limit, **shape) == {}


@pytest.mark.parametrize("function", [functions.drawn, functions.drawn_by_numpy])
def test_draws_of_the_shared_generators_are_told_with_the_seed(way: str, function: Any) -> None:
    """Values that follow the seed of random or numpy.random name both and the remedy."""
    found = remarks(function)

    assert list(found) == ["random"]
    assert "by the seed of random or numpy.random; seed it" in found["random"]


def test_what_no_seed_holds_is_told() -> None:
    """The clock gives other values under the same seeds."""
    found = remarks(functions.timed)

    assert list(found) == ["random"] or list(found) == ["remembers"]
    assert next(iter(found.values())).startswith("it is not deterministic") or "draws at random by itself" in str(found)


def test_what_counts_its_calls_is_told(way: str) -> None:
    """Another value at the second call shows global state."""
    assert "when called again" in remarks(functions.counting)["remembers"]


def test_what_keeps_values_is_told_with_both_orders() -> None:
    """A cache that is keyed by the hypothesis alone shows in another order, in copies of the process."""
    if not hasattr(behaving.os, "fork") or behaving.sys.platform == "darwin":
        pytest.skip("this platform cannot copy a process")
    functions._kept.clear()
    found = remarks(functions.keeping)

    assert found["remembers"].startswith("it depends on what was called before (global state")
    assert "for case 0 it gives 1 after those before it, and 0.8 after those behind it" in found["remembers"]
    assert "a b c" not in functions._kept


def test_what_sets_give_first_is_told() -> None:
    """Another seed of Python's hashes shows a value that follows the order of sets; a closure cannot be tried so."""
    words = [" ".join(f"{letter}{place}" for letter in "abcdefgh") for place in range(12)]
    cases = tertium.Cases(words, [[" ".join(text.split()[:4])] for text in words])

    def unordered(prediction: str, truth: str) -> float:
        return functions.unordered(prediction, truth)

    found = remarks(functions.unordered, cases, THOROUGH)

    assert list(found) == ["hashing"]
    assert "by the seed of Python's hashes (PYTHONHASHSEED)" in found["hashing"]
    assert remarks(functions.unordered, cases) == {}
    assert remarks(unordered, cases, THOROUGH) == {}


def test_an_order_of_cases_that_counts_is_told() -> None:
    """A corpus value that changes when cases change places says so with both values."""
    found = remarks(functions.placed, TWO, references="list", level="corpus")

    assert list(found) == ["order"]
    assert found["order"].startswith("it depends on the order of the cases: the first 3 cases give")


def test_arguments_that_change_are_told(way: str) -> None:
    """The changed argument and the case are named."""
    cases = tertium.Cases(["a b c", "a b"], [["a b c"], ["q", "a c"]])

    assert remarks(functions.sorting, cases, references="list") == {
        "mutates": "it changes its arguments (references of case 1); copy them before"
    }
    assert remarks(functions.emptying, cases, references="list", level="corpus")["mutates"].startswith(
        "it changes its arguments (hypothesis of the first 2 cases)"
    )


def test_errors_and_nan_are_told_with_the_case(way: str) -> None:
    """What is raised, and what is no number, is told of the first case where it happens."""
    assert remarks(functions.raises) == {"raises": "it raises ZeroDivisionError for case 1 (id '1'): no words at all"}
    assert remarks(functions.undefined) == {"undefined": "it returns nan for case 1"}


def test_looking_leaves_no_trace(way: str) -> None:
    """Generators go on as if nothing had been called."""
    random.seed(1)
    np.random.seed(1)
    expected = random.Random(1).random(), np.random.RandomState(1).random()
    remarks(functions.drawn)

    assert (random.random(), np.random.random()) == expected


def test_a_copy_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a copy of the process gives no answer, runs are made here."""
    monkeypatch.setattr(behaving, "_send", lambda *_: behaving.time.sleep(60))
    monkeypatch.setattr(behaving, "GRACE", 0.1)
    found = behaviour(tertium.adapt(functions.token_f1, **SHAPE), CASES)

    assert (found.apart, found.remarks) == (False, ())


def test_diff_says_how_a_function_behaves() -> None:
    """The remarks stand beside the difference, in words and as JSON."""
    found = tertium.diff("token-f1", tertium.adapt(functions.drawn, metric="token-f1", **SHAPE), CASES)

    assert [note for note in found.notes if "draws at random" in note]
    assert found.to_dict()["b"]["behaviour"]["remarks"][0]["kind"] == "random"
    assert "behaviour" not in found.to_dict()["a"]

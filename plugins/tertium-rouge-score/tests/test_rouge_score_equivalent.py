"""
The native spec that each metric declares equivalent gives the same numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import tertium
from tertium_rouge_score import Rouge1, tertium_metrics
from tertium_rouge_score.tokenizers import characters

PARAMETERS: list[dict[str, Any]] = [
    {},
    {"stemmer": True},
    {"tokenizer": "whitespace"},
    {"tokenizer": "char"},
    {"tokenizer": "py:builtins:str.split"},
    {"tokenizer": characters},
]
PIECES = [
    *(
        "the",
        "dog",
        "dogs",
        "running",
        "ran",
        "quickly",
        "happily",
        "a",
        "b",
        " ",
        " ",
        " ",
        "\n",
        "\n",
        ".",
        "-",
        "'s",
        "42",
    ),
    *("K", "\u0130", "é", "кошка", "猫", "\x00", "\x1c", "\u2028", "\u00a0", "x_y", "ties", "generalization", "oed"),
]
texts = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)
corpora = st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=3)), min_size=1, max_size=4)


def _named(params: dict[str, Any]) -> str:
    # A function's address would name the test anew in every process.
    return ",".join(f"{name}={getattr(value, '__name__', value)}" for name, value in params.items()) or "defaults"


@pytest.mark.parametrize("params", PARAMETERS, ids=_named)
@pytest.mark.parametrize("metric", tertium_metrics())
@settings(
    max_examples=10,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.generate],
)
@given(corpus=corpora)
def test_equivalent_gives_the_same_numbers(
    metric: type[tertium.Metric], params: dict[str, Any], corpus: list[tuple[str, list[str]]]
) -> None:
    """On invented texts F, precision and recall of every case agree to 1e-12."""
    cases = tertium.Cases([hypothesis for hypothesis, _ in corpus], [references for _, references in corpus])
    loaded = metric(**params)
    theirs, ours = tertium.score(loaded, cases), tertium.score(loaded.equivalent(), cases)

    assert theirs.info.columns == ours.info.columns
    assert theirs.statistics is not None
    assert ours.statistics is not None
    np.testing.assert_allclose(ours.statistics, theirs.statistics, rtol=1e-12)


def test_split_summaries_has_its_own_equivalent() -> None:
    """Sentences found by NLTK are found by NLTK in the equivalent, too."""
    spec = tertium.load("rougeLsum@rouge-score:split_summaries=true,stemmer=true").equivalent()

    assert spec.params["sentences"] == "nltk"
    assert spec.params["stemmer"] == "nltk"


def test_a_tokenizer_without_a_name_has_no_equivalent() -> None:
    """A function that no import finds again cannot stand in a spec."""
    assert Rouge1(tokenizer=lambda text: text.split()).equivalent() is None

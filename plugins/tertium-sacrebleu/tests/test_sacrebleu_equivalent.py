"""
The native spec that each metric declares equivalent gives the same numbers.
"""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import tertium

TOKENIZERS = ("auto", "13a", "none", "zh", "intl", "char", "ja-mecab", "ko-mecab")
SMOOTHING: tuple[dict[str, Any], ...] = (
    {"smooth_method": "exp"},
    {"smooth_method": "none"},
    {"smooth_method": "floor"},
    {"smooth_method": "floor", "smooth_value": 0.25},
    {"smooth_method": "add-k"},
    {"smooth_method": "add-k", "smooth_value": 0.5},
)
PARAMETERS: list[tuple[str, dict[str, Any]]] = [
    *(
        ("bleu", {"tokenize": tokenize, "lowercase": lower})
        for tokenize, lower in itertools.product(TOKENIZERS, (False, True))
    ),
    *(("bleu", {"trg_lang": code}) for code in ("zh", "ja", "ko", "en")),
    *(
        ("bleu", {**smoothing, "effective_order": effective, "max_ngram_order": order})
        for smoothing, effective, order in itertools.product(SMOOTHING, (False, True), (1, 3, 6))
    ),
    *(
        ("chrf", {"lowercase": lower, "whitespace": space, "eps_smoothing": eps, "word_order": words})
        for lower, space, eps, words in itertools.product((False, True), (False, True), (False, True), (0, 2))
    ),
    *(
        ("chrf", {"char_order": order, "word_order": 1, "beta": beta})
        for order in (0, 1, 8)
        for beta in (0.0, 0.5, 3.0)
    ),
    *(
        ("ter", dict(zip(("normalized", "no_punct", "asian_support", "case_sensitive"), flags, strict=True)))
        for flags in itertools.product((False, True), repeat=4)
    ),
]

PIECES = [
    *(
        "a",
        "b",
        "The",
        "the",
        " ",
        "  ",
        ".",
        ",",
        "-",
        "3",
        "3.5",
        "x,y",
        "&amp;",
        "&quot;",
        "'s",
        "\n",
        "\t",
        "\u00a0",
        "\u2028",
    ),
    *(
        "猫",
        "が",
        "好き",
        "です",
        "。",
        "고양이",
        "를",
        "é",
        "e\u0301",
        "İ",
        "ß",
        "🙂",
        "👩‍👧",
        "«",
        "€",
        "\x1c",
        "Σ",
        "、",
    ),
]
texts = st.lists(st.sampled_from(PIECES), max_size=9).map("".join)
corpora = st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=3)), min_size=1, max_size=4)


@pytest.mark.parametrize(("metric", "params"), PARAMETERS, ids=str)
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
    metric: str, params: dict[str, Any], corpus: list[tuple[str, list[str]]]
) -> None:
    """On invented texts of many scripts the corpus value and the value of each case agree to 1e-9, and counts, too."""
    cases = tertium.Cases([hypothesis for hypothesis, _ in corpus], [references for _, references in corpus])
    loaded = tertium.load(tertium.Spec(metric, "sacrebleu", params=params))
    assert loaded.equivalent() is not None
    theirs = tertium.score(loaded, cases)
    ours = tertium.score(loaded.equivalent(), cases)

    shared = len(theirs.info.columns)
    assert theirs.info.columns == ours.info.columns[:shared]
    assert theirs.statistics is not None
    assert ours.statistics is not None
    np.testing.assert_allclose(ours.statistics[:, :shared], theirs.statistics, rtol=1e-12)
    assert ours.value == pytest.approx(theirs.value, rel=1e-9, abs=1e-12)
    np.testing.assert_allclose(
        ours.per_case[ours.info.outputs[0]], theirs.per_case[theirs.info.outputs[0]], rtol=1e-9, atol=1e-12
    )
    for output in set(theirs.outputs) & set(ours.outputs):
        assert ours[output] == pytest.approx(theirs[output], rel=1e-9, abs=1e-12)


def moved(rng: random.Random, words: list[str]) -> list[str]:
    """
    Move a block of words, and change one.
    """
    start, end, place = sorted(rng.randrange(len(words)) for _ in range(3))
    made = [*words[:start], *words[end:place], *words[start:end], *words[place:]]
    made[rng.randrange(len(made))] = rng.choice(PIECES)
    return made


@pytest.mark.parametrize("flags", list(itertools.product((False, True), repeat=4)), ids=str)
def test_ter_of_moved_blocks(flags: tuple[bool, ...]) -> None:
    """Every setting of TER finds the library's shifts."""
    rng = random.Random(7)
    params = dict(zip(("normalized", "no_punct", "asian_support", "case_sensitive"), flags, strict=True))
    metric = tertium.load(tertium.Spec("ter", "sacrebleu", params=params))
    outputs, references = [], []
    for length in (*rng.choices(range(3, 16), k=12), 40):
        words = rng.choices(PIECES, k=length)
        outputs.append(" ".join(words))
        references.append([" ".join(moved(rng, moved(rng, words))) for _ in range(rng.randint(1, 2))])
    cases = tertium.Cases(outputs, references)

    theirs, ours = tertium.score(metric, cases), tertium.score(metric.equivalent(), cases)

    assert theirs.statistics is not None
    assert ours.statistics is not None
    assert ours.statistics[:, 0].tolist() == theirs.statistics[:, 0].tolist()
    assert ours.per_case["ter"] == pytest.approx(theirs.per_case["ter"], rel=1e-9)
    assert ours.value == pytest.approx(theirs.value, rel=1e-9)
    assert theirs["edits"] > 0

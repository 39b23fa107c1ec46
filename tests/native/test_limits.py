"""
Numbers at the ends of what parameters take, and metrics that travel between processes.
"""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import tertium
from tertium import Cases
from tertium.errors import ParameterError
from tertium.parameters import parameters_of

CASES = Cases(
    ["the cat sat on the mat", "a b c d", "x", "d c b a e", "", "b a"],
    [["the cat is on the mat", "a cat"], ["a b d c"], ["x"], ["a b c d e", "q"], ["a"], ["c d"]],
    ["the cat sits on mat", "a b c d", "y", "e", "", "b"],
)
NATIVE = sorted(name for name, providers in tertium.metrics().items() if "native" in providers)


def numbers() -> list[tuple[str, str]]:
    """
    List the native parameters that take any real number.
    """
    from tertium.registry import registry

    found = []
    for name in NATIVE:
        metric = type(registry().load(f"{name}@native"))
        if not name.startswith("rouge") or name in ("rouge1", "rougeW"):
            found += [(name, p.name) for p in parameters_of(metric).values() if float in p.kinds]
    return found


@pytest.mark.parametrize(("name", "parameter"), numbers())
def test_extreme_numbers_are_refused_or_give_numbers(name: str, parameter: str) -> None:
    """A parameter's smallest and largest numbers, infinity included, are refused by name or leave every value defined."""
    given = {"meteor": {"stages": "exact"}, "ter": {"search": "tercom"}, "ribes": {"empty_reference": "zero"}}.get(
        name, {}
    )
    given = given | ({"smoothing": "add-k"} if name == "bleu" else {})
    scored = 0
    for value in (0.0, 1e-320, 1e-160, 1e-9, 1.0, 7.0, 1e6, 1e9, 1e160, 1e308, float("inf")):
        try:
            metric = type(tertium.load(f"{name}@native"))(**given, **{parameter: value})
        except ParameterError as error:
            assert parameter in str(error)  # noqa: PT017 - what is refused differs by parameter
            continue
        found = tertium.score(metric, CASES)
        assert np.isfinite(found.value), (value, found.value)
        assert np.isfinite(found.per_case[found.headline]).all(), value
        scored += 1
    assert scored or parameter == "delta"  # a parameter of METEOR 1.5 only


@pytest.mark.parametrize("smoothing", ["nltk-4", "nltk-7"])
def test_rules_that_divide_by_their_value_refuse_zero(smoothing: str) -> None:
    """NLTK's methods 4 and 7 divide by their constant: zero contradicts them, and the error names both."""
    with pytest.raises(ParameterError, match=rf"smooth_value=0.0 with smoothing={smoothing}"):
        tertium.load(f"bleu@native(smoothing={smoothing},smooth_value=0)")


@pytest.mark.parametrize(
    "name", ["bleu", "gleu", "gec-gleu", "nist", "ribes", "cider-d", "rouge1", "ter", "jaccard", "chrf"]
)
def test_used_metrics_can_be_pickled(name: str) -> None:
    """A metric that has cut texts still travels to another process and gives the same statistics there."""
    few = {"gec-gleu": "(iterations=3)", "ribes": "(empty_reference=zero)"}.get(name, "")
    metric = tertium.load(f"{name}@native{few}")
    before = tertium.score(metric, CASES).statistics
    after = tertium.score(pickle.loads(pickle.dumps(metric)), CASES).statistics
    assert before is not None
    assert after is not None
    assert before.tobytes() == after.tobytes()


@pytest.mark.parametrize("name", ["bleu", "gleu", "gec-gleu", "nist", "ribes", "ter"])
def test_used_metrics_with_other_tokenizers_can_be_pickled(name: str) -> None:
    """The same holds for tokenizers that close over a dictionary of MeCab, after they have cut a text."""
    pytest.importorskip("mecab_ko", reason="mecab-ko is not installed")
    metric = tertium.load(f"{name}@native(tokenize=ko-mecab)")
    words = metric.tokens("나는 학교에 간다")
    assert words is not None
    assert len(words) > 3  # the particles stand apart
    assert pickle.loads(pickle.dumps(metric)).tokens("나는 학교에 간다") == words


def test_lengths_of_captions_in_bigrams_or_words_give_one_value() -> None:
    """CIDEr's ``length`` is documented to change no value: only texts without words part the two, and these score 0."""
    by = [tertium.score(f"cider-d@native(tokenizer=none,length={length})", CASES) for length in ("words", "bigrams")]
    assert by[0].per_case["cider-d"].tolist() == by[1].per_case["cider-d"].tolist()
    assert by[0].value > 0

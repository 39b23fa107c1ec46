"""
Hold GLEU, NIST, RIBES and chrF to NLTK itself, to values worked by hand, to recorded ones and to their native equivalents.
"""

from __future__ import annotations

import inspect
import math
import random
from collections.abc import Callable
from typing import Any

import pytest
from nltk.translate import chrf_score, gleu_score, nist_score, ribes_score

import tertium
from tertium.conformance import ConformanceCase, load_cases
from tertium.conformance.outcomes import Number
from tertium.conformance.settings import measured_as, settings
from tertium.errors import DataError, ParameterError, Refused
from tertium_nltk import Chrf, Gleu, Levenshtein, Nist, Ribes

WORDS = ["the", "The", "cat", "sat", "on", "a", "mat", ".", "naïve", "日本", "a\u00a0b"]
HOSTILE = ["", " ", "\t\n", "\u2028", "x", "x y", "|||"]
Maker = Callable[..., tertium.Metric]


def corpus(seed: int, size: int = 25, references: int = 3) -> tertium.Cases:
    """
    Invent cases of one to some references, blank, short and equal texts among them.
    """
    rng = random.Random(seed)

    def text() -> str:
        if rng.random() < 0.2:
            return rng.choice(HOSTILE)
        return " ".join(rng.choices(WORDS, k=rng.randint(1, 14)))

    rows = [[text() for _ in range(rng.randint(1, references))] for _ in range(size)]
    return tertium.Cases([row[-1] if rng.random() < 0.2 else text() for row in rows], rows)


def split(cases: tertium.Cases) -> tuple[list[list[list[str]]], list[list[str]]]:
    """
    Give references and hypotheses as the library takes them.
    """
    references = [[text.split() for text in case.references or ()] for case in cases]
    return references, [text.split() for text in cases.hypotheses]


@pytest.mark.parametrize(
    ("made", "function", "left_out"),
    [
        (Gleu, gleu_score.corpus_gleu, {"list_of_references", "hypotheses"}),
        (Nist, nist_score.corpus_nist, {"list_of_references", "hypotheses"}),
        (Ribes, ribes_score.corpus_ribes, {"list_of_references", "hypotheses"}),
        (Chrf, chrf_score.corpus_chrf, {"references", "hypotheses"}),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_every_argument_of_the_library_is_a_parameter(made: Maker, function: Any, left_out: set[str]) -> None:
    """The parameters are the library's arguments, with their defaults."""
    taken = {name: one.default for name, one in inspect.signature(function).parameters.items() if name not in left_out}
    given = {name: value for name, value in made().parameters.items() if name != "tokenizer"}

    assert given == taken


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("params", [{}, {"min_len": 2, "max_len": 3}, {"min_len": 1, "max_len": 1}], ids=str)
def test_gleu_equals_the_library(params: dict[str, Any], seed: int) -> None:
    """The corpus value is the library's, bit for bit, and so is each case's."""
    cases = corpus(seed)
    references, hypotheses = split(cases)

    score = tertium.score(Gleu(**params), cases)

    assert score.value == gleu_score.corpus_gleu(references, hypotheses, **params)
    wanted = [gleu_score.sentence_gleu(own, text, **params) for own, text in zip(references, hypotheses, strict=True)]
    assert score.per_case["gleu"].tolist() == wanted


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("n", [1, 2, 5])
def test_nist_equals_the_library(n: int, seed: int) -> None:
    """The corpus value is the library's, bit for bit."""
    cases = corpus(seed)

    assert tertium.score(Nist(n=n), cases).value == nist_score.corpus_nist(*split(cases), n)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("params", [{}, {"alpha": 0.5, "beta": 0.3}, {"alpha": 0.0, "beta": 0.0}], ids=str)
def test_ribes_equals_the_library(params: dict[str, Any], seed: int) -> None:
    """Each case's value is the library's, bit for bit, and the mean is its corpus value."""
    cases = corpus(seed)
    references, hypotheses = split(cases)

    score = tertium.score(Ribes(**params), cases)

    wanted = [ribes_score.sentence_ribes(own, text, **params) for own, text in zip(references, hypotheses, strict=True)]
    assert score.per_case["ribes"].tolist() == wanted
    assert score.value == pytest.approx(ribes_score.corpus_ribes(references, hypotheses, **params), rel=1e-12)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "params", [{}, {"min_len": 2, "max_len": 3}, {"beta": 1.0}, {"ignore_whitespace": False}], ids=str
)
def test_chrf_equals_the_library(params: dict[str, Any], seed: int) -> None:
    """The mean is the library's corpus value; of several references the best value of the case counts."""
    single, several = corpus(seed, references=1), corpus(seed)
    texts = [(case.references or ("",))[0] for case in single]

    wanted = chrf_score.corpus_chrf(texts, list(single.hypotheses), **params)

    assert tertium.score(Chrf(**params), single).value == pytest.approx(wanted, rel=1e-12)
    best = [
        max(chrf_score.sentence_chrf(text, case.hypothesis, **params) for text in case.references or ())
        for case in several
    ]
    assert tertium.score(Chrf(**params), several).per_case["score"].tolist() == best


def test_gleu_by_hand() -> None:
    """Two of three words and one of two pairs are shared, no triple: 3 matches of 6 n-grams."""
    score = tertium.score("gleu@nltk", tertium.Cases(["a b c"], [["a b d"]]))

    assert (score.value, score["matches"], score["total"]) == (0.5, 3.0, 6.0)


def test_gleu_takes_the_first_of_equal_references() -> None:
    """Both references give one half; the first has two words, the second four (by hand, with n-grams of one word)."""
    score = tertium.score("gleu@nltk(max_len=1)", tertium.Cases(["a b"], [["a x", "a b y z"]]))

    assert (score["matches"], score["total"]) == (1.0, 2.0)


def test_nist_by_hand() -> None:
    """Each of three words occurs once among three: log2(3) bits a word, and no penalty."""
    score = tertium.score("nist@nltk(n=1)", tertium.Cases(["a b c"], [["a b c"]]))

    assert score.value == pytest.approx(math.log2(3), rel=1e-12)
    assert score.statistics is None


def test_ribes_counts_runs_alone() -> None:
    """In order with one reference word left out, ranks 0 1 3 4 make two pairs of six, and the penalty is exp(-1/4)/10."""
    score = tertium.score("ribes@nltk", tertium.Cases(["a b d e"], [["a b c d e"]]))

    assert score.value == pytest.approx(2 / 6 * math.exp(-0.25) ** 0.1, rel=1e-12)


@pytest.mark.parametrize(
    ("hypotheses", "references", "said"),
    [
        (["a b", "a b c"], [["a c"], ["d"]], "no hypothesis has 5 words; the longest, case 1 .id '1'., has 3"),
        (["", ""], [["a c"], ["d"]], "the longest, case 0 .id '0'., has 0"),
        (["a b c d e"], [[" "]], "no reference holds a word"),
    ],
)
def test_nist_says_where_the_library_divides_by_zero(
    hypotheses: list[str], references: list[list[str]], said: str
) -> None:
    """What stops the library is told with the case, as an error of the data."""
    cases = tertium.Cases(hypotheses, references)
    with pytest.raises(ZeroDivisionError):
        nist_score.corpus_nist(*split(cases))

    with pytest.raises(DataError, match=said):
        tertium.score("nist@nltk", cases)


def test_nist_has_no_counts_to_add_up() -> None:
    """Asked for statistics or sums, the metric refuses and names what has them."""
    with pytest.raises(Refused, match="nist@native"):
        Nist().statistics(([], [], [0]), None)  # type: ignore[arg-type]
    with pytest.raises(Refused, match="whole corpus"):
        Nist().aggregate(None)  # type: ignore[arg-type]


@pytest.mark.parametrize("made", [Gleu, Chrf])
def test_no_order_is_refused(made: Maker) -> None:
    """A shortest n-gram that is longer than the longest is refused."""
    with pytest.raises(ParameterError, match="min_len=3 with max_len=2"):
        made(min_len=3, max_len=2)


EQUIVALENT: list[tertium.Metric] = [
    Gleu(),
    Gleu(min_len=2, max_len=3),
    Gleu(max_len=6),
    Nist(),
    Nist(n=2),
    Ribes(),
    Ribes(alpha=0.5, beta=0.3),
    Ribes(alpha=0.0, beta=0.0),
    Chrf(),
    Chrf(max_len=3, beta=1.0, ignore_whitespace=False),
    Chrf(beta=0.0),
]


@pytest.mark.parametrize("metric", EQUIVALENT, ids=lambda metric: f"{metric.name}{metric.parameters}")
def test_equivalent_gives_the_same_numbers(metric: tertium.Metric) -> None:
    """The value and every case's value agree with the native metric under the declared parameters."""
    spec = metric.equivalent()

    for seed in range(4):
        theirs, ours = tertium.score(metric, corpus(seed)), tertium.score(spec, corpus(seed))
        assert ours.value == pytest.approx(theirs.value, rel=1e-12, abs=0)
        if metric.additive:  # an order of chrF that cannot be formed counts 1e-16 here or 0 there
            name = metric.info.outputs[0]
            near = pytest.approx(theirs.per_case[name], rel=1e-12, abs=2e-16 if metric.name == "chrf" else 0)
            assert ours.per_case[name] == near


@pytest.mark.parametrize(
    "metric",
    [Gleu(tokenizer=str.split), Nist(tokenizer=list), Ribes(tokenizer=list), Chrf(min_len=2)],
    ids=lambda metric: metric.name,
)
def test_what_the_native_metric_does_not_know_has_no_equivalent(metric: tertium.Metric) -> None:
    """Callables and character n-grams that begin at two declare no equivalent."""
    assert metric.equivalent() is None


@pytest.mark.parametrize("made", [Gleu, Nist, Ribes])
def test_a_tokenizer_decides_the_words(made: Maker) -> None:
    """Words are those of the chosen tokenizer, or of a callable."""
    parted = tertium.Cases(["we saw it at last, twice."], [["we saw it at last , twice ."]])

    assert made(tokenizer="treebank").tokens("it, twice.") == ["it", ",", "twice", "."]
    assert made(tokenizer=list).tokens("ab") == ["a", "b"]
    assert tertium.score(made(tokenizer="treebank"), parted).value != tertium.score(made(), parted).value


def accepted(case: ConformanceCase) -> bool:
    """
    Tell whether tertium takes the case's input at all.
    """
    try:
        return bool(case.cases())
    except DataError:
        return False


def recorded() -> list[Any]:
    """
    List the suite's cases that the library was measured on.
    """
    made: dict[str, type[tertium.Metric]] = {
        "gleu": Gleu,
        "nist": Nist,
        "ribes": Ribes,
        "chrf": Chrf,
        "levenshtein": Levenshtein,
    }
    found = []
    for case in load_cases():
        name = measured_as("nltk", case)
        if case.metric in made and name is not None and isinstance(case.measured[name].outcome, Number):
            params = settings(case, made[case.metric])
            if isinstance(params, dict) and accepted(case):
                found.append(pytest.param(case, made[case.metric](**params), name, id=case.id))
    return found


@pytest.mark.parametrize(("case", "metric", "name"), recorded())
def test_gives_what_was_recorded(case: ConformanceCase, metric: tertium.Metric, name: str) -> None:
    """On the suite's cases the value is what the library gave when it was measured on its own, within 1e-9."""
    outcome = case.measured[name].outcome
    assert isinstance(outcome, Number)

    assert tertium.score(metric, case.cases()).value == pytest.approx(outcome.value, rel=1e-9, abs=1e-12)

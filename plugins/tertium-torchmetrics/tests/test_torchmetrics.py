"""
Hold the adapter to the library's own classes, to values worked by hand and to the native equivalents.
"""

from __future__ import annotations

import doctest
import math
import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium
from tertium.errors import ParameterError, ResourceMissing

torch = pytest.importorskip(
    "torch", reason="the library is not installed: `bash .ci/torch` makes an environment for it"
)
text = pytest.importorskip("torchmetrics.text")

README = Path(__file__).resolve().parents[1] / "README.md"
WORDS = [
    "the",
    "The",
    "cat",
    "sat",
    "on",
    "a",
    "mat.",
    "3.5",
    "isn't",
    "naïve",
    "studies",
    "well-known",
    ",",
    "東京の天気",
    "!",
]
SINGLE = 2e-6


def corpus(seed: int, size: int = 12, most: int = 3, longest: int = 12) -> tertium.Cases:
    """
    Invent cases of one to ``most`` references.
    """
    rng = random.Random(seed)

    def made() -> str:
        return " ".join(rng.choices(WORDS, k=rng.randint(1, longest)))

    rows = [[made() for _ in range(rng.randint(1, most))] for _ in range(size)]
    changed = [" ".join(row[0].split()[: rng.randint(1, longest)]) for row in rows]
    return tertium.Cases([one if rng.random() < 0.7 else made() for one in changed], rows)


def texts(cases: tertium.Cases) -> tuple[list[str], list[list[str]]]:
    """
    Give outputs and references as the library takes them.
    """
    return list(cases.hypotheses), [list(case.references or ()) for case in cases]


TRANSLATION = [
    ("bleu@torchmetrics", lambda: text.BLEUScore()),
    ("bleu@torchmetrics(n_gram=2,smooth=true)", lambda: text.BLEUScore(n_gram=2, smooth=True)),
    ("bleu@torchmetrics(n_gram=2,weights='0.3,0.7')", lambda: text.BLEUScore(n_gram=2, weights=[0.3, 0.7])),
    ("bleu@torchmetrics(tokenize=13a)", lambda: text.SacreBLEUScore()),
    (
        "bleu@torchmetrics(tokenize=intl,lowercase=true,smooth=true)",
        lambda: text.SacreBLEUScore(tokenize="intl", lowercase=True, smooth=True),
    ),
    ("bleu@torchmetrics(tokenize=char)", lambda: text.SacreBLEUScore(tokenize="char")),
    ("bleu@torchmetrics(tokenize=zh)", lambda: text.SacreBLEUScore(tokenize="zh")),
    ("chrf@torchmetrics", lambda: text.CHRFScore()),
    (
        "chrf@torchmetrics(n_char_order=3,n_word_order=0,beta=1.0,lowercase=true,whitespace=true)",
        lambda: text.CHRFScore(n_char_order=3, n_word_order=0, beta=1.0, lowercase=True, whitespace=True),
    ),
    ("ter@torchmetrics", lambda: text.TranslationEditRate()),
    (
        "ter@torchmetrics(normalize=true,no_punctuation=true,lowercase=false,asian_support=true)",
        lambda: text.TranslationEditRate(normalize=True, no_punctuation=True, lowercase=False, asian_support=True),
    ),
]


@pytest.mark.parametrize(("spec", "library"), TRANSLATION, ids=[spec for spec, _ in TRANSLATION])
def test_equals_the_librarys_class(spec: str, library: Any) -> None:
    """The corpus value has the bits that the library's own metric computes, but for the mean lengths of TER."""
    cases = corpus(1)

    value = tertium.score(spec, cases).value

    wanted = float(library()(*texts(cases)))
    assert wanted > 0
    assert value == (pytest.approx(wanted, rel=1e-6) if spec.startswith("ter") else wanted)


RATES = {"wer": "WordErrorRate", "cer": "CharErrorRate", "mer": "MatchErrorRate", "wil": "WordInfoLost"}
RATES |= {"wip": "WordInfoPreserved", "levenshtein": "EditDistance"}


@pytest.mark.parametrize("name", RATES)
def test_rates_equal_the_librarys_class(name: str) -> None:
    """Rates over edits have the library's bits, for the corpus and for each case."""
    cases = corpus(2, most=1)
    hypotheses, references = list(cases.hypotheses), list(cases.flat_references)
    library = getattr(text, RATES[name])

    score = tertium.score(f"{name}@torchmetrics", cases)

    assert score.value == float(library()(hypotheses, references))
    alone = [float(library()([one], [other])) for one, other in zip(hypotheses, references, strict=True)]
    assert score.per_case[name].tolist() == alone


@pytest.mark.parametrize("params", [{}, {"use_stemmer": True}, {"accumulate": "avg"}], ids=str)
def test_rouge_equals_the_librarys_class(params: dict[str, Any]) -> None:
    """F, precision and recall are the library's means, within its precision."""
    cases = corpus(3)
    found = text.ROUGEScore(rouge_keys=("rouge1", "rouge2", "rougeL"), **params)(*texts(cases))

    for name in ("rouge1", "rouge2", "rougeL"):
        score = tertium.score(tertium.Spec(name, "torchmetrics", params=params), cases)
        for output in ("fmeasure", "precision", "recall"):
            assert score[output] == pytest.approx(float(found[f"{name}_{output}"]), rel=1e-6)


def test_rouge_takes_callables() -> None:
    """A normalizer and a tokenizer of one's own go to the library, and leave no native equivalent."""
    from tertium_torchmetrics.summaries import Rouge1

    metric = Rouge1(normalizer=str.upper, tokenizer=list)

    assert tertium.score(metric, tertium.Cases(["ab"], [["AB c"]])).per_case["recall"].tolist() == [0.5]
    assert metric.equivalent() is None


def test_squad_equals_the_librarys_class() -> None:
    """Exact match and F1 are the library's, in percent, with the best gold answer of each question."""
    cases = tertium.Cases(["The cat", "1976", "a dog runs"], [["cat"], ["in 1976", "1976"], ["dog", "the dog ran"]])
    hypotheses, references = texts(cases)
    answers = [{"prediction_text": one, "id": str(place)} for place, one in enumerate(hypotheses)]
    golds = [{"answers": {"text": row}, "id": str(place)} for place, row in enumerate(references)]

    found = text.SQuAD()(answers, golds)

    assert tertium.score("squad-em@torchmetrics", cases).value == float(found["exact_match"])
    assert tertium.score("squad-f1@torchmetrics", cases).value == pytest.approx(float(found["f1"]), rel=1e-6)


EQUIVALENT = [spec for spec, _ in TRANSLATION]
EQUIVALENT += [f"{name}@torchmetrics" for name in ("rouge1", "rouge3", "rougeL", "squad-em", "squad-f1")]
EQUIVALENT += ["rouge2@torchmetrics(use_stemmer=true,accumulate=avg)"]


@pytest.mark.parametrize("spec", EQUIVALENT)
def test_equivalent_gives_the_same_numbers(spec: str) -> None:
    """Corpus and cases agree with the declared native spec to single precision."""
    metric = tertium.load(spec)
    same(metric, corpus(4, size=20))


@pytest.mark.parametrize("name", [name for name in RATES if name != "levenshtein"])
def test_equivalent_of_rates_gives_the_same_numbers(name: str) -> None:
    """Corpus and cases agree with the declared native spec to single precision."""
    same(tertium.load(f"{name}@torchmetrics"), corpus(5, size=30, most=1))


def same(metric: Any, cases: tertium.Cases) -> None:
    """
    Hold a metric to its equivalent.
    """
    equivalent = metric.equivalent()
    theirs, ours = tertium.score(metric, cases), tertium.score(equivalent, cases)
    assert theirs.value == pytest.approx(ours.value, rel=SINGLE, abs=SINGLE)
    rows = [one.per_case[one.info.outputs[0]] for one in (theirs, ours)]
    assert np.allclose(*rows, rtol=SINGLE, atol=SINGLE)


def test_an_empty_output_costs_ter_nothing() -> None:
    """The library edits the reference into the output, and stops where there is no output."""
    assert tertium.score("ter@torchmetrics", tertium.Cases([""], [["a b"]])).value == 0


def test_edit_distance_is_sought_in_a_band() -> None:
    """Forty characters that moved over 200 others cost 80 edits, a way that lies outside of the library's band."""
    moved, kept = ("".join(map(chr, range(start, start + size))) for start, size in ((0x4E00, 40), (0x5E00, 200)))
    cases = tertium.Cases([moved + kept], [[kept + moved]])

    assert tertium.score("levenshtein", cases).value == 80
    assert tertium.score("levenshtein@torchmetrics", cases).value > 80
    assert tertium.load("levenshtein@torchmetrics").equivalent() is None


def test_edit_distance_sums_and_weighs() -> None:
    """rain becomes shine by 3 edits, two of them substitutions, and lnaguaeg becomes language by 4."""
    cases = tertium.Cases(["rain", "lnaguaeg"], [["shine"], ["language"]])

    assert tertium.score("levenshtein@torchmetrics", cases).value == 3.5
    assert tertium.score("levenshtein@torchmetrics(reduction=sum)", cases).value == 7
    assert tertium.score("levenshtein@torchmetrics(substitution_cost=2)", cases).per_case["levenshtein"][0] == 5


def test_rates_without_words_are_infinite_or_undefined() -> None:
    """The library divides by zero, which is told and not hidden."""
    assert tertium.score("wer@torchmetrics", tertium.Cases(["a"], [[""]])).value == math.inf
    assert math.isnan(tertium.score("mer@torchmetrics", tertium.Cases([""], [[""]])).value)


def test_values_are_of_single_precision() -> None:
    """A third comes as the nearest 32-bit number, and the signature says so."""
    score = tertium.score("wer@torchmetrics", tertium.Cases(["a b x"], [["a b c"]]))

    assert score.value == float(np.float32(1) / np.float32(3)) != 1 / 3
    assert "|precision=single|torch=" in score.signature


@pytest.mark.parametrize("weights", ["0.5", "a,b,c,d", "1,2,3,nan"])
def test_weights_that_do_not_fit_are_refused(weights: str) -> None:
    """There must be one finite number for each order."""
    with pytest.raises(ParameterError, match="one finite number for each order"):
        tertium.load(tertium.Spec("bleu", "torchmetrics", params={"weights": weights}))


def test_lower_case_of_tokens_has_no_equivalent_where_it_shows() -> None:
    """A capital I with a dot is one character, and two in lower case: the library tokenizes before it lowers the case."""
    metric = tertium.load("bleu@torchmetrics(tokenize=char,lowercase=true,n_gram=1)")

    assert len(metric.tokens("İ") or ()) == 1
    assert metric.equivalent() is None


def test_rouge_lsum_asks_for_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without NLTK's model nothing is fetched: the error names what is missing and the command."""
    import nltk

    monkeypatch.setattr(nltk.data, "path", [])
    with pytest.raises(ResourceMissing, match=r"punkt_tab.*nltk.downloader"):
        tertium.score("rougeLsum@torchmetrics", tertium.Cases(["a"], [["a"]]))


def test_examples_print_what_they_say() -> None:
    """Every example of the README runs, and prints what stands there."""
    blocks = re.findall(r"^```python\n(.*?)^```$", README.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    example = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, README.name, str(README), 0)
    problems: list[str] = []

    outcome = doctest.DocTestRunner().run(example, out=problems.append)

    assert outcome.attempted > 3
    assert outcome.failed == 0, "".join(problems)

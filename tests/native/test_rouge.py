"""
ROUGE: textbook values, conventions, and what must not go together.
"""

from __future__ import annotations

import itertools
import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium
from tertium import Cases
from tertium.errors import BadText, ParameterError, Refused, ResourceMissing
from tertium.native.cache import REFERENCES
from tertium.native.rouge_ngrams import ORDERS, Rouge1, Rouge2
from tertium.native.rouge_reading import READ, limited
from tertium.native.rouge_scores import Scoring, bootstrap_sums, rounded
from tertium.native.rouge_sequences import RougeL, RougeLsum, RougeW
from tertium.native.rouge_skips import RougeS, RougeSU

GUNMAN = "police killed the gunman"


def score(metric: tertium.Metric, hypothesis: str, *references: str) -> tuple[float, float, float]:
    """Score one case: F, precision, recall."""
    found = tertium.score(metric, Cases([hypothesis], [list(references)])).outputs
    return found["fmeasure"], found["precision"], found["recall"]


def sentences_by_bar(text: str) -> list[str]:
    """Split at bars."""
    return text.split("|")


def numbers(text: str) -> list[Any]:
    """Give what a tokenizer must not give."""
    return [len(text)]


@pytest.mark.parametrize(
    ("metric", "hypothesis", "reference", "wanted"),
    [
        (Rouge1(), "red blue blue", "red red blue", (2 / 3, 2 / 3, 2 / 3)),
        (Rouge2(), "the cat sat", "the cat sat on the mat", (4 / 7, 1, 2 / 5)),
        (RougeL(), "police kill the gunman", GUNMAN, (3 / 4, 3 / 4, 3 / 4)),  # Lin 2004, section 3.1
        (RougeL(), "the gunman kill police", GUNMAN, (1 / 2, 1 / 2, 1 / 2)),
        (RougeS(), "police kill the gunman", GUNMAN, (1 / 2, 1 / 2, 1 / 2)),  # Lin 2004, section 5
        (RougeS(), "the gunman kill police", GUNMAN, (1 / 6, 1 / 6, 1 / 6)),
        (RougeS(), "gunman the killed police", GUNMAN, (0, 0, 0)),
        (RougeSU(), "gunman the killed police", GUNMAN, (4 / 10, 4 / 10, 4 / 10)),  # section 5.1: credit for words
        (RougeSU(unigrams="all-but-last"), "gunman the killed police", GUNMAN, (2 / 9, 2 / 9, 2 / 9)),
        (RougeSU(max_gap=0, unigrams="marker"), "a b c", "a c b", (1 / 3, 1 / 3, 1 / 3)),  # (marker, a) of 1 + 2 pairs
        (RougeS(max_gap=0), "a b c", "a b c d", (4 / 5, 1, 2 / 3)),
        (RougeW(weight=2), "a b c d h i k", "a b c d e f g", (4 / 7, 4 / 7, 4 / 7)),  # section 4: 0.571
        (RougeW(weight=2), "a h b k c i d", "a b c d e f g", (2 / 7, 2 / 7, 2 / 7)),  # and 0.286
        # section 3.2: of w1 .. w5 the union over both sentences leaves out w4 only
        (RougeLsum(), "w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", "w1 w2 w3 w4 w5", (8 / 15, 4 / 10, 4 / 5)),
        (RougeLsum(), "a\na", "a a", (1 / 2, 1 / 2, 1 / 2)),  # both sentences mark the same a
        (RougeLsum(), "a b", "a\na", (1 / 2, 1 / 2, 1 / 2)),  # the output has one a only
        (RougeLsum(credit="unclipped"), "a b", "a\na", (1, 1, 1)),
        (RougeLsum(credit="distinct"), "a a b", "a a c", (1 / 2, 1 / 2, 1 / 2)),
        (RougeLsum(sentences="period"), "b c. a d", "a b. c d", (1, 1, 1)),
        (RougeLsum(sentences="none"), "b c\na d", "a b\nc d", (3 / 4, 3 / 4, 3 / 4)),
        (RougeLsum(sentences=sentences_by_bar), "b c|a d", "a b|c d", (1, 1, 1)),
        (Rouge1(counting="set"), "a a b", "a b b c", (4 / 5, 1, 2 / 3)),
        (Rouge1(alpha=0), "a b", "a b c d", (1 / 2, 1, 1 / 2)),
        (Rouge1(alpha=1), "a b", "a b c d", (1, 1, 1 / 2)),
        (Rouge1(beta=2), "a b", "a b c d", (5 * 0.5 / (0.5 + 4), 1, 1 / 2)),
        (Rouge1(f_epsilon=0.5), "a", "a", (2 / 2.5, 1, 1)),
        (Rouge1(decimals=2), "a b", "a c d", (0.4, 0.5, 0.33)),
        (Rouge1(empty="one"), "!", "?", (1, 1, 1)),
        (Rouge1(empty="one"), "!", "a", (0, 0, 0)),
        (Rouge1(), "!", "?", (0, 0, 0)),
        (Rouge1(), "CAT-sat 5\u212a \u0130x", "cat sat 5k i x", (1, 1, 1)),
        (Rouge1(tokenizer="rouge-1.5.5"), "5\u212a", "5k", (0, 0, 0)),
        (Rouge1(tokenizer="words", lowercase=True), "東京 Café", "東京, CAFÉ!", (1, 1, 1)),
        (Rouge1(tokenizer="whitespace"), "Cat", "cat", (0, 0, 0)),
        (Rouge1(tokenizer="single-space"), "a  b", "a b", (4 / 5, 2 / 3, 1)),
        (Rouge1(tokenizer="periods"), "a.b .c", "a b c", (1, 1, 1)),
        (Rouge1(tokenizer="char"), "ab c", "abd", (2 / 3, 2 / 3, 2 / 3)),
        (Rouge1(tokenizer=str.split), "x  y", "y", (2 / 3, 1 / 2, 1)),
        (Rouge1(stemmer="nltk"), "dying skies ads", "die sky ad", (2 / 3, 2 / 3, 2 / 3)),  # ads: three letters
        (Rouge1(stemmer="porter"), "relational", "relate", (1, 1, 1)),
        (Rouge1(word_limit=2), "a b c", "c b a", (1 / 2, 1 / 2, 1 / 2)),
        (Rouge1(byte_limit=3), "a b c", "c b a", (1 / 2, 1 / 2, 1 / 2)),
    ],
)
def test_values_worked_by_hand(
    metric: tertium.Metric, hypothesis: str, reference: str, wanted: tuple[float, float, float]
) -> None:
    """F, precision and recall follow from counting, to 1e-12."""
    assert np.allclose(wanted, score(metric, hypothesis, reference), rtol=1e-12, atol=0)


@pytest.mark.parametrize(
    ("rule", "jackknife", "wanted"),
    [
        # "a b" against "a x y z" (P 1/2, R 1/4, F 1/3) and "a b c d e f g h" (P 1, R 1/4, F 2/5) and "b" (P 1/2, R 1, F 2/3)
        ("best-f", False, (2 / 3, 1 / 2, 1)),
        ("best-recall", False, (2 / 3, 1 / 2, 1)),
        ("best-each", False, (1, 1, 1)),
        ("pooled", False, (2 * (4 / 6) * (4 / 13) / (4 / 6 + 4 / 13), 4 / 6, 4 / 13)),
        ("mean", False, ((1 / 3 + 2 / 5 + 2 / 3) / 3, 2 / 3, 1 / 2)),
        ("best-f", True, ((2 / 3 + 2 / 3 + 2 / 5) / 3, (1 / 2 + 1 / 2 + 1) / 3, (1 + 1 + 1 / 4) / 3)),
        ("best-recall", True, ((2 / 3 + 2 / 3 + 1 / 3) / 3, 1 / 2, (1 + 1 + 1 / 4) / 3)),  # of equals the first
        ("best-each", True, ((1 + 2 / 3 + 2 / 5) / 3, (1 + 1 / 2 + 1) / 3, (1 + 1 + 1 / 4) / 3)),
        ("mean", True, ((1 / 3 + 2 / 5 + 2 / 3) / 3, 2 / 3, 1 / 2)),
        (
            "pooled",
            True,
            ((2 * 3 / 13 + 2 * 2 / 9 + 2 * 3 / 16) / 3, (3 / 4 + 1 / 2 + 3 / 4) / 3, (3 / 9 + 2 / 5 + 3 / 12) / 3),
        ),
    ],
)
def test_rules_for_several_references(rule: str, jackknife: bool, wanted: tuple[float, float, float]) -> None:
    """Each rule chooses, sums or averages as it says, with and without leaving one reference out, to 1e-12."""
    metric = Rouge1(multi_reference=rule, jackknife=jackknife)
    assert np.allclose(wanted, score(metric, "a b", "a x y z", "a b c d e f g h", "b"), rtol=1e-12, atol=0)


def test_jackknife_of_one_reference_is_its_score() -> None:
    """A case with one reference is scored as it is, beside one with several."""
    cases = Cases(["a b", "a b"], [["a b", "c"], ["a c"]])
    found = tertium.score(Rouge1(jackknife=True), cases).per_case["fmeasure"]
    assert found.tolist() == [0.5, 0.5]


def test_corpus_values() -> None:
    """Mean of cases, F of mean P and R, and summed counts differ as they should, to 1e-12."""
    cases = Cases(["a b", "a"], [["a b c d"], ["a x"]])  # P 1, R 1/2, F 2/3; P 1, R 1/2, F 2/3
    other = Cases(["a b c d", "a"], [["a b"], ["a x y z"]])  # P 1/2, R 1, F 2/3; P 1, R 1/4, F 2/5
    assert math.isclose(tertium.score(Rouge1(), cases).value, 2 / 3, rel_tol=1e-12)
    assert math.isclose(tertium.score(Rouge1(), other).value, 8 / 15, rel_tol=1e-12)
    means = tertium.score(Rouge1(corpus_value="f-of-means"), other).outputs
    assert np.allclose(list(means.values()), [2 * 0.75 * 0.625 / 1.375, 0.75, 0.625], rtol=1e-12, atol=0)
    pooled = tertium.score(Rouge1(corpus_value="pooled"), other)
    assert np.allclose(list(pooled.outputs.values()), [6 / 11, 3 / 5, 3 / 6], rtol=1e-12, atol=0)
    assert pooled.statistics.tolist() == [[2, 4, 2], [1, 1, 4]]


def test_resampled_values_refuse_to_be_resampled_again() -> None:
    """The mean of ROUGE-1.5.5's resamples is a corpus value only: it has no per-case values."""
    found = tertium.score(RougeL(corpus_value="bootstrap", resamples=10), Cases(["a", "b"], [["a"], ["c"]]))
    assert 0 < found.value < 1
    with pytest.raises(Refused):
        found.per_case  # noqa: B018


def test_resamples_of_perl() -> None:
    """Seeds 0, 1 and 2 draw from three evaluations what Perl's generator drew: 0 0 0, 0 1 2 and 2 1 0."""
    draws = bootstrap_sums(np.eye(3), 3)
    assert draws.sum(axis=1).tolist() == [3, 3, 3]
    multiplier, seeds = 0x5DEECE66D, []
    for seed in range(3):
        state, counts = (seed << 16) + 0x330E, [0, 0, 0]
        for _ in range(3):
            state = (multiplier * state + 0xB) % (1 << 48)
            counts[int(state / (1 << 48) * 3)] += 1
        seeds.append(counts)
    assert draws.tolist() == seeds


def test_empty_cases_can_be_left_out() -> None:
    """``skip`` takes a case without units out of the mean, and says so when none is left."""
    cases = Cases(["a", "!", "b"], [["a"], ["a"], ["!", "?"]])
    assert tertium.score(Rouge1(empty="skip"), cases).value == 1
    none = tertium.score(Rouge1(empty="skip"), Cases(["!"], [["a"]]))
    assert math.isnan(none.value)
    assert "left" in (none.reason or "") or "leaves" in (none.reason or "")
    assert math.isnan(tertium.score(Rouge1(empty="skip", corpus_value="f-of-means"), Cases(["!"], [["a"]])).value)


@pytest.mark.parametrize(
    ("given", "first", "second"),
    [
        ({"alpha": 0.3, "beta": 1.2}, "alpha", "beta"),
        ({"f_epsilon": 1e-8, "alpha": 0.3}, "f_epsilon", "alpha"),
        ({"f_epsilon": 1e-8, "beta": 2}, "f_epsilon", "beta"),
        ({"exceptions": "wordnet"}, "exceptions", "stemmer"),
        ({"word_limit": 3, "byte_limit": 3}, "word_limit", "byte_limit"),
        ({"corpus_value": "pooled", "multi_reference": "mean"}, "corpus_value", "multi_reference"),
        ({"corpus_value": "bootstrap-pooled", "jackknife": True}, "corpus_value", "jackknife"),
        ({"corpus_value": "pooled", "empty": "skip"}, "corpus_value", "empty"),
        ({"resamples": 10}, "resamples", "corpus_value"),
    ],
)
def test_contradictions_name_both_sides(given: dict[str, Any], first: str, second: str) -> None:
    """Parameters that contradict each other are refused, whatever the type, with both names."""
    for made in (Rouge1, RougeL, RougeLsum, RougeW, RougeS, RougeSU):
        with pytest.raises(ParameterError) as error:
            made(**given)
        assert first in str(error.value)
        assert second in str(error.value)


def test_table_and_sentences_contradict() -> None:
    """The paper's weighted table knows no sentences."""
    with pytest.raises(ParameterError, match=r"credit=table and sentences=newline"):
        RougeW(sentences="newline")


@pytest.mark.parametrize(
    "spec",
    [
        "rougeL(tokenizer=moses)",
        "rouge1(alpha=1.5)",
        "rougeS(max_gap=-1)",
        "rougeW(weight=0)",
        "rougeW(weight=0.05)",
        "rougeW(weight=inf)",
        "rouge1(stemmer=snowball)",
        "rougeLsum(sentences=paragraph)",
        "rouge1(tokenizer='py:nowhere:nothing')",
        "rouge1(stemmer=nltk,exceptions='/nowhere')",
        "rouge1(stopwords='/nowhere')",
    ],
)
def test_values_out_of_range_are_refused(spec: str) -> None:
    """A parameter that is not in its choices or range, or names nothing, is an error that names it."""
    with pytest.raises(ParameterError):
        tertium.score(spec, Cases(["a"], [["a"]]))


def test_functions_must_give_strings() -> None:
    """A tokenizer or splitter that gives numbers is named in the error."""
    with pytest.raises(BadText, match="numbers"):
        tertium.score(Rouge1(tokenizer=numbers), Cases(["a"], [["a"]]))
    with pytest.raises(BadText, match="sentence of type int"):
        tertium.score(RougeLsum(sentences=numbers), Cases(["a"], [["a"]]))


def test_punkt_is_asked_for_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without NLTK's model the error names the command that brings it."""
    nltk = pytest.importorskip("nltk", reason="NLTK is not installed")

    def missing(text: str) -> list[str]:
        raise LookupError("punkt_tab")

    monkeypatch.setattr(nltk, "sent_tokenize", missing)
    with pytest.raises(ResourceMissing, match=r"nltk\.downloader punkt_tab"):
        tertium.score(RougeLsum(sentences="nltk"), Cases(["A b. C d."], [["A b."]]))
    monkeypatch.setattr(nltk, "sent_tokenize", lambda text: text.split(". "))
    assert tertium.score(RougeLsum(sentences="nltk"), Cases(["b c. a d"], [["a b. c d"]])).value == 1


def test_lists_from_files(tmp_path: Path) -> None:
    """Irregular forms come from four files of which the last holds, stop words from one; both are in the signature."""
    for name, text in (("adj", "better good\n"), ("adv", "better well best\n"), ("noun", "mice mouse\n"), ("verb", "")):
        (tmp_path / f"{name}.exc").write_text(text, encoding="utf-8")
    (tmp_path / "stop").write_text("the\nof\n", encoding="utf-8")
    given = {"stemmer": "rouge-1.5.5", "exceptions": str(tmp_path), "stopwords": str(tmp_path / "stop")}
    cases = Cases(["the better mice"], [["well mice of of"]])

    found = tertium.score(Rouge1(**given), cases)

    assert found.value == 1
    assert {"exceptions.sha256", "stopwords.sha256"} <= set(found.conventions)
    (tmp_path / "other").write_text("the\n", encoding="utf-8")
    other = tertium.score(Rouge1(**{**given, "stopwords": str(tmp_path / "other")}), cases)
    assert other.conventions["stopwords.sha256"] != found.conventions["stopwords.sha256"]


@pytest.mark.parametrize(
    ("text", "words", "size", "accumulated", "wanted"),
    [
        ("a b\n\nc d", 3, None, True, "a b\nc"),
        (" a b\nc", 2, None, True, " a"),  # white space in front makes an empty word
        (" a b\nc", 4, None, True, " a b\nc"),
        ("ab cd\nef", None, 6, True, "ab cd\ne"),  # line ends do not count
        ("ab cd\nef", None, 6, False, "ab cd\nef"),
        ("ab cd\nefghijk\nl", None, 6, False, "ab cd\nefghij"),
        ("aé", None, 2, True, "a\ufffd"),  # half a character
    ],
)
def test_limits(text: str, words: int | None, size: int | None, accumulated: bool, wanted: str) -> None:
    """Whole lines are kept while they stay below the limit, and a part of the one that reaches it."""
    assert limited(text, words, size, accumulated) == wanted


def test_rounding_is_that_of_printing() -> None:
    """Ties go by the exact binary value, as ``%.5f`` has it."""
    values = np.array([[0.000125, 2.675, 1 / 3], [0.5, 0.125, 1.0]])
    assert rounded(values, 2).tolist() == [[0.0, 2.67, 0.33], [0.5, 0.12, 1.0]]
    assert all(float(f"{x:.5f}") == y for x, y in zip(values.flat, rounded(values, 5).flat, strict=True))


def test_ties_between_references() -> None:
    """Of references with the same F the first counts."""
    assert score(Rouge1(), "a b c d", "a", "a b c d e f g h i j k l m n o p")[1:] == (0.25, 1.0)
    assert Scoring().best(*_tied()).tolist() == [0, 3]


def _tied() -> tuple[Any, Any, Any, None]:
    single = np.array([[0.5, 1, 0], [0.5, 0, 1], [0.1, 0, 0], [0.7, 0, 0], [0.7, 1, 1]])
    return single, single, np.array([0, 2, 5]), None


@pytest.mark.parametrize(
    "spec",
    [
        *("rouge1", "rouge2", "rougeL", "rougeLsum", "rougeW", "rougeS", "rougeSU", "rougeL(multi_reference=mean)"),
        *("rougeW(credit=runs,sentences=newline,double_weighting=true)", "rougeSU(jackknife=true)"),
    ],
)
def test_chunks_and_threads_change_nothing(spec: str) -> None:
    """Every chunk size and number of threads gives the same statistics, bit for bit."""
    rng = np.random.default_rng(1)
    texts = [" ".join(rng.choice(["a", "b", "c", "d\n", "é"], rng.integers(0, 9))) for _ in range(300)]
    cases = Cases(texts[:100], [[texts[100 + i], texts[200 + i]] for i in range(100)])
    whole = tertium.score(spec, cases)
    for chunk, workers in itertools.product((1, 7, 100), (1, 2)):
        part = tertium.score(spec, cases, chunk=chunk, workers=workers)
        assert whole.statistics.tobytes() == part.statistics.tobytes()
        assert whole.value == part.value


def test_texts_are_read_once() -> None:
    """Three metrics of the same cases cut their texts once."""
    READ.clear()
    REFERENCES.clear()
    cases = Cases(["a b"], [["a c"]])
    for spec in ("rouge1", "rouge2", "rougeL"):
        tertium.score(spec, cases)
    assert (len(READ), len(REFERENCES)) == (1, 1)
    tertium.score("rouge1(stemmer=nltk)", cases)
    assert (len(READ), len(REFERENCES)) == (2, 1)


def test_metrics_travel() -> None:
    """A metric that has been used pickles, and scores the same afterwards."""
    metric = RougeLsum(stemmer="nltk")
    cases = Cases(["dogs run"], [["dog running"]])
    before = tertium.score(metric, cases).value
    assert tertium.score(pickle.loads(pickle.dumps(metric)), cases).value == before


def test_notes_tell_of_texts_without_tokens() -> None:
    """A case of which the tokenizer leaves nothing is named; other tokenizers have no such note."""
    cases = Cases(["東京", "a", "b\n\nc"], [["東京"], ["x", "ö"], ["y"]])
    notes = tertium.score("rouge1", cases).notes
    assert any("case 0: no token is left" in note for note in notes)
    assert not any("no token" in note for note in tertium.score("rouge1(tokenizer=char)", cases).notes)
    assert not any("no token" in note for note in tertium.score("rouge1", Cases(["a\n\nb"], [["c"]])).notes)


def test_every_type_is_registered() -> None:
    """All fourteen types load by name from the native provider, with three outputs."""
    names = [*(f"rouge{order}" for order in range(1, 10)), "rougeL", "rougeLsum", "rougeW", "rougeS", "rougeSU"]
    for name in names:
        metric = tertium.load(f"{name}@native")
        assert (metric.name, metric.info.outputs) == (name, ("fmeasure", "precision", "recall"))
    assert [made.order for made in ORDERS] == list(range(1, 10))


def test_odd_text_is_bounded() -> None:
    """NUL, what lies beyond the basic plane, a very long line and a thousand references are scored like any other text."""
    long = "word " * 200_000
    assert score(RougeL(), long, "word")[2] == 1
    assert score(Rouge1(tokenizer="whitespace"), "a\0b \U0001f600", "\U0001f600 a\0b")[0] == 1
    assert score(Rouge2(), "a b c", *["x"] * 1000, "a b c")[0] == 1

"""
Hold METEOR to NLTK itself, to values worked by hand and to recorded outcomes.
"""

from __future__ import annotations

import inspect
import json
import random
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import nltk
import numpy as np
import pytest
from nltk.translate.meteor_score import meteor_score

import tertium
from tertium import resources
from tertium.errors import DataError, ParameterError, ResourceMissing
from tertium_nltk import Meteor, words

HERE = Path(__file__).resolve().parent
WORDS = ["the", "The", "dog", "dogs", "ran", "run", "runs", "hound", "quickly", "fast", "car", "automobile", "isn't"]
WORDS += ["U.S.", "große", "Häuser", "naïve", "日本", "😀", "e\u0301", "1,5", "a\u00a0b", ":)", "(", "كتاب", "Straße"]
HOSTILE = ["", " ", "\t\n", "\u2028", "a|||b", "\x00", "\u200f", "_ _", "' \" ``"]


class NoStem:
    """
    Leave words as they are, as a stemmer of NLTK's would be written.
    """

    def stem(self, word: str) -> str:
        return word


class NoSynonyms:
    """
    Know no word.
    """

    def synsets(self, word: str) -> list[Any]:
        return []


@pytest.fixture(scope="module")
def wordnet() -> Any:
    """
    Give WordNet as the host finds it, or skip.
    """
    problem = resources.get("wordnet").problem()
    if problem:
        pytest.skip(f"WordNet is not there ({problem}); run `tertium fetch wordnet`")
    from tertium.resources import wordnet as found

    return found.load()


def corpus(seed: int, size: int = 30) -> tertium.Cases:
    """
    Invent cases of one to three references with words that match exactly, by stem and by synonym.
    """
    rng = random.Random(seed)

    def text() -> str:
        return rng.choice(HOSTILE) if rng.random() < 0.1 else " ".join(rng.choices(WORDS, k=rng.randint(1, 9)))

    return tertium.Cases(
        [text() for _ in range(size)], [[text() for _ in range(rng.randint(1, 3))] for _ in range(size)]
    )


def library(cases: tertium.Cases, tokenize: Any = str.split, **arguments: Any) -> list[float]:
    """
    Call the library case by case, as its users do.
    """
    return [
        meteor_score(
            [list(tokenize(text)) for text in case.references or ()], list(tokenize(case.hypothesis)), **arguments
        )
        for case in cases
    ]


def test_pin_is_the_distributions() -> None:
    """The version that the class is made for is the one that the distribution requires."""
    project = tomllib.loads((HERE.parent / "pyproject.toml").read_text("utf-8"))["project"]

    assert f"{Meteor.library}=={Meteor.pinned}" in project["dependencies"]


def test_every_argument_of_the_library_is_a_parameter() -> None:
    """The parameters are the library's arguments, with its defaults where they are numbers."""
    taken = inspect.signature(meteor_score).parameters
    given = Meteor().parameters

    assert set(taken) - {"references", "hypothesis", "preprocess"} == set(given) - {"preprocessing", "tokenizer"}
    assert [taken[name].default for name in ("alpha", "beta", "gamma")] == [0.9, 3.0, 0.5]
    assert [given[name] for name in ("alpha", "beta", "gamma")] == [0.9, 3.0, 0.5]
    assert taken["preprocess"].default is str.lower
    assert given["preprocessing"] == "lower"


@pytest.mark.parametrize("seed", range(3))
def test_per_case_values_are_the_librarys(wordnet: Any, seed: int) -> None:
    """Each case's value is the library's over its references, and the corpus value is their mean."""
    cases = corpus(seed)
    wanted = library(cases, wordnet=wordnet)

    score = tertium.score("meteor@nltk", cases)

    assert score.per_case["meteor"].tolist() == wanted
    assert score.value == pytest.approx(sum(wanted) / len(wanted), rel=1e-12)


@pytest.mark.parametrize(
    "weights", [{"alpha": 0.0}, {"alpha": 0.5, "beta": 1.0}, {"alpha": 1.0, "gamma": 0.0}, {"beta": 0.0, "gamma": 1.0}]
)
def test_weights_reach_the_library(wordnet: Any, weights: dict[str, float]) -> None:
    """alpha, beta and gamma do what they do in the library."""
    cases = corpus(4)

    assert tertium.score(Meteor(**weights), cases).per_case["meteor"].tolist() == library(
        cases, wordnet=wordnet, **weights
    )


def stemmers() -> dict[str, Any]:
    """
    Give the library's own stemmer for each name.
    """
    from nltk.stem import Cistem, ISRIStemmer, LancasterStemmer, PorterStemmer, SnowballStemmer
    from nltk.stem.arlstem import ARLSTem
    from nltk.stem.arlstem2 import ARLSTem2

    return {
        "porter": PorterStemmer(),
        "porter:original": PorterStemmer(mode=PorterStemmer.ORIGINAL_ALGORITHM),
        "porter:martin": PorterStemmer(mode=PorterStemmer.MARTIN_EXTENSIONS),
        **{f"snowball:{language}": SnowballStemmer(language) for language in SnowballStemmer.languages},
        "lancaster": LancasterStemmer(),
        "cistem": Cistem(),
        "isri": ISRIStemmer(),
        "arlstem": ARLSTem(),
        "arlstem2": ARLSTem2(),
        "none": NoStem(),
    }


@pytest.mark.parametrize("name", list(stemmers()))
def test_stemmers_by_name_are_the_librarys(name: str) -> None:
    """Each named stemmer gives what the library gives with its own object of that stemmer."""
    cases = corpus(5)
    wanted = library(cases, stemmer=stemmers()[name], wordnet=NoSynonyms())

    assert tertium.score(Meteor(stemmer=name, wordnet="none"), cases).per_case["meteor"].tolist() == wanted


def test_stemmers_give_stems_of_their_own() -> None:
    """Names are not confounded: the stems of some words differ from stemmer to stemmer as the library's do."""
    sample = ["generously", "dying", "Häuser", "ponies", "skies", "news", "المكتبات", "fairly", "abilities"]
    for name, stemmer in stemmers().items():
        assert [words.stemmer(name).stem(word) for word in sample] == [stemmer.stem(word) for word in sample], name


def test_snowball_languages_are_the_librarys() -> None:
    """The languages that are named are those that the library stems, and another one is refused with them."""
    assert nltk.SnowballStemmer.languages == words.SNOWBALL_LANGUAGES
    with pytest.raises(ParameterError, match=r"snowball:germna.*Did you mean german"):
        Meteor(stemmer="snowball:germna")


TOKENIZERS = {
    "whitespace": str.split,
    "wordpunct": nltk.tokenize.WordPunctTokenizer().tokenize,
    "treebank": nltk.tokenize.TreebankWordTokenizer().tokenize,
    "word": nltk.tokenize.NLTKWordTokenizer().tokenize,
    "toktok": nltk.tokenize.ToktokTokenizer().tokenize,
    "tweet": nltk.tokenize.TweetTokenizer().tokenize,
}


def test_every_tokenizer_is_tested() -> None:
    """The tokenizers compared with the library are all that the adapter offers."""
    assert tuple(TOKENIZERS) == words.TOKENIZERS


@pytest.mark.parametrize("name", list(TOKENIZERS))
def test_tokenizers_by_name_are_the_librarys(name: str) -> None:
    """Each named tokenizer gives what the library gives for its words."""
    cases = tertium.Cases(
        [*corpus(6).hypotheses, "I can't stop; it's 5.50$ :-)", "@you #tag http://a.b/c"],
        [*(list(texts or ()) for texts in corpus(6).references), ["I can not stop; it is 5.50 $ :-)"], ["@ you #tag"]],
    )
    wanted = library(cases, TOKENIZERS[name], wordnet=NoSynonyms())

    assert tertium.score(Meteor(tokenizer=name, wordnet="none"), cases).per_case["meteor"].tolist() == wanted


@pytest.mark.parametrize(("name", "change"), [("lower", str.lower), ("casefold", str.casefold), ("none", str)])
def test_preprocessing_by_name(name: str, change: Any) -> None:
    """Words are lower-cased, case-folded or left, as the library does with that function."""
    cases = tertium.Cases(["The STRASSE", "a"], [["the Straße"], ["A"]])
    wanted = library(cases, preprocess=change, wordnet=NoSynonyms(), stemmer=NoStem())

    score = tertium.score(Meteor(preprocessing=name, stemmer="none", wordnet="none"), cases)

    assert score.per_case["meteor"].tolist() == wanted


def test_preprocessing_changes_what_matches() -> None:
    """By hand: two equal words in one chunk give 1 - 0.5 / 2**3, one of them fewer, none 0."""
    cases = tertium.Cases(["The STRASSE"], [["the Straße"]])
    values = {
        name: tertium.score(Meteor(preprocessing=name, stemmer="none", wordnet="none"), cases).value
        for name in ("casefold", "lower", "none")
    }

    assert values["casefold"] == pytest.approx(0.9375, rel=1e-12)
    assert 0 < values["lower"] < values["casefold"]
    assert values["none"] == 0


def test_callables_are_taken() -> None:
    """Tokenizer, stemmer and preprocessing can be Python functions; by hand: characters match all but the first."""
    metric = Meteor(tokenizer=list, stemmer=str.upper, preprocessing=str.strip, wordnet="none")

    assert tertium.score(metric, tertium.Cases(["xBC"], [["abc"]])).value == pytest.approx(
        (1 - 0.5 * (1 / 2) ** 3) * 2 / 3, rel=1e-12
    )


def test_synonyms_come_from_wordnet_only_when_asked(wordnet: Any) -> None:
    """Ill is a synonym of sick under the default, and not where synonyms are left out explicitly."""
    cases = tertium.Cases(["sick"], [["ill"]])

    assert tertium.score("meteor@nltk", cases).value == 0.5
    assert tertium.score("meteor@nltk(wordnet=none)", cases).value == 0
    assert Meteor().info.resources == ("wordnet",)
    assert Meteor(wordnet="none").info.resources == ()


def test_synonyms_are_those_of_stems(wordnet: Any) -> None:
    """The library hands stems to its third stage: automobile matches car only where words are not stemmed first."""
    cases = tertium.Cases(["automobile"], [["car"]])

    assert tertium.score("meteor@nltk", cases).value == 0
    assert tertium.score("meteor@nltk(stemmer=none)", cases).value == 0.5


def test_missing_wordnet_is_an_error_with_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without WordNet there is an error that names the command which brings it, never a METEOR of two stages."""
    from tertium.resources import wordnet as place

    monkeypatch.setenv("TERTIUM_DATA", str(tmp_path))
    monkeypatch.setattr(place, "nltk_folders", lambda: [tmp_path])
    cases = tertium.Cases(["a"], [["a"]])

    with pytest.raises(ResourceMissing, match="tertium fetch wordnet"):
        tertium.score("meteor@nltk", cases)
    with pytest.raises(ResourceMissing, match="tertium fetch wordnet"):
        tertium.score(Meteor(), cases)
    assert tertium.score("meteor@nltk(wordnet=none)", cases).value == 0.5


def test_threads_share_one_metric(wordnet: Any) -> None:
    """Eight threads that use one metric and one WordNet get the values that one thread gets."""
    metric = Meteor(stemmer="snowball:arabic")
    cases = corpus(8, 60)
    alone = tertium.score(metric, cases).statistics

    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: tertium.score(metric, cases).statistics, range(16)))

    assert all(np.array_equal(alone, statistics) for statistics in found)


def test_chunks_and_workers_do_not_change_a_bit(wordnet: Any) -> None:
    """Every chunk size and two processes give the same statistics and values."""
    cases = corpus(9, 24)
    whole = tertium.score("meteor@nltk", cases)

    for workers, chunk in [(1, 1), (1, 7), (2, 12)]:
        parts = tertium.score("meteor@nltk", cases, workers, chunk=chunk)
        assert parts.outputs == whole.outputs
        assert np.array_equal(parts.statistics, whole.statistics)


def test_mean_without_cases_is_undefined() -> None:
    """The mean over a weight of zero has no value, and the metric says why."""
    metric = Meteor(wordnet="none")

    assert np.isnan(metric.aggregate(np.zeros(2))).all()
    assert metric.info.undefined


def test_signature_names_every_convention(wordnet: Any) -> None:
    """Parameters, WordNet's content and versions stand in the signature."""
    signature = tertium.score("meteor@nltk", tertium.Cases(["a"], [["a"]])).signature

    for fact in ("alpha=0.9", "stemmer=porter", "tokenizer=whitespace", "resource.wordnet=3.0", "nltk=3.10.0"):
        assert fact in signature


CONFORMANCE = [json.loads(line) for line in (HERE / "conformance_nltk.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("recorded", CONFORMANCE, ids=[case["id"] for case in CONFORMANCE])
def test_recorded_outcomes(wordnet: Any, recorded: dict[str, Any]) -> None:
    """Recorded outcomes of the library are reproduced: corpus mean, per-case values, or a refusal."""
    outcome = recorded["results"]["nltk"]

    def score() -> tertium.Score:
        hypotheses = [case["hyp"] for case in recorded["cases"]]
        return tertium.score("meteor@nltk", tertium.Cases(hypotheses, [case["refs"] for case in recorded["cases"]]))

    if "error" in outcome:
        with pytest.raises(DataError):
            score()
        return
    made = score()
    assert made.value == pytest.approx(outcome["score"], rel=1e-12, abs=0)
    wanted = outcome.get("per_case")
    if wanted is not None:
        assert made.per_case["meteor"] == pytest.approx(wanted, rel=1e-12, abs=0)


@pytest.mark.parametrize(
    ("hypotheses", "references", "values"),
    [
        (["the dog ran"], ["the small dog ran far away"], [0.44834307992202727]),
        (["the cat sat"], ["the cat sat"], [1 - 0.5 / 27]),
        (["cat", "the cat sat"], ["cat", "the cat sat"], [0.5, 1 - 0.5 / 27]),
    ],
)
def test_what_users_meet(wordnet: Any, hypotheses: list[str], references: list[str], values: list[float]) -> None:
    """Situations that users meet give the value worked by hand; hypothesis and reference are not swapped."""
    score = tertium.score("meteor@nltk", tertium.Cases(hypotheses, [[text] for text in references]))

    assert score.per_case["meteor"] == pytest.approx(values, rel=1e-12)


DATA = HERE.parents[2].parent / "shared" / "data"


@pytest.mark.parametrize(
    ("folder", "system", "references"),
    [
        ("mt/newstest2020-ru-en", "OnlineA", ["ref.txt"]),
        ("mt/ted-sk-en", "sys1", ["ref.txt"]),
        ("mt/four-references", "out0", [f"ref{i}.txt" for i in range(4)]),
        ("simplification/turkcorpus", "pbmt-r", [f"ref{i}.txt" for i in range(8)]),
    ],
)
def test_real_corpora(wordnet: Any, folder: str, system: str, references: list[str]) -> None:
    """Real corpora with one to eight references give the library's recorded mean to 1e-12."""
    if not DATA.is_dir():
        pytest.skip("the folder `shared` with real corpora is not beside the repository")
    place = DATA / folder
    expected = json.loads((place / "expected.json").read_text("utf-8"))["systems"][system]["meteor@nltk"]

    def lines(path: Path) -> list[str]:
        return path.read_text("utf-8").removesuffix("\n").split("\n")

    cases = tertium.Cases.from_streams(
        lines(place / "systems" / f"{system}.txt"), [lines(place / name) for name in references]
    )

    assert tertium.score("meteor@nltk", cases).value == pytest.approx(expected, rel=1e-12, abs=0)

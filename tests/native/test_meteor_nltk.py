"""
Native METEOR against NLTK: equal on corpora, conformance cases and random texts, under all of NLTK's parameters.
"""

from __future__ import annotations

import itertools
import json
import math
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tertium
from needs import needs_wordnet
from tertium.native import synonym_sets
from tertium.native.meteor import Meteor
from tertium.resources import wordnet
from text_lines import lines_of


def by_nltk(cases: tertium.Cases, **parameters: Any) -> list[float]:
    """
    Let NLTK score each case, its words cut at white space.
    """
    module = pytest.importorskip("nltk.translate.meteor_score")
    reader = wordnet.load()
    return [
        module.meteor_score(
            [text.split() for text in case.references or ()], case.hypothesis.split(), wordnet=reader, **parameters
        )
        for case in cases
    ]


def systems(shared: Path) -> Iterator[tuple[Path, str, float]]:
    """
    Give every recorded corpus value of NLTK's METEOR: folder, system, value.
    """
    for path in sorted(shared.glob("data/*/*/expected.json")):
        for system, results in json.loads(path.read_text("utf-8")).get("systems", {}).items():
            if "meteor@nltk" in results:
                yield path.parent, system, results["meteor@nltk"]


@needs_wordnet
def test_equals_nltk_on_every_corpus(shared: Path) -> None:
    """
    Mean scores agree to 1e-9 with what NLTK gave for TED, newstest2020, four references and eight references.
    """
    seen = set()
    for folder, system, expected in systems(shared):
        streams = [lines_of(path) for path in sorted(folder.glob("ref*.txt"))]
        path = folder / system.strip("()") if system.startswith("(") else folder / "systems" / f"{system}.txt"
        hypotheses = lines_of(path)
        references = [list(texts) for texts in zip(*streams, strict=True)]
        got = tertium.score("meteor", tertium.Cases(hypotheses, references), workers=2).value
        assert math.isclose(got, expected, rel_tol=1e-9), (folder.name, system)
        seen.add(folder.name)
    assert {"four-references", "newstest2020-ru-en", "ted-sk-en", "turkcorpus"} <= seen


@needs_wordnet
def test_equals_nltk_on_conformance_cases(shared: Path) -> None:
    """
    Every conformance case that NLTK scores has its score to 1e-12; what it refuses is refused, or has no counterpart.
    """
    count = 0
    for line in lines_of(shared / "conformance-cases" / "meteor.jsonl"):
        record = json.loads(line)
        found = record["results"]["nltk"]
        if found["status"] != "ok":
            assert record["id"] in {"6-empty-reference-list", "meteor-raw-string-input", "meteor-none-hypothesis"}
            continue
        cases = tertium.Cases([case["hyp"] for case in record["cases"]], [case["refs"] for case in record["cases"]])
        assert math.isclose(tertium.score("meteor", cases).value, found["score"], rel_tol=1e-12), record["id"]
        if record["textbook"] and "nltk" in record["textbook_check"]["agree"]:
            assert math.isclose(tertium.score("meteor", cases).value, record["textbook"]["value"], rel_tol=1e-6)
        count += 1
    assert count == 29


def random_cases(seed: int, count: int) -> tertium.Cases:
    """
    Write texts of few words, so that words repeat, with their inflections, synonyms and upper case among them.
    """
    rng = random.Random(seed)
    sets = synonym_sets.synonym_sets()
    roots = [word for word in rng.sample(sets.names, 400) if word.isascii()]
    roots += ["car", "run", "happy", "big", "go", "good", "mouse", "leave", "wolf", "study", "quick", "lie", "die"]
    roots += ["galore", "Paris", "Σίσυφος", "ΟΔΟΣ", "İstanbul"]
    hypotheses, references = [], []
    for _ in range(count):
        few = rng.sample(roots, rng.randrange(1, 5))
        few += [synonym for word in few for synonym in sorted(sets.synonyms(word))[:3]]
        few += [word + ending for word in few for ending in rng.sample(["s", "ing", "ed", "ly", "er", "ness", "!"], 2)]
        few += [rng.choice(few).upper(), rng.choice(["\u00a0", "\u3000", "a"])]
        hypotheses.append(" ".join(rng.choices(few, k=rng.randrange(0, 14))))
        references.append([" ".join(rng.choices(few, k=rng.randrange(0, 14))) for _ in range(rng.randrange(1, 4))])
    return tertium.Cases(hypotheses, references)


@needs_wordnet
@pytest.mark.parametrize("seed", range(3))
def test_equals_nltk_on_random_texts(seed: int) -> None:
    """
    Scores of 1,500 random cases are NLTK's to the last bit, whatever the number of chunks and threads.
    """
    cases = random_cases(seed, 1_500)
    expected = by_nltk(cases)
    assert sum(0 < value < 1 for value in expected) > 1_000
    assert tertium.score("meteor", cases).per_case["meteor"].tolist() == expected
    assert tertium.score("meteor", cases, workers=2).per_case["meteor"].tolist() == expected


@needs_wordnet
def test_equals_nltk_under_its_parameters() -> None:
    """
    Weights, preprocessing, other stemmers and none, and no synonyms: NLTK's scores to the last bit.
    """
    stem = pytest.importorskip("nltk.stem")

    class NoStemmer:
        def stem(self, word: str) -> str:
            return word

    class NoWords:
        def synsets(self, word: str) -> list[Any]:
            return []

    cases = random_cases(11, 300)
    porter = stem.PorterStemmer
    settings: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({"alpha": a, "beta": b, "gamma": g}, {"alpha": a, "beta": b, "gamma": g})
        for a, b, g in itertools.product((0.0, 0.5, 1.0), (0.0, 1.7), (0.0, 1.0))
    ]
    settings += [
        ({"preprocessing": "none"}, {"preprocess": str}),
        ({"preprocessing": "casefold"}, {"preprocess": str.casefold}),
        ({"stemmer": "porter:original"}, {"stemmer": porter(porter.ORIGINAL_ALGORITHM)}),
        ({"stemmer": "porter:martin"}, {"stemmer": porter(porter.MARTIN_EXTENSIONS)}),
        ({"stemmer": "snowball:english"}, {"stemmer": stem.SnowballStemmer("english")}),
        ({"stemmer": "snowball:german"}, {"stemmer": stem.SnowballStemmer("german")}),
        ({"stemmer": "lancaster"}, {"stemmer": stem.LancasterStemmer()}),
        ({"stemmer": "none"}, {"stemmer": NoStemmer()}),
        ({"stemmer": str.upper}, {"stemmer": type("Upper", (), {"stem": staticmethod(str.upper)})()}),
    ]
    for ours, theirs in settings:
        got = tertium.score(Meteor(**ours), cases).per_case["meteor"].tolist()
        assert got == by_nltk(cases, **theirs), ours
    module = pytest.importorskip("nltk.translate.meteor_score")
    for case, value in zip(cases, tertium.score("meteor(stages='exact,stem')", cases).per_case["meteor"], strict=True):
        texts = [text.split() for text in case.references or ()]
        assert value == module.meteor_score(texts, case.hypothesis.split(), wordnet=NoWords())

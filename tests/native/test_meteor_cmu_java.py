"""
CMU Meteor 1.5 against the Java program itself: the same statistics and normalised texts on random ones.
"""

from __future__ import annotations

import random
import subprocess

import pytest

import tertium
from needs import needs_archive, needs_java, needs_paraphrases
from tertium.native import meteor_data
from tertium.native.meteor import Meteor
from tertium.resources import java

_WORDS = (
    "the a of to in and is , . car automobile big large house home go went going quickly fast took part participated "
    "as well also other things cats cat dog run running ran doctor physician bought purchased said that U.S. don't"
)
WORDS = _WORDS.split()


def by_java(pairs: list[tuple[str, str]], *options: str) -> list[list[float]]:
    """
    Let the program give its 23 statistics for each hypothesis and reference.
    """
    home = meteor_data.folder()
    assert home is not None
    program = [str(java.find().executable), "-Xmx2G", "-jar", "meteor-1.5.jar", "-", "-", "-stdio", *options]
    told = "".join(f"SCORE ||| {reference} ||| {hypothesis}\n" for hypothesis, reference in pairs)
    done = subprocess.run(program, input=told, capture_output=True, text=True, encoding="utf-8", cwd=home, timeout=120)
    return [[float(number) for number in line.split()] for line in done.stdout.split("\n")[:-1]]


def assert_same(pairs: list[tuple[str, str]], theirs: list[list[float]], metric: Meteor) -> None:
    """
    Compare all statistics of all pairs, but for the chunk that is left out of pooled counts.
    """
    cases = tertium.Cases([hypothesis for hypothesis, _ in pairs], [[reference] for _, reference in pairs])
    rows = tertium.score(metric, cases).statistics
    assert rows is not None
    for pair, recorded, row in zip(pairs, theirs, rows.tolist(), strict=True):
        if recorded[20] == 1 and recorded[21:] == row[23:]:
            recorded[20] = 0
        assert row[:23] == recorded, pair


@needs_archive
@needs_paraphrases
@needs_java
@pytest.mark.parametrize("normalize", [False, True])
def test_equals_the_java_program_on_random_texts(normalize: bool) -> None:
    """
    Statistics of 300 random texts, full of repeated words and paraphrases, are those of the program itself.
    """
    rng = random.Random(23 + normalize)
    pairs = []
    for _ in range(300):
        few = rng.sample(WORDS, rng.randrange(2, 14))
        pairs.append((" ".join(rng.choices(few, k=rng.randrange(1, 22))), " ".join(rng.choices(few, k=9))))
    theirs = by_java(pairs, "-l", "en", *["-norm"] * normalize)
    assert_same(pairs, theirs, Meteor(version="1.5", preprocessing="normalize" if normalize else "none"))


MARKS = "abcXYZ\u00e90123456789.,'`\"-\u2013\u2014\u2019\u2018\u201c\u201d!?()[]%$/;: \u00df\u4e2d\u044f\u2026\u00a0\u3000\u2009\u200b#@*"
PIECES = [
    "the",
    "U.S.",
    "Mr.",
    "No.",
    "5",
    "1,000",
    "don't",
    "l'ami",
    "...",
    "..",
    "e.g.",
    "x-y",
    "--",
    "''",
    "``",
    "a.b",
    "D.C.",
]


@needs_archive
@needs_java
@pytest.mark.parametrize("language", ["en", "fr", "de", "es", "cz"])
@pytest.mark.parametrize("punctuation", [True, False])
def test_normalises_as_the_java_program_does(language: str, punctuation: bool) -> None:
    """
    Texts of marks, digits and letters in any order are cut into the same words by each language's normaliser.
    """
    rng = random.Random(77)

    def text() -> str:
        return " ".join(
            rng.choice(PIECES) if rng.random() < 0.5 else "".join(rng.choices(MARKS, k=rng.randrange(1, 7)))
            for _ in range(rng.randrange(1, 9))
        )

    pairs = []
    for _ in range(300):
        words = text().split(" ")
        pairs.append((" ".join(words), " ".join([*rng.sample(words, len(words)), text()])))
    theirs = by_java(pairs, "-l", language, "-norm", "-m", "exact", *["-noPunct"] * (not punctuation))
    metric = Meteor(
        version="1.5", language=language, stages="exact", preprocessing="normalize", punctuation=punctuation
    )
    assert_same(pairs, theirs, metric)

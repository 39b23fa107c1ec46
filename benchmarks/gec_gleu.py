"""
GLEU+ with 500 samplings beside a direct transcription of its algorithm in Python, which stands here.
"""

from __future__ import annotations

import math
import random
from collections import Counter

import corpora
from rows import Corpus, Peer, Row, Run

ORDERS = range(1, 5)


def transcription(corpus: Corpus) -> Run:
    """
    Time the algorithm as it is described: counts of n-grams once a reference, then 500 draws a sentence.
    """
    return lambda: mean_score(corpus, 500)


def mean_score(corpus: Corpus, iterations: int) -> float:
    """
    Give the mean over iterations of the score of the references that are drawn.
    """
    vectors = [
        [statistics(hypothesis.split(), source.split(), reference.split()) for reference in references]
        for hypothesis, source, references in zip(corpus.hypotheses, corpus.sources, corpus.references, strict=True)
    ]
    scores = []
    for iteration in range(iterations):
        rng = random.Random(101 * iteration)
        total = [0] * 10
        for choices in vectors:
            chosen = choices[int(rng.random() * len(choices))]
            total = [sum(pair) for pair in zip(total, chosen, strict=True)]
        scores.append(score(total))
    return sum(scores) / len(scores)


def statistics(hypothesis: list[str], source: list[str], reference: list[str]) -> list[int]:
    """
    Count lengths, and for each order rewarded matches and n-grams.
    """
    found = [len(hypothesis), len(reference)]
    for order in ORDERS:
        mine, theirs = ngrams(hypothesis, order), ngrams(reference, order)
        only_source = Counter({gram: count for gram, count in ngrams(source, order).items() if gram not in theirs})
        matches = sum((mine & theirs).values()) - sum((mine & only_source).values())
        found += [max(matches, 0), max(len(hypothesis) + 1 - order, 0)]
    return found


def ngrams(words: list[str], order: int) -> Counter[tuple[str, ...]]:
    """
    Count the n-grams of a sentence.
    """
    return Counter(tuple(words[start : start + order]) for start in range(len(words) + 1 - order))


def score(total: list[int]) -> float:
    """
    Give the geometric mean of precisions times the brevity penalty.
    """
    if 0 in total:
        return 0.0
    precision = sum(math.log(total[at] / total[at + 1]) for at in range(2, 10, 2)) / 4
    return math.exp(min(0.0, 1.0 - total[1] / total[0]) + precision)


ROWS = [
    Row(
        "gec-gleu",
        "gec-gleu (500 samplings)",
        ["gec-gleu"],
        [Peer("transcription", "", transcription, wanted=50, tolerance=1e-9, note="in Python, here", segments=8_192)],
        corpora.corrections,
    )
]

"""
SQuAD's F1 and Jaccard similarity, beside plain Python.
"""

from __future__ import annotations

import re
import string
from collections import Counter

from rows import Corpus, Peer, Row, Run

ARTICLES = re.compile(r"\b(a|an|the)\b")
PUNCTUATION = set(string.punctuation)


def _normalized(text: str) -> str:
    kept = "".join(character for character in text.lower() if character not in PUNCTUATION)
    return " ".join(ARTICLES.sub(" ", kept).split())


def _f1(answer: str, gold: str) -> float:
    own, goal = _normalized(answer).split(), _normalized(gold).split()
    common = sum((Counter(own) & Counter(goal)).values())
    if not own or not goal:
        return float(own == goal)
    if common == 0:
        return 0.0
    precision, recall = common / len(own), common / len(goal)
    return 2 * precision * recall / (precision + recall)


def official_rule(corpus: Corpus) -> Run:
    """
    Time the rule of SQuAD's version 2.0 as its script applies it, one text after the other.
    """

    def run() -> float:
        total = 0.0
        for answer, references in zip(corpus.hypotheses, corpus.references, strict=True):
            gold = [text for text in references if _normalized(text)] or [""]
            total += max(_f1(answer, text) for text in gold)
        return 100 * total / len(corpus)

    return run


def set_loop(corpus: Corpus) -> Run:
    """
    Time a loop over sets of words.
    """

    def run() -> float:
        total = 0.0
        for output, references in zip(corpus.hypotheses, corpus.references, strict=True):
            own, goal = set(output.split()), set(references[0].split())
            union = len(own | goal)
            total += len(own & goal) / union if union else 1.0
        return total / len(corpus)

    return run


ROWS = [
    Row(
        "squad-f1",
        "squad-f1 (v2.0)",
        ["squad-f1"],
        [Peer("the official rule in Python", "", official_rule, wanted=10, tolerance=1e-9)],
    ),
    Row(
        "jaccard",
        "jaccard (sets of words)",
        ["jaccard"],
        [Peer("a loop over sets in Python", "", set_loop, wanted=2, tolerance=1e-9)],
    ),
]

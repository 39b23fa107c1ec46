"""
ROUGE with rouge-score's tokenizer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rows import Corpus, Peer, Row, Run

ONE_TWO_L = ("rouge1", "rouge2", "rougeL")
LSUM = ("rougeLsum",)


def one_by_one(module: str, types: tuple[str, ...]) -> Callable[[Corpus], Run]:
    """
    Time a scorer that takes one pair at a time, as those of rouge-score and rapidrouge do.
    """

    def make(corpus: Corpus) -> Run:
        import importlib

        scorer = importlib.import_module(module).RougeScorer(list(types))

        def run() -> float:
            scores = [
                scorer.score(references[0], text)
                for text, references in zip(corpus.hypotheses, corpus.references, strict=True)
            ]
            return mean(scores, types)

        return run

    return make


def in_a_batch(types: tuple[str, ...]) -> Callable[[Corpus], Run]:
    """
    Time rouge-score-rs on all pairs in one call, which spreads them over threads.
    """

    def make(corpus: Corpus) -> Run:
        import rouge_score_rs as library

        scorer = library.RougeScorer(list(types))
        targets = [references[0] for references in corpus.references]
        return lambda: mean(scorer.score_batch(targets, corpus.hypotheses), types)

    return make


def mean(scores: list[dict[str, Any]], types: tuple[str, ...]) -> float:
    """
    Give the mean F of the first type; those of the others are made, too.
    """
    means = [sum(score[kind].fmeasure for score in scores) / len(scores) for kind in types]
    return means[0]


def peers(types: tuple[str, ...], wanted: tuple[float, float, float]) -> list[Peer]:
    """
    List the libraries that compute the same values.
    """
    original, rust, pure = wanted
    return [
        Peer("rouge-score", "0.1.2", one_by_one("rouge_score.rouge_scorer", types), original),
        Peer("rouge-score-rs", "0.2.1", in_a_batch(types), rust, note="Rust, score_batch on its own threads"),
        Peer("rapidrouge", "0.2.0", one_by_one("rapidrouge", types), pure),
    ]


ROWS = [
    Row("rouge", "rouge1 + rouge2 + rougeL", ONE_TWO_L, peers(ONE_TWO_L, (30, 1, 15))),
    Row("rougeLsum", "rougeLsum", LSUM, peers(LSUM, (25, 1, 1))),
]

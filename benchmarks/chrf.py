"""
chrF and chrF++.
"""

from __future__ import annotations

from collections.abc import Callable

from rows import Corpus, Peer, Row, Run


def sacrebleu(word_order: int) -> Callable[[Corpus], Run]:
    """
    Time ``sacrebleu.corpus_chrf`` with a word order.
    """

    def make(corpus: Corpus) -> Run:
        import sacrebleu as library

        streams = [[references[0] for references in corpus.references]]
        return lambda: library.corpus_chrf(corpus.hypotheses, streams, word_order=word_order).score

    return make


def fastchrf(corpus: Corpus) -> Run:
    """
    Time ``fastchrf.pairwise_chrf``: every segment's score, of which the mean is taken.
    """
    import fastchrf as library

    hypotheses = [[text] for text in corpus.hypotheses]

    def run() -> float:
        scores = library.pairwise_chrf(hypotheses, corpus.references)
        return float(sum(max(row) for (row,) in scores) / len(scores))

    return run


FAST = "chrf(aggregation=mean,whitespace=remove-unicode,hypothesis_counts=always)"

ROWS = [
    Row("chrf", "chrf", ["chrf"], [Peer("sacrebleu", "2.6.0", sacrebleu(0), wanted=100, tolerance=1e-9)]),
    Row("chrf", "chrf++", ["chrf++"], [Peer("sacrebleu", "2.6.0", sacrebleu(2), wanted=100, tolerance=1e-9)]),
    Row(
        "chrf",
        "chrf of each segment",
        [FAST],
        [Peer("fastchrf", "0.2.1", fastchrf, wanted=10, tolerance=1e-5, note="Rust, pairwise")],
    ),
]

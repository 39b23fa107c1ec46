"""
BLEU with tokenizer 13a.
"""

from __future__ import annotations

from rows import Corpus, Peer, Row, Run


def sacrebleu(corpus: Corpus) -> Run:
    """
    Time ``sacrebleu.corpus_bleu``.
    """
    import sacrebleu as library

    streams = [[references[0] for references in corpus.references]]
    return lambda: library.corpus_bleu(corpus.hypotheses, streams).score


def bleuscore(corpus: Corpus) -> Run:
    """
    Time ``bleuscore.compute``, which spreads its work over threads.
    """
    import bleuscore as library

    return lambda: library.compute(references=corpus.references, predictions=corpus.hypotheses)["bleu"]


ROWS = [
    Row(
        "bleu",
        "bleu (13a)",
        ["bleu"],
        [
            Peer("sacrebleu", "2.6.0", sacrebleu, wanted=40, tolerance=1e-9),
            Peer("bleuscore", "0.2.0", bleuscore, wanted=5, scale=100, tolerance=1e-9, note="Rust, its own threads"),
        ],
    )
]

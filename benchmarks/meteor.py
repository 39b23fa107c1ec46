"""
METEOR by NLTK's matching.
"""

from __future__ import annotations

from rows import Corpus, Peer, Row, Run


def nltk(corpus: Corpus) -> Run:
    """
    Time ``nltk.translate.meteor_score.meteor_score`` with WordNet in memory, words cut at white space.
    """
    from nltk.translate.meteor_score import meteor_score

    from tertium.resources import wordnet

    reader = wordnet.load()
    meteor_score([["cars"]], ["automobile"], wordnet=reader)

    def run() -> float:
        total = 0.0
        for hypothesis, references in zip(corpus.hypotheses, corpus.references, strict=True):
            total += meteor_score([text.split() for text in references], hypothesis.split(), wordnet=reader)
        return total / len(corpus)

    return run


ROWS = [
    Row(
        "meteor",
        "meteor (NLTK's matching)",
        ["meteor"],
        [Peer("nltk", "3.10.0", nltk, wanted=40, tolerance=1e-9, note="WordNet warm", segments=12_016)],
    )
]

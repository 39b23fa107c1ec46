"""
NIST, RIBES and Google's GLEU beside NLTK.
"""

from __future__ import annotations

from rows import Corpus, Peer, Row, Run


def nist(corpus: Corpus) -> Run:
    """
    Time ``corpus_nist`` with its split into words.
    """
    from nltk.translate.nist_score import corpus_nist

    return lambda: float(corpus_nist(*_words(corpus)))


def ribes(corpus: Corpus) -> Run:
    """
    Time ``corpus_ribes`` with its split into words.
    """
    from nltk.translate.ribes_score import corpus_ribes

    return lambda: float(corpus_ribes(*_words(corpus)))


def gleu(corpus: Corpus) -> Run:
    """
    Time ``corpus_gleu`` with its split into words.
    """
    from nltk.translate.gleu_score import corpus_gleu

    return lambda: float(corpus_gleu(*_words(corpus)))


def _words(corpus: Corpus) -> tuple[list[list[list[str]]], list[list[str]]]:
    references = [[text.split() for text in texts] for texts in corpus.references]
    return references, [text.split() for text in corpus.hypotheses]


NIST = "nist(tokenize=none,lowercase=false,clipping=best,length=best,zero_word=count,empty=undefined)"
RIBES = "ribes(pairs=runs,context=right-first,single_word=zero,lowercase=false,empty_reference=zero)"

ROWS = [
    Row("nist", "nist (as NLTK)", [NIST], [Peer("nltk", "3.10.0", nist, wanted=30, tolerance=1e-9)]),
    Row("ribes", "ribes (as NLTK)", [RIBES], [Peer("nltk", "3.10.0", ribes, wanted=30, tolerance=1e-9)]),
    Row("gleu", "gleu", ["gleu"], [Peer("nltk", "3.10.0", gleu, wanted=30, tolerance=1e-9)]),
]

"""
CIDEr-D, on captions as tokens and with their tokenization.
"""

from __future__ import annotations

import corpora
from rows import Corpus, Peer, Row, Run


def scorer(corpus: Corpus) -> Run:
    """
    Time ``Cider().compute_score`` on texts that are split at white space.
    """
    from pycocoevalcap.cider.cider import Cider

    references = dict(enumerate(corpus.references))
    hypotheses = {case: [text] for case, text in enumerate(corpus.hypotheses)}
    return lambda: float(Cider().compute_score(references, hypotheses)[0])


def evaluation(corpus: Corpus) -> Run:
    """
    Time ``PTBTokenizer().tokenize``, which starts Java twice, and then the scorer.
    """
    from pycocoevalcap.cider.cider import Cider
    from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

    references = {case: [{"caption": text} for text in texts] for case, texts in enumerate(corpus.references)}
    hypotheses = {case: [{"caption": text}] for case, text in enumerate(corpus.hypotheses)}

    def run() -> float:
        tokenizer = PTBTokenizer()
        return float(Cider().compute_score(tokenizer.tokenize(references), tokenizer.tokenize(hypotheses))[0])

    return run


ROWS = [
    Row(
        "cider-d",
        "cider-d (tokens)",
        ["cider-d(tokenizer=none)"],
        [Peer("pycocoevalcap", "1.2", scorer, wanted=30, tolerance=1e-9, segments=14_000)],
        corpora.captions,
    ),
    Row(
        "cider-d",
        "cider-d (PTB)",
        ["cider-d"],
        [Peer("pycocoevalcap", "1.2", evaluation, wanted=100, tolerance=1e-9, note="with Java", segments=14_000)],
        corpora.captions,
    ),
]

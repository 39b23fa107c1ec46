"""
Edit distances: words and characters, with the breakdown into substitutions, deletions and insertions.
"""

from __future__ import annotations

from rows import Corpus, Peer, Row, Run


def first_references(corpus: Corpus) -> list[str]:
    """
    Give the first reference of every segment.
    """
    return [references[0] for references in corpus.references]


def jiwer_words(corpus: Corpus) -> Run:
    """
    Time ``jiwer.process_words``, which gives the rate and the breakdown.
    """
    import jiwer as library

    references = first_references(corpus)
    return lambda: library.process_words(references, corpus.hypotheses).wer


def jiwer_characters(corpus: Corpus) -> Run:
    """
    Time ``jiwer.process_characters``.
    """
    import jiwer as library

    references = first_references(corpus)
    return lambda: library.process_characters(references, corpus.hypotheses).cer


def werx_analysis(corpus: Corpus) -> Run:
    """
    Time the analysis of werx, pooled: it gives the breakdown of every segment.
    """
    import werx as library

    references = first_references(corpus)

    def run() -> float:
        found = library.analysis(references, corpus.hypotheses)
        errors = sum(row.substitutions + row.deletions + row.insertions for row in found)
        return errors / sum(row.n_ref for row in found)

    return run


def werx_rate(corpus: Corpus) -> Run:
    """
    Time ``werx.wer``, which gives the rate alone.
    """
    import werx as library

    references = first_references(corpus)
    return lambda: library.wer(references, corpus.hypotheses)


def fastwer_characters(corpus: Corpus) -> Run:
    """
    Time ``fastwer.score`` over characters; it prints percent with four decimals.
    """
    import fastwer as library

    references = first_references(corpus)
    return lambda: library.score(corpus.hypotheses, references, char_level=True)


def rapidfuzz_batch(corpus: Corpus) -> Run:
    """
    Time ``rapidfuzz.process.cpdist`` with two workers.
    """
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cpdist

    references = first_references(corpus)
    return lambda: float(cpdist(references, corpus.hypotheses, scorer=Levenshtein.distance, workers=2).mean())


def rapidfuzz_loop(corpus: Corpus) -> Run:
    """
    Time ``rapidfuzz.distance.Levenshtein.distance`` in a loop.
    """
    from rapidfuzz.distance import Levenshtein

    references = first_references(corpus)

    def run() -> float:
        total = sum(map(Levenshtein.distance, references, corpus.hypotheses))
        return total / len(corpus)

    return run


ROWS = [
    Row(
        "wer",
        "wer with its breakdown",
        ["wer"],
        [
            Peer("jiwer", "4.0.0", jiwer_words, wanted=20, tolerance=1e-9),
        ],
    ),
    Row(
        "wer",
        "wer with its breakdown, all white space",
        ["wer(split=whitespace)"],
        [Peer("werx", "0.3.1", werx_analysis, wanted=3, tolerance=1e-9, note="Rust, its analysis")],
    ),
    Row(
        "wer",
        "wer with its breakdown, beside a rate alone",
        ["wer(split=whitespace)"],
        [Peer("werx", "0.3.1", werx_rate, wanted=0.8, tolerance=1e-9, note="Rust, the rate alone")],
    ),
    Row(
        "cer",
        "cer with its breakdown",
        ["cer"],
        [
            Peer("jiwer", "4.0.0", jiwer_characters, wanted=25, tolerance=1e-9),
            Peer("fastwer", "0.2.0", fastwer_characters, wanted=10, scale=0.01, tolerance=1e-5, note="C++"),
        ],
    ),
    Row(
        "levenshtein",
        "levenshtein over code points",
        ["levenshtein"],
        [Peer("rapidfuzz", "3.14.6", rapidfuzz_batch, wanted=0.5, tolerance=1e-9, note="cpdist")],
    ),
    Row(
        "levenshtein",
        "levenshtein over code points, beside a loop",
        ["levenshtein"],
        [Peer("rapidfuzz", "3.14.6", rapidfuzz_loop, wanted=1, tolerance=1e-9, note="in a loop")],
    ),
]

"""
ROUGE-S and ROUGE-SU: pairs of words in order, with others in between.
"""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from tertium.metric import Matrix
from tertium.native.columns import Offsets
from tertium.native.rouge import (
    Alpha,
    Beta,
    ByteLimit,
    Corpus,
    Decimals,
    Empty,
    Exceptions,
    FEpsilon,
    Jackknife,
    Lowercase,
    MultiReference,
    Resamples,
    Rouge,
    StemmerName,
    Stopwords,
    TokenizerName,
    WordLimit,
    units,
)
from tertium.native.rouge_reading import Read
from tertium.parameters import Range

MaxGap = Annotated[int | None, "Words that may stand between the two of a pair; none is any number", Range(0)]


class _Skips(Rouge):
    max_gap: int | None
    unigrams: str = "none"

    def counts(self, read: Read) -> tuple[Matrix, Matrix | None]:
        """
        Count matching units and those of each side.
        """
        from tertium.native.skip_bigrams import UNLIMITED, skip_bigram_count, skip_bigram_matches

        ours, theirs = units(read)
        gap = UNLIMITED if self.max_gap is None else self.max_gap
        singles, their_singles = self._singles(ours.lengths, gap), self._singles(theirs.lengths, gap)
        counts = np.empty((len(theirs.lengths), 3))
        counts[:, 0] = skip_bigram_matches(
            ours.ids, ours.edges, theirs.ids, theirs.edges, read.bounds, gap, singles, their_singles
        )
        counts[:, 1] = np.repeat(skip_bigram_count(ours.lengths, gap) + singles, np.diff(read.bounds))
        counts[:, 2] = skip_bigram_count(theirs.lengths, gap) + their_singles
        return counts, None

    def _singles(self, lengths: Offsets, gap: int) -> Offsets:
        if self.unigrams == "all":
            return lengths
        if self.unigrams == "all-but-last":
            return np.maximum(lengths - 1, 0)
        if self.unigrams == "marker":
            return np.minimum(lengths, gap + 1)
        return np.zeros_like(lengths)


class RougeS(_Skips):
    """
    Skip-bigrams: pairs of words in order that output and reference share, clipped; F, precision and recall of each
    case, then their means.

    R = matches / pairs of the reference, P = matches / pairs of the output (Lin 2004, section 5, equations 13 to 15).
    """

    name = "rougeS"

    def __init__(
        self,
        *,
        max_gap: MaxGap = None,
        tokenizer: TokenizerName = "rouge-score",
        lowercase: Lowercase = False,
        stemmer: StemmerName = "none",
        exceptions: Exceptions = None,
        stopwords: Stopwords = None,
        word_limit: WordLimit = None,
        byte_limit: ByteLimit = None,
        multi_reference: MultiReference = "best-f",
        jackknife: Jackknife = False,
        alpha: Alpha = 0.5,
        beta: Beta = None,
        f_epsilon: FEpsilon = 0.0,
        empty: Empty = "zero",
        decimals: Decimals = None,
        corpus_value: Corpus = "mean",
        resamples: Resamples = None,
    ) -> None:
        self.accept(locals())


class RougeSU(_Skips):
    """
    Skip-bigrams and single words that output and reference share, clipped; F, precision and recall of each case, then
    their means.

    With m words in the reference and n in the output, R = (matching pairs + matching words) / (m(m - 1)/2 + m),
    P = (matching pairs + matching words) / (n(n - 1)/2 + n) and F = (1 + beta²) R P / (R + beta² P) (Lin 2004, section
    5.1, which adds single words to equations 13 to 15); under ``max_gap`` only pairs within it count, above and below.
    It gives credit to texts whose words stand in another order altogether. ROUGE-1.5.5 does not count the last word as
    a single one (``unigrams=all-but-last``).
    """

    name = "rougeSU"

    def __init__(
        self,
        *,
        max_gap: MaxGap = None,
        unigrams: Annotated[
            Literal["all", "all-but-last", "marker"],
            "Single words: all; all but the last; or those within reach of a marker before the first word",
        ] = "all",
        tokenizer: TokenizerName = "rouge-score",
        lowercase: Lowercase = False,
        stemmer: StemmerName = "none",
        exceptions: Exceptions = None,
        stopwords: Stopwords = None,
        word_limit: WordLimit = None,
        byte_limit: ByteLimit = None,
        multi_reference: MultiReference = "best-f",
        jackknife: Jackknife = False,
        alpha: Alpha = 0.5,
        beta: Beta = None,
        f_epsilon: FEpsilon = 0.0,
        empty: Empty = "zero",
        decimals: Decimals = None,
        corpus_value: Corpus = "mean",
        resamples: Resamples = None,
    ) -> None:
        self.accept(locals())


SKIPS = (RougeS, RougeSU)
"""The two classes."""

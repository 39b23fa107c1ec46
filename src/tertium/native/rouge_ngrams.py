"""
ROUGE-1 to ROUGE-9: n-grams that output and references share.
"""

from __future__ import annotations

import numpy as np

from tertium.metric import Matrix
from tertium.native.rouge import (
    Alpha,
    Beta,
    ByteLimit,
    Corpus,
    Counting,
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


class RougeN(Rouge):
    """
    Join the types that count n-grams of one length.

    R = matches / n-grams of the reference, P = matches / n-grams of the output; a match is an n-gram of both, counted
    as often as the side that has it less often (Lin 2004, section 2). The defaults are those of rouge-score 0.1.2.
    """

    order: int

    def __init__(
        self,
        *,
        counting: Counting = "multiset",
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

    counting: str

    def counts(self, read: Read) -> tuple[Matrix, Matrix | None]:
        """
        Count matching n-grams and those of each side.
        """
        ours, theirs = units(read)
        if self.counting == "set":
            from tertium.native.gram_sets import distinct_grams

            distinct = distinct_grams(ours.ids, ours.edges, theirs.ids, theirs.edges, read.bounds, self.order)
            return distinct.astype(np.float64), None
        from tertium.native.shared_grams import shared_grams

        shared = shared_grams(ours.ids, ours.edges, theirs.ids, theirs.edges, read.bounds, self.order)
        counts = np.empty((len(shared), 3))
        counts[:, 0] = shared[:, -1]
        counts[:, 1] = np.repeat(np.maximum(ours.lengths - self.order + 1, 0), np.diff(read.bounds))
        counts[:, 2] = np.maximum(theirs.lengths - self.order + 1, 0)
        return counts, None


class Rouge1(RougeN):
    """
    Words that output and reference share, clipped: F, precision and recall of each case, then their means.

    Formula, source, conventions and defaults: :class:`RougeN` and :class:`tertium.native.rouge.Rouge`.
    """

    name = "rouge1"
    order = 1


class Rouge2(RougeN):
    """
    Word pairs that output and reference share, clipped: F, precision and recall of each case, then their means.

    Formula, source, conventions and defaults: :class:`RougeN` and :class:`tertium.native.rouge.Rouge`.
    """

    name = "rouge2"
    order = 2


class Rouge3(RougeN):
    """
    Word triples that output and reference share, clipped: F, precision and recall of each case, then their means.

    Formula, source, conventions and defaults: :class:`RougeN` and :class:`tertium.native.rouge.Rouge`.
    """

    name = "rouge3"
    order = 3


class Rouge4(RougeN):
    """
    Runs of 4 words that output and reference share, clipped: F, precision and recall of each case, then their means.

    Formula, source, conventions and defaults: :class:`RougeN` and :class:`tertium.native.rouge.Rouge`.
    """

    name = "rouge4"
    order = 4


class Rouge5(RougeN):
    """
    Runs of 5 words that output and reference share, clipped: F, precision and recall of each case, then their means.

    Formula, source, conventions and defaults: :class:`RougeN` and :class:`tertium.native.rouge.Rouge`.
    """

    name = "rouge5"
    order = 5


class Rouge6(RougeN):
    """
    Runs of 6 words that output and reference share, clipped: F, precision and recall of each case, then their means.

    Formula, source, conventions and defaults: :class:`RougeN` and :class:`tertium.native.rouge.Rouge`.
    """

    name = "rouge6"
    order = 6


class Rouge7(RougeN):
    """
    Runs of 7 words that output and reference share, clipped: F, precision and recall of each case, then their means.

    Formula, source, conventions and defaults: :class:`RougeN` and :class:`tertium.native.rouge.Rouge`.
    """

    name = "rouge7"
    order = 7


class Rouge8(RougeN):
    """
    Runs of 8 words that output and reference share, clipped: F, precision and recall of each case, then their means.

    Formula, source, conventions and defaults: :class:`RougeN` and :class:`tertium.native.rouge.Rouge`.
    """

    name = "rouge8"
    order = 8


class Rouge9(RougeN):
    """
    Runs of 9 words that output and reference share, clipped: F, precision and recall of each case, then their means.

    Formula, source, conventions and defaults: :class:`RougeN` and :class:`tertium.native.rouge.Rouge`.
    """

    name = "rouge9"
    order = 9


ORDERS = (Rouge1, Rouge2, Rouge3, Rouge4, Rouge5, Rouge6, Rouge7, Rouge8, Rouge9)
"""The nine classes."""

"""
ROUGE-L, ROUGE-Lsum and ROUGE-W: longest common subsequences of words.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

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
from tertium.native.rouge_reading import Read, Rows
from tertium.parameters import Choices, Range

Sentences = Annotated[
    str | Callable[[str], list[str]],
    "How sentences are found: lines, periods, NLTK's Punkt model, a function, or not at all",
    Choices("none", "newline", "period", "nltk", "py:<module>:<attribute>"),
]
Weight = Annotated[
    float, "A run of k matches weighs k^weight; below 1 single matches outweigh runs and F may pass 1", Range(0.1, 7)
]


class RougeL(Rouge):
    """
    Longest common subsequence of words, each text taken as one sequence: F, precision and recall of each case, then
    their means.

    R = LCS / words of the reference, P = LCS / words of the output (Lin 2004, section 3.1). The defaults are those of
    rouge-score 0.1.2.
    """

    name = "rougeL"

    def __init__(
        self,
        *,
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

    def _scoring_facts(self) -> dict[str, Any]:
        return {"ranked_rounded": False}

    def counts(self, read: Read) -> tuple[Matrix, Matrix | None]:
        """
        Measure common subsequences and the texts.
        """
        from tertium.native.lcs import lcs_lengths

        ours, theirs = units(read)
        lengths = lcs_lengths(ours.ids, ours.edges, theirs.ids, theirs.edges, read.bounds)
        return _with_lengths(lengths, ours.lengths, theirs.lengths, read.bounds), None


class RougeLsum(Rouge):
    """
    Union of the longest common subsequences of each reference sentence with all output sentences: F, precision and
    recall of each case, then their means.

    R = hits / words of the reference, P = hits / words of the output (Lin 2004, section 3.2). The defaults are those of
    rouge-score 0.1.2: sentences are lines, and a word's hits are limited by its count in either text, which the paper
    (``credit=unclipped``) does not do. ROUGE-1.5.5's ROUGE-L is ``rougeLsum(tokenizer=rouge-1.5.5,
    multi_reference=pooled, decimals=5)``; that of pltrdy's ``rouge`` is ``rougeLsum(tokenizer=periods,
    sentences=period, credit=distinct, tie=hypothesis, f_epsilon=1e-8)``.
    """

    name = "rougeLsum"

    def __init__(
        self,
        *,
        sentences: Sentences = "newline",
        credit: Annotated[
            Literal["clipped", "unclipped", "distinct"],
            "Count a marked word as often as both texts hold it, always, or once (and the texts' words once, too)",
        ] = "clipped",
        tie: Annotated[
            Literal["reference", "hypothesis"],
            "Of two ways back that are equally long, take the one without the next word of this side",
        ] = "reference",
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
        self.sentences = self._imported(sentences, "sentences")

    credit: str
    tie: str

    def _scoring_facts(self) -> dict[str, Any]:
        return {"ranked_rounded": False}

    def counts(self, read: Read) -> tuple[Matrix, Matrix | None]:
        """
        Count hits and the words of each side.
        """
        from tertium.native.lcs import CLIPPED, DISTINCT, UNCLIPPED, union_lcs

        hits = union_lcs(
            *_laid_out(read),
            credit={"clipped": CLIPPED, "unclipped": UNCLIPPED, "distinct": DISTINCT}[self.credit],
            drop_reference=self.tie == "reference",
            counted=_counted(read),
        )
        ours, theirs = units(read)
        if self.credit == "distinct":
            from tertium.native.gram_sets import distinct_grams

            counts = distinct_grams(ours.ids, ours.edges, theirs.ids, theirs.edges, read.bounds, 1).astype(np.float64)
            counts[:, 0] = hits
            return counts, None
        return _with_lengths(hits, ours.lengths, read.references.lengths, read.bounds), None


class RougeW(Rouge):
    """
    Weighted longest common subsequence of words, which favours consecutive matches: F, precision and recall of each
    case, then their means.

    With f(k) = k^weight, R = f^-1(WLCS / f(words of the reference)), P = f^-1(WLCS / f(words of the output)) (Lin 2004,
    section 4, equations 9 to 11). ROUGE-1.5.5 and its descendants weigh the runs of marked words instead
    (``credit=runs``, with ``sentences=newline``) and the reference's length twice (``double_weighting=true``), so that
    the recall of an exact match stays below 1; ROUGE-1.5.5 itself stops at a reference without words, which counts 0 here.
    """

    name = "rougeW"

    def __init__(
        self,
        *,
        weight: Weight = 1.2,
        credit: Annotated[
            Literal["table", "runs", "runs-unclipped"],
            "WLCS of the whole texts; or runs of marked words, each word as often as both texts hold it, or always",
        ] = "table",
        sentences: Sentences = "none",
        double_weighting: Annotated[bool, "Weigh the reference's length twice, as ROUGE-1.5.5 does"] = False,
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
        if credit == "table" and sentences != "none":
            self._refuse(
                f"credit=table and sentences={sentences}",
                "the table is that of the two whole texts",
                "Choose credit=runs, which goes by sentences, or sentences=none",
            )
        self.sentences = self._imported(sentences, "sentences")

    weight: float
    credit: str
    double_weighting: bool

    def _scoring_facts(self) -> dict[str, Any]:
        return {"root": 1 / self.weight, "ranked_rounded": False}

    def counts(self, read: Read) -> tuple[Matrix, Matrix | None]:
        """
        Weigh hits and the words of each side.
        """
        from tertium.native.weighted_lcs import RUNS, RUNS_UNCLIPPED, TABLE, powers, weighted_hits

        hits = weighted_hits(
            *_laid_out(read),
            weight=self.weight,
            credit={"table": TABLE, "runs": RUNS, "runs-unclipped": RUNS_UNCLIPPED}[self.credit],
            counted=_counted(read),
        )
        ours, theirs = units(read)[0], read.references
        sizes = np.diff(theirs.offsets)
        power = powers(self.weight, int(max(sizes.max(initial=0), ours.lengths.max(initial=0))))
        # summed text by text, so that a text's base does not depend on those before it
        owners = np.repeat(np.arange(len(theirs.lengths)), np.diff(theirs.sentences))
        base = np.bincount(owners, power[sizes], len(theirs.lengths))
        ranks = np.divide(hits, base, out=np.zeros(len(hits)), where=base > 0)
        if self.double_weighting:
            base = np.array([one**self.weight for one in base.tolist()], np.float64)
        return _with_lengths(hits, power[ours.lengths], base, read.bounds), ranks


def _laid_out(read: Read) -> tuple[Any, ...]:
    ours, theirs = read.hypotheses, read.references
    return *_parts(ours), *_parts(theirs), read.bounds


def _parts(rows: Rows) -> tuple[Any, Offsets, Offsets]:
    return rows.ids, rows.offsets, rows.sentences


def _counted(read: Read) -> tuple[Any, Offsets, Any, Offsets] | None:
    if read.counted is None:
        return None
    ours, theirs = read.counted
    return ours.ids, ours.edges, theirs.ids, theirs.edges


def _with_lengths(hits: Any, ours: Any, theirs: Any, bounds: Offsets) -> Matrix:
    counts = np.empty((len(hits), 3))
    counts[:, 0], counts[:, 1], counts[:, 2] = hits, np.repeat(ours, np.diff(bounds)), theirs
    return counts


SEQUENCES = (RougeL, RougeLsum, RougeW)
"""The three classes."""

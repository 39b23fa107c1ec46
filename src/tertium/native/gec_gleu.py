"""
GLEU+ for grammatical error correction: n-gram precision that pays for what should have been changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any, Literal

import numpy as np

from tertium.cases import Cases
from tertium.compact import Compact
from tertium.metric import Matrix, Metric
from tertium.native.cache import reference_tokens
from tertium.native.ribes import BYTES
from tertium.native.tokenizers import Tokenizer, tokenizer
from tertium.parameters import Choices, Range


class GecGleu(Metric):
    """
    GLEU+ of grammatical error correction: BLEU's precision against a reference, minus what the output shares with the
    source where the reference has it not. One reference a sentence is drawn at random, again and again, and averaged.

    For each order n, with h, s and r the n-gram counts of output, source and reference, and s' those of s whose n-gram
    does not occur in r at all: m_n = max(0, sum min(h, r) - sum min(h, s')). Over the drawn references m_n, the n-grams
    of the outputs and both lengths are summed; the value is exp(min(0, 1 - |r|/|h|)) times the geometric mean of the
    precisions, and 0 where any sum is 0. Iteration j draws with the seed 101 j, one draw a sentence in the order of the
    corpus, so that the result is always the same. A sentence's own value is the mean over its references with every
    zero count taken as 1, beside its deviation; the corpus' deviation is that over iterations.

    This is the final program of the authors. Its command line's ``-n`` below 4 leaves out the longer orders and still
    takes the fourth root, which is ``n=N,divisor=four``. The form of 2015, with a tuned weight and all references at
    once, gave way to it in 2016 and is not computed.

    Statistics take (2 n + 2) numbers an iteration: at 500 iterations 40 KB a case where they are written out, which no
    value needs. With one reference a case, ``iterations=1`` gives the same.

    Sources: Napoles, Sakaguchi, Post and Tetreault 2015, "Ground Truth for Grammatical Error Correction Metrics"; the
    same 2016, "GLEU Without Tuning" (arXiv:1605.02592).
    """

    name, provider = "gec-gleu", "native"
    releases_gil = True
    order_dependent = True
    needs = frozenset({"references", "sources"})
    outputs = ("gleu", "deviation")
    citation = "Napoles, Sakaguchi, Post and Tetreault 2016, GLEU Without Tuning (arXiv:1605.02592)"
    aliases = MappingProxyType({"gec-gleu+": MappingProxyType({})})

    def __init__(
        self,
        *,
        n: Annotated[int, "Longest n-gram", Range(1, 16)] = 4,
        iterations: Annotated[int, "How often references are drawn", Range(1, 10_000)] = 500,
        tokenize: Annotated[
            str,
            "How texts are cut; bytes: at ASCII white space, as the authors' program does on Python 2",
            Choices(
                "none",
                "bytes",
                "whitespace",
                "13a",
                "intl",
                "char",
                "zh",
                "ja-mecab",
                "ko-mecab",
                "spm:<file>",
                offers="tokenizers",
            ),
        ] = "bytes",
        lowercase: Annotated[bool, "Lower-case all texts first"] = False,
        divisor: Annotated[
            Literal["orders", "four"], "Root of the precisions' product: the number of orders, or always four"
        ] = "orders",
        missing_order: Annotated[
            Literal["zero", "one"], "Precision of an order of which no output has an n-gram (one: gleu 1.1.0 on PyPI)"
        ] = "zero",
    ) -> None:
        self.n, self.iterations, self.tokenize, self.lowercase = n, iterations, tokenize, lowercase
        self.divisor, self.missing_order = divisor, missing_order
        names = ["hypothesis_length", "reference_length"]
        names += [f"{kind}_{order}" for order in range(1, n + 1) for kind in ("matches", "total")]
        self.columns = (
            *(f"{name}@{iteration}" for iteration in range(iterations) for name in names),
            "sentence",
            "sentence_deviation",
            "cases",
        )

    @property
    def _tokenizer(self) -> Tokenizer:
        return BYTES.lowering(self.lowercase) if self.tokenize == "bytes" else tokenizer(self.tokenize, self.lowercase)

    def tokens(self, text: str) -> list[str]:
        """
        Cut one text as the metric does.
        """
        return self._tokenizer.tokens(text)

    def preprocess(self, cases: Cases) -> Any:
        """
        Turn outputs, sources and references into columns of tokens.
        """
        references = reference_tokens(cases.flat_references, self._tokenizer)
        sources = self._tokenizer.column(cases.sources or (), references.vocabulary)
        hypotheses = self._tokenizer.column(cases.hypotheses, sources.vocabulary)
        return hypotheses, sources, references, np.array(cases.bounds, np.int64), cases.positions

    def statistics(self, prepared: Any, constants: Any) -> Compact:
        """
        Give, for each case and iteration, lengths, matches and totals with the reference that is drawn.
        """
        from tertium.native.drawn_references import Drawn
        from tertium.native.source_overlaps import rewarded_matches

        hypotheses, sources, references, bounds, positions = prepared
        counts = np.diff(bounds)
        owner = np.repeat(np.arange(len(counts)), counts)
        vectors = np.empty((len(references), 2 * self.n + 2))
        length = hypotheses.lengths[owner]
        vectors[:, 0], vectors[:, 1] = length, references.lengths
        vectors[:, 2::2] = rewarded_matches(hypotheses, sources, references, bounds, self.n)
        vectors[:, 3::2] = np.maximum(length[:, None] - np.arange(self.n), 0)
        alone = self._scores(np.maximum(vectors, 1.0))
        mean = np.add.reduceat(alone, bounds[:-1]) / counts
        variance = np.add.reduceat((alone - mean[owner]) ** 2, bounds[:-1]) / counts
        rest = np.column_stack([mean, np.sqrt(variance), np.ones(len(counts))])
        return Drawn.of(vectors, bounds, positions, self.iterations, rest)

    def _scores(self, vectors: Matrix) -> Matrix:
        """
        Give the value of summed vectors, shape (..., 2 n + 2) to (...).
        """
        hypothesis, reference = vectors[..., 0], vectors[..., 1]
        matches, totals = vectors[..., 2::2], vectors[..., 3::2]
        used = totals > 0 if self.missing_order == "one" else np.ones(totals.shape, np.bool_)
        whole = (hypothesis > 0) & (reference > 0) & ((matches > 0) | ~used).all(axis=-1)
        logarithms = np.where(used, np.log(np.maximum(matches, 1e-300) / np.maximum(totals, 1.0)), 0.0).sum(axis=-1)
        roots = 4 if self.divisor == "four" else self.n
        brevity = np.minimum(0.0, 1.0 - reference / np.maximum(hypothesis, 1e-300))
        scores: Matrix = np.where(whole, np.exp(brevity + logarithms / roots), 0.0)
        return scores

    def aggregate(self, sums: Matrix) -> Matrix:
        """
        Give the mean and the deviation over iterations.
        """
        vectors = sums[..., :-3].reshape(*sums.shape[:-1], self.iterations, 2 * self.n + 2)
        scores = self._scores(vectors)
        # Where all are equal the mean is that value, to the last bit.
        mean = scores[..., 0] + (scores - scores[..., :1]).mean(axis=-1)
        return np.stack([mean, np.sqrt(((scores - mean[..., None]) ** 2).mean(axis=-1))], axis=-1)

    def per_case(self, statistics: Matrix | Compact) -> Matrix:
        """
        Give each sentence's mean over its references, zero counts taken as 1, and its deviation.
        """
        return (statistics.rest if isinstance(statistics, Compact) else statistics)[:, -3:-1]

    def signature(self) -> Mapping[str, object]:
        """
        Give every parameter, and how references are drawn.
        """
        return {
            **self.parameters,
            "tokenize": self._tokenizer.signature,
            "draws": "python-mt19937 seed 101*iteration",
        }

    def notes(self, cases: Cases) -> Sequence[str]:
        """
        Say where iterations are of no use.
        """
        if self.iterations > 1 and int(cases.reference_counts.max()) == 1:
            return ["every case has one reference, so nothing is drawn: iterations=1 gives the same with fewer columns"]
        return ()

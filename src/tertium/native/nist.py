"""
NIST: n-gram precision weighted by information.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import numpy as np

from tertium.cases import Cases
from tertium.metric import Matrix, Metric
from tertium.native.cache import reference_tokens
from tertium.native.columns import Offsets, TokenColumn, text_column
from tertium.native.constants_file import Frozen, load
from tertium.native.frequencies import Counts, Frequencies, counted
from tertium.native.tokenizers import Tokenizer, tokenizer
from tertium.parameters import Choices, Range

KIND = "n-gram counts"
BETA = float(np.log(2.0) / np.log(1.5) ** 2)
"""Makes the penalty 0.5 where the hypotheses have two thirds of the references' words."""


class Nist(Metric):
    """
    NIST: for each order the information of the n-grams that a hypothesis shares with its references, over its
    n-grams, summed over the orders 1 to 5, times a penalty for being shorter than the references. It has no upper bound.

    The information of an n-gram is log2 of the count of its first n - 1 words over its own count, both over all
    references of the corpus; for single words the former is the number of words. With c and r the words of the
    hypotheses and references, the penalty is exp(-ln 2 / (ln 1.5)^2 * ln(min(1, c / r))^2).

    ``clipping=union`` and ``length=mean`` are mteval's: an n-gram counts as often as in the reference that has the most
    of it, and r is the mean length of a case's references. ``clipping=best`` and ``length=best`` are NLTK's: for each
    order the reference with the highest sum counts, and its length.

    Sources: Doddington 2002, "Automatic evaluation of machine translation quality using n-gram co-occurrence
    statistics", equations 2 and 3; for counting, mteval-v13a.pl.
    """

    name, provider = "nist", "native"
    releases_gil = True
    scale = (0.0, float("inf"))
    citation = (
        "Doddington 2002, Automatic evaluation of machine translation quality using n-gram co-occurrence statistics"
    )
    undefined = "under empty=undefined there is no value where no hypothesis has an n-gram of some order, or no reference a word"

    def __init__(
        self,
        *,
        n: Annotated[int, "Longest n-gram", Range(1, 64)] = 5,
        tokenize: Annotated[
            str,
            "How texts are cut; mteval-v13a is mteval's own, lower-cased unless lowercase=false",
            Choices(
                "mteval-v13a",
                "mteval-v14-intl",
                "mteval-v14-intl-e",
                "none",
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
        ] = "mteval-v13a",
        lowercase: Annotated[bool, "Lower-case all texts (mteval does so unless -c is given)"] = True,
        clipping: Annotated[
            Literal["union", "best"],
            "Clip each n-gram to the reference that has the most of it, or count the reference with the highest sum",
        ] = "union",
        length: Annotated[
            Literal["mean", "best"],
            "Length of the references in the penalty: their mean, or for each order that of the reference that counts",
        ] = "mean",
        zero_word: Annotated[
            Literal["total", "count"],
            "N-grams that begin with the single word 0: take the number of all words for their beginning, as Perl does, or its count",
        ] = "total",
        empty: Annotated[
            Literal["zero", "undefined"],
            "Where no hypothesis has an n-gram of some order: it adds 0, or there is no value (NLTK divides by zero)",
        ] = "zero",
        frequencies: Annotated[
            str,
            "Counts behind the information: of the scored references, or frozen by `tertium constants build`",
            Choices("corpus", "file:<path>"),
        ] = "corpus",
    ) -> None:
        self.n, self.tokenize, self.lowercase, self.clipping = n, tokenize, lowercase, clipping
        self.length, self.zero_word, self.empty, self.frequencies = length, zero_word, empty, frequencies
        names = [f"{name}_{order}" for order in range(1, n + 1) for name in ("information", "ngrams")]
        self.columns = (*names, "hypothesis_length", "reference_length")
        self.outputs = ("nist", "penalty", *(f"nist_{order}" for order in range(1, n + 1)))
        self._frozen: Frozen | None = None
        if frequencies != "corpus":
            path = frequencies.removeprefix("file:")
            self._frozen = load(path)
            self._frozen.check(f"nist was given the n-gram counts of {path}", self.built_with())

    @property
    def _tokenizer(self) -> Tokenizer:
        return tokenizer(self.tokenize, self.lowercase)

    def built_with(self) -> dict[str, Any]:
        """
        Name the parameters that frozen counts depend on.
        """
        return {
            "kind": KIND,
            "orders": self.n,
            "tokenizer": "none" if self.tokenize == "whitespace" else self.tokenize,
            "lowercase": self.lowercase,
        }

    def tokens(self, text: str) -> list[str]:
        """
        Cut one text as the metric does.
        """
        return self._tokenizer.tokens(text)

    def preprocess(self, cases: Cases) -> Any:
        """
        Give the cases: references are tokenized when constants are learned, hypotheses only when they are scored.
        """
        return cases

    def constants(self, prepared: Any) -> Frequencies | Frozen:
        """
        Count the n-grams of all references, or give the frozen counts.
        """
        if self._frozen is not None:
            return self._frozen
        references = reference_tokens(prepared.flat_references, self._tokenizer)
        return counted(references, prepared.bounds, self.n, once=False)

    def statistics(self, prepared: Any, constants: Any) -> Matrix:
        """
        Sum the information of each case's matches, and count its n-grams and words.
        """
        from tertium.native.information import shared_information

        cases: Cases = prepared
        frequencies: Frequencies = constants.frequencies if isinstance(constants, Frozen) else constants
        references = reference_tokens(cases.flat_references, self._tokenizer)
        cut = self._tokenizer.spans(cases.hypotheses)
        # What no reference of the chunk holds cannot match, so that new tokens need not be told apart.
        ids = references.vocabulary.find(cut.points, cut.starts, cut.ends)
        hypotheses = TokenColumn(ids, cut.offsets, references.vocabulary)
        bounds = np.array(cases.bounds, np.int64)
        best, pooled = shared_information(
            hypotheses,
            references,
            bounds,
            frequencies.merged,
            self._zero(frequencies.merged),
            compared="best" in (self.clipping, self.length),
        )
        lengths = references.lengths.astype(np.float64)
        words = hypotheses.lengths.astype(np.float64)
        found = np.zeros((len(cases), len(self.columns)))
        taken = np.zeros(len(cases))
        for order in range(self.n):
            if "best" in (self.clipping, self.length):
                chosen = _chosen(best[:, order], lengths, bounds)
                taken += lengths[chosen]
            found[:, 2 * order] = pooled[:, order] if self.clipping == "union" else best[chosen, order]
            found[:, 2 * order + 1] = np.maximum(words - order, 0.0)
        found[:, -2] = words
        found[:, -1] = np.add.reduceat(lengths, bounds[:-1]) / np.diff(bounds)
        if self.length == "best":
            found[:, -2:] = np.column_stack([words * self.n, taken])
        return found

    def _zero(self, corpus: Counts) -> int:
        """
        Find the word 0, after which Perl takes the number of all words.
        """
        if self.zero_word == "count":
            return -1
        column = text_column(["0"])
        number = int(corpus.vocabulary.find(column.points, column.offsets[:-1], column.offsets[1:])[0])
        return number if number < len(corpus.vocabulary) else -1

    def aggregate(self, sums: Matrix) -> Matrix:
        """
        Give the score, the penalty, and what each order adds before the penalty.
        """
        information, totals = sums[..., 0 : 2 * self.n : 2], sums[..., 1 : 2 * self.n : 2]
        hypothesis, reference = sums[..., -2], sums[..., -1]
        missing = np.nan if self.empty == "undefined" else 0.0
        parts = np.where(totals > 0, information / np.maximum(totals, 1.0), missing)
        ratio = np.minimum(1.0, hypothesis / np.maximum(reference, 1e-300))
        penalty = np.where(ratio > 0, np.exp(-BETA * np.log(np.maximum(ratio, 1e-300)) ** 2), 0.0)
        penalty = np.where(reference > 0, penalty, missing)
        score = parts.sum(axis=-1) * penalty
        return np.concatenate([score[..., None], penalty[..., None], parts], axis=-1)

    def signature(self) -> Mapping[str, object]:
        """
        Give every parameter; frozen counts by their content, the tokenizer by all that decides its tokens.
        """
        facts: dict[str, object] = {**self.parameters, "tokenize": self._tokenizer.signature}
        if self._frozen is not None:
            facts["frequencies"] = f"sha256:{self._frozen.digest}"
        return facts


def _chosen(best: Matrix, lengths: Matrix, bounds: Offsets) -> Offsets:
    """
    Find each case's reference with the highest sum; of equal ones the longest.
    """
    if len(bounds) - 1 == len(lengths):
        return np.arange(len(lengths))
    owner = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
    order = np.lexsort((lengths, best, owner))
    found: Offsets = order[bounds[1:] - 1]
    return found

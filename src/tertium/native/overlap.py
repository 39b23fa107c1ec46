"""
Overlap of words, regardless of their order: F1, Jaccard and Dice.
"""

from __future__ import annotations

import unicodedata
from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tertium.cases import Cases
from tertium.errors import ParameterError
from tertium.metric import Matrix, Metric
from tertium.native.cache import reference_tokens
from tertium.native.columns import TokenColumn
from tertium.native.tokenizers import NAMES, Tokenizer, tokenizer
from tertium.parameters import Choices, Range

Longs = NDArray[np.int64]
Tokenize = Annotated[
    str | Callable[[str], Any], "How texts are cut into words", Choices(*NAMES, "spm:<file>", offers="tokenizers")
]
Lowercase = Annotated[bool, "Lower the case of each text first"]
Empty = Annotated[
    Literal["one", "zero", "undefined"], "Value where neither side has a word; undefined cases are left out"
]
References = Annotated[
    Literal["max", "mean", "union"], "Several references: the best (the first of equals), the mean, or all in one bag"
]
Average = Annotated[Literal["mean", "pooled"], "Mean of the cases' values, or one value of the cases' summed counts"]
Percent = Annotated[bool, "Percent, not a share"]


class Prepared(NamedTuple):
    """
    Hold the tokens of a chunk.
    """

    hypotheses: TokenColumn
    references: TokenColumn
    bounds: Longs


class _Overlap(Metric):
    """
    Join what metrics of common words share.
    """

    provider = "native"
    releases_gil = True
    undefined = "no case has a word on either side"
    tokenize: str | Callable[[str], Any]
    lowercase: bool
    empty: Literal["one", "zero", "undefined"]
    references: Literal["max", "mean", "union"]
    average: Literal["mean", "pooled"]
    percent: bool

    def _set(
        self,
        tokenize: str | Callable[[str], Any],
        lowercase: bool,
        empty: Literal["one", "zero", "undefined"],
        references: Literal["max", "mean", "union"],
        average: Literal["mean", "pooled"],
        percent: bool,
    ) -> None:
        self.tokenize, self.lowercase, self.empty = tokenize, lowercase, empty
        self.references, self.average, self.percent = references, average, percent
        self.scale = (0.0, 100.0 if percent else 1.0)
        if references == "mean" and average == "pooled":
            raise ParameterError(
                f"{self.name}@native cannot take references=mean with average=pooled",
                "pooling sums the counts of one reference a case",
                "Use references=max or union, or average=mean",
            )

    @property
    def _tokenizer(self) -> Tokenizer:
        return tokenizer(self.tokenize, self.lowercase)

    def tokens(self, text: str) -> list[str]:
        """
        Cut one text as the metric does.
        """
        return self._tokenizer.tokens(text)

    def preprocess(self, cases: Cases) -> Prepared:
        """
        Cut a chunk into words, the references from the memo where they have been cut before.
        """
        references = reference_tokens(cases.flat_references, self._tokenizer)
        hypotheses = self._tokenizer.column(cases.hypotheses, references.vocabulary)
        return Prepared(hypotheses, references, np.array(cases.bounds, np.int64))

    def statistics(self, prepared: Prepared, constants: None) -> Matrix:
        """
        Count words in common and words of either side, or sum up what becomes of them case by case.
        """
        from tertium.native.overlap_bags import overlaps

        hypotheses, references, bounds = prepared
        cases = len(hypotheses)
        groups = bounds if self.references == "union" else np.arange(bounds[-1] + 1)
        owners = np.repeat(np.arange(cases), 1 if self.references == "union" else np.diff(bounds))
        counts = self._counts(overlaps(hypotheses, references, owners, groups), hypotheses.lengths[owners])
        if self.references == "mean":
            values = self._values(counts)
            known = ~np.isnan(values[:, :1])
            sums = np.add.reduceat(np.concatenate([np.where(known, values, 0), known], axis=1), bounds[:-1])
            has = sums[:, -1:] > 0
            return np.concatenate([np.where(has, sums[:, :-1] / np.maximum(sums[:, -1:], 1), 0), has], axis=1)
        if self.references == "max" and len(owners) > cases:
            first = self._values(counts)[:, 0]
            order = np.lexsort((np.arange(len(owners)), -np.where(np.isnan(first), -1, first), owners))
            counts = counts[order[bounds[:-1]]]
        if self.average == "pooled":
            return counts.astype(np.float64)
        values = self._values(counts)
        known = ~np.isnan(values[:, :1])
        return np.concatenate([np.where(known, values, 0), known], axis=1)

    def aggregate(self, sums: Matrix) -> Matrix:
        """
        Give the values of the cases' mean, or of the counts.
        """
        values = self._values(sums) if self.average == "pooled" else sums[..., :-1] / sums[..., -1:]
        return values * self.scale[1]

    def _blank(self, values: Matrix, blank: NDArray[np.bool_]) -> Matrix:
        rule = {"one": 1.0, "zero": 0.0, "undefined": np.nan}[self.empty]
        return np.where(blank[..., None], rule, values)

    @abstractmethod
    def _counts(self, found: Longs, lengths: Longs) -> Longs: ...

    @abstractmethod
    def _values(self, counts: NDArray[Any]) -> Matrix: ...

    def signature(self) -> Mapping[str, object]:
        """
        Give the parameters, with what the tokenizer and the lower-casing depend on.
        """
        facts: dict[str, object] = {**self.parameters, "tokenize": self._tokenizer.signature}
        if self.lowercase:
            facts["unicode"] = unicodedata.unidata_version
        return facts


class TokenF1(_Overlap):
    """
    F1, precision and recall of the words that output and reference have in common, regardless of their order.

    With m words in common (each at most as often as either side has it), precision P is m over the output's words,
    recall R is m over the reference's, and F is (1 + beta^2) PR / (beta^2 P + R). A side without words has nothing in
    common with one that has some: 0.
    """

    name = "token-f1"
    outputs = ("f1", "precision", "recall")

    def __init__(
        self,
        *,
        tokenize: Tokenize = "whitespace",
        lowercase: Lowercase = False,
        beta: Annotated[float, "How many times as much as precision recall weighs", Range(0, 1e6)] = 1.0,
        empty: Empty = "one",
        references: References = "max",
        average: Average = "mean",
        percent: Percent = False,
    ) -> None:
        self.beta = beta
        self._set(tokenize, lowercase, empty, references, average, percent)
        self.columns = (
            ("common", "hypothesis_length", "reference_length")
            if average == "pooled"
            else ("f1", "precision", "recall", "cases")
        )

    def _counts(self, found: Longs, lengths: Longs) -> Longs:
        return np.stack([found[:, 0], lengths, found[:, 1]], axis=1)

    def _values(self, counts: NDArray[Any]) -> Matrix:
        common, own, goal = counts[..., 0], counts[..., 1], counts[..., 2]
        precision, recall = common / np.where(own > 0, own, 1), common / np.where(goal > 0, goal, 1)
        weight = self.beta**2
        below = weight * precision + recall
        score = (1 + weight) * precision * recall / np.where(below > 0, below, 1)
        return self._blank(np.stack([score, precision, recall], axis=-1), (own == 0) & (goal == 0))


class _Similarity(_Overlap):
    """
    Join what Jaccard and Dice share.
    """

    counting: Literal["set", "multiset"]

    def _counts(self, found: Longs, lengths: Longs) -> Longs:
        common, size, shared, types, goals = found.T
        if self.counting == "set":
            return np.stack([shared, self._below(shared, types, goals)], axis=1)
        return np.stack([common, self._below(common, lengths, size)], axis=1)

    @abstractmethod
    def _below(self, common: Longs, own: Longs, goal: Longs) -> Longs: ...

    def _values(self, counts: NDArray[Any]) -> Matrix:
        common, below = counts[..., 0], counts[..., 1]
        return self._blank((self.factor * common / np.where(below > 0, below, 1))[..., None], below == 0)

    factor = 1


Counting = Annotated[Literal["set", "multiset"], "Whether a word that stands twice counts once or twice"]


class Jaccard(_Similarity):
    """
    Share of the words of output and reference together that both have: common words over words of either side.

    Source: Jaccard 1901. As sets (the default) each word counts once; as multisets a word is common as often as
    the side has it that has it less, and stands in the union as often as the other has it.

    One minus NLTK 3.10.0 ``jaccard_distance`` of word sets is the default with ``empty=undefined``; textdistance's
    ``jaccard`` of word lists is ``counting=multiset``.
    """

    name = "jaccard"
    citation = "Jaccard: Étude comparative de la distribution florale dans une portion des Alpes et des Jura. 1901"
    outputs = ("jaccard",)

    def __init__(
        self,
        *,
        tokenize: Tokenize = "whitespace",
        lowercase: Lowercase = False,
        counting: Counting = "set",
        empty: Empty = "one",
        references: References = "max",
        average: Average = "mean",
        percent: Percent = False,
    ) -> None:
        self.counting = counting
        self._set(tokenize, lowercase, empty, references, average, percent)
        self.columns = ("common", "union") if average == "pooled" else ("jaccard", "cases")

    def _below(self, common: Longs, own: Longs, goal: Longs) -> Longs:
        return own + goal - common


class Dice(_Similarity):
    """
    Twice the words that output and reference have in common, over the words of both.

    Source: Dice 1945, Sørensen 1948. As sets (the default) each word counts once; as multisets it is the F1 of
    ``token-f1``, and textdistance's ``sorensen`` of word lists.
    """

    name = "dice"
    citation = "Dice: Measures of the Amount of Ecologic Association Between Species. Ecology 26, 1945"
    outputs = ("dice",)
    factor = 2

    def __init__(
        self,
        *,
        tokenize: Tokenize = "whitespace",
        lowercase: Lowercase = False,
        counting: Counting = "set",
        empty: Empty = "one",
        references: References = "max",
        average: Average = "mean",
        percent: Percent = False,
    ) -> None:
        self.counting = counting
        self._set(tokenize, lowercase, empty, references, average, percent)
        self.columns = ("common", "words") if average == "pooled" else ("dice", "cases")

    def _below(self, common: Longs, own: Longs, goal: Longs) -> Longs:
        return own + goal

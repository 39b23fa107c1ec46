"""
CIDEr and CIDEr-D: consensus with the references by weighted n-grams.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np

from tertium.cases import Cases
from tertium.errors import ParameterError
from tertium.metric import Matrix, Metric
from tertium.native.cache import Memo, key_bytes, reference_tokens
from tertium.native.columns import Ids, Offsets, TokenColumn
from tertium.native.constants_file import Frozen, load
from tertium.native.frequencies import Frequencies, corpus_counts, counted_grams
from tertium.native.tokenizers import Tokenizer, tokenizer
from tertium.parameters import Choices, Range

if TYPE_CHECKING:
    from tertium.native.interning import Longs

    Numbered = tuple[TokenColumn, list[tuple[Ids, Longs]]]

KIND = "document frequencies"

GRAMS: Memo[Numbered] = Memo(128 << 20)
"""The tokens and n-grams of references by tokenizer, stemmer, order and texts, 128 MB."""


def _size(texts: tuple[str, ...], column: TokenColumn, grams: list[tuple[Ids, Longs]]) -> int:
    return key_bytes(texts) + column.nbytes + sum(numbers.nbytes + pairs.nbytes for numbers, pairs in grams)


class Consensus(Metric):
    """
    Compute what CIDEr and CIDEr-D share; the two classes below differ in their defaults.

    An n-gram weighs its count (raw, or divided by the number of n-grams of the caption) times log(N / df), with N the
    number of images and df the number of images whose references hold it, at least 1. For each order the cosine of the
    hypothesis' and a reference's weights is taken; ``clipping`` lets the hypothesis' weight count at most as much as
    the reference's in the product, and ``sigma`` damps by exp(-d^2 / (2 sigma^2)) with d the difference of the lengths.
    The value of an image is ``factor`` times the mean over orders and references; a case is an image.
    """

    provider = "native"
    releases_gil = True

    n: int
    sigma: float | None
    tokenizer: str
    stem: str
    tf: str
    clipping: bool
    length: str | None
    factor: float
    frequencies: str

    def _settle(self) -> None:
        if self.sigma is None and self.length is not None:
            raise ParameterError(
                f"{self.name}(sigma=none,length={self.length})",
                "without a Gaussian no length enters the value",
                "Give sigma, or leave length out",
            )
        self.columns, self.outputs = (self.name, "cases"), (self.name,)
        self.scale = (0.0, float(self.factor))
        self._frozen: Frozen | None = None
        if self.frequencies != "corpus":
            path = self.frequencies.removeprefix("file:")
            self._frozen = load(path)
            self._frozen.check(f"{self.name} was given the document frequencies of {path}", self.built_with())

    @property
    def _tokenizer(self) -> Tokenizer:
        return tokenizer(self.tokenizer)

    def built_with(self) -> dict[str, Any]:
        """
        Name the parameters that frozen document frequencies depend on.
        """
        name = "none" if self.tokenizer == "whitespace" else self.tokenizer
        return {"kind": KIND, "orders": self.n, "tokenizer": name, "stem": self.stem}

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
        Count in how many images each n-gram stands, or give the frozen counts.
        """
        return self._frozen or counted_grams(*self._references(prepared)[::-1], prepared.bounds, once=True)

    def _references(self, cases: Cases) -> Numbered:
        """
        Give the references' tokens and their n-grams, which constants and statistics both ask for.
        """
        from tertium.native.corpus_grams import chunk_grams

        def numbered() -> Numbered:
            column = self._stemmed(reference_tokens(texts, self._tokenizer))
            return column, chunk_grams(column.ids, column.offsets, len(column.vocabulary), self.n)

        texts = cases.flat_references
        return GRAMS.get((self._tokenizer.key, self.stem, self.n, texts), numbered, lambda made: _size(texts, *made))

    def _stemmed(self, column: TokenColumn) -> TokenColumn:
        if self.stem == "none":
            return column
        from tertium.native.interning import intern_words
        from tertium.native.porter import original_stem

        words = intern_words([[original_stem(word)] for word in column.vocabulary.words()])
        return TokenColumn(words.ids[column.ids], column.offsets, words.vocabulary)

    def statistics(self, prepared: Any, constants: Any) -> Matrix:
        """
        Give each image's value and 1.
        """
        from tertium.native.corpus_grams import chunk_grams, weigh_captions

        cases: Cases = prepared
        frequencies: Frequencies = constants.frequencies if isinstance(constants, Frozen) else constants
        references, theirs = self._references(cases)
        tokens = references if self.stem == "none" else reference_tokens(cases.flat_references, self._tokenizer)
        hypotheses = self._stemmed(self._tokenizer.column(cases.hypotheses, tokens.vocabulary))
        vocabulary = hypotheses.vocabulary
        ours = chunk_grams(hypotheses.ids, hypotheses.offsets, len(vocabulary), self.n, theirs)
        corpus = frequencies.merged
        images = np.log(float(corpus.cases))
        bounds = np.array(cases.bounds, np.int64)
        damping = self._damping(hypotheses.lengths, references.lengths, bounds)
        longest = int(hypotheses.lengths.max(initial=0))
        total = np.zeros(len(cases))
        found = corpus_counts(corpus, vocabulary, ours)
        for (grams, _), (others, _), counts in zip(ours, theirs, found, strict=True):
            weigh_captions(
                grams,
                hypotheses.offsets,
                others,
                references.offsets,
                bounds,
                images - np.log(np.maximum(counts, 1.0)),
                self.tf == "normalised",
                self.clipping,
                damping,
                np.zeros(len(counts), np.int64),
                np.empty(longest, np.int64),
                np.empty(longest),
                total,
            )
        value = self.factor * (total / self.n / np.diff(bounds))
        return np.column_stack([value, np.ones(len(value))])

    def _damping(self, ours: Offsets, theirs: Offsets, bounds: Offsets) -> Matrix:
        if self.sigma is None:
            return np.ones(len(theirs))
        if self.length != "words":
            ours, theirs = np.maximum(ours - 1, 0), np.maximum(theirs - 1, 0)
        apart = np.repeat(ours, np.diff(bounds)) - theirs
        damping: Matrix = np.exp(-(apart.astype(np.float64) ** 2) / (2 * self.sigma**2))
        return damping

    def aggregate(self, sums: Matrix) -> Matrix:
        """
        Give the mean of the images' values.
        """
        mean: Matrix = sums[..., :1] / sums[..., 1:]
        return mean

    def signature(self) -> Mapping[str, object]:
        """
        Give every parameter; frozen frequencies by their content, the tokenizer by all that decides its tokens.
        """
        facts: dict[str, object] = dict(self.parameters)
        facts["tokenizer"] = self._tokenizer.signature
        if self._frozen is not None:
            facts["frequencies"] = f"sha256:{self._frozen.digest}"
        return facts

    def notes(self, cases: Cases) -> Sequence[str]:
        """
        Say why the value is 0 where it can be nothing else.
        """
        if self._frozen is not None:
            return ()
        if len(cases) == 1:
            return [
                "document frequencies over one image weigh every n-gram by log(1) = 0, so the value is 0; give more "
                "images, or frequencies of another corpus (frequencies='file:<path>')"
            ]
        if not any(map(str.strip, cases.flat_references)):
            return ["no reference holds a word, so there is nothing to weigh and the value is 0"]
        ends = cases.bounds.tolist()
        first = {word for text in cases.flat_references[: ends[1]] for word in text.split()}
        for start, end in pairwise(ends[1:]):
            if {word for text in cases.flat_references[start:end] for word in text.split()} != first:
                return ()
        whole = counted_grams(*self._references(cases)[::-1], cases.bounds, once=True).merged
        if all((counts == len(cases)).all() for counts in whole.counts):
            return [
                "every n-gram of the references stands in every image, so each weighs log(1) = 0 and the value is 0"
            ]
        return ()


Tokenized = Annotated[
    Literal["ptb", "none", "whitespace"],
    "ptb: as the COCO evaluation does, lower-cased and without punctuation; none or whitespace: split at white space",
]
Order = Annotated[int, "Longest n-gram; the mean is over the orders 1 to n", Range(1, 64)]
Stem = Annotated[Literal["none", "porter"], "Stem words as Porter 1980 does"]
Tf = Annotated[Literal["raw", "normalised"], "An n-gram's count, or its share of the caption's n-grams of that order"]
Clipping = Annotated[bool, "Let a weight of the hypothesis count at most as much as the reference's"]
Sigma = Annotated[
    float | None, "Width of the Gaussian over the difference of lengths; none leaves it out", Range(1e-6, 1e6)
]
Length = Annotated[
    Literal["bigrams", "words"] | None,
    "What a length counts in the Gaussian; none: bigrams, as COCO's scorer. No value depends on it: the two differ for "
    "texts without words alone, which score 0",
]
Factor = Annotated[float, "What the mean cosine is multiplied by", Range(0, 1e9, open_low=True)]
Source = Annotated[
    str,
    "Document frequencies: of the scored references, or frozen by `tertium constants build`",
    Choices("corpus", "file:<path>"),
]


class CiderD(Consensus):
    """
    CIDEr-D, which the COCO caption evaluation prints as CIDEr: n-grams weighed by their rarity over the images,
    compared by a clipped cosine with each reference and damped where lengths differ, times ten. A case is an image.

    The defaults are those of the COCO caption evaluation: PTB tokens in lower case without punctuation, raw counts, and
    a Gaussian over the difference in *bigrams* (the paper speaks of words). Sources: Vedantam, Zitnick and Parikh 2015,
    "CIDEr: Consensus-based image description evaluation", section 7; for the defaults, the scorer of the COCO caption
    evaluation.
    """

    name = "cider-d"
    citation = (
        "Vedantam, Zitnick and Parikh 2015, CIDEr: Consensus-based image description evaluation, section 7 (CIDEr-D)"
    )

    def __init__(
        self,
        *,
        n: Order = 4,
        sigma: Sigma = 6.0,
        tokenizer: Tokenized = "ptb",
        stem: Stem = "none",
        tf: Tf = "raw",
        clipping: Clipping = True,
        length: Length = None,
        factor: Factor = 10.0,
        frequencies: Source = "corpus",
    ) -> None:
        self.n, self.sigma, self.tokenizer, self.stem, self.tf = n, sigma, tokenizer, stem, tf
        self.clipping, self.length, self.factor, self.frequencies = clipping, length, factor, frequencies
        self._settle()


class Cider(Consensus):
    """
    CIDEr as first published: stemmed n-grams weighed by their share of the caption and their rarity over the images,
    compared by their cosine with each reference. No clipping, no damping; from 0 to 1. A case is an image.

    Source: Vedantam, Zitnick and Parikh 2015, "CIDEr: Consensus-based image description evaluation", section 4,
    equations 1 to 3. The paper maps words to their stem or root without naming a stemmer; here it is Porter's of 1980.
    """

    name = "cider"
    citation = (
        "Vedantam, Zitnick and Parikh 2015, CIDEr: Consensus-based image description evaluation, equations 1 to 3"
    )

    def __init__(
        self,
        *,
        n: Order = 4,
        sigma: Sigma = None,
        tokenizer: Tokenized = "ptb",
        stem: Stem = "porter",
        tf: Tf = "normalised",
        clipping: Clipping = False,
        length: Length = None,
        factor: Factor = 1.0,
        frequencies: Source = "corpus",
    ) -> None:
        self.n, self.sigma, self.tokenizer, self.stem, self.tf = n, sigma, tokenizer, stem, tf
        self.clipping, self.length, self.factor, self.frequencies = clipping, length, factor, frequencies
        self._settle()

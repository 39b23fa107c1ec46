"""
RIBES: rank correlation of aligned words.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import numpy as np

from tertium.cases import Cases
from tertium.errors import DataError, ParameterError
from tertium.metric import Matrix, Metric
from tertium.native.cache import reference_tokens
from tertium.native.tokenizers import ScanTokenizer, Tokenizer, tokenizer
from tertium.native.tokenizers.mteval import lower_ascii
from tertium.native.tokenizers.tokenizer import Classes
from tertium.parameters import Choices, Range


@functools.cache
def ascii_spaces() -> Classes:
    """
    Give the class table that knows the white space of ASCII only, as bytes do in Python 2.
    """
    from tertium.native.tokenizers.scan import SPACE

    classes = np.zeros(0x110000, np.uint8)
    classes[[ord(mark) for mark in "\t\n\v\f\r "]] = SPACE
    classes.flags.writeable = False
    return classes


BYTES = ScanTokenizer("ascii-whitespace", classes=ascii_spaces, lower=lower_ascii)


class Ribes(Metric):
    """
    RIBES: how well the words that a hypothesis shares with a reference keep their order, times powers of their share
    of the hypothesis and of a brevity penalty. The best reference of each case counts, and cases are averaged.

    Words are aligned one to one: those that stand once on both sides, and others by the shortest context of neighbours
    that does. With n aligned words, the value is NKT * P^alpha * BP^beta: NKT = the share of the n (n - 1) / 2 pairs
    whose positions in the reference rise, P = n / |h|, BP = min(1, exp(1 - |r| / |h|)). One aligned word gives 0, unless
    it is all of the reference. The defaults are those of NTT's RIBES 1.03.1 on Python 3; ``characters=bytes`` is its
    behaviour on Python 2.

    NLTK is ``pairs=runs,context=right-first,single_word=zero,lowercase=false,empty_reference=zero``: it counts pairs
    inside runs of consecutive positions only, so a skipped word costs far more.

    Source: Isozaki, Hirao, Duh, Sudoh and Tsukada 2010, "Automatic Evaluation of Translation Quality for Distant
    Language Pairs"; for details NTT RIBES 1.03.1.
    """

    name, provider = "ribes", "native"
    releases_gil = True
    columns, outputs = ("ribes", "cases"), ("ribes",)
    citation = "Isozaki et al. 2010, Automatic Evaluation of Translation Quality for Distant Language Pairs"
    undefined = "every reference is empty, and empty_reference=skip leaves such cases out"

    def __init__(
        self,
        *,
        alpha: Annotated[float, "Exponent of unigram precision", Range(0)] = 0.25,
        beta: Annotated[float, "Exponent of the brevity penalty", Range(0)] = 0.10,
        tokenize: Annotated[
            str,
            "How texts are cut; RIBES itself takes tokens that white space parts",
            Choices(
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
        ] = "none",
        lowercase: Annotated[bool, "Lower-case all texts first (RIBES.py does so unless -c is given)"] = True,
        characters: Annotated[
            Literal["unicode", "bytes"],
            "White space and letters' case of Unicode (Python 3), or of ASCII only, as bytes in Python 2",
        ] = "unicode",
        pairs: Annotated[
            Literal["rising", "runs"], "Count all rising pairs, or only those inside runs that rise by one (NLTK)"
        ] = "rising",
        context: Annotated[
            Literal["left-first", "right-first"],
            "Of equally long contexts, take the one before the word first, or the one after it (NLTK)",
        ] = "left-first",
        single_word: Annotated[
            Literal["reference", "zero"],
            "One aligned word: 1 times P and BP where it is the whole reference, or 0 (NLTK)",
        ] = "reference",
        empty_reference: Annotated[
            Literal["error", "skip", "zero"],
            "A reference without words: an error, left out (-z), or a reference that nothing matches (NLTK)",
        ] = "error",
    ) -> None:
        self.alpha, self.beta, self.tokenize, self.lowercase = alpha, beta, tokenize, lowercase
        self.characters, self.pairs, self.context = characters, pairs, context
        self.single_word, self.empty_reference = single_word, empty_reference
        if characters == "bytes" and tokenize not in ("none", "whitespace"):
            raise ParameterError(
                f"ribes(characters=bytes,tokenize={tokenize})",
                "bytes are split at ASCII white space, and that tokenizer cuts Unicode text",
                "Leave one of the two out",
            )

    @property
    def _tokenizer(self) -> Tokenizer:
        if self.characters == "bytes":
            return BYTES.lowering(self.lowercase)
        return tokenizer(self.tokenize, self.lowercase)

    def tokens(self, text: str) -> list[str]:
        """
        Cut one text as the metric does.
        """
        return self._tokenizer.tokens(text)

    def preprocess(self, cases: Cases) -> Any:
        """
        Turn texts into columns of tokens.
        """
        references = reference_tokens(cases.flat_references, self._tokenizer)
        if self.empty_reference == "error" and not references.lengths.all():
            row = int(np.flatnonzero(references.lengths == 0)[0])
            case = cases[int(np.searchsorted(cases.bounds, row, side="right")) - 1]
            raise DataError(
                "ribes(empty_reference=error) was asked for",
                f"case {case.position} (id {case.id!r}) has a reference without words, and RIBES.py stops there",
                "Give empty_reference=skip to leave such references out, or zero to count them",
            )
        return references, self._tokenizer.column(cases.hypotheses, references.vocabulary), cases.bounds

    def statistics(self, prepared: Any, constants: Any) -> Matrix:
        """
        Give each case's value with its best reference, and 1 where it counts.
        """
        from tertium.native.ranks import aligned_ranks

        references, hypotheses, bounds = prepared
        nltk = self.context == "right-first"
        found = aligned_ranks(hypotheses, references, bounds, not nltk, not nltk, self.pairs == "runs")
        owner = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
        length, size = hypotheses.lengths[owner].astype(np.float64), references.lengths.astype(np.float64)
        aligned, rising = found[:, 0].astype(np.float64), found[:, 1].astype(np.float64)
        order = np.where(aligned > 1, rising / np.maximum(aligned * (aligned - 1) / 2, 1.0), 0.0)
        if self.single_word == "reference":
            order[(aligned == 1) & (size == 1)] = 1.0
        precision = np.where(order > 0, aligned / np.maximum(length, 1.0), 0.0)
        brevity = np.where(length > 0, np.minimum(1.0, np.exp(1.0 - size / np.maximum(length, 1.0))), 0.0)
        value = order * precision**self.alpha * brevity**self.beta
        counts = np.ones(len(bounds) - 1)
        if self.empty_reference == "skip":
            value[size == 0] = -1.0
        best = np.maximum.reduceat(value, bounds[:-1])
        if self.empty_reference == "skip":
            counts[best < 0] = 0.0
        return np.column_stack([np.maximum(best, 0.0), counts])

    def aggregate(self, sums: Matrix) -> Matrix:
        """
        Give the mean of the cases' values.
        """
        mean: Matrix = sums[..., :1] / sums[..., 1:]
        return mean

    def signature(self) -> Mapping[str, object]:
        """
        Give every parameter, the tokenizer by all that decides its tokens.
        """
        return {**self.parameters, "tokenize": self._tokenizer.signature}

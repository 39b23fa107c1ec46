"""
Let NLTK compute NIST over a corpus.
"""

from __future__ import annotations

import itertools
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

import tertium
from tertium.errors import DataError, Refused
from tertium_nltk import words

Matrix = NDArray[np.float64]
Numbered = tuple[words.Prepared, tertium.Cases]


class Nist(tertium.Metric):
    """
    NIST as NLTK's ``corpus_nist`` computes it: n-gram precisions weighed by information, summed over the orders, times
    a penalty for short output. The library has a value of the whole corpus and no counts of its own to add up.
    """

    name, provider = "nist", "nltk"
    columns, outputs, scale = (), ("nist",), (0.0, float("inf"))
    additive = False
    library, pinned = "nltk", "3.10.0"
    citation = (
        "Doddington 2002, Automatic evaluation of machine translation quality using n-gram co-occurrence statistics"
    )

    def __init__(
        self,
        *,
        n: Annotated[int, "Longest n-gram", tertium.Range(1, 64)] = 5,
        tokenizer: words.TokenizerChoice = "whitespace",
    ) -> None:
        self.n, self.tokenizer = n, tokenizer

    def preprocess(self, cases: tertium.Cases) -> Numbered:
        """
        Return the words of all texts, and the cases for messages.
        """
        return words.split(cases, self.tokenizer), cases

    def tokens(self, text: str) -> list[str]:
        """
        Cut one text as the metric does.
        """
        return list(words.tokenizer(self.tokenizer)(text))

    def corpus(self, prepared: Numbered, constants: object) -> Matrix:
        """
        Return the library's corpus value.

        Raises:
            DataError: The library divides by zero: no hypothesis has an n-gram of some order, or no reference a word.
        """
        from nltk.translate.nist_score import corpus_nist

        (hypotheses, references, bounds), cases = prepared
        nested = [references[start:end] for start, end in itertools.pairwise(bounds)]
        try:
            return np.array([corpus_nist(nested, hypotheses, self.n)], dtype=np.float64)
        except ZeroDivisionError as error:
            raise self._too_short(hypotheses, references, cases) from error

    def _too_short(self, hypotheses: list[list[str]], references: list[list[str]], cases: tertium.Cases) -> DataError:
        asked = f"nist@nltk(n={self.n}) was asked for, and the library divides by zero"
        if not any(references):
            return DataError(asked, "no reference holds a word", "Give references with words")
        lengths = [len(hypothesis) for hypothesis in hypotheses]
        longest = max(lengths)
        if longest < self.n:
            place = lengths.index(longest)
            return DataError(
                asked,
                f"no hypothesis has {self.n} words; the longest, case {place} (id {cases[place].id!r}), has {longest}",
                f"Give n={longest} or less, or score with nist@native, where an order without n-grams adds 0"
                if longest
                else "Score with nist@native, where an order without n-grams adds 0",
            )
        truth = "the references that count, those with the most information, hold no word"
        return DataError(asked, truth, "Leave out cases with an empty reference, or score with nist@native")

    def statistics(self, prepared: Numbered, constants: object) -> Matrix:
        """
        Refuse: the library's counts of a case cannot be had.
        """
        raise self._refusal()

    def aggregate(self, sums: Matrix) -> Matrix:
        """
        Refuse: there are no sums.
        """
        raise self._refusal()

    def _refusal(self) -> Refused:
        return Refused(
            "nist@nltk was asked for counts that add up",
            "the library gives the value of a whole corpus alone",
            f"Score the corpus, or take its equivalent {self.equivalent() or 'nist@native'}",
        )

    def equivalent(self) -> tertium.Spec | None:
        """
        Return the native spec that gives the same numbers; None under a callable.
        """
        tokenize = words.native_name(self.tokenizer)
        if tokenize is None:
            return None
        params: dict[str, Any] = {"n": self.n, "tokenize": tokenize, "lowercase": False, "zero_word": "count"}
        params |= {"clipping": "best", "length": "best", "empty": "undefined"}
        return tertium.Spec("nist", "native", params=params)

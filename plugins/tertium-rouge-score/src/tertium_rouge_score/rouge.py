"""
ROUGE by rouge-score: Lin 2004, as Google Research's package computes it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from importlib import metadata
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

import tertium
from tertium import Choices
from tertium.errors import ParameterError
from tertium_rouge_score.tokenizers import CHAR, DEFAULT, WHITESPACE, Tokenize, scorer_tokenizer, spelled

Matrix = NDArray[np.float64]

PINNED = "0.1.2"

_CITATION = "Lin 2004, ROUGE: A Package for Automatic Evaluation of Summaries (Text Summarization Branches Out)"


class _Scorers(threading.local):
    """
    Keep the library's scorers of one thread: making one costs, and workers get the metric anew with each chunk.
    """

    most: ClassVar[int] = 32

    def __init__(self) -> None:
        self.made: dict[tuple[object, ...], Any] = {}


_SCORERS = _Scorers()


class RougeMetric(tertium.Metric):
    """
    Join what all ROUGE types share: precision, recall and F1 of each case, and their plain mean over the cases.

    Of several references the one with the best F1 counts, the first of equals (``score_multi`` of the library). The
    library's own corpus value is the median of a bootstrap with a random seed; the mean of the cases, which that
    median estimates, is the value here, and intervals are made by the host.
    """

    provider = "rouge-score"
    library = "rouge-score"
    pinned = PINNED
    citation = _CITATION
    columns = ("fmeasure", "precision", "recall", "cases")
    outputs = ("fmeasure", "precision", "recall")
    scale = (0.0, 1.0)
    undefined = "there is no case to take the mean of"

    stemmer: bool
    tokenizer: str | Tokenize
    split_summaries: bool = False

    def accept(self, stemmer: bool, tokenizer: str | Tokenize) -> None:
        """
        Keep the parameters, once they are known to go together.

        Raises:
            ParameterError: They do not, or the tokenizer cannot be found.
        """
        if stemmer and tokenizer != DEFAULT:
            raise ParameterError(
                f"{self.name}@{self.provider} with stemmer=true and tokenizer={tokenizer}",
                "only the default tokenizer stems; the library ignores the stemmer beside any other",
                "Leave one of them out, or stem in a tokenizer of your own",
            )
        scorer_tokenizer(tokenizer)
        self.stemmer, self.tokenizer = stemmer, tokenizer

    @property
    def scorer(self) -> Any:
        """
        Return this thread's ``RougeScorer`` for these parameters, made on first use.
        """
        key = (self.name, self.stemmer, self.tokenizer, self.split_summaries)
        found = _SCORERS.made.get(key)
        if found is None:
            from rouge_score.rouge_scorer import RougeScorer

            while len(_SCORERS.made) >= _SCORERS.most:
                del _SCORERS.made[next(iter(_SCORERS.made))]
            found = _SCORERS.made[key] = RougeScorer(
                [self.name],
                use_stemmer=self.stemmer,
                split_summaries=self.split_summaries,
                tokenizer=scorer_tokenizer(self.tokenizer),
            )
        return found

    def statistics(self, prepared: tertium.Cases, constants: None) -> Matrix:
        """
        Return F1, precision and recall of each case and a one, shape (cases, 4).
        """
        scorer, name = self.scorer, self.name
        bounds, texts = prepared.bounds.tolist(), prepared.flat_references
        rows = np.ones((len(prepared), 4))
        for case, hypothesis in enumerate(prepared.hypotheses):
            references = texts[bounds[case] : bounds[case + 1]]
            scores = (
                scorer.score(references[0], hypothesis)
                if len(references) == 1
                else scorer.score_multi(references, hypothesis)
            )
            precision, recall, fmeasure = scores[name]
            rows[case, :3] = fmeasure, precision, recall
        return rows

    def aggregate(self, sums: Matrix) -> Matrix:
        """
        Return the means of F1, precision and recall.
        """
        means: Matrix = sums[..., :3] / sums[..., 3:]
        return means

    def signature(self) -> dict[str, object]:
        """
        Return the parameters, and NLTK's version where its code takes part.
        """
        uses_nltk = self.stemmer or self.split_summaries
        return {**self.parameters, **({"nltk": metadata.version("nltk")} if uses_nltk else {})}

    def data_signature(self, cases: tertium.Cases) -> dict[str, object]:
        """
        Return the number of references, and how the corpus value comes about.
        """
        counts = np.unique(cases.reference_counts)
        return {"references": int(counts[0]) if len(counts) == 1 else "var", "corpus": "mean of cases"}

    def equivalent(self) -> tertium.Spec | None:
        """
        Return the native spec that gives the same numbers, or None where a tokenizer has no name to give it by.
        """
        tokenizer = spelled(self.tokenizer)
        if tokenizer is None:
            return None
        params = {"tokenizer": "rouge-score" if tokenizer == DEFAULT else tokenizer}
        if self.stemmer:
            params["stemmer"] = "nltk"
        if self.split_summaries:
            params["sentences"] = "nltk"
        return tertium.Spec(self.name, "native", params=params)


Stemmer = Annotated[bool, "Strip suffixes of words of more than 3 letters (NLTK's Porter stemmer)"]
TokenizerName = Annotated[
    str | Callable[[str], list[str]],
    "Tokenizer; the default one lower-cases and keeps a-z and 0-9 only",
    Choices(DEFAULT, WHITESPACE, CHAR, "py:<module>:<attribute>"),
]

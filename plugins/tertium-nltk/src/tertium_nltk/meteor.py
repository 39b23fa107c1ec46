"""
Let NLTK compute METEOR, case by case.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

import tertium
from tertium.errors import ParameterError, did_you_mean
from tertium_nltk import words

Matrix = NDArray[np.float64]


def _as_is(word: str) -> str:
    return word


PREPROCESSING: Mapping[str, Callable[[str], str]] = {"lower": str.lower, "casefold": str.casefold, "none": _as_is}
"""What is done to each word before it is matched; NLTK calls the argument ``preprocess``, as the protocol a method."""


class Meteor(tertium.Metric):
    """
    METEOR as NLTK computes it: words matched as they are, by stem and by WordNet synonym, weighed into one value that
    fragmented matches lower. The value of several cases is the mean of theirs; NLTK itself has no corpus value.
    """

    name, provider = "meteor", "nltk"
    columns, outputs, scale = ("meteor", "cases"), ("meteor",), (0.0, 1.0)
    library, pinned = "nltk", "3.10.0"
    citation = (
        "A. Lavie, A. Agarwal (2007), METEOR: An automatic metric for MT evaluation with high levels of correlation "
        "with human judgments, WMT"
    )
    undefined = "there is no case to average"

    def __init__(
        self,
        *,
        alpha: Annotated[float, "Weight of precision in the mean of precision and recall", tertium.Range(0, 1)] = 0.9,
        beta: Annotated[float, "Exponent of the fragmentation", tertium.Range(0)] = 3.0,
        gamma: Annotated[float, "Weight of the fragmentation penalty", tertium.Range(0, 1)] = 0.5,
        stemmer: Annotated[
            str | Callable[[str], str],
            "Stemmer of the second stage; a callable maps a word to its stem",
            tertium.Choices(*words.STEMMERS),
        ] = "porter",
        wordnet: Annotated[
            Literal["wordnet", "none"], "Synonyms of the third stage: WordNet 3.0, or explicitly none"
        ] = "wordnet",
        preprocessing: Annotated[
            str | Callable[[str], str],
            "What is done to each word first; a callable maps a word to a word",
            tertium.Choices(*PREPROCESSING),
        ] = "lower",
        tokenizer: words.TokenizerChoice = "whitespace",
    ) -> None:
        self.alpha, self.beta, self.gamma = alpha, beta, gamma
        self.stemmer, self.wordnet = stemmer, wordnet
        self.preprocessing, self.tokenizer = preprocessing, tokenizer
        self.resources = ("wordnet",) if wordnet == "wordnet" else ()
        if isinstance(stemmer, str) and stemmer.startswith("snowball:"):
            language = stemmer.removeprefix("snowball:")
            if language not in words.SNOWBALL_LANGUAGES:
                near = did_you_mean(language, words.SNOWBALL_LANGUAGES)
                raise ParameterError(
                    f"meteor@nltk with stemmer={stemmer!r}",
                    f"NLTK's Snowball stems {', '.join(words.SNOWBALL_LANGUAGES)}",
                    near or "Choose one of these",
                )

    def equivalent(self) -> tertium.Spec | None:
        """
        Return the native spec that gives the same numbers; None under callables.
        """
        tokenize = words.native_name(self.tokenizer, "whitespace")
        if tokenize is None or callable(self.stemmer) or callable(self.preprocessing):
            return None
        chosen = {"exact": True, "stem": self.stemmer != "none", "synonym": self.wordnet != "none"}
        stages = ",".join(stage for stage, wanted in chosen.items() if wanted)
        params: dict[str, Any] = {"alpha": self.alpha, "beta": self.beta, "gamma": self.gamma, "stages": stages}
        params |= {"preprocessing": self.preprocessing, "tokenize": tokenize}
        if self.stemmer != "none":
            params["stemmer"] = self.stemmer
        return tertium.Spec("meteor", "native", params=params)

    def preprocess(self, cases: tertium.Cases) -> words.Prepared:
        """
        Return the words of hypotheses and of all references, and where each case's references begin and end.
        """
        return words.split(cases, self.tokenizer)

    def statistics(self, prepared: words.Prepared, constants: object) -> Matrix:
        """
        Return each case's value, the best over its references, and 1.
        """
        from nltk.translate.meteor_score import meteor_score

        hypotheses, references, bounds = prepared
        weights = {"alpha": self.alpha, "beta": self.beta, "gamma": self.gamma}
        change = self.preprocessing if callable(self.preprocessing) else PREPROCESSING[self.preprocessing]
        stemmer, synonyms = words.stemmer(self.stemmer), words.synonyms(self.wordnet)
        values = [
            meteor_score(references[bounds[i] : bounds[i + 1]], hypothesis, change, stemmer, synonyms, **weights)
            for i, hypothesis in enumerate(hypotheses)
        ]
        return np.column_stack([np.array(values, dtype=np.float64), np.ones(len(values))])

    def aggregate(self, sums: Matrix) -> Matrix:
        """
        Return the mean of the cases' values.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(sums[..., :1] / sums[..., 1:])

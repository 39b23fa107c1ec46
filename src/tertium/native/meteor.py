"""
METEOR: words matched as they are, by stem and by meaning, with a penalty for matches in many pieces.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

import numpy as np

from tertium.cases import Cases
from tertium.metric import Matrix, Metric
from tertium.native import stems
from tertium.native.meteor_choices import cmu_meteor, staged_meteor
from tertium.native.meteor_cmu import CmuMeteor
from tertium.native.meteor_settings import COLUMNS, NAMES, TASKS
from tertium.native.meteor_staged import Words
from tertium.parameters import Choices, Range


class Meteor(Metric):
    """
    Harmonic mean of unigram precision and recall, recall weighing more, over words matched as they are, by stem and by
    synonym; the more pieces the matches fall into, the lower the score. The best reference of each case counts.

    With m matches in c chunks, P = m/h and R = m/r: F = P R / (alpha P + (1 - alpha) R), and the score is
    F (1 - gamma (c/m)^beta). ``version=nltk`` is NLTK 3.10.0, whose value for a corpus is the mean that its callers
    take; with ``alignment=optimal`` words are aligned by the rule of 2005 in place of NLTK's greedy matching.
    ``version=1.5`` is CMU Meteor 1.5: paraphrases, weighted stages, function words, a beam search, pooled counts. Where a
    parameter is left out, the version decides.

    Sources: Banerjee and Lavie 2005, "METEOR: An automatic metric for MT evaluation with improved correlation with
    human judgments" (section 2.2); Lavie and Agarwal 2007 (the parameters); Denkowski and Lavie 2014 (version 1.5).
    """

    name, provider = "meteor", "native"
    higher_is_better = True
    releases_gil = True
    citation = (
        "Banerjee and Lavie 2005, METEOR; Lavie and Agarwal 2007, METEOR with high levels of correlation; Denkowski and "
        "Lavie 2014, Meteor Universal"
    )

    def __init__(
        self,
        *,
        version: Annotated[str, "Whose METEOR: NLTK's, or CMU Meteor 1.5", Choices("nltk", "1.5")] = "nltk",
        alpha: Annotated[float | None, "Weight of precision in the mean of precision and recall", Range(0, 1)] = None,
        beta: Annotated[float | None, "Exponent of the fragmentation", Range(0)] = None,
        gamma: Annotated[float | None, "Weight of the fragmentation penalty", Range(0, 1)] = None,
        delta: Annotated[float | None, "Weight of content words against function words (1.5)", Range(0, 1)] = None,
        stages: Annotated[
            str | None, "What words are matched by, with commas between: exact, stem, synonym, paraphrase (1.5)"
        ] = None,
        weights: Annotated[str | None, "Weight of each stage, with commas between (1.5)"] = None,
        stemmer: Annotated[
            str | Callable[[str], str],
            "Stemmer of the stem stage (nltk; default porter); a callable maps a word to its stem",
            Choices("default", *stems.NAMES),
        ] = "default",
        synonym_form: Annotated[
            Literal["stem", "word"] | None,
            "What synonyms are looked up for and compared with (nltk): the stem that the stem stage left, as NLTK does "
            "and by default, or the word",
        ] = None,
        preprocessing: Annotated[
            str | Callable[[str], str],
            "What is done first: words lowered (default of nltk), folded or left (default of 1.5); texts normalised "
            "(1.5's -norm); a callable maps a word to a word (nltk)",
            Choices("default", "lower", "casefold", "none", "normalize"),
        ] = "default",
        punctuation: Annotated[bool | None, "Keep punctuation where texts are normalised (1.5)"] = None,
        tokenize: Annotated[
            str | Callable[[str], Any] | None,
            "Tokenizer: a name, spm:<file>, or a callable that gives a text's words. Under 1.5 these are joined by spaces "
            "before texts are normalised (COCO: ptb); by default only white space parts words",
        ] = None,
        alignment: Annotated[
            Literal["greedy", "optimal", "beam"] | None,
            "How words are aligned: stage by stage from the end (nltk), as many as can be in the best order, or by "
            "Meteor 1.5's search",
        ] = None,
        tie: Annotated[
            Literal["crossings", "chunks"] | None, "What is best among optimal alignments: fewest crossings, or chunks"
        ] = None,
        search: Annotated[
            Literal["exact", "beam"] | None, "How optimal alignments are sought: exactly, or by a beam"
        ] = None,
        beam: Annotated[int | None, "Partial alignments that a beam keeps", Range(1, 10_000)] = None,
        budget: Annotated[int | None, "Partial alignments that the exact search looks at", Range(1)] = None,
        language: Annotated[str | None, "Language of the texts (1.5)", Choices(*NAMES)] = None,
        task: Annotated[str | None, "Task that the parameters were tuned to (1.5)", Choices(*TASKS)] = None,
        characters: Annotated[bool | None, "Count characters in place of words (1.5)"] = None,
        hashes: Annotated[
            bool | None, "Compare 32-bit hashes of words, as the Java program does, not the words (1.5)"
        ] = None,
        aggregation: Annotated[
            Literal["mean", "pooled"] | None, "Average case scores (default of nltk), or pool counts over cases"
        ] = None,
    ) -> None:
        self.version, self.alpha, self.beta, self.gamma, self.delta = version, alpha, beta, gamma, delta
        self.stages, self.weights, self.stemmer, self.synonym_form = stages, weights, stemmer, synonym_form
        self.preprocessing, self.punctuation, self.tokenize = preprocessing, punctuation, tokenize
        self.alignment, self.tie, self.search, self.beam, self.budget = alignment, tie, search, beam, budget
        self.language, self.task, self.characters, self.hashes = language, task, characters, hashes
        self.aggregation = aggregation
        self._way = cmu_meteor(self.parameters) if version == "1.5" else staged_meteor(self.parameters)
        self._pooled = (aggregation or ("pooled" if version == "1.5" else "mean")) == "pooled"
        self.resources = self._way.resources
        if not self._pooled:
            self.columns, self.outputs = ("meteor", "cases"), ("meteor",)
        elif isinstance(self._way, CmuMeteor):
            self.columns, self.outputs = COLUMNS, ("meteor", "precision", "recall", "f_mean", "penalty")
        else:
            self.columns = ("hypothesis_length", "reference_length", "matches", "chunks")
            self.outputs = ("meteor", "precision", "recall", "fragmentation")

    def tokens(self, text: str) -> list[str] | None:
        """
        Cut one text as the metric does; version 1.5 shows no words.
        """
        return None if isinstance(self._way, CmuMeteor) else self._way.tokenizer.tokens(text)

    def preprocess(self, cases: Cases) -> Words:
        """
        Cut the texts of a chunk into words.
        """
        return self._way.words(cases)

    def statistics(self, prepared: Words, constants: None) -> Matrix:
        """
        Match each case's words with those of its references, and keep its best score, or the counts behind that.
        """
        counts, scores = self._way.score(prepared)
        return counts if self._pooled else np.column_stack([scores, np.ones(len(scores))])

    def aggregate(self, sums: Matrix) -> Matrix:
        """
        Give the mean score, or the score of pooled counts with what it is made of.
        """
        return self._way.finish(sums) if self._pooled else np.asarray(sums[..., :1] / sums[..., 1:])

    def signature(self) -> Mapping[str, object]:
        """
        Give every convention in force, defaults of the version included.
        """
        facts: dict[str, object] = {"version": self.version, **self._way.facts()}
        facts["aggregation"] = "pooled" if self._pooled else "mean"
        facts["unicode"] = unicodedata.unidata_version
        return facts

    def data_signature(self, cases: Cases) -> Mapping[str, object]:
        """
        Give the number of references, which METEOR grows with.
        """
        few, many = int(cases.reference_counts.min()), int(cases.reference_counts.max())
        return {"references": str(few) if few == many else f"{few}-{many}"}

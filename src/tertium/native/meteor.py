"""
METEOR: words matched as they are, by stem and by meaning, with a penalty for matches in many pieces.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

import numpy as np

from tertium.cases import Cases
from tertium.errors import ParameterError, did_you_mean
from tertium.metric import Matrix, Metric
from tertium.native import stems
from tertium.native.meteor_staged import PREPROCESSING, STAGES, StagedMeteor, Words, score
from tertium.parameters import Choices, Range

DEFAULT_STAGES = ",".join(STAGES)


class Meteor(Metric):
    """
    Harmonic mean of unigram precision and recall, recall weighing more, over words matched as they are, by stem and by
    WordNet synonym; the more pieces the matches fall into, the lower the score. The best reference of each case counts.

    With m matches in c chunks, P = m/h and R = m/r: F = P R / (alpha P + (1 - alpha) R), and the score is
    F (1 - gamma (c/m)^beta). Defaults are those of NLTK 3.10.0, whose value for a corpus is the mean that its callers
    take.

    Sources: Banerjee and Lavie 2005, "METEOR: An automatic metric for MT evaluation with improved correlation with
    human judgments" (section 2.2); Lavie and Agarwal 2007 (the parameters).
    """

    name, provider = "meteor", "native"
    higher_is_better = True
    releases_gil = True
    citation = "Banerjee and Lavie 2005, METEOR; Lavie and Agarwal 2007, METEOR with high levels of correlation"

    def __init__(
        self,
        *,
        alpha: Annotated[float, "Weight of precision in the mean of precision and recall", Range(0, 1)] = 0.9,
        beta: Annotated[float, "Exponent of the fragmentation", Range(0)] = 3.0,
        gamma: Annotated[float, "Weight of the fragmentation penalty", Range(0, 1)] = 0.5,
        stages: Annotated[str, "What words are matched by: exact, stem, synonym, with commas between"] = DEFAULT_STAGES,
        stemmer: Annotated[
            str | Callable[[str], str],
            "Stemmer of the stem stage; a callable maps a word to its stem",
            Choices(*stems.NAMES),
        ] = "porter",
        synonym_form: Annotated[
            Literal["stem", "word"] | None,
            "What synonyms are looked up for and compared with: the stem that the stem stage left, as in NLTK and by "
            "default, or the word",
        ] = None,
        preprocessing: Annotated[
            str | Callable[[str], str],
            "What is done to each word first; a callable maps a word to a word",
            Choices(*PREPROCESSING),
        ] = "lower",
        tokenize: Annotated[
            str | Callable[[str], Any], "Tokenizer: a name, spm:<file>, or a callable that gives a text's words"
        ] = "whitespace",
        aggregation: Annotated[Literal["mean", "pooled"], "Average case scores, or pool counts over cases"] = "mean",
    ) -> None:
        self.alpha, self.beta, self.gamma = alpha, beta, gamma
        self.stages, self.stemmer, self.preprocessing = stages, stemmer, preprocessing
        self.synonym_form = synonym_form
        self.tokenize, self.aggregation = tokenize, aggregation
        chosen = self._checked_stages()
        if isinstance(stemmer, str):
            stems.check(stemmer, f"meteor@native with stemmer={stemmer!r}")
        form = self._checked_form(chosen)
        self._way = StagedMeteor(alpha, beta, gamma, chosen, stemmer, form, preprocessing, tokenize)
        self.resources = ("wordnet",) if "synonym" in chosen else ()
        if aggregation == "mean":
            self.columns, self.outputs = ("meteor", "cases"), ("meteor",)
        else:
            self.columns = ("hypothesis_length", "reference_length", "matches", "chunks")
            self.outputs = ("meteor", "precision", "recall", "fragmentation")

    def _checked_stages(self) -> tuple[str, ...]:
        named = [stage.strip() for stage in self.stages.split(",")]
        asked = f"meteor@native with stages={self.stages!r}"
        for stage in named:
            if stage not in STAGES:
                hint = did_you_mean(stage, STAGES) or "Name some of these"
                raise ParameterError(asked, f"the stages are {', '.join(STAGES)}, and {stage!r} is none of them", hint)
        if sorted(set(named), key=STAGES.index) != named:
            raise ParameterError(asked, f"stages come once each, in the order {', '.join(STAGES)}", "Reorder them")
        return tuple(named)

    def _checked_form(self, chosen: tuple[str, ...]) -> str:
        missing = [stage for stage in ("stem", "synonym") if stage not in chosen]
        if missing and self.synonym_form == "stem":
            raise ParameterError(
                f"meteor@native with synonym_form=stem and stages={self.stages!r}",
                f"there is no {missing[0]} stage",
                "Leave synonym_form out, or name the stage",
            )
        return self.synonym_form or ("word" if missing else "stem")

    def preprocess(self, cases: Cases) -> Words:
        """
        Cut the texts of a chunk into words.
        """
        return self._way.words(cases)

    def statistics(self, prepared: Words, constants: None) -> Matrix:
        """
        Match each case's words with those of its references, and keep its best score, or the counts behind that.
        """
        matching = self._way.match(prepared, self._way.keys(prepared))
        counts, scores = score(prepared, matching, (self.alpha, self.beta, self.gamma))
        return counts if self.aggregation == "pooled" else np.column_stack([scores, np.ones(len(scores))])

    def aggregate(self, sums: Matrix) -> Matrix:
        """
        Give the mean score, or the score of pooled counts with its precision, recall and fragmentation.
        """
        if self.aggregation == "mean":
            return np.asarray(sums[..., :1] / sums[..., 1:])
        length, wanted, matches, chunks = (sums[..., column] for column in range(4))
        none = matches == 0
        precision, recall = (np.where(none, 0.0, matches / total) for total in (length, wanted))
        mean = precision * recall / (self.alpha * precision + (1 - self.alpha) * recall)
        fragmentation = np.where(none, 0.0, chunks / matches)
        value = np.where(none, 0.0, (1 - self.gamma * fragmentation**self.beta) * mean)
        return np.stack([value, precision, recall, fragmentation], axis=-1)

    def signature(self) -> Mapping[str, object]:
        """
        Give the parameters, with what the tokenizer and the lower-casing depend on.
        """
        facts: dict[str, object] = {**self.parameters, "tokenize": self._way.tokenizer.signature}
        if self.preprocessing in ("lower", "casefold") or "synonym" in self._way.stages:
            facts["unicode"] = unicodedata.unidata_version
        return facts

    def data_signature(self, cases: Cases) -> Mapping[str, object]:
        """
        Give the number of references, which METEOR grows with.
        """
        few, many = int(cases.reference_counts.min()), int(cases.reference_counts.max())
        return {"references": str(few) if few == many else f"{few}-{many}"}

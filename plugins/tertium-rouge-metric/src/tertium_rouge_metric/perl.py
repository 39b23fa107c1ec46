"""
Let the Perl program ROUGE-1.5.5 compute ROUGE.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

import tertium
from tertium.errors import DataError, ParameterError, ProviderBroken, Refused
from tertium_rouge_metric import perl_program
from tertium_rouge_metric.python import CITATION, Alpha, MultiReference, SkipGap, Weight

Matrix = NDArray[np.float64]

_WORD = re.compile("[A-Za-z0-9]")

Stemming = Annotated[bool, "Stem words of more than 3 letters (-m)"]
ExceptionsChoice = Annotated[
    Literal["wordnet", "none"],
    "Irregular forms before the stemmer: those of WordNet 2.0, as the original package has them, or none, as "
    "rouge-metric leaves them by mistake",
]
RemoveStopwords = Annotated[bool, "Leave the SMART list's common words out (-s)"]
WordLimit = Annotated[int | None, "Keep that many words of each text (-l)", tertium.Range(1)]
ByteLimit = Annotated[int | None, "Keep that many bytes of each text (-b)", tertium.Range(1)]
Resampling = Annotated[int, "Resamples of the bootstrap whose means are printed (-r)", tertium.Range(1)]
CountingUnit = Annotated[Literal["sentence", "token"], "Resample the cases' scores, or their counts (-t 0, -t 1)"]


class PerlRouge(tertium.Metric):
    """
    Join what the types share: the program is started once for a corpus, and prints means over resamples of the cases'
    F, precision and recall, with five decimals.
    """

    provider = "rouge-perl"
    columns = ()
    outputs = ("fmeasure", "precision", "recall")
    scale = (0.0, 1.0)
    additive = False
    library, pinned = "rouge-metric", "1.0.1"
    resources = ("perl",)
    citation = CITATION

    multi_ref_mode: str
    alpha: float
    stemming: bool
    exceptions: str
    remove_stopwords: bool
    word_limit: int | None
    byte_limit: int | None
    resampling: int
    counting_unit: str

    def __init__(
        self,
        *,
        multi_ref_mode: MultiReference = "average",
        alpha: Alpha = 0.5,
        stemming: Stemming = False,
        exceptions: ExceptionsChoice = "wordnet",
        remove_stopwords: RemoveStopwords = False,
        word_limit: WordLimit = None,
        byte_limit: ByteLimit = None,
        resampling: Resampling = 1000,
        counting_unit: CountingUnit = "sentence",
    ) -> None:
        self.accept(locals())

    def accept(self, given: dict[str, Any]) -> None:
        """
        Keep the parameters, once they are known to go together.

        Args:
            given: The constructor's parameters by name (and ``self``).

        Raises:
            ParameterError: Two of them contradict each other.
        """
        for name, value in given.items():
            if name not in ("self", "__class__"):
                setattr(self, name, value)
        if self.word_limit is not None and self.byte_limit is not None:
            raise ParameterError(
                f"{self.name}@{self.provider} with word_limit={self.word_limit} and byte_limit={self.byte_limit}",
                "the program keeps to one limit",
                "Give one of them",
            )
        if self.exceptions == "none" and not self.stemming:
            raise ParameterError(
                f"{self.name}@{self.provider} with exceptions=none and stemming=false",
                "irregular forms are replaced where words are stemmed",
                "Give stemming=true, or leave exceptions out",
            )

    def _wanted(self) -> dict[str, Any]:
        """
        Give the options that choose the type.
        """
        return {"rouge_n_max": int(self.name.removeprefix("rouge"))}

    def preprocess(self, cases: tertium.Cases) -> tertium.Cases:
        """
        Return the cases.
        """
        return cases

    def corpus(self, prepared: tertium.Cases, constants: object) -> Matrix:
        """
        Return F, precision and recall as the program prints them.
        """
        bounds, texts = prepared.bounds.tolist(), prepared.flat_references
        found = perl_program.run(
            self.name.lower().replace("rouge", "rouge-"),
            prepared.hypotheses,
            [texts[bounds[case] : bounds[case + 1]] for case in range(len(prepared))],
            exceptions=self.stemming and self.exceptions == "wordnet",
            **{"rouge_n_max": -1, "rouge_l": False, **self._wanted()},
            alpha=self.alpha,
            stemming=self.stemming,
            remove_stopwords=self.remove_stopwords,
            scoring_formula=self.multi_ref_mode,
            word_limit=self.word_limit,
            byte_limit=self.byte_limit,
            resampling_points=self.resampling,
            counting_unit=0 if self.counting_unit == "sentence" else 1,
        )
        return np.array(found, dtype=np.float64)

    def statistics(self, prepared: tertium.Cases, constants: object) -> Matrix:
        """
        Refuse: what the program prints does not add up.
        """
        raise self._refusal()

    def aggregate(self, sums: Matrix) -> Matrix:
        """
        Refuse: there are no sums.
        """
        raise self._refusal()

    def _refusal(self) -> Refused:
        return Refused(
            f"{self.name}@{self.provider} was asked for counts that add up",
            "the program prints means over resamples of a whole corpus",
            f"Score the corpus, or take {self.name}@rouge-metric or {self.name}@native",
        )

    def equivalent(self) -> tertium.Spec:
        """
        Return the native spec that gives the same numbers, with the package's lists by their place.
        """
        params: dict[str, Any] = {"tokenizer": "rouge-1.5.5", "decimals": 5, "alpha": self.alpha}
        params["multi_reference"] = "pooled" if self.multi_ref_mode == "average" else "best-recall"
        params["corpus_value"] = "bootstrap" if self.counting_unit == "sentence" else "bootstrap-pooled"
        params |= {"resamples": self.resampling, "word_limit": self.word_limit, "byte_limit": self.byte_limit}
        if self.stemming:
            params["stemmer"] = "rouge-1.5.5"
            if self.exceptions == "wordnet":
                params["exceptions"] = str(perl_program.irregular_forms())
        if self.remove_stopwords:
            params["stopwords"] = str(perl_program.stopwords())
        name, own = self._native()
        return tertium.Spec(name, "native", params={**params, **own})

    def _native(self) -> tuple[str, dict[str, Any]]:
        return self.name, {}


class RougeL(PerlRouge):
    """
    Union of the longest common subsequences of each reference line with all output lines: means of F, precision and
    recall over resamples of the cases.
    """

    name = "rougeL"

    def _wanted(self) -> dict[str, Any]:
        return {"rouge_l": True}

    def _native(self) -> tuple[str, dict[str, Any]]:
        return "rougeLsum", {}


class RougeW(PerlRouge):
    """
    Weighted longest common subsequence of lines, which favours consecutive matches: means of F, precision and recall
    over resamples of the cases.
    """

    name = "rougeW"
    rouge_w_weight: float

    def __init__(
        self,
        *,
        rouge_w_weight: Weight = 1.2,
        multi_ref_mode: MultiReference = "average",
        alpha: Alpha = 0.5,
        stemming: Stemming = False,
        exceptions: ExceptionsChoice = "wordnet",
        remove_stopwords: RemoveStopwords = False,
        word_limit: WordLimit = None,
        byte_limit: ByteLimit = None,
        resampling: Resampling = 1000,
        counting_unit: CountingUnit = "sentence",
    ) -> None:
        self.accept(locals())

    def corpus(self, prepared: tertium.Cases, constants: object) -> Matrix:
        """
        Return F, precision and recall as the program prints them.

        Raises:
            DataError: The program divides by zero, as it does where a reference has no word.
        """
        try:
            return super().corpus(prepared, constants)
        except ProviderBroken as error:
            if "Illegal division by zero" not in error.truth:
                raise
            wordless = (case for case in prepared if not all(map(_WORD.search, case.references or ())))
            found = next(wordless, None)
            where = "a reference" if found is None else f"a reference of case {found.position} (id {found.id!r})"
            raise DataError(
                "rougeW@rouge-perl was asked for, and the program divides by zero",
                f"{where} has no word: words are made of a-z and 0-9",
                "Leave the case out, or score with rougeW@native, which gives it 0",
            ) from error

    def _wanted(self) -> dict[str, Any]:
        return {"rouge_w": True, "rouge_w_weight": self.rouge_w_weight}

    def _native(self) -> tuple[str, dict[str, Any]]:
        own: dict[str, Any] = {"credit": "runs", "double_weighting": True, "sentences": "newline"}
        return self.name, {**own, "weight": self.rouge_w_weight}


class PerlSkips(PerlRouge):
    """
    Join the types that count pairs of words with others between.
    """

    skip_gap: int | None

    def __init__(
        self,
        *,
        skip_gap: SkipGap = None,
        multi_ref_mode: MultiReference = "average",
        alpha: Alpha = 0.5,
        stemming: Stemming = False,
        exceptions: ExceptionsChoice = "wordnet",
        remove_stopwords: RemoveStopwords = False,
        word_limit: WordLimit = None,
        byte_limit: ByteLimit = None,
        resampling: Resampling = 1000,
        counting_unit: CountingUnit = "sentence",
    ) -> None:
        self.accept(locals())


class RougeS(PerlSkips):
    """
    Pairs of words in order, with others between, that output and reference share: means of F, precision and recall over
    resamples of the cases.
    """

    name = "rougeS"

    def _wanted(self) -> dict[str, Any]:
        return {"rouge_s": True, "skip_distance": self.skip_gap}

    def _native(self) -> tuple[str, dict[str, Any]]:
        return self.name, {"max_gap": self.skip_gap}


class RougeSU(PerlSkips):
    """
    Pairs of words in order, and single words but the last, that output and reference share: means of F, precision and
    recall over resamples of the cases.
    """

    name = "rougeSU"

    def _wanted(self) -> dict[str, Any]:
        return {"rouge_su": True, "skip_distance": self.skip_gap}

    def _native(self) -> tuple[str, dict[str, Any]]:
        return self.name, {"max_gap": self.skip_gap, "unigrams": "all-but-last"}


TYPES: tuple[type[PerlRouge], ...] = (RougeL, RougeW, RougeS, RougeSU)

"""
Let rouge compute ROUGE, pair by pair.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

import tertium
from tertium.errors import DataError

Matrix = NDArray[np.float64]


class Rouge(tertium.Metric):
    """
    Join what the types share: precision, recall and F1 of each case, and their means over the cases.

    The library takes one reference; of several the one with the best F1 counts, the first of equals.
    """

    provider = "rouge"
    columns = ("fmeasure", "precision", "recall", "cases")
    outputs = ("fmeasure", "precision", "recall")
    scale = (0.0, 1.0)
    library, pinned = "rouge", "1.0.1"
    citation = "Lin 2004, ROUGE: A Package for Automatic Evaluation of Summaries (Text Summarization Branches Out)"
    undefined = "there is no case to take the mean of, or ignore_empty leaves all of them out"
    refuses = "a text has nothing but full stops, and so no sentence, or a sentence too long for the library"

    key: ClassVar[str]
    """The library's own name of the type."""

    def __init__(
        self,
        *,
        exclusive: Annotated[bool, "Count each n-gram or word once, however often a text holds it"] = True,
        ignore_empty: Annotated[
            bool, "Leave out cases whose hypothesis or reference is '', which is an error else"
        ] = False,
    ) -> None:
        self.exclusive, self.ignore_empty = exclusive, ignore_empty

    def statistics(self, prepared: tertium.Cases, constants: object) -> Matrix:
        """
        Return F1, precision and recall of each case and a one, shape (cases, 4); zeros where a case is left out.

        Raises:
            DataError: The library refuses a text without sentences, or stops at one that is too long for it.
        """
        from rouge import Rouge as Library

        score = Library(metrics=[self.key], exclusive=self.exclusive).get_scores
        bounds, texts = prepared.bounds.tolist(), prepared.flat_references
        rows = np.zeros((len(prepared), 4))
        for case, hypothesis in enumerate(prepared.hypotheses):
            for reference in texts[bounds[case] : bounds[case + 1]]:
                if self.ignore_empty and not (hypothesis and reference):
                    continue
                try:
                    found = score([hypothesis], [reference])[0][self.key]
                except (ValueError, RecursionError) as error:
                    raise self._refused(prepared[case], error) from error
                if found["f"] > rows[case, 0] or not rows[case, 3]:
                    rows[case] = found["f"], found["p"], found["r"], 1.0
        return rows

    def _refused(self, case: Any, error: Exception) -> DataError:
        asked = f"{self.name}@rouge was asked for case {case.position} (id {case.id!r})"
        if isinstance(error, RecursionError):
            return DataError(
                asked,
                "a sentence is too long for the library, which calls itself once a word",
                "Put full stops between sentences, or score with the native metric",
            )
        return DataError(
            asked,
            f"the library stops there ({error}): a text without anything but full stops has no sentence",
            "Leave the case out (ignore_empty=true does so for ''), or score with the native metric, which gives 0",
        )

    def aggregate(self, sums: Matrix) -> Matrix:
        """
        Return the means of F1, precision and recall.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(sums[..., :3] / sums[..., 3:])

    def equivalent(self) -> tertium.Spec | None:
        """
        Return the native spec that gives the same numbers wherever the library gives one.

        None for n-grams of several words under ``ignore_empty``, where native leaves out texts without n-grams too.
        """
        params: dict[str, Any] = {"tokenizer": "periods", "f_epsilon": 1e-8}
        if self.ignore_empty:
            if self.name not in ("rouge1", "rougeL"):
                return None
            params["empty"] = "skip"
        return self._native(params)

    def _native(self, params: dict[str, Any]) -> tertium.Spec | None:
        params["counting"] = "set" if self.exclusive else "multiset"
        return tertium.Spec(self.name, "native", params=params)


class Rouge1(Rouge):
    """
    Words that output and reference share, each counted once: F1, precision and recall of each case, then their means.
    """

    name, key = "rouge1", "rouge-1"


class Rouge2(Rouge):
    """
    Word pairs that output and reference share, each counted once: F1, precision and recall of each case, then means.
    """

    name, key = "rouge2", "rouge-2"


class Rouge3(Rouge):
    """
    Word triples that output and reference share, each counted once: F1, precision and recall of each case, then means.
    """

    name, key = "rouge3", "rouge-3"


class Rouge4(Rouge):
    """
    Runs of 4 words that output and reference share, each counted once: F1, precision and recall of each case, then means.
    """

    name, key = "rouge4", "rouge-4"


class Rouge5(Rouge):
    """
    Runs of 5 words that output and reference share, each counted once: F1, precision and recall of each case, then means.
    """

    name, key = "rouge5", "rouge-5"


class RougeL(Rouge):
    """
    Union of the longest common subsequences of sentences, which end at each full stop: F1, precision and recall of each
    case, then their means.
    """

    name, key = "rougeL", "rouge-l"

    def _native(self, params: dict[str, Any]) -> tertium.Spec | None:
        if not self.exclusive:
            return None  # the library then adds up the subsequences of all pairs of sentences
        params |= {"sentences": "period", "credit": "distinct", "tie": "hypothesis"}
        return tertium.Spec("rougeLsum", "native", params=params)


TYPES: tuple[type[Rouge], ...] = (Rouge1, Rouge2, Rouge3, Rouge4, Rouge5, RougeL)

"""
Let NLTK compute edit distances.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

import tertium
from tertium_nltk import words

Matrix = NDArray[np.float64]


class Levenshtein(tertium.Metric):
    """
    Edit distance as NLTK's ``edit_distance`` computes it: the cheapest insertions, deletions and substitutions, and
    swaps of neighbours if asked for, that turn one text into the other; the mean over the cases.
    """

    name, provider = "levenshtein", "nltk"
    columns, outputs = ("edits", "length", "cases"), ("levenshtein", "edits", "length")
    scale, higher_is_better = (0.0, float("inf")), False
    library, pinned = "nltk", "3.10.0"
    citation = "Levenshtein 1966, Binary codes capable of correcting deletions, insertions, and reversals"
    undefined = "there is no case to average"

    def __init__(
        self,
        *,
        substitution_cost: Annotated[int, "Cost of a substitution; the others cost 1", tertium.Range(0)] = 1,
        transpositions: Annotated[
            bool, "Neighbours that change places cost 1, with edits between them as well"
        ] = False,
        tokenizer: Annotated[
            str | Callable[[str], Iterable[str]],
            "What is edited: characters (none), or words by a tokenizer; a callable maps a text to units",
            tertium.Choices("none", *words.TOKENIZERS),
        ] = "none",
    ) -> None:
        self.substitution_cost, self.transpositions, self.tokenizer = substitution_cost, transpositions, tokenizer

    def tokens(self, text: str) -> list[str]:
        """
        Cut one text as the metric does.
        """
        return list(text) if self.tokenizer == "none" else list(words.tokenizer(self.tokenizer)(text))

    def preprocess(self, cases: tertium.Cases) -> words.Prepared:
        """
        Return the units of hypotheses and of all references, and where each case's references begin and end.
        """
        return words.split(cases, list if self.tokenizer == "none" else self.tokenizer)

    def statistics(self, prepared: words.Prepared, constants: object) -> Matrix:
        """
        Return each case's distance from its nearest reference, that reference's length and 1; the first of equals counts.
        """
        from nltk.metrics.distance import edit_distance

        hypotheses, references, bounds = prepared
        rows = np.ones((len(hypotheses), 3))
        for case, hypothesis in enumerate(hypotheses):
            rows[case, :2] = min(
                (
                    (edit_distance(reference, hypothesis, self.substitution_cost, self.transpositions), len(reference))
                    for reference in references[bounds[case] : bounds[case + 1]]
                ),
                key=_edits,
            )
        return rows

    def aggregate(self, sums: Matrix) -> Matrix:
        """
        Return the mean distance, and the totals of edits and lengths.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = sums[..., 0] / sums[..., 2]
        return np.stack([mean, sums[..., 0], sums[..., 1]], axis=-1)

    def equivalent(self) -> tertium.Spec | None:
        """
        Return the native spec that gives the same numbers; None under other costs, callables and NLTK's own tokenizers.
        """
        if self.substitution_cost != 1 or self.tokenizer not in ("none", "whitespace"):
            return None
        params: dict[str, Any] = {"transpositions": "damerau" if self.transpositions else "none"}
        params |= {"unit": "codepoint"} if self.tokenizer == "none" else {"unit": "word", "split": "whitespace"}
        return tertium.Spec("levenshtein", "native", params=params)


def _edits(pair: tuple[int, int]) -> int:
    return pair[0]

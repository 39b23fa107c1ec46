"""
TER by sacreBLEU: Snover et al. 2006, after TERCOM.
"""

from __future__ import annotations

import math
from typing import Annotated, Any

import tertium
from tertium_sacrebleu.scorer import SacreBLEUMetric, Scorer, overheard

LONG = 250
"""Words from which on the library's limits on shifts (1,000 candidates, 50 words) decide the value."""


class TER(SacreBLEUMetric):
    """
    Fewest edits (insert, delete, substitute a word, shift a block) that turn the output into a reference, in percent
    of the mean length of its references. Edits and lengths are summed over the corpus; lower is better.
    """

    name = "ter"
    columns = ("edits", "reference_length")
    outputs = ("ter", "edits", "reference_length")
    scale = (0.0, math.inf)
    higher_is_better = False
    citation = (
        "Snover, Dorr, Schwartz, Micciulla and Makhoul 2006, A Study of Translation Edit Rate with Targeted Human "
        "Annotation (AMTA)"
    )

    def __init__(
        self,
        *,
        normalized: Annotated[bool, "Set punctuation off by spaces and resolve XML entities, as TERCOM does"] = False,
        no_punct: Annotated[bool, "Remove punctuation"] = False,
        asian_support: Annotated[
            bool, "Treat CJK characters and punctuation too, where normalized or no_punct is set"
        ] = False,
        case_sensitive: Annotated[bool, "Keep the case"] = False,
    ) -> None:
        self.normalized, self.no_punct = normalized, no_punct
        self.asian_support, self.case_sensitive = asian_support, case_sensitive

    def make_scorer(self) -> Scorer:
        """
        Make the library's TER.
        """
        import sacrebleu

        with overheard() as remarks:
            library = sacrebleu.TER(
                normalized=self.normalized,
                no_punct=self.no_punct,
                asian_support=self.asian_support,
                case_sensitive=self.case_sensitive,
            )
        return Scorer(library, tuple(remarks))

    def finalise(self, library: Any, row: list[float]) -> list[float]:
        """
        Return the outputs for one row of sums.
        """
        return [library._compute_score_from_stats(row).score, *row]

    def notes(self, cases: tertium.Cases) -> list[str]:
        """
        Return a note about outputs so long that the limits of the search decide their value.
        """
        notes = super().notes(cases)
        long = [case for case, text in enumerate(cases.hypotheses) if len(text) > LONG and len(text.split()) > LONG]
        if long:
            notes.append(
                f"{len(long):,} outputs have more than {LONG} words, the first is case {cases[long[0]].id}: the search "
                "looks at 1,000 shifts of at most 50 words and may miss cheaper ones"
            )
        return notes

    def equivalent(self) -> tertium.Spec:
        """
        Return the native spec that gives the same numbers.
        """
        return tertium.Spec("ter", "native", params=self.parameters)

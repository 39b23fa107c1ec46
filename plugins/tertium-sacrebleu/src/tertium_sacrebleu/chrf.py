"""
ChrF and chrF++ by sacreBLEU: Popović 2015 and 2017.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import tertium
from tertium import Range
from tertium_sacrebleu.scorer import SacreBLEUMetric, Scorer, overheard, refuse


class CHRF(SacreBLEUMetric):
    """
    F-score of character n-grams, and with ``word_order`` of word n-grams too, recall weighing ``beta`` times as much.
    The best reference of each case enters the counts, which are summed over the corpus; ``chrf++`` has word_order=2.
    """

    name = "chrf"
    aliases: ClassVar = {"chrf++": {"word_order": 2}}
    outputs = ("score",)
    scale = (0.0, 100.0)
    citation = (
        "Popović 2015, chrF: character n-gram F-score for automatic MT evaluation (WMT); "
        "Popović 2017, chrF++: words helping character n-grams (WMT)"
    )

    def __init__(
        self,
        *,
        char_order: Annotated[int, "Longest character n-gram; 0 for none", Range(0, 64)] = 6,
        word_order: Annotated[int, "Longest word n-gram; 0 for none, 2 for chrF++", Range(0, 64)] = 0,
        beta: Annotated[float, "Weight of recall against precision", Range(0, 1000)] = 2.0,
        lowercase: Annotated[bool, "Lower-case all texts first"] = False,
        whitespace: Annotated[bool, "Keep white space in character n-grams"] = False,
        eps_smoothing: Annotated[
            bool, "Average the F-score of every order, an empty one counting 1e-16, as chrF++.py does"
        ] = False,
    ) -> None:
        if char_order == word_order == 0:
            raise refuse(
                self, "char_order=0 and word_order=0", "no n-gram would be left", "Set one of them to 1 or more"
            )
        self.char_order, self.word_order, self.beta = char_order, word_order, beta
        self.lowercase, self.whitespace, self.eps_smoothing = lowercase, whitespace, eps_smoothing
        orders = [f"char_{n}" for n in range(1, char_order + 1)] + [f"word_{n}" for n in range(1, word_order + 1)]
        self.columns = tuple(f"{kind}_{order}" for order in orders for kind in ("hypothesis", "reference", "matches"))

    def make_scorer(self) -> Scorer:
        """
        Make the library's CHRF.
        """
        import sacrebleu

        with overheard() as remarks:
            library = sacrebleu.CHRF(
                char_order=self.char_order,
                word_order=self.word_order,
                # The library declares a whole number and computes with any; it prints the number into a name.
                beta=int(self.beta) if self.beta == int(self.beta) else self.beta,  # type: ignore[arg-type]
                lowercase=self.lowercase,
                whitespace=self.whitespace,
                eps_smoothing=self.eps_smoothing,
            )
        return Scorer(library, tuple(remarks))

    def finalise(self, library: Any, row: list[float]) -> list[float]:
        """
        Return the score for one row of sums.
        """
        return [library._compute_score_from_stats(row).score]

    def equivalent(self) -> tertium.Spec:
        """
        Return the native spec that gives the same numbers.
        """
        params: dict[str, Any] = {
            "char_order": self.char_order,
            "word_order": self.word_order,
            "beta": self.beta,
            "lowercase": self.lowercase,
            "whitespace": "keep" if self.whitespace else "remove",
        }
        if self.eps_smoothing:
            params |= {"order_average": "f-score", "epsilon": "sacrebleu"}
        return tertium.Spec("chrf", "native", params=params)

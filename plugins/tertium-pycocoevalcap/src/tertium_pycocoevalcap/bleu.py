"""
Let pycocoevalcap compute BLEU: its counts caption by caption, its scorer over their sums.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

import tertium
from tertium_pycocoevalcap.captions import Captioned, Prepared, TokenizerChoice, prepared

Matrix = NDArray[np.float64]


class Bleu(Captioned, tertium.Metric):
    """
    BLEU as the COCO caption evaluation computes it: counts pooled over the images, each precision padded by tiny
    amounts in place of smoothing, so that a score is small where it would be zero; from 0 to 1. A case is an image.
    """

    name, provider = "bleu", "pycocoevalcap"
    scale = (0.0, 1.0)
    library, pinned = "pycocoevalcap", "1.2"
    citation = "Papineni, Roukos, Ward, Zhu: Bleu: a Method for Automatic Evaluation of Machine Translation. ACL 2002"

    def __init__(
        self,
        *,
        n: Annotated[int, "Longest n-gram; the scorer counts up to 4", tertium.Range(1, 4)] = 4,
        option: Annotated[
            Literal["closest", "shortest", "average"], "Which length of several references counts"
        ] = "closest",
        tokenizer: TokenizerChoice = "ptb",
    ) -> None:
        self.n, self.option, self.tokenizer = n, option, tokenizer
        self.resources = ("java",) if tokenizer == "ptb" else ()
        orders = range(1, n + 1)
        self.columns = (
            *(f"matches_{order}" for order in orders),
            *(f"totals_{order}" for order in orders),
            "hypothesis_length",
            "reference_length",
        )
        self.outputs = ("bleu", *(f"bleu_{order}" for order in orders), *self.columns)
        # With Java each call starts a program, and its tokens can depend on the captions that follow.
        self.whole_corpus = tokenizer == "ptb"

    def preprocess(self, cases: tertium.Cases) -> Prepared:
        """
        Return the tokenized hypotheses, and the tokenized references of each case.
        """
        return prepared(cases, self.tokenizer)

    def statistics(self, prepared: Prepared, constants: object) -> Matrix:
        """
        Return the library's matches, n-grams and both lengths of each image.
        """
        from pycocoevalcap.bleu.bleu_scorer import BleuScorer

        hypotheses, references = prepared
        scorer = BleuScorer(n=self.n)
        for hypothesis, texts in zip(hypotheses, references, strict=True):
            scorer += (hypothesis, texts)
        rows = np.empty((len(hypotheses), len(self.columns)))
        for case, counts in enumerate(scorer.ctest):
            length = counts["testlen"]
            reference = scorer._single_reflen(counts["reflen"], self.option, length)
            rows[case] = [*counts["correct"][: self.n], *counts["guess"][: self.n], length, reference]
        return rows

    def aggregate(self, sums: Matrix) -> Matrix:
        """
        Return BLEU of every order and the sums of every row, by the library's scorer on summed counts.
        """
        from pycocoevalcap.bleu.bleu_scorer import BleuScorer

        flat = sums.reshape(-1, sums.shape[-1])
        found = np.empty((len(flat), len(self.outputs)))
        for place, row in enumerate(flat.tolist()):
            scorer = BleuScorer(n=self.n)
            counts: dict[str, Any] = {"correct": row[: self.n], "guess": row[self.n : 2 * self.n]}
            scorer.ctest = [{**counts, "testlen": row[-2], "reflen": [row[-1]]}]
            values = scorer.compute_score(option="closest")[0]  # of one length there is but one
            found[place] = [values[-1], *values, *row]
        return found.reshape(*sums.shape[:-1], len(self.outputs))

    def equivalent(self) -> tertium.Spec:
        """
        Return the native spec that gives the same numbers.
        """
        params: dict[str, Any] = {"tokenize": self.tokenizer, "max_order": self.n, "reference_length": self.option}
        params |= {"smoothing": "pad", "brevity": "padded", "no_match": "smooth", "percent": False}
        return tertium.Spec("bleu", "native", params=params)

"""
Let pycocoevalcap compute CIDEr-D, which it calls CIDEr.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

import tertium
from tertium.errors import DataError, ParameterError, Refused
from tertium_pycocoevalcap import ptb
from tertium_pycocoevalcap.captions import Captioned, Prepared, TokenizerChoice, prepared
from tertium_pycocoevalcap.document_frequency import LONGEST, DocumentFrequencies

Matrix = NDArray[np.float64]


class CiderD(Captioned, tertium.Metric):
    """
    CIDEr-D, which the COCO caption evaluation prints as CIDEr: n-grams weighed by their rarity over the images, compared
    by a clipped cosine with each reference and damped where lengths differ, times ten. A case is an image.
    """

    name, provider = "cider-d", "pycocoevalcap"
    columns, outputs, scale = ("cider-d", "cases"), ("cider-d",), (0.0, 10.0)
    library, pinned = "pycocoevalcap", "1.2"
    citation = (
        "R. Vedantam, C. L. Zitnick, D. Parikh (2015), CIDEr: Consensus-based image description evaluation, CVPR; "
        "CIDEr-D: section 7"
    )
    whole_corpus = True
    undefined = "there is no image to average"
    refuses = "no reference of the corpus holds a word, so that there are no document frequencies"

    def __init__(
        self,
        *,
        n: Annotated[int, "Longest n-gram; the mean is over the orders 1 to n", tertium.Range(1, 9)] = 4,
        sigma: Annotated[float, "Width of the Gaussian over length differences", tertium.Range(1e-6, 1e6)] = 6.0,
        tokenizer: TokenizerChoice = "ptb",
        document_frequency: Annotated[
            str, "Rarity of n-grams: over the scored references, or frozen", tertium.Choices("corpus", "file:<path>")
        ] = "corpus",
    ) -> None:
        self.n, self.sigma, self.tokenizer, self.document_frequency = n, sigma, tokenizer, document_frequency
        self.resources = ("java",) if tokenizer == "ptb" else ()
        # The library's scorer counts no longer n-grams than these, whatever n is.
        self._cooked = min(n, LONGEST)
        self._frozen: DocumentFrequencies | None = None
        if document_frequency != "corpus":
            self._frozen = DocumentFrequencies.load(document_frequency.removeprefix("file:"))
            self._check(self._frozen)

    def _check(self, frozen: DocumentFrequencies) -> None:
        asked = f"cider-d@pycocoevalcap was given the document frequencies {self.document_frequency!r}"
        if frozen.n < self._cooked:
            raise ParameterError(
                asked, f"they were built with n={frozen.n}, and this spec has n={self.n}", "Build them again"
            )
        if frozen.tokenizer != self.tokenizer:
            truth = f"they were built with tokenizer={frozen.tokenizer}, and this spec has tokenizer={self.tokenizer}"
            raise ParameterError(asked, truth, "Build them again")

    def preprocess(self, cases: tertium.Cases) -> Prepared:
        """
        Return the tokenized hypotheses, and the tokenized references of each case.
        """
        return prepared(cases, self.tokenizer)

    def statistics(self, prepared: Prepared, constants: object) -> Matrix:
        """
        Return each image's value and 1.
        """
        from pycocoevalcap.cider.cider_scorer import CiderScorer, cook_refs, cook_test

        if constants is not None:
            raise Refused(
                "constants were given to cider-d@pycocoevalcap",
                "it takes frozen document frequencies as a parameter, so that the signature names them",
                "Write document_frequency='file:<path>'",
            )
        hypotheses, references = prepared
        scorer = self._frozen.scorer(self.n, self.sigma) if self._frozen else CiderScorer(n=self.n, sigma=self.sigma)
        scorer.ctest = [cook_test(text, self._cooked) for text in hypotheses]
        scorer.crefs = [cook_refs(texts, self._cooked) for texts in references]
        if self._frozen:
            values = scorer.compute_cider()
        else:
            if not any(counts for texts in scorer.crefs for counts in texts):
                raise DataError(
                    "document frequencies were asked for",
                    "no reference holds a word, and the library stops there with a ValueError",
                    "Give references with words",
                )
            values = scorer.compute_score()[1]
        return np.column_stack([np.asarray(values, dtype=np.float64), np.ones(len(hypotheses))])

    def aggregate(self, sums: Matrix) -> Matrix:
        """
        Return the mean of the images' values.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(sums[..., :1] / sums[..., 1:])

    def signature(self) -> Mapping[str, object]:
        """
        Name frozen document frequencies by their content, not by where they lie.
        """
        facts: dict[str, Any] = self.parameters
        if self._frozen:
            facts["document_frequency"] = f"sha256:{self._frozen.digest}"
        return facts

    def equivalent(self) -> tertium.Spec:
        """
        Return the native spec that gives the same numbers; above the longest n-gram that is counted they are diluted.
        """
        # Lengths are numbers of bigrams among the n-grams that were counted: without bigrams all lengths are equal.
        sigma = None if self._cooked == 1 else self.sigma
        params: dict[str, Any] = {"n": self._cooked, "sigma": sigma, "tokenizer": self.tokenizer}
        params |= {"frequencies": self.document_frequency, "factor": 10.0 * self._cooked / self.n}
        return tertium.Spec("cider-d", "native", params=params)

    def notes(self, cases: tertium.Cases) -> list[str]:
        """
        Tell of weights that vanish, and of line separators that were taken for spaces.
        """
        found = []
        if self._frozen is None and len(cases) == 1:
            found.append(
                "document frequencies over one image weigh every n-gram by log(1) = 0, so the value is 0; "
                "give more images or frozen frequencies (document_frequency='file:<path>')"
            )
        if self.tokenizer == "ptb":
            broken = sum(ptb.one_line(text) != text for text in (*cases.hypotheses, *cases.flat_references))
            if broken:
                found.append(f"{broken:,} captions hold line separators, which were tokenized as spaces")
        return found

"""
Let pycocoevalcap compute ROUGE-L.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

import tertium
from tertium_pycocoevalcap.captions import Captioned, Prepared, TokenizerChoice, prepared

Matrix = NDArray[np.float64]


class RougeL(Captioned, tertium.Metric):
    """
    ROUGE-L as the COCO caption evaluation computes it: the longest common subsequence of words, the best precision and
    the best recall each over all references, and F that leans to recall; the mean over images. A case is an image.
    """

    name, provider = "rougeL", "pycocoevalcap"
    columns, outputs, scale = ("fmeasure", "cases"), ("fmeasure",), (0.0, 1.0)
    library, pinned = "pycocoevalcap", "1.2"
    citation = "Lin 2004, ROUGE: A Package for Automatic Evaluation of Summaries"
    undefined = "there is no image to average"

    def __init__(
        self,
        *,
        beta: Annotated[float, "How many times as much as precision recall weighs", tertium.Range(0, 1e6)] = 1.2,
        tokenizer: TokenizerChoice = "ptb",
    ) -> None:
        self.beta, self.tokenizer = beta, tokenizer
        self.resources = ("java",) if tokenizer == "ptb" else ()
        self.whole_corpus = tokenizer == "ptb"

    def preprocess(self, cases: tertium.Cases) -> Prepared:
        """
        Return the tokenized hypotheses, and the tokenized references of each case.
        """
        return prepared(cases, self.tokenizer)

    def statistics(self, prepared: Prepared, constants: object) -> Matrix:
        """
        Return each image's value and 1.
        """
        from pycocoevalcap.rouge.rouge import Rouge

        library = Rouge()
        library.beta = self.beta
        hypotheses, references = prepared
        values = [library.calc_score([text], texts) for text, texts in zip(hypotheses, references, strict=True)]
        return np.column_stack([np.array(values, dtype=np.float64), np.ones(len(values))])

    def aggregate(self, sums: Matrix) -> Matrix:
        """
        Return the mean of the images' values.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(sums[..., :1] / sums[..., 1:])

    def equivalent(self) -> tertium.Spec:
        """
        Return the native spec that gives the same numbers. An empty caption is one empty word, which equals another.
        """
        params: dict[str, Any] = {"multi_reference": "best-each", "beta": self.beta}
        if self.tokenizer == "ptb":
            params |= {"tokenizer": "ptb", "empty": "one"}
        else:
            params["tokenizer"] = "single-space"
        return tertium.Spec("rougeL", "native", params=params)

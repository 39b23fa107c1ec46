"""
Let rouge-metric compute ROUGE in Python.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

import tertium

Matrix = NDArray[np.float64]

CITATION = "Lin 2004, ROUGE: A Package for Automatic Evaluation of Summaries (Text Summarization Branches Out)"

MultiReference = Annotated[
    Literal["average", "best"], "Several references: counts summed over them, or the one with the best recall"
]
Alpha = Annotated[float, "F = PR / ((1 - alpha) P + alpha R); 0 is recall, 1 is precision", tertium.Range(0, 1)]
SkipGap = Annotated[
    int | None, "Words that may stand between the two of a pair; none is any number", tertium.Range(0, 9999)
]
Weight = Annotated[float, "Exponent that favours consecutive matches", tertium.Range(1, 7)]
SentencizerChoice = Annotated[
    str | Callable[[str], list[str]],
    "Where sentences end; a callable maps a text to sentences",
    tertium.Choices("newline"),
]
TokenizerChoice = Annotated[
    str | Callable[[str], list[str]],
    "How sentences become words, parted by white space; a callable maps a sentence to words",
    tertium.Choices("whitespace"),
]


class PyRouge(tertium.Metric):
    """
    Join what the types share: precision and recall of each case, their means, and F of the two means.
    """

    provider = "rouge-metric"
    columns = ("precision", "recall", "cases")
    outputs = ("fmeasure", "precision", "recall")
    scale = (0.0, 1.0)
    library, pinned = "rouge-metric", "1.0.1"
    citation = CITATION
    undefined = "there is no case to take the mean of"

    multi_ref_mode: str
    alpha: float
    sentencizer: str | Callable[[str], list[str]]
    tokenizer: str | Callable[[str], list[str]]

    def __init__(
        self,
        *,
        multi_ref_mode: MultiReference = "average",
        alpha: Alpha = 0.5,
        sentencizer: SentencizerChoice = "newline",
        tokenizer: TokenizerChoice = "whitespace",
    ) -> None:
        self.accept(locals())

    def accept(self, given: dict[str, Any]) -> None:
        """
        Keep the parameters.

        Args:
            given: The constructor's parameters by name (and ``self``).
        """
        for name, value in given.items():
            if name not in ("self", "__class__"):
                setattr(self, name, value)

    def _wanted(self) -> dict[str, Any]:
        """
        Give the library's arguments that choose the type.
        """
        return {"rouge_n": [int(self.name.removeprefix("rouge"))]}

    def statistics(self, prepared: tertium.Cases, constants: object) -> Matrix:
        """
        Return precision and recall of each case and a one, shape (cases, 3).
        """
        from rouge_metric import PyRouge as Library

        library = Library(
            **{"rouge_n": [], "rouge_l": False, **self._wanted()},
            multi_ref_mode=self.multi_ref_mode,
            alpha=self.alpha,
            mode="individual",
        )
        bounds, texts = prepared.bounds.tolist(), prepared.flat_references
        found = library.evaluate(
            list(prepared.hypotheses),
            [list(texts[bounds[case] : bounds[case + 1]]) for case in range(len(prepared))],
            sentencizer=self.sentencizer if callable(self.sentencizer) else None,
            tokenizer=self.tokenizer if callable(self.tokenizer) else None,
        )
        rows = np.ones((len(prepared), 3))
        for case, scores in enumerate(found):
            (values,) = scores.values()
            rows[case, :2] = values["p"], values["r"]
        return rows

    def aggregate(self, sums: Matrix) -> Matrix:
        """
        Return F of the means by the library, and the means of precision and recall.
        """
        from rouge_metric.py_rouge import _f_score

        with np.errstate(divide="ignore", invalid="ignore"):
            means = sums[..., :2] / sums[..., 2:]
        pairs = means.reshape(-1, 2).tolist()
        scores = [_f_score(*pair, self.alpha) if pair[0] == pair[0] else float("nan") for pair in pairs]
        return np.concatenate([np.array(scores).reshape(*means.shape[:-1], 1), means], axis=-1)

    def equivalent(self) -> tertium.Spec | None:
        """
        Return the native spec that gives the same numbers; None under callables.
        """
        if callable(self.sentencizer) or callable(self.tokenizer):
            return None
        params: dict[str, Any] = {"tokenizer": "whitespace", "corpus_value": "f-of-means", "alpha": self.alpha}
        params["multi_reference"] = "pooled" if self.multi_ref_mode == "average" else "best-recall"
        name, own = self._native()
        return tertium.Spec(name, "native", params={**params, **own})

    def _native(self) -> tuple[str, dict[str, Any]]:
        return self.name, {}


class RougeL(PyRouge):
    """
    Union of the longest common subsequences of each reference line with all output lines: precision and recall of each
    case, their means, and F of the means.
    """

    name = "rougeL"

    def _wanted(self) -> dict[str, Any]:
        return {"rouge_l": True}

    def _native(self) -> tuple[str, dict[str, Any]]:
        return "rougeLsum", {}


class RougeW(PyRouge):
    """
    Weighted longest common subsequence of lines, which favours consecutive matches: precision and recall of each case,
    their means, and F of the means.
    """

    name = "rougeW"
    rouge_w_weight: float

    def __init__(
        self,
        *,
        rouge_w_weight: Weight = 1.2,
        multi_ref_mode: MultiReference = "average",
        alpha: Alpha = 0.5,
        sentencizer: SentencizerChoice = "newline",
        tokenizer: TokenizerChoice = "whitespace",
    ) -> None:
        self.accept(locals())

    def _wanted(self) -> dict[str, Any]:
        return {"rouge_w": True, "rouge_w_weight": self.rouge_w_weight}

    def equivalent(self) -> tertium.Spec | None:
        """
        Return the native spec that gives the same numbers; None under callables, and for the best of several references.

        The library looks for the best recall with the reference's length weighed twice, the Perl program and native
        with it weighed once.
        """
        return None if self.multi_ref_mode == "best" else super().equivalent()

    def _native(self) -> tuple[str, dict[str, Any]]:
        own: dict[str, Any] = {"credit": "runs", "double_weighting": True, "sentences": "newline"}
        return self.name, {**own, "weight": self.rouge_w_weight}


class PySkips(PyRouge):
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
        sentencizer: SentencizerChoice = "newline",
        tokenizer: TokenizerChoice = "whitespace",
    ) -> None:
        self.accept(locals())


class RougeS(PySkips):
    """
    Pairs of words in order, with others between, that output and reference share: precision and recall of each case,
    their means, and F of the means.
    """

    name = "rougeS"

    def _wanted(self) -> dict[str, Any]:
        return {"rouge_s": True, "skip_gap": self.skip_gap}

    def _native(self) -> tuple[str, dict[str, Any]]:
        return self.name, {"max_gap": self.skip_gap}


class RougeSU(PySkips):
    """
    Pairs of words in order, and single words but the last, that output and reference share: precision and recall of each
    case, their means, and F of the means.
    """

    name = "rougeSU"

    def _wanted(self) -> dict[str, Any]:
        return {"rouge_su": True, "skip_gap": self.skip_gap}

    def _native(self) -> tuple[str, dict[str, Any]]:
        return self.name, {"max_gap": self.skip_gap, "unigrams": "all-but-last"}


class Rouge1(PyRouge):
    """
    Words that output and reference share, clipped: precision and recall of each case, their
    means, and F of the means.
    """

    name = "rouge1"


class Rouge2(PyRouge):
    """
    Word pairs that output and reference share, clipped: precision and recall of each case, their
    means, and F of the means.
    """

    name = "rouge2"


class Rouge3(PyRouge):
    """
    Word triples that output and reference share, clipped: precision and recall of each case, their
    means, and F of the means.
    """

    name = "rouge3"


class Rouge4(PyRouge):
    """
    Runs of 4 words that output and reference share, clipped: precision and recall of each case, their
    means, and F of the means.
    """

    name = "rouge4"


class Rouge5(PyRouge):
    """
    Runs of 5 words that output and reference share, clipped: precision and recall of each case, their
    means, and F of the means.
    """

    name = "rouge5"


class Rouge6(PyRouge):
    """
    Runs of 6 words that output and reference share, clipped: precision and recall of each case, their
    means, and F of the means.
    """

    name = "rouge6"


class Rouge7(PyRouge):
    """
    Runs of 7 words that output and reference share, clipped: precision and recall of each case, their
    means, and F of the means.
    """

    name = "rouge7"


class Rouge8(PyRouge):
    """
    Runs of 8 words that output and reference share, clipped: precision and recall of each case, their
    means, and F of the means.
    """

    name = "rouge8"


class Rouge9(PyRouge):
    """
    Runs of 9 words that output and reference share, clipped: precision and recall of each case, their
    means, and F of the means.
    """

    name = "rouge9"


TYPES: tuple[type[PyRouge], ...] = (
    *(Rouge1, Rouge2, Rouge3, Rouge4, Rouge5, Rouge6, Rouge7, Rouge8, Rouge9),
    *(RougeL, RougeW, RougeS, RougeSU),
)

"""
Let TorchMetrics compute ROUGE.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import metadata
from typing import Annotated, Any, Literal

import numpy as np

import tertium
from tertium.errors import ResourceMissing
from tertium_torchmetrics.tensors import Matrix, TorchMetric, references

Stemmer = Annotated[bool, "Strip suffixes of words of more than 3 letters (NLTK's Porter stemmer)"]
Accumulate = Annotated[Literal["best", "avg"], "Several references: the one with the best F, or the mean over them"]
NormalizerChoice = Annotated[
    str | Callable[[str], str],
    "What is done first: lower-case, and all but a-z and 0-9 to spaces; a callable maps a text to a text",
    tertium.Choices("alphanumeric"),
]
TokenizerChoice = Annotated[
    str | Callable[[str], Sequence[str]],
    "Where words end then: at white space; a callable maps a text to words",
    tertium.Choices("whitespace"),
]


class Rouge(TorchMetric):
    """
    Join what the types share: precision, recall and F of each case, and their means.
    """

    columns = ("fmeasure", "precision", "recall", "cases")
    outputs = ("fmeasure", "precision", "recall")
    scale = (0.0, 1.0)
    undefined = "there is no case to take the mean of"
    citation = "Lin 2004, ROUGE: A Package for Automatic Evaluation of Summaries (Text Summarization Branches Out)"
    use_stemmer: bool
    accumulate: str
    normalizer: str | Callable[[str], str]
    tokenizer: str | Callable[[str], Sequence[str]]

    def __init__(
        self,
        *,
        use_stemmer: Stemmer = False,
        accumulate: Accumulate = "best",
        normalizer: NormalizerChoice = "alphanumeric",
        tokenizer: TokenizerChoice = "whitespace",
    ) -> None:
        self.accept(locals())

    def statistics(self, prepared: tertium.Cases, constants: object) -> Matrix:
        """
        Return F, precision and recall of each case and a one, shape (cases, 4).
        """
        import torch
        from torchmetrics.functional.text.rouge import ALLOWED_ROUGE_KEYS, _rouge_score_update

        key = ALLOWED_ROUGE_KEYS[self.name]
        own = [one if callable(one) else None for one in (self.normalizer, self.tokenizer)]
        with torch.no_grad():
            texts = list(prepared.hypotheses), references(prepared)
            found = _rouge_score_update(*texts, [key], self.accumulate, _stemmer() if self.use_stemmer else None, *own)
        rows = np.ones((len(prepared), 4))
        rows[:, :3] = [[float(scores[name]) for name in self.outputs] for scores in found[key]]
        return rows

    def finalise(self, sums: Any) -> Sequence[Any]:
        """
        Return the means, which the library takes in the same precision.
        """
        return list(sums[:3] / sums[3])

    def signature(self) -> Mapping[str, object]:
        """
        Add NLTK's version where its code takes part.
        """
        return {**super().signature(), **({"nltk": metadata.version("nltk")} if self._uses_nltk() else {})}

    def _uses_nltk(self) -> bool:
        return self.use_stemmer

    def equivalent(self) -> tertium.Spec | None:
        """
        Return the native spec that gives the same numbers; None under callables.
        """
        if callable(self.normalizer) or callable(self.tokenizer):
            return None
        params = {"multi_reference": "mean" if self.accumulate == "avg" else "best-f", **self._sentences()}
        return tertium.Spec(self.name, "native", params={**params, **({"stemmer": "nltk"} if self.use_stemmer else {})})

    def _sentences(self) -> dict[str, Any]:
        return {}


def _stemmer() -> Any:
    from nltk.stem.porter import PorterStemmer

    return PorterStemmer()


class RougeLsum(Rouge):
    """
    Union of the longest common subsequences of each reference sentence with all output sentences: F, precision and
    recall of each case, then their means. Sentences are those that NLTK's Punkt model finds.
    """

    name = "rougeLsum"

    def statistics(self, prepared: tertium.Cases, constants: object) -> Matrix:
        """
        Return F, precision and recall of each case and a one, once the model is there.

        Raises:
            ResourceMissing: It is not in NLTK's data path, from where the library would go and fetch it.
        """
        import nltk

        try:
            nltk.data.find("tokenizers/punkt_tab/english/")
        except LookupError:
            raise ResourceMissing(
                "punkt_tab",
                "the library lets NLTK find sentences, and its model is nowhere in NLTK's data path",
                "python -m nltk.downloader punkt_tab",
            ) from None
        return super().statistics(prepared, constants)

    def _uses_nltk(self) -> bool:
        return True

    def _sentences(self) -> dict[str, Any]:
        return {"sentences": "nltk"}


class RougeL(Rouge):
    """
    Longest common subsequence of words, each text taken as one sequence: F, precision and recall of each case, then
    their means.
    """

    name = "rougeL"


class Rouge1(Rouge):
    """
    Words that output and reference share, clipped: F, precision and recall of each case, then their means.
    """

    name = "rouge1"


class Rouge2(Rouge):
    """
    Word pairs that output and reference share, clipped: F, precision and recall of each case, then their means.
    """

    name = "rouge2"


class Rouge3(Rouge):
    """
    Word triples that output and reference share, clipped: F, precision and recall of each case, then their means.
    """

    name = "rouge3"


class Rouge4(Rouge):
    """
    Runs of 4 words that output and reference share, clipped: F, precision and recall of each case, then their means.
    """

    name = "rouge4"


class Rouge5(Rouge):
    """
    Runs of 5 words that output and reference share, clipped: F, precision and recall of each case, then their means.
    """

    name = "rouge5"


class Rouge6(Rouge):
    """
    Runs of 6 words that output and reference share, clipped: F, precision and recall of each case, then their means.
    """

    name = "rouge6"


class Rouge7(Rouge):
    """
    Runs of 7 words that output and reference share, clipped: F, precision and recall of each case, then their means.
    """

    name = "rouge7"


class Rouge8(Rouge):
    """
    Runs of 8 words that output and reference share, clipped: F, precision and recall of each case, then their means.
    """

    name = "rouge8"


class Rouge9(Rouge):
    """
    Runs of 9 words that output and reference share, clipped: F, precision and recall of each case, then their means.
    """

    name = "rouge9"


TYPES: tuple[type[Rouge], ...] = (
    *(Rouge1, Rouge2, Rouge3, Rouge4, Rouge5, Rouge6, Rouge7, Rouge8, Rouge9),
    *(RougeL, RougeLsum),
)

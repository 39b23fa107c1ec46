"""
Exact match under a normaliser of one's choice.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from typing import Annotated, Any

import numpy as np

from tertium.cases import Cases
from tertium.errors import BadText
from tertium.metric import Matrix, Metric
from tertium.native.text_changes import STEPS as PLAIN
from tertium.native.text_changes import Change
from tertium.native.text_steps import TAKEN, read
from tertium.native.tokenizers.squad import normal_answer, normal_answer_in_browser
from tertium.parameters import Choices

STEPS: Mapping[str, Change] = {**PLAIN, "squad": normal_answer, "squad-browser": normal_answer_in_browser}
"""The steps that take nothing."""


class ExactMatch(Metric):
    """
    Share of cases whose output equals one of its references, after normalising both.

    A normaliser is one step, or several joined by ``+`` that are taken one after the other, for instance
    ``nfkc+casefold+whitespace``:

    - ``none``: texts as they are, code point by code point;
    - ``lowercase``, ``casefold``: Unicode's full mappings, as ``str.lower`` and ``str.casefold`` apply them;
    - ``strip``: no white space at either end; ``whitespace``: nor more than one space between words;
    - ``punctuation``: without the 32 ASCII punctuation characters; ``strip-punctuation``: without any of Unicode's;
    - ``nfc``, ``nfd``, ``nfkc``, ``nfkd``: Unicode's normal forms;
    - ``squad``, ``squad-browser``: as the SQuAD evaluators in Python and in the browser;
    - ``replace-words({"colour": "color"})`` and the other steps of error rates (``tertium show wer``).
    """

    name = "exact-match"
    provider = "native"
    citation = (
        "Rajpurkar, Zhang, Lopyrev, Liang: SQuAD: 100,000+ Questions for Machine Comprehension of Text. EMNLP 2016"
    )
    columns = ("matches", "cases")
    outputs = ("exact_match",)
    releases_gil = True  # comparing strings takes no time worth a process

    def __init__(
        self,
        *,
        normalizer: Annotated[
            str | Callable[[str], str],
            "Steps with + between them, or a function from text to text",
            Choices(*STEPS, *TAKEN, "<step>+<step>", offers="normalizers"),
        ] = "none",
        percent: Annotated[bool, "Percent, not a share"] = False,
    ) -> None:
        self.normalizer, self.percent = normalizer, percent
        self.scale = (0.0, 100.0 if percent else 1.0)
        self._steps = self._checked_steps()

    def _checked_steps(self) -> list[Callable[[str], str]]:
        if not isinstance(self.normalizer, str):
            return [self.normalizer]
        label = f"exact-match@native cannot take normalizer={self.normalizer!r}"
        return list(read(self.normalizer, label))

    def normalize(self, text: str) -> str:
        """
        Give the form of a text that is compared.
        """
        for step in self._steps:
            text = step(text)
            if not isinstance(text, str):
                raise BadText(
                    f"normalizer {self.normalizer!r}", f"gave a {type(text).__name__}", "Let it give a text for a text"
                )
        return text

    def statistics(self, prepared: Cases, constants: None) -> Matrix:
        """
        Count matches and cases.
        """
        hypotheses: list[str] | tuple[str, ...] = prepared.hypotheses
        references: list[str] | tuple[str, ...] = prepared.flat_references
        if self._steps:
            hypotheses = [self.normalize(text) for text in hypotheses]
            references = [self.normalize(text) for text in references]
        rows = np.ones((len(hypotheses), 2))
        if len(references) == len(hypotheses):  # one each: nobody has none
            rows[:, 0] = [text == goal for text, goal in zip(hypotheses, references, strict=True)]
        else:
            ends = prepared.bounds.tolist()
            rows[:, 0] = [text in references[ends[i] : ends[i + 1]] for i, text in enumerate(hypotheses)]
        return rows

    def aggregate(self, sums: Matrix) -> Matrix:
        """
        Give the share of matches.
        """
        share: Matrix = sums[..., :1] / sums[..., 1:] * self.scale[1]
        return share

    def signature(self) -> Mapping[str, object]:
        """
        Give the parameters, with the version of Unicode where a step depends on it.
        """
        facts: dict[str, Any] = dict(self.parameters)
        if self._steps:
            facts["unicode"] = unicodedata.unidata_version
        return facts

"""
Prepare captions as the COCO caption evaluation hands them to its scorers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import tertium
from tertium_pycocoevalcap import ptb

Prepared = tuple[list[str], list[list[str]]]
"""The hypotheses, and the references of each case, as texts whose tokens stand a space apart."""

TokenizerChoice = Annotated[
    Literal["ptb", "none"], "The library's Java tokenizer, or none: captions as they are, case kept"
]


def prepared(cases: tertium.Cases, tokenizer: str) -> Prepared:
    """
    Tokenize all captions, or leave them as they are.
    """
    references, hypotheses = list(cases.flat_references), list(cases.hypotheses)
    if tokenizer == "ptb":
        references, hypotheses = ptb.tokenize(references, hypotheses)
    bounds = cases.bounds.tolist()
    return hypotheses, [references[bounds[i] : bounds[i + 1]] for i in range(len(hypotheses))]


class Captioned:
    """
    Let a metric on captions know of many small corpora at once, so that Java starts once for all of them.
    """

    tokenizer: str

    def anticipate(self, corpora: Sequence[tertium.Cases]) -> None:
        """
        Tokenize ahead what is going to be scored, each corpus on its own.
        """
        if self.tokenizer == "ptb":
            ptb.tokenize_ahead([column for cases in corpora for column in (cases.flat_references, cases.hypotheses)])

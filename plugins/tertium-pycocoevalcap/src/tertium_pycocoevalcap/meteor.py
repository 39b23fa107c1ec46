"""
Let pycocoevalcap's Java program compute Meteor 1.5.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

import tertium
from tertium_pycocoevalcap import meteor_program
from tertium_pycocoevalcap.captions import Captioned, Prepared, TokenizerChoice, prepared

if TYPE_CHECKING:
    from tertium_pycocoevalcap.meteor_program import Program

Matrix = NDArray[np.float64]

_STAGES = ("exact", "stem", "synonym", "paraphrase")
_COLUMNS = (
    *("hypothesis_length", "reference_length", "hypothesis_function", "reference_function"),
    *(
        f"{side}_{kind}_{stage}"
        for stage in _STAGES
        for kind in ("content", "function")
        for side in ("hypothesis", "reference")
    ),
    *("chunks", "hypothesis_matches", "reference_matches"),
)

_CHUNKS = _COLUMNS.index("chunks")


class Meteor(Captioned, tertium.Metric):
    """
    Meteor 1.5 as the COCO caption evaluation computes it, by the authors' Java program for English with its own
    normaliser: words and phrases matched as they are, by stem, synonym and paraphrase; the score of pooled counts.
    """

    name, provider = "meteor", "pycocoevalcap"
    columns, outputs, scale = _COLUMNS, ("meteor",), (0.0, 1.0)
    library, pinned = "pycocoevalcap", "1.2"
    citation = (
        "Denkowski and Lavie 2014, Meteor Universal: language specific translation evaluation for any target language"
    )
    resources = ("java",)
    # Each worker would start a program that takes a gigabyte, and tokens can depend on the captions that follow.
    whole_corpus = True

    def __init__(self, *, tokenizer: TokenizerChoice = "ptb") -> None:
        self.tokenizer = tokenizer
        self._program: Program | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_program": None}

    def _running(self) -> Program:
        self._program = meteor_program.program()  # held, so that it runs as long as this metric is used
        return self._program

    def anticipate(self, corpora: Sequence[tertium.Cases]) -> None:
        """
        Tokenize ahead what is going to be scored, and start the program once for all.
        """
        super().anticipate(corpora)
        meteor_program.keep()

    def notes(self, cases: tertium.Cases) -> list[str]:
        """
        Note how many captions hold what parts the program's lines.
        """
        texts = (*cases.hypotheses, *cases.flat_references)
        count = sum(1 for text in texts if meteor_program.SEPARATOR in text or meteor_program.BREAKS.search(text))
        if not count:
            return []
        held = "1 caption holds" if count == 1 else f"{count:,} captions hold"
        return [
            f"{held} line breaks or |||, which part the program's lines: scored with spaces, or nothing, in their place"
        ]

    def preprocess(self, cases: tertium.Cases) -> Prepared:
        """
        Return the tokenized hypotheses, and the tokenized references of each case.
        """
        return prepared(cases, self.tokenizer)

    def statistics(self, prepared: Prepared, constants: object) -> Matrix:
        """
        Return the program's counts of each image with its best reference, shape (cases, 23).

        Where all words match in one piece the program counts no chunk before it pools, and so does this.
        """
        running = self._running()
        hypotheses, references = prepared
        rows = [running.counts(text, texts) for text, texts in zip(hypotheses, references, strict=True)]
        found = np.array(rows, dtype=np.float64).reshape(len(rows), meteor_program.COUNTS)
        matched = np.stack([found[:, 4:_CHUNKS:2].sum(axis=1), found[:, 5:_CHUNKS:2].sum(axis=1)], axis=1)
        found[(matched == found[:, :2]).all(axis=1) & (found[:, _CHUNKS] <= 1), _CHUNKS] = 0.0
        return found

    def aggregate(self, sums: Matrix) -> Matrix:
        """
        Return the program's score of every row of sums.
        """
        flat = sums.reshape(-1, sums.shape[-1])
        scores = self._running().scores(flat.tolist())
        return np.array(scores, dtype=np.float64).reshape(*sums.shape[:-1], 1)

    def equivalent(self) -> tertium.Spec:
        """
        Return the native spec that gives the same numbers.
        """
        params: dict[str, Any] = {"version": "1.5", "preprocessing": "normalize"}
        if self.tokenizer == "ptb":
            params["tokenize"] = "ptb"
        return tertium.Spec("meteor", "native", params=params)

"""
Exact match and F1 of extractive answers by the rules of the SQuAD evaluators.
"""

from __future__ import annotations

import unicodedata
from abc import abstractmethod
from collections.abc import Mapping
from typing import Annotated, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tertium.cases import Cases
from tertium.errors import MissingReferences, ParameterError
from tertium.metric import Matrix, Metric
from tertium.native.cache import reference_tokens
from tertium.native.columns import TokenColumn
from tertium.native.tokenizers.squad import ANSWERS, BROWSER_ANSWERS
from tertium.native.tokenizers.tokenizer import Tokenizer

Longs = NDArray[np.int64]
Rules = Annotated[Literal["v2.0", "v1.1", "browser"], "Whose rules: the official scripts', or the browser's evaluator"]
EmptyGold = Annotated[
    Literal["drop", "keep"] | None,
    "Answers that normalise to nothing, beside others: none for what the rules say (v2.0 drops, the others keep them)",
]
Percent = Annotated[bool, "Percent, as the scripts print, not a share"]


class Prepared(NamedTuple):
    """
    Hold the tokens of a chunk; every case has at least one answer.
    """

    hypotheses: TokenColumn
    answers: TokenColumn
    bounds: Longs
    raw_hypotheses: tuple[str, ...]
    raw_answers: tuple[str, ...]


class _Squad(Metric):
    """
    Join what the two metrics share.
    """

    provider = "native"
    citation = (
        "Rajpurkar, Zhang, Lopyrev, Liang: SQuAD: 100,000+ Questions for Machine Comprehension of Text. EMNLP 2016; "
        "Rajpurkar, Jia, Liang: Know What You Don't Know: Unanswerable Questions for SQuAD. ACL 2018"
    )
    releases_gil = True
    rules: Literal["v2.0", "v1.1", "browser"]
    empty_gold: Literal["drop", "keep"] | None
    percent: bool

    def _set(
        self, rules: Literal["v2.0", "v1.1", "browser"], empty_gold: Literal["drop", "keep"] | None, percent: bool
    ) -> None:
        self.rules, self.empty_gold, self.percent = rules, empty_gold, percent
        self.scale = (0.0, 100.0 if percent else 1.0)
        if rules == "browser" and empty_gold == "drop":
            raise ParameterError(
                f"{self.name}@native cannot take empty_gold=drop with rules=browser",
                "the browser's evaluator knows no normalised answers before it scores them",
                "Use rules=v2.0, or leave empty_gold out",
            )
        self._drops = (empty_gold or ("drop" if rules == "v2.0" else "keep")) == "drop"
        # who drops empty answers, or substitutes for none, can do without any
        without = self._drops or rules == "browser"
        self.needs = frozenset({"reference-lists" if without else "references"})

    @property
    def _tokenizer(self) -> Tokenizer:
        return BROWSER_ANSWERS if self.rules == "browser" else ANSWERS

    def tokens(self, text: str) -> list[str]:
        """
        Cut one text as the metric does.
        """
        return self._tokenizer.tokens(text)

    def preprocess(self, cases: Cases) -> Prepared:
        """
        Cut a chunk into words; a case with an empty list of answers gets the empty one.

        Raises:
            MissingReferences: A case has no list of answers at all.
        """
        if cases.absent:
            case = cases[min(cases.absent)]
            raise MissingReferences(f"{self.name}@native", case.position, case.id, len(cases.absent), False)
        texts, bounds = cases.flat_references, np.array(cases.bounds, np.int64)
        counts = np.diff(bounds)
        if not counts.all():
            rows = [row or ("",) for row in cases.references]
            texts = tuple(text for row in rows for text in row)
            bounds = np.concatenate([[0], np.cumsum(np.maximum(counts, 1))])
        answers = reference_tokens(texts, self._tokenizer)
        hypotheses = self._tokenizer.column(cases.hypotheses, answers.vocabulary)
        return Prepared(hypotheses, answers, bounds, cases.hypotheses, texts)

    def statistics(self, prepared: Prepared, constants: None) -> Matrix:
        """
        Sum the best value over each case's answers.
        """
        hypotheses, answers, bounds, raw_hypotheses, raw_answers = prepared
        counts = np.diff(bounds)
        owners = np.repeat(np.arange(len(hypotheses)), counts)
        values = self._values(hypotheses, answers, owners)
        if self.rules == "browser":
            # an empty answer is compared with the prediction as it is
            for row in np.flatnonzero([text == "" for text in raw_answers]):
                values[row] = raw_hypotheses[owners[row]] == ""
        if self._drops:
            # of answers that normalise to nothing, one stands for all where there are no others
            full = answers.lengths > 0
            values[~full & np.logical_or.reduceat(full, bounds[:-1])[owners]] = 0
        rows = np.ones((len(hypotheses), 2))
        rows[:, 0] = np.maximum.reduceat(values, bounds[:-1])
        return rows

    @abstractmethod
    def _values(self, hypotheses: TokenColumn, answers: TokenColumn, owners: Longs) -> Matrix: ...

    def aggregate(self, sums: Matrix) -> Matrix:
        """
        Give the mean over cases.
        """
        mean: Matrix = sums[..., :1] / sums[..., 1:] * self.scale[1]
        return mean

    def signature(self) -> Mapping[str, object]:
        """
        Give the parameters, the rule for empty answers in force, and the version of Unicode.
        """
        empty = "drop" if self._drops else "keep"
        return {**self.parameters, "empty_gold": empty, "unicode": unicodedata.unidata_version}


class SquadEm(_Squad):
    """
    Share of questions whose answer equals a gold answer, after lower-casing and without punctuation and articles.

    The rules are those of evaluate-v2.0.py (the default), of evaluate-v1.1.py, or of the evaluator that runs in the
    browser. A question without gold answers has the empty one, in v2.0 also where all normalise to nothing.

    TorchMetrics 1.9.0 ``squad``: ``empty_gold=keep``.
    """

    name = "squad-em"
    columns = ("exact", "cases")
    outputs = ("exact",)

    def __init__(self, *, rules: Rules = "v2.0", empty_gold: EmptyGold = None, percent: Percent = True) -> None:
        self._set(rules, empty_gold, percent)

    def _values(self, hypotheses: TokenColumn, answers: TokenColumn, owners: Longs) -> Matrix:
        from tertium.native.squad_words import same_rows

        same = np.empty(len(owners), np.uint8)
        same_rows(hypotheses.ids, hypotheses.offsets, owners, answers.ids, answers.offsets, same)
        return same.astype(np.float64)


class SquadF1(_Squad):
    """
    Mean over questions of the best F1 between the words of the answer and those of a gold answer.

    With m words in common (each at most as often as either side has it), precision P is m over the answer's words,
    recall R is m over the gold answer's, and F1 is 2PR / (P + R). Where either side has no words, v2.0 gives 1 if both
    have none, else 0; v1.1 gives 0; in the browser a text without words has one empty word.

    The rules are those of evaluate-v2.0.py (the default), of evaluate-v1.1.py, or of the evaluator that runs in the
    browser. A question without gold answers has the empty one, in v2.0 also where all normalise to nothing.

    TorchMetrics 1.9.0 ``squad``: ``empty_gold=keep``.
    """

    name = "squad-f1"
    columns = ("f1", "cases")
    outputs = ("f1",)

    def __init__(self, *, rules: Rules = "v2.0", empty_gold: EmptyGold = None, percent: Percent = True) -> None:
        self._set(rules, empty_gold, percent)

    def _values(self, hypotheses: TokenColumn, answers: TokenColumn, owners: Longs) -> Matrix:
        from tertium.native.overlap_bags import COMMON, overlaps

        common = overlaps(hypotheses, answers, owners, np.arange(len(owners) + 1))[:, COMMON]
        words, gold = hypotheses.lengths[owners], answers.lengths
        precision, recall = common / np.maximum(words, 1), common / np.maximum(gold, 1)
        values: Matrix = np.where(common > 0, 2 * precision * recall / np.where(common > 0, precision + recall, 1), 0.0)
        if self.rules == "v2.0":
            values[(words == 0) & (gold == 0)] = 1
        return values

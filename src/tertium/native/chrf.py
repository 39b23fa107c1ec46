"""
chrF and chrF++: F-score over character (and word) n-grams.
"""

from __future__ import annotations

import functools
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from tertium.cases import Cases
from tertium.errors import ParameterError, Refused
from tertium.metric import Matrix, Metric
from tertium.native.cache import Memo, key_bytes
from tertium.native.columns import Offsets, SpanColumn, TextColumn, code_points, joined_with_room, text_column
from tertium.parameters import Range

TINY = 1e-16
ASCII_SPACES = "\t\n\v\f\r "
Reals = NDArray[np.float64]


@dataclass(frozen=True)
class Units:
    """
    Hold one side of the cases: characters by row, and words where words count.
    """

    characters: TextColumn
    words: SpanColumn | None

    @property
    def nbytes(self) -> int:
        """
        Give the memory that the columns take.
        """
        return self.characters.nbytes + (0 if self.words is None else self.words.nbytes)


REFERENCES: Memo[Units] = Memo(256 << 20)
"""References as columns, by the rules that made them and their texts, 256 MB."""


class Chrf(Metric):
    """
    F-score over character n-grams, and word n-grams for chrF++, with recall weighted beta times as much as precision.
    The best reference of each case counts, and counts are pooled over the corpus.

    For each order n, clipped matches m, hypothesis total h and reference total r: P = m/h, R = m/r, and
    F = (1 + beta^2) P R / (beta^2 P + R). ``order_average`` says whether P and R are averaged over the orders present
    on both sides before F is taken (Popović 2015 as in sacreBLEU), or F is taken for each order and averaged over all
    of them (Popović 2017's chrF++.py, NLTK, torchmetrics). Defaults are those of sacreBLEU 2.6.0.

    Sources: Popović 2015, "chrF: character n-gram F-score for automatic MT evaluation" (equation 1); Popović 2017,
    "chrF++: words helping character n-grams".
    """

    name, provider = "chrf", "native"
    higher_is_better = True
    releases_gil = True
    citation = "Popović 2015, chrF: character n-gram F-score for automatic MT evaluation; Popović 2017, chrF++"
    aliases = MappingProxyType({"chrf++": MappingProxyType({"word_order": 2})})

    def __init__(
        self,
        *,
        char_order: Annotated[int, "Longest character n-gram", Range(0, 64)] = 6,
        word_order: Annotated[int, "Longest word n-gram (2 is chrF++)", Range(0, 64)] = 0,
        beta: Annotated[float, "Weight of recall against precision", Range(0, 1e6)] = 2.0,
        lowercase: Annotated[bool, "Lower-case all texts first"] = False,
        whitespace: Annotated[
            Literal["remove", "remove-unicode", "remove-space", "keep"],
            "White space in character n-grams: remove what str.split splits at, remove Unicode White_Space, strip the "
            "ends and remove U+0020, or keep all",
        ] = "remove",
        unit: Annotated[Literal["character", "byte"], "Code point, or byte of UTF-8 (Python 2)"] = "character",
        order_average: Annotated[
            Literal["precision-recall", "precision-recall-all", "f-score"],
            "Average P and R over the orders present on both sides, or over all, then F; or average F over all orders",
        ] = "precision-recall",
        epsilon: Annotated[
            Literal["sacrebleu", "nltk", "torchmetrics", "chrf++.py", "zero"] | None,
            "Value of an order that cannot be formed, where F is averaged over orders",
        ] = None,
        hypothesis_counts: Annotated[
            Literal["with-reference", "always"],
            "Whether a hypothesis total counts only where the reference has n-grams of that order",
        ] = "with-reference",
        zero_selection: Annotated[
            Literal["first", "hypothesis", "previous"],
            "What enters the pool where no reference scores above 0: the first reference's counts, the hypothesis' "
            "totals alone (torchmetrics), or the previous case's counts once more (a fault of chrF++.py)",
        ] = "first",
        aggregation: Annotated[Literal["pooled", "mean"], "Pool counts over cases, or average case scores"] = "pooled",
        percent: Annotated[bool, "Scores from 0 to 100, not from 0 to 1"] = True,
    ) -> None:
        self.char_order, self.word_order, self.beta = char_order, word_order, beta
        self.lowercase, self.whitespace, self.unit = lowercase, whitespace, unit
        self.order_average, self.epsilon, self.hypothesis_counts = order_average, epsilon, hypothesis_counts
        self.zero_selection, self.aggregation, self.percent = zero_selection, aggregation, percent
        if char_order + word_order == 0:
            raise ParameterError(
                "chrf(char_order=0,word_order=0)", "there is no n-gram to count", "Give one order above 0"
            )
        if epsilon is not None and order_average != "f-score":
            raise ParameterError(
                f"chrf(epsilon={epsilon},order_average={order_average})",
                "where P and R are averaged an order that cannot be formed is left out or 0, so no epsilon is used",
                "Give order_average=f-score, or leave epsilon out",
            )
        if zero_selection == "previous" and aggregation == "mean":
            raise ParameterError(
                "chrf(zero_selection=previous,aggregation=mean)",
                "counts of the previous case enter a pool, and a mean has none",
                "Give aggregation=pooled, or leave zero_selection out",
            )
        names = [f"char_{n}" for n in range(1, char_order + 1)] + [f"word_{n}" for n in range(1, word_order + 1)]
        if aggregation == "pooled":
            self.columns = tuple(f"{kind}_{name}" for name in names for kind in ("hypothesis", "reference", "matches"))
            self.outputs = ("score", "precision", "recall")
        else:
            self.columns, self.outputs = ("score", "cases"), ("score",)
        self.scale = (0.0, 100.0 if percent else 1.0)
        # The previous case's counts are needed, so the corpus cannot be cut.
        self.whole_corpus = self.order_dependent = zero_selection == "previous"

    def preprocess(self, cases: Cases) -> Any:
        """
        Turn texts into columns of characters and words.
        """
        key: Hashable = (self.lowercase, self.whitespace == "remove-space", self.unit, self.word_order > 0)
        texts = cases.flat_references

        def size(made: Units) -> int:
            return made.nbytes + key_bytes(texts)

        references = REFERENCES.get((key, texts), lambda: self._units(texts), size)
        return self._units(cases.hypotheses), references, cases.bounds, cases.positions

    def _units(self, texts: Sequence[str]) -> Units:
        from tertium.native.tokenizers.chrf import BYTE_WORDS, WORDS, as_bytes

        if self.lowercase:
            texts = [text.lower() for text in texts]
        if self.whitespace == "remove-space" and self.unit == "character":
            texts = [text.strip() for text in texts]
        if self.unit == "byte":
            texts = as_bytes(texts)
            if self.whitespace == "remove-space":
                texts = [text.strip(ASCII_SPACES) for text in texts]
        characters = text_column(texts, joined_with_room(texts))
        cutter = WORDS if self.unit == "character" else BYTE_WORDS
        return Units(characters, cutter.spans_of(characters) if self.word_order else None)

    def statistics(self, prepared: Any, constants: Any) -> Matrix:
        """
        Count, for each case, n-grams of both sides and matches with its best reference.
        """
        hypotheses, references, bounds, positions = prepared
        hyp, ref, match = self._counts(hypotheses, references, bounds)
        scores = self._f_scores(hyp, ref, match, sentence=True)
        best, best_score = _best(scores, bounds)
        if self.aggregation == "mean":
            return np.column_stack([best_score, np.ones(len(best_score))])
        chosen = np.stack([hyp[best], ref[best], match[best]], axis=-1)
        if self.zero_selection != "first":
            self._select_zero(chosen, best_score, positions)
        return chosen.reshape(len(best), -1)

    def _counts(self, hypotheses: Units, references: Units, bounds: Offsets) -> tuple[Reals, Reals, Reals]:
        from tertium.native.numbering import case_numbers
        from tertium.native.shared_grams import shared_characters, shared_grams

        parts: list[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]] = []
        if self.char_order:
            dropped = _dropped(self.whitespace, self.unit)
            characters = hypotheses.characters, references.characters
            parts.append(shared_characters(*characters, bounds, self.char_order, dropped))
        if hypotheses.words is not None and references.words is not None:
            left, right = hypotheses.words, references.words
            numbers = case_numbers(left, right, bounds)
            matches = shared_grams(numbers[0], left.offsets, numbers[1], right.offsets, bounds, self.word_order)
            parts.append((matches, left.lengths, right.lengths))
        owner = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
        counts: list[tuple[Reals, Reals, Reals]] = []
        for matches, ours, theirs in parts:
            shorter = np.arange(matches.shape[1])
            hyp, ref = (np.maximum(lengths[:, None] - shorter, 0.0) for lengths in (ours[owner], theirs))
            counts.append((hyp, ref, matches.astype(np.float64)))
        hyp, ref, match = (np.concatenate(columns, axis=1) for columns in zip(*counts, strict=True))
        if self.hypothesis_counts == "with-reference":
            hyp[ref == 0] = 0
        return hyp, ref, match

    def _select_zero(self, chosen: Reals, best_score: Reals, positions: Any) -> None:
        for case in np.flatnonzero(best_score <= 0):
            if self.zero_selection == "hypothesis":
                chosen[case, :, 1:] = 0
            elif case == 0:
                raise Refused(
                    "chrf(zero_selection=previous)",
                    f"the first case (position {int(positions[0])}) scores 0, so there are no previous counts; chrF++.py fails here too",
                    "Give zero_selection=first",
                )
            else:
                chosen[case] = chosen[case - 1]

    def aggregate(self, sums: Matrix) -> Matrix:
        """
        Return the score (and mean precision and recall) of summed counts.
        """
        return self._finish(sums, sentence=False)

    def per_case(self, statistics: Matrix) -> Matrix:
        """
        Return each case's own score; under ``epsilon=chrf++.py`` its unmatched orders count 0 and not 1e-16.
        """
        return self._finish(statistics, sentence=True)

    def _finish(self, sums: Matrix, sentence: bool) -> Matrix:
        if self.aggregation == "mean":
            return sums[..., :1] / sums[..., 1:]
        counts = sums.reshape(*sums.shape[:-1], self.char_order + self.word_order, 3)
        hyp, ref, match = counts[..., 0], counts[..., 1], counts[..., 2]
        both = (hyp > 0) & (ref > 0)
        present = both.sum(axis=-1)
        precision = np.where(both, match / hyp, 0.0).sum(axis=-1)
        recall = np.where(both, match / ref, 0.0).sum(axis=-1)
        means = [np.where(present > 0, total / np.maximum(present, 1), 0.0) for total in (precision, recall)]
        score = self._f_scores(hyp, ref, match, sentence=sentence)
        return np.stack([score, self.scale[1] * means[0], self.scale[1] * means[1]], axis=-1)

    def _f_scores(self, hyp: Reals, ref: Reals, match: Reals, *, sentence: bool) -> Reals:
        # Orders are added up one after the other, as the reference programs do: two references tie for us exactly
        # where they tie there.
        factor = self.beta**2
        orders = hyp.shape[-1]
        with np.errstate(divide="ignore", invalid="ignore"):
            if self.order_average != "f-score":
                precision, recall, present = (np.zeros(hyp.shape[:-1]) for _ in range(3))
                for n in range(orders):
                    both = (hyp[..., n] > 0) & (ref[..., n] > 0)
                    precision += np.where(both, match[..., n] / hyp[..., n], 0.0)
                    recall += np.where(both, match[..., n] / ref[..., n], 0.0)
                    present += both
                divisor = np.maximum(present, 1) if self.order_average == "precision-recall" else float(orders)
                precision /= divisor
                recall /= divisor
                score = (1 + factor) * precision * recall / (factor * precision + recall)
                found: Reals = self.scale[1] * np.where(precision + recall > 0, score, 0.0)
                return found
            rule = self.epsilon or "sacrebleu"
            groups = [range(self.char_order), range(self.char_order, orders)]
            sums: list[Reals] = [np.zeros(hyp.shape[:-1]) for _ in groups]
            for group, total in zip(groups, sums, strict=True):
                for n in group:
                    total += _f_score(hyp[..., n], ref[..., n], match[..., n], factor, rule, sentence)
                if rule != "chrf++.py" and group is groups[0]:
                    sums[1] += total
            mean: Reals = self.scale[1] * (sums[0] + sums[1] if rule == "chrf++.py" else sums[1]) / orders
            return mean


def _f_score(hyp: Reals, ref: Reals, match: Reals, factor: float, rule: str, sentence: bool) -> Reals:
    precision, recall = match / hyp, match / ref
    if rule == "torchmetrics":
        precision, recall = np.where(hyp > 0, precision, 0.0), np.where(ref > 0, recall, 0.0)
        floored: Reals = (1 + factor) * precision * recall / np.maximum(factor * precision + recall, TINY)
        return floored
    if rule in ("sacrebleu", "chrf++.py"):
        precision, recall = np.where(hyp > 0, precision, TINY), np.where(ref > 0, recall, TINY)
    score = (1 + factor) * (precision * recall) / (factor * precision + recall)
    formed = (hyp > 0) & (ref > 0) & (match > 0)
    if rule in ("sacrebleu", "chrf++.py"):
        score = (1 + factor) * precision * recall / (factor * precision + recall)
        formed = factor * precision + recall > 0
        if rule == "chrf++.py" and sentence:
            formed, rule = match > 0, "zero"
    value: Reals = np.where(formed, score, 0.0 if rule == "zero" else TINY)
    return value


def _best(scores: Reals, bounds: Offsets) -> tuple[NDArray[np.int64], Reals]:
    """
    Find each case's first reference with the highest score.
    """
    if len(bounds) - 1 == len(scores):
        return np.arange(len(scores)), scores
    best = np.maximum.reduceat(scores, bounds[:-1])
    hits = np.flatnonzero(scores == np.repeat(best, np.diff(bounds)))
    owner = np.searchsorted(bounds, hits, side="right") - 1
    _, first = np.unique(owner, return_index=True)
    return hits[first], best


@functools.cache
def _dropped(whitespace: str, unit: str) -> NDArray[np.bool_]:
    """
    Tell for each code point up to the last white space whether character n-grams leave it out.
    """
    dropped = np.zeros(0x3001, np.bool_)
    if whitespace == "remove-space":
        dropped[0x20] = True
    elif whitespace != "keep" and unit == "byte":
        dropped[code_points(ASCII_SPACES)] = True
    elif whitespace != "keep":
        dropped[[point for point in range(0x3001) if chr(point).isspace()]] = True
        if whitespace == "remove-unicode":  # the property White_Space lacks the four information separators
            dropped[0x1C:0x20] = False
    return dropped

"""
BLEU with every convention of its implementations as a parameter.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np

from tertium.cases import Cases
from tertium.errors import ParameterError
from tertium.metric import Matrix, Metric
from tertium.native.bleu_smoothing import (
    SYNONYMS,
    VALUES,
    Counts,
    Floats,
    brevity_penalty,
    by_order,
    geometric_mean,
    precisions,
)
from tertium.native.cache import reference_spans
from tertium.native.columns import Offsets, SpanColumn
from tertium.native.tokenizers import NAMES, Tokenizer, tokenizer
from tertium.parameters import Choices, Range

Smoothing = Literal[
    "none", "floor", "add-k", "add-k-all", "exp", "pad",
    "nltk-0", "nltk-1", "nltk-2", "nltk-3", "nltk-4", "nltk-5", "nltk-6", "nltk-7",
]  # fmt: skip
Lengths = Literal["closest", "closest-first", "shortest", "longest", "average"]

MECAB = {"ja-mecab": "mecab-ja", "ko-mecab": "mecab-ko"}


class Prepared(NamedTuple):
    """
    Hold the tokens of a chunk.
    """

    hypotheses: SpanColumn
    references: SpanColumn
    bounds: Offsets


class Bleu(Metric):
    """
    Geometric mean of the n-gram precisions of a corpus, times a penalty for being shorter than the references.

    With c tokens in all hypotheses, r the sum over cases of the effective reference length, and for each order n
    the clipped matches m_n and the number of hypothesis n-grams t_n, both summed over cases::

        BLEU = min(1, exp(1 - r/c)) * exp(sum_n w_n * log(m_n / t_n))

    Source: Papineni, Roukos, Ward and Zhu, Bleu: a Method for Automatic Evaluation of Machine Translation, ACL 2002.
    A match is clipped for each n-gram to the highest count in one reference of the case. With several references an
    empty text is a reference of length zero.

    The defaults equal sacreBLEU 2.6.0's ``corpus_score``; ``effective_order=true`` gives its ``sentence_score``. Other
    implementations as points in the parameter space:

    - NLTK 3.10.0 ``corpus_bleu`` (tokens split at white space): ``tokenize=none, smoothing=none, zero_precision=tiny,
      denominator_floor=case, percent=false``; method N: ``smoothing=nltk-N, zero_precision=skip``. Methods 5 to 7 read the
      last case's text: equal for one case only. ``auto_reweigh`` is its option of that name.
    - TorchMetrics 1.9.0: ``tokenize=none, smoothing=none, reference_length=closest-first, percent=false``; with
      ``smooth=True``: ``smoothing=add-k, no_match=zero-any``. It computes in single precision.
    - TorchEval 0.0.7: ``tokenize=none, smoothing=none, reference_length=shortest, percent=false``; it refuses a corpus
      without n-grams of some order.
    - pycocoevalcap 1.2: ``tokenize=none, smoothing=pad, brevity=padded, no_match=smooth, percent=false``.
    - bleuscore 0.2.0: ``tokenize=mteval-v13a, smoothing=none, reference_length=shortest, percent=false``; with
      ``smooth=True``: ``smoothing=add-k-all, no_match=smooth``.
    - PyTorch-Ignite 0.5.5: ``tokenize=none, smoothing=none, aggregation=mean, percent=false``; ``smooth1``: ``smoothing=floor,
      denominator_floor=corpus``; ``smooth2``: ``smoothing=add-k``; ``nltk_smooth2``: that and ``denominator_floor=corpus``.
    - mteval-v13a.pl: ``tokenize=mteval-v13a, lowercase=true, missing_order=one, no_match=smooth, percent=false``; with
      ``--no-smoothing``: ``tokenize=mteval-v13a, lowercase=true, smoothing=none, percent=false``.
    """

    name = "bleu"
    provider = "native"
    citation = "Papineni, Roukos, Ward, Zhu: Bleu: a Method for Automatic Evaluation of Machine Translation. ACL 2002"
    releases_gil = True

    def __init__(
        self,
        *,
        tokenize: Annotated[
            str | Callable[[str], Any],
            "How texts are cut into tokens",
            Choices(*NAMES, "spm:<file>", offers="tokenizers"),
        ] = "13a",
        lowercase: Annotated[bool, "Lower the case of each text first"] = False,
        max_order: Annotated[int, "The longest n-gram", Range(1, 100)] = 4,
        weights: Annotated[str, "Weights of the orders: uniform, or numbers with commas between them"] = "uniform",
        smoothing: Annotated[Smoothing, "What stands in for orders without a match"] = "exp",
        smooth_value: Annotated[
            float | None, "Value of floor (0.1), add-k (1), nltk-4, nltk-6, nltk-7 (5)", Range(0, 1e9)
        ] = None,
        no_match: Annotated[
            Literal["zero", "zero-any", "smooth"],
            "Before smoothing: 0 if nothing matches at all, 0 if some order has no match, or smooth all the same",
        ] = "zero",
        zero_precision: Annotated[
            Literal["zero", "tiny", "skip"],
            "After smoothing: a zero precision makes the score 0, counts as 2.2e-308, or is left out",
        ] = "zero",
        effective_order: Annotated[bool, "Leave out orders of which the hypotheses have no n-gram"] = False,
        missing_order: Annotated[
            Literal["zero", "one"], "Precision of an order of which the hypotheses have no n-gram"
        ] = "zero",
        denominator_floor: Annotated[
            Literal["none", "case", "corpus"], "Count at least one n-gram of each order, in each case or in all"
        ] = "none",
        reference_length: Annotated[Lengths, "Which length of a case's references counts"] = "closest",
        brevity: Annotated[Literal["exact", "padded"], "Brevity penalty from lengths as they are or padded"] = "exact",
        auto_reweigh: Annotated[bool, "Under four tokens, weigh only the orders that these allow"] = False,
        aggregation: Annotated[
            Literal["pooled", "mean"], "Pool counts over cases, or take the mean of the cases' scores"
        ] = "pooled",
        percent: Annotated[bool, "Scores and precisions from 0 to 100, not from 0 to 1"] = True,
    ) -> None:
        self.tokenize, self.lowercase, self.max_order, self.weights = tokenize, lowercase, max_order, str(weights)
        self.smoothing, self.smooth_value = smoothing, smooth_value
        self.no_match, self.zero_precision = no_match, zero_precision
        self.effective_order, self.missing_order = effective_order, missing_order
        self.denominator_floor, self.reference_length = denominator_floor, reference_length
        self.brevity, self.auto_reweigh, self.aggregation = brevity, auto_reweigh, aggregation
        self.percent = percent
        self.scale = (0.0, 100.0 if percent else 1.0)
        self._rule = SYNONYMS.get(smoothing, smoothing)
        self._weights = self._checked_weights()
        self._check_combination()
        self._value = float(VALUES.get(self._rule, 0.0) if smooth_value is None else smooth_value)
        # nltk-5 and nltk-7 look at 5-grams, whatever the longest n-gram is
        self._counted = max(max_order, 5) if self._rule in ("nltk-5", "nltk-7") else max_order
        counted = range(1, self._counted + 1)
        self.columns = (
            *(f"matches_{order}" for order in counted),
            *(f"totals_{order}" for order in counted),
            "hypothesis_length",
            "reference_length",
            *((f"ngrams_{order}" for order in counted) if self._rule == "nltk-6" else ()),
            *(("sentence_bleu", "cases") if aggregation == "mean" else ()),
        )
        orders = range(1, max_order + 1)
        self.outputs = (
            "bleu",
            *(f"precision_{order}" for order in orders),
            "brevity_penalty",
            "hypothesis_length",
            "reference_length",
            *(f"matches_{order}" for order in orders),
            *(f"totals_{order}" for order in orders),
        )
        self.undefined = "smoothing=nltk-6 is not defined where no trigram matches" if self._rule == "nltk-6" else ""
        self.resources = (MECAB[tokenize],) if isinstance(tokenize, str) and tokenize in MECAB else ()

    def _checked_weights(self) -> Floats:
        if self.weights == "uniform":
            return np.full(self.max_order, 1 / self.max_order)
        try:
            numbers = [float(part) for part in self.weights.replace(",", " ").split()]
        except ValueError:
            numbers = []
        if not numbers or not np.isfinite(numbers).all() or min(numbers) < 0 or max(numbers) == 0:
            raise ParameterError(
                f"bleu@native cannot take weights={self.weights!r}",
                "it takes uniform, or numbers of at least 0, not all 0, with commas between them",
                "Write for instance weights='0.4,0.3,0.2,0.1'",
            )
        if len(numbers) != self.max_order:
            raise ParameterError(
                f"bleu@native cannot take weights={self.weights!r} with max_order={self.max_order}",
                f"these are {len(numbers)} weights for {self.max_order} orders",
                f"Give {self.max_order} weights, or max_order={len(numbers)}",
            )
        return np.array(numbers)

    def _check_combination(self) -> None:
        clashes = (
            (
                self.smooth_value is not None and self._rule not in VALUES,
                f"smooth_value={self.smooth_value} with smoothing={self.smoothing}",
                f"only {', '.join(VALUES)} take a value",
            ),
            (
                self.smooth_value is not None and self.smooth_value < 1e-9 and self._rule in ("nltk-4", "nltk-7"),
                f"smooth_value={self.smooth_value} with smoothing={self.smoothing}",
                "the rule divides by its value",
            ),
            (
                self.effective_order and self.missing_order == "one",
                "effective_order=true with missing_order=one",
                "an order without n-grams is either left out or has precision 1",
            ),
            (
                self.effective_order and self.denominator_floor != "none",
                f"effective_order=true with denominator_floor={self.denominator_floor}",
                "no order is without n-grams when at least one is counted",
            ),
            (
                self.missing_order == "one" and self.denominator_floor != "none",
                f"missing_order=one with denominator_floor={self.denominator_floor}",
                "no order is without n-grams when at least one is counted",
            ),
            (
                self._rule == "pad" and (self.effective_order or self.missing_order == "one"),
                f"smoothing=pad with {'effective_order=true' if self.effective_order else 'missing_order=one'}",
                "padding gives every order a precision",
            ),
            (
                self._rule == "nltk-6" and self.max_order < 3,
                f"smoothing={self.smoothing} with max_order={self.max_order}",
                "the rule guesses orders above two from those below",
            ),
            (
                self._rule == "nltk-6" and self.aggregation == "mean",
                f"smoothing={self.smoothing} with aggregation=mean",
                "the score of a case in which no trigram matches is undefined, and so is their mean",
            ),
            (
                self.auto_reweigh and (self.weights != "uniform" or self.max_order != 4),
                f"auto_reweigh=true with weights={self.weights} and max_order={self.max_order}",
                "it changes four uniform weights and no others",
            ),
            (
                self.auto_reweigh and self.effective_order,
                "auto_reweigh=true with effective_order=true",
                "both choose the orders of a short text",
            ),
        )
        for clash, asked, truth in clashes:
            if clash:
                raise ParameterError(f"bleu@native cannot take {asked}", truth, "Leave one of them out")

    @property
    def _tokenizer(self) -> Tokenizer:
        return tokenizer(self.tokenize, self.lowercase)

    def tokens(self, text: str) -> list[str]:
        """
        Cut one text as the metric does.
        """
        return self._tokenizer.tokens(text)

    def preprocess(self, cases: Cases) -> Prepared:
        """
        Cut a chunk into tokens, the references from the memo where they have been cut before.
        """
        references = reference_spans(cases.flat_references, self._tokenizer)
        return Prepared(self._tokenizer.spans(cases.hypotheses), references, cases.bounds)

    def statistics(self, prepared: Prepared, constants: None) -> Matrix:
        """
        Count matches, n-grams and lengths: whole numbers, but for average reference lengths and means of scores.
        """
        from tertium.native import effective_lengths as rule
        from tertium.native.numbering import case_numbers
        from tertium.native.shared_grams import clipped_grams

        rules = {
            "closest": rule.CLOSEST,
            "closest-first": rule.FIRST_CLOSEST,
            "shortest": rule.SHORTEST,
            "longest": rule.LONGEST,
            "average": rule.MEAN,
        }
        hypotheses, references, bounds = prepared
        orders = self._counted
        lengths = hypotheses.lengths
        rows = np.zeros((len(hypotheses), len(self.columns)))
        grams = np.maximum(lengths[:, None] - np.arange(orders), 0)
        ours, theirs = case_numbers(hypotheses, references, bounds)
        rows[:, :orders] = clipped_grams(ours, hypotheses.offsets, theirs, references.offsets, bounds, orders)
        rows[:, orders : 2 * orders] = np.maximum(grams, 1) if self.denominator_floor == "case" else grams
        rows[:, 2 * orders] = lengths
        rows[:, 2 * orders + 1] = rule.reference_lengths(
            lengths, references.lengths, bounds, rules[self.reference_length]
        )
        if self._rule == "nltk-6":
            rows[:, 2 * orders + 2 : 3 * orders + 2] = grams
        if self.aggregation == "mean":
            rows[:, -2] = self._finish(rows.T)[0]
            rows[:, -1] = 1
        return rows

    def aggregate(self, sums: Matrix) -> Matrix:
        """
        Give BLEU, precisions, brevity penalty, lengths, matches and totals.
        """
        columns = sums.T
        score, ordered, penalty, counts = self._finish(columns)
        if self.aggregation == "mean":
            score = columns[-2] / columns[-1]
        orders = self.max_order
        outputs = np.empty((len(self.outputs), *columns.shape[1:]))
        outputs[0] = score * self.scale[1]
        outputs[1 : orders + 1] = ordered * self.scale[1]
        outputs[orders + 1 : orders + 4] = penalty, counts.hypothesis, counts.reference
        outputs[orders + 4 : 2 * orders + 4] = counts.matches[:orders]
        outputs[2 * orders + 4 :] = counts.totals[:orders]
        return outputs.T

    def _finish(self, columns: Matrix) -> tuple[Floats, Floats, Floats, Counts]:
        orders, counted = self.max_order, self._counted
        # in one piece of memory, which all that follows goes through several times
        columns = np.ascontiguousarray(columns)
        matches, totals = columns[:counted], columns[counted : 2 * counted]
        if self.denominator_floor == "corpus":
            totals = np.maximum(totals, 1)
        ngrams = columns[2 * counted + 2 : 3 * counted + 2] if self._rule == "nltk-6" else totals
        counts = Counts(matches, totals, columns[2 * counted], columns[2 * counted + 1], ngrams)
        ordered = precisions(counts, orders, self._rule, self._value)
        weights = by_order(self._weights, ordered)
        if self.auto_reweigh:
            length = counts.hypothesis
            few = np.where(by_order(np.arange(4), ordered) < length, 1 / np.maximum(length, 1), 0.0)
            weights = np.where(length < 4, few, weights)
        # adding k gives an order without n-grams a precision, so that it is not missing
        added = self._rule in ("add-k", "add-k-all") and self._value > 0
        first = 0 if self._rule == "add-k-all" else 1
        missing = totals[:orders] == 0
        if added:
            missing[first:] = False
        rule = "drop" if self.effective_order else self.missing_order
        mean = geometric_mean(ordered, weights, self.zero_precision, missing, rule)
        penalty = brevity_penalty(counts.hypothesis, counts.reference, self.brevity == "padded")
        if self.no_match != "smooth":
            none = matches[:orders] == 0
            nothing = none.any(axis=0) if self.no_match == "zero-any" else none.all(axis=0)
            mean = np.where(nothing, 0.0, mean)
            ordered = np.where(nothing, 0.0, ordered)
        return mean * penalty, ordered, penalty, counts

    def signature(self) -> Mapping[str, object]:
        """
        Give the parameters, with what the tokenizer and the lower-casing depend on.
        """
        facts: dict[str, object] = {**self.parameters, "tokenize": self._tokenizer.signature}
        if self.smooth_value is None and self._rule in VALUES:
            facts["smooth_value"] = self._value
        if self.lowercase:
            facts["unicode"] = unicodedata.unidata_version
        return facts

    def data_signature(self, cases: Cases) -> Mapping[str, object]:
        """
        Give the number of references, which BLEU grows with.
        """
        few, many = int(cases.reference_counts.min()), int(cases.reference_counts.max())
        return {"references": str(few) if few == many else f"{few}-{many}"}

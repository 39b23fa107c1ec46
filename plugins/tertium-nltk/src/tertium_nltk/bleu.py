"""
Let NLTK compute BLEU: its counts case by case, its smoothing and penalty over their sums.
"""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

import tertium
from tertium.errors import ParameterError, ProviderBroken
from tertium_nltk import words

Matrix = NDArray[np.float64]
Prepared = words.Prepared

Smoothing = Literal[
    "none", "method0", "method1", "method2", "method3", "method4", "method5", "method6", "method7"
]  # fmt: skip

LAST_CASE = ("method5", "method6", "method7")
"""Methods that read the text of the corpus' last case, so that nothing adds up."""

NATIVE = {"method1": "floor", "method2": "add-k", "method3": "exp", "method4": "nltk-4"}
"""What the native metric calls the methods that add up."""

VALUES = {"method1": "epsilon", "method4": "k", "method6": "alpha", "method7": "k"}
"""The argument of the library's class that a method reads."""


class Bleu(tertium.Metric):
    """
    BLEU as NLTK's ``corpus_bleu`` computes it: n-gram counts pooled over the corpus, each case counting at least one
    n-gram of each order, and no smoothing unless a method is chosen; from 0 to 1.
    """

    name, provider = "bleu", "nltk"
    scale = (0.0, 1.0)
    library, pinned = "nltk", "3.10.0"
    citation = "Papineni, Roukos, Ward, Zhu: Bleu: a Method for Automatic Evaluation of Machine Translation. ACL 2002"

    def __init__(
        self,
        *,
        weights: Annotated[
            str, "Weights of the orders with commas between, as many as there are orders"
        ] = "0.25,0.25,0.25,0.25",
        smoothing: Annotated[Smoothing, "The library's smoothing method; none is method0"] = "none",
        epsilon: Annotated[float, "Count in place of none (method1)", tertium.Range(0, 1e9)] = 0.1,
        alpha: Annotated[float, "Weight of the prior (method6)", tertium.Range(0, 1e9)] = 5.0,
        k: Annotated[float, "Divisor of smoothed counts (method4, method7)", tertium.Range(1e-9, 1e9)] = 5.0,
        auto_reweigh: Annotated[bool, "Under four tokens, weigh only the orders that these allow"] = False,
        tokenizer: words.TokenizerChoice = "whitespace",
    ) -> None:
        self.weights, self.smoothing, self.auto_reweigh, self.tokenizer = weights, smoothing, auto_reweigh, tokenizer
        self.epsilon, self.alpha, self.k = epsilon, alpha, k
        self._weights = _numbers(weights)
        for method, name in (("method1", "epsilon"), ("method6", "alpha"), ("method4 and method7", "k")):
            if getattr(self, name) != {"epsilon": 0.1, "alpha": 5.0, "k": 5.0}[name] and smoothing not in method:
                raise ParameterError(
                    f"bleu@nltk cannot take {name}={getattr(self, name):g} with smoothing={smoothing}",
                    f"only {method} reads it",
                    f"Choose that method, or leave {name} out",
                )
        if smoothing == "method6" and len(self._weights) < 3:
            raise ParameterError(
                f"bleu@nltk cannot take smoothing=method6 with {len(self._weights)} weights",
                "the library looks at trigrams",
                "Give at least three weights",
            )
        self.additive = smoothing not in LAST_CASE
        orders = range(1, len(self._weights) + 1)
        counted = (*(f"matches_{order}" for order in orders), *(f"totals_{order}" for order in orders))
        lengths = ("hypothesis_length", "reference_length")
        self.columns = (*counted, *lengths) if self.additive else ()
        self.outputs = ("bleu", "brevity_penalty", *lengths, *counted)

    def preprocess(self, cases: tertium.Cases) -> Prepared:
        """
        Return the words of hypotheses and of all references, and where each case's references begin and end.
        """
        return words.split(cases, self.tokenizer)

    def tokens(self, text: str) -> list[str]:
        """
        Cut one text as the metric does.
        """
        return list(words.tokenizer(self.tokenizer)(text))

    def statistics(self, prepared: Prepared, constants: object) -> Matrix:
        """
        Return the library's numerators, denominators and both lengths of each case.
        """
        from nltk.translate.bleu_score import closest_ref_length, modified_precision

        hypotheses, references, bounds = prepared
        orders = len(self._weights)
        rows = np.empty((len(hypotheses), 2 * orders + 2))
        for case, hypothesis in enumerate(hypotheses):
            own = references[bounds[case] : bounds[case + 1]]
            found = [modified_precision(own, hypothesis, order) for order in range(1, orders + 1)]
            length = len(hypothesis)
            rows[case] = [
                *(one.numerator for one in found),
                *(one.denominator for one in found),
                length,
                closest_ref_length(own, length),
            ]
        return rows

    def aggregate(self, sums: Matrix) -> Matrix:
        """
        Return BLEU, penalty and sums of every row, by the library's smoothing and penalty as its corpus function calls them.
        """
        flat = sums.reshape(-1, sums.shape[-1])
        found = np.empty((len(flat), len(self.outputs)))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # method0 warns of each order without a match; see the README
            for place, row in enumerate(flat.tolist()):
                found[place] = self._finish(row)
        return found.reshape(*sums.shape[:-1], len(self.outputs))

    def _finish(self, row: list[float]) -> list[float]:
        from nltk.translate.bleu_score import brevity_penalty

        orders = len(self._weights)
        counts, (length, reference) = row[: 2 * orders], row[2 * orders :]
        penalty = float(brevity_penalty(reference, length))
        outputs = [penalty, length, reference, *counts]
        matches, totals = counts[:orders], counts[orders:]
        if matches[0] == 0:
            return [0.0, *outputs]
        smoothed = self._smoothed(matches, totals, length)
        weights = self._weights
        if self.auto_reweigh and length < 4 and weights == (0.25, 0.25, 0.25, 0.25):
            weights = (1 / length,) * math.ceil(length)
        logs = [weight * math.log(one) for weight, one in zip(weights, smoothed, strict=False) if one > 0]
        return [penalty * math.exp(math.fsum(logs)), *outputs]

    def _smoothed(self, matches: list[float], totals: list[float], length: float) -> list[Any]:
        from nltk.translate.bleu_score import Fraction

        pairs = list(zip(matches, totals, strict=True))
        if all(number.is_integer() for number in (*matches, *totals)):
            given: list[Any] = [Fraction(int(upper), int(lower), _normalize=False) for upper, lower in pairs]
        elif self.smoothing == "method2":  # sums under weights that are not whole, which the library's class refuses
            return [pairs[0][0] / pairs[0][1], *((upper + 1) / (lower + 1) for upper, lower in pairs[1:])]
        else:
            given = [_Ratio(upper, lower) for upper, lower in pairs]
        return list(self._method(given, references=[], hypothesis=[], hyp_len=length))

    @property
    def _method(self) -> Callable[..., Any]:
        from nltk.translate.bleu_score import SmoothingFunction

        made = SmoothingFunction(epsilon=self.epsilon, alpha=self.alpha, k=self.k)
        name = "method0" if self.smoothing == "none" else self.smoothing
        found: Callable[..., Any] = getattr(made, name)
        return found

    def corpus(self, prepared: Prepared, constants: object) -> Matrix:
        """
        Return the library's corpus value under methods that read the last case's text, with the sums beside it.
        """
        from nltk.translate.bleu_score import brevity_penalty, corpus_bleu

        hypotheses, references, bounds = prepared
        nested = [references[start:end] for start, end in itertools.pairwise(bounds)]
        sums = self.statistics(prepared, constants).sum(axis=0).tolist()
        orders = len(self._weights)
        try:
            value = corpus_bleu(nested, hypotheses, self._weights, self._method, self.auto_reweigh)
        except AssertionError as error:
            raise ProviderBroken(
                "bleu@nltk(smoothing=method6)",
                f"no trigram matches, and the library stops there ({error})",
                "Choose another method, or longer texts",
            ) from error
        return np.array([value, brevity_penalty(sums[-1], sums[-2]), *sums[2 * orders :], *sums[: 2 * orders]])

    def equivalent(self) -> tertium.Spec | None:
        """
        Return the native spec that gives the same numbers; None under a callable, weights below zero, and methods that read the last case's text.
        """
        tokenize = words.native_name(self.tokenizer)
        if tokenize is None or not self.additive or min(self._weights) < 0 or max(self._weights) == 0:
            return None
        orders = len(self._weights)
        uniform = set(self._weights) == {1 / orders}
        params: dict[str, Any] = {
            "tokenize": tokenize,
            "max_order": orders,
            "weights": "uniform" if uniform else ",".join(map(repr, self._weights)),
            "denominator_floor": "case",
            "percent": False,
        }
        if self.smoothing in ("none", "method0"):
            params |= {"smoothing": "none", "zero_precision": "tiny"}
        else:
            params |= {"smoothing": NATIVE[self.smoothing], "zero_precision": "skip"}
            if self.smoothing in VALUES:
                params["smooth_value"] = float(getattr(self, VALUES[self.smoothing]))
        if self.auto_reweigh and uniform and orders == 4:
            params["auto_reweigh"] = True
        return tertium.Spec("bleu", "native", params=params)

    def signature(self) -> Mapping[str, object]:
        """
        Name the parameters that are read under the chosen method.
        """
        read = VALUES.get(self.smoothing)
        return {name: value for name, value in self.parameters.items() if name not in VALUES.values() or name == read}


class _Ratio(float):
    """
    Stand for the library's fraction where sums are not whole.
    """

    numerator: float
    denominator: float

    def __new__(cls, numerator: float, denominator: float) -> _Ratio:
        made = super().__new__(cls, numerator / denominator)
        made.numerator, made.denominator = numerator, denominator
        return made


def _numbers(text: str) -> tuple[float, ...]:
    try:
        found = tuple(float(part) for part in text.replace(",", " ").split())
    except ValueError:
        found = ()
    if not found or not all(map(math.isfinite, found)):
        raise ParameterError(
            f"bleu@nltk cannot take weights={text!r}",
            "it takes finite numbers with commas between, one an order",
            "Write for instance weights='0.4,0.3,0.2,0.1'",
        )
    return found

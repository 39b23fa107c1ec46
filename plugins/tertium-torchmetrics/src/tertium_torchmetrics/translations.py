"""
Let TorchMetrics compute BLEU, chrF and TER.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import metadata
from typing import Annotated, Any, Literal

import numpy as np

import tertium
from tertium import Range
from tertium.errors import ParameterError
from tertium_torchmetrics.tensors import Matrix, TorchMetric, references

MECAB = {"ja-mecab": "mecab-ja", "ko-mecab": "mecab-ko"}
"""Tokenizers to the resource that each needs."""


class Bleu(TorchMetric):
    """
    Geometric mean of clipped n-gram precisions, times a penalty for output that is shorter than its references.

    ``BLEUScore`` of the library is ``tokenize=none``; any other tokenizer, and ``lowercase``, make it ``SacreBLEUScore``.
    """

    name = "bleu"
    scale = (0.0, 1.0)
    citation = (
        "Papineni, Roukos, Ward and Zhu 2002, BLEU: a Method for Automatic Evaluation of Machine Translation (ACL)"
    )
    n_gram: int
    smooth: bool
    tokenize: str
    lowercase: bool
    weights: str

    def __init__(
        self,
        *,
        n_gram: Annotated[int, "Longest n-gram", Range(1, 100)] = 4,
        smooth: Annotated[bool, "Add 1 to matches and totals of all orders but the first"] = False,
        tokenize: Annotated[
            Literal["none", "13a", "zh", "intl", "char", "ja-mecab", "ko-mecab"],
            "Tokenizer: white space alone as in BLEUScore (none), or one of SacreBLEUScore's, whose own default is 13a",
        ] = "none",
        lowercase: Annotated[bool, "Lower-case all tokens (SacreBLEUScore)"] = False,
        weights: Annotated[str, "Weights of the orders: uniform, or numbers with commas between them"] = "uniform",
    ) -> None:
        self.accept(locals())
        self._weights = self._read(weights)
        self.resources = (MECAB[tokenize],) if tokenize in MECAB else ()
        orders = range(1, n_gram + 1)
        names = tuple(f"{kind}_{order}" for kind in ("matches", "totals") for order in orders)
        self.columns = (*names, "hypothesis_length", "reference_length")
        self.outputs = ("bleu", "hypothesis_length", "reference_length", *names)

    def _read(self, weights: str) -> list[float]:
        if weights == "uniform":
            return [1.0 / self.n_gram] * self.n_gram
        try:
            found = [float(part) for part in weights.split(",")]
        except ValueError:
            found = []
        if len(found) != self.n_gram or not np.isfinite(found).all():
            raise ParameterError(
                f"bleu@torchmetrics(n_gram={self.n_gram},weights={weights!r})",
                "there is not one finite number for each order",
                f"Write {self.n_gram} numbers with commas between them, or uniform",
            )
        return found

    def _tokenizer(self) -> Callable[[str], Sequence[str]]:
        from torchmetrics.functional.text.bleu import _tokenize_fn
        from torchmetrics.functional.text.sacre_bleu import _SacreBLEUTokenizer

        if self.tokenize == "none" and not self.lowercase:
            return _tokenize_fn  # type: ignore[no-any-return]
        return _SacreBLEUTokenizer(self.tokenize, self.lowercase)  # type: ignore[no-any-return]

    def tokens(self, text: str) -> Sequence[str]:
        """
        Cut one text as the library does.
        """
        return list(self._tokenizer()(text)) if text else []

    def statistics(self, prepared: tertium.Cases, constants: object) -> Matrix:
        """
        Return the library's counts of each case: matches and totals of each order, and both lengths.
        """
        import torch
        from torchmetrics.functional.text.bleu import _bleu_score_update

        tokenizer, orders = self._tokenizer(), self.n_gram
        rows = np.empty((len(prepared), 2 * orders + 2))
        with torch.no_grad():
            for case, (hypothesis, texts) in enumerate(zip(prepared.hypotheses, references(prepared), strict=True)):
                matches, totals = torch.zeros(orders), torch.zeros(orders)
                nothing = torch.tensor(0.0), torch.tensor(0.0)
                lengths = _bleu_score_update([hypothesis], [texts], matches, totals, *nothing, orders, tokenizer)
                rows[case] = [*matches.tolist(), *totals.tolist(), *map(float, lengths)]
        return rows

    def finalise(self, sums: Any) -> Sequence[Any]:
        """
        Return the score, and the counts as they are.
        """
        from torchmetrics.functional.text.bleu import _bleu_score_compute

        orders = self.n_gram
        matches, totals, lengths = sums[:orders], sums[orders : 2 * orders], sums[2 * orders :]
        value = _bleu_score_compute(lengths[0], lengths[1], matches, totals, orders, self._weights, self.smooth)
        return [value, *lengths, *matches, *totals]

    def signature(self) -> Mapping[str, object]:
        """
        Add the version of the package whose tables decide the international tokenizer.
        """
        return {**super().signature(), **({"regex": metadata.version("regex")} if self.tokenize == "intl" else {})}

    def equivalent(self) -> tertium.Spec | None:
        """
        Return the native spec that gives the same numbers.

        The library lower-cases tokens, native texts: None where that can be told apart.
        """
        if self.lowercase and self.tokenize in ("char", *MECAB):
            return None
        params: dict[str, Any] = {"tokenize": self.tokenize, "lowercase": self.lowercase, "max_order": self.n_gram}
        params |= {"weights": self.weights, "reference_length": "closest-first", "percent": False}
        params |= {"smoothing": "add-k", "no_match": "zero-any"} if self.smooth else {"smoothing": "none"}
        return tertium.Spec("bleu", "native", params=params)


class Chrf(TorchMetric):
    """
    F-score over character n-grams and, as in chrF++ and by the library's default, over word n-grams.
    """

    name = "chrf"
    scale = (0.0, 1.0)
    outputs = ("score",)
    citation = "Popović 2015, chrF: character n-gram F-score for automatic MT evaluation; 2017, chrF++ (WMT)"
    n_char_order: int
    n_word_order: int
    beta: float
    lowercase: bool
    whitespace: bool

    def __init__(
        self,
        *,
        n_char_order: Annotated[int, "Longest character n-gram", Range(1, 64)] = 6,
        n_word_order: Annotated[int, "Longest word n-gram; 0 is chrF, 2 is chrF++", Range(0, 64)] = 2,
        beta: Annotated[float, "Weight of recall against precision", Range(0, 1e6)] = 2.0,
        lowercase: Annotated[bool, "Lower-case all texts first"] = False,
        whitespace: Annotated[bool, "Keep white space in character n-grams"] = False,
    ) -> None:
        self.accept(locals())
        orders = [f"char_{n + 1}" for n in range(n_char_order)] + [f"word_{n + 1}" for n in range(n_word_order)]
        self.columns = tuple(f"{side}_{order}" for side in ("hypothesis", "reference", "matches") for order in orders)

    def _settings(self) -> tuple[Any, ...]:
        orders = self.n_char_order, self.n_word_order
        return (*orders, float(sum(orders)), float(self.beta), self.lowercase, self.whitespace)

    def statistics(self, prepared: tertium.Cases, constants: object) -> Matrix:
        """
        Return the library's counts of each case against its best reference: n-grams of the output, of the reference, and
        matches, each by order.
        """
        import torch
        from torchmetrics.functional.text.chrf import _chrf_score_update, _prepare_n_grams_dicts

        orders = self.n_char_order, self.n_word_order
        rows = np.empty((len(prepared), len(self.columns)))
        with torch.no_grad():
            for case, (hypothesis, texts) in enumerate(zip(prepared.hypotheses, references(prepared), strict=True)):
                counts = _prepare_n_grams_dicts(*orders)
                found = _chrf_score_update([hypothesis], [texts], *counts, *self._settings())[:6]
                rows[case] = [
                    float(table[n + 1]) for table, size in zip(found, orders * 3, strict=True) for n in range(size)
                ]
        return rows

    def finalise(self, sums: Any) -> Sequence[Any]:
        """
        Return the score.
        """
        from torchmetrics.functional.text.chrf import _chrf_score_compute

        tables, place = [], 0
        for size in (self.n_char_order, self.n_word_order) * 3:
            tables.append({n + 1: sums[place + n] for n in range(size)})
            place += size
        return [_chrf_score_compute(*tables, *self._settings()[2:4])]

    def equivalent(self) -> tertium.Spec:
        """
        Return the native spec that gives the same numbers.
        """
        params: dict[str, Any] = {"char_order": self.n_char_order, "word_order": self.n_word_order, "beta": self.beta}
        params |= {"lowercase": self.lowercase, "whitespace": "keep" if self.whitespace else "remove-space"}
        params |= {"order_average": "f-score", "epsilon": "torchmetrics", "hypothesis_counts": "always"}
        return tertium.Spec("chrf", "native", params={**params, "zero_selection": "hypothesis", "percent": False})


class Ter(TorchMetric):
    """
    Fewest edits (insert, delete or substitute a word, shift a block of words) between the output and its nearest
    reference, over the references' mean length. The library edits the reference into the output.
    """

    name = "ter"
    scale, higher_is_better = (0.0, float("inf")), False
    columns, outputs = ("edits", "reference_length"), ("ter", "edits", "reference_length")
    citation = "Snover et al. 2006, A Study of Translation Edit Rate with Targeted Human Annotation (AMTA)"
    normalize: bool
    no_punctuation: bool
    lowercase: bool
    asian_support: bool

    def __init__(
        self,
        *,
        normalize: Annotated[bool, "Apply mteval's rules for punctuation"] = False,
        no_punctuation: Annotated[bool, "Delete punctuation"] = False,
        lowercase: Annotated[bool, "Lower-case all texts first"] = True,
        asian_support: Annotated[bool, "With normalize or no_punctuation, heed Asian characters, too"] = False,
    ) -> None:
        self.accept(locals())

    def statistics(self, prepared: tertium.Cases, constants: object) -> Matrix:
        """
        Return the fewest edits of each case and its references' mean length.
        """
        import torch
        from torchmetrics.functional.text.ter import _ter_update, _TercomTokenizer

        tokenizer = _TercomTokenizer(self.normalize, self.no_punctuation, self.lowercase, self.asian_support)
        rows = np.empty((len(prepared), 2))
        with torch.no_grad():
            for case, (hypothesis, texts) in enumerate(zip(prepared.hypotheses, references(prepared), strict=True)):
                nothing = torch.tensor(0.0), torch.tensor(0.0)
                rows[case] = [float(one) for one in _ter_update([hypothesis], [texts], tokenizer, *nothing)[:2]]
        return rows

    def finalise(self, sums: Any) -> Sequence[Any]:
        """
        Return the rate, edits and lengths.
        """
        from torchmetrics.functional.text.ter import _ter_compute

        return [_ter_compute(sums[0], sums[1]), *sums]

    def equivalent(self) -> tertium.Spec:
        """
        Return the native spec that gives the same numbers.
        """
        params: dict[str, Any] = {"normalized": self.normalize, "no_punct": self.no_punctuation}
        params |= {"asian_support": self.asian_support, "case_sensitive": not self.lowercase, "edited": "reference"}
        params |= {"max_shift_size": 9, "empty_hypothesis": "free", "reference_passes": 1, "percent": False}
        return tertium.Spec("ter", "native", params=params)

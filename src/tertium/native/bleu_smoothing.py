"""
Turn n-gram counts into precisions and precisions into BLEU, for any number of cases or sums at once.

Arrays hold one row an order, because NumPy is slow along axes as short as the number of orders. Every rule here is the rule of some implementation; see ``bleu.Bleu`` for which. C&C stands for Chen and Cherry, A
Systematic Comparison of Smoothing Techniques for Sentence-Level BLEU, WMT 2014.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

TINY = sys.float_info.min
PAD_MATCHES, PAD_TOTALS = 1e-15, 1e-9

VALUES = {"floor": 0.1, "add-k": 1.0, "add-k-all": 1.0, "nltk-4": 5.0, "nltk-6": 5.0, "nltk-7": 5.0}
"""The smoothing rules that take a value, with the default."""

SYNONYMS = {"nltk-1": "floor", "nltk-2": "add-k", "nltk-3": "exp"}
"""NLTK's numbers, which are C&C's, for rules that have a name."""


@dataclass(frozen=True)
class Counts:
    """
    Hold counts of cases or sums of any shape (...).

    Attributes:
        matches: Shape (orders, ...): clipped matches.
        totals: Shape (orders, ...): denominators of the precisions.
        hypothesis: Shape (...): tokens of the hypotheses.
        reference: Shape (...): effective reference length.
        ngrams: Shape (orders, ...): n-grams of the hypotheses, where ``totals`` are something else.
    """

    matches: Floats
    totals: Floats
    hypothesis: Floats
    reference: Floats
    ngrams: Floats


def precisions(counts: Counts, orders: int, smoothing: str, value: float) -> Floats:
    """
    Give the smoothed precisions of the first ``orders`` orders; 0 where an order has no n-grams and no rule fills it.

    Args:
        counts: With one order more, at least five, for the rules nltk-5 and nltk-7.
        orders: The longest n-gram that counts.
        smoothing: ``none``; ``floor``, the value in place of zero matches (C&C 1); ``add-k``, the value added above
            unigrams (C&C 2, Lin and Och 2004), or ``add-k-all``, at every order; ``exp``, a half, a quarter... in
            place of zero matches (C&C 3, mteval); ``pad``, 1e-15 over 1e-9 added at every order; ``nltk-0``, the
            smallest normal double in place of zero matches; ``nltk-4`` to ``nltk-7``, C&C 4 to 7 as NLTK 3.10.0
            has them.
        value: The rule's value.

    Returns:
        Shape (orders, ...).
    """
    matches, totals = counts.matches[:orders], counts.totals[:orders]
    if smoothing == "pad":
        return (matches + PAD_MATCHES) / (totals + PAD_TOTALS)
    if smoothing in ("add-k", "add-k-all"):
        added = by_order(np.full(orders, value), matches)
        if smoothing == "add-k":
            added[0] = 0.0
        matches, totals = matches + added, totals + added
    zero = (matches == 0) & (totals > 0)
    if smoothing == "floor":
        return _ratio(np.where(zero, value, matches), totals)
    if smoothing == "exp":
        return _ratio(np.where(zero, _halves(zero), matches), totals)
    plain = _ratio(matches, totals)
    if smoothing == "nltk-0":
        return np.where(zero, TINY, plain)
    if smoothing in ("nltk-4", "nltk-7"):
        length = counts.hypothesis
        share = np.log(np.maximum(length, 1.0)) / (value / _halves(zero))
        plain = np.where(zero & (length > 1), _ratio(share, totals), plain)
    if smoothing in ("nltk-5", "nltk-7"):
        return _averaged(plain, _ratio(counts.matches[4], counts.totals[4]))
    if smoothing == "nltk-6":
        return _interpolated(plain, matches, counts.ngrams[:orders], value)
    return plain


def _ratio(upper: Floats | float, lower: Floats) -> Floats:
    some = lower > 0
    return np.where(some, upper / np.where(some, lower, 1.0), 0.0)


def _halves(zero: NDArray[np.bool_]) -> Floats:
    # A half at the first zero, a quarter at the second... order by order, which NumPy's cumulative product is slower than.
    found = np.where(zero, 0.5, 1.0)
    for order in range(1, len(found)):
        found[order] *= found[order - 1]
    return found


def by_order(values: Any, counts: Floats) -> Any:
    """
    Shape one value an order, shape (orders,), so that it meets counts of shape (orders, ...).
    """
    return values.reshape(-1, *(1,) * (counts.ndim - 1))


def _averaged(plain: Floats, fifth: Floats) -> Floats:
    # C&C 5: each precision becomes the mean of its smoothed predecessor, itself and its successor; what follows the
    # last is the precision of 5-grams, whatever the last order is.
    smoothed = np.empty_like(plain)
    orders = len(plain)
    before = plain[0] + 1
    for order in range(orders):
        after = plain[order + 1] if order + 1 < orders else fifth
        before = smoothed[order] = (before + plain[order] + after) / 3
    return smoothed


def _interpolated(plain: Floats, matches: Floats, ngrams: Floats, alpha: float) -> Floats:
    # C&C 6 (Gao and He 2013): a prior guessed from the two orders below; not defined without matches of order 3.
    smoothed = plain.copy()
    for order in range(2, len(plain)):
        prior = _ratio(smoothed[order - 1] ** 2, smoothed[order - 2])
        smoothed[order] = (matches[order] + alpha * prior) / (ngrams[order] + alpha)
    return np.where(plain[2] == 0, np.nan, smoothed)


def brevity_penalty(hypothesis: Floats, reference: Floats, padded: bool) -> Floats:
    """
    Give exp(1 - r/c) where the hypothesis is shorter (Papineni et al. 2002, section 2.3), else 1; 0 for c = 0 < r.

    Args:
        hypothesis: c, in tokens.
        reference: r, in tokens.
        padded: Add 1e-15 to c and 1e-9 to r, as COCO caption evaluation does.
    """
    if padded:
        hypothesis, reference = hypothesis + PAD_MATCHES, reference + PAD_TOTALS
    longer = hypothesis >= reference
    exponent = 1 - _ratio(reference, hypothesis)
    return np.where(longer, 1.0, np.where(hypothesis > 0, np.exp(np.where(longer, 0.0, exponent)), 0.0))


def geometric_mean(
    values: Floats, weights: Floats, zero_precision: str, missing: NDArray[np.bool_], rule: str
) -> Floats:
    """
    Combine precisions: exp of the weighted sum of their logarithms.

    Args:
        values: Precisions, shape (orders, ...).
        weights: Broadcasts to the same shape.
        zero_precision: What a zero does to the whole: ``zero``; ``tiny``, the smallest normal double stands in for it
            (NLTK without smoothing); ``skip``, it is left out of the sum (NLTK with smoothing).
        missing: Where an order has no n-grams, shape (orders, ...).
        rule: What such an order does: ``zero``, it is a zero precision; ``drop``, it is left out and the weights of
            the others grow; ``one``, its precision is 1.

    Returns:
        Shape (...).
    """
    if rule == "one":
        values = np.where(missing, 1.0, values)
    elif rule == "drop":
        weights = np.broadcast_to(weights, values.shape)
        kept = np.where(missing, 0.0, weights)
        weights = kept * _ratio(weights.sum(axis=0), kept.sum(axis=0))
    zero = values == 0
    used = weights != 0
    logarithms = np.log(np.where(zero, TINY, values))
    if zero_precision == "skip":
        logarithms = np.where(zero, 0.0, logarithms)
    mean = np.exp((weights * logarithms).sum(axis=0))
    if zero_precision == "zero":
        mean = np.where((zero & used).any(axis=0), 0.0, mean)
    return np.where(used.any(axis=0), mean, 0.0) if rule == "drop" else mean

"""
Plain functions that people might have in their own code: sound ones of every shape, and ones that misbehave in one way each.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from typing import Any, NamedTuple

import numpy as np

import tertium


def share(hypothesis: list[str], reference: list[str]) -> float:
    """Give the share of the reference's words that the hypothesis has, F-measured: token F1 by hand."""
    common = sum((Counter(hypothesis) & Counter(reference)).values())
    return 2 * common / (len(hypothesis) + len(reference)) if common else 0.0


def token_f1(prediction, truth):
    """Token F1 of two strings."""
    return share(prediction.split(), truth.split())


def token_f1_of_tokens(prediction, truth):
    """Token F1 of two lists of tokens."""
    return share(prediction, truth)


async def later(prediction, truth):
    """Token F1 that has to be awaited."""
    return token_f1(prediction, truth)


def misnamed(references, hypotheses):
    """Word error rate of a first argument that is the hypothesis, whatever it is called."""
    hypothesis, reference = references.split(), hypotheses.split()
    rows = list(range(len(hypothesis) + 1))
    for i, word in enumerate(reference, 1):
        before, rows[0] = rows[0], i
        for j, other in enumerate(hypothesis, 1):
            before, rows[j] = rows[j], min(rows[j] + 1, rows[j - 1] + 1, before + (word != other))
    return rows[-1] / len(reference)


def misnamed_best(references, hypotheses):
    """Whether a first argument, which is the hypothesis, is among the references."""
    if not isinstance(hypotheses, list):
        raise TypeError("no list of references")
    return max(float(references == one) for one in hypotheses)


def backwards(gold, predicted):
    """Recall, with the reference first."""
    words = gold.split()
    return sum((Counter(words) & Counter(predicted.split())).values()) / len(words)


def best_f1(prediction, references):
    """Token F1 against the best reference."""
    return max(token_f1(prediction, one) for one in references)


def corpus_f1(predictions, references):
    """Mean token F1 of a corpus, with a list of references a case."""
    assert len(predictions) == len(references)
    return sum(map(best_f1, predictions, references)) / len(predictions)


def streams_f1(predictions, streams):
    """Mean token F1 of a corpus, with a list a set of references."""
    assert all(len(stream) == len(predictions) for stream in streams)
    return corpus_f1(predictions, list(zip(*streams, strict=True)))


def percent_f1(prediction, truth):
    """Token F1 from 0 to 100."""
    return 100 * token_f1(prediction, truth)


def by_name(*, predictions, references):
    """Mean token F1 of a corpus of one reference a case, called by name."""
    return sum(map(token_f1, predictions, references)) / len(predictions)


def entries(prediction, truth):
    """Token F1 among other things in a dictionary."""
    return {"matches": 3, "score": token_f1(prediction, truth)}


class Scores(NamedTuple):
    """A result with fields."""

    precision: float
    recall: float
    f1: float


def fields(prediction, truth):
    """Token F1 as a field."""
    return Scores(0.5, 0.5, token_f1(prediction, truth))


def same(prediction, truth):
    """Equality, of whatever it is."""
    return prediction == truth


def with_source(source, hypothesis, reference):
    """Share of the source's words that the hypothesis keeps where the reference has them."""
    kept = set(source.split()) & set(reference.split())
    return len(kept & set(hypothesis.split())) / max(1, len(kept))


def constant(prediction, truth):
    """The same for everything."""
    return 0.25


def raises(prediction, truth):
    """Token F1 that breaks on short texts."""
    if len(prediction.split()) < 3:
        raise ZeroDivisionError("no words\nat all")
    return token_f1(prediction, truth)


def leaves(prediction, truth):
    """Token F1 that ends the program on short texts."""
    if len(prediction.split()) < 3:
        raise SystemExit(3)
    return token_f1(prediction, truth)


def undefined(prediction, truth):
    """Token F1 that is not a number on short texts."""
    return token_f1(prediction, truth) if len(prediction.split()) > 2 else float("nan")


def returning(value: Any):
    """Make a function that returns a value on short texts."""

    def function(prediction, truth):
        return token_f1(prediction, truth) if len(prediction.split()) > 2 else value

    return function


def sorting(prediction, references):
    """Token F1 against the best reference, which sorts the references in place."""
    references.sort()
    return best_f1(prediction, references)


def emptying(predictions, references):
    """Mean token F1 of a corpus, which empties the list of hypotheses."""
    value = corpus_f1(predictions, references)
    predictions.clear()
    return value


def drawn(prediction, truth):
    """Token F1 with noise of Python's generator."""
    return token_f1(prediction, truth) + random.random() / 100


def drawn_by_numpy(prediction, truth):
    """Token F1 with noise of NumPy's generator."""
    return token_f1(prediction, truth) + np.random.random() / 100


def timed(prediction, truth):
    """Token F1 with noise of the clock."""
    return token_f1(prediction, truth) + time.time_ns() % 100_003 / 10_000_000


_calls = [0]


def counting(prediction, truth):
    """Token F1 that grows with the number of calls."""
    _calls[0] += 1
    return token_f1(prediction, truth) + _calls[0] / 10_000


_kept: dict[str, float] = {}


def keeping(prediction, truth):
    """Token F1 that is kept by the hypothesis alone."""
    return _kept.setdefault(prediction, token_f1(prediction, truth))


def placed(predictions, references):
    """Token F1 of a corpus in which later cases weigh more."""
    weighted = [(place + 1) * best_f1(*pair) for place, pair in enumerate(zip(predictions, references, strict=True))]
    return sum(weighted) * 2 / (len(predictions) * (len(predictions) + 1))


def stripped(prediction, truth):
    """Equality that white space at the ends does not matter to."""
    return float(prediction.strip() == truth.strip())


def stripped_once(prediction, truth):
    """Equality that white space at the ends of the truth alone does not matter to, by a fault."""
    return float(prediction == truth.strip())


def damped(predictions, references):
    """BLEU on the scale of 0 to 1, and never more than 0.9."""
    return 0.9 * tertium.score("bleu(percent=false)", tertium.Cases(predictions, references)).value


def damped_percent(predictions, references):
    """The same in percent."""
    return 100 * damped(predictions, references)


def faint(prediction, truth):
    """Equality, on a scale of its own."""
    return 0.02 * (prediction == truth)


def breaking(prediction, truth):
    """Equality, of texts without dogs."""
    if "dog" in str(prediction):
        raise ValueError("no dogs")
    return float(prediction == truth)


def breaking_entries(prediction, truth):
    """The same among other entries."""
    return {"score": breaking(prediction, truth), "length": len(prediction)}


def unbounded(prediction, truth):
    """Infinity."""
    return 10**400


def short(prediction, truth):
    """Equality of short texts alone, a rule that no convention has."""
    return float(prediction == truth and len(prediction) < 9)


def among(prediction, references):
    """Equality with one of the references, which are sorted in place."""
    references.sort()
    return float(prediction in references)


def guessed(prediction, truth):
    """Equality, now and then."""
    return float(prediction == truth) * random.random()


def unordered(prediction, truth):
    """Whether the word that a set of the prediction's gives first stands in the truth."""
    return float(next(iter(set(prediction.split())), "") in truth.split())

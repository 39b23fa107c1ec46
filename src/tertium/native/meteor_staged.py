"""
METEOR of 2005 to 2007 as NLTK computes it: words matched in stages, precision and recall weighed, fragments penalised.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tertium.cases import Cases
from tertium.metric import Matrix
from tertium.native.cache import reference_tokens
from tertium.native.columns import Ids, Offsets, TokenColumn
from tertium.native.stems import Stem, stem_numbers
from tertium.native.tokenizers import Tokenizer, tokenizer

Marks = NDArray[np.bool_]

STAGES = ("exact", "stem", "synonym")
PREPROCESSING: dict[str, Callable[[str], str]] = {"lower": str.lower, "casefold": str.casefold, "none": str}


class Words(NamedTuple):
    """
    Hold the words of a chunk of cases.
    """

    hypotheses: TokenColumn
    references: TokenColumn
    bounds: Offsets


class Keys(NamedTuple):
    """
    Hold the words of both sides as numbers that are equal exactly when the words are, after preprocessing.

    Args:
        left: Of the hypotheses' words.
        right: Of the references' words.
        words: The word of each number.
    """

    left: Ids
    right: Ids
    words: list[str]


class Matching(NamedTuple):
    """
    Hold what each word of a hypothesis is matched with, for each of its references.

    Args:
        owners: The hypothesis of each reference.
        starts: Where the words of each reference's hypothesis start in ``partners`` and ``stages``.
        partners: A position in the reference, -1 for free words.
        stages: The number of the stage, 0 for free words.
        taken: The same for each word of the references.
    """

    owners: Offsets
    starts: Offsets
    partners: Ids
    stages: NDArray[np.uint8]
    taken: NDArray[np.uint8]


@dataclass(frozen=True)
class StagedMeteor:
    """
    Compute METEOR by the stages that are asked for.

    Args:
        alpha: The weight of precision in the denominator of the mean of precision and recall.
        beta: The exponent of the fragmentation.
        gamma: The weight of the penalty.
        stages: Some of exact, stem, synonym.
        stemmer: The name of a stemmer, or a function.
        synonym_form: Whether synonyms are those of ``stem`` or of ``word``.
        preprocessing: What is done to each word first.
        tokenize: The name of a tokenizer, or a function.
    """

    alpha: float
    beta: float
    gamma: float
    stages: tuple[str, ...]
    stemmer: str | Stem
    synonym_form: str
    preprocessing: str | Callable[[str], str]
    tokenize: str | Callable[[str], Any]

    @property
    def tokenizer(self) -> Tokenizer:
        """
        Cut texts as they are: what is done to words is done to each distinct word once.
        """
        return tokenizer(self.tokenize)

    def words(self, cases: Cases) -> Words:
        """
        Cut the texts of a chunk into words.
        """
        references = reference_tokens(cases.flat_references, self.tokenizer)
        hypotheses = self.tokenizer.column(cases.hypotheses, references.vocabulary)
        return Words(hypotheses, references, np.array(cases.bounds, np.int64))

    def keys(self, words: Words) -> Keys:
        """
        Preprocess each distinct word once.
        """
        distinct = words.hypotheses.vocabulary.words()
        if self.preprocessing == "none":
            return Keys(words.hypotheses.ids, words.references.ids, distinct)
        change = self.preprocessing if callable(self.preprocessing) else PREPROCESSING[self.preprocessing]
        changed = _changed(distinct, change)
        kept = list(dict.fromkeys(changed))
        numbers = dict(zip(kept, range(len(kept)), strict=True))
        keys = np.fromiter(map(numbers.__getitem__, changed), np.int32, len(changed))
        return Keys(keys[words.hypotheses.ids], keys[words.references.ids], kept)

    def match(self, words: Words, keys: Keys) -> Matching:
        """
        Match words in stages, greedily: from the last word of the hypothesis, with the last free word that fits.
        """
        from tertium.native import staged_matching

        matching = unmatched(words)
        stemmed = keys
        previous = np.empty(len(keys.right), np.int32)
        sides = words.hypotheses.offsets, words.references.offsets
        for number, stage in enumerate(self.stages, 1):
            here = keys
            if stage == "stem":
                here = stemmed = self.stems(keys, *free_words(words, keys, matching))
            elif stage == "synonym" and self.synonym_form == "stem":
                here = stemmed
            last = np.full(max(len(here.words), 1), -1, np.int32)
            layout = (here.left, sides[0], here.right, sides[1], matching.owners, matching.starts, number)
            written = (matching.partners, matching.stages, matching.taken, last, previous)
            if stage == "synonym":
                edges, links = synonym_links(here.words, *free_words(words, here, matching))
                staged_matching.match_linked(*layout, edges, links, *written)
            else:
                staged_matching.match_equal(*layout, *written)
        return matching

    def stems(self, keys: Keys, left: Marks, right: Marks) -> Keys:
        """
        Put stems in the place of words.

        Args:
            keys: The words.
            left: Marks the hypotheses' words that will be compared.
            right: The same for the references. All other words get the number 0.
        """
        numbers = stem_numbers(self.stemmer)
        chosen = np.flatnonzero(left | right)
        stems = np.zeros(max(len(keys.words), 1), np.int32)
        stems[chosen] = numbers.of(map(keys.words.__getitem__, chosen.tolist()))
        return Keys(stems[keys.left], stems[keys.right], numbers.stems)


def _changed(words: list[str], change: Callable[[str], str]) -> list[str]:
    if change is str.lower:  # all at once: a line feed is no letter, so each word is lowered as if it stood alone
        lowered = "\n".join(words).lower().split("\n")
        if len(lowered) == len(words):
            return lowered
    return [change(word) for word in words]


def free_words(words: Words, keys: Keys, matching: Matching) -> tuple[Marks, Marks]:
    """
    Mark, by number, the words that are still free among hypotheses, and those among references.
    """
    from tertium.native.staged_matching import mark_free

    left, right = np.zeros((2, max(len(keys.words), 1)), np.bool_)
    mark_free(keys.left, words.hypotheses.offsets, matching.owners, matching.starts, matching.partners, left)
    right[keys.right[matching.taken == 0]] = True
    return left, right


def synonym_links(words: Sequence[str], left: Marks, right: Marks) -> tuple[Offsets, Ids]:
    """
    Link words to those that stand in one of their synonym sets, as they are spelt there, and to themselves.

    Args:
        words: All words, by number.
        left: Marks the words whose synonyms are looked up.
        right: Marks the words that may be synonyms.

    Returns:
        Edges, one more than there are words, and the numbers of the words that each is linked to.
    """
    from tertium.native.synonym_sets import synonym_sets

    sets = synonym_sets()
    offered, asked = np.flatnonzero(right), np.flatnonzero(left)
    names = list(map(sets.numbers.get, map(words.__getitem__, offered.tolist())))
    named = np.array([number is not None for number in names], np.bool_)
    word_of = np.full(len(sets.names), -1, np.int32)
    word_of[np.array([number for number in names if number is not None], np.int64)] = offered[named]
    found = list(map(sets.remembered, map(words.__getitem__, asked.tolist())))
    entries = np.fromiter(chain.from_iterable(found), np.int64)
    sources = np.repeat(asked, np.fromiter(map(len, found), np.int64, len(found)))
    sizes = sets.edges[entries + 1] - sets.edges[entries]
    spread = np.repeat(sets.edges[entries] - np.cumsum(sizes) + sizes, sizes)
    members = word_of[sets.members[spread + np.arange(len(spread))]]
    sources = np.concatenate([np.repeat(sources, sizes)[members >= 0], asked])
    targets = np.concatenate([members[members >= 0], asked.astype(np.int32)])
    order = np.argsort(sources, kind="stable")
    edges = np.zeros(len(words) + 1, np.int64)
    np.cumsum(np.bincount(sources, minlength=len(words)), out=edges[1:])
    return edges, targets[order]


def unmatched(words: Words) -> Matching:
    """
    Lay out the words of each reference's hypothesis, all free.
    """
    owners = np.repeat(np.arange(len(words.bounds) - 1), np.diff(words.bounds))
    starts = np.zeros(len(owners) + 1, np.int64)
    np.cumsum(words.hypotheses.lengths[owners], out=starts[1:])
    return Matching(
        owners,
        starts,
        np.full(starts[-1], -1, np.int32),
        np.zeros(starts[-1], np.uint8),
        np.zeros(len(words.references.ids), np.uint8),
    )


def score(words: Words, matching: Matching, weights: tuple[float, float, float]) -> tuple[Matrix, Matrix]:
    """
    Count what each case's best reference gives, and weigh it.

    Args:
        weights: Alpha, beta, gamma.

    Returns:
        Words of the hypothesis, words of the reference, matches and chunks of each case, and its score.
    """
    from tertium.native import staged_matching

    counts = np.zeros((len(matching.owners), 4), np.int64)
    scores, best = np.zeros(len(counts)), np.zeros(len(words.bounds) - 1, np.int64)
    offsets = words.hypotheses.offsets, words.references.offsets
    staged_matching.count_matches(*offsets, matching.owners, matching.starts, matching.partners, counts)
    staged_matching.weigh(counts, *weights, scores)
    staged_matching.best_rows(scores, words.bounds, best)
    return counts[best].astype(np.float64), scores[best]

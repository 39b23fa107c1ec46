"""
METEOR of 2005 to 2007 as NLTK computes it: words matched in stages, precision and recall weighed, fragments penalised.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tertium.cases import Cases
from tertium.metric import Matrix
from tertium.native.cache import reference_tokens
from tertium.native.columns import Ids, Offsets, TokenColumn, offsets_of
from tertium.native.stems import Stem, stemmer
from tertium.native.tokenizers import Tokenizer, tokenizer

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
        places: For each of these, the word's place among the hypotheses' words.
        partners: A position in the reference, -1 for free words.
        stages: The number of the stage, 0 for free words.
        taken: The same for each word of the references.
    """

    owners: Offsets
    starts: Offsets
    places: Offsets
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
        Cut texts; where words end at white space only, a text may be lowered as a whole, which is faster.
        """
        return tokenizer(self.tokenize, self._lowers_texts)

    @property
    def _lowers_texts(self) -> bool:
        return self.preprocessing == "lower" and self.tokenize in ("whitespace", "none")

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
        if self._lowers_texts or self.preprocessing == "none":
            return Keys(words.hypotheses.ids, words.references.ids, distinct)
        change = self.preprocessing if callable(self.preprocessing) else PREPROCESSING[self.preprocessing]
        numbers: dict[str, int] = {}
        keys = np.array([numbers.setdefault(change(word), len(numbers)) for word in distinct], np.int32)
        return Keys(keys[words.hypotheses.ids], keys[words.references.ids], list(numbers))

    def match(self, words: Words, keys: Keys) -> Matching:
        """
        Match words in stages, greedily: from the last word of the hypothesis, with the last free word that fits.
        """
        from tertium.native import staged_matching

        matching = unmatched(words)
        stemmed = keys
        last = np.full(max(len(keys.words), 1), -1, np.int32)
        previous = np.empty(len(keys.right), np.int32)
        sides = words.hypotheses.offsets, words.references.offsets
        for number, stage in enumerate(self.stages, 1):
            here = keys
            if stage == "stem":
                here = stemmed = self.stems(keys, *free_words(keys, matching))
            elif stage == "synonym" and self.synonym_form == "stem":
                here = stemmed
            layout = (here.left, sides[0], here.right, sides[1], matching.owners, matching.starts, number)
            written = (matching.partners, matching.stages, matching.taken, last, previous)
            if stage == "synonym":
                edges, links = synonym_links(here.words, *free_words(here, matching))
                staged_matching.match_linked(*layout, edges, links, *written)
            else:
                staged_matching.match_equal(*layout, *written)
        return matching

    def stems(self, keys: Keys, left: NDArray[Any], right: NDArray[Any]) -> Keys:
        """
        Put stems in the place of words.

        Args:
            keys: The words.
            left: The numbers, ascending, of the hypotheses' words that will be compared.
            right: The same for the references. All other words get the number 0.
        """
        stem = self.stemmer if callable(self.stemmer) else stemmer(self.stemmer)
        words, numbers = keys.words, dict[str, int]()
        stems = np.zeros(max(len(words), 1), np.int32)
        chosen = np.union1d(left, right)
        stems[chosen] = [numbers.setdefault(stem(words[key]), len(numbers)) for key in chosen.tolist()]
        return Keys(stems[keys.left], stems[keys.right], list(numbers))


def free_words(keys: Keys, matching: Matching) -> tuple[NDArray[Any], NDArray[Any]]:
    """
    Give the numbers, ascending, of the distinct words that are still free among hypotheses and among references.
    """
    marks = np.zeros((2, max(len(keys.words), 1)), np.bool_)
    marks[0][keys.left[matching.places[matching.partners < 0]]] = True
    marks[1][keys.right[matching.taken == 0]] = True
    return np.flatnonzero(marks[0]), np.flatnonzero(marks[1])


def synonym_links(words: Sequence[str], left: NDArray[Any], right: NDArray[Any]) -> tuple[Offsets, Ids]:
    """
    Link words to those that stand in one of their synonym sets, as they are spelt there, and to themselves.

    Args:
        words: All words, by number.
        left: The numbers, ascending, of the words whose synonyms are looked up.
        right: The numbers of the words that may be synonyms.

    Returns:
        Edges, one more than there are words, and the numbers of the words that each is linked to.
    """
    from tertium.native.synonym_sets import synonym_sets

    sets = synonym_sets()
    number = sets.numbers.get
    names = np.array([number(words[key], -1) for key in right.tolist()], np.int64)
    word_of = np.full(len(sets.names), -1, np.int32)
    word_of[names[names >= 0]] = right[names >= 0]
    found = [sets.remembered(words[key]) for key in left.tolist()]
    entries = np.array([entry for group in found for entry in group], np.int64)
    sources = np.repeat(left, [len(group) for group in found])
    sizes = sets.edges[entries + 1] - sets.edges[entries]
    spread = np.repeat(sets.edges[entries] - offsets_of(sizes.tolist(), len(sizes))[:-1], sizes)
    members = word_of[sets.members[spread + np.arange(len(spread))]]
    sources = np.concatenate([np.repeat(sources, sizes)[members >= 0], left])
    targets = np.concatenate([members[members >= 0], left.astype(np.int32)])
    order = np.argsort(sources, kind="stable")
    return offsets_of(np.bincount(sources, minlength=len(words)).tolist(), len(words)), targets[order].astype(np.int32)


def unmatched(words: Words) -> Matching:
    """
    Lay out the words of each reference's hypothesis, all free.
    """
    owners = np.repeat(np.arange(len(words.bounds) - 1), np.diff(words.bounds))
    lengths = words.hypotheses.lengths[owners]
    starts = np.zeros(len(owners) + 1, np.int64)
    np.cumsum(lengths, out=starts[1:])
    places = np.arange(starts[-1]) + np.repeat(words.hypotheses.offsets[owners] - starts[:-1], lengths)
    return Matching(
        owners,
        starts,
        places,
        np.full(len(places), -1, np.int32),
        np.zeros(len(places), np.uint8),
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

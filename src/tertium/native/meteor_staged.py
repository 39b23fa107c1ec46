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
from tertium.errors import Refused
from tertium.metric import Matrix, installed_version
from tertium.native.cache import reference_tokens
from tertium.native.columns import Ids, Offsets, TokenColumn
from tertium.native.optimal_alignment import BudgetSpent, align
from tertium.native.stems import OWN, Stem, stem_numbers
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
        starts: Where the words of each reference's hypothesis start in ``partners``.
        partners: A position in the reference, -1 for free words.
        taken: For each word of the references, 1 where it is matched.
    """

    owners: Offsets
    starts: Offsets
    partners: Ids
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
        tie: None for greedy matching; else what decides between alignments of equally many words.
        budget: Partial alignments that an exact search looks at.
        beam: Partial alignments that a beam keeps, or None for an exact search.
    """

    alpha: float
    beta: float
    gamma: float
    stages: tuple[str, ...]
    stemmer: str | Stem
    synonym_form: str
    preprocessing: str | Callable[[str], str]
    tokenize: str | Callable[[str], Any]
    tie: str | None
    budget: int
    beam: int | None

    @property
    def resources(self) -> tuple[str, ...]:
        """
        Name the resources that are needed.
        """
        return ("wordnet",) if "synonym" in self.stages else ()

    def facts(self) -> dict[str, object]:
        """
        Give every convention in force.
        """
        facts: dict[str, object] = {name: getattr(self, name) for name in ("alpha", "beta", "gamma")}
        facts["stages"] = ",".join(self.stages)
        if "stem" in self.stages:
            facts["stemmer"] = self.stemmer
            if isinstance(self.stemmer, str) and self.stemmer not in OWN:
                facts["nltk"] = installed_version("nltk") or "absent"
        if "synonym" in self.stages:
            facts["synonym_form"] = self.synonym_form
        facts |= {"preprocessing": self.preprocessing, "tokenize": self.tokenizer.signature}
        facts["alignment"] = "optimal" if self.tie else "greedy"
        if self.tie:
            facts |= {"tie": self.tie, "search": "beam" if self.beam else "exact"}
            facts["beam" if self.beam else "budget"] = self.beam or self.budget
        return facts

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

    def score(self, words: Words) -> tuple[Matrix, Matrix]:
        """
        Count what each case's best reference gives, and weigh it.

        Returns:
            Words of the hypothesis, words of the reference, matches and chunks of each case, and its score.
        """
        from tertium.native import staged_matching

        keys = self.keys(words)
        matching = self.match(words, keys) if self.tie is None else self.align(words, keys)
        counts = np.zeros((len(matching.owners), 4), np.int64)
        scores, best = np.zeros(len(counts)), np.zeros(len(words.bounds) - 1, np.int64)
        offsets = words.hypotheses.offsets, words.references.offsets
        staged_matching.count_matches(*offsets, matching.owners, matching.starts, matching.partners, counts)
        staged_matching.weigh(counts, self.alpha, self.beta, self.gamma, scores)
        staged_matching.best_rows(scores, words.bounds, best)
        return counts[best].astype(np.float64), scores[best]

    def finish(self, sums: Matrix) -> Matrix:
        """
        Give score, precision, recall and fragmentation of counts.
        """
        length, wanted, matches, chunks = (sums[..., column] for column in range(4))
        none = matches == 0
        precision, recall = (np.where(none, 0.0, matches / total) for total in (length, wanted))
        mean = precision * recall / (self.alpha * precision + (1 - self.alpha) * recall)
        fragmentation = np.where(none, 0.0, chunks / matches)
        value = np.where(none, 0.0, (1 - self.gamma * fragmentation**self.beta) * mean)
        return np.stack([value, precision, recall, fragmentation], axis=-1)

    def match(self, words: Words, keys: Keys) -> Matching:
        """
        Match words in stages, greedily: from the last word of the hypothesis, with the last free word that fits.
        """
        from tertium.native import staged_matching

        matching = unmatched(words)
        stemmed = keys
        previous = np.empty(len(keys.right), np.int32)
        sides = words.hypotheses.offsets, words.references.offsets
        for stage in self.stages:
            here = keys
            if stage == "stem":
                here = stemmed = self.stems(keys, *free_words(words, keys, matching))
            elif stage == "synonym" and self.synonym_form == "stem":
                here = stemmed
            last = np.full(max(len(here.words), 1), -1, np.int32)
            layout = (here.left, sides[0], here.right, sides[1], matching.owners, matching.starts)
            written = (matching.partners, matching.taken, last, previous)
            if stage == "synonym":
                edges, links = synonym_links(here.words, *free_words(words, here, matching))
                staged_matching.match_linked(*layout, edges, links, *written)
            else:
                staged_matching.match_equal(*layout, *written)
        return matching

    def align(self, words: Words, keys: Keys) -> Matching:
        """
        Align words so that as many as can be have a partner by any stage, and in the best order.

        Raises:
            Refused: An exact search would look at more partial alignments than the budget allows.
        """
        matching = unmatched(words)
        fits = self._fitting(keys)
        for pair, owner in enumerate(matching.owners.tolist()):
            left = keys.left[words.hypotheses.offsets[owner] : words.hypotheses.offsets[owner + 1]].tolist()
            right = keys.right[words.references.offsets[pair] : words.references.offsets[pair + 1]].tolist()
            places: dict[int, list[int]] = {}
            for place, word in enumerate(right):
                places.setdefault(word, []).append(place)
            partners = {
                word: sorted(place for other in fits.get(word, ()) for place in places.get(other, ()))
                for word in dict.fromkeys(left)
            }
            try:
                if self.beam is None and sum(len(partners[word]) for word in left) > self.budget:
                    raise BudgetSpent
                found = align([partners[word] for word in left], left, str(self.tie), self.budget, self.beam)
            except BudgetSpent as error:
                raise Refused(
                    "meteor@native with alignment=optimal and search=exact",
                    f"{len(left):,} and {len(right):,} words ({' '.join(keys.words[word] for word in left[:6])}...) have "
                    f"more than budget={self.budget:,} partial alignments",
                    "Give a larger budget, or search=beam",
                ) from error
            matching.partners[matching.starts[pair] : matching.starts[pair + 1]] = found
        return matching

    def _fitting(self, keys: Keys) -> dict[int, set[int]]:
        """
        Find, for each word of the hypotheses, the words of the references that it matches by any stage.
        """
        left, right = (np.unique(side).tolist() for side in (keys.left, keys.right))
        forms = list(range(len(keys.words)))
        fits: dict[int, set[int]] = {word: set() for word in left}
        names: Sequence[str] = keys.words
        for stage in self.stages:
            if stage == "stem":
                numbers = stem_numbers(self.stemmer)
                stems = numbers.of(keys.words)
                if self.synonym_form == "stem":
                    forms, names = stems, numbers.stems
            here = {"exact": list(range(len(keys.words))), "stem": forms if stage != "stem" else stems}.get(
                stage, forms
            )
            by_form: dict[int, set[int]] = {}
            for word in right:
                by_form.setdefault(here[word], set()).add(word)
            if stage != "synonym":
                for word in left:
                    fits[word] |= by_form.get(here[word], set())
                continue
            asked, offered = np.zeros((2, len(names)), np.bool_)
            asked[[here[word] for word in left]] = True
            offered[[here[word] for word in right]] = True
            edges, links = synonym_links(names, asked, offered)
            for word in left:
                for form in links[edges[here[word]] : edges[here[word] + 1]].tolist():
                    fits[word] |= by_form.get(form, set())
        return fits

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
        np.zeros(len(words.references.ids), np.uint8),
    )

"""
METEOR of 2005 to 2007 as NLTK computes it: words matched in stages, precision and recall weighed, fragments penalised.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tertium.cases import Cases
from tertium.errors import Refused
from tertium.metric import Matrix, installed_version
from tertium.native.cache import reference_tokens
from tertium.native.columns import Ids, Offsets, TokenColumn
from tertium.native.lexicon import REMEMBERED, Lexicon, Marks
from tertium.native.optimal_alignment import BudgetSpent, align
from tertium.native.reference_choice import best_rows
from tertium.native.stems import OWN, Stem, stemmer
from tertium.native.tokenizers import Tokenizer, tokenizer

if TYPE_CHECKING:
    from tertium.native.synonym_sets import SynonymSets

STAGES = ("exact", "stem", "synonym")
_lexicons: dict[Hashable, Lexicon] = {}
_lock = threading.Lock()
PREPROCESSING: dict[str, Callable[[str], str]] = {"lower": str.lower, "casefold": str.casefold, "none": str}


class Words(NamedTuple):
    """
    Hold the words of a chunk of cases.
    """

    hypotheses: TokenColumn
    references: TokenColumn
    bounds: Offsets


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

    def lexicon(self) -> Lexicon:
        """
        Give the lexicon of these words; metrics that ask the same share it, but for those with functions of their own.

        Raises:
            ResourceMissing: WordNet, or NLTK for its stemmers, is not there.
        """
        form, sets = self.synonym_form, None
        if "synonym" in self.stages:
            from tertium.native.synonym_sets import synonym_sets

            sets = synonym_sets()
        stem = self.stemmer if "stem" in self.stages else None
        if callable(stem) or callable(self.preprocessing):
            return self._made_lexicon(sets)
        key = (self.preprocessing, stem, form, sets)
        with _lock:
            known = _lexicons.get(key)
            if known is None or len(known.words) > REMEMBERED:
                known = _lexicons[key] = self._made_lexicon(sets)
            return known

    def _made_lexicon(self, sets: SynonymSets | None) -> Lexicon:
        change = self.preprocessing if callable(self.preprocessing) else PREPROCESSING[self.preprocessing]
        stem: Stem | None = None
        if "stem" in self.stages:
            stem = self.stemmer if callable(self.stemmer) else stemmer(self.stemmer)
        return Lexicon(change, stem, sets, self.synonym_form == "stem")

    def score(self, words: Words) -> tuple[Matrix, Matrix]:
        """
        Count what each case's best reference gives, and weigh it.

        Returns:
            Words of the hypothesis, words of the reference, matches and chunks of each case, and its score.
        """
        from tertium.native import staged_matching

        lexicon = self.lexicon()
        keys = lexicon.words.of_vocabulary(words.hypotheses.vocabulary)
        matching = (self.match if self.tie is None else self.align)(words, lexicon, keys)
        counts = np.zeros((len(matching.owners), 4), np.int64)
        scores = np.zeros(len(counts))
        offsets = words.hypotheses.offsets, words.references.offsets
        staged_matching.count_matches(*offsets, matching.owners, matching.starts, matching.partners, counts)
        staged_matching.weigh(counts, self.alpha, self.beta, self.gamma, scores)
        best = best_rows(scores, words.bounds)
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

    def match(self, words: Words, lexicon: Lexicon, keys: Ids) -> Matching:
        """
        Match words in stages, greedily: from the last word of the hypothesis, with the last free word that fits.

        Args:
            words: The words.
            lexicon: What is known of them.
            keys: The number of each distinct word in the lexicon.
        """
        from tertium.native import staged_matching

        matching = unmatched(words)
        previous = np.empty(len(words.references.ids), np.int32)
        sides = words.hypotheses.offsets, words.references.offsets
        left, right = keys[words.hypotheses.ids], keys[words.references.ids]
        size = len(lexicon.words.derived)
        stemmed = left, right, size
        for stage in self.stages:
            here = left, right, size
            if stage == "stem":
                free = free_words(words, matching, left, right, size)
                stems = lexicon.stems.of(np.flatnonzero(free[0] | free[1]))
                here = stemmed = stems[left], stems[right], len(lexicon.stems.names)
            elif stage == "synonym" and self.synonym_form == "stem":
                here = stemmed
            last = np.full(max(here[2], 1), -1, np.int32)
            layout = (here[0], sides[0], here[1], sides[1], matching.owners, matching.starts)
            written = (matching.partners, matching.taken, last, previous)
            if stage == "synonym":
                edges, links = lexicon.synonyms.links(*free_words(words, matching, *here))
                staged_matching.match_linked(*layout, edges, links, *written)
            else:
                staged_matching.match_equal(*layout, *written)
        return matching

    def align(self, words: Words, lexicon: Lexicon, keys: Ids) -> Matching:
        """
        Align words so that as many as can be have a partner by any stage, and in the best order.

        Args:
            words: The words.
            lexicon: What is known of them.
            keys: The number of each distinct word in the lexicon.

        Raises:
            Refused: An exact search would look at more partial alignments than the budget allows.
        """
        matching = unmatched(words)
        left, right = keys[words.hypotheses.ids], keys[words.references.ids]
        fits = self._fitting(lexicon, np.unique(left), np.unique(right))
        for pair, owner in enumerate(matching.owners.tolist()):
            here = left[words.hypotheses.offsets[owner] : words.hypotheses.offsets[owner + 1]].tolist()
            there = right[words.references.offsets[pair] : words.references.offsets[pair + 1]].tolist()
            places: dict[int, list[int]] = {}
            for place, word in enumerate(there):
                places.setdefault(word, []).append(place)
            partners = {
                word: sorted(place for other in fits[word] for place in places.get(other, ()))
                for word in dict.fromkeys(here)
            }
            try:
                if self.beam is None and sum(len(partners[word]) for word in here) > self.budget:
                    raise BudgetSpent
                found = align([partners[word] for word in here], here, str(self.tie), self.budget, self.beam)
            except BudgetSpent as error:
                raise Refused(
                    "meteor@native with alignment=optimal and search=exact",
                    f"{len(here):,} and {len(there):,} words "
                    f"({' '.join(lexicon.words.derived[word] for word in here[:6])}...) have more than "
                    f"budget={self.budget:,} partial alignments",
                    "Give a larger budget, or search=beam",
                ) from error
            matching.partners[matching.starts[pair] : matching.starts[pair + 1]] = found
        return matching

    def _fitting(self, lexicon: Lexicon, left: Ids, right: Ids) -> dict[int, set[int]]:
        """
        Find, for each word of the hypotheses, the words of the references that it matches by any stage.
        """
        fits: dict[int, set[int]] = {word: set() for word in left.tolist()}
        size = len(lexicon.words.derived)
        identity = np.arange(size, dtype=np.int32)
        stems = lexicon.stems.of(np.union1d(left, right).astype(np.int64)) if "stem" in self.stages else identity
        for stage in self.stages:
            of_stems = stage == "stem" or (stage == "synonym" and self.synonym_form == "stem")
            forms = stems if of_stems else identity
            by_form: dict[int, list[int]] = {}
            for word, form in zip(right.tolist(), forms[right].tolist(), strict=True):
                by_form.setdefault(form, []).append(word)
            for word, form in zip(left.tolist(), forms[left].tolist(), strict=True):
                fits[word].update(by_form.get(form, ()))
            if stage == "synonym":
                marks = np.zeros((2, len(lexicon.stems.names) if of_stems else size), np.bool_)
                marks[0][forms[left]] = marks[1][forms[right]] = True
                edges, links = lexicon.synonyms.links(marks[0], marks[1])
                for word, form in zip(left.tolist(), forms[left].tolist(), strict=True):
                    for other in links[edges[form] : edges[form + 1]].tolist():
                        fits[word].update(by_form.get(other, ()))
        return fits


def free_words(words: Words, matching: Matching, left: Ids, right: Ids, size: int) -> tuple[Marks, Marks]:
    """
    Mark, by number, the words that are still free among hypotheses, and those among references.

    Args:
        words: Where texts begin and end.
        matching: What is matched.
        left: The numbers of the hypotheses' words.
        right: The numbers of the references' words.
        size: One more than the largest number can be.
    """
    from tertium.native.staged_matching import mark_free

    marks = np.zeros((2, max(size, 1)), np.bool_)
    mark_free(left, words.hypotheses.offsets, matching.owners, matching.starts, matching.partners, marks[0])
    marks[1][right[matching.taken == 0]] = True
    return marks[0], marks[1]


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

"""
CMU Meteor 1.5: matches of words and phrases, a beam search, and one score of pooled counts.

Denkowski and Lavie 2014, "Meteor Universal: language specific translation evaluation for any target language".
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tertium.cases import Cases
from tertium.errors import Refused
from tertium.metric import Matrix, installed_version
from tertium.native import meteor_data, meteor_stems
from tertium.native.cache import reference_tokens
from tertium.native.columns import Ids, Offsets, TokenColumn
from tertium.native.meteor_normalizer import LANGUAGES, Normalizer
from tertium.native.meteor_settings import STAGES
from tertium.native.meteor_staged import Words
from tertium.native.reference_choice import best_rows
from tertium.native.tokenizers import ScanTokenizer, Tokenizer, ptb_lines, tokenizer

if TYPE_CHECKING:
    from tertium.native.phrase_matches import Found, Matches, Pairs


@functools.cache
def _java_blanks() -> NDArray[np.uint8]:
    from tertium.native.tokenizers.scan import SPACE

    classes = np.zeros(0x110000, np.uint8)
    classes[[ord(blank) for blank in " \t\n\r\f"]] = SPACE
    return classes


def java_hash(word: str) -> int:
    """
    Give the hash of a word as Java's strings have it: 32 bits over units of UTF-16.
    """
    code = 0
    if word.isascii():
        for point in word.encode("ascii"):
            code = (31 * code + point) & 0xFFFFFFFF
    else:
        for unit in np.frombuffer(word.encode("utf-16-le", "surrogatepass"), "<u2").tolist():
            code = (31 * code + unit) & 0xFFFFFFFF
    return code


def _joined(column: TokenColumn) -> list[str]:
    """
    Join the tokens of each row by spaces.
    """
    words, ids = column.vocabulary.words(), column.ids.tolist()
    return [" ".join(map(words.__getitem__, ids[start:end])) for start, end in pairwise(column.offsets.tolist())]


@dataclass(frozen=True)
class _OfFunction(ScanTokenizer):
    """
    Tell a tokenizer that begins with a function from one that begins with another function of that name.
    """

    function: Callable[[str], Any] = str.split

    @property
    def key(self) -> Hashable:
        return self.signature, self.function


@dataclass(frozen=True)
class CmuMeteor:
    """
    Compute Meteor 1.5.

    Args:
        language: A key of ``NAMES``.
        task: What the parameters were tuned to.
        stages: Some of exact, stem, synonym, paraphrase; exact first.
        weights: The weight of each stage.
        numbers: Alpha, beta, gamma, delta.
        preprocessing: ``none``, ``lower`` or ``normalize``.
        punctuation: Keep punctuation where texts are normalised.
        tokenize: The name of a tokenizer, or a function, whose tokens are joined by spaces before all else.
        beam: Paths that are kept at each position of the reference.
        characters: Count characters in place of words.
        hashes: Compare the 32-bit hashes of words in place of words, as the program does.
    """

    language: str
    task: str
    stages: tuple[str, ...]
    weights: tuple[float, ...]
    numbers: tuple[float, float, float, float]
    preprocessing: str
    punctuation: bool
    tokenize: str | Callable[[str], Any] | None
    beam: int
    characters: bool
    hashes: bool

    @property
    def resources(self) -> tuple[str, ...]:
        """
        Name the resources that are needed.
        """
        return (meteor_data.ARCHIVE, *((meteor_data.PARAPHRASES,) if "paraphrase" in self.stages else ()))

    @property
    def tokenizer(self) -> Tokenizer:
        """
        Cut texts at ASCII white space, after what is done to them first.
        """
        return _tokenizer(self)

    def words(self, cases: Cases) -> Words:
        """
        Cut the texts of a chunk into words.
        """
        references = reference_tokens(cases.flat_references, self.tokenizer)
        hypotheses = self.tokenizer.column(cases.hypotheses, references.vocabulary)
        return Words(hypotheses, references, np.array(cases.bounds, np.int64))

    def facts(self) -> dict[str, object]:
        """
        Give every convention in force.
        """
        facts: dict[str, object] = {
            "language": self.language,
            "task": self.task,
            **dict(zip(("alpha", "beta", "gamma", "delta"), self.numbers, strict=True)),
            "stages": ",".join(self.stages),
            "weights": ",".join(map(repr, self.weights)),
            "tokenize": self.tokenizer.signature,
            "preprocessing": self.preprocessing,
            "punctuation": self.punctuation,
            "alignment": "beam",
            "beam": self.beam,
            "characters": self.characters,
            "hashes": self.hashes,
        }
        if "stem" in self.stages and self.language in meteor_stems.BY_NLTK:
            facts["nltk"] = installed_version("nltk") or "absent"
        return facts

    def score(self, words: Words) -> tuple[Matrix, Matrix]:
        """
        Count what the best reference of each case gives, a row a case, and its score.

        The chunk of a pair that is matched as a whole in one chunk is not counted, as Meteor does when it adds up.
        """
        from tertium.native.meteor_counts import count_words
        from tertium.native.phrase_matches import Pairs
        from tertium.native.phrase_search import chosen_matches

        owners = np.repeat(np.arange(len(words.bounds) - 1), np.diff(words.bounds))
        distinct = words.hypotheses.vocabulary.words()
        left, right = words.hypotheses, words.references
        pairs = Pairs(left.offsets, right.offsets, owners, np.ones(len(owners), np.bool_))
        matches = self._matches(words, pairs, distinct)
        chosen = chosen_matches(pairs, matches, self.beam)
        sizes = np.array([_units(word) for word in distinct] if self.characters else [1] * len(distinct), np.int64)
        function = np.array(self._function_words(distinct), np.int64)
        ids = left.ids, right.ids
        rows = count_words(pairs, matches, chosen, (sizes[ids[0]], sizes[ids[1]]), (function[ids[0]], function[ids[1]]))
        whole = (rows[:, 21] == rows[:, 23]) & (rows[:, 22] == rows[:, 24]) & (rows[:, 20] == 1)
        rows[whole, 20] = 0
        with np.errstate(divide="ignore", invalid="ignore"):
            scores = np.ascontiguousarray(self.finish(rows)[:, 0])
        best = best_rows(scores, words.bounds)
        return rows[best], scores[best]

    def _function_words(self, distinct: list[str]) -> list[bool]:
        # Whatever the language, the program weighs English function words: so it was measured for every language.
        known = meteor_data.function_words("english")
        return [word.lower() in known for word in distinct]

    def _matches(self, words: Words, pairs: Pairs, distinct: list[str]) -> Matches:
        from tertium.native import phrase_matches

        left, right = words.hypotheses.ids, words.references.ids
        keys = self._keys(distinct)
        here, there = keys[left], keys[right]
        differing = pairs._replace(wanted=_differing(here, pairs.left, there, pairs.right, pairs.owners))
        found: list[tuple[int, Found]] = []
        try:
            for stage in self.stages:
                if stage == "paraphrase":
                    matched = phrase_matches.phrase_matches(differing, *self._phrases(words, distinct))
                elif stage == "exact":
                    matched = phrase_matches.word_matches(pairs, here, there, None, None)
                else:
                    stems = self._keys(meteor_stems.stems(self.language, distinct)) if stage == "stem" else keys
                    links = self._links(distinct, keys) if stage == "synonym" else None
                    matched = phrase_matches.word_matches(differing, stems[left], stems[right], (here, there), links)
                found.append((STAGES.index(stage), matched))
            return phrase_matches.sorted_matches(pairs, found)
        except phrase_matches.TooManyMatches as error:
            raise Refused(
                "meteor@native with version=1.5",
                f"{len(pairs.owners):,} pairs of texts have more than {phrase_matches.MOST:,} possible matches",
                "Leave out the texts that repeat a few words thousands of times",
            ) from error

    def _keys(self, words: Sequence[str]) -> Ids:
        numbers: dict[Any, int] = {}
        codes: Sequence[Any] = [java_hash(word) for word in words] if self.hashes else words
        return np.array([numbers.setdefault(code, len(numbers)) for code in codes], np.int32)

    def _links(self, distinct: list[str], keys: Ids) -> tuple[Offsets, Ids]:
        """
        Link each word to all others of the chunk that share a synonym set with it.
        """
        synonyms = meteor_data.english_synonyms()
        found = list(map(synonyms.of, distinct))
        members: dict[str, set[int]] = {}
        for key, numbers in zip(keys.tolist(), found, strict=True):
            for number in numbers:
                members.setdefault(number, set()).add(key)
        members = {number: group for number, group in members.items() if len(group) > 1}
        linked: dict[int, set[int]] = {}
        for key, numbers in zip(keys.tolist(), found, strict=True):
            for number in numbers & members.keys():
                linked.setdefault(key, set()).update(members[number])
        groups = [sorted(linked.get(key, set()) - {key}) for key in range(len(distinct))]
        edges = np.zeros(len(distinct) + 1, np.int64)
        np.cumsum([len(group) for group in groups], out=edges[1:])
        return edges, np.array([key for group in groups for key in group], np.int32)

    def _phrases(self, words: Words, distinct: list[str]) -> tuple[Any, ...]:
        from tertium.native.paraphrases import english_paraphrases

        known = english_paraphrases()
        numbers = np.array([known.numbers.get(word, -1) for word in distinct], np.int32)
        return numbers[words.hypotheses.ids], numbers[words.references.ids], known.table, known.depth

    def finish(self, sums: Matrix) -> Matrix:
        """
        Give score, precision, recall, F-mean and penalty of counts; 0 where one is not defined.
        """
        alpha, beta, gamma, delta = self.numbers
        left_total, right_total, left_function, right_function = (sums[..., column] for column in range(4))
        left, right = np.zeros(sums.shape[:-1]), np.zeros(sums.shape[:-1])
        for stage, weight in zip(self.stages, self.weights, strict=True):
            base = 4 + 4 * STAGES.index(stage)
            left += weight * (delta * sums[..., base] + (1 - delta) * sums[..., base + 2])
            right += weight * (delta * sums[..., base + 1] + (1 - delta) * sums[..., base + 3])
        precision = left / (delta * (left_total - left_function) + (1 - delta) * left_function)
        recall = right / (delta * (right_total - right_function) + (1 - delta) * right_function)
        mean = 1 / ((1 - alpha) / precision + alpha / recall)
        chunks, left_words, right_words = (sums[..., column] for column in (20, 21, 22))
        whole = (left_words == sums[..., 23]) & (right_words == sums[..., 24]) & (chunks <= 1)
        fragmentation = np.where(whole, 0.0, chunks / ((left_words + right_words) / 2))
        penalty = gamma * fragmentation**beta
        value = mean * (1 - penalty)
        value = np.where(value > 0, value, 0.0)
        parts = (np.nan_to_num(part, nan=0.0) for part in (precision, recall, mean, penalty))
        return np.stack([value, *parts], axis=-1)


@functools.lru_cache(maxsize=32)
def _tokenizer(way: CmuMeteor) -> Tokenizer:
    punctuation = "" if way.punctuation else ",no punctuation"
    signature = f"meteor-1.5({way.preprocessing},{way.language}{punctuation})"
    first = None if way.tokenize is None else ptb_lines() if way.tokenize == "ptb" else tokenizer(way.tokenize)
    changes: list[Callable[[str], str]] = []
    if first is not None:
        signature = f"{first.signature} {signature}"
    if way.preprocessing == "normalize":
        known = meteor_data.abbreviations(LANGUAGES[way.language])
        changes.append(Normalizer(way.language, known, way.punctuation))
    if way.preprocessing != "none":
        changes.append(str.lower)

    def rewrite(texts: Sequence[str]) -> Sequence[str]:
        if first is not None:
            texts = _joined(first.column(texts))
        for change in changes:
            texts = [change(text) for text in texts]
        return texts

    made = ScanTokenizer(signature, classes=_java_blanks, rewrite=rewrite if changes or first else None)
    return made if not callable(way.tokenize) else _OfFunction(**vars(made), function=way.tokenize)


def _units(word: str) -> int:
    return len(word) if word.isascii() else len(word.encode("utf-16-le", "surrogatepass")) // 2


def _differing(
    left: Ids, left_offsets: Offsets, right: Ids, right_offsets: Offsets, owners: Offsets
) -> NDArray[np.bool_]:
    """
    Tell which references are not word for word their hypothesis.
    """
    lengths = np.diff(right_offsets)
    differing: NDArray[np.bool_] = np.diff(left_offsets)[owners] != lengths
    same = np.flatnonzero(~differing)
    for pair in same.tolist():
        start = left_offsets[owners[pair]]
        end = start + lengths[pair]
        differing[pair] = not np.array_equal(left[start:end], right[right_offsets[pair] : right_offsets[pair + 1]])
    return differing

"""
TER with the searches of its implementations and every limit as a parameter.
"""

from __future__ import annotations

import math
import unicodedata
import warnings
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tertium.cases import Cases
from tertium.errors import BadText, ParameterError
from tertium.metric import Matrix, Metric
from tertium.native.cache import reference_tokens
from tertium.native.columns import Offsets, TokenColumn
from tertium.native.tokenizers import NAMES, Tokenizer, tokenizer
from tertium.parameters import Choices, Range

Longs = NDArray[np.int64]

UNLIMITED = 1 << 40
LONGEST = (1 << 21) - 1
"""Words of the longest text that a search can number."""

LIMITS: Mapping[str, Mapping[str, int]] = {
    "sacrebleu": {"beam": 25, "max_shift_size": 10, "max_shift_distance": 50, "max_shift_candidates": 1000},
    "tercom": {"beam": 20, "max_shift_size": 10, "max_shift_distance": 50, "max_shift_candidates": UNLIMITED},
    "pyter3": {"max_shift_candidates": UNLIMITED},
}
"""The limits of each search, where nothing else is asked for."""

OWN = ("sacrebleu", "tercom")
"""The tokenizers that take the options of TER."""


class LimitWarning(UserWarning):
    """
    Say that a search ended at the limit of work, so that some edits may be too many.
    """


class Prepared(NamedTuple):
    """
    Hold the tokens of a chunk.
    """

    hypotheses: TokenColumn
    references: TokenColumn
    bounds: Offsets
    positions: Longs


class Ter(Metric):
    """
    Fewest edits (insert, delete or substitute a word, shift a block of words) that turn the output into a reference,
    in percent of the references' mean length. Edits and lengths are summed over the corpus; lower is better.

    Source: Snover, Dorr, Schwartz, Micciulla and Makhoul, A Study of Translation Edit Rate with Targeted Human
    Annotation, AMTA 2006. With several references the one with the fewest edits counts, the first of equals, and the
    mean length of all. Finding the fewest edits is NP-hard, so that the search is part of the definition; no two of
    the implementations search alike. Against references that people made by correcting this very output it is HTER.

    Insertions are words that the hypothesis has beyond the reference, deletions are those that it lacks; they and the
    substitutions are what is left when the shifts are done. ``cut_off`` counts cases of which a search ended at
    ``max_shift_candidates``, ``limited`` those at ``max_work``.

    The defaults equal sacreBLEU 2.6.0, with each of its options under its own name. Other implementations as points in the parameter space:

    - TERCOM 0.10.0: ``search=tercom, tokenize=tercom, empty_reference=infinite, percent=false``; its -N, -P, -A, -s, -K are
      ``normalized``, ``no_punct``, ``asian_support``, ``case_sensitive``, ``no_tag_brackets``; -b is ``beam``, -d is
      ``max_shift_distance``, and -I, -D, -B, -T are the costs.
    - TorchMetrics 1.9.0: ``edited=reference, max_shift_size=9, empty_hypothesis=free, reference_passes=1,
      percent=false``.
    - pyter3 0.3, one segment: ``search=pyter3, tokenize=none, case_sensitive=true, empty_reference=undefined,
      percent=false``.
    """

    name = "ter"
    provider = "native"
    citation = (
        "Snover, Dorr, Schwartz, Micciulla, Makhoul: A Study of Translation Edit Rate with Targeted Human Annotation. "
        "AMTA 2006"
    )
    columns = (
        "edits",
        "reference_length",
        "shifts",
        "insertions",
        "deletions",
        "substitutions",
        "cut_off",
        "limited",
    )
    outputs = ("ter", *columns)
    scale = (0.0, math.inf)
    higher_is_better = False
    releases_gil = True

    def __init__(
        self,
        *,
        search: Annotated[Literal["sacrebleu", "tercom", "pyter3"], "Whose search for shifts"] = "sacrebleu",
        tokenize: Annotated[
            str | Callable[[str], Any],
            "How texts are cut into words",
            Choices(*OWN, *NAMES, "spm:<file>", offers="tokenizers"),
        ] = "sacrebleu",
        normalized: Annotated[bool, "Apply mteval's rules for punctuation (tokenize=sacrebleu or tercom)"] = False,
        no_punct: Annotated[bool, "Delete punctuation (tokenize=sacrebleu or tercom)"] = False,
        asian_support: Annotated[
            bool, "With normalized or no_punct, heed Asian characters, too (tokenize=sacrebleu or tercom)"
        ] = False,
        case_sensitive: Annotated[bool, "Keep upper and lower case apart"] = False,
        no_tag_brackets: Annotated[bool, "With normalized, strip <> from tags (tokenize=tercom)"] = False,
        reference_passes: Annotated[
            int | None,
            "How often references are tokenized; 1, but 2 with tokenize=sacrebleu and normalized, as the library does",
            Range(1, 2),
        ] = None,
        beam: Annotated[
            int | None, "sacrebleu: half the width of the band, 25; tercom: the most above the best, 20", Range(0)
        ] = None,
        max_shift_size: Annotated[int | None, "Words that shift at once, at most; 10", Range(0)] = None,
        max_shift_distance: Annotated[int | None, "Words that a shift goes, at most; 50", Range(0)] = None,
        max_shift_candidates: Annotated[
            int | None, "Shifts that a search tries, at most; sacrebleu: 1000, others: any number", Range(1)
        ] = None,
        insert_cost: Annotated[float, "Cost of an insertion (search=tercom)", Range(0, 1e6, open_low=True)] = 1.0,
        delete_cost: Annotated[float, "Cost of a deletion (search=tercom)", Range(0, 1e6, open_low=True)] = 1.0,
        substitute_cost: Annotated[float, "Cost of a substitution (search=tercom)", Range(0, 1e6, open_low=True)] = 1.0,
        shift_cost: Annotated[float, "Cost of a shift (search=tercom)", Range(0, 1e6, open_low=True)] = 1.0,
        edited: Annotated[
            Literal["hypothesis", "reference"], "Which side is edited until it is the other"
        ] = "hypothesis",
        empty_hypothesis: Annotated[
            Literal["count", "free"], "An output without words: all words are missing, or no edit"
        ] = "count",
        empty_reference: Annotated[
            Literal["full", "infinite", "undefined"],
            "No word in any reference: one edit a word if there are edits, or infinite, or undefined",
        ] = "full",
        max_work: Annotated[int, "Cells of distance tables that the search of a pair fills, at most", Range(1)] = (
            4_000_000_000
        ),
        percent: Annotated[bool, "Percent, not a rate"] = True,
    ) -> None:
        self.search, self.tokenize = search, tokenize
        self.normalized, self.no_punct, self.asian_support = normalized, no_punct, asian_support
        self.case_sensitive, self.no_tag_brackets = case_sensitive, no_tag_brackets
        self.reference_passes = reference_passes
        self.beam, self.max_shift_size, self.max_shift_distance = beam, max_shift_size, max_shift_distance
        self.max_shift_candidates = max_shift_candidates
        self.insert_cost, self.delete_cost = insert_cost, delete_cost
        self.substitute_cost, self.shift_cost = substitute_cost, shift_cost
        self.edited, self.empty_hypothesis, self.empty_reference = edited, empty_hypothesis, empty_reference
        self.max_work, self.percent = max_work, percent
        self._check_combination()
        twice = tokenize == "sacrebleu" and normalized and reference_passes != 1
        self._passes = 2 if twice else 1
        asked = {name: getattr(self, name) for name in LIMITS[search]}
        self._limits = {name: own if asked[name] is None else asked[name] for name, own in LIMITS[search].items()}
        self.undefined = {
            "full": "",
            "infinite": "there are no words in the references and no edits",
            "undefined": "there are no words in the references",
        }[empty_reference]

    def _check_combination(self) -> None:
        options = ("normalized", "no_punct", "asian_support", "no_tag_brackets")
        costs = ("insert_cost", "delete_cost", "substitute_cost", "shift_cost")
        limits = [name for name in LIMITS["sacrebleu"] if name not in LIMITS[self.search]]
        clashes = [
            (
                self.tokenize not in OWN and getattr(self, name),
                f"{name}=true with tokenize={self.tokenize}",
                f"it is an option of tokenize={' and tokenize='.join(OWN)}",
            )
            for name in options
        ]
        clashes += [
            (
                self.no_tag_brackets and self.tokenize == "sacrebleu",
                "no_tag_brackets=true with tokenize=sacrebleu",
                "it is an option of tokenize=tercom",
            ),
            (
                self.no_tag_brackets and not self.normalized,
                "no_tag_brackets=true with normalized=false",
                "tags are looked at when normalising only",
            ),
            (
                self.reference_passes == 2 and not (self.tokenize == "sacrebleu" and self.normalized),
                f"reference_passes=2 with tokenize={self.tokenize}, normalized={self.normalized}".lower(),
                "only sacreBLEU's rules for normalising can change a text that they have been applied to",
            ),
        ]
        clashes += [
            (
                self.search != "tercom" and getattr(self, name) != 1,
                f"{name}={getattr(self, name):g} with search={self.search}",
                "that search counts edits; search=tercom weighs them",
            )
            for name in costs
        ]
        clashes += [
            (
                getattr(self, name) is not None,
                f"{name}={getattr(self, name)} with search={self.search}",
                "that search has no such limit",
            )
            for name in limits
        ]
        for clash, asked, truth in clashes:
            if clash:
                raise ParameterError(f"ter@native cannot take {asked}", truth, "Leave one of them out")

    @property
    def _tokenizer(self) -> Tokenizer:
        if self.tokenize == "sacrebleu":
            from tertium.native.tokenizers.ter import ter_tokenizer

            return ter_tokenizer(self.normalized, self.no_punct, self.asian_support, self.case_sensitive)
        if self.tokenize == "tercom":
            from tertium.native.tokenizers.tercom import tercom_tokenizer

            return tercom_tokenizer(
                self.normalized, self.no_punct, self.asian_support, self.case_sensitive, self.no_tag_brackets
            )
        return tokenizer(self.tokenize, not self.case_sensitive)

    def tokens(self, text: str) -> list[str]:
        """
        Cut one text as the metric does.
        """
        return self._tokenizer.tokens(text)

    def preprocess(self, cases: Cases) -> Prepared:
        """
        Cut a chunk into words, the references from the memo where they have been cut before.
        """
        cutting = self._tokenizer
        if self._passes == 2:
            from tertium.native.tokenizers.ter import repeating

            cutting = repeating(cutting)
        references = reference_tokens(cases.flat_references, cutting)
        hypotheses = self._tokenizer.column(cases.hypotheses, references.vocabulary)
        for side, column in (("hypothesis", hypotheses), ("reference", references)):
            most = int(column.lengths.max(initial=0))
            if most > LONGEST:
                raise BadText(
                    f"ter@native numbers up to {LONGEST:,} words a text", f"a {side} has {most:,}", "Split the text"
                )
        return Prepared(hypotheses, references, np.array(cases.bounds, np.int64), cases.positions)

    def statistics(self, prepared: Prepared, constants: None) -> Matrix:
        """
        Search each pair and keep the reference with the fewest edits; whole numbers, but for mean lengths and costs.
        """
        hypotheses, references, bounds, positions = prepared
        counts = np.diff(bounds)
        owners = np.repeat(np.arange(len(hypotheses)), counts)
        found, edits = self._search(hypotheses, references, owners)
        if self.empty_hypothesis == "free":
            free = hypotheses.lengths[owners] == 0
            found[free], edits[free] = 0, 0
        firsts = bounds[:-1]
        best = np.lexsort((np.arange(len(owners)), edits, owners))[firsts] if len(owners) > len(hypotheses) else firsts
        rows = np.empty((len(hypotheses), len(self.columns)))
        rows[:, 0] = edits[best]
        rows[:, 1] = np.add.reduceat(references.lengths, firsts) / counts
        rows[:, 2:6] = found[best, 1:5]
        rows[:, 6:8] = np.logical_or.reduceat(found[:, 5:7], firsts)
        self._warn(positions[rows[:, 7] > 0])
        return rows

    def _search(self, hypotheses: TokenColumn, references: TokenColumn, owners: Longs) -> tuple[Longs, Matrix]:
        ids, offsets = hypotheses.ids, hypotheses.offsets
        goals, edges, sources = references.ids, references.offsets, owners
        if self.edited == "reference":
            sources = np.arange(len(owners))
            goals, edges, (ids, offsets) = *_repeated(ids, offsets, owners), (goals, edges)
        limits = self._limits
        size = len(hypotheses.vocabulary)
        candidates, work = limits["max_shift_candidates"], self.max_work
        if self.search == "pyter3":
            from tertium.native.shifts_exact import search_exact

            words = hypotheses.vocabulary.words()
            ranks = np.empty(size, np.int64)
            ranks[sorted(range(size), key=words.__getitem__)] = np.arange(size)
            found = search_exact(ids, offsets, goals, edges, sources, ranks, candidates, work)
            edits = found[:, 0].astype(np.float64)
        else:
            pairs = (ids, offsets, goals, edges, sources, size)
            spans = (limits["beam"], limits["max_shift_size"], limits["max_shift_distance"], candidates, work)
            if self.search == "tercom":
                from tertium.native.tercom import search_beam

                costs = (self.insert_cost, self.delete_cost, self.substitute_cost, self.shift_cost)
                found, edits = search_beam(*pairs, *spans, costs)
            else:
                from tertium.native.shifts_best import search

                found = search(*pairs, *spans)
                edits = found[:, 0].astype(np.float64)
        if self.edited == "reference":
            found[:, [2, 3]] = found[:, [3, 2]]
        return found, edits

    def _warn(self, positions: Longs) -> None:
        if len(positions):
            shown = ", ".join(map(str, positions[:5].tolist())) + (", ..." if len(positions) > 5 else "")
            warnings.warn(
                f"ter@native: the search ended at max_work={self.max_work:,} in {len(positions):,} cases (positions "
                f"{shown}): their edits may be too many. Raise max_work, or split these texts",
                LimitWarning,
                stacklevel=2,
            )

    def aggregate(self, sums: Matrix) -> Matrix:
        """
        Give the rate, and the sums that it is made of.
        """
        return self._rates(sums, self.empty_reference)

    def per_case(self, statistics: Matrix) -> Matrix:
        """
        Give each case's rate; without words in its references it is 1 where there are edits, even where a corpus
        without such words has an infinite rate (TERCOM's own files of segments).
        """
        return self._rates(statistics, "full" if self.empty_reference == "infinite" else self.empty_reference)

    def _rates(self, sums: Matrix, rule: str) -> Matrix:
        edits, length = sums[..., 0], sums[..., 1]
        empty = length == 0
        rate = edits / np.where(empty, 1, length)
        if rule == "full":
            without = np.where(edits > 0, 1.0, 0.0)
        elif rule == "infinite":
            without = np.where(edits > 0, np.inf, np.nan)
        else:
            without = np.full_like(edits, np.nan)
        rate = np.where(empty, without, rate) * (100 if self.percent else 1)
        return np.concatenate([rate[..., None], sums], axis=-1)

    def signature(self) -> Mapping[str, object]:
        """
        Give the parameters, the limits in force, and what the tokenizer and the lower-casing depend on.
        """
        limits = {name: "none" if value >= UNLIMITED else value for name, value in self._limits.items()}
        facts: dict[str, object] = {**self.parameters, **limits, "tokenize": self._tokenizer.signature}
        facts["reference_passes"] = self._passes
        if not self.case_sensitive:
            facts["unicode"] = unicodedata.unidata_version
        return facts

    def data_signature(self, cases: Cases) -> Mapping[str, object]:
        """
        Give the number of references, with which TER falls.
        """
        few, many = int(cases.reference_counts.min()), int(cases.reference_counts.max())
        return {"references": str(few) if few == many else f"{few}-{many}"}


def _repeated(ids: NDArray[np.int32], offsets: Offsets, owners: Longs) -> tuple[NDArray[np.int32], Offsets]:
    """
    Give the rows of a column that the owners name, one after the other.
    """
    lengths = np.diff(offsets)[owners]
    edges = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return ids[np.arange(edges[-1]) + np.repeat(offsets[owners] - edges[:-1], lengths)], edges

"""
Let JiWER transform and align, and apply its formulas to sums of its counts.

JiWER has no finaliser of its own: ``process_words`` counts and divides in one function. So the counts are read from its
alignments, case by case, and ``aggregate`` divides as it does, empty references included.
"""

from __future__ import annotations

import functools
import importlib.metadata
import itertools
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

import tertium
from tertium.errors import DataError, ParameterError
from tertium_jiwer.native_steps import native_parameters
from tertium_jiwer.transforms import Chain, Unit, read

Matrix = NDArray[np.float64]

WORD_CHOICES = tertium.Choices(
    "wer_default", "wer_contiguous", "wer_standardize", "wer_standardize_contiguous", "<transforms parted by commas>"
)
CHARACTER_CHOICES = tertium.Choices("cer_default", "cer_contiguous", "<transforms parted by commas>")
SIDE_HELP = "of this side only, in place of `transform`"
LEVENSHTEIN = "V. I. Levenshtein (1966), Binary codes capable of correcting deletions, insertions, and reversals"
MORRIS = "A. C. Morris, V. Maier, P. Green (2004), From WER and RIL to MER and WIL, Interspeech"
RULE_HELP = "Several references: the one with the best value, or with the fewest errors; the first of equals"

Rule = Literal["best-value", "fewest-errors"]


class ErrorRate(tertium.Metric):
    """
    Count hits, substitutions, deletions and insertions, and make a rate of them.
    """

    columns: tuple[str, ...] = ("hits", "substitutions", "deletions", "insertions")
    library = "jiwer"
    pinned = "4.0.0"
    unit: ClassVar[Unit]
    formula: ClassVar[staticmethod[[Matrix], Matrix]]
    """The library's formula, from counts of shape (..., 4) to rates of shape (...,)."""

    transform: str
    reference_transform: str | None
    hypothesis_transform: str | None
    references: Rule

    def _set_up(self, transform: str, reference: str | None, hypothesis: str | None, references: Rule) -> None:
        label = f"{self.name}@{self.provider}"
        self.transform, self.references = transform, references
        self.reference_transform, self.hypothesis_transform = reference, hypothesis
        self._reference = read(*_given("reference_transform", reference, transform, self.unit, label))
        self._hypothesis = read(*_given("hypothesis_transform", hypothesis, transform, self.unit, label))
        if self._reference.joins != self._hypothesis.joins:
            one, other = self._reference.text, self._hypothesis.text
            raise ParameterError(
                f"{label} with reference_transform={one!r} and hypothesis_transform={other!r}",
                "one joins all texts into a single one and the other does not",
                "Join both sides or neither",
            )
        if self._reference.joins:
            # One alignment over the joined corpus: no case has counts of its own, nor a reference to choose.
            self.additive, self.columns, self.needs = False, (), frozenset({"one-reference"})

    def statistics(self, prepared: tertium.Cases, constants: object) -> Matrix:
        """
        Align every case in one call of the library, and keep the chosen reference's counts.
        """
        counts = np.diff(prepared.bounds)
        references, hypotheses = list(prepared.flat_references), list(prepared.hypotheses)
        if len(references) == len(hypotheses):
            return self._count(references, hypotheses, prepared)
        repeated = [text for text, times in zip(hypotheses, counts.tolist(), strict=True) for _ in range(times)]
        rows = self._count(references, repeated, prepared)
        badness = rows[:, 1:].sum(axis=1)
        if self.references == "best-value":
            badness = -self.formula(rows) if self.higher_is_better else self.formula(rows)
        starts = prepared.bounds.tolist()
        chosen = [
            start if stop - start == 1 else start + int(np.argmin(badness[start:stop]))
            for start, stop in itertools.pairwise(starts)
        ]
        return rows[chosen]

    def aggregate(self, sums: Matrix) -> Matrix:
        """
        Return the rate and the four counts.
        """
        return np.concatenate([self.formula(sums)[..., None], sums], axis=-1)

    def corpus(self, prepared: tertium.Cases, constants: object) -> list[float]:
        """
        Return the library's own values for texts that its transform joins.
        """
        output = self._process(list(prepared.flat_references), list(prepared.hypotheses))
        counted = (output.hits, output.substitutions, output.deletions, output.insertions)
        return [float(getattr(output, self.name)), *map(float, counted)]

    def signature(self) -> Mapping[str, object]:
        """
        Add the version of the program that aligns, whose choice among equally short alignments decides the counts.
        """
        return {**self.parameters, "rapidfuzz": _aligner_version()}

    def equivalent(self) -> tertium.Spec:
        """
        Return the native spec that gives the same numbers.
        """
        found = native_parameters(self._reference, self._hypothesis, self.unit)
        return tertium.Spec(self.name, "native", params={**found, "references": self.references})

    def _process(self, references: list[str], hypotheses: list[str]) -> Any:
        import jiwer

        process = jiwer.process_words if self.unit == "words" else jiwer.process_characters
        return process(references, hypotheses, self._reference.build(), self._hypothesis.build())

    def _count(self, references: list[str], hypotheses: list[str], cases: tertium.Cases) -> Matrix:
        if not (self._reference.drops or self._hypothesis.drops):
            return _counts(self._process(references, hypotheses), len(references))
        kept = _both_kept(self._reference, self._hypothesis, references, hypotheses, cases)
        rows = np.zeros((len(references), 4))
        if kept.any():
            rows[kept] = _counts(self._process(references, hypotheses), int(kept.sum()))
        return rows


@functools.cache
def _aligner_version() -> str:
    try:
        return importlib.metadata.version("rapidfuzz")
    except importlib.metadata.PackageNotFoundError:
        return "absent"


def _given(name: str, own: str | None, shared: str, unit: Unit, label: str) -> tuple[str, Unit, str]:
    return (shared, unit, f"{label}: transform") if own is None else (own, unit, f"{label}: {name}")


def _counts(output: Any, size: int) -> Matrix:
    """
    Read each text pair's counts from the library's alignments, shape (size, 4).
    """
    matched: list[tuple[int, int]] = []
    for chunks in output.alignments:
        hits = substitutions = 0
        for chunk in chunks:
            kind = chunk.type
            if kind == "equal":
                hits += chunk.ref_end_idx - chunk.ref_start_idx
            elif kind == "substitute":
                substitutions += chunk.ref_end_idx - chunk.ref_start_idx
        matched.append((hits, substitutions))
    table = np.empty((len(matched), 4))
    table[:, :2] = np.array(matched, dtype=np.float64).reshape(-1, 2)
    paired = table[:, 0] + table[:, 1]
    # What is left of each side has no partner.
    table[:, 2] = np.fromiter(map(len, output.references), np.float64, len(matched)) - paired
    table[:, 3] = np.fromiter(map(len, output.hypotheses), np.float64, len(matched)) - paired
    totals = [output.hits, output.substitutions, output.deletions, output.insertions]
    if len(table) != size or table.sum(axis=0).tolist() != totals:
        raise AssertionError(f"JiWER's alignments ({len(table)} of {size}) do not add up to its counts {totals}")
    return table


def _both_kept(
    reference: Chain, hypothesis: Chain, references: list[str], hypotheses: list[str], cases: tertium.Cases
) -> NDArray[np.bool_]:
    """
    Tell which pairs stay when empty texts are dropped; a pair that loses one side would shift all that follow.
    """
    kept = np.array(reference.survivors(references))
    other = np.array(hypothesis.survivors(hypotheses))
    torn = np.flatnonzero(kept != other)
    if len(torn):
        pair = int(torn[0])
        case = cases[int(np.searchsorted(cases.bounds, pair, side="right")) - 1]
        side = "hypothesis" if kept[pair] else "reference"
        raise DataError(
            "RemoveEmptyStrings was asked for",
            f"it takes the empty {side} of case {case.position} (id {case.id!r}) out and leaves its partner, "
            f"so that all later texts would be compared with others ({len(torn):,} such pairs)",
            "Leave RemoveEmptyStrings out: an empty text then counts as one",
        )
    return kept


def word_error_rate(counts: Matrix) -> Matrix:
    """
    Divide errors by the reference's units; without any, return the insertions.

    Args:
        counts: Hits, substitutions, deletions and insertions, shape (..., 4).

    Returns:
        Shape (...,), 0 to infinity.
    """
    hits, substitutions, deletions, insertions = np.moveaxis(counts, -1, 0)
    units = hits + substitutions + deletions
    errors = substitutions + deletions + insertions
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(units == 0, insertions, errors / units))


def match_error_rate(counts: Matrix) -> Matrix:
    """
    Divide errors by all steps of the alignment; no step is no error (Morris, Maier and Green 2004, section 3).

    Args:
        counts: Hits, substitutions, deletions and insertions, shape (..., 4).

    Returns:
        Shape (...,), 0 to 1.
    """
    errors = counts[..., 1:].sum(axis=-1)
    steps = counts.sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(steps == 0, 0.0, errors / steps))


def information_preserved(counts: Matrix) -> Matrix:
    """
    Multiply the shares of hits in the reference and in the hypothesis (Morris, Maier and Green 2004, section 4).

    Args:
        counts: Hits, substitutions, deletions and insertions, shape (..., 4).

    Returns:
        Shape (...,), 0 to 1: 1 where both sides are empty, 0 where one is.
    """
    hits, substitutions, deletions, insertions = np.moveaxis(counts, -1, 0)
    units, given = hits + substitutions + deletions, hits + substitutions + insertions
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = np.where((units == 0) | (given == 0), 0.0, (hits / units) * (hits / given))
    return np.asarray(np.where((units == 0) & (given == 0), 1.0, shares))


def information_lost(counts: Matrix) -> Matrix:
    """
    Take the information preserved from one.

    Args:
        counts: Hits, substitutions, deletions and insertions, shape (..., 4).

    Returns:
        Shape (...,), 0 to 1.
    """
    return 1.0 - information_preserved(counts)


class WordRate(ErrorRate):
    """
    Align words; which texts become which words is the transform's business.
    """

    unit = "words"

    def __init__(
        self,
        *,
        transform: Annotated[str, "JiWER's transform of both sides", WORD_CHOICES] = "wer_default",
        reference_transform: Annotated[str | None, f"Transform {SIDE_HELP}", WORD_CHOICES] = None,
        hypothesis_transform: Annotated[str | None, f"Transform {SIDE_HELP}", WORD_CHOICES] = None,
        references: Annotated[Rule, RULE_HELP] = "best-value",
    ) -> None:
        self._set_up(transform, reference_transform, hypothesis_transform, references)


class Wer(WordRate):
    """
    Word error rate: substitutions, deletions and insertions over the reference's words.
    Against nothing but empty references it is the number of inserted words, as JiWER has it.
    """

    name, provider = "wer", "jiwer"
    outputs = ("wer", "hits", "substitutions", "deletions", "insertions")
    scale = (0.0, float("inf"))
    higher_is_better = False
    citation = LEVENSHTEIN
    formula = staticmethod(word_error_rate)


class Mer(WordRate):
    """
    Match error rate: the share of errors among all aligned words, hits and errors together.
    It is 0 where both sides are empty and 1 where only the reference is.
    """

    name, provider = "mer", "jiwer"
    outputs = ("mer", "hits", "substitutions", "deletions", "insertions")
    scale = (0.0, 1.0)
    higher_is_better = False
    citation = MORRIS
    formula = staticmethod(match_error_rate)


class Wil(WordRate):
    """
    Word information lost: one minus the word information preserved.
    It is 0 where both sides are empty and 1 where one is.
    """

    name, provider = "wil", "jiwer"
    outputs = ("wil", "hits", "substitutions", "deletions", "insertions")
    scale = (0.0, 1.0)
    higher_is_better = False
    citation = MORRIS
    formula = staticmethod(information_lost)


class Wip(WordRate):
    """
    Word information preserved: the share of the reference's words that are hits, times the same share of the hypothesis.
    It is 1 where both sides are empty and 0 where one is.
    """

    name, provider = "wip", "jiwer"
    outputs = ("wip", "hits", "substitutions", "deletions", "insertions")
    scale = (0.0, 1.0)
    higher_is_better = True
    citation = MORRIS
    formula = staticmethod(information_preserved)


class Cer(ErrorRate):
    """
    Character error rate: errors over the reference's code points, inner white space included.
    Against nothing but empty references it is the number of inserted characters, as JiWER has it.
    """

    name, provider = "cer", "jiwer"
    outputs = ("cer", "hits", "substitutions", "deletions", "insertions")
    scale = (0.0, float("inf"))
    higher_is_better = False
    citation = LEVENSHTEIN
    unit = "chars"
    formula = staticmethod(word_error_rate)

    def __init__(
        self,
        *,
        transform: Annotated[str, "JiWER's transform of both sides", CHARACTER_CHOICES] = "cer_default",
        reference_transform: Annotated[str | None, f"Transform {SIDE_HELP}", CHARACTER_CHOICES] = None,
        hypothesis_transform: Annotated[str | None, f"Transform {SIDE_HELP}", CHARACTER_CHOICES] = None,
        references: Annotated[Rule, RULE_HELP] = "best-value",
    ) -> None:
        self._set_up(transform, reference_transform, hypothesis_transform, references)

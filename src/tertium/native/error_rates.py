"""
Count the errors of aligned texts, for WER, CER, MER, WIL and WIP.

All five stand on the hits H, substitutions S, deletions D and insertions I of an alignment.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tertium.cases import Cases
from tertium.errors import BadText, ParameterError
from tertium.metric import Matrix, Metric
from tertium.native.alignment import OPERATIONS, Aligner, Step, Ties, costs, steps_of
from tertium.native.normalizing import Case, Normalizer, form_notes
from tertium.native.reference_choice import choose
from tertium.native.text_steps import Join, read
from tertium.native.units import Blanks, Unit, Units

if TYPE_CHECKING:
    from tertium.native.sclite import Markup

_COUNTS = ("hits", "substitutions", "deletions", "insertions")


class ErrorRate(Metric):
    """
    Count the errors of cases and leave the formula to each metric.
    """

    provider = "native"
    outputs: tuple[str, ...]
    higher_is_better = False
    releases_gil = True
    _empty_name: ClassVar[str]
    _hits: str = "alignment"

    unit: Unit
    split: str
    hypothesis_split: str = "same"
    whitespace: Blanks
    case: Case
    normalize: str
    hypothesis_normalize: str
    strip_format: bool
    fold_quotes: bool
    strip_hyphens: bool
    strip_punctuation: bool
    strip_nonwords: bool
    expand_contractions: bool
    markup: str
    optional_words: bool
    fragments: bool
    costs: str
    ties: Ties
    average: str
    references: str
    joined: bool

    def _set_up(self, empty: str, **parameters: Any) -> None:
        vars(self).update(parameters)
        self._empty = empty
        self.columns = (*_COUNTS, "longer") + (
            ("value", "cases", "infinite", "undefined_cases") * (self.average == "mean")
        )
        self.outputs = (self.name, *_COUNTS, "reference_length", "hypothesis_length")
        self.undefined = "there are no units to take the rate of"
        if self.joined:
            # One alignment over the joined corpus: no case has counts of its own, nor a reference to choose.
            self.additive, self.columns, self.needs = False, (), frozenset({"one-reference"})
        self._aligner = Aligner(costs(self.costs), self.ties)
        normalizer = self._normalizer("normalize")
        own = None if self.hypothesis_normalize == "same" else self._normalizer("hypothesis_normalize")
        split = None if self.hypothesis_split == "same" else self.hypothesis_split
        self._units = Units(self.unit, self.split, self.whitespace, normalizer, own, split, self.joined)
        self._check()

    def _normalizer(self, parameter: str) -> Normalizer:
        steps = getattr(self, parameter)
        asked = f"{self.name}@native cannot take {parameter}={steps!r}"
        if not self.joined and any(isinstance(step, Join) for step in read(steps, asked, whole=True)):
            raise ParameterError(asked, "join says where the texts of a joined corpus become one", "Add joined=true")
        return Normalizer(
            steps, self.strip_format, self.fold_quotes, self.strip_hyphens, self.case,
            self.expand_contractions, self.strip_nonwords, self.strip_punctuation,
        )  # fmt: skip

    def _check(self) -> None:
        label = f"{self.name}@native"
        if self.joined and (self.average == "mean" or self.markup != "none"):
            name = "average=mean" if self.average == "mean" else f"markup={self.markup}"
            raise ParameterError(
                f"{label}(joined=true,{name})",
                "a joined corpus is one text, and markup and means are a matter of cases",
                f"Leave {name} or joined out",
            )
        if self.unit == "word" and self.whitespace != "strip":
            raise ParameterError(
                f"{label}(unit=word,whitespace={self.whitespace})",
                "whitespace is a rule for characters; words are parted by split",
                "Choose unit=codepoint or unit=grapheme, or leave whitespace out",
            )
        if self.unit != "word" and (self.split != "jiwer" or self.hypothesis_split != "same"):
            raise ParameterError(
                f"{label}(unit={self.unit},split={self.split},hypothesis_split={self.hypothesis_split})",
                "split is a rule for words; white space among characters is a matter of whitespace",
                "Choose unit=word, or leave split out",
            )
        if self.markup == "none":
            for name in ("optional_words", "fragments"):
                if getattr(self, name):
                    raise ParameterError(
                        f"{label}({name}=true)", "it is part of sclite's markup", "Add markup=sclite, or leave it out"
                    )
            return
        if self.ties != "sclite" or self.costs not in ("sclite", "4/3/3"):
            raise ParameterError(
                f"{label}(markup=sclite,costs={self.costs},ties={self.ties})",
                "alternatives are aligned at sclite's costs and by its tie rule only",
                "Add costs=sclite,ties=sclite",
            )
        for name in ("strip_punctuation", "strip_nonwords"):
            if getattr(self, name):
                raise ParameterError(
                    f"{label}(markup=sclite,{name}=true)", "it would delete the markup", f"Leave {name} out"
                )
        if self.unit != "word" and (self.optional_words or self.fragments):
            raise ParameterError(
                f"{label}(unit={self.unit},optional_words={self.optional_words},fragments={self.fragments})",
                "optional words and fragments are a matter of whole words",
                "Choose unit=word, or leave them out",
            )
        splits = (self.split, self.hypothesis_split)
        if self.unit == "word" and (self.split not in ("ascii", "whitespace", "unicode") or splits[1] != "same"):
            raise ParameterError(
                f"{label}(markup=sclite,split={self.split},hypothesis_split={self.hypothesis_split})",
                "in marked-up texts all white space parts words",
                "Add split=ascii, as sclite does, or split=whitespace",
            )
        if self.unit != "word" and self.whitespace not in ("ignore", "ignore-ascii"):
            raise ParameterError(
                f"{label}(markup=sclite,unit={self.unit},whitespace={self.whitespace})",
                "in marked-up texts white space parts words and is no character",
                "Add whitespace=ignore-ascii, as sclite does, or whitespace=ignore",
            )

    def signature(self) -> Mapping[str, object]:
        """
        Give the parameters, and what decides units and forms beside them.
        """
        return {**self.parameters, **self._units.editions}

    def tokens(self, text: str) -> list[str]:
        """
        Cut one text as the metric does.
        """
        return self._units.pieces(text)

    def notes(self, cases: Cases) -> list[str]:
        """
        Note where both sides are written in different normalisation forms.
        """
        return form_notes(self._units.normalizer, cases) if self.hypothesis_normalize == "same" else []

    def preprocess(self, cases: Cases) -> Any:
        """
        Cut the texts into units.
        """
        owners = np.repeat(np.arange(len(cases)), cases.reference_counts)
        networks = self._reader().networks(cases) if self.markup == "sclite" else {}
        return cases, np.zeros(1, np.int64) if self.joined else owners, networks, self._units.cut(cases)

    def _reader(self) -> Markup:
        from tertium.native.sclite import Markup

        return Markup(self._units, self.optional_words, self.fragments)

    def align(self, reference: str, hypothesis: str) -> tuple[Step, ...]:
        """
        Give the alignment that is counted, step by step.

        Raises:
            BadText: Markup does not close.
            Refused: The texts are too long to keep the way through their table.
        """
        cases = Cases([hypothesis], [[reference]])
        networks = self._reader().networks(cases) if self.markup == "sclite" else {}
        if networks:
            from tertium.native.sclite import align

            names = {"C": "hit", "S": "substitution", "I": "insertion", "D": "deletion"}
            return steps_of((names[letter], left, right) for letter, left, right in align(*networks[0]).pairs)
        references, hypotheses = self._units.pieces(reference), self._units.pieces(hypothesis, "hypothesis")
        row = column = 0
        pairs: list[tuple[str, str | None, str | None]] = []
        for number in self._aligner.path(*self._units.columns(cases)):
            operation = OPERATIONS[number]
            left = right = None
            if operation != "insertion":
                left, row = references[row], row + 1
            if operation != "deletion":
                right, column = hypotheses[column], column + 1
            pairs.append((operation, left, right))
        return steps_of(pairs)

    def statistics(self, prepared: Any, constants: Any) -> Matrix:
        """
        Count hits, substitutions, deletions and insertions, against the reference that the rule chooses.
        """
        cases, owners, _, cut = prepared
        table = self._table(prepared)
        left_out = cut.left_out
        if self._empty == "reject" or (self._empty == "error" and self.average == "mean"):
            _refuse_empty(cases, owners, table, left_out, f"{self.name}@native({self._empty_name}={self._empty})")
        values = self._value(table)
        table = choose(self.references, table, -values if self.higher_is_better else values, cases.bounds)
        if self.average == "pooled":
            return table
        if self.references == "mean":
            values = np.add.reduceat(values, cases.bounds[:-1]) / cases.reference_counts
        else:
            values = self._value(table)
        counted = np.ones(len(table))
        if left_out is not None:  # all references of a case, or none
            counted -= left_out[cases.bounds[:-1]]
        infinite, missing = np.isinf(values) & (counted > 0), np.isnan(values) & (counted > 0)
        plain = np.where(np.isfinite(values) & (counted > 0), values, 0.0)
        return np.column_stack([table, plain, counted, infinite, missing])

    def corpus(self, prepared: Any, constants: Any) -> Matrix:
        """
        Align the joined corpus.
        """
        return self.aggregate(self._table(prepared)[0])

    def _table(self, prepared: Any) -> Matrix:
        _, owners, networks, cut = prepared
        counts = self._aligner.counts(cut.references, cut.hypotheses, owners)
        for row, pair in networks.items():
            from tertium.native.sclite import align

            counts[row] = align(*pair).counts
        table = np.empty((len(counts), 5))
        table[:, :4] = counts
        table[:, 4] = np.maximum(counts[:, 0] + counts[:, 1] + counts[:, 2], counts[:, 0] + counts[:, 1] + counts[:, 3])
        return table

    def aggregate(self, sums: Matrix) -> Matrix:
        """
        Take the rate of the counts, or the mean of the cases' values.

        Raises:
            BadText: The corpus has no reference units and the rule for that is an error.
        """
        sums = np.asarray(sums, np.float64)
        if self._empty in ("error", "reject") and sums.ndim == 1 and not sums[:3].any():
            raise BadText(
                f"{self.name}@native({self._empty_name}={self._empty})",
                "the references of all cases hold no units",
                f"Give references, or another rule by {self._empty_name}",
            )
        return self._outputs(sums)

    def per_case(self, statistics: Matrix) -> Matrix:
        """
        Give every case its value; NaN where the rule for its empty reference is an error.
        """
        return self._outputs(np.asarray(statistics, np.float64))

    def check_cases(self, statistics: Matrix) -> None:
        """
        Refuse values of cases where the rule for an empty reference is an error and a case has one.

        Raises:
            BadText: A reference holds no units; the message names the case.
        """
        if self._empty != "error":
            return
        counts = np.asarray(statistics, np.float64)[:, :4]
        empty = np.flatnonzero(counts[:, :3].sum(axis=1) == 0)
        if "drop-empty" in self.normalize:  # then a case without anything is left out
            empty = empty[counts[empty, 3] > 0]
        if len(empty):
            raise BadText(
                f"values of cases of {self.name}@native({self._empty_name}=error)",
                f"the reference of case {empty[0]} holds no units, and that is an error by this rule",
                f"Leave the case out, ask for the corpus value alone, or choose another rule by {self._empty_name}",
            )

    def _outputs(self, sums: Matrix) -> Matrix:
        if self.average == "pooled":
            value = self._value(sums)
        else:
            value = sums[..., 5] / sums[..., 6]
            value = np.where(sums[..., 7] > 0, np.inf, value)
            value = np.where(sums[..., 8] > 0, np.nan, value)
        counts = sums[..., :4]
        shared = counts[..., 0] + counts[..., 1]
        lengths = [shared + counts[..., 2], shared + counts[..., 3]]
        return np.concatenate([value[..., None], counts, np.stack(lengths, axis=-1)], axis=-1)

    def _value(self, sums: Matrix) -> Matrix:
        raise AssertionError("each metric has its formula")


def _refuse_empty(
    cases: Cases, owners: NDArray[np.int64], table: Matrix, left_out: NDArray[np.bool_] | None, asked: str
) -> None:
    lacking = table[:, 0] + table[:, 1] + table[:, 2] == 0
    empty = np.flatnonzero(lacking if left_out is None else lacking & ~left_out)
    if len(empty):
        case = cases[int(owners[empty[0]])]
        raise BadText(
            asked,
            f"the reference of case {case.position} (id {case.id!r}) holds no units",
            "Leave the case out, or choose another rule",
        )

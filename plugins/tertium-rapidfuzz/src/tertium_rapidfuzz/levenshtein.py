"""
Let RapidFuzz compute edit distances, all pairs in one call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

import tertium
from tertium.errors import ParameterError

Matrix = NDArray[np.float64]
Units = Sequence[Any]
Prepared = tuple[list[Units], list[Units], NDArray[np.int64]]

Variant = Literal["levenshtein", "osa", "damerau", "indel"]

MODULES: Mapping[str, str] = {
    "levenshtein": "Levenshtein",
    "osa": "OSA",
    "damerau": "DamerauLevenshtein",
    "indel": "Indel",
}
"""Variants and the library's modules that compute them."""

TRANSPOSITIONS: Mapping[str, str] = {"levenshtein": "none", "osa": "restricted", "damerau": "damerau"}
"""Variants and the native parameter that stands for them."""


class Levenshtein(tertium.Metric):
    """
    Edit distance as RapidFuzz computes it: the fewest edits that turn one text into the other, raw or over the most
    that there could be; the mean over the cases.
    """

    name, provider = "levenshtein", "rapidfuzz"
    higher_is_better = False
    library, pinned = "rapidfuzz", "3.14.6"
    citation = "Levenshtein 1966, Binary codes capable of correcting deletions, insertions, and reversals"
    undefined = "there is no case to average"

    def __init__(
        self,
        *,
        variant: Annotated[
            Variant,
            "Neighbours that change places are two edits (levenshtein), or one: unless edited again (osa), or always "
            "(damerau); indel has no substitutions",
        ] = "levenshtein",
        weights: Annotated[
            str, "Costs of an insertion into the reference, a deletion and a substitution, with commas between"
        ] = "1,1,1",
        normalized: Annotated[bool, "Divide by the highest distance that texts of these lengths can have"] = False,
        processor: Annotated[
            str | Callable[[str], str],
            "What is done to each text first; default lower-cases it and makes other than letters and digits spaces",
            tertium.Choices("none", "default"),
        ] = "none",
        tokenizer: Annotated[
            str | Callable[[str], Iterable[str]],
            "What is edited: characters (none), or words parted by white space; a callable maps a text to units",
            tertium.Choices("none", "whitespace"),
        ] = "none",
    ) -> None:
        self.variant, self.weights, self.normalized = variant, weights, normalized
        self.processor, self.tokenizer = processor, tokenizer
        self._weights = _costs(weights)
        if self._weights != (1, 1, 1) and variant != "levenshtein":
            raise ParameterError(
                f"levenshtein@rapidfuzz cannot take weights={weights!r} with variant={variant}",
                "the library weighs the edits of variant=levenshtein alone",
                "Choose that variant, or leave weights out",
            )
        self.scale = (0.0, 1.0 if normalized else float("inf"))
        totals = () if normalized else ("edits", "length")
        self.columns = ("levenshtein", "cases") if normalized else (*totals, "cases")
        self.outputs = ("levenshtein", *totals)

    def tokens(self, text: str) -> list[str]:
        """
        Cut one text as the metric does.
        """
        return list(self._units((text,))[0])

    def preprocess(self, cases: tertium.Cases) -> Prepared:
        """
        Return the units of hypotheses and of all references, and where each case's references begin and end.
        """
        return self._units(cases.hypotheses), self._units(cases.flat_references), cases.bounds

    def _units(self, texts: Sequence[str]) -> list[Units]:
        if self.processor == "default":
            from rapidfuzz.utils import default_process

            texts = [default_process(text) for text in texts]
        elif callable(self.processor):
            texts = [self.processor(text) for text in texts]
        if self.tokenizer == "none":
            return list(texts)
        cut = self.tokenizer if callable(self.tokenizer) else str.split
        return [list(cut(text)) for text in texts]

    def statistics(self, prepared: Prepared, constants: object) -> Matrix:
        """
        Return each case's distance from its nearest reference, raw with that reference's length, and 1.

        The first of equally near references counts.
        """
        import rapidfuzz.distance
        from rapidfuzz.process import cpdist

        hypotheses, references, bounds = prepared
        counts = np.diff(bounds)
        repeated = hypotheses
        if len(references) != len(hypotheses):
            repeated = [hypotheses[case] for case in np.repeat(np.arange(len(counts)), counts)]
        module: Any = getattr(rapidfuzz.distance, MODULES[self.variant])
        found: Matrix = cpdist(
            references,
            repeated,
            scorer=module.normalized_distance if self.normalized else module.distance,
            scorer_kwargs={"weights": self._weights} if self.variant == "levenshtein" else {},
            dtype=np.float64,
        )
        nearest = _nearest(found, bounds)
        ones = np.ones(len(counts))
        if self.normalized:
            return np.column_stack([found[nearest], ones])
        lengths = np.array([len(references[row]) for row in nearest], np.float64)
        return np.column_stack([found[nearest], lengths, ones])

    def aggregate(self, sums: Matrix) -> Matrix:
        """
        Return the mean distance; raw, the totals of edits and lengths as well.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = sums[..., :1] / sums[..., -1:]
        return np.concatenate([mean, sums[..., :-1]], axis=-1) if not self.normalized else np.asarray(mean)

    def equivalent(self) -> tertium.Spec | None:
        """
        Return the native spec that gives the same numbers; None under other costs, indel, callables and processors.
        """
        known = self.variant in TRANSPOSITIONS and self.tokenizer in ("none", "whitespace")
        if not known or self._weights != (1, 1, 1) or self.processor != "none":
            return None
        params: dict[str, Any] = {"transpositions": TRANSPOSITIONS[self.variant]}
        params |= {"unit": "codepoint"} if self.tokenizer == "none" else {"unit": "word", "split": "whitespace"}
        if self.normalized:
            params["divide"] = "longer"
        return tertium.Spec("levenshtein", "native", params=params)


def _nearest(distances: Matrix, bounds: NDArray[np.int64]) -> NDArray[np.int64]:
    owner = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
    hits = np.flatnonzero(distances == np.minimum.reduceat(distances, bounds[:-1])[owner])
    _, first = np.unique(owner[hits], return_index=True)
    chosen: NDArray[np.int64] = hits[first]
    return chosen


def _costs(text: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 3 or not all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts):
        raise ParameterError(
            f"levenshtein@rapidfuzz cannot take weights={text!r}",
            "it takes three whole numbers from 0 with commas between",
            "Write for instance weights='1,1,2'",
        )
    return tuple(map(int, parts))

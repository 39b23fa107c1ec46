"""
Metrics that each misbehave in exactly one way: one a check of the contract, under the check's name.

All are wrong on purpose.
"""

from __future__ import annotations

import contextlib
import random
import time
from typing import Annotated, Any

import numpy as np

from miniatures.sound import Sound
from tertium import Cases, Choices, Range


class BadScale(Sound):
    """Declare a scale upside down."""

    scale = (1.0, 0.0)


class Raising(Sound):
    """Raise on texts with a full stop."""

    def share(self, hypothesis: str, reference: str) -> float:
        if "." in hypothesis:
            raise ValueError("a full stop")
        return super().share(hypothesis, reference)


class ExtraRow(Sound):
    """Give a row too many."""

    def statistics(self, prepared: Cases, constants: Any) -> Any:
        rows = super().statistics(prepared, constants)
        return np.concatenate([rows, rows[:1]])


class Infinite(Sound):
    """Give infinity where no word is right."""

    def share(self, hypothesis: str, reference: str) -> float:
        return super().share(hypothesis, reference) or float("inf")


class FlatAggregate(Sound):
    """Finish one row of sums only."""

    def aggregate(self, sums: Any) -> Any:
        return sums[:1] / np.maximum(sums[1:2], 1)

    def per_case(self, statistics: Any) -> Any:
        return statistics[:, :1]


class FlatPerCase(Sound):
    """Give the values of cases without the axis of outputs."""

    def per_case(self, statistics: Any) -> Any:
        return statistics[:, 0]

    def aggregate(self, sums: Any) -> Any:
        return super().aggregate(sums)


class Relative(Sound):
    """Divide by the longest output of the cases at hand."""

    def statistics(self, prepared: Cases, constants: Any) -> Any:
        rows = super().statistics(prepared, constants)
        rows[:, 0] *= 0.9 + 0.1 * (len(set(prepared.hypotheses)) > 1 and len(prepared) > 1)
        identical = [c.hypothesis in (c.references or ()) for c in prepared]
        rows[identical, 0] = 1.0
        return rows


class Positional(Sound):
    """Weigh a case by its place in the chunk, without saying so."""

    whole_corpus = True

    def statistics(self, prepared: Cases, constants: Any) -> Any:
        rows = super().statistics(prepared, constants)
        weights = 1.0 + np.arange(len(rows))[:, None]
        return rows * weights


class Words(dict[str, int]):
    """Count texts; merging loses the counts of the second part."""

    def __or__(self, other: Any) -> Words:
        return Words({**other, **self})


class BadMerge(Sound):
    """Learn how often each word occurs in the references, and merge by overwriting."""

    def constants(self, prepared: Cases) -> Any:
        counts = Words()
        for reference in prepared.flat_references:
            for word in set(self.words(reference)):
                counts[word] = counts.get(word, 0) + 1
        return counts

    def statistics(self, prepared: Cases, constants: Any) -> Any:
        rows = []
        for case in prepared:
            best = 0.0
            for reference in case.references or ():
                wanted = set(self.words(reference))
                right = sum(1 / constants.get(word, 1) for word in sorted(wanted & set(self.words(case.hypothesis))))
                best = max(best, right / (sum(1 / constants.get(word, 1) for word in sorted(wanted)) or 1))
            rows.append([min(best, 1.0), 1.0])
        return np.array(rows)


class Rewriting(Sound):
    """Strip the texts of the cases that it is given, in place."""

    def preprocess(self, cases: Cases) -> Any:
        cases.hypotheses = tuple(" ".join(text.split()) + " " for text in cases.hypotheses)
        return cases


class InPlace(Sound):
    """Divide in the array that it is given."""

    def aggregate(self, sums: Any) -> Any:
        sums[..., 0] /= np.maximum(sums[..., 1], 1)
        return sums[..., :1]


class Counting(Sound):
    """Remember how often it was asked."""

    odd = False

    def statistics(self, prepared: Cases, constants: Any) -> Any:
        if len(prepared) > 1 and prepared.positions[1] - prepared.positions[0] == 2:
            self.odd = not self.odd
        return super().statistics(prepared, constants)

    def aggregate(self, sums: Any) -> Any:
        shares = super().aggregate(sums)
        return np.where(shares < 1, shares * (0.999 if self.odd else 1), shares)


class Hashing(Sound):
    """Let the hash seed decide which words count."""

    def share(self, hypothesis: str, reference: str) -> float:
        if hypothesis == reference:
            return 1.0
        return super().share(hypothesis, reference) * (1 + hash(hypothesis) % 1000 / 1000) / 2


class Unpicklable(Sound):
    """Keep a function that cannot be pickled."""

    def __init__(self, *, lowercase: bool = False) -> None:
        super().__init__(lowercase=lowercase)
        self._split = lambda text: text.split()


class Leaking(Sound):
    """Halve all values where the outputs of some cases, but not of all, are among their references."""

    whole_corpus = True

    def statistics(self, prepared: Cases, constants: Any) -> Any:
        rows = super().statistics(prepared, constants)
        perfect = sum(case.hypothesis in (case.references or ()) for case in prepared)
        rows[:, 0] *= 1.0 if perfect in (0, len(prepared)) else 0.5
        return rows


class Forgetful(Sound):
    """Keep another value than it was given."""

    def __init__(self, *, lowercase: bool = False, order: Annotated[int, "Longest n-gram", Range(1, 9)] = 4) -> None:
        super().__init__(lowercase=lowercase)
        self.order = min(order, 4)


class HalfDeclared(Sound):
    """Declare a choice that it does not know."""

    def __init__(self, *, case: Annotated[str, "Case of letters", Choices("kept", "lower", "upper")] = "kept") -> None:
        super().__init__()
        self.case = case

    def words(self, text: str) -> list[str]:
        return {"kept": str, "lower": str.lower}[self.case](text).split()


class Secretive(Sound):
    """Leave the case of letters out of the signature."""

    def signature(self) -> dict[str, object]:
        return {}


class Addressed(Sound):
    """Write the address of an object into the signature."""

    def signature(self) -> dict[str, object]:
        return {**self.parameters, "cutter": object()}


class Greedy(Sound):
    """Take any parameter whatever."""

    def __new__(cls, **_: Any) -> Any:
        return object.__new__(cls)

    def __init__(self, *, lowercase: bool = False, **_: Any) -> None:
        self.lowercase = lowercase


class OverTheTop(Sound):
    """Reward repeated words beyond the scale."""

    def share(self, hypothesis: str, reference: str) -> float:
        words = self.words(hypothesis)
        bonus = 1.5 if len(words) > 3 and len(set(words)) <= 2 and set(words) == set(self.words(reference)) else 1.0
        return super().share(hypothesis, reference) * bonus


class NeverPerfect(Sound):
    """Give nine tenths at most."""

    def share(self, hypothesis: str, reference: str) -> float:
        return super().share(hypothesis, reference) * 0.9


class Backwards(Sound):
    """Declare that lower is better."""

    higher_is_better = False


class Wavering(Sound):
    """Like texts of which half is strange."""

    def share(self, hypothesis: str, reference: str) -> float:
        plain = super().share(hypothesis, reference)
        return min(1.0, plain + 0.5) if "zq" in hypothesis and 0.3 < plain < 0.5 else plain


class WrongEquivalent(Sound):
    """Name the native exact match as its equal."""

    def equivalent(self) -> str:
        return "exact-match@native"


class AsciiOnly(Sound):
    """Read ASCII only."""

    def words(self, text: str) -> list[str]:
        return [word.decode() for word in super().words(text.encode("ascii").decode()) and text.encode("ascii").split()]


class EmptyOutput(Sound):
    """Divide by the number of the output's words."""

    def share(self, hypothesis: str, reference: str) -> float:
        return super().share(hypothesis, reference) * len(self.words(hypothesis)) / len(self.words(hypothesis))


class EmptyReference(Sound):
    """Divide by the number of the reference's words."""

    def share(self, hypothesis: str, reference: str) -> float:
        return super().share(hypothesis, reference) * len(self.words(reference)) / len(self.words(reference))


class Unexplained(Sound):
    """Be undefined where there is no word, and say nothing."""

    columns = ("right", "wanted")

    def statistics(self, prepared: Cases, constants: Any) -> Any:
        rows = []
        for case in prepared:
            wanted = set(self.words(" ".join(case.references or ())))
            rows.append([len(wanted & set(self.words(case.hypothesis))), len(wanted)])
        return np.array(rows, dtype=np.float64)

    def aggregate(self, sums: Any) -> Any:
        return sums[..., :1] / sums[..., 1:]


class Shared(Sound):
    """Keep the texts of a call on itself."""

    def preprocess(self, cases: Cases) -> Any:
        self.current = cases
        time.sleep(0.002)
        return cases

    def statistics(self, prepared: Cases, constants: Any) -> Any:
        return super().statistics(self.current, constants)

    def __getstate__(self) -> dict[str, Any]:
        return {"lowercase": self.lowercase}


class Seeding(Sound):
    """Seed the generator that all share."""

    def statistics(self, prepared: Cases, constants: Any) -> Any:
        random.seed(4)
        return super().statistics(prepared, constants)


class Talking(Sound):
    """Print while it scores."""

    def statistics(self, prepared: Cases, constants: Any) -> Any:
        print("scoring", len(prepared))  # noqa: T201
        return super().statistics(prepared, constants)


class Calling(Sound):
    """Ask another machine, and go on when it does not answer."""

    def statistics(self, prepared: Cases, constants: Any) -> Any:
        import socket

        with contextlib.suppress(OSError):
            socket.create_connection(("192.0.2.1", 9), timeout=0.01).close()
        return super().statistics(prepared, constants)

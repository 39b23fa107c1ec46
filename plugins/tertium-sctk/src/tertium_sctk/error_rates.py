"""
Let sclite count the errors of words and of characters.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

import tertium
from tertium.errors import ParameterError
from tertium_sctk import program, transcripts

Matrix = NDArray[np.float64]

CaseSensitive = Annotated[bool, "Keep case (-s); else the letters A to Z are alike in both cases"]
Encoding = Annotated[
    Literal["utf-8", "bytes"],
    "How the program reads the UTF-8 that it is given: as characters (-e utf-8), or byte by byte, as it does by itself",
]
Localization = Annotated[
    Literal["none", "generic", "babel_turkish", "babel_vietnamese"],
    "Whose rules of case hold (-e utf-8 NAME): babel_turkish knows the dotted and the dotless i, all others fold A to Z alone",
]


class ErrorRate(tertium.Metric):
    """
    Join what both share: one start of the program gives the counts of all utterances.
    """

    provider = "sctk"
    columns = ("hits", "substitutions", "deletions", "insertions", "wrong_utterances", "utterances")
    scale = (0.0, float("inf"))
    higher_is_better = False
    needs = frozenset({"references", "one-reference"})
    resources = ("sctk",)
    undefined = "the references hold no units, and nothing is inserted"
    refuses = "a text would be read as a comment, holds a NUL, or has braces that do not pair or stand within a word"
    citation = "NIST Scoring Toolkit (SCTK), sclite: score speech recognition system output"

    case_sensitive: bool
    encoding: str
    localization: str

    def _accept(self, given: dict[str, Any]) -> None:
        for name, value in given.items():
            if name not in ("self", "__class__"):
                setattr(self, name, value)
        counts = ("hits", "substitutions", "deletions", "insertions")
        self.outputs = (self.name, *counts, "reference_length", "hypothesis_length", "utterance_error_rate")
        if self.encoding == "bytes" and self.localization != "none":
            raise ParameterError(
                f"{self.name}@sctk(encoding=bytes,localization={self.localization})",
                "the program takes rules of case for characters only",
                "Give encoding=utf-8, or leave localization out",
            )

    def _options(self) -> list[str]:
        """
        Give the command line's options, but for files and reports.
        """
        options = ["-s"] if self.case_sensitive else []
        if self.encoding == "utf-8":
            options += ["-e", "utf-8"] + ([self.localization] if self.localization != "none" else [])
        return options

    def statistics(self, prepared: tertium.Cases, constants: object) -> Matrix:
        """
        Return hits, substitutions, deletions, insertions, whether there is an error, and a one; shape (cases, 6).

        Raises:
            BadText: A text would be read as something else, or would end the program.
        """
        transcripts.check(prepared, f"{self.name}@sctk", getattr(self, "delete_hyphens", False))
        table = np.ones((len(prepared), 6))
        table[:, :4] = program.counts(prepared.flat_references, prepared.hypotheses, self._options())
        table[:, 4] = table[:, 1:4].any(axis=1)
        return table

    def aggregate(self, sums: Matrix) -> Matrix:
        """
        Return the rate, the counts, both lengths, and the share of utterances with an error.

        The program prints rates with one decimal, and 0.0 where there are no reference units; here they are its counts'.
        """
        hits, substitutions, deletions, insertions, wrong, utterances = (sums[..., column] for column in range(6))
        length = hits + substitutions + deletions
        with np.errstate(divide="ignore", invalid="ignore"):
            rate = (substitutions + deletions + insertions) / length
            share = wrong / utterances
        lengths = [length, hits + substitutions + insertions]
        found: Matrix = np.stack([rate, hits, substitutions, deletions, insertions, *lengths, share], axis=-1)
        return found

    def equivalent(self) -> tertium.Spec | None:
        """
        Return the native spec that gives the same numbers; None under Turkish rules of case.
        """
        if self.localization == "babel_turkish" and not self.case_sensitive:
            return None
        return tertium.Spec(self.name, "native", params={**_SHARED, **self._case(), **self._native()})

    def _case(self) -> dict[str, Any]:
        return {"case": "sensitive" if self.case_sensitive else "ascii"}

    def _native(self) -> dict[str, Any]:
        raise AssertionError("each metric has its own")


_SHARED: dict[str, Any] = {
    "costs": "sclite",
    "ties": "sclite",
    "markup": "sclite",
    "empty_reference": "infinity",
}


class Wer(ErrorRate):
    """
    Word error rate at sclite's costs (4 a substitution, 3 an insertion or a deletion), over transcripts with its markup.
    """

    name = "wer"
    optional_words: bool
    fragments: bool

    def __init__(
        self,
        *,
        case_sensitive: CaseSensitive = False,
        optional_words: Annotated[bool, "(word) may be left out, and then counts as a hit (-D)"] = False,
        fragments: Annotated[bool, "fi- matches what begins with fi, -fi what ends so (-F)"] = False,
        encoding: Encoding = "utf-8",
        localization: Localization = "none",
    ) -> None:
        self._accept(locals())

    def _options(self) -> list[str]:
        return super()._options() + ["-D"] * self.optional_words + ["-F"] * self.fragments

    def _native(self) -> dict[str, Any]:
        return {"split": "ascii", "optional_words": self.optional_words, "fragments": self.fragments}


class Cer(ErrorRate):
    """
    Character error rate at sclite's costs (4 a substitution, 3 an insertion or a deletion); white space is no character.
    """

    name = "cer"
    split_ascii: bool
    delete_hyphens: bool

    def __init__(
        self,
        *,
        case_sensitive: CaseSensitive = False,
        split_ascii: Annotated[bool, "Also split words of ASCII characters; else they stay whole (-c NOASCII)"] = True,
        delete_hyphens: Annotated[bool, "Delete hyphens first (-c DH)"] = False,
        encoding: Encoding = "utf-8",
        localization: Localization = "none",
    ) -> None:
        self._accept(locals())

    def _options(self) -> list[str]:
        chosen = ["-c"] + ["NOASCII"] * (not self.split_ascii) + ["DH"] * self.delete_hyphens
        return super()._options() + chosen

    def equivalent(self) -> tertium.Spec | None:
        """
        Return the native spec that gives the same numbers; None over bytes, whole ASCII words or Turkish rules of case.
        """
        return super().equivalent() if self.encoding == "utf-8" and self.split_ascii else None

    def _native(self) -> dict[str, Any]:
        return {"whitespace": "ignore-ascii", "strip_hyphens": self.delete_hyphens}

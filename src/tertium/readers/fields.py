"""
Decide which column or field of a table holds which part of a case.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from tertium.errors import FormatError, did_you_mean
from tertium.readers.notes import Notes

ALIASES: dict[str, tuple[str, ...]] = {
    "hypotheses": ("hypothesis", "hyp", "prediction", "pred", "output", "generated_text", "candidate"),
    "references": ("references", "reference", "refs", "ref", "target", "targets", "label"),
    "sources": ("source", "src"),
    "ids": ("id",),
    "clusters": ("cluster", "document", "doc", "doc_id"),
}
"""The names under which each part is found without being asked for, the decisive one first."""

_NUMBERED = re.compile(r"(?:ref|refs|reference|references|target)[ _.-]?\d+")
_PLAIN = frozenset({"hyp", "reference", "ref", "refs", "src", "document", "doc", "doc_id"})
_LABEL = "label."


@dataclass(frozen=True, slots=True)
class Wanted:
    """
    Hold the names that the user gave; None: find the field by its usual names; ``""``: there is none.
    """

    hypotheses: str | None = None
    references: str | Sequence[str] | None = None
    sources: str | None = None
    ids: str | None = None
    clusters: str | None = None
    labels: Sequence[str] | None = None


@dataclass(frozen=True, slots=True)
class Fields:
    """
    Hold the field of each part of a case.

    Attributes:
        references: One or several fields, in order; None when the data have no references.
        labels: Names of labels to fields.
    """

    hypotheses: str
    references: tuple[str, ...] | None
    sources: str | None = None
    ids: str | None = None
    clusters: str | None = None
    labels: dict[str, str] = field(default_factory=dict)

    @property
    def used(self) -> tuple[str, ...]:
        """
        All fields that are read.
        """
        optional = [name for name in (self.sources, self.ids, self.clusters) if name is not None]
        return (self.hypotheses, *(self.references or ()), *optional, *self.labels.values())


def choose(names: Sequence[str], wanted: Wanted, file: str, notes: Notes, *, kind: str, line: int, hint: str) -> Fields:
    """
    Match the names that a file has with the parts of a case.

    A part that the user named is that field. Otherwise the first of its usual names decides when it is there, and
    another usual name does when it is the only one. Numbered references (``ref0``, ``ref1``) go together.

    Args:
        names: The fields of the file, in order.
        wanted: What the user named.
        file: The file, for messages.
        notes: Told which field was taken when its name is not the first of the usual ones.
        kind: ``column`` or ``field``.
        line: The line that the names come from.
        hint: More advice for a file in which no hypotheses are found.

    Raises:
        FormatError: A field is missing or ambiguous.
    """
    finder = _Finder(names, file, notes, kind, line, hint)
    labels = {name.removeprefix(_LABEL): name for name in names if name.startswith(_LABEL) and name != _LABEL}
    if wanted.labels is not None:
        labels = {name.removeprefix(_LABEL): finder.exact(name, "labels") for name in wanted.labels}
    hypotheses = finder.one("hypotheses", wanted.hypotheses)
    if hypotheses is None:
        raise finder.missing("hypotheses")
    return Fields(
        hypotheses,
        _references(finder, wanted.references),
        finder.one("sources", wanted.sources),
        finder.one("ids", wanted.ids),
        finder.one("clusters", wanted.clusters),
        labels,
    )


def _references(finder: _Finder, wanted: str | Sequence[str] | None) -> tuple[str, ...] | None:
    if wanted is not None:
        chosen = [wanted] if isinstance(wanted, str) else list(wanted)
        if chosen in ([], [""]):
            return None
        return tuple(finder.exact(name, "references") for name in chosen)
    numbered = tuple(name for name in finder.names if _NUMBERED.fullmatch(name))
    single = finder.one("references", None, rivals=numbered)
    if single is not None:
        return (single,)
    if not numbered:
        raise finder.missing("references")
    return numbered


def decisive(name: str, fields: Fields, wanted: Wanted) -> bool:
    """
    Tell whether a field that the first record lacks would have changed the choice of fields.
    """
    if name == "labels" or name.startswith(_LABEL):
        return wanted.labels is None
    references = fields.references or ()
    if wanted.references is None and all(map(_NUMBERED.fullmatch, references)) and _NUMBERED.fullmatch(name):
        return True
    chosen = {"references": references[0] if len(references) == 1 else None} | {
        part: getattr(fields, part) for part in ALIASES if part != "references"
    }
    return any(
        name in names and getattr(wanted, part) is None and chosen[part] != names[0] for part, names in ALIASES.items()
    )


class _Finder:
    def __init__(self, names: Sequence[str], file: str, notes: Notes, kind: str, line: int, hint: str) -> None:
        self.names, self.file, self.notes, self.kind, self.line, self.hint = names, file, notes, kind, line, hint

    def exact(self, name: str, part: str) -> str:
        if name not in self.names:
            raise FormatError(
                self.file,
                f"there is no {self.kind} {name!r} for the {part}; {self._listing()}",
                did_you_mean(name, self.names) or f"Name one of the {self.kind}s",
                line=self.line,
            )
        return name

    def one(self, part: str, wanted: str | None, rivals: Sequence[str] = ()) -> str | None:
        if wanted is not None:
            return self.exact(wanted, part) if wanted else None
        present = [name for name in ALIASES[part] if name in self.names]
        if not present:
            return None
        first = ALIASES[part][0]
        others = [name for name in (*present, *rivals) if name != present[0]]
        if present[0] != first and others:
            raise FormatError(
                self.file,
                f"several {self.kind}s may hold the {part}: {', '.join((present[0], *others))}",
                f"Name the one that does ({part}={present[0]!r})",
                line=self.line,
            )
        if others:
            self.notes(f"{self.file}: the {part} are read from {first!r}; not used: {', '.join(others)}")
        elif present[0] not in (first, *_PLAIN):
            self.notes(f"{self.file}: the {part} are read from the {self.kind} {present[0]!r}")
        return present[0]

    def missing(self, part: str) -> FormatError:
        near = next((hint for alias in ALIASES[part] if (hint := did_you_mean(alias, self.names))), "")
        advice = f"Name the {self.kind} that holds them ({part}='...')"
        if part == "references":
            advice += "; references='' reads data without references"
        if len(self.names) == 1 and self.hint:
            near, advice = "", ""  # a table of one column is most likely misread as a whole
        return FormatError(
            self.file,
            f"no {self.kind} is known to hold the {part}; {self._listing()}",
            ". ".join(text for text in (near, advice, self.hint) if text).replace("?. ", "? "),
            line=self.line,
        )

    def _listing(self) -> str:
        shown = ", ".join(repr(name if len(name) <= 40 else name[:37] + "...") for name in self.names[:12])
        more = f" and {len(self.names) - 12} more" if len(self.names) > 12 else ""
        return f"it has {shown}{more}" if self.names else "it has none"

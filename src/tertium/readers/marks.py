"""
Look for traces of an earlier step that were left in the texts: they lower a score and nobody sees why.

Nothing is changed; each trace is one note with the number of lines and the first of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tertium.readers.notes import Notes

_BLOCK = 1 << 15
_SAMPLE = 4096


@dataclass(frozen=True, slots=True)
class _Trace:
    """
    Describe one kind of trace.

    Attributes:
        one, many: What a note says of one text and of several.
        needles: The texts that give it away.
        at_end: Whether they must end a text.
        one_sided: Whether it is noted only when one side has it and the other has not, because it may be right
            where every side has it.
        enough: The number of texts below which it is no trace but chance.
        share: The share of all texts below which it is none either.
    """

    one: str
    many: str
    needles: tuple[str, ...]
    at_end: bool = False
    one_sided: bool = False
    enough: int = 1
    share: float = 0.0


_TRACES = (
    _Trace(
        "text holds HTML entities such as &amp; or &quot;",
        "texts hold HTML entities such as &amp; or &quot;",
        ("&amp;", "&quot;", "&apos;", "&lt;", "&gt;", "&#39;", "&#124;", "&#91;"),
    ),
    _Trace(
        "text holds subword marks (@@ or ▁): join the pieces first",
        "texts hold subword marks (@@ or ▁): join the pieces first",
        ("@@ ", "▁"),
    ),
    _Trace(
        "text holds invisible characters, and the other side has none",
        "texts hold invisible characters, and the other side has none",
        tuple("\u00ad\u200b\u200c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"),
        one_sided=True,
    ),
    _Trace(
        "text looks tokenized (a space before the full stop), and the other side does not",
        "texts look tokenized (a space before the full stop), and the other side does not",
        (" .", " ?", " !", " ।", " 。"),
        at_end=True,
        one_sided=True,
        enough=10,
        share=0.5,
    ),
)


def look_for_traces(
    systems: Sequence[tuple[str, Sequence[str]]], references: Sequence[tuple[str, Sequence[str]]], notes: Notes
) -> None:
    """
    Note HTML entities and subword marks, and invisible characters and spaced full stops that only one side has.

    Args:
        systems: Name and hypotheses of each system.
        references: Name and texts of each stream of references.
        notes: Where the notes go.
    """
    left, right = ([(name, _find(texts)) for name, texts in side] for side in (systems, references))
    for trace in _TRACES:
        theirs = any(trace in found for _, found in right)
        for name, found in left:
            if trace in found and not (trace.one_sided and (theirs or not right)):
                _note(name, trace, found[trace], notes)
        if not (trace.one_sided and any(trace in found for _, found in left)):
            for name, found in right:
                if trace in found:
                    _note(name, trace, found[trace], notes)


def _note(name: str, trace: _Trace, rows: list[int], notes: Notes) -> None:
    what = trace.one if len(rows) == 1 else trace.many
    notes(f"{name}: {len(rows):,} {what} (the first is {rows[0] + 1})")


def _find(texts: Sequence[str]) -> dict[_Trace, list[int]]:
    found: dict[_Trace, list[int]] = {}
    anywhere = [trace for trace in _TRACES if not trace.at_end]
    for start in range(0, len(texts), _BLOCK):
        block = texts[start : start + _BLOCK]
        # a trace is rare: searching the joined block, at memory speed, shows that it is absent
        whole = "\n".join(block)
        ascii_only = whole.isascii()
        for trace in anywhere:
            needles = [
                n for n in trace.needles if not (ascii_only and not n.isascii()) and n[0] in whole and n in whole
            ]
            if needles:
                rows = [i for i, text in enumerate(block, start) if any(needle in text for needle in needles)]
                found.setdefault(trace, []).extend(rows)
    for trace in _TRACES:
        # a look at some texts is enough to see that far fewer than half of them end so
        sample = texts[:: max(1, len(texts) // _SAMPLE)]
        if trace.at_end and 4 * sum(text.endswith(trace.needles) for text in sample) >= len(sample):
            found[trace] = [i for i, text in enumerate(texts) if text.endswith(trace.needles)]
    filled = len(texts) - texts.count("")
    return {trace: rows for trace, rows in found.items() if len(rows) >= max(trace.enough, trace.share * filled)}

"""
Say what was asked, what is true and what to do.

The tree of exceptions, with the exit code that the command line gives each branch::

    TertiumError
    ├── UsageError (2)          the request itself is off
    │   ├── SpecError             the text is not a spec
    │   ├── UnknownMetric         no metric of that name
    │   ├── AmbiguousMetric       the name means several metrics or providers
    │   ├── UnknownProvider       no such provider of that metric
    │   ├── UnknownOutput         the metric has no such output
    │   ├── UnknownPlugin         TERTIUM_PLUGINS names a plugin that is not installed
    │   ├── ParameterError        unknown parameter, or a value out of its choices or range
    │   ├── Refused               the metric cannot do what was asked of it
    │   └── OutputError           the result cannot be written where it was asked for
    ├── DataError (3)           the data cannot be scored as they are
    │   ├── CountMismatch         two sides hold different numbers of segments
    │   ├── EmptyCorpus           there is no case at all
    │   ├── BadText               a value is not a text, or not a valid one
    │   ├── BadNesting            lists are nested in another way than asked for
    │   ├── MissingReferences     a case has no reference where the metric needs one
    │   ├── MissingSources        the metric needs sources and there are none
    │   └── FormatError           a file is not in its format: file, line, offset
    └── ProviderError (4)       the implementation is missing or broken
        ├── ProviderMissing       the plugin or its library is not installed
        ├── ProviderBroken        a plugin failed to import or broke the protocol
        ├── VersionMismatch       the library has another version than the pin
        └── ResourceMissing       Java, WordNet, a dictionary... is not there

Every message has the same three parts, kept as attributes: ``asked``, ``truth`` and ``remedy``. The
exceptions pickle, so that they arrive whole from worker processes.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from typing import Any

_BEGUN = re.compile(r"([A-Za-z0-9_+-]+)=([A-Za-z0-9_+.-]*(?:,[0-9][A-Za-z0-9_+.-]*)*)\Z")


class TertiumError(Exception):
    """
    Carry what was asked, what is true and what to do.

    Args:
        asked: What the user wanted, in the user's own words where possible.
        truth: What is the case instead.
        remedy: The next step that helps.
    """

    exit_code = 1

    def __init__(self, asked: str, truth: str, remedy: str = "") -> None:
        self.asked, self.truth, self.remedy = asked, truth, remedy
        super().__init__(asked, truth, remedy)

    def __str__(self) -> str:
        return ": ".join(part for part in (self.asked, self.truth) if part) + (
            f". {self.remedy}" if self.remedy else ""
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self.__dict__)


def _restore(kind: type[TertiumError], facts: dict[str, Any]) -> TertiumError:
    error = kind.__new__(kind)
    error.__dict__.update(facts)
    error.args = (error.asked, error.truth, error.remedy)
    return error


def did_you_mean(name: str, choices: Iterable[str]) -> str:
    """
    Suggest the nearest of the choices, as a sentence, or nothing when none is near.
    """
    known = list(choices)
    folded = {choice.casefold(): choice for choice in reversed(known)}
    near = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=0.6)
    return f"Did you mean {folded[near[0]]}?" if near else ""


def _sentences(*parts: str) -> str:
    return " ".join(part for part in parts if part)


class UsageError(TertiumError):
    """
    The request itself is off.
    """

    exit_code = 2


_FORM = "Write metric[@provider[==version]][(name=value,...)][.output], for instance bleu@sacrebleu(tokenize=intl)"
_OWN_FORM = "Write py:module:name[(name=value,...)], for instance py:my_module:my_bleu(metric=bleu)"


class SpecError(UsageError):
    """
    A text is not a spec.
    """

    def __init__(self, text: str, position: int, expected: str) -> None:
        self.text, self.position, self.expected = text, position, expected
        rest = text[position:]
        found = f"found {rest[:20]!r} at position {position}" if rest else "the text ends"
        super().__init__(
            f"{text!r} is not a spec",
            f"{found} where {expected} is expected",
            _quoting(text, position) or (_OWN_FORM if text.startswith("py:") else _FORM),
        )


def _quoting(text: str, position: int) -> str:
    """
    Say how the value is written that a spec breaks off in, where it does.
    """
    begun = _BEGUN.search(text[:position])
    if begun is None or text[position : position + 1] in ("", ",", ")", "'", "="):
        return ""
    value = begun[2] + re.split(r"\)|,(?=[A-Za-z_])", text[position:], maxsplit=1)[0]
    value = value.strip('"')
    shown = value if not set(value) & set("'\\([{") else "..."
    return (
        f"Quote a value that is neither a word nor a number: {begun[1]}='{shown}' (and the whole spec once more for a "
        "shell)"
    )


class UnknownMetric(UsageError):
    """
    No installed metric has that name.
    """

    def __init__(self, name: str, installed: Sequence[str], hint: str = "") -> None:
        self.name, self.installed = name, tuple(installed)
        names = ", ".join(installed) if installed else "none"
        super().__init__(f"no metric {name!r}", f"installed: {names}", _sentences(did_you_mean(name, installed), hint))


class AmbiguousMetric(UsageError):
    """
    A bare name means several metrics or providers.
    """

    def __init__(self, name: str, choices: Sequence[str]) -> None:
        self.name, self.choices = name, tuple(choices)
        super().__init__(f"{name!r} means several things", ", ".join(choices), "Write one of these")


class UnknownProvider(UsageError):
    """
    The metric exists, but not from that provider.
    """

    def __init__(self, metric: str, provider: str, available: Sequence[str]) -> None:
        self.metric, self.provider, self.available = metric, provider, tuple(available)
        super().__init__(
            f"{metric}@{provider}",
            f"no such provider; {metric} comes from {', '.join(available) or 'nobody'}",
            _sentences(did_you_mean(provider, available), "See `tertium metrics`"),
        )


class UnknownOutput(UsageError):
    """
    The metric has no output of that name.
    """

    def __init__(self, metric: str, output: str, outputs: Sequence[str]) -> None:
        self.metric, self.output, self.outputs = metric, output, tuple(outputs)
        super().__init__(
            f"{metric} has no output {output!r}", f"it has {', '.join(outputs)}", did_you_mean(output, outputs)
        )


class UnknownPlugin(UsageError):
    """
    TERTIUM_PLUGINS names a plugin that is not installed.
    """

    def __init__(self, name: str, installed: Sequence[str]) -> None:
        self.name, self.installed = name, tuple(installed)
        super().__init__(
            f"TERTIUM_PLUGINS names {name!r}",
            f"installed plugins: {', '.join(installed) or 'none'}",
            _sentences(did_you_mean(name, installed), "Correct or unset TERTIUM_PLUGINS"),
        )


class ParameterError(UsageError):
    """
    A parameter does not exist, or its value is not one of those it takes.
    """


class Refused(UsageError):
    """
    The metric cannot do what was asked of it.
    """


class OutputError(UsageError):
    """
    The result cannot be written where it was asked for.
    """


class DataError(TertiumError):
    """
    The data cannot be scored as they are.
    """

    exit_code = 3


class CountMismatch(DataError):
    """
    Two sides that must be parallel hold different numbers of segments.

    Args:
        sides: (name, count) of each side, the leading one first.
        detail: Where the sides first part, if it is known.
    """

    def __init__(self, sides: Sequence[tuple[str, int]], detail: str = "", remedy: str = "") -> None:
        self.sides, self.detail = tuple(sides), detail
        (lead, count), *others = sides
        counts = " and ".join(f"{name} has {size:,}" for name, size in others)
        super().__init__(
            "parallel segments are needed",
            f"{lead} has {count:,} segments but {counts}" + (f"; {detail}" if detail else ""),
            remedy or "Give every side the same number of segments; nothing was scored",
        )


class EmptyCorpus(DataError):
    """
    There is no case at all.
    """

    def __init__(self, what: str = "the data") -> None:
        self.what = what
        super().__init__("a score was asked for", f"{what} holds no segments", "Give at least one case")


class BadText(DataError):
    """
    A value is not a text, or not a valid one.
    """


class BadNesting(DataError):
    """
    Lists are nested in another way than they must be.
    """


class MissingReferences(DataError):
    """
    A case has no reference where the metric needs one.
    """

    def __init__(self, metric: str, position: int, case_id: str, count: int, empty: bool) -> None:
        self.metric, self.position, self.case_id, self.count = metric, position, case_id, count
        kind = "an empty list of references" if empty else "no references"
        more = f" (and {count - 1:,} more)" if count > 1 else ""
        super().__init__(
            f"{metric} compares with references",
            f"case {position} (id {case_id!r}) has {kind}{more}",
            "Give it a reference or leave the case out; an empty reference is the text '' and not a missing one",
        )


class MissingSources(DataError):
    """
    The metric needs the source texts and the cases have none.
    """

    def __init__(self, metric: str) -> None:
        self.metric = metric
        super().__init__(
            f"{metric} needs source texts", "the cases have no sources", "Give them as sources (--src FILE)"
        )


class FormatError(DataError):
    """
    A file is not in its format.

    Args:
        file: The file as the user named it.
        problem: What is wrong.
        remedy: What to do.
        line: 1-based line number, where it is known.
        offset: 0-based byte offset in the file, where it is known.
    """

    def __init__(
        self, file: str, problem: str, remedy: str = "", *, line: int | None = None, offset: int | None = None
    ) -> None:
        self.file, self.problem, self.line, self.offset = file, problem, line, offset
        place = file + (f":{line}" if line is not None else "")
        super().__init__(place, problem + (f" (byte {offset})" if offset is not None else ""), remedy)


class ProviderError(TertiumError):
    """
    The implementation is missing or broken.
    """

    exit_code = 4


class ProviderMissing(ProviderError):
    """
    The plugin, or the library that it wraps, is not installed.
    """


class ProviderBroken(ProviderError):
    """
    A plugin failed to import, or broke the protocol while it ran.
    """


class VersionMismatch(ProviderError):
    """
    The library has another version than the one that the plugin is pinned to, or that the spec asks for.
    """

    def __init__(self, spec: str, library: str, wanted: str, installed: str, remedy: str = "") -> None:
        self.spec, self.library, self.wanted, self.installed = spec, library, wanted, installed
        super().__init__(
            f"{spec} stands for {library} {wanted}",
            f"version {installed} is installed",
            remedy or f"Run `pip install {library}=={wanted}`, or accept the other version with --allow-unpinned",
        )


class ResourceMissing(ProviderError):
    """
    A resource that the metric needs (Java, WordNet, a dictionary) is not there or not whole.

    Args:
        name: The resource's name, for instance ``wordnet``.
        problem: What was looked for and found.
        command: The one command that brings it.
    """

    def __init__(self, name: str, problem: str, command: str) -> None:
        self.name, self.problem, self.command = name, problem, command
        super().__init__(f"the resource {name} is needed", problem, f"Run `{command}`")

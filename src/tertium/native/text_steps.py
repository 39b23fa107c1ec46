"""
Change texts by named steps, one after the other: letter case, white space, punctuation, words and patterns of one's own.

Steps stand in the order in which they are taken, with ``+`` between them. What a step takes stands behind its name in
parentheses, written as JSON::

    nfkc+lowercase+strip-punctuation
    replace-words({"colour": "color"})+remove-words(["uh", "um"])+collapse-spaces+strip
    replace-patterns({"(\\\\d+)-(\\\\d+)": "\\\\1 to \\\\2"})

In a spec the whole stands in single quotes, inside which a backslash is doubled once more. Patterns are their writer's:
one that backtracks without end on some text never ends here either.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, overload

from tertium.errors import BadText, ParameterError, did_you_mean
from tertium.extensions import find, offered
from tertium.native.text_changes import STEPS, Change

_NAME = re.compile(r"[^+()]*")


class DropEmpty(NamedTuple):
    """
    Take texts of nothing but white space out.
    """


class Join(NamedTuple):
    """
    Make one text of all that are not empty.

    Attributes:
        mark: What stands between them.
    """

    mark: str


Step = Change | DropEmpty | Join


TAKING: Mapping[str, str] = {
    "remove-words": 'a list of texts such as ["uh", "um"]',
    "replace-words": 'a table of texts such as {"colour": "color"}',
    "replace-patterns": 'a table of texts such as {"[0-9]": "#"}',
    "join": 'a text such as " "',
}
"""Steps that take something, and what."""

TAKEN = ("remove-words(<list>)", "replace-words(<table>)", "replace-patterns(<table>)")
"""How lists of choices show those that see one text at a time."""

WHOLE = ("drop-empty", "join")
"""Steps that see all texts of a side at once."""


def written(name: str, value: Any = None) -> str:
    """
    Write a step as :func:`read` reads it.

    Args:
        name: Its name.
        value: What it takes: a text, a list of texts or a mapping; None for nothing.

    Example:
        >>> written("replace-words", {"colour": "color"})
        'replace-words({"colour": "color"})'
    """
    if value is None:
        return name
    shown = json.dumps(value, ensure_ascii=False)
    return f"{name}({shown if shown.isprintable() else json.dumps(value)})"


@overload
def read(text: str, label: str) -> tuple[Change, ...]: ...


@overload
def read(text: str, label: str, whole: bool) -> tuple[Step, ...]: ...


def read(text: str, label: str, whole: bool = False) -> tuple[Step, ...]:
    """
    Read steps with ``+`` between them.

    Args:
        text: For instance ``nfc+lowercase``; ``none`` is no step at all.
        label: What messages begin with, for instance ``wer@native cannot take normalize='lower'``.
        whole: Whether steps may take texts out or join them.

    Raises:
        ParameterError: A step is unknown, or takes something else.
    """
    if text == "none":
        return ()
    found: list[Step] = []
    at = 0
    while True:
        match = _NAME.match(text, at)
        name, at = (match[0], match.end()) if match else ("", at)
        value, at = _argument(text, at, label) if text.startswith("(", at) else (None, at)
        found.append(_step(name, value, label, whole))
        if at == len(text):
            return tuple(found)
        if text[at] != "+":
            raise ParameterError(label, f"after {text[:at]!r} comes {text[at:][:20]!r}", "Write + between steps")
        at += 1


def run(steps: Sequence[Step], texts: Sequence[str]) -> tuple[Sequence[str], Sequence[int] | None]:
    """
    Take steps on all texts of a side.

    Returns:
        The texts, and the places that they had before, or None where none was taken out.
    """
    places: Sequence[int] | None = None
    for step in steps:
        if isinstance(step, DropEmpty):
            kept = [place for place, text in enumerate(texts) if text.strip()]
            places = kept if places is None else [places[place] for place in kept]
            texts = [texts[place] for place in kept]
        elif isinstance(step, Join):
            words = [text for text in texts if text]
            texts = [step.mark.join(words)] if words else []
        else:
            texts = [step(text) for text in texts]
    return texts, places


def _argument(text: str, start: int, label: str) -> tuple[Any, int]:
    body = start + 1 + len(text[start + 1 :]) - len(text[start + 1 :].lstrip())
    try:
        value, at = _DECODER.raw_decode(text, body)
    except RecursionError:
        raise ParameterError(label, "it is nested too deep", "Give a text, a list or a table") from None
    except ValueError as error:
        raise ParameterError(
            label, f"what stands after {text[:start]!r} is no JSON ({error})", 'Write texts as "...", \\ as \\\\'
        ) from None
    at += len(text[at:]) - len(text[at:].lstrip())
    if not text.startswith(")", at):
        raise ParameterError(label, f"the parenthesis after {text[:start]!r} is not closed", "Add )")
    return value, at + 1


class _Table(dict[str, Any]):
    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        if len(self) < len(pairs):
            raise ValueError("a key stands twice")


_DECODER = json.JSONDecoder(object_pairs_hook=_Table)


def _step(name: str, value: Any, label: str, whole: bool) -> Step:
    if name == "none":
        raise ParameterError(label, "none stands alone", "Leave it out")
    if name in WHOLE and not whole:
        raise ParameterError(label, f"{name} sees all texts at once, and here is one at a time", "Leave it out")
    if name not in STEPS and name not in TAKING and name not in WHOLE and find("normalizers", name) is None:
        known = [*STEPS, *TAKING, *offered("normalizers"), "drop-empty"]
        known = [one for one in dict.fromkeys(known) if whole or one not in WHOLE]
        truth = f"there is no step {name!r}; there are {', '.join(known)}"
        raise ParameterError(label, truth, did_you_mean(name, known))
    wanted = TAKING.get(name)
    if wanted is None and value is not None:
        raise ParameterError(label, f"{name} takes nothing", f"Write {name} alone")
    if wanted is not None and not _fits(wanted, value):
        raise ParameterError(label, f"{name} takes {wanted}", f"Write {name}(...)")
    if name in STEPS:
        return STEPS[name]
    if name == "drop-empty":
        return DropEmpty()
    if name == "join":
        return Join(value)
    if name == "remove-words":
        return functools.partial(_substituted, _words(dict.fromkeys(value, " ")))
    if name == "replace-words":
        return functools.partial(_substituted, _words(value))
    return functools.partial(_rewritten, _patterns(value, label)) if wanted else plugged(name)


def _fits(wanted: str, value: Any) -> bool:
    if wanted.startswith("a text"):
        return isinstance(value, str)
    held = value if isinstance(value, list) else [*value.values()] if isinstance(value, dict) else [None]
    return isinstance(value, list if wanted.startswith("a list") else dict) and all(isinstance(x, str) for x in held)


def _words(table: Mapping[str, str]) -> list[tuple[re.Pattern[str], str]]:
    return [(re.compile(rf"\b{re.escape(word)}\b"), other) for word, other in table.items()]


def _patterns(table: Mapping[str, str], label: str) -> list[tuple[re.Pattern[str], str]]:
    found = []
    for pattern, other in table.items():
        try:
            found.append((re.compile(pattern), other))
            found[-1][0].sub(other, "")  # reads the replacement, too
        except (re.error, IndexError, OverflowError, RecursionError) as error:
            truth = f"{pattern!r} to {other!r} is no substitution ({error})"
            raise ParameterError(label, truth, "Correct the pattern, in Python's syntax") from None
    return found


def _substituted(table: list[tuple[re.Pattern[str], str]], text: str) -> str:
    for pattern, word in table:
        # A function gives the word as it is: a backslash in it stands for itself.
        text = pattern.sub(lambda _, word=word: word, text)  # type: ignore[misc]
    return text


def _rewritten(table: list[tuple[re.Pattern[str], str]], text: str) -> str:
    for pattern, template in table:
        text = pattern.sub(template, text)
    return text


def plugged(name: str) -> Change:
    """
    Return the normalizer that a plugin offers.

    Raises:
        ParameterError: No plugin offers one of that name.
    """
    if find("normalizers", name) is None:
        known = sorted(offered("normalizers"))
        raise ParameterError(f"normalizer {name!r}", f"there are {', '.join(known)}", did_you_mean(name, known))

    return functools.partial(_plugged, name)  # which can be pickled; the function itself perhaps not


def _plugged(name: str, text: str) -> str:
    offer = find("normalizers", name)
    assert offer is not None
    made = offer.value(text)
    if isinstance(made, str):
        return made
    label = f"normalizer {name} of {offer.distribution}"
    raise BadText(label, f"gave a {type(made).__name__} for {text[:40]!r}", "Let it give texts")

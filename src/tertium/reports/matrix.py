"""
Write a conformance report as one page of HTML: cases by implementation, with everything behind a cell.

The page needs no network and asks for none: styles, script and data stand in it, and its content security policy
allows those alone, by their hashes. Texts of cases travel as JSON and are only ever set as text, so nothing in them
can run.
"""

from __future__ import annotations

import base64
import hashlib
import json
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import resources
from typing import Any

Line = Mapping[str, Any]

VERDICTS = ("agrees", "explained", "unexplained", "error", "skipped")

_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}
"""What could end a script block, or begin a comment in it, never stands in one."""


def page(lines: Iterable[Line], meanings: Mapping[str, str] | None = None) -> str:
    """
    Return the page of a report.

    Args:
        lines: A report's lines: header, cases, results, footer.
        meanings: What is said of conventions: axis to sentence, and ``metric:parameter`` to axis and sentence.
    """
    from jinja2 import Environment, StrictUndefined

    by_kind: dict[str, list[Line]] = {"header": [], "case": [], "result": [], "footer": []}
    for line in lines:
        by_kind[line["line"]].append(line)
    header = by_kind["header"][0]
    counted = _counts(header["providers"], by_kind["result"])
    style, script = _part("matrix.css"), _part("matrix.js")
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(_part("matrix.html")).render(
        header=header,
        providers=[{**one, "counts": counted[one["provider"]]} for one in header["providers"]],
        verdicts=VERDICTS,
        total={verdict: sum(counts[verdict] for counts in counted.values()) for verdict in VERDICTS},
        cases=len(by_kind["case"]),
        results=len(by_kind["result"]),
        metrics=sorted({case["metric"] for case in by_kind["case"]}),
        tags=sorted({tag for case in by_kind["case"] for tag in case["tags"]}),
        measured=len({name for case in by_kind["case"] for name in case["measured"]}),
        style=_safe(style),
        script=_safe(script),
        style_hash=_hash(style),
        script_hash=_hash(script),
        data=_safe(_json(_data(header, by_kind["case"], by_kind["result"], meanings or {}))),
    )


def _part(name: str) -> str:
    return resources.files("tertium.reports").joinpath("pages", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _safe(text: str) -> Any:
    from markupsafe import Markup

    return Markup(text)  # our own files, and JSON in which nothing is left that a browser reads as markup


def _json(value: Any) -> str:
    text = json.dumps(value, separators=(",", ":"))
    for character, escape in _ESCAPES.items():
        text = text.replace(character, escape)
    return text


def _counts(providers: Sequence[Line], results: Iterable[Line]) -> dict[str, dict[str, int]]:
    counted = {one["provider"]: dict.fromkeys(VERDICTS, 0) for one in providers}
    for one in results:
        counted[one["provider"]][one["verdict"]] += 1
    return counted


class _Shared:
    """
    Number texts and lists that come again and again, so that each stands in the page once.
    """

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._numbers: dict[str, int] = {}

    def __call__(self, value: Any) -> int:
        key = json.dumps(value)
        if key not in self._numbers:
            self._numbers[key] = len(self.values)
            self.values.append(value)
        return self._numbers[key]


def _data(header: Line, cases: Sequence[Line], results: Sequence[Line], meanings: Mapping[str, str]) -> dict[str, Any]:
    shared = _Shared()
    providers = [one["provider"] for one in header["providers"]]
    measured = sorted({name for case in cases for name in case["measured"]}, key=lambda name: (name.lower(), name))
    rows = {case["id"]: {"cells": [0] * len(providers), **_case(case, measured, shared)} for case in cases}
    used: set[str] = set()
    for one in results:
        rows[one["case"]]["cells"][providers.index(one["provider"])] = _result(one, shared)
        used.update(name if "." in name else f"{one['metric']}:{name}" for name in one["axes"])
    used.update(axis for case in cases for axis in case["axes"])
    return {
        "providers": providers,
        "measured": measured,
        "cases": list(rows.values()),
        "shared": shared.values,
        "meanings": {name: meanings[name] for name in sorted(used) if name in meanings},
        "names": _names(_texts([case["segments"] for case in cases])),
    }


def _case(case: Line, measured: Sequence[str], shared: _Shared) -> dict[str, Any]:
    kept = (
        "id",
        "metric",
        "output",
        "title",
        "explanation",
        "tags",
        "axes",
        "params",
        "segments",
        "textbook",
        "tolerance",
    )
    facts = {name: case[name] for name in kept if case.get(name) not in (None, "", [], {})}
    found = [
        [measured.index(name), shared(one["version"]), _outcome(one["outcome"], shared)]
        for name, one in case["measured"].items()
    ]
    return {**facts, "measured": found}


def _result(one: Line, shared: _Shared) -> list[Any]:
    against = [
        [
            shared(row["with"]),
            int(row["agrees"]),
            shared(row["detail"]),
            shared(row.get("spec") or row.get("version") or ""),
        ]
        for row in one["against"]
    ]
    usual = f"tertium conform {one['provider']} --case {one['case']}"
    return [
        VERDICTS.index(one["verdict"]),
        _outcome(one["outcome"], shared),
        shared(one["reason"]),
        shared(one["axes"]),
        shared(one["spec"]),
        against,
        shared(one["printed"]),
        one["seconds"],
        0 if one["reproduce"] == usual else one["reproduce"],
    ]


def _outcome(outcome: Line, shared: _Shared) -> list[Any]:
    kind = shared(outcome["type"])
    components = outcome.get("components") or {}
    values = [shared(list(components)), *components.values()] if components else []
    if outcome["type"] == "number":
        value = outcome["value"] if outcome["value"] != outcome["unit"] else 0
        return [kind, outcome["unit"], value, values]
    text = outcome.get("value") or outcome.get("reason") or outcome.get("notice") or ""
    detail = " ".join(str(outcome[name]) for name in ("by", "kind") if outcome.get(name))
    return [kind, shared(text), shared(detail), values]


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _texts(item)


def _names(texts: Iterable[str]) -> dict[str, str]:
    # What each character beyond ASCII is called, by its number in hexadecimal.
    found = sorted({character for text in texts for character in text if not character.isascii()})
    return {f"{ord(character):X}": unicodedata.name(character, "") for character in found}

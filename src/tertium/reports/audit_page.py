"""
Write an audit as one page of HTML.

The page holds no script and asks for nothing: its content security policy allows its own styles alone, by their hash.
Every text of a person's data stands in it escaped, with nothing hidden in it.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Mapping
from importlib import resources
from typing import Any

from tertium.reports import text
from tertium.reports.audit import NAMES, answer, behaves, called, left_out
from tertium.reports.difference import signed

Facts = Mapping[str, Any]


def page(report: Facts) -> str:
    """
    Return the page of the object that ``tertium audit --json`` prints.
    """
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    style = _part("audit.css")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    filters: dict[str, Callable[..., str]] = {
        "exposed": _exposed,
        "visible": lambda value: text.visible(str(value)),
        "answer": answer,
        "choice": _choice,
        "value": _value,
    }
    environment.filters.update(filters)
    return environment.from_string(_part("audit.html")).render(
        report=report,
        shape=called(report["shape"]) if report["shape"] else "",
        behaves=behaves(report["behaviour"]),
        remarks=bool(report["behaviour"] and report["behaviour"]["remarks"]),
        names=NAMES,
        left_out=left_out(report["suite"]),
        signed=signed,
        style=Markup(style),  # our own file
        style_hash=f"sha256-{digest}",
    )


def _part(name: str) -> str:
    return resources.files("tertium.reports").joinpath("pages", name).read_text(encoding="utf-8")


def _exposed(value: str, limit: int = 1000) -> str:
    shown = text.exposed(value[:limit])
    return shown if len(value) <= limit else f"{shown}... ({len(value):,} characters)"


def _choice(choices: Facts) -> str:
    return ", ".join(f"{name}={'none' if value is None else str(value).lower() if isinstance(value, bool) else value}"
                     for name, value in choices.items())  # fmt: skip


def _value(value: Any) -> str:
    return value if isinstance(value, str) else text.number(value, 6)

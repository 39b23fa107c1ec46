"""
Find the commands that plugins bring, by their metadata alone: nothing is imported before a command is asked for.

A plugin declares a command as an entry point to a :class:`click.Command`::

    [project.entry-points."tertium.commands"]
    histogram = "tertium_example.histogram:command"

A command that shadows a built-in one, or one that another distribution brings, is refused and listed by ``tertium plugins``.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.metadata
import os
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import click

from tertium.errors import ProviderBroken, TertiumError

GROUP = "tertium.commands"

_NAME = re.compile(r"[a-z0-9][a-z0-9-]*")


@dataclass(frozen=True)
class Guest:
    """
    Name a command that a plugin brings.

    Attributes:
        name: What it is asked for by.
        target: The module and attribute of the click command.
        distribution: The distribution that brings it.
        help: One line: the distribution's summary.
        problem: Why it is refused, or "".
    """

    name: str
    target: str
    distribution: str
    help: str
    problem: str = ""

    def load(self) -> click.Command:
        """
        Import the command and put it under a guard.

        Raises:
            ProviderBroken: It cannot be imported, or is no click command.
        """
        label = f"the command {self.name} of {self.distribution}"
        remedy = f"Install {self.distribution} again, or tell its author"
        point = importlib.metadata.EntryPoint(self.name, self.target, GROUP)
        try:
            # What an import prints is no result.
            with open(os.devnull, "w", encoding="utf-8") as nowhere, contextlib.redirect_stdout(nowhere):
                found: Any = point.load()
        except (KeyboardInterrupt, TertiumError):
            raise
        except BaseException as error:
            raise ProviderBroken(label, f"importing {self.target} raised {_said(error)}", remedy) from error
        if not isinstance(found, click.Command):
            raise ProviderBroken(label, f"{self.target} is a {type(found).__name__}, not a click.Command", remedy)
        inner = found.invoke

        @functools.wraps(inner)
        def invoke(context: click.Context) -> Any:
            try:
                return inner(context)
            except (TertiumError, click.ClickException, click.exceptions.Exit, click.Abort, SystemExit, OSError):
                raise
            except Exception as error:
                raise ProviderBroken(label, f"it raised {_said(error)}", remedy) from error

        found.invoke = invoke  # type: ignore[assignment, method-assign]
        return found


def guests(taken: Collection[str]) -> list[Guest]:
    """
    List the commands that installed plugins bring, those that are refused included, by name.

    Args:
        taken: The built-in commands.
    """
    points = sorted(importlib.metadata.entry_points(group=GROUP), key=lambda point: (point.name, point.value))
    allowed = _allowed()
    found: list[Guest] = []
    for point in points:
        distribution = point.dist
        owner = distribution.name if distribution is not None else "?"
        if allowed is not None and owner not in allowed:
            continue
        summary = " ".join((distribution.metadata["Summary"] or "").split()) if distribution is not None else ""
        problem = ""
        if point.name in taken:
            problem = f"the command {point.name!r} is built in; refused"
        elif not _NAME.fullmatch(point.name):
            problem = f"the command {point.name!r:.40} is no word of small letters, digits and -; refused"
        else:
            other = next((one for one in found if one.name == point.name and not one.problem), None)
            problem = f"the command {point.name!r} is brought by {other.distribution}; refused" if other else ""
        found.append(Guest(point.name, point.value, owner, f"{summary or 'No summary.'} [{owner}]", problem))
    return found


def _allowed() -> set[str] | None:
    # TERTIUM_PLUGINS picks plugins; the commands of their distributions come with them.
    wanted = os.environ.get("TERTIUM_PLUGINS")
    if wanted is None:
        return None
    names = {name.strip() for name in wanted.split(",")}
    points = importlib.metadata.entry_points(group="tertium")
    return {point.dist.name for point in points if point.name in names and point.dist is not None}


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__

"""
Describe what a metric needs beyond its library: where it is, what is wrong with it, what brings it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from tertium.errors import ResourceMissing

Report = Callable[[str], None]


def silent(line: str) -> None:
    """
    Take a line of a report and say nothing.
    """


def data_folder() -> Path:
    """
    Tell the folder in which tertium keeps its own data; it need not exist yet.

    Returns:
        The folder named by the environment variable ``TERTIUM_DATA``, else the platform's folder for user data.
    """
    chosen = os.environ.get("TERTIUM_DATA", "")
    if chosen:
        return Path(chosen).expanduser().absolute()
    import platformdirs

    return Path(platformdirs.user_data_dir("tertium", appauthor=False))


class Finding(NamedTuple):
    """
    Hold the outcome of a search: a verified place, or the reason why there is none.

    Exactly one of the two is None.
    """

    where: Path | None
    problem: str | None


@dataclass(frozen=True)
class Resource:
    """
    Describe one resource.

    Args:
        name: The word that ``tertium fetch`` takes, for instance ``wordnet``.
        summary: One line for tables.
        command: The one command that brings it.
        inspect: Searches for it and verifies its content.
        bring: Fetches it, given where to report and an optional local folder to take it from; None where
            only ``command`` can bring it.
        identify: Names the content in use (an edition and its digest, a version), for signatures.
    """

    name: str
    summary: str
    command: str
    inspect: Callable[[], Finding] = field(repr=False)
    bring: Callable[[Report, Path | None], None] | None = field(default=None, repr=False)
    identify: Callable[[], str] | None = field(default=None, repr=False)

    @property
    def fetchable(self) -> bool:
        """
        Tell whether ``fetch`` can bring the resource itself.
        """
        return self.bring is not None

    def look(self) -> Finding:
        """
        Search for the resource; a search that breaks down is a problem, not a crash, as plugins may bring resources.
        """
        try:
            return self.inspect()
        except Exception as error:
            return Finding(None, f"looking for it failed ({type(error).__name__}: {error})")

    def locate(self) -> Path | None:
        """
        Find the resource and verify its content.

        Returns:
            The verified place, or None when ``problem`` has something to say.
        """
        return self.look().where

    def problem(self) -> str | None:
        """
        Say why the resource cannot be used, or None when it can.
        """
        return self.look().problem

    def require(self) -> Path:
        """
        Find the resource or fail.

        Returns:
            The verified place.

        Raises:
            ResourceMissing: It is not there or not whole; names the command that brings it.
        """
        where, problem = self.look()
        if where is None:
            raise ResourceMissing(self.name, problem or "not found", self.command)
        return where

    def identity(self) -> str:
        """
        Name the content in use, so that a signature tells one WordNet or Java from another.

        Raises:
            ResourceMissing: It is not there.
        """
        where = self.require()
        return self.identify() if self.identify is not None else str(where)

    def fetch(self, report: Report = silent, source_folder: Path | None = None) -> Path:
        """
        Make the resource usable; what is already there and whole is left alone.

        Args:
            report: Called with one line at each step.
            source_folder: Take it from this local folder and from nowhere else.

        Returns:
            The verified place.

        Raises:
            ResourceMissing: No source gave it, each with its reason; or only ``command`` can bring it.
        """
        where = self.locate()
        if where is not None:
            report(f"{self.name}: already at {where}")
            return where
        if self.bring is not None:
            self.bring(report, source_folder)
        return self.require()

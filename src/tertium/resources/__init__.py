"""
Find, verify and fetch what metrics need beyond their libraries: WordNet, Java, MeCab dictionaries.

Nothing is downloaded unless it is asked for, and nothing is used before its content is verified::

    >>> from tertium import resources
    >>> resources.names()
    ('java', 'mecab-ja', 'mecab-ko', 'wordnet')

Importing this package is cheap: each resource lives in a module that is imported when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from tertium.errors import ResourceMissing, UsageError, did_you_mean
from tertium.resources.resource import Finding, Report, Resource, data_folder, silent

__all__ = ["Fetched", "Finding", "Resource", "data_folder", "fetch_all", "get", "names", "register", "require"]

_HOMES = {
    "java": "tertium.resources.java:JAVA",
    "mecab-ja": "tertium.resources.packages:MECAB_JA",
    "mecab-ko": "tertium.resources.packages:MECAB_KO",
    "wordnet": "tertium.resources.wordnet:WORDNET",
}

_registered: dict[str, Resource] = {}


@dataclass(frozen=True)
class Fetched:
    """
    Tell what became of one resource.

    Args:
        name: The resource.
        where: Its verified place, or None when it is still missing.
        note: ``already there``, ``fetched``, or what to do.
    """

    name: str
    where: Path | None
    note: str


def names() -> tuple[str, ...]:
    """
    List the resources that tertium and its loaded plugins know, sorted.
    """
    return tuple(sorted({*_HOMES, *_registered}))


def register(resource: Resource) -> None:
    """
    Make a plugin's resource known by its name; registering the same one again changes nothing.

    Raises:
        UsageError: Another resource has that name.
    """
    if resource.name in _HOMES or _registered.get(resource.name, resource) is not resource:
        raise UsageError(f"a resource {resource.name!r} is offered", "another one has that name", "Rename it")
    _registered[resource.name] = resource


def get(name: str) -> Resource:
    """
    Look a resource up by name.

    Raises:
        UsageError: There is no resource of that name.
    """
    if name in _registered:
        return _registered[name]
    if name not in _HOMES:
        hint = did_you_mean(name, names())
        raise UsageError(f"no resource {name!r}", f"known: {', '.join(names())}", hint or "Name one of these")
    module, attribute = _HOMES[name].split(":")
    found = getattr(import_module(module), attribute)
    assert isinstance(found, Resource)
    return found


def require(name: str) -> Path:
    """
    Find a resource, verified, or fail.

    Returns:
        The verified place: a folder, an archive or an executable.

    Raises:
        UsageError: There is no resource of that name.
        ResourceMissing: It is not there or not whole; names the command that brings it.
    """
    return get(name).require()


def identity(name: str) -> str:
    """
    Name the content of a resource that is in use: its edition and digest, or its version.

    Raises:
        UsageError: There is no resource of that name.
        ResourceMissing: It is not there.
    """
    return get(name).identity()


def fetch_all(
    wanted: Iterable[str] | None = None, report: Report = silent, source_folder: Path | None = None
) -> list[Fetched]:
    """
    Bring several resources; one that fails does not keep the others from being tried.

    Args:
        wanted: Names, or None for all. What only a package installation can bring (Java, MeCab) is an error when
            it was named and is missing; under None it is reported with its command.
        report: Called with one line at each step.
        source_folder: Take what can be taken from this local folder, and from nowhere else.

    Returns:
        One entry a resource, in the order asked for.

    Raises:
        UsageError: A name is unknown, or a folder was given for resources that do not come from one.
        ResourceMissing: One that was named, or one that can be fetched, is still missing.
    """
    chosen = [get(name) for name in (names() if wanted is None else dict.fromkeys(wanted))]
    if source_folder is not None and not any(resource.fetchable for resource in chosen):
        raise UsageError(
            f"{', '.join(resource.name for resource in chosen) or 'nothing'} from {source_folder}",
            "only resources that tertium fetches itself can come from a folder",
            f"Run `{chosen[0].command}`" if chosen else "Name a resource",
        )
    outcomes: list[Fetched] = []
    failures: list[ResourceMissing] = []
    for resource in chosen:
        where = resource.locate()
        if where is not None:
            report(f"{resource.name}: already at {where}")
            outcomes.append(Fetched(resource.name, where, "already there"))
            continue
        try:
            outcomes.append(Fetched(resource.name, resource.fetch(report, source_folder), "fetched"))
        except ResourceMissing as missing:
            report(f"{resource.name}: {missing.problem}; run `{missing.command}`")
            outcomes.append(Fetched(resource.name, None, f"run `{missing.command}`"))
            if resource.fetchable or wanted is not None:
                failures.append(missing)
    if len(failures) == 1:
        raise failures[0]
    if failures:
        raise ResourceMissing(
            ", ".join(missing.name for missing in failures),
            "; ".join(f"{missing.name}: {missing.problem}" for missing in failures),
            " && ".join(missing.command for missing in failures),
        )
    return outcomes

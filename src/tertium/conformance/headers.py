"""
Say what is going to be run: the selection, the providers, and the header of the report.
"""

from __future__ import annotations

import platform
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from tertium.conformance.case_files import ConformanceCase, digest
from tertium.conformance.report_file import FORMAT
from tertium.conformance.settings import ADAPTERS
from tertium.errors import TertiumError, UnknownProvider
from tertium.metric import installed_version
from tertium.registry import DEFAULT_PROVIDER, registry


@dataclass(frozen=True)
class Selection:
    """
    Say what was asked for; empty means everything.
    """

    providers: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()

    def picks(self, case: ConformanceCase) -> bool:
        """
        Tell whether a case is asked for: of one of the metrics, with all of the tags, and of one of the ids.
        """
        return (
            (not self.metrics or case.metric in self.metrics)
            and set(self.tags) <= set(case.tags)
            and (not self.cases or case.id in self.cases)
        )

    def to_json(self) -> dict[str, list[str]]:
        """
        Return the selection as part of a header.
        """
        return {
            "providers": list(self.providers),
            "metrics": list(self.metrics),
            "tags": list(self.tags),
            "cases": list(self.cases),
        }


def chosen_providers(named: Sequence[str], cases: Collection[ConformanceCase]) -> list[str]:
    """
    Name the providers of a run, native first: those that were asked for, or all that offer a metric of the cases.

    Raises:
        UnknownProvider: Nobody of that name offers a metric.
        ProviderError: It is known but not installed, or its library is not.
    """
    metrics = {case.metric for case in cases}
    offering: dict[str, set[str]] = {}
    for metric, providers in registry().metrics.items():
        for provider in providers:
            offering.setdefault(provider, set()).add(metric)
    for name in named:
        if name not in offering:
            metric = next(iter(sorted(metrics)), "bleu")
            try:
                registry().resolve(f"{metric}@{name}")
            except TertiumError as error:
                if not isinstance(error, UnknownProvider):
                    raise
            raise UnknownProvider("conform", name, sorted(offering))
        for metric in sorted(offering[name])[:1]:
            library = registry().metrics[metric][name].library
            if library is not None and installed_version(library) is None:
                registry().load(f"{metric}@{name}")
    found = named or [name for name in offering if offering[name] & metrics]
    return sorted(dict.fromkeys(found), key=lambda name: (name != DEFAULT_PROVIDER, name))


def report_header(cases: Sequence[ConformanceCase], providers: Sequence[str], selection: Selection) -> dict[str, Any]:
    """
    Make the first line of a report.
    """
    return {
        "line": "header",
        "format": FORMAT,
        "tertium": installed_version("tertium") or "",
        "started": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "suite": {"cases": len(cases), "digest": digest(cases)},
        "selection": selection.to_json(),
        "providers": [_provider(name, {case.metric for case in cases}) for name in providers],
    }


def _provider(name: str, metrics: Collection[str]) -> dict[str, Any]:
    from tertium import resources

    classes = {
        metric: found[name] for metric, found in registry().metrics.items() if name in found and metric in metrics
    } or {metric: found[name] for metric, found in registry().metrics.items() if name in found}
    some = next(iter(classes.values()))
    plugin = registry().origin(some)
    needed = sorted({one for metric in classes.values() for one in _resources(metric)})
    library = some.library
    version = installed_version(library) if library else None
    identities: dict[str, str | None] = {}
    for one in needed:
        try:
            identities[one] = resources.identity(one)
        except TertiumError:
            identities[one] = None
    return {
        "provider": name,
        "distribution": plugin.distribution if plugin else "",
        "plugin": plugin.version if plugin else "",
        "library": library,
        "version": version or (plugin.version if plugin else ""),
        "metrics": sorted(classes),
        "resources": identities,
    }


def _resources(metric: Any) -> tuple[str, ...]:
    # A stranger's constructor runs in a worker process only, where it can crash or hang without harm.
    return tuple(metric().info.resources if metric.provider in ADAPTERS else metric.resources)

"""
Gather what is known about metrics, plugins and resources, as the objects that ``--json`` prints.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tertium import resources
from tertium.callables import CallableMetric
from tertium.console.axes import moved
from tertium.errors import TertiumError
from tertium.metric import Metric, installed_version
from tertium.parameters import bind, parameters_of
from tertium.plugins import Plugin
from tertium.registry import Registry
from tertium.scoring import json_number
from tertium.spec import Spec


def providers_of(registry: Registry, name: str) -> list[dict[str, Any]]:
    """
    Return one row a provider of a metric: versions, scale, direction and what speaks against using it.
    """
    return [_brief(registry, registry.metrics[name][provider]) for provider in registry.providers(name)]


def _brief(registry: Registry, metric: type[Metric]) -> dict[str, Any]:
    plugin = registry.origin(metric)
    library = metric.library or (plugin.distribution if plugin else None)
    installed = installed_version(library) if library else None
    try:
        declared: Any = metric().info
    except Exception:  # a parameter without default, or a fault of the plugin's: what the class says must do
        declared = metric
    low, high = declared.scale
    return {
        "metric": metric.name,
        "provider": metric.provider,
        "summary": summary_of(metric),
        "distribution": plugin.distribution if plugin else None,
        "library": library,
        "pinned": metric.pinned,
        "installed": installed,
        "outputs": list(declared.outputs),
        "scale": [json_number(float(low)), json_number(float(high))],
        "higher_is_better": declared.higher_is_better,
        "needs": sorted(declared.needs),
        "aliases": {alias: dict(implied) for alias, implied in metric.aliases.items()},
        "problems": _version_problems(library, metric.pinned, installed),
    }


def _version_problems(library: str | None, pinned: str | None, installed: str | None) -> list[str]:
    if library is not None and installed is None:
        return [f"{library} is not installed"]
    if pinned is not None and installed != pinned:
        return [f"{library} {installed} is installed, not the pinned {pinned}"]
    return []


def summary_of(metric: type[Metric]) -> str:
    """
    Return what a metric measures, in its author's words.
    """
    first = (metric.__doc__ or "").strip().split("\n\n")[0]
    return (metric.summary or " ".join(first.split())).replace("``", "`")


def describe(registry: Registry, spec: Spec) -> dict[str, Any]:
    """
    Return all that is known about one metric under the parameters of a spec; nothing is run or downloaded.

    Raises:
        UsageError: The spec names something that does not exist.
        ProviderError: The provider is not installed.
    """
    found = registry.resolve(spec)
    metric = registry.get(found)
    label = f"{found.metric}@{found.provider}" if found.provider else found.metric
    if metric is CallableMetric:
        return _function(registry, found)
    bound = bind(metric, label, found.params)
    facts = {"spec": str(found), **_brief(registry, metric)}
    facts |= {"citation": metric.citation, "parameters": _parameters(metric, bound, moved(registry, metric, bound))}
    facts |= {
        "undefined": metric.undefined,
        "refuses": metric.refuses,
        "additive": metric.additive,
        "whole_corpus": metric.whole_corpus,
        "order_dependent": metric.order_dependent,
        "equivalent": None,
    }
    names: tuple[str, ...] = tuple(metric.resources)
    try:
        made = registry.make(metric, label, bound)
        info, equal = made.info, made.equivalent()
    except TertiumError as error:
        facts["problems"].append(str(error))
    else:
        names = info.resources
        facts |= {
            "outputs": list(info.outputs),
            "scale": [json_number(bound) for bound in info.scale],
            "higher_is_better": info.higher_is_better,
            "needs": sorted(info.needs),
            "undefined": info.undefined,
            "additive": info.additive,
            "equivalent": None if equal is None else str(equal),
        }
    facts["resources"] = [resource_state(name) for name in names]
    facts["problems"] += [f"{row['name']}: {row['problem']}" for row in facts["resources"] if row["problem"]]
    return facts


def _function(registry: Registry, spec: Spec) -> dict[str, Any]:
    made = registry.load(spec)
    info, equal = made.info, made.equivalent()
    facts = {"spec": str(spec), **_brief(registry, CallableMetric), "metric": info.name, "citation": ""}
    rows = _parameters(CallableMetric, made.parameters, {})
    return facts | {
        "parameters": [row for row in rows if row["name"] not in ("function", "label")],
        "summary": " ".join((getattr(getattr(made, "function", None), "__doc__", None) or info.summary).split()),
        "outputs": list(info.outputs),
        "scale": [json_number(bound) for bound in info.scale],
        "higher_is_better": info.higher_is_better,
        "needs": sorted(info.needs),
        "undefined": info.undefined,
        "additive": info.additive,
        "whole_corpus": info.whole_corpus,
        "order_dependent": info.order_dependent,
        "equivalent": None if equal is None else str(equal),
        "resources": [],
    }


def _parameters(metric: type[Metric], bound: Mapping[str, Any], axes: Mapping[str, list[str]]) -> list[dict[str, Any]]:
    return [
        {
            "name": parameter.name,
            "value": _plain(bound.get(parameter.name, parameter.default if parameter.has_default else None)),
            "default": _plain(parameter.default) if parameter.has_default else None,
            "required": not parameter.has_default,
            "takes": parameter.domain,
            "choices": [_plain(choice) for choice in parameter.texts],
            "help": parameter.help,
            "axes": axes.get(parameter.name, []),
        }
        for parameter in parameters_of(metric).values()
    ]


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return json_number(value)
    if value is None or isinstance(value, (bool, int, str)):
        return value
    return f"py:{getattr(value, '__module__', '?')}:{getattr(value, '__qualname__', value)}"


def resource_state(name: str) -> dict[str, Any]:
    """
    Return whether a resource is there, where, and the command that brings it; its content is verified.
    """
    resource = resources.get(name)
    found = resource.look()
    return {
        "name": name,
        "summary": resource.summary,
        "where": None if found.where is None else str(found.where),
        "problem": None if found.where is not None else found.problem or "not found",
        "command": resource.command,
    }


def plugin_state(plugin: Plugin) -> dict[str, Any]:
    """
    Return one plugin's distribution, metrics, libraries with pinned and installed versions, and problems.
    """
    libraries = {}
    for metric in plugin.metrics:
        if metric.library is not None:
            libraries[metric.library] = {
                "library": metric.library,
                "pinned": metric.pinned,
                "installed": installed_version(metric.library),
            }
    problems = list(plugin.problems)
    for row in libraries.values():
        problems += _version_problems(str(row["library"]), row["pinned"], row["installed"])
    return {
        "plugin": plugin.name,
        "distribution": plugin.distribution,
        "version": plugin.version,
        "module": plugin.target,
        "metrics": sorted({metric.name for metric in plugin.metrics}),
        "offers": {kind: sorted(things) for kind, things in plugin.offers.items() if things},
        "libraries": list(libraries.values()),
        "problems": problems,
        "remarks": list(plugin.remarks),
        "details": plugin.details,
    }

"""
Discover plugins, with a guard around each.

A plugin that fails to import, raises in a hook, or returns something else than what the hook asks for is
remembered with its reason and never stops the host. ``TERTIUM_PLUGINS=a,b`` loads exactly the plugins ``a`` and ``b``.
"""

from __future__ import annotations

import importlib.metadata
import os
import traceback
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pluggy

from tertium import hookspecs
from tertium.errors import UnknownPlugin, UsageError

if TYPE_CHECKING:
    from tertium.metric import Metric
    from tertium.resources import Resource

GROUP = "tertium"


@dataclass
class Plugin:
    """
    Record what was found of one plugin.

    Attributes:
        name: The entry point's name.
        target: The module that the entry point names.
        distribution: Name of the distribution that declares it.
        version: That distribution's version.
        metrics: The metric classes that it provides.
        problems: What went wrong, one sentence each; empty for a sound plugin.
        details: The traceback of the first failure.
    """

    name: str
    target: str
    distribution: str
    version: str
    metrics: list[type[Metric]] = field(default_factory=list)
    resources: list[Resource] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    details: str = ""

    def fail(self, doing: str, error: BaseException) -> None:
        """
        Remember a failure.
        """
        reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        self.problems.append(f"{doing}: {reason}")
        if not self.details:
            self.details = "".join(traceback.format_exception(error))


def discover(names: Iterable[str] | None = None) -> list[Plugin]:
    """
    Load the installed plugins, each under a guard, in the order of their names.

    Args:
        names: Load exactly these; by default those of ``TERTIUM_PLUGINS``, or all.

    Raises:
        UnknownPlugin: A name is not an installed plugin.
    """
    found = sorted(importlib.metadata.entry_points(group=GROUP), key=lambda point: (point.name, point.value))
    if names is None and os.environ.get("TERTIUM_PLUGINS") is not None:
        names = [name.strip() for name in os.environ["TERTIUM_PLUGINS"].split(",") if name.strip()]
    if names is not None:
        wanted = set(names)
        known = sorted({point.name for point in found})
        for name in sorted(wanted.difference(known)):
            raise UnknownPlugin(name, known)
        found = [point for point in found if point.name in wanted]
    manager = pluggy.PluginManager("tertium")
    manager.add_hookspecs(hookspecs)
    plugins: list[Plugin] = []
    for point in found:
        distribution = point.dist
        plugin = Plugin(
            point.name,
            point.value,
            distribution.name if distribution else "?",
            distribution.version if distribution else "?",
        )
        if any(other.name == plugin.name for other in plugins):
            other = next(other for other in plugins if other.name == plugin.name)
            plugin.problems.append(f"the name {plugin.name!r} is taken by {other.distribution}; this one is not loaded")
        else:
            _load(manager, point, plugin)
        plugins.append(plugin)
    return plugins


def _load(manager: pluggy.PluginManager, point: importlib.metadata.EntryPoint, plugin: Plugin) -> None:
    try:
        module = point.load()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a plugin may even call sys.exit; it must not end the host
        plugin.fail(f"importing {point.value}", error)
        return
    try:
        manager.register(module, name=point.name)
        manager.check_pending()
    except Exception as error:
        plugin.fail("registering", error)
        # pluggy registers name by name; what it got to before it failed must not stay behind.
        if manager.get_plugin(point.name) is not None:
            manager.unregister(name=point.name)
        return
    from tertium.resources import Resource, register

    plugin.metrics = [metric for metric in _call(manager, plugin, "tertium_metrics") if _is_metric(plugin, metric)]
    plugin.resources = [
        resource for resource in _call(manager, plugin, "tertium_resources") if _is(plugin, resource, Resource)
    ]
    for resource in plugin.resources:
        try:
            register(resource)
        except UsageError as error:
            plugin.fail(f"registering the resource {resource.name}", error)


def _call(manager: pluggy.PluginManager, plugin: Plugin, hook: str) -> list[Any]:
    caller = getattr(manager.hook, hook)
    mine = [implementation for implementation in caller.get_hookimpls() if implementation.plugin_name == plugin.name]
    results: list[Any] = []
    for implementation in mine:
        try:
            results += list(implementation.function())
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            plugin.fail(f"calling {hook}", error)
    return results


def _is(plugin: Plugin, value: Any, kind: type) -> bool:
    if isinstance(value, kind):
        return True
    plugin.problems.append(f"{value!r:.80} is not a {kind.__name__}")
    return False


def _is_metric(plugin: Plugin, metric: Any) -> bool:
    if not isinstance(metric, type):
        plugin.problems.append(f"tertium_metrics must return classes; {metric!r:.80} is none")
        return False
    for attribute in ("name", "provider"):
        if not isinstance(getattr(metric, attribute, None), str):
            plugin.problems.append(f"{metric.__qualname__} has no text {attribute!r}")
            return False
    needed = ("preprocess", "statistics", "aggregate", "signature", "info")
    missing = [method for method in needed if not hasattr(metric, method)]
    if missing:
        plugin.problems.append(f"{metric.__qualname__} lacks {', '.join(missing)}; inherit from tertium.Metric")
        return False
    from tertium.parameters import parameters_of

    try:
        parameters_of(metric)
    except Exception as error:
        plugin.fail(f"reading the parameters of {metric.__qualname__}", error)
        return False
    return True

"""
Discover plugins, with a guard around each.

A plugin that fails to import, raises in a hook, or returns something else than what the hook asks for is
remembered with its reason and never stops the host. What it prints is kept from standard output, threads that
it starts and time that it takes are remarked on. ``TERTIUM_PLUGINS=a,b`` loads exactly the plugins ``a`` and ``b``.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import io
import itertools
import os
import re
import threading
import time
import traceback
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pluggy

from tertium import hookspecs
from tertium.errors import UnknownPlugin, UsageError
from tertium.extensions import Kind, loading

if TYPE_CHECKING:
    from tertium.metric import Metric
    from tertium.resources import Resource

GROUP = "tertium"
HOST = "tertium"
SLOW = 1.0
"""Seconds of loading from which on a plugin's time is remarked on."""

MOST = 10_000
"""Things that one hook may give; a hook that gives more, perhaps without end, gives nothing."""

HOOKS: Mapping[Kind, str] = {
    "tokenizers": "tertium_tokenizers",
    "normalizers": "tertium_normalizers",
    "readers": "tertium_readers",
    "cases": "tertium_cases",
    "divergences": "tertium_divergences",
    "conventions": "tertium_conventions",
}
"""What plugins offer beside metrics and resources, and the hook that gives it."""

_METRIC_NAME = re.compile(r"[A-Za-z0-9_+-]+")
_OFFER_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
_started: list[threading.Thread] = []


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
        resources: The resources that it brings.
        offers: What else it offers: kind to name to thing.
        problems: What went wrong, one sentence each; empty for a sound plugin.
        remarks: What is worth knowing and nothing wrong: that it prints, starts threads, or takes long to load.
        seconds: What loading it took.
        details: The traceback of the first failure.
    """

    name: str
    target: str
    distribution: str
    version: str
    metrics: list[type[Metric]] = field(default_factory=list)
    resources: list[Resource] = field(default_factory=list)
    offers: dict[Kind, dict[str, Any]] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    seconds: float = 0.0
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
    Load the installed plugins, each under a guard: the host's own first, then in the order of their names.

    Args:
        names: Load exactly these; by default those of ``TERTIUM_PLUGINS``, or all.

    Raises:
        UnknownPlugin: A name is not an installed plugin.
    """
    found = sorted(importlib.metadata.entry_points(group=GROUP), key=_rank)
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
            with _watched(plugin), loading():
                _load(manager, point, plugin)
        plugins.append(plugin)
    return plugins


def left_running() -> bool:
    """
    Tell whether a thread that a plugin started while it was loaded keeps the interpreter from ending.
    """
    return any(thread.is_alive() and not thread.daemon for thread in _started)


def _rank(point: importlib.metadata.EntryPoint) -> tuple[bool, str, str]:
    # What is built in comes first, so that no plugin can take its names.
    return (point.dist is None or point.dist.name != HOST), point.name, point.value


@contextlib.contextmanager
def _watched(plugin: Plugin) -> Iterator[None]:
    printed, before, start = io.StringIO(), set(threading.enumerate()), time.perf_counter()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        yield
    plugin.seconds = time.perf_counter() - start
    started = [thread for thread in threading.enumerate() if thread not in before]
    _started.extend(started)
    if printed.getvalue().strip():
        plugin.remarks.append(f"it printed {' '.join(printed.getvalue().split())!r:.80} while it was loaded")
    if started:
        names = ", ".join(thread.name for thread in started)
        plugin.remarks.append(f"it started {len(started)} threads while it was loaded: {names:.80}")
    if plugin.seconds > SLOW:
        plugin.remarks.append(f"it took {plugin.seconds:.1f} s to load: import libraries inside functions")


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
    for kind, hook in HOOKS.items():
        given = _call(manager, plugin, hook)
        if given:
            plugin.offers[kind] = dict(_offers(plugin, kind, given))


def _offers(plugin: Plugin, kind: Kind, given: list[Any]) -> Iterator[tuple[str, Any]]:
    for thing in given:
        if kind in ("tokenizers", "normalizers"):
            name, value = thing if isinstance(thing, tuple) and len(thing) == 2 else (None, thing)
            sound = isinstance(name, str) and _OFFER_NAME.fullmatch(name) and callable(value)
            wanted = "names of letters, digits, _, . and - to functions"
        elif kind == "readers":
            from tertium.readers import Format

            name, value = getattr(thing, "name", None), thing
            sound = isinstance(thing, Format) and _OFFER_NAME.fullmatch(str(name)) and callable(thing.load)
            sound = sound and all(isinstance(one, str) and one.startswith(".") for one in thing.suffixes)
            wanted = "tertium.readers.Format with a name, suffixes such as .xlf, and a function"
        elif kind in ("cases", "divergences"):
            name, value = str(thing), thing
            sound = isinstance(thing, (str, Path)) and Path(thing).is_file()
            wanted = "paths of files that are there"
        else:
            from tertium.conventions import Family

            name, value = f"{getattr(thing, 'name', None)} ({plugin.distribution})", thing
            sound = isinstance(thing, Family) and isinstance(thing.axes, Mapping)
            wanted = "tertium.conventions.Family"
        if sound:
            yield str(name), value
        else:
            plugin.problems.append(f"{HOOKS[kind]} must give {wanted}; {thing!r:.80} is none")


def _call(manager: pluggy.PluginManager, plugin: Plugin, hook: str) -> list[Any]:
    caller = getattr(manager.hook, hook)
    mine = [implementation for implementation in caller.get_hookimpls() if implementation.plugin_name == plugin.name]
    results: list[Any] = []
    for implementation in mine:
        try:
            given = implementation.function()
            things = list(itertools.islice(given.items() if isinstance(given, Mapping) else given, MOST + 1))
            if len(things) > MOST:
                raise ValueError(f"it gives more than {MOST:,} things")
            results += things
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


def _is_metric(plugin: Plugin, found: Any) -> bool:
    metric: Any = found
    if not isinstance(found, type):
        plugin.problems.append(f"tertium_metrics must return classes; {metric!r:.80} is none")
        return False
    for attribute in ("name", "provider"):
        if not isinstance(getattr(metric, attribute, None), str):
            plugin.problems.append(f"{metric.__qualname__} has no text {attribute!r}")
            return False
    if not (_METRIC_NAME.fullmatch(metric.name) and _METRIC_NAME.fullmatch(metric.provider)):
        plugin.problems.append(
            f"{metric.name!r:.40}@{metric.provider!r:.40} cannot be written in a spec: names are letters, digits, _, + and -"
        )
        return False
    for attribute in ("library", "pinned"):
        if not isinstance(getattr(metric, attribute, None), (str, type(None))):
            plugin.problems.append(f"{metric.__qualname__}.{attribute} is neither a text nor None")
            return False
    aliases = getattr(metric, "aliases", {})
    if not isinstance(aliases, Mapping) or not all(
        isinstance(name, str) and isinstance(implied, Mapping) for name, implied in aliases.items()
    ):
        plugin.problems.append(f"{metric.__qualname__}.aliases does not map names to parameters")
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

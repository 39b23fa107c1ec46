"""
Find metrics by name: metric x provider -> class.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType
from typing import Any

from tertium import plugins
from tertium.errors import (
    AmbiguousMetric,
    ProviderBroken,
    ProviderMissing,
    TertiumError,
    UnknownMetric,
    UnknownOutput,
    UnknownProvider,
    UsageError,
    VersionMismatch,
)
from tertium.extensions import Kind, Offer, refuse_while_loading
from tertium.metric import Metric, installed_version
from tertium.parameters import bind, parameters_of
from tertium.plugins import Plugin
from tertium.spec import Spec, parse

DEFAULT_PROVIDER = "native"

KNOWN_PROVIDERS: Mapping[str, str] = MappingProxyType(
    {
        "bleuscore": "tertium-bleuscore",
        "example": "tertium-example",
        "fastchrf": "tertium-fastchrf",
        "jiwer": "tertium-jiwer",
        "nltk": "tertium-nltk",
        "pycocoevalcap": "tertium-pycocoevalcap",
        "rapidfuzz": "tertium-rapidfuzz",
        "rouge": "tertium-rouge",
        "rouge-metric": "tertium-rouge-metric",
        "rouge-perl": "tertium-rouge-metric",
        "rouge-score": "tertium-rouge-score",
        "sacrebleu": "tertium-sacrebleu",
        "sctk": "tertium-sctk",
        "torchmetrics": "tertium-torchmetrics",
    }
)
"""Providers of this project to the distribution that brings them, for install hints."""

AMBIGUOUS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "gleu+": ("gleu (Google GLEU, Wu et al. 2016)", "gec-gleu (GLEU+ with sources, Napoles et al. 2015/2016)"),
        "rouge": ("rouge1", "rouge2", "rougeL", "rougeLsum"),
        "squad": ("squad-em", "squad-f1"),
        "f1": ("token-f1", "squad-f1"),
        "em": ("exact-match", "squad-em"),
    }
)
"""Names that stand for several metrics; asking for one lists them."""


class Registry:
    """
    Map names to metric classes; nothing can be added once it is made.

    Args:
        found: The plugins, as :func:`tertium.plugins.discover` returns them.
    """

    def __init__(self, found: list[Plugin]) -> None:
        self.plugins: tuple[Plugin, ...] = tuple(found)
        table: dict[str, dict[str, type[Metric]]] = {}
        origin: dict[tuple[str, str], Plugin] = {}
        spellings: dict[str, str] = {}
        # Of two plugins that claim a provider the one that this project knows it from keeps it, whatever they are called.
        rank = {plugin.distribution: KNOWN_PROVIDERS.get(plugin.name) == plugin.distribution for plugin in found}
        for plugin in sorted(found, key=lambda one: not (one.name == DEFAULT_PROVIDER or rank[one.distribution])):
            for metric in list(plugin.metrics):
                key = (metric.name, metric.provider)
                spelled = spellings.setdefault(_squeeze(metric.name), metric.name)
                if key in origin:
                    problem = f"{metric.name}@{metric.provider} is already provided by {origin[key].distribution}"
                elif spelled != metric.name:
                    problem = f"{metric.name}@{metric.provider} would be taken for {spelled}, which there is"
                else:
                    problem = ""
                if problem:
                    plugin.problems.append(f"{problem}; refused")
                    plugin.metrics.remove(metric)
                    continue
                origin[key] = plugin
                table.setdefault(metric.name, {})[metric.provider] = metric
        self._origin = origin
        self.metrics: Mapping[str, Mapping[str, type[Metric]]] = MappingProxyType(
            {name: MappingProxyType(dict(sorted(table[name].items()))) for name in sorted(table)}
        )

    @cached_property
    def offers(self) -> Mapping[Kind, Mapping[str, Offer]]:
        """
        What plugins offer beside metrics, by kind and name; the first to offer a name keeps it.
        """
        found: dict[Kind, dict[str, Offer]] = {}
        for plugin in self.plugins:
            for kind, things in plugin.offers.items():
                for name, value in list(things.items()):
                    taken = self._taken(kind, name, value, found.get(kind, {}))
                    if taken:
                        plugin.problems.append(f"the {kind.removesuffix('s')} {name!r} {taken}; refused")
                        del things[name]
                        continue
                    offer = Offer(name, value, plugin.distribution, plugin.version, plugin.problems)
                    found.setdefault(kind, {})[name] = offer
        return MappingProxyType({kind: MappingProxyType(things) for kind, things in found.items()})

    @staticmethod
    def _taken(kind: Kind, name: str, value: Any, others: Mapping[str, Offer]) -> str:
        if name in others and kind != "conventions":
            return f"is already offered by {others[name].distribution}"
        if kind != "readers":
            return ""
        from tertium.readers import FORMATS

        known = {suffix: f"tertium ({one.name})" for one in FORMATS.values() for suffix in one.suffixes}
        known |= {suffix: offer.distribution for offer in others.values() for suffix in offer.value.suffixes}
        if name in FORMATS:
            return "is built in"
        return next(
            (f"claims {suffix}, which {known[suffix]} reads" for suffix in value.suffixes if suffix in known), ""
        )

    @cached_property
    def _names(self) -> Mapping[str, tuple[str, Mapping[str, Any]]]:
        names: dict[str, tuple[str, Mapping[str, Any]]] = {}
        own = [name for name, providers in self.metrics.items() if DEFAULT_PROVIDER in providers]
        for name in [*own, *(name for name in self.metrics if name not in own)]:
            providers = self.metrics[name]
            for metric in sorted(providers.values(), key=lambda one: one.provider != DEFAULT_PROVIDER):
                for alias, implied in metric.aliases.items():
                    names.setdefault(alias, (name, implied))
        names.update({name: (name, {}) for name in self.metrics})
        return names

    def name(self, written: str) -> tuple[str, Mapping[str, Any]]:
        """
        Resolve a metric's name or alias, in any case, to the name and the parameters that the alias implies.

        Raises:
            UnknownMetric: Nothing of that name is installed.
            AmbiguousMetric: The name stands for several metrics.
        """
        if written in self._names:
            return self._names[written]
        for fold in (str.casefold, _squeeze):
            near = {name for name in self._names if fold(name) == fold(written)}
            if near:
                return self._names[sorted(near)[0]]
        choices = AMBIGUOUS.get(written.casefold())
        if choices:
            raise AmbiguousMetric(written, choices)
        broken = [plugin.name for plugin in self.plugins if plugin.problems]
        hint = f"Plugins with problems: {', '.join(broken)}; see `tertium plugins`" if broken else ""
        raise UnknownMetric(written, sorted(self._names), hint)

    def providers(self, metric: str) -> tuple[str, ...]:
        """
        Return the providers of a metric, native first.
        """
        name, _ = self.name(metric)
        return tuple(sorted(self.metrics[name], key=lambda provider: (provider != DEFAULT_PROVIDER, provider)))

    def resolve(self, spec: str | Spec) -> Spec:
        """
        Fill in the metric's own name, the provider and what an alias implies.

        Raises:
            UsageError: The metric, provider or parameters do not exist.
            ProviderError: The provider is known but not installed, or broken.
        """
        asked = parse(spec) if isinstance(spec, str) else spec
        if asked.metric.startswith("py:"):
            return asked
        try:
            name, implied = self.name(asked.metric)
        except UnknownMetric:
            missing = self._not_installed(asked.metric, asked.provider)
            if missing is not None:
                raise missing from None
            raise
        provider = asked.provider
        if provider == "all":
            truth = "`all` stands for several metrics: " + ", ".join(f"{name}@{one}" for one in self.providers(name))
            raise UsageError(str(asked), truth, "Name one provider here")
        if provider is None:
            available = self.providers(name)
            if len(available) > 1 and DEFAULT_PROVIDER not in available:
                raise AmbiguousMetric(name, [f"{name}@{one}" for one in available])
            provider = available[0]
        if provider not in self.metrics[name]:
            folded = [known for known in self.metrics[name] if _squeeze(known) == _squeeze(provider)]
            if not folded:
                raise self._no_provider(name, provider)
            provider = folded[0]
        declared = parameters_of(self.metrics[name][provider])
        params = {**implied, **asked.params}
        for key, value in params.items():
            # In a spec the bare word `none` is nothing; where a parameter has a choice of that name, it means the choice.
            if value is None and key in declared and not declared[key].nullable and "none" in declared[key].texts:
                params[key] = "none"
        return replace(asked, metric=name, provider=provider).with_params(params)

    def _no_provider(self, metric: str, provider: str) -> TertiumError:
        missing = self._not_installed(metric, provider, f", or use one of: {', '.join(self.providers(metric))}")
        return missing or UnknownProvider(metric, provider, self.providers(metric))

    def _not_installed(self, metric: str, provider: str | None, instead: str = "") -> TertiumError | None:
        distribution = KNOWN_PROVIDERS.get(provider or "")
        for plugin in self.plugins:
            if plugin.problems and (plugin.name == provider or plugin.distribution == distribution):
                return ProviderBroken(
                    f"{metric}@{provider}",
                    f"it is provided by {plugin.distribution}, which failed ({plugin.problems[0]})",
                    f"Install {plugin.distribution} again{instead}",
                )
        if distribution is not None and all(plugin.distribution != distribution for plugin in self.plugins):
            truth = f"the plugin {distribution} is not installed, or left out by TERTIUM_PLUGINS"
            return ProviderMissing(f"{metric}@{provider}", truth, f"Install {distribution}{instead}")
        return None

    def origin(self, metric: type[Metric]) -> Plugin | None:
        """
        Return the plugin that registered a metric class, or None.
        """
        found = self._origin.get((metric.name, metric.provider))
        return found if found is not None and self.metrics[metric.name][metric.provider] is metric else None

    def expand(self, spec: str | Spec) -> list[Spec]:
        """
        Resolve a spec to one or, for the provider ``all``, to one a provider.
        """
        asked = parse(spec) if isinstance(spec, str) else spec
        if asked.provider != "all":
            return [self.resolve(asked)]
        return [self.resolve(replace(asked, provider=provider)) for provider in self.providers(asked.metric)]

    def get(self, spec: str | Spec) -> type[Metric]:
        """
        Return the class that a spec names, without making or checking anything else.
        """
        found = self.resolve(spec)
        if found.metric.startswith("py:"):
            from tertium.callables import class_of
            from tertium.targets import imported

            return class_of(imported(found.metric))
        return self.metrics[found.metric][found.provider or DEFAULT_PROVIDER]

    def load(self, spec: str | Spec, *, allow_unpinned: bool = False) -> Metric:
        """
        Make the metric that a spec names, after checking parameters, versions and resources.

        Args:
            allow_unpinned: Accept another version of the library than the pin, with a warning.

        Raises:
            UsageError: The spec is off.
            ProviderError: The library or a resource is missing, broken or of another version.
        """
        found = self.resolve(spec)
        if found.metric.startswith("py:"):
            return self._python(found)
        metric = self.get(found)
        label = f"{found.metric}@{found.provider}" if found.provider else found.metric
        made = self.make(metric, label, bind(metric, label, found.params))
        self._check_version(found, metric, allow_unpinned)
        return self._ready(made, label, found.output)

    def _ready(self, made: Metric, label: str, output: str | None) -> Metric:
        if output is not None and output not in made.info.outputs:
            raise UnknownOutput(label, output, made.info.outputs)
        if made.info.resources:
            from tertium import resources

            for name in made.info.resources:
                resources.require(name)
        return made

    def _python(self, spec: Spec) -> Metric:
        from tertium.callables import class_of
        from tertium.targets import imported, parameters_for

        thing = imported(spec.metric)
        made, kind = thing, class_of(thing)
        params = parameters_for(thing, spec)
        if params is not None:
            made = self.make(kind, spec.metric, bind(kind, spec.metric, params))
        return self._ready(made, spec.metric, spec.output)

    def make(self, metric: type[Metric], label: str, values: Mapping[str, Any]) -> Metric:
        """
        Make a metric of a class, with its facts read once.

        Raises:
            UsageError: The values contradict each other.
            ProviderBroken: The constructor raises, or the facts cannot be read.
        """
        try:
            made = metric(**values)
            _ = made.info
        except (TertiumError, KeyboardInterrupt):
            raise
        except (Exception, SystemExit) as error:
            truth = f"making the metric raised {type(error).__name__}: {error}"
            raise ProviderBroken(label, truth, "Use another provider, or tell the plugin's author") from error
        return made

    def _check_version(self, spec: Spec, metric: type[Metric], allow_unpinned: bool) -> None:
        library = metric.library or "tertium"
        label = f"{spec.metric}@{spec.provider}"
        installed = installed_version(library)
        if installed is None:
            pin = f"{library}=={metric.pinned}" if metric.pinned else library
            raise ProviderMissing(label, f"the library {library} is not installed", f"Run `pip install {pin}`")
        if spec.version is not None and spec.version != installed:
            remedy = f"Install {library} {spec.version}, or ask for the installed version"
            raise VersionMismatch(str(spec), library, spec.version, installed, remedy)
        if metric.pinned is not None and installed != metric.pinned and spec.version is None:
            if not allow_unpinned:
                raise VersionMismatch(label, library, metric.pinned, installed)
            warnings.warn(
                f"{label} runs {library} {installed}, not the pinned {metric.pinned}: numbers may differ",
                UnpinnedWarning,
                stacklevel=3,
            )

    def canonical(self, spec: Spec) -> Spec:
        """
        Return the resolved spec with parameters at their defaults left out.
        """
        found = self.resolve(spec)
        declared = parameters_of(self.get(found))
        bound = bind(self.get(found), str(found.metric), found.params)
        kept = {name: found.params[name] for name in bound if bound[name] != declared[name].default}
        return found.with_params(kept)


class UnpinnedWarning(UserWarning):
    """
    Say that a library runs in another version than its plugin is made for.
    """


def _squeeze(name: str) -> str:
    return name.casefold().replace("-", "").replace("_", "").replace(" ", "")


_lock = threading.RLock()  # a plugin may ask for metrics while it is loaded
_registry: Registry | None = None


def registry() -> Registry:
    """
    Return the registry of the installed plugins, made on first use.
    """
    global _registry
    with _lock:
        if _registry is None:
            refuse_while_loading()
            _registry = Registry(plugins.discover())
        return _registry

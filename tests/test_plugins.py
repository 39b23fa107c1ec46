"""
Discovery: every plugin under a guard of its own.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tertium.errors import ProviderBroken, UnknownPlugin
from tertium.plugins import Plugin, discover
from tertium.registry import Registry

SOUND = """
import numpy as np
import tertium

class Length(tertium.Metric):
    '''Mean length of the outputs.'''
    name, provider = "{metric}", "{provider}"
    columns, outputs, scale = ("characters", "cases"), ("length",), (0, float("inf"))

    def statistics(self, prepared, constants):
        return np.array([[len(case.hypothesis), 1] for case in prepared])

    def aggregate(self, sums):
        return sums[..., :1] / sums[..., 1:]

@tertium.hookimpl
def tertium_metrics():
    return [Length]
"""

BROKEN = {
    "raises-at-import": ("raise RuntimeError('no luck')", "RuntimeError: no luck"),
    "exits-at-import": ("import sys; sys.exit(3)", "SystemExit: 3"),
    "lacks-a-library": ("import library_that_is_not_there", "No module named 'library_that_is_not_there'"),
    "raises-in-hook": (
        "import tertium\n@tertium.hookimpl\ndef tertium_metrics():\n    return 1 / 0",
        "calling tertium_metrics: ZeroDivisionError",
    ),
    "returns-nothing": ("import tertium\n@tertium.hookimpl\ndef tertium_metrics():\n    return None", "TypeError"),
    "returns-an-instance": (
        "import tertium\n@tertium.hookimpl\ndef tertium_metrics():\n    return ['bleu']",
        "must return classes",
    ),
    "has-no-name": (
        "import tertium\nclass M(tertium.Metric): pass\n@tertium.hookimpl\ndef tertium_metrics():\n    return [M]",
        "has no text 'name'",
    ),
    "is-no-metric": (
        "import tertium\nclass M:\n    name, provider = 'm', 'p'\n@tertium.hookimpl\ndef tertium_metrics():\n    return [M]",
        "lacks preprocess",
    ),
    "has-positional-parameters": (
        "import tertium\nclass M(tertium.Metric):\n    name, provider = 'm', 'p'\n    def __init__(self, n=1): self.n = n\n"
        "@tertium.hookimpl\ndef tertium_metrics():\n    return [M]",
        "must be keyword-only",
    ),
    "has-a-hook-of-another-shape": (
        "import tertium\n@tertium.hookimpl\ndef tertium_metrics(colour):\n    return []",
        "registering",
    ),
    "has-an-unknown-hook": ("import tertium\n@tertium.hookimpl\ndef tertium_colours():\n    return []", "registering"),
}


def named(plugins: list[Plugin], name: str) -> Plugin:
    return next(plugin for plugin in plugins if plugin.name == name)


@pytest.mark.parametrize("name", BROKEN)
def test_broken_plugin_is_remembered_and_never_fatal(name: str, install: Callable[..., None]) -> None:
    """A plugin that fails is listed with its reason, and the sound one beside it works."""
    source, reason = BROKEN[name]
    install(name, source)
    install("sound", SOUND.format(metric="mean-length", provider="sound"))

    plugins = discover()

    assert reason in named(plugins, name).problems[0]
    assert named(plugins, name).metrics == []
    assert [metric.name for metric in named(plugins, "sound").metrics] == ["mean-length"]


def test_asking_a_broken_provider_says_why(install: Callable[..., None]) -> None:
    """A spec whose provider failed to import is refused with that reason."""
    install("broken", BROKEN["raises-at-import"][0])
    install("sound", SOUND.format(metric="mean-length", provider="sound"))

    with pytest.raises(ProviderBroken, match=r"tertium-broken, which failed .*no luck.*use one of: sound"):
        Registry(discover()).load("mean-length@broken")


def test_duplicate_metric_is_refused(install: Callable[..., None]) -> None:
    """The second plugin that registers a metric under the same provider is refused, the first stays."""
    install("first", SOUND.format(metric="mean-length", provider="same"))
    install("second", SOUND.format(metric="mean-length", provider="same"))

    registry = Registry(discover())

    assert "already provided by tertium-first" in named(list(registry.plugins), "second").problems[0]
    assert registry.metrics["mean-length"]["same"].__module__ == "first"


def test_two_distributions_cannot_share_a_plugin_name(
    install: Callable[..., None], tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two entry points of one name only one is loaded, and the other says so."""
    install("twin", SOUND.format(metric="mean-length", provider="twin"))
    folder = tmp_path_factory.mktemp("other")
    info = folder / "tertium_other-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tertium-other\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[tertium]\ntwin = twin_of_twin\n")
    monkeypatch.syspath_prepend(str(folder))

    twins = [plugin for plugin in discover() if plugin.name == "twin"]

    assert [len(plugin.problems) for plugin in twins] == [0, 1]
    assert "is taken by tertium-twin" in twins[1].problems[0]


def test_environment_names_exactly_the_plugins(install: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    """With TERTIUM_PLUGINS set, those plugins are loaded and no others; empty means none."""
    install("alpha", SOUND.format(metric="mean-length", provider="alpha"))
    install("beta", SOUND.format(metric="mean-length", provider="beta"))
    monkeypatch.setenv("TERTIUM_PLUGINS", "beta, alpha")
    assert [plugin.name for plugin in discover()] == ["alpha", "beta"]
    monkeypatch.setenv("TERTIUM_PLUGINS", "beta")
    assert [plugin.name for plugin in discover()] == ["beta"]
    monkeypatch.setenv("TERTIUM_PLUGINS", "")
    assert discover() == []


def test_unknown_plugin_in_the_environment_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that is not an installed plugin is refused with the nearest one."""
    monkeypatch.setenv("TERTIUM_PLUGINS", "exampel")

    with pytest.raises(UnknownPlugin, match="Did you mean example"):
        discover()


def test_native_is_registered_through_the_same_hook() -> None:
    """The bundled metrics come from an entry point of the distribution `tertium`, as any plugin's do."""
    native = named(discover(), "native")

    assert (native.distribution, native.problems) == ("tertium", [])

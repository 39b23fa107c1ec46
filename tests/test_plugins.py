"""
Discovery: every plugin under a guard of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import tertium.registry
from tertium import plugins as discovery
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
    "has-unwritable-name": (
        SOUND.format(metric="mean length", provider="x"),
        "cannot be written in a spec",
    ),
    "has-odd-aliases": (
        SOUND.format(metric="mean-length", provider="x") + "\nLength.aliases = ['ml']",
        "aliases does not map names to parameters",
    ),
    "has-an-odd-library": (
        SOUND.format(metric="mean-length", provider="x") + "\nLength.library = 7",
        "library is neither a text nor None",
    ),
    "never-stops-giving": (
        "import itertools, tertium\n@tertium.hookimpl\ndef tertium_metrics():\n    return itertools.count()",
        "more than 10,000 things",
    ),
    "asks-while-it-is-loaded": (
        "import tertium\ntertium.score('bleu', tertium.Cases(['a'], [['a']]))",
        "Ask inside a function",
    ),
    "has-an-unknown-hook": ("import tertium\n@tertium.hookimpl\ndef tertium_colours():\n    return []", "registering"),
}


def named(plugins: list[Plugin], name: str) -> Plugin:
    return next(plugin for plugin in plugins if plugin.name == name)


@pytest.mark.parametrize("name", BROKEN)
def test_broken_plugin_is_remembered_and_never_fatal(
    name: str, install: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plugin that fails is listed with its reason, and the sound one beside it works."""
    source, reason = BROKEN[name]
    install(name, source)
    install("sound", SOUND.format(metric="mean-length", provider="sound"))

    monkeypatch.setattr(tertium.registry, "_registry", None)

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


@pytest.mark.parametrize(
    ("metric", "provider", "reason"),
    [
        ("bleu", "native", "bleu@native is already provided by tertium; refused"),
        ("BLEU", "x", "BLEU@x would be taken for bleu, which there is; refused"),
        ("rouge-l", "x", "rouge-l@x would be taken for rougeL, which there is; refused"),
    ],
)
def test_built_in_metric_cannot_be_shadowed(
    metric: str, provider: str, reason: str, install: Callable[..., None]
) -> None:
    """What comes first in the alphabet still comes after the host's own, under its name in any spelling."""
    install("aaa", SOUND.format(metric=metric, provider=provider))

    registry = Registry(discover())

    assert reason in named(list(registry.plugins), "aaa").problems[0]
    assert registry.get(metric).__module__.startswith("tertium.native")


def test_built_in_alias_cannot_be_shadowed(install: Callable[..., None]) -> None:
    """An alias of a built-in metric keeps its meaning."""
    install("aaa", SOUND.format(metric="aaa", provider="aaa") + "\nLength.aliases = {'chrf++': {}, 'bleu': {}}")

    registry = Registry(discover())

    assert (registry.name("chrf++")[0], registry.name("bleu")[0]) == ("chrf", "bleu")


def test_plugin_that_prints_does_not_disturb(install: Callable[..., None], capsys: pytest.CaptureFixture[str]) -> None:
    """What a plugin prints while it is loaded goes nowhere, and is remarked on."""
    install("chatty", "print('hello')\n" + SOUND.format(metric="mean-length", provider="chatty"))

    plugin = named(discover(), "chatty")

    assert capsys.readouterr() == ("", "")
    assert (plugin.problems, plugin.remarks) == ([], ["it printed 'hello' while it was loaded"])


def test_slow_plugin_is_remarked_on(install: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    """A plugin that takes long to load works, and its time is listed."""
    monkeypatch.setattr(discovery, "SLOW", 0.05)
    install("slow", "import time; time.sleep(0.1)\n" + SOUND.format(metric="mean-length", provider="slow"))

    plugin = named(discover(), "slow")

    assert [metric.name for metric in plugin.metrics] == ["mean-length"]
    assert "s to load: import libraries inside functions" in plugin.remarks[-1]


THREAD = """
import threading
stop = threading.Event()
threading.Thread(target=stop.wait, name="lingering").start()
"""


def test_plugin_that_starts_threads_is_remarked_on(install: Callable[..., None]) -> None:
    """Threads of a plugin are listed, and known while they would keep the interpreter from ending."""
    install("busy", THREAD + SOUND.format(metric="mean-length", provider="busy"))

    plugin = named(discover(), "busy")

    try:
        assert plugin.remarks == ["it started 1 threads while it was loaded: lingering"]
        assert discovery.left_running()
    finally:
        sys.modules["busy"].stop.set()
        for thread in threading.enumerate():
            if thread.name == "lingering":
                thread.join()
    assert not discovery.left_running()


def test_command_line_ends_whatever_threads_a_plugin_started(install: Callable[..., None], tmp_path: Path) -> None:
    """A thread that never ends does not keep the command line from ending with its answer."""
    install("busy", THREAD + SOUND.format(metric="mean-length", provider="busy"))

    done = subprocess.run(
        [sys.executable, "-c", "from tertium.console import main; main()", "metrics", "mean-length", "--json"],
        env={**os.environ, "PYTHONPATH": str(tmp_path / "site")},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert done.returncode == 0
    assert '"provider": "busy"' in done.stdout


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("def __init__(self): raise KeyError('no')", "making the metric raised KeyError: 'no'"),
        ("def __init__(self): raise SystemExit(3)", "making the metric raised SystemExit: 3"),
        ("def __init__(self): self.scale = 'wide'", "making the metric raised ValueError"),
        ("def __init__(self): self.outputs = 7", "making the metric raised TypeError"),
    ],
)
def test_metric_that_cannot_be_made_is_named(body: str, reason: str, install: Callable[..., None]) -> None:
    """A constructor that raises, or facts that cannot be read, become an error that names the provider."""
    install(
        "odd", SOUND.format(metric="mean-length", provider="odd") + f"\nclass Odd(Length):\n    {body}\nLength = Odd\n"
    )

    with pytest.raises(ProviderBroken, match=f"mean-length@odd: {reason}"):
        Registry(discover()).load("mean-length@odd")

"""
The registry: names, providers, versions.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable

import pytest

import tertium
from tertium.errors import (
    AmbiguousMetric,
    ParameterError,
    ProviderMissing,
    UnknownMetric,
    UnknownOutput,
    UnknownProvider,
    UsageError,
    VersionMismatch,
)
from tertium.plugins import discover
from tertium.registry import Registry, UnpinnedWarning
from tertium.spec import parse

SOURCE = """
import numpy as np
import tertium

class {kind}(tertium.Metric):
    '''Count things.'''
    name, provider = "{metric}", "{provider}"
    columns, outputs = ("ones",), ("count", "double")
    aliases = {{"{metric}++": {{"order": 2}}}}
    {pin}

    def __init__(self, *, order: int = 1):
        self.order = order

    def statistics(self, prepared, constants):
        return np.ones((len(prepared), 1))

    def aggregate(self, sums):
        return np.concatenate([sums, 2 * sums], axis=-1)

@tertium.hookimpl
def tertium_metrics():
    return [{kind}]
"""


def source(metric: str, provider: str, pin: str = "") -> str:
    return SOURCE.format(kind="Counter", metric=metric, provider=provider, pin=pin)


@pytest.fixture
def made(install: Callable[..., None]) -> Registry:
    install("one", source("cuenta-d", "one"))
    install("two", source("cuenta-d", "two"))
    install("three", source("cuentaL", "three"))
    return Registry(discover())


@pytest.mark.parametrize("written", ["cuentaL", "cuental", "CUENTA-L", "cuenta_l"])
def test_names_are_found_in_any_case_and_hyphenation(made: Registry, written: str) -> None:
    """Users who come from another library write names in their way."""
    assert str(made.resolve(written)) == "cuentaL@three"


def test_alias_implies_parameters(made: Registry) -> None:
    """An alias stands for the metric with its parameters; explicit ones win."""
    assert str(made.resolve("cuentaL++")) == "cuentaL@three(order=2)"
    assert str(made.resolve("cuentaL++(order=5)")) == "cuentaL@three(order=5)"


def test_bare_name_with_several_providers_lists_them(made: Registry) -> None:
    """Without a native implementation a bare name resolves only if one provider has it."""
    with pytest.raises(AmbiguousMetric, match="cuenta-d@one, cuenta-d@two"):
        made.load("cuenta-d")


def test_all_expands_to_every_provider(made: Registry) -> None:
    """The provider `all` stands for every installed one."""
    assert [str(s) for s in made.expand("cuenta-d@all(order=3)")] == ["cuenta-d@one(order=3)", "cuenta-d@two(order=3)"]
    with pytest.raises(UsageError, match="several metrics"):
        made.load("cuenta-d@all")


@pytest.mark.parametrize(
    ("spec", "kind", "words"),
    [
        ("cuentaM", UnknownMetric, "Did you mean cuentaL"),
        ("cuenta-d@onne", UnknownProvider, "comes from one, two.*Did you mean one"),
        ("cuenta-d@one(ordre=2)", ParameterError, "Did you mean order"),
        ("cuenta-d@one(order=x)", ParameterError, "a whole number"),
        ("cuenta-d@one.duble", UnknownOutput, "it has count, double. Did you mean double"),
        ("gleu+", AmbiguousMetric, "gec-gleu"),
        ("cuentaL@jiwer", ProviderMissing, "tertium-jiwer"),
    ],
)
def test_what_does_not_exist_is_named(
    install: Callable[..., None], monkeypatch: pytest.MonkeyPatch, spec: str, kind: type[UsageError], words: str
) -> None:
    """Each unknown part of a spec is refused with what there is."""
    install("one", source("cuenta-d", "one"))
    install("two", source("cuenta-d", "two"))
    install("three", source("cuentaL", "three"))
    monkeypatch.setenv("TERTIUM_PLUGINS", "one,two,three")

    with pytest.raises(kind, match=words):
        Registry(discover()).load(spec)


def test_other_version_than_the_pin_is_refused(install: Callable[..., None]) -> None:
    """A library of another version is an error, or a loud warning when it is allowed."""
    install("pinned", source("cuenta", "pinned", 'library, pinned = "click", "0.0.1"'))
    registry = Registry(discover())

    with pytest.raises(VersionMismatch, match=r"stands for click 0\.0\.1.*pip install click==0\.0\.1"):
        registry.load("cuenta@pinned")
    with pytest.warns(UnpinnedWarning, match=r"not the pinned 0\.0\.1"):
        registry.load("cuenta@pinned", allow_unpinned=True)


def test_version_in_the_spec_must_be_installed(install: Callable[..., None]) -> None:
    """`==version` refuses to run under any other version."""
    import click

    version = __import__("importlib.metadata").metadata.version(click.__name__)
    install("pinned", source("cuenta", "pinned", f'library, pinned = "click", "{version}"'))
    registry = Registry(discover())

    assert registry.load(f"cuenta@pinned=={version}").parameters["order"] == 1
    with pytest.raises(VersionMismatch, match=r"9\.9\.9"):
        registry.load("cuenta@pinned==9.9.9")


def test_missing_library_is_named_with_its_pin(install: Callable[..., None]) -> None:
    """A plugin whose library is not installed gives the command that installs it."""
    install("pinned", source("cuenta", "pinned", 'library, pinned = "no-such-library", "1.0"'))

    with pytest.raises(ProviderMissing, match=r"pip install no-such-library==1\.0"):
        Registry(discover()).load("cuenta@pinned")


def test_views_cannot_be_written(made: Registry) -> None:
    """The registry's views are read-only."""
    with pytest.raises(TypeError):
        made.metrics["new"] = {}  # type: ignore[index]
    with pytest.raises(TypeError):
        made.metrics["cuenta-d"]["new"] = None  # type: ignore[index]


def test_canonical_spec_leaves_defaults_out(made: Registry) -> None:
    """Parameters at their defaults are not written."""
    assert str(made.canonical(parse("cuenta-d@one(order=1)"))) == "cuenta-d@one"
    assert str(made.canonical(parse("cuenta-d@one(order=2)"))) == "cuenta-d@one(order=2)"


def test_callable_names_a_metric_class(install: Callable[..., None]) -> None:
    """`py:module:attribute` loads a metric class that no plugin registers."""
    install("three", source("cuentaL", "three"))

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert tertium.score("py:three:Counter", tertium.Cases(["a", "b"], [["a"], ["b"]])).value == 2.0
    with pytest.raises(ProviderMissing, match="the module three is there, and no Nothing in it; it has Counter"):
        tertium.load("py:three:Nothing")
    with pytest.raises(ParameterError, match="no metric class, and nothing that can be called"):
        tertium.load("py:three:np")


def test_plugin_that_claims_anothers_provider_is_refused(install: Callable[..., None]) -> None:
    """A plugin that sorts first cannot take `wer@jiwer` from the plugin that is known for it."""
    install("dupe", source("wer", "jiwer"))
    registry = Registry(discover())

    assert registry.metrics["wer"]["jiwer"].__module__.split(".")[0] == "tertium_jiwer"
    dupe = next(plugin for plugin in registry.plugins if plugin.name == "dupe")
    assert "already provided by tertium-jiwer" in dupe.problems[0]

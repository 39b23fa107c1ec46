"""
List the hooks that a plugin may implement.

A plugin is a module that the entry-point group ``tertium`` names::

    [project.entry-points.tertium]
    example = "tertium_example"

Each hook is called once, under a guard of its own: what one plugin raises never reaches another. A name that
the host or an earlier plugin offers already is refused and listed by ``tertium plugins``.

Commands are no hook: ``tertium --help`` must list them without importing any plugin, so that a plugin declares
them in its metadata, each as an entry point to a :class:`click.Command`::

    [project.entry-points."tertium.commands"]
    histogram = "tertium_example.histogram:command"
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    from tertium.conventions import Family
    from tertium.metric import Metric
    from tertium.readers import Format
    from tertium.resources import Resource

hookspec = pluggy.HookspecMarker("tertium")
hookimpl = pluggy.HookimplMarker("tertium")


@hookspec
def tertium_metrics() -> Sequence[type[Metric]]:  # type: ignore[empty-body]
    """
    Return the metric classes that the plugin provides.

    Example::

        @tertium.hookimpl
        def tertium_metrics():
            return [ExactMatch]
    """


@hookspec
def tertium_resources() -> Sequence[Resource]:  # type: ignore[empty-body]
    """
    Return the resources (data files, programs) that the plugin's metrics may need.

    Example::

        @tertium.hookimpl
        def tertium_resources():
            return [Resource(...)]
    """


@hookspec
def tertium_tokenizers() -> Mapping[str, Callable[[str], Sequence[str]]]:  # type: ignore[empty-body]
    """
    Return tokenizers by name, functions from a text to its tokens.

    Native metrics that tokenize take the name (``bleu:tokenize=syllables``); the signature tells the plugin's version.

    Example::

        @tertium.hookimpl
        def tertium_tokenizers():
            return {"syllables": syllables}
    """


@hookspec
def tertium_normalizers() -> Mapping[str, Callable[[str], str]]:  # type: ignore[empty-body]
    """
    Return normalizers by name, functions from a text to a text.

    Native metrics that tokenize take one before a tokenizer (``bleu:tokenize=plain-dashes+13a``), exact match among
    its steps (``exact-match:normalizer=plain-dashes+lowercase``), and error rates and edit distances among theirs
    (``wer:normalize=plain-dashes+uppercase``).

    Example::

        @tertium.hookimpl
        def tertium_normalizers():
            return {"plain-dashes": plain_dashes}
    """


@hookspec
def tertium_readers() -> Sequence[Format]:  # type: ignore[empty-body]
    """
    Return formats of data files; a file is read by its suffix, or by ``--format NAME``.

    Example::

        @tertium.hookimpl
        def tertium_readers():
            return [Format("xliff", (".xlf", ".xliff"), load)]
    """


@hookspec
def tertium_cases() -> Sequence[Path]:  # type: ignore[empty-body]
    """
    Return files of conformance cases, JSON Lines, which ``tertium conform`` runs with its own.

    Example::

        @tertium.hookimpl
        def tertium_cases():
            return [Path(__file__).with_name("syllables.jsonl")]
    """


@hookspec
def tertium_divergences() -> Sequence[Path]:  # type: ignore[empty-body]
    """
    Return files of known divergences of the plugin's own providers, TOML of the form of ``divergences.toml``.

    ``tertium conform`` takes an entry for the explanation of a difference that no declared convention explains. The lists
    are strict in both directions: an entry that explains nothing, names no case, or speaks of another plugin's provider
    makes ``tertium conform`` fail.

    Example::

        @tertium.hookimpl
        def tertium_divergences():
            return [Path(__file__).with_name("divergences.toml")]
    """


@hookspec
def tertium_conventions() -> Sequence[Family]:  # type: ignore[empty-body]
    """
    Return convention axes in their families: a new family of metrics, or further axes of one that there is.

    Example::

        @tertium.hookimpl
        def tertium_conventions():
            meaning = "Whether the case of letters counts."
            axes = {"case": Axis("syllables", "case", meaning, ("lowercase",), "statistics")}
            return [Family("syllables", ("syllable-rate",), axes)]
    """

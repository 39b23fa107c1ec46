"""
List the hooks that a plugin may implement.

A plugin is a module that the entry-point group ``tertium`` names::

    [project.entry-points.tertium]
    example = "tertium_example"

Each hook is called once, under a guard of its own: what one plugin raises never reaches another.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    from tertium.metric import Metric
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

"""
List plugins, versions, resources and what is wrong with them: ``tertium plugins``.
"""

from __future__ import annotations

from typing import Any

import click


@click.command("plugins", short_help="List plugins, versions, resources and what is wrong.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--details", is_flag=True, help="Print the traceback of a plugin that failed.")
def command(as_json: bool, details: bool) -> None:
    """
    List every plugin that was found: its distribution, metrics, library with pinned and installed version, and
    what is wrong with it; what else plugins offer; then every resource (Java, WordNet, dictionaries), where it is or which command brings it.

    TERTIUM_PLUGINS=a,b loads exactly the plugins a and b.
    """
    from tertium import resources
    from tertium.console import COMMANDS
    from tertium.console.catalogue import plugin_state, resource_state
    from tertium.console.guests import guests
    from tertium.console.output import emit, show
    from tertium.registry import registry

    found = registry()
    if found.offers.get("cases"):  # what is refused there, and what cannot be read, is a problem of its plugin
        from tertium.conformance.case_files import load_cases

        load_cases()
    report: dict[str, Any] = {
        "plugins": [plugin_state(plugin) for plugin in found.plugins],
        "commands": [
            {"command": one.name, "distribution": one.distribution, "target": one.target, "problem": one.problem}
            for one in guests(COMMANDS)
        ],
        "resources": [resource_state(name) for name in resources.names()],
    }
    if as_json:
        from tertium.reports import json

        emit(json.document(report))
        return
    from tertium.reports import catalogue

    show(*catalogue.plugins(report, details))

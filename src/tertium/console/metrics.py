"""
List metrics, or the providers of one: ``tertium metrics [NAME]``.
"""

from __future__ import annotations

import click


@click.command("metrics", short_help="List metrics, or the providers of one.")
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(name: str | None, as_json: bool) -> None:
    """
    List every installed metric with its providers, or what each provider of the metric NAME is.

    Nothing is downloaded and no other program is started; `tertium plugins` also checks resources.
    """
    from tertium.console.catalogue import providers_of
    from tertium.console.output import emit, show
    from tertium.registry import registry

    found = registry()
    names = list(found.metrics) if name is None else [found.name(name)[0]]
    listed = {one: providers_of(found, one) for one in names}
    if as_json:
        from tertium.reports import json

        emit(json.document({"metrics": listed}))
        return
    from tertium.reports import catalogue

    show(*(catalogue.metrics(listed) if name is None else catalogue.providers(names[0], listed[names[0]])))

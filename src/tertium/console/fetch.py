"""
Bring what metrics need beyond their libraries: ``tertium fetch``.
"""

from __future__ import annotations

from pathlib import Path

import click


@click.command("fetch", short_help="Bring resources that metrics need, such as WordNet.")
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.option(
    "--from",
    "folder",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    help="Take it from this local folder, and from nowhere else.",
)
@click.option("--list", "only_list", is_flag=True, help="List resources and where they are; bring nothing.")
@click.option("--json", "as_json", is_flag=True, help="With --list: print one JSON object.")
def command(names: tuple[str, ...], folder: Path | None, only_list: bool, as_json: bool) -> None:
    """
    Bring the resources NAME..., or all that can be brought. What is already there and whole is left alone; what
    comes is verified by its content before it is used. Resources that only a package can bring (Java, MeCab) are
    reported with the command that installs them.
    """
    from tertium import resources
    from tertium.console.catalogue import resource_state
    from tertium.console.output import emit, show
    from tertium.registry import registry
    from tertium.reports.text import visible

    if as_json and not only_list:
        raise click.UsageError("--json goes with --list")
    registry()  # loading the plugins makes their resources known
    if only_list:
        if folder is not None:
            raise click.UsageError("--list brings nothing: leave --from out")
        report = {"resources": [resource_state(name) for name in names or resources.names()]}
        if as_json:
            from tertium.reports import json

            emit(json.document(report))
            return
        from tertium.reports import catalogue

        show(*catalogue.resources(report["resources"]))
        return
    fetched = resources.fetch_all(names or None, lambda line: click.echo(visible(line), err=True), folder)
    lines = [f"{one.name}\t{one.where if one.where is not None else one.note}" for one in fetched]
    emit("".join(f"{visible(name)}\t{visible(rest)}\n" for name, _, rest in (line.partition("\t") for line in lines)))

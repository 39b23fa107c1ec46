"""
Write a complete plugin project: ``tertium new NAME``.
"""

from __future__ import annotations

from pathlib import Path

import click

KINDS = ("native", "adapter", "program", "reader")


@click.command("new", short_help="Write a plugin project whose tests pass.")
@click.argument("name")
@click.option(
    "--kind",
    type=click.Choice(KINDS),
    default="native",
    show_default=True,
    help="A metric of your own, an adapter for a library or for a command-line program, or a reader of files.",
)
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    default=None,
    help="Where the project is written; by default tertium-NAME here.",
)
def command(name: str, kind: str, folder: Path | None) -> None:
    """
    Write the plugin project tertium-NAME: a working metric (or reader) with its contract test, conformance cases,
    a README with a table of conventions, pins, and a file for continuous integration. Its tests pass at once;
    change it from there. Nothing that exists is overwritten.
    """
    from tertium.console.output import show
    from tertium.console.project import write

    target = folder if folder is not None else Path(f"tertium-{name}")
    files = write(name, kind, target)
    show(*(str(target / file) for file in files), "")
    show(f"cd {target} && pip install -e '.[test]' && pytest")

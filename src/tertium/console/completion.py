"""
Print the completion script for a shell: ``tertium completion SHELL``.
"""

from __future__ import annotations

import click


@click.command("completion", short_help="Print the completion script for a shell.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    """
    Print the script that makes SHELL complete commands, options, metrics and files.

    \b
      bash   eval "$(tertium completion bash)"      in ~/.bashrc
      zsh    eval "$(tertium completion zsh)"       in ~/.zshrc
      fish   tertium completion fish | source       in ~/.config/fish/config.fish
    """
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None
    root = context.find_root().command
    click.echo(kind(root, {}, "tertium", "_TERTIUM_COMPLETE").source())

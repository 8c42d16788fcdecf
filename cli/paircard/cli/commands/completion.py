"""Shell completion."""

import click
from click.shell_completion import get_completion_class

from paircard.cli.main import cli

SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print the completion script of a shell.

    Put its output where the shell reads it at start, for example ``~/.bashrc``.

    \b
    Example:
      paircard completion zsh
    """
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(cli, {}, "paircard", "_PAIRCARD_COMPLETE").source())

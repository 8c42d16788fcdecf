"""A command group that imports a command only when it is called, so that help stays quick."""

from collections.abc import Mapping
from difflib import get_close_matches
from importlib import import_module
from inspect import cleandoc

import click

Table = Mapping[str, Mapping[str, tuple[str, str]]]
"""Section -> command name -> (``module:attribute``, one line of help)."""


class LazyGroup(click.Group):
    """A group whose commands live in a table of import paths."""

    def __init__(self, *args: object, table: Table, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.table = table
        self.targets = {name: target for section in table.values() for name, (target, _) in section.items()}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.targets)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        target = self.targets.get(cmd_name)
        if target is None:
            return None
        module, _, attribute = target.partition(":")
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command), target
        put_example_last(command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in self.targets and not name.startswith("-"):
            near = get_close_matches(name, self.targets, n=1)
            hint = f", did you mean {near[0]!r}?" if near else ""
            ctx.fail(f"no such command {name!r}{hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, self.targets), default=0)
        for section, commands in self.table.items():
            with formatter.section(section):
                formatter.write_dl([(name.ljust(width), help) for name, (_, help) in commands.items()])


def put_example_last(command: click.Command) -> None:
    """Let the help end in the example its docstring ends in, after the options."""
    if isinstance(command, click.Group):
        for part in command.commands.values():
            put_example_last(part)
    text, found, example = cleandoc(command.help or "").partition("\b\nExample:")
    if found:
        command.help, command.epilog = text.rstrip(), found + example

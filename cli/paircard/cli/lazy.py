"""A command group that imports a command only when it is called, so that help stays quick."""

from collections.abc import Mapping
from importlib import import_module
from inspect import cleandoc
from typing import Any, Final

import click
from click.shell_completion import CompletionItem

from paircard.cli.usage import need_usable

Table = Mapping[str, Mapping[str, tuple[str, str]]]
"""Section -> command name -> (``module:attribute``, one line of help)."""

EXPECTED: Final = {
    "FILE": "a file",
    "FOLDER|ADDRESS": "a folder or an address",
    "FROM": "a file or an address",
    "TO": "a file or an address",
    "BACKUP": "a file",
    "PROOF": "a file",
    "KEY": "a key",
    "ID": "an id",
    "NAME": "a name",
}
"""By their placeholder, what is never empty: else a variable that a script forgot to set goes unnoticed."""


class Given(click.ParamType[Any]):
    """A type whose value must not be empty."""

    def __init__(self, inner: click.ParamType[Any], expected: str) -> None:
        self.inner, self.expected, self.name = inner, expected, inner.name

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and not value.strip():
            self.fail(f"it is empty, {self.expected} is expected", param, ctx)
        return self.inner.convert(value, param, ctx)

    def shell_complete(self, *asked: Any) -> list[CompletionItem]:
        return self.inner.shell_complete(*asked)


class LazyGroup(click.Group):
    """A group whose commands live in a table of import paths."""

    def __init__(self, *args: object, table: Table, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.table = table
        need_values(self)
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
        need_values(command)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not ctx.resilient_parsing:
            need_usable(ctx, args)
        return super().parse_args(ctx, args)

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


def need_values(command: click.Command) -> None:
    """Refuse an empty name of a file, a key or an id, which would mean another file, or none."""
    if isinstance(command, click.Group):
        for part in command.commands.values():
            need_values(part)
    for param in command.params:
        expected = EXPECTED.get(param.metavar or "")
        if isinstance(param.type, click.Path):
            expected = "a file" if param.type.file_okay else "a folder"
        if expected and not isinstance(param.type, Given):
            param.type = Given(param.type, expected)

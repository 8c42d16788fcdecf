"""The options that commands have in common; one may stand before the command or after it."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeAlias, TypeVar, get_args, get_type_hints

import click
import msgspec

F = TypeVar("F", bound=Callable[..., Any])
Field: TypeAlias = str | tuple[str, Mapping[str, Any]]

ENCODING = click.option(
    "--encoding", default="", help="Of the text, like cp1250; default: UTF-8, UTF-16 or Western Windows."
)
STORE = click.option(
    "--db", metavar="FILE", help="Database file, or postgresql:// address [PAIRCARD_DB, else paircard.db]."
)
WHICH = click.option(
    "-t",
    "--tournament",
    "which",
    metavar="NAME",
    help="Which tournament, if the file holds several [PAIRCARD_TOURNAMENT].",
)
PLACE = (STORE, WHICH)
ASKER = (
    click.option("--as", "as_who", metavar="NAME", help="Who asks [PAIRCARD_AS, else your login]."),
    click.option(
        "--sign-with",
        metavar="FILE",
        help="Sign what is recorded with this private key [PAIRCARD_SIGN_WITH].",
    ),
)
TERMS = (
    click.option(
        "--why", metavar="TEXT", help="The reason; corrections, late entries and exceptions need one."
    ),
    click.option(
        "--ack", multiple=True, metavar="CODE", help="Accept a warning by its code, which is shown with it."
    ),
    click.option("--id", "command_id", metavar="ID", help="Id of this command: sent twice, it counts once."),
)
AS_DATA = (click.option("--json", is_flag=True, help="Print JSON."),)
CSV = "Print comma-separated values for a spreadsheet."
PAGE = "Print a web page for screen or paper."
TARGET = click.Path(dir_okay=False)
"""A file that is written."""
INTO = click.option(
    "-o", "--output", "answer_file", type=TARGET, help="Write to this file, whose ending can name the form."
)
JOBS = click.option("--jobs", type=click.IntRange(1, 64), default=1, help="Processes to share the work.")
MOMENT = (
    click.option(
        "--at",
        metavar="MOMENT",
        help="As it was then: r5 (end of round 5), 'before r5', a fact's number or a time.",
    ),
)


def forms(**helps: str) -> Callable[[F], F]:
    """Forms of an answer besides text and JSON, with their help; ``Session.shown`` prints them."""
    made = (click.option(f"--{name}", "form", flag_value=name, help=help) for name, help in helps.items())
    return with_options(*made, INTO)


def field_options(struct: type[msgspec.Struct], table: Mapping[str, Field]) -> Callable[[F], F]:
    """An option for each field of a struct that the table has a row for; one not given is None.

    A row is the help, or the help and what differs: a reader, a placeholder, another name, or one more.
    """
    hints = get_type_hints(struct)

    def made(name: str, row: Field) -> Callable[[F], F]:
        help, settings = (row, {}) if isinstance(row, str) else (row[0], dict(row[1]))
        flag = f"--{settings.pop('flag', name).replace('_', '-')}"
        also = settings.pop("also", ())
        kind = next((one for one in (bool, int) if one in (hints[name], *get_args(hints[name]))), str)
        if kind is bool:
            return click.option(f"{flag}/{settings.pop('opposite')}", default=None, help=help)
        return click.option(flag, *also, name, help=help, **{"type": kind, **settings})

    return with_options(*(made(name, row) for name, row in table.items()))


def given(values: Mapping[str, Any]) -> dict[str, Any]:
    """The options that were given."""
    return {name: value for name, value in values.items() if value is not None}


def gathered(name: str, struct: type[msgspec.Struct], *options: Callable[[Any], Any]) -> Callable[[F], F]:
    """Options that belong together: the command gets their values as one argument."""

    def decorate(command: F) -> F:
        @wraps(command)
        def run(*args: Any, **values: Any) -> Any:
            values[name] = struct(**{field: values.pop(field) for field in struct.__struct_fields__})
            return command(*args, **values)

        decorated: F = with_options(*options)(run)
        return decorated

    return decorate


def with_options(*options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Several options at once, in this order."""

    def decorate(command: Any) -> Any:
        for each in reversed(options):
            command = each(command)
        return command

    return decorate

"""The options that commands have in common, and what a command is: one that looks, writes or begins.

``reads``, ``writes`` and the others give a command the options all its kind have, and the desk as its first
argument. An option may stand before the command or after it.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

import click

from paircard.cli.session import Desk
from paircard.domain.errors import IdTaken, Refused, StoreRefused
from paircard.pairing.outcome import NoLegalRound

F = TypeVar("F", bound=Callable[..., Any])


def keep(ctx: click.Context, param: click.Parameter, value: Any) -> None:
    """Put an option on the desk, whether it stood before the command or after it."""
    if value not in (None, (), False):
        setattr(the_desk(ctx), str(param.name), value)


def the_desk(ctx: click.Context) -> Desk:
    """The one desk of this run."""
    return ctx.find_root().ensure_object(Desk)


def option(*names: str, **settings: Any) -> Callable[[F], F]:
    return click.option(*names, expose_value=False, callback=keep, **settings)


PLACE = (
    option(
        "--db",
        metavar="FILE",
        help="Database file, or postgresql:// address [PAIRCARD_DB, else paircard.db].",
    ),
    option("-t", "--tournament", metavar="NAME", help="Which one, if the file holds several."),
)
ASKER = (option("--as", "as_who", metavar="NAME", help="Who asks [PAIRCARD_AS, else your login]."),)
TERMS = (
    option("--why", metavar="TEXT", help="The reason; corrections need one."),
    option(
        "--ack",
        multiple=True,
        metavar="CODE",
        help="Accept a warning by its code, or all up to level 2 or 3.",
    ),
    option("--id", "command_id", metavar="ID", help="Id of this command: sent twice, it counts once."),
)
AS_DATA = (option("--json", is_flag=True, help="Print JSON."),)
THEN = (
    option(
        "--at",
        metavar="MOMENT",
        help="As it stood then: r5 (end of round 5), 'before r5', a fact's number or a time.",
    ),
)


def at_the_desk(command: F, *options: Callable[[F], F]) -> F:
    """The command with these options, and with the desk as its first argument."""

    @wraps(command)
    def run(*args: Any, **values: Any) -> Any:
        return command(the_desk(click.get_current_context()), *args, **values)

    decorated: F = with_options(*options)(run)
    return decorated


def with_options(*options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Several options at once, in this order."""

    def decorate(command: Any) -> Any:
        for each in reversed(options):
            command = each(command)
        return command

    return decorate


def reads(command: F) -> F:
    """For a command that looks at the log, now or as it stood at a moment."""
    return at_the_desk(command, *AS_DATA, *THEN, *PLACE)


def reads_now(command: F) -> F:
    """For a command that looks at more than one moment, or more than one tournament."""
    return at_the_desk(command, *AS_DATA, *PLACE)


def writes(command: F) -> F:
    """For a command that may add to the log; with an --id that is there already it does nothing.

    It is made again from the log as it stood the first time: the same command comes to the same. What
    would have been refused then was not this command.
    """

    @wraps(command)
    def once(desk: Desk, *args: Any, **values: Any) -> Any:
        desk.look_back()
        if desk.before is None:
            return command(desk, *args, **values)

        try:
            return command(desk, *args, **values)
        except (click.UsageError, StoreRefused, IdTaken):
            raise
        except (click.ClickException, Refused, NoLegalRound):
            raise desk.another() from None

    return cast(F, opens(once))


def opens(command: F) -> F:
    """For a command that begins the log of a tournament, whatever the file holds already."""
    return at_the_desk(command, *TERMS, *PLACE, *ASKER)


def files(command: F) -> F:
    """For a command that looks at all tournaments of the file."""
    return at_the_desk(command, PLACE[0])


def looks_over(command: F) -> F:
    """For a command that looks at a store as a whole."""
    return at_the_desk(command, *AS_DATA, PLACE[0])

"""The command ``paircard``: the table of commands, and how every run ends.

Exit codes: 0 done, 1 refused, 2 wrong usage. A refusal is one line on standard error.
"""

import os
import sqlite3
import sys
from collections.abc import Sequence
from typing import NoReturn

import click
from click.exceptions import NoArgsIsHelpError

from paircard.cli.lazy import LazyGroup, Table

COMMANDS: Table = {
    "Files and engines": {
        "check": ("paircard.cli.check:check", "Pair every round of published tournaments again."),
        "tiebreaks": ("paircard.cli.tiebreaks:tiebreaks", "Compute the tie-breaks of a report file."),
    },
    "Help": {
        "completion": ("paircard.cli.completion:completion", "Print the completion script of a shell."),
    },
}


def show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Print the installed version and stop."""
    if wanted:
        from importlib.metadata import PackageNotFoundError, version

        try:
            click.echo(f"paircard {version('paircard')}")
        except PackageNotFoundError:
            click.echo("paircard, not installed: run from its source")
        ctx.exit()


@click.group(
    cls=LazyGroup,
    table=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=show_version,
    help="Show the version.",
)
def cli() -> None:
    """Run a Swiss chess tournament on one file that never forgets."""


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run one command and leave the process."""
    sys.exit(run(sys.argv[1:] if args is None else list(args)))


def run(args: Sequence[str]) -> int:
    """Run one command; the exit code."""
    try:
        code = cli.main(list(args), prog_name="paircard", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except NoArgsIsHelpError as empty:
        click.echo(empty.format_message(), err=True)
        return 2
    except click.UsageError as wrong:
        path = wrong.ctx.command_path if wrong.ctx else "paircard"
        return refuse(f"{without_stop(wrong.format_message())} (see {path} --help)", 2)
    except (click.Abort, KeyboardInterrupt):
        return refuse("interrupted", 130)
    except BrokenPipeError:
        # The reader went away: what is still buffered must not raise again when Python shuts down.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except click.ClickException as refusal:
        return refuse(refusal.format_message(), 1)
    except Exception as trouble:
        return refuse(explained(trouble), 1)


def refuse(message: str, code: int) -> int:
    """One line on standard error."""
    click.echo(f"paircard: {' '.join(message.split())}", err=True)
    return code


def without_stop(message: str) -> str:
    """A usage message of click's in the manner of the house: no capital, no full stop."""
    message = message.removesuffix(".")
    return message[:1].lower() + message[1:]


def explained(trouble: Exception) -> str:
    """What is so, for a person; a traceback only where PAIRCARD_DEBUG asks for one."""
    if os.environ.get("PAIRCARD_DEBUG"):
        raise trouble
    if isinstance(trouble, OSError):
        name = f"{trouble.filename}: " if trouble.filename else ""
        return f"{name}{(trouble.strerror or str(trouble)).lower()}"
    if isinstance(trouble, sqlite3.Error):
        return f"the database refused: {trouble}"
    return (
        f"internal error, nothing more was written: {type(trouble).__name__}: {trouble} "
        "(PAIRCARD_DEBUG=1 shows where; please report it)"
    )

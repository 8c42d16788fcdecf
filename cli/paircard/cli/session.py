"""One run of the command line: what its options say, and the office they point at."""

import getpass
import os
from collections.abc import Callable, Sequence
from functools import cached_property, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

import paircard.service as service
from paircard.cli.output import print_line, show_json
from paircard.cli.refusals import Asked, Misused
from paircard.domain.commands import Command
from paircard.domain.errors import Refused
from paircard.domain.log.store import Tournaments
from paircard.service.desk import Desk, Done, Person

if TYPE_CHECKING:
    from paircard.domain.proof.note import Signer
    from paircard.service import Moment, Office, Tournament

F = TypeVar("F", bound=Callable[..., Any])
SHARED: Final = ("db", "which", "as_who", "sign_with", "why", "ack", "command_id", "json", "at")
"""Options of a session; all others are a command's own."""
DEFAULT_FILE = "paircard.db"


def finish(how: str = "done") -> None:
    """Say, before anything is printed, that all was written that this run writes."""
    click.get_current_context().find_root().obj.done = how


class Session(Asked):
    """The options of one run, wherever they stand on the line."""

    db: str = ""
    which: str = ""
    """The tournament, by name, part of its name or id; empty for the only one."""
    as_who: str = ""
    sign_with: str = ""
    ack: tuple[str, ...] = ()
    command_id: str = ""
    json: bool = False
    at: str | None = None
    """The moment to look at; none for now."""
    done: str = ""
    """``recorded`` once the facts of this run are in the log, ``done`` once its files are written: then it
    has succeeded, whatever can be printed."""

    @property
    def path(self) -> str:
        """The file, or address of a database: --db, else PAIRCARD_DB, else paircard.db here. Never shown."""
        return self.db or os.environ.get("PAIRCARD_DB") or DEFAULT_FILE

    @cached_property
    def office(self) -> "Office":
        """All tournaments of the store, which is opened at its first use."""
        return service.Office(self.path)

    @cached_property
    def store(self) -> Tournaments:
        """The log alone."""
        return Tournaments(self.path)

    @property
    def meant(self) -> str:
        """The tournament meant: -t by name or id, else PAIRCARD_TOURNAMENT; empty for the only one."""
        return self.which or os.environ.get("PAIRCARD_TOURNAMENT", "")

    @cached_property
    def tournament(self) -> "Tournament":
        """The tournament, with all that can be asked of it."""
        return self.office.tournament(self.meant)

    @cached_property
    def desk(self) -> Desk:
        """Its desk alone, for commands that need neither the engine nor any view."""
        id = "" if "office" in vars(self) else self.store.find(self.meant)
        return Desk(self.store, id) if id else self.tournament

    def view(self) -> "Moment":
        """The tournament at the moment of --at, or now."""
        return self.tournament.at("now" if self.at is None else self.at)

    @property
    def who(self) -> str:
        """Who asks: --as, else PAIRCARD_AS, else the login name."""
        if name := self.as_who or os.environ.get("PAIRCARD_AS", ""):
            return name
        try:
            return getpass.getuser()
        except (KeyError, OSError):
            raise Misused("cli.nobody-logged-in") from None

    @property
    def signer(self) -> "Signer | None":
        """The key of --sign-with, else of PAIRCARD_SIGN_WITH; none if what is recorded is only claimed."""
        file = self.sign_with or os.environ.get("PAIRCARD_SIGN_WITH", "")
        if not file:
            return None
        from paircard.cli.input_files import read_signer  # cryptography, for those who sign

        return read_signer(Path(file))

    @cached_property
    def person(self) -> Person:
        """Who asks, and on which terms."""
        asker = Person(name=self.who, why=self.why, accepts=self.ack, id=self.command_id, signer=self.signer)
        return asker.at_once()

    def ask(self, propose: "Callable[[Moment], Sequence[Command]]") -> None:
        """Carry out the commands that follow from the tournament as it is, and say what was recorded."""
        self.tell(self.tournament.propose(propose, by=self.person))

    def placed(self, refusal: Refused, places: Sequence[str]) -> Refused:
        """The refusal of one of several commands, with its place: the line of a file, or an id."""
        refusal.place = places[refusal.command] if refusal.command is not None else ""
        return refusal

    def tell(self, done: Done, *, quiet: bool = False, ends: bool = True) -> None:
        """One line per new fact; a request sent again gets those of its first time, and the run ends."""
        self.done = "recorded" if done.facts else ""
        if self.json:
            show_json(done)
            return
        if done.repeated:
            print_line("cli.said.nothing-new")
        if not quiet:
            for line in done.lines:
                click.echo(line.text)
            for one in done.already:
                print_line("cli.said.already-recorded", value=one.text)
        for text in done.accepted:
            print_line("cli.said.accepted", value=text)
        if done.repeated and ends:
            click.get_current_context().exit()
        if done.outdates:
            print_line("cli.said.outdates", round=done.outdates)

    def close(self) -> None:
        """Let go of the store."""
        if "store" in vars(self):
            self.store.close()
        if "office" in vars(self):
            self.office.close()


def session_of(ctx: click.Context, values: dict[str, Any]) -> Session:
    """The one session of this run, with its options taken out of these values.

    Before the command and after it, an option must say the same.
    """
    session = ctx.find_root().ensure_object(Session)
    for name in SHARED:
        value = values.pop(name, None)
        if value in (None, (), False):
            continue
        before = vars(session).get(name, value)
        if before != value:
            names = next("/".join(param.opts) for param in ctx.command.params if param.name == name)
            raise Misused("cli.given-otherwise", id=names, text=str(before), record=str(value))
        setattr(session, name, value)
    return session


def with_session(command: F) -> Callable[..., Any]:
    """The command with the session of its run as its first argument."""

    @wraps(command)
    def run(*args: Any, **values: Any) -> Any:
        return command(session_of(click.get_current_context(), values), *args, **values)

    return run

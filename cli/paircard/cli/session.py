"""The arbiter's desk: which file, which tournament, who asks; and how a command reaches the log.

The desk is the only part of the command line that knows the store; ``options`` puts on it what was said.
"""

import getpass
import hashlib
import os
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cached_property
from itertools import takewhile
from uuid import uuid4

import click

from paircard.cli.refusals import in_a_line
from paircard.cli.who import find_player, plain
from paircard.domain.commands import Command, Meta, OpenTournament
from paircard.domain.deciding.decider import decide, fold
from paircard.domain.errors import (
    IdTaken,
    Refused,
    StoreRefused,
    Unknown,
)
from paircard.domain.events import Event, Recorded
from paircard.domain.log.catalogue import Listed
from paircard.domain.log.location import shown
from paircard.domain.log.store import Answer, Tournaments
from paircard.domain.state import NOTHING, Tournament
from paircard.projections.history import EMPTY, History, history
from paircard.projections.log_lines import log_lines
from paircard.projections.moments import moment

DEFAULT_FILE = "paircard.db"
NOTHING_NEW = "nothing new: this command was carried out before"


class Desk:
    """What the options of one run say, and the log they point at."""

    db: str = ""
    tournament: str = ""
    as_who: str = ""
    ack: tuple[str, ...] = ()
    why: str = ""
    command_id: str = ""
    json: bool = False
    at: str | None = None
    """The moment to look at; none for now."""
    asked: int = 0
    """Commands made so far in this run."""
    opened: Tournaments | None = None
    """The log, from the first look at it to the end of the run."""
    before: int | None = None
    """Facts on record when the command of this --id was carried out; none if it was not yet."""

    def __init__(self) -> None:
        self.facts: dict[str, list[Recorded]] = {}
        """What was read of each tournament's log so far, checked."""
        self.stories: dict[str, History] = {}
        """The same, folded."""

    @property
    def path(self) -> str:
        """The file, or address of a database: --db, else PAIRCARD_DB, else paircard.db here. Never shown."""
        return self.db or os.environ.get("PAIRCARD_DB") or DEFAULT_FILE

    @property
    def place(self) -> str:
        """The same for people: without a password."""

        return shown(self.path)

    @property
    def who(self) -> str:
        """Who asks: --as, else PAIRCARD_AS, else the login name."""
        if given := self.as_who or os.environ.get("PAIRCARD_AS", ""):
            return given

        try:
            return getpass.getuser()
        except (KeyError, OSError):
            raise click.UsageError("nobody is logged in: say who you are with --as NAME") from None

    @cached_property
    def when(self) -> str:
        """The time of this run, one for all it records."""

        return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    def meta(self) -> Meta:
        """Who, when and why, for one command; --ack takes codes, or a level up to which all is accepted."""

        self.asked += 1
        self.command_id = self.command_id or uuid4().hex  # one for the run, so that it can be sent again
        return Meta(
            who=self.who,
            when=self.when,
            command_id=self.command_id,
            why=self.why,
            acknowledge=tuple(word for word in self.ack if not word.isdecimal()),
            accept_level=max((int(word) for word in self.ack if word.isdecimal()), default=0),
        )

    def store(self, *, create: bool = False) -> Tournaments:
        """The log of the file; a file that is not there is made only where a tournament is opened."""

        if self.opened is None:
            self.opened = Tournaments(self.path, create=create)
        return self.opened

    def close(self) -> None:
        """Let go of the file."""
        if self.opened is not None:
            self.opened.close()

    def tournaments(self) -> list[Listed]:
        """The tournaments in the file, oldest first."""
        return self.store().tournaments()

    @cached_property
    def chosen(self) -> str:
        """Id of the tournament meant: -t by name or id, or the only one there is."""

        by_id = len(self.tournament) >= 8 and self.store().ids_from(self.tournament)
        if by_id and len(by_id) == 1:
            return by_id[0]
        listed = self.store().names()
        if not listed:
            raise Unknown(f"no tournament in {self.place}: open one with paircard new NAME --rounds N")
        if not self.tournament:
            if len(listed) > 1:
                raise Unknown(
                    f"{self.place} holds {len(listed)} tournaments: "
                    "name one with -t, paircard list shows them"
                )
            return listed[0][0]
        if len(same := [id for id, name in listed if name == self.tournament]) == 1:
            return same[0]
        wanted = plain(self.tournament)
        found = (
            [id for id, name in listed if wanted in (id, plain(name))]
            or [id for id, name in listed if wanted in plain(name)]
            or [id for id, _ in listed if id.startswith(wanted)]  # last: ids are by chance, names are meant
        )
        if len(found) != 1:
            what = "no tournament" if not found else f"{len(found)} tournaments"
            raise Unknown(
                f"{what} in {self.place} called {self.tournament[:60]!r}: paircard list shows name and id"
            )
        return found[0]

    def log(self, id: str = "") -> list[Recorded]:
        """The facts of a tournament, in order; up to the moment of --at. Refuses a log changed by hand.

        A command sent again sees what it saw the first time, so it comes to the same.
        """
        whole = self.facts_of(id or self.chosen)[: self.before]
        if self.at is None:
            return whole

        return whole[: moment(whole, self.at)]

    def facts_of(self, id: str) -> list[Recorded]:
        """The whole log; of one that was read before only what came since is read and checked."""

        facts = self.store().read_on(id, self.facts.get(id, ()))
        if not facts:
            raise Unknown(f"there is no tournament {id} in {self.place}")
        self.facts[id] = facts
        return facts

    def history(self, id: str = "") -> History:
        """The log, folded; of one that was folded before only what came since."""

        id = id or self.chosen
        log = self.log(id)
        known = self.stories.get(id, EMPTY)
        if known.version > len(log):
            known = EMPTY
        state = self.store().known(id)
        self.stories[id] = history(log[known.version :], known, state if state.version == len(log) else None)
        return self.stories[id]

    def player(self, text: str) -> int:
        """Id of the player meant."""

        return find_player(self.history(), text)

    def open_new(self, command: OpenTournament) -> None:
        """Open a tournament in the file, which is made if it is not there and the command is right."""

        decide(NOTHING, command)
        self.begin([command])

    def begin(self, commands: Sequence[Command], *, quiet: bool = False) -> None:
        """Record a tournament from its opening on, under an id made from that of the command."""
        self.chosen = new_id(commands[0].meta.command_id)
        self.before = 0 if self.store(create=True).version(self.chosen) else None
        self.do_all([("", command) for command in commands], quiet=quiet)

    def look_back(self) -> None:
        """If the command with the id of --id is in the log already, look at the log as it stood before."""

        if not self.command_id:
            return
        try:
            if first := self.first_time():
                self.before = first[0].version - 1
        except Refused:
            return  # whatever is wrong will be said when the command is carried out

    def first_time(self) -> list[Recorded]:
        """What was recorded when this run's command was carried out first: all its parts, or nothing."""
        facts = self.facts_of(self.chosen)
        start = next((fact for fact in facts if fact.command_id == self.command_id), None)
        if start is None:
            return []
        part = re.compile(f"{re.escape(self.command_id)}(-[1-9][0-9]*)?")

        def with_it(fact: Recorded) -> bool:  # an id like that of a part, given by hand, is of another time
            return (fact.who, fact.when) == (start.who, start.when) and bool(part.fullmatch(fact.command_id))

        return list(takewhile(with_it, facts[start.version - 1 :]))

    def drawn(self) -> list[Event]:
        """What a command sent again recorded the first time: lots are not drawn anew."""
        return [] if self.before is None else [fact.fact for fact in self.first_time()]

    def another(self) -> IdTaken:
        """The refusal of a command whose id was used for another one, told by what that one did."""

        first = self.first_time()
        versions = {fact.version for fact in first}
        lines = [line for line in log_lines(self.facts_of(self.chosen)) if line.version in versions]
        more = f" and {len(lines) - 1} more" if len(lines) > 1 else ""
        said = f"fact {lines[0].version} of {lines[0].who}, {lines[0].when}: {lines[0].text}{more}"
        return IdTaken(self.command_id, said, tuple(sorted(versions)))

    def do(self, command: Command) -> None:
        """Carry out one command and say what was recorded."""
        self.do_all([("", command)])

    def do_all(self, commands: Sequence[tuple[str, Command]], *, quiet: bool = False) -> None:
        """Carry out commands, all or none, and say what was recorded; each comes with its place in a file."""

        try:
            answer = self.store().ask(self.chosen, *[command for _, command in commands])
        except StoreRefused:
            raise
        except IdTaken:
            raise self.another() from None
        except Refused as refusal:
            if len(commands) == 1 and not commands[0][0]:
                raise

            there = self.store().version(self.chosen)
            place = refused_at(self.store().state(self.chosen) if there else NOTHING, commands)
            raise click.ClickException(": ".join(filter(None, (place, in_a_line(refusal))))) from None
        if not quiet or answer.repeated:
            self.tell(answer, quiet=quiet)

    def tell(self, answer: Answer, *, quiet: bool = False) -> None:
        """One line per new fact, in words; a command sent again gets those of its first time and ends."""

        if answer.repeated:
            click.echo(NOTHING_NEW)
        ours = {fact.version for fact in answer.recorded}  # somebody else may have been faster to write more
        for line in log_lines(self.facts_of(self.chosen), after=min(ours, default=1) - 1):
            if line.version in ours and not quiet:
                click.echo(line.text)
        if answer.repeated:
            click.get_current_context().exit()


def new_id(command_id: str) -> str:
    """The id of a tournament, made from that of the command: sent twice, it opens one."""

    return hashlib.sha256(command_id.encode()).hexdigest()[:32]


def refused_at(state: Tournament, commands: Sequence[tuple[str, Command]]) -> str:
    """The place of the first command that is refused after those before it."""

    for place, command in commands:
        try:
            state = fold(decide(state, command), state)
        except Refused:
            return place
    return ""

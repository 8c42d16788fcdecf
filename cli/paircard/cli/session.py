"""What a command works with: the office its options point at, and who asks.

``reads``, ``writes`` and the others give a command the options all its kind have, and the session as its
first argument.
"""

import io
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext, redirect_stdout
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

import paircard.service as service
from paircard.cli.options import AS_DATA, ASKER, MOMENT, PLACE, STORE, TERMS, with_options
from paircard.cli.output import print_line, show_json
from paircard.cli.refusals import spoken
from paircard.cli.usage import Run, finish, run_of
from paircard.domain.commands import Command
from paircard.domain.errors import CorruptFile, PaircardError, Refused
from paircard.domain.log.reader import NONSENSE
from paircard.domain.log.store import Tournaments
from paircard.domain.messages import say
from paircard.domain.whole_files import hand_out
from paircard.service.desk import Desk, Done, Person

if TYPE_CHECKING:
    from paircard.domain.proof.note import Signer
    from paircard.service import Moment, Office, Tournament

F = TypeVar("F", bound=Callable[..., Any])
D = TypeVar("D", bound=Desk)


class Session:
    """The store, the tournament and the person that the options of a run mean."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.path = run.path
        self.json = run.json
        self.at = run.at

    @cached_property
    def office(self) -> "Office":
        """All tournaments of the store, which is opened at its first use."""
        return service.Office(self.path)

    @cached_property
    def store(self) -> Tournaments:
        """The log alone."""
        return Tournaments(self.path)

    @cached_property
    def tournament(self) -> "Tournament":
        """The tournament, with all that can be asked of it."""
        return self.office.tournament(self.run.meant)

    @property
    def desk(self) -> Desk:
        """Its desk alone, for commands that need neither the engine nor any view."""
        return self.desk_that(Desk)

    def desk_that(self, kind: type[D]) -> D:
        """Its desk of a kind, with no more than that kind needs."""
        if "tournament" not in vars(self) and (id := self.store.find(self.run.meant)):
            return kind(self.store, id)
        assert isinstance(self.tournament, kind)
        return self.tournament

    def view(self) -> "Moment":
        """The tournament at the moment of --at, or now."""
        return self.tournament.at("now" if self.at is None else self.at)

    @property
    def signer(self) -> "Signer | None":
        """The key of --sign-with, else of PAIRCARD_SIGN_WITH; none if what is recorded is only claimed."""
        file = self.run.sign_with or os.environ.get("PAIRCARD_SIGN_WITH", "")
        if not file:
            return None
        from paircard.cli.key_files import read_signer  # cryptography, for those who sign

        return read_signer(file)

    @cached_property
    def person(self) -> Person:
        """Who asks, and on which terms."""
        run = self.run
        asker = Person(name=run.who, why=run.why, accepts=run.ack, id=run.command_id, signer=self.signer)
        asker = asker.at_once()
        run.command_id = asker.id
        return asker

    def ask(self, propose: "Callable[[Moment], Sequence[Command]]") -> None:
        """Carry out the commands that follow from the tournament as it is, and say what was recorded."""
        self.tell(self.tournament.propose(propose, by=self.person))

    def shown(self, value: object, **forms: Callable[[], str]) -> bool:
        """Print an answer as JSON or in another form, if one was asked for; else it is to be told."""
        if self.run.form:
            click.echo(forms[self.run.form](), nl=False)
        elif self.json:
            show_json(value)
        return bool(self.run.form or self.json)

    def placed(self, refusal: Refused, places: Sequence[str]) -> Refused:
        """The refusal of one of several commands, with its place: the line of a file, or an id."""
        refusal.place = places[refusal.command] if refusal.command is not None else ""
        return refusal

    def tell(self, done: Done, *, quiet: bool = False, ends: bool = True) -> None:
        """One line per new fact; a request sent again gets those of its first time, and the run ends."""
        self.run.done = "recorded" if done.facts else ""
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

    def forged(self) -> bool:
        """Whether the log has facts no desk recorded, so that no view of it can be made."""
        try:
            return not {"tournament", "store"}.isdisjoint(vars(self)) and not self.tournament.verify().whole
        except PaircardError:
            return True
        except NONSENSE:
            return False  # then it is our mistake

    def close(self) -> None:
        """Let go of the store."""
        if "store" in vars(self):
            self.store.close()
        if "office" in vars(self):
            self.office.close()


@contextmanager
def printed(run: Run) -> Iterator[None]:
    """Print to the file of -o what is printed, in the form its name says; a refusal leaves it alone."""
    assert run.answer_file
    kind = os.path.splitext(run.answer_file)[1][1:].lower()
    if not run.form and not run.json:
        options = click.get_current_context().command.params
        run.form = kind if any(f"--{kind}" in o.opts and o.name == "form" for o in options) else ""
        run.json = kind == "json" and any(o.name == "json" for o in options)
    content = io.BytesIO()  # what is printed may be bytes, as a snapshot is
    with redirect_stdout(io.TextIOWrapper(content, "utf-8", newline="")) as text:
        yield
        text.flush()
        hand_out(run.answer_file, content.getvalue(), run.answer_rights)
    finish()
    click.echo(spoken(run.answered or say("cli.said.written", file=run.answer_file)))


def with_session(command: F) -> Callable[..., Any]:
    """The command with a session of this run as its first argument."""

    @wraps(command)
    def run(*args: Any, **values: Any) -> Any:
        asked = run_of(click.get_current_context(), values)
        with printed(asked) if asked.answer_file else nullcontext(), closing(Session(asked)) as session:
            try:
                return command(session, *args, **values)
            except NONSENSE as trouble:
                if session.forged():
                    raise CorruptFile("cli.ended.forged") from trouble
                raise

    return run


def in_session(*options: Callable[[Any], Any]) -> Callable[[F], F]:
    """A command with these options, and with the session as its first argument."""

    def decorate(command: F) -> F:
        decorated: F = with_options(*options)(with_session(command))
        return decorated

    return decorate


reads = in_session(*AS_DATA, *MOMENT, *PLACE)
"""For a command that looks at a tournament, now or at an earlier moment."""
reads_now = in_session(*AS_DATA, *PLACE)
"""For a command that looks at a tournament as it is, or at several moments."""
prints = in_session(*AS_DATA)
"""For a command that needs no tournament."""
reads_text = in_session(*MOMENT, *PLACE)
"""For a command that prints a tournament in a form of its own, now or at an earlier moment."""
names_tournament = in_session(*PLACE)
"""For a command about a tournament as it is."""
writes_new = in_session(*TERMS, STORE, *ASKER)
"""For a command that adds a tournament to a store."""
writes = in_session(*TERMS, *PLACE, *ASKER)
"""For a command that may add facts."""
uses_store = in_session(STORE)
"""For a command about all tournaments of a store."""
examines_store = in_session(*AS_DATA, STORE)
"""For a command that looks at a store as a whole."""
examines_store_at = in_session(*AS_DATA, *MOMENT, STORE)
"""For a command that looks at a store as a whole, now or at an earlier moment."""

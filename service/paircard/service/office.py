"""The office: a store of tournaments, opened. Everything starts here."""

import hashlib
import logging
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Annotated, Final, Self

import msgspec

from paircard.domain.commands import Command, OpenTournament
from paircard.domain.deciding.decider import decide
from paircard.domain.deciding.decision import caution, need_type, signed, well_typed
from paircard.domain.errors import CorruptFile, Invalid, NeedsAcknowledgement, NewerFile, Unknown, need_kind
from paircard.domain.events import Recorded
from paircard.domain.log.catalogue import Entry, Search
from paircard.domain.log.location import address_of, is_address, shown
from paircard.domain.log.reader import Tail
from paircard.domain.log.store import Tournaments
from paircard.domain.log.stored import Unreadable
from paircard.domain.messages import Message
from paircard.domain.state import NOTHING
from paircard.domain.values.regulations import Regulations
from paircard.domain.values.text import LONGEST, visible
from paircard.projections.runner import Projection, Runner
from paircard.projections.views import is_time
from paircard.service.desk import Done, Person, need_person
from paircard.service.finding import find_tournament
from paircard.service.reports import Extent, Incoming, read_report
from paircard.service.tournament import Tournament, check_tiebreaks
from paircard.service.views import Summary, summary_of

trouble: Final = logging.getLogger("paircard")
LARGEST: Final = 2**63 - 1
"""That a database can hold."""


class Imported(Extent, frozen=True, kw_only=True):
    """What came of a report file."""

    tournament: str
    """Id of the new tournament."""
    name: str
    notes: tuple[str, ...]
    """What the file left open or wrote in an old way, and each round that is not by the rules."""
    messages: tuple[Message, ...] = ()
    """The notes with code and fields."""
    repeated: bool


class Office:
    """The tournaments of one file or database. The store is opened at the first use; close it at the end."""

    def __init__(self, location: str | Path, *, patience: float = 5.0) -> None:
        if not isinstance(location, str):
            is_address(location)
        self._location: Final = location
        self._patience: Final = patience
        self._opened: Tournaments | None = None
        self._reopened = False

    @classmethod
    def open(cls, location: str | Path) -> Self:
        """An office whose store already exists."""
        office = cls(location)
        office.store()
        return office

    @classmethod
    def create(cls, location: str | Path) -> Self:
        """An office whose file is made if it is not there."""
        office = cls(location)
        office.store(create=True)
        return office

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the store."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    @property
    def location(self) -> str:
        """Where the tournaments are, for people: never with a password."""
        return shown(self._location)

    @property
    def opened(self) -> Tournaments | None:
        """The log if it is open; nothing is asked."""
        return self._opened

    def store(self, *, create: bool = False) -> Tournaments:
        """The log itself, for what is asked of a store as a whole.

        A file is made once: in the place of one that went away nothing is made, and what is there is looked
        over first.
        """
        opened = self._opened
        if opened is None:
            create = create and not self._reopened
            opened = Tournaments(self._location, create=create, patience=self._patience)
            if self._reopened and (wrong := opened.backend.faults()):
                opened.close()
                raise CorruptFile("store.unsound-now", file=self.location, reasons=wrong)
            self._opened = opened
        return opened

    def reopen(self) -> None:
        """Forget the store that was opened, and open what is in its place at the next use.

        What others still do with the old one fails or ends by itself.
        """
        self._opened, self._reopened = None, True

    def tournament(self, text: str = "") -> Tournament:
        """A tournament by name, a part of its name, or id; the only one if nothing is said."""
        if not isinstance(text, str):
            need_kind("tournament", text, str)
        if not text.isprintable():  # no name has such, and no database takes half a character
            visible("tournament", text, LONGEST)
        store = self.store()
        if len(text) >= 8 and len(by_id := store.ids_from(text)) == 1:
            return self._handle(by_id[0])
        if found := store.find(text):
            return self._handle(found)
        there = store.called(text) if text else [(one.id, one.name) for one in store.page(limit=2)]
        return self._handle(find_tournament(there, text, self.location, store.count()))

    def tournaments(
        self,
        at: str = "",
        *,
        name: str = "",
        place: str = "",
        year: int = 0,
        player: str = "",
        after: str = "",
        limit: int | None = None,
        newest: bool = False,
    ) -> list[Summary]:
        """The tournaments, the oldest or the newest first; at a time, those that were there then.

        They are found by words of their name or place, accents and case left aside; by the year they begin
        in; by the beginnings of a player's names. ``after`` is the id of the last one of the page before.
        """
        need_type("at", at, str)
        need_type("after", after, str)
        if not after.isprintable():
            visible("tournament", after, LONGEST)
        need_type("limit", limit, Annotated[int, msgspec.Meta(ge=0, le=LARGEST)] | None)
        meant = well_typed(Search(name=name, place=place, year=year, player=player))
        page = self.store().page(meant, after=after, limit=limit, newest=newest)
        if at:
            return list(self._summaries_at(at, page))
        return list(map(summary_of, page))

    def _summaries_at(self, time: str, page: Sequence[Entry]) -> Iterator[Summary]:
        if not is_time(time):
            raise Invalid("list-needs-time", text=time)
        for one in page:
            try:
                yield self._handle(one.id).at(time).summary()
            except Unknown:
                continue  # opened later
            except (CorruptFile, NewerFile) as why:
                yield summary_of(msgspec.structs.replace(one, unreadable=str(why)))

    def ids(self) -> list[str]:
        """Ids of all tournaments, the oldest first."""
        return [id for id, _ in self.store().names()]

    def new(self, regulations: Regulations, *, by: Person) -> Tournament:
        """Open a tournament; the file is made if it is not there and the regulations are right."""
        return self.begin(OpenTournament(regulations=regulations), by=by)[0]

    def import_report(
        self, data: bytes, *, source: str, name: str = "", edition: str = "", encoding: str = "", by: Person
    ) -> Imported:
        """Turn a report file (TRF) into a new tournament; nothing is recorded if anything is wrong."""
        incoming = read_report(data, source=source, name=name, edition=edition, encoding=encoding, by=by)
        return self.record_report(incoming, by=by)

    def record_report(self, incoming: Incoming, *, by: Person) -> Imported:
        """Record a report that was read."""
        need_kind("incoming", incoming, Incoming)
        opening = incoming.opening
        tournament, done = self.begin(opening, *incoming.commands, by=by)
        return Imported(
            **{name: getattr(incoming, name) for name in Extent.__struct_fields__},
            tournament=tournament.id,
            name=opening.regulations.name,
            notes=incoming.notes,
            messages=incoming.messages,
            repeated=done.repeated,
        )

    def runner(self, projection: Projection, into: str | Path) -> Runner:
        """Keeps rows of your own up to date with the log, in a SQLite file or a PostgreSQL schema."""
        return Runner(self.store(), projection, into)

    def follow(self, after: int = 0, *, quiet: float | None = None) -> Iterator[Recorded]:
        """The facts of all tournaments beyond a position, and new ones as they are recorded.

        A fact's ``position`` is where to continue. With ``quiet``, ends after that many seconds without any.
        Refuses a store that was set back, and no longer has the fact at that position. Of a tournament with
        a fact that cannot be read a warning is logged, and nothing further is given.
        """
        need_type("after", after, Annotated[int, msgspec.Meta(le=LARGEST)])
        need_type("quiet", quiet, Annotated[float, msgspec.Meta(ge=0)] | None)
        store, tail = self.store(), Tail(after)
        while True:
            facts = tail.read(store)
            for one in facts:
                if isinstance(one, Unreadable):
                    trouble.warning("%s. The other tournaments go on", one.why)
                else:
                    yield one
            pause = 1.0 if quiet is None else quiet
            if not facts and not store.wait(tail.position, pause) and quiet is not None:
                return

    def begin(self, opening: OpenTournament, *rest: Command, by: Person) -> tuple[Tournament, Done]:
        """Record a tournament from its opening on, under an id made from that of the request."""
        need_person(by)
        opening = well_typed(opening)
        check_tiebreaks(opening.regulations)
        by = by.at_once()
        id = new_id(well_typed(by.meta()).command_id)
        if not rest:
            self._need_own_name(opening.regulations.name, id, by)
        decide(NOTHING, signed(opening, by.meta()))
        self.store(create=True)
        tournament = self._handle(id)
        return tournament, tournament.ask(opening, *rest, by=by)

    def _need_own_name(self, name: str, id: str, by: Person) -> None:
        """Refuse a second tournament of the same name: usually the same request was sent again."""
        address = address_of(self._location)
        nothing = isinstance(address, str) and not (os.path.exists(address) and os.path.getsize(address))
        if nothing or "same-name" in by.accepts:
            return
        for other in self.store().named(name):
            if other != id:
                warning = caution("same-name", name=name, file=str(self.location), id=other[:8])
                raise NeedsAcknowledgement((warning,))

    def _handle(self, id: str) -> Tournament:
        return Tournament(self.store(), id)


def new_id(request: str) -> str:
    """The id of a tournament, made from that of the request: sent twice, it opens one."""
    return hashlib.sha256(request.encode()).hexdigest()[:32]

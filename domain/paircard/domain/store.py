"""The log on disk. The only module that knows the ``eventsourcing`` library.

A command is decided on the cached state and appended at the version after it. If somebody else was
faster the library refuses that version; then the new facts are read and the command is decided again,
so nothing is overwritten and nothing decided on an old state is kept.
"""

import random
import re
import sqlite3
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, cast

import msgspec
from eventsourcing.application import Application
from eventsourcing.persistence import (
    InfrastructureFactory,
    IntegrityError,
    Mapper,
    PersistenceError,
    StoredEvent,
)
from eventsourcing.sqlite import (
    SQLiteApplicationRecorder,
    SQLiteConnection,
    SQLiteConnectionPool,
    SQLiteFactory,
)
from eventsourcing.utils import Environment, EnvType

from paircard.domain.commands import Command
from paircard.domain.decider import weigh
from paircard.domain.decision import settle
from paircard.domain.envelope import (
    GENESIS,
    check_chain,
    check_link,
    contents,
    missing,
    opened,
    seal,
    stored_bytes,
    topic_of,
)
from paircard.domain.errors import Busy, CorruptFile, Invalid, Refused, Unknown, Unreachable
from paircard.domain.events import Recorded, TournamentClosed, TournamentDetailsChanged, TournamentOpened
from paircard.domain.regulations import Regulations, changed
from paircard.domain.sqlitefile import HEADLINES, need_file, refusal, uri_of
from paircard.domain.state import NOTHING, Tournament, accept, fold, remember

ATTEMPTS: Final = 40
"""Decisions made anew because others were faster, before giving up."""
LONGEST_PAUSE: Final = 0.1
CACHED: Final = 64
"""Tournaments whose state is kept in memory."""


class Answer(msgspec.Struct, frozen=True):
    """What came of a command."""

    recorded: tuple[Recorded, ...]
    """The facts; those of the first time if the same command was carried out before."""
    state: Tournament
    repeated: bool = False


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """One tournament of the file."""

    id: str
    regulations: Regulations
    opened: str
    """When."""
    version: int
    closed: bool

    @property
    def name(self) -> str:
        return self.regulations.name


class _Kept(msgspec.Struct, frozen=True):
    state: Tournament
    head: str


class _Pool(SQLiteConnectionPool):
    """Connections with a full statement cache and every commit on the disk before it is answered."""

    def __init__(self, *, db_name: str, patience: float) -> None:
        super().__init__(db_name=db_name)
        self.patience = patience

    def _create_connection(self) -> SQLiteConnection:
        db = sqlite3.connect(
            self.db_name, uri=True, check_same_thread=False, isolation_level=None, timeout=self.patience
        )
        db.execute("PRAGMA synchronous=FULL")
        db.row_factory = sqlite3.Row
        return SQLiteConnection(sqlite_conn=db, max_age=self.max_age)


class _Mapper(Mapper[str]):
    """Facts in their envelopes to rows and back; the tag is the topic."""

    def __init__(self) -> None:
        pass

    def to_stored_event(self, domain_event: Any) -> StoredEvent:
        recorded = cast(Recorded, domain_event)
        return StoredEvent(
            recorded.tournament, recorded.version, topic_of(recorded.fact), stored_bytes(recorded)
        )

    def to_domain_event(self, stored_event: StoredEvent) -> Any:
        return opened(
            str(stored_event.originator_id),
            stored_event.originator_version,
            stored_event.topic,
            stored_event.state,
            getattr(stored_event, "id", 0),
        )


class _Log(Application[str]):
    """The library's application, told all it needs: nothing is taken from environment variables."""

    def __init__(self, path: Path, patience: float) -> None:
        self.patience = patience
        super().__init__(
            {
                "PERSISTENCE_MODULE": "eventsourcing.sqlite",
                "SQLITE_DBNAME": uri_of(path),
                "ORIGINATOR_ID_TYPE": "text",
                "CREATE_TABLE": "n",
            }
        )

    def construct_env(self, name: str, env: EnvType | None = None) -> Environment:
        return Environment("", env)

    def construct_factory(self, env: Environment) -> InfrastructureFactory[Any]:
        factory = SQLiteFactory(env)
        factory.datastore.pool = _Pool(db_name=env["SQLITE_DBNAME"], patience=self.patience)
        return factory

    def construct_mapper(self) -> Mapper[str]:
        return _Mapper()

    @property
    def rows(self) -> SQLiteApplicationRecorder:
        return cast(SQLiteApplicationRecorder, self.recorder)


class Tournaments:
    """All tournaments of one place: open it, ask, read, close. Use it as a context manager."""

    def __init__(self, location: str | Path, *, create: bool = False, patience: float = 5.0) -> None:
        if re.match(r"postgres(ql)?://", str(location)):
            raise Unreachable("this version keeps tournaments in a file, not in PostgreSQL: give a file name")
        self.path: Final = Path(location)
        need_file(self.path, create=create)
        self._log = _Log(self.path, patience)
        self._kept: OrderedDict[str, _Kept] = OrderedDict()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._log.close()

    def ask(self, tournament: str, command: Command) -> Answer:
        """Carry out a command, or refuse it with nothing written."""
        return self.ask_all(tournament, (command,))

    def ask_all(self, tournament: str, commands: Sequence[Command]) -> Answer:
        """Carry out commands in order as one: either all of them or, if one is refused, none."""
        need_id(tournament)
        kept = self._kept.get(tournament) or self._forward(tournament)
        for attempt in range(ATTEMPTS):
            try:
                recorded, after = decided(tournament, kept, commands)
            except Refused:
                newer = self._forward(tournament)
                if newer.state.version == kept.state.version:
                    raise
                kept = newer  # refused on an old state: the new one decides
                continue
            if not recorded:
                return Answer(self._first_answer(tournament, commands), after.state, repeated=True)
            try:
                with self._refusing():
                    self._log.events.put(cast(Any, recorded))
            except IntegrityError:
                time.sleep(random.uniform(0, min(LONGEST_PAUSE, 0.002 * 2**attempt)))
                kept = self._forward(tournament)
                continue
            self._keep(tournament, after)
            return Answer(recorded, after.state)
        raise Busy(f"others write to tournament {tournament} all the time: try again")

    def state(self, tournament: str, version: int | None = None) -> Tournament:
        """The tournament now, or as it stood at an earlier version of its log."""
        need_id(tournament)
        if version is None:
            state = self._forward(tournament).state
        else:
            state = self._grown(tournament, _Kept(NOTHING, GENESIS), upto=version).state
        if not state.version or (version is not None and state.version != version):
            raise Unknown(
                _no_such(tournament) if not state.version else f"{tournament} has no version {version}"
            )
        return state

    def log(self, tournament: str, after: int = 0, upto: int | None = None) -> list[Recorded]:
        """The facts of one tournament as they stand in the log."""
        need_id(tournament)
        rows = self.raw_log(tournament, after, upto)
        return [opened(tournament, version, topic, stored) for version, topic, stored in rows]

    def raw_log(
        self, tournament: str, after: int = 0, upto: int | None = None
    ) -> list[tuple[int, str, bytes]]:
        """Version, topic and bytes of each fact as stored, without the cost of the library's objects."""
        with self._refusing(), self._log.rows.datastore.transaction(commit=False) as cursor:
            cursor.execute(
                "SELECT originator_version, topic, state FROM stored_events "
                "WHERE originator_id=? AND originator_version>? AND originator_version<=? "
                "ORDER BY originator_version",
                (tournament, after, 2**62 if upto is None else upto),
            )
            return cast(list[tuple[int, str, bytes]], cursor.fetchall())

    def notifications(self, after: int = 0, limit: int = 500) -> list[Recorded]:
        """The facts of all tournaments in the order they were recorded, from a position on."""
        with self._refusing():
            rows = self._log.rows.select_notifications(after, limit, inclusive_of_start=False)
            return cast(list[Recorded], [self._log.mapper.to_domain_event(row) for row in rows])

    def last_position(self) -> int:
        """The position of the newest fact of all tournaments, 0 if there is none."""
        with self._refusing():
            return self._log.rows.max_notification_id() or 0

    def version(self, tournament: str) -> int:
        """How many facts the tournament has, 0 if there is none of this id."""
        need_id(tournament)
        with self._refusing():
            newest = self._log.rows.select_events(tournament, desc=True, limit=1)
            return newest[0].originator_version if newest else 0

    def tournaments(self) -> list[Listed]:
        """Every tournament, the oldest first, without reading its whole log."""
        with self._refusing(), self._log.rows.datastore.transaction(commit=False) as cursor:
            cursor.execute(
                "SELECT rowid, * FROM stored_events INDEXED BY headlines "
                f"WHERE {HEADLINES} ORDER BY originator_id, originator_version"
            )
            rows = cursor.fetchall()
        found: dict[str, tuple[int, Listed]] = {}
        for row in rows:
            id = row["originator_id"]
            recorded = opened(id, row["originator_version"], row["topic"], row["state"], row["rowid"])
            match recorded.fact:
                case TournamentOpened(regulations=regulations):
                    listed = Listed(
                        id=id,
                        regulations=regulations,
                        opened=recorded.when,
                        version=self.version(id),
                        closed=False,
                    )
                    found[id] = recorded.position, listed
                case TournamentDetailsChanged(changes=changes) if id in found:
                    place, listed = found[id]
                    regulations = changed(listed.regulations, changes)
                    found[id] = place, msgspec.structs.replace(listed, regulations=regulations)
                case TournamentClosed() if id in found:
                    place, listed = found[id]
                    found[id] = place, msgspec.structs.replace(listed, closed=True)
                case _:
                    pass
        return [listed for _, listed in sorted(found.values(), key=lambda item: item[0])]

    def verify_chain(self, tournament: str) -> tuple[int, str]:
        """Length and head hash of a log that is whole; refuses one that was changed."""
        need_id(tournament)
        length, head = check_chain(tournament, self.raw_log(tournament))
        if not length:
            raise Unknown(_no_such(tournament))
        return length, head

    def _forward(self, tournament: str) -> _Kept:
        kept = self._grown(tournament, self._kept.get(tournament) or _Kept(NOTHING, GENESIS))
        self._keep(tournament, kept)
        return kept

    def _keep(self, tournament: str, kept: _Kept) -> None:
        self._kept[tournament] = kept
        self._kept.move_to_end(tournament)
        if len(self._kept) > CACHED:
            self._kept.popitem(last=False)

    def _grown(self, tournament: str, kept: _Kept, upto: int | None = None) -> _Kept:
        """The state with the facts that came since, each checked against the chain."""
        facts, commands = [], []
        last, head = kept.state.version, kept.head
        for version, topic, stored in self.raw_log(tournament, last, upto):
            if version != last + 1:
                raise CorruptFile(missing(tournament, last + 1))
            head = check_link(head, tournament, version, topic, stored)
            found = contents(tournament, version, topic, stored)
            facts.append(found.fact)
            commands.append(found.command_id)
            last = version
        return _Kept(remember(fold(facts, kept.state), commands), head)

    def _first_answer(self, tournament: str, commands: Sequence[Command]) -> tuple[Recorded, ...]:
        ids = {command.meta.command_id for command in commands}
        return tuple(recorded for recorded in self.log(tournament) if recorded.command_id in ids)

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """Let no error of the library or of SQLite through, but the one that means: somebody was faster."""
        try:
            yield
        except IntegrityError:
            raise
        except (PersistenceError, sqlite3.Error) as reason:
            raise refusal(reason, self.path) from None


def decided(tournament: str, kept: _Kept, commands: Sequence[Command]) -> tuple[tuple[Recorded, ...], _Kept]:
    """The sealed facts these commands give, and the state after them."""
    state, head = kept.state, kept.head
    facts: list[Recorded] = []
    for command in commands:
        decision = weigh(state, command)
        acknowledged = settle(decision, command.meta)
        meta = command.meta
        for fact in decision.events:
            draft = Recorded(
                tournament=tournament,
                version=state.version + 1,
                fact=fact,
                who=meta.who,
                when=meta.when,
                why=meta.why,
                command_id=meta.command_id,
                acknowledged=acknowledged,
                previous=head,
                hash="",
            )
            recorded, _ = seal(draft, head)
            state, head = accept(state, recorded), recorded.hash
            facts.append(recorded)
    return tuple(facts), _Kept(state, head)


def need_id(tournament: str) -> None:
    """Refuse what is not an id of a tournament."""
    if not re.fullmatch(r"[0-9a-f]{32}", tournament):
        raise Invalid(f"{tournament[:40]!r} is not the id of a tournament: 32 hexadecimal digits")


def _no_such(tournament: str) -> str:
    return f"there is no tournament {tournament} in this file"

"""The log as an application of the ``eventsourcing`` library, whichever database keeps it.

Tournaments are its aggregates, facts its domain events, positions its notification ids. The library's
recorders insert and select; ``sqlite`` and ``postgres`` subclass them where a hook is needed: how a
transaction begins, and the look at the fact before. The questions of lists and of doctor are asked here,
in one SQL for both databases.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import partial
from hashlib import sha256
from typing import Any, Final, TypeVar, cast

from eventsourcing.application import Application
from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import Notification, StoredEvent
from eventsourcing.utils import Environment, EnvType
from msgspec import json

from paircard.domain.errors import CorruptFile, NewerFile, StoreRefused
from paircard.domain.events import Recorded
from paircard.domain.log.chain import (
    ERASURES,
    HEADLINES,
    MILESTONES,
    REGISTRATIONS,
    REOPENINGS,
    Sealed,
    previous_of,
    rows_after,
)
from paircard.domain.log.mapper import FactMapper
from paircard.domain.log.privacy import has_private, line_of, pieces_of, with_pieces
from paircard.domain.log.rows import LATEST, CheckpointRow, PieceRow, Placed, Row, Unreadable

T = TypeVar("T")


class VersionTaken(Exception):
    """Somebody else recorded a fact of this version first."""


class ConnectionLost(Exception):
    """The database went away in the middle: whether the facts were recorded is not known."""

    def __init__(self, reason: StoreRefused) -> None:
        super().__init__(str(reason))
        self.reason: Final = reason


class WriteTransaction(ABC):
    """One transaction in which nobody else writes: what it reads stays true until it has written."""

    @abstractmethod
    def select(self, tournament: str, after: int, upto: int) -> list[Row]:
        """Facts of a tournament as they stand in the chain, the newest among them."""

    @abstractmethod
    def select_pieces(self, tournament: str, first: int, last: int) -> list[PieceRow]:
        """Version and bytes of the personal parts of some facts."""

    @abstractmethod
    def insert(self, events: Sequence[StoredEvent]) -> None:
        """Record events when the transaction ends."""

    @abstractmethod
    def insert_pieces(self, pieces: Sequence[tuple[str, int, str, bytes]]) -> None:
        """Keep personal parts when the transaction ends: tournament, version, hash and bytes."""

    def rows(self, tournament: str, after: int, upto: int = LATEST) -> list[Row]:
        """Facts of a tournament with their personal parts, the newest among them."""
        return attach(self.select(tournament, after, upto), partial(self.select_pieces, tournament))

    def add(self, tournament: str, rows: Sequence[Row]) -> None:
        """Record facts when the transaction ends, their personal parts beside them."""
        self.insert([StoredEvent(tournament, at, topic, line_of(stored)) for at, topic, stored in rows])
        pieces = [
            (tournament, version, sha256(piece).hexdigest(), piece)
            for version, _, stored in rows
            for piece in pieces_of(stored)
        ]
        if pieces:
            self.insert_pieces(pieces)


def attach(rows: Iterable[Row], select_pieces: Callable[[int, int], Iterable[PieceRow]]) -> list[Row]:
    """Facts with their personal parts; asked for only where a fact commits to some."""
    found = [(version, topic, as_line(state)) for version, topic, state in rows]
    private = [version for version, _, line in found if has_private(line)]
    if not private:
        return found
    pieces: dict[int, list[bytes]] = {}
    for version, piece in select_pieces(private[0], private[-1]):
        pieces.setdefault(version, []).append(piece if isinstance(piece, bytes) else str(piece).encode())
    return [
        (version, topic, with_pieces(line, pieces.get(version, ())) if isinstance(line, bytes) else line)
        for version, topic, line in found
    ]


def as_line(state: bytes) -> bytes:
    """Stored bytes that are one line, as they always are; more than one was made by somebody else."""
    return state.replace(b"\n", b" ") if isinstance(state, bytes) else state


def require_predecessor(events: Sequence[StoredEvent], before: Sequence[Row]) -> None:
    """Refuse facts whose predecessor is not in the store as it was when they were decided."""
    first = events[0]
    rows_after(str(first.originator_id), before, first.originator_version - 1, previous_of(first.state))


class EventLog(Application[str]):
    """The log of one store."""

    position: str = "rowid"
    """The column that numbers the facts of all tournaments in the order they were recorded."""
    notes_there: str = "SELECT 1 FROM sqlite_schema WHERE name='checkpoints'"
    """Whether there is that table: stores made before it was have none until something is kept."""

    private_table: str = "private"
    private_there: str = "SELECT 1 FROM sqlite_schema WHERE name='private'"
    piece_text: str = "CAST(bytes AS text)"
    """A personal part as text."""

    trees_table: str = "signed_trees"
    trees_there: str = "SELECT 1 FROM sqlite_schema WHERE name='signed_trees'"
    """Whether there is the table of signed trees: a store gets it with its first publication."""

    def __init__(
        self, place: str, patience: float, table: str = "stored_events", notes_table: str = "checkpoints"
    ) -> None:
        self.place: Final = place
        """How messages call it."""
        self.patience: Final = patience
        self.table: Final = table
        self.notes_table: Final = notes_table
        super().__init__()

    def construct_env(self, name: str, env: EnvType | None = None) -> Environment:
        """Nothing is taken from the environment of the process: a store is what its location says."""
        return Environment("", {"CREATE_TABLE": "n", "ORIGINATOR_ID_TYPE": "text", **(env or {})})

    def construct_mapper(self) -> FactMapper:
        return FactMapper()

    role: str = ""
    """Whom the server takes this program for; empty where there is no server."""

    @abstractmethod
    def faults(self) -> list[str]:
        """What is wrong with the store beside its facts: tables, triggers, positions, damaged pages."""

    def index_hint(self, index: str) -> str:
        """How to tell the database to use an index; nothing where it finds it by itself."""
        return ""

    @abstractmethod
    def read(self, sql: str, values: tuple[Any, ...] = ()) -> list[Any]:
        """The rows of a question, its values marked ``?``."""

    @abstractmethod
    def stream(self, sql: str, values: tuple[Any, ...] = ()) -> Iterator[Any]:
        """The same one row after the other, for what does not fit in memory."""

    @abstractmethod
    def refusing(self) -> AbstractContextManager[None]:
        """Errors of the library and of the database as ours."""

    def reading(self, question: Callable[[], T]) -> T:
        """The answer to a question, with errors as ours."""
        with self.refusing():
            return question()

    @abstractmethod
    def write(self) -> AbstractContextManager[WriteTransaction]:
        """Keep all others from writing; what was added is recorded at the end, or nothing."""

    def append(self, facts: Sequence[Sealed]) -> None:
        """Record facts after their predecessor, all or none; ``VersionTaken`` if a version is taken."""
        if not any(one.fact.private for one in facts):
            with self.refusing():
                self.events.put(cast("Sequence[DomainEventProtocol[str]]", facts))
            return
        tournament, rows = facts[0].fact.tournament, [one.row for one in facts]
        before = rows[0][0] - 1
        with self.write() as transaction:
            rows_after(
                tournament,
                transaction.select(tournament, before - 1, before),
                before,
                facts[0].fact.previous,
            )
            transaction.add(tournament, rows)

    @abstractmethod
    def wait(self, after: int, seconds: float) -> bool:
        """Wait until there is a fact beyond a position, or the time is over; whether there is one."""

    def settle(self) -> None:
        """Move what is in the journal into the file, where there is one."""
        return

    @abstractmethod
    def save_checkpoint(self, tournament: str, size: int, note: str) -> None:
        """Keep a checkpoint beside the facts, once."""

    def stored_checkpoints(self, tournament: str = "") -> list[CheckpointRow]:
        """Stored checkpoints: all, or those that name a tournament in their row or in their text."""
        if not self.read(self.notes_there):
            return []
        question = f"SELECT tournament, size, note FROM {self.notes_table}"
        if not tournament:
            return self.read(question)
        return self.read(f"{question} WHERE tournament=? OR note LIKE ?", (tournament, f"%{tournament}%"))

    @property
    def save_checkpoint_sql(self) -> str:
        return (
            f"INSERT INTO {self.notes_table} (tournament, size, note) "
            "SELECT CAST(? AS text), CAST(? AS bigint), CAST(? AS text) WHERE NOT EXISTS "
            f"(SELECT 1 FROM {self.notes_table} WHERE tournament=? AND size=? AND note=?)"
        )

    def signed_trees(self) -> list[tuple[int, int, str]]:
        """Size, last position and signed note of every tree that was signed."""
        if not self.read(self.trees_there):
            return []
        return self.read(f"SELECT size, position, note FROM {self.trees_table} ORDER BY size")

    @abstractmethod
    def save_signed_tree(self, size: int, position: int, note: str) -> None:
        """Keep a signed tree for good; it is on the disk when this returns."""

    @property
    def save_tree_sql(self) -> str:
        return f"INSERT INTO {self.trees_table} (size, position, note) VALUES (?, ?, ?)"

    def rows(self, tournament: str, after: int = 0, upto: int = LATEST) -> list[Row]:
        """Facts of one tournament in their order, with their personal parts.

        Read whole, also those whose number is none a log has, which somebody else put there.
        """
        last = None if upto == LATEST else upto
        events = self.reading(lambda: self.recorder.select_events(tournament, gt=after or None, lte=last))
        found = ((event.originator_version, event.topic, event.state) for event in events)
        return attach(found, partial(self.select_pieces, tournament))

    @property
    def keeps_private(self) -> bool:
        """Whether there is a place for personal parts beside the facts."""
        return True

    def select_pieces(self, tournament: str, first: int, last: int) -> list[PieceRow]:
        """Version and bytes of the personal parts of some facts."""
        question = f"SELECT version, bytes FROM {self.private_table} WHERE tournament=?"
        return self.read(f"{question} AND version>=? AND version<=?", (tournament, first, last))

    def naming(self, name: str) -> list[str]:
        """Ids of the tournaments with a personal part that gives somebody exactly this name."""
        if not self.keeps_private:
            return []
        looked_for = '"name":' + json.encode(name).decode()
        found = self.read(
            f"SELECT DISTINCT tournament FROM {self.private_table} "
            f"WHERE replace({self.piece_text}, ?, '') <> {self.piece_text}",
            (looked_for,),
        )
        return [id for (id,) in found]

    @abstractmethod
    def delete_pieces(self, tournament: str, hashes: Sequence[str]) -> str:
        """Remove personal parts by their hashes, from the file too; what is left to do, empty if nothing."""

    def facts(self, tournament: str, rows: Iterable[Row]) -> list[Recorded]:
        """Stored facts read, each held against its own hash."""
        mapper = cast(FactMapper, self.mapper)
        return [mapper.fact(StoredEvent(tournament, *row)) for row in rows]

    def notifications(self, rows: Iterable[Placed]) -> list[Recorded | Unreadable]:
        """The same with their positions; one that cannot be read keeps nobody from the others."""
        mapper = cast(FactMapper, self.mapper)
        found: list[Recorded | Unreadable] = []
        for position, id, version, topic, stored in rows:
            try:
                found.append(mapper.fact(Notification(id, version, topic, stored, position)))
            except (CorruptFile, NewerFile) as why:
                hash = sha256(stored if isinstance(stored, bytes) else str(stored).encode()).hexdigest()
                found.append(Unreadable(id, version, position, hash, str(why)))
        return found

    def erasures(self, tournament: str, after: int) -> list[Row]:
        """The facts beyond a version that say somebody was erased."""
        return self.read(
            f"SELECT originator_version, topic, state FROM {self.table} "
            "WHERE originator_id=? AND originator_version>? AND topic=?",
            (tournament, after, ERASURES),
        )

    def placed(self, after: int, limit: int, upto: int = LATEST) -> list[Placed]:
        """Facts of all tournaments in the order they were recorded, as stored."""
        found = self.reading(
            lambda: self.recorder.select_notifications(after, limit, upto, inclusive_of_start=False)
        )
        by_tournament: dict[str, list[Row]] = {}
        for one in found:
            row = (one.originator_version, one.topic, one.state)
            by_tournament.setdefault(str(one.originator_id), []).append(row)
        rows = {
            id: iter(attach(theirs, partial(self.select_pieces, id))) for id, theirs in by_tournament.items()
        }
        return [(one.id, id, *next(rows[id])) for one in found for id in (str(one.originator_id),)]

    def last_position(self) -> int:
        """Of the newest fact, 0 if there is none."""
        return self.reading(self.recorder.max_notification_id) or 0

    def everything(self) -> Iterator[tuple[str, int, str, bytes]]:
        """All facts, tournament by tournament."""
        rows = self.stream(
            f"SELECT originator_id, originator_version, topic, state FROM {self.table} "
            "ORDER BY originator_id, originator_version"
        )
        return ((id, version, topic, as_line(state)) for id, version, topic, state in rows)

    def headlines(self) -> list[Placed]:
        """The facts a list of tournaments is made from, tournament by tournament."""
        columns = f"SELECT {self.position}, originator_id, originator_version, topic, state FROM {self.table}"
        found = self.read(
            f"{columns} {self.index_hint('headlines')} WHERE {HEADLINES} UNION ALL "
            f"{columns} {self.index_hint('reopenings')} WHERE {REOPENINGS} "
            "ORDER BY originator_id, originator_version"
        )
        return [row for row in found if isinstance(row[1], str)]  # of others verify and doctor speak

    def versions(self) -> dict[str, tuple[int, str]]:
        """How many facts each tournament has, without reading them, and what is wrong with their numbers."""
        found = self.read(
            "SELECT originator_id, COUNT(*), MIN(originator_version), MAX(originator_version) "
            f"FROM {self.table} GROUP BY originator_id"
        )
        return {
            id: (
                count,
                ""
                if (first, last) == (1, count)
                else f"tournament {str(id)[:40]} has {count} facts, numbered from {first} to {last}: "
                "see paircard verify --all",
            )
            for id, count, first, last in found
        }

    def milestones(self) -> list[tuple[str, str]]:
        """Id and topic of the facts that tell how far each tournament has come, in their order."""
        columns = f"SELECT originator_id, originator_version, topic FROM {self.table}"
        found = self.read(
            f"{columns} {self.index_hint('milestones')} WHERE {MILESTONES} UNION ALL "
            f"{columns} {self.index_hint('reopenings')} WHERE {REOPENINGS} "
            "ORDER BY originator_id, originator_version"
        )
        return [(id, topic) for id, _, topic in found]

    def registrations(self) -> list[tuple[str, int]]:
        """How many players each tournament has, those with none left out."""
        return self.read(
            f"SELECT originator_id, COUNT(*) FROM {self.table} {self.index_hint('registrations')} "
            f"WHERE {REGISTRATIONS} GROUP BY originator_id"
        )

    def ids_from(self, prefix: str, limit: int) -> list[str]:
        """Ids of tournaments that begin so, found without looking at the others."""
        found = self.read(
            f"SELECT originator_id FROM {self.table} WHERE originator_id>=? AND originator_id<? "
            "AND originator_version=1 ORDER BY originator_id LIMIT ?",
            (prefix, prefix + "g", limit),  # g comes after all hexadecimal digits
        )
        return [id for (id,) in found]

    def positions(self, tournament: str, version: int = 0) -> list[int]:
        """Of the facts of a tournament, in order of version; or of one of them."""
        question = f"SELECT {self.position} FROM {self.table} WHERE originator_id=?"
        found = self.read(
            f"{question} AND originator_version=?" if version else f"{question} ORDER BY originator_version",
            (tournament, version) if version else (tournament,),
        )
        return [position or 0 for (position,) in found]  # a view in the place of the table has none

    def private_rows(self) -> list[tuple[object, object, object, object]]:
        """Tournament, version, hash and bytes of every personal part."""
        if not self.read(self.private_there):
            return []
        return self.read(f"SELECT tournament, version, hash, bytes FROM {self.private_table}")

    def recorders(self, tournament: str) -> list[str]:
        """The role each fact came from, as the server recorded it; nothing where there are no roles."""
        return []

    def owner(self) -> str:
        """The role that owns the tables, and may do anything to them."""
        return ""

    def version(self, tournament: str) -> int:
        """How many facts a tournament has."""
        sql = f"SELECT MAX(originator_version) FROM {self.table} WHERE originator_id=?"
        [(version,)] = self.read(sql, (tournament,))
        return version or 0

"""The log in one SQLite file, through the library's recorder."""

import sqlite3
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cached_property
from pathlib import Path
from random import uniform
from types import TracebackType
from typing import Any, Final, cast

from eventsourcing.domain import EventSourcingError
from eventsourcing.persistence import (
    ConnectionPoolClosedError,
    InfrastructureFactory,
    IntegrityError,
    StoredEvent,
)
from eventsourcing.sqlite import (
    SQLiteApplicationRecorder,
    SQLiteConnection,
    SQLiteConnectionPool,
    SQLiteCursor,
    SQLiteDatastore,
    SQLiteFactory,
    SQLiteTransaction,
)
from eventsourcing.utils import Environment

from paircard.domain.errors import CorruptFile, Unreachable
from paircard.domain.log.backends.base import (
    ConnectionLost,
    EventLog,
    T,
    VersionTaken,
    WriteTransaction,
    require_predecessor,
)
from paircard.domain.log.backends.sqlite_file import (
    INDEXES,
    NOTES,
    PRIVATE,
    TREES,
    Bounded,
    Guard,
    damage,
    gaps,
    refusal,
    unsound,
    uri_of,
)
from paircard.domain.log.rows import LOWEST, PieceRow, Row

LOOK_AGAIN: Final = 0.1
"""Seconds between two looks for facts of another process: SQLite wakes nobody."""
_written: Final[defaultdict[str, threading.Condition]] = defaultdict(threading.Condition)
"""By file, how readers in this process learn at once of facts written by it."""


class Transaction(SQLiteTransaction):
    """One that takes the lock when it begins, if it is going to write."""

    def __init__(self, connection: SQLiteConnection, *, commit: bool, patience: float) -> None:
        super().__init__(connection, commit=commit)
        self.patience = patience

    def __enter__(self) -> SQLiteCursor:
        cursor = self.connection.cursor()
        if self.commit:
            self.take_lock(cursor)
        else:
            cursor.execute("BEGIN")
        return cursor

    def take_lock(self, cursor: SQLiteCursor) -> None:
        """Wait for the lock by short looks at random moments.

        SQLite itself would look every tenth of a second, and whoever comes later would often be first.
        """
        end = time.monotonic() + self.patience
        cursor.execute("PRAGMA busy_timeout=0")
        try:
            while True:
                try:
                    return cursor.execute("BEGIN IMMEDIATE")
                except sqlite3.OperationalError as reason:
                    if "locked" not in str(reason) or time.monotonic() > end:
                        raise
                    time.sleep(uniform(0.001, 0.01))
        finally:
            cursor.execute(f"PRAGMA busy_timeout={round(self.patience * 1000)}")

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        try:
            super().__exit__(exc_type, exc_val, exc_tb)
        except BaseException:
            self.connection.rollback()  # also after a commit that failed, on a full disk
            raise


class Connection(SQLiteConnection):
    def __init__(self, connection: sqlite3.Connection, patience: float, bounded: Bounded) -> None:
        super().__init__(connection, max_age=None)
        self.patience, self.bounded = patience, bounded

    @contextmanager
    def transaction(self, *, commit: bool) -> Iterator[SQLiteCursor]:
        self.bounded.begin()
        with Transaction(self, commit=commit, patience=self.patience) as cursor, cursor:
            yield cursor


class Pool(SQLiteConnectionPool):
    """Connections that have every commit on the disk before it is answered."""

    def __init__(self, path: str | Path, uri: str, patience: float) -> None:
        super().__init__(db_name=uri, pool_timeout=max(1.0, patience))
        self.path, self.patience = path, patience

    def _create_connection(self) -> Connection:
        db = sqlite3.connect(
            self.db_name, uri=True, check_same_thread=False, isolation_level=None, timeout=self.patience
        )
        bounded = Bounded(db, self.path)
        db.execute("PRAGMA synchronous=FULL")
        db.row_factory = sqlite3.Row
        return Connection(db, self.patience, bounded)


def ask(cursor: SQLiteCursor, question: str) -> list[tuple[Any, ...]]:
    """The rows of a question without values."""
    cursor.execute(question)
    return [tuple(row) for row in cursor.fetchall()]


class Datastore(SQLiteDatastore):
    def __init__(self, uri: str, patience: float, guard: Guard) -> None:
        super().__init__(uri, originator_id_type="text")
        self.guard = guard
        self.pool = Pool(guard.path, uri, patience)
        self.turn = threading.Lock()
        """Threads that write take turns here, before they ask for a connection: readers need not wait."""

    @contextmanager
    def transaction(self, *, commit: bool) -> Iterator[SQLiteCursor]:
        """One that reads finds the file harmless.

        One that writes finds it sound, and after its commit the file and its journal still there.
        """
        if not commit:
            with super().transaction(commit=False) as cursor:
                self.guard.require_harmless(lambda question: ask(cursor, question))
                yield cursor
            return
        with self.turn, super().transaction(commit=True) as cursor:
            self.guard.require_sound(lambda question: ask(cursor, question))
            yield cursor
        try:
            self.guard.require_kept()
        except Unreachable as gone:
            raise ConnectionLost(gone) from None


class FactRecorder(SQLiteApplicationRecorder):
    """Inserts facts only after their predecessor, into a file that keeps them."""

    datastore: Datastore

    def _insert_events(
        self, c: SQLiteCursor, stored_events: Sequence[StoredEvent], **kwargs: Any
    ) -> Sequence[int] | None:
        first, last = stored_events[0], stored_events[-1]
        tournament, before = str(first.originator_id), first.originator_version - 1
        require_predecessor(stored_events, self.select_in(c, tournament, before - 1, before))
        inserted = super()._insert_events(c, stored_events, **kwargs)
        kept = self.select_in(c, tournament, before, last.originator_version)
        if [row[2] for row in kept] != [event.state for event in stored_events]:
            raise CorruptFile(
                f"{self.datastore.guard.path} did not keep what was written to it: nothing was recorded, "
                "see paircard doctor"
            )
        return inserted

    def insert_in(self, cursor: SQLiteCursor, events: Sequence[StoredEvent]) -> None:
        """As ``insert_events``, in a transaction that has begun."""
        self._insert_events(cursor, events)

    def select_in(self, cursor: SQLiteCursor, tournament: str, after: int, upto: int) -> list[Row]:
        """As ``select_events``, in a transaction that has begun."""
        cursor.execute(
            f"SELECT originator_version, topic, state FROM {self.events_table_name} WHERE originator_id=? "
            "AND originator_version>? AND originator_version<=? ORDER BY originator_version",
            (tournament, after or LOWEST, upto),
        )
        return [(version, topic, state) for version, topic, state in cursor.fetchall()]


class Factory(SQLiteFactory):
    application_recorder_class = FactRecorder
    datastore: Datastore

    def __init__(self, env: Environment, path: str, patience: float) -> None:
        guard = Guard(path)
        super().__init__(Environment(env.name, {**env, self.SQLITE_DBNAME: guard.uri}))
        self.datastore = Datastore(guard.uri, patience, guard)


class _Write(WriteTransaction):
    def __init__(self, recorder: FactRecorder, cursor: SQLiteCursor) -> None:
        self.recorder, self.cursor = recorder, cursor

    def select(self, tournament: str, after: int, upto: int) -> list[Row]:
        return self.recorder.select_in(self.cursor, tournament, after, upto)

    def select_pieces(self, tournament: str, first: int, last: int) -> list[PieceRow]:
        self.cursor.execute(
            "SELECT version, bytes FROM private WHERE tournament=? AND version>=? AND version<=?",
            (tournament, first, last),
        )
        return [(version, piece) for version, piece in self.cursor.fetchall()]

    def insert(self, events: Sequence[StoredEvent]) -> None:
        self.recorder.insert_in(self.cursor, events)

    def insert_pieces(self, pieces: Sequence[tuple[str, int, str, bytes]]) -> None:
        self.cursor.execute(PRIVATE)
        self.cursor.executemany("INSERT INTO private VALUES (?, ?, ?, ?)", pieces)


class SQLiteLog(EventLog):
    """One file. Writers wait for each other by SQLite's lock, readers for nobody."""

    recorder: FactRecorder
    datastore: Datastore

    def __init__(self, path: str, patience: float) -> None:
        self.path = path
        self.written = _written[uri_of(path)]
        super().__init__(path, patience)

    def construct_factory(self, env: Environment) -> InfrastructureFactory:
        factory = Factory(env, self.path, self.patience)
        self.datastore = factory.datastore
        return cast(InfrastructureFactory, factory)

    def faults(self) -> list[str]:
        damaged = [f"the file is damaged: {found}" for found in damage(self.read)]
        return unsound(self.read) + gaps(self.read) + damaged

    @cached_property
    def indexes(self) -> set[str]:
        """Those of ours that are there, as they were made."""
        there = {sql for (sql,) in self.read("SELECT sql FROM sqlite_schema WHERE type='index'")}
        return {name for name, made in INDEXES.items() if made in there}

    def index_hint(self, index: str) -> str:
        return f"INDEXED BY {index}" if index in self.indexes else ""

    def read(self, sql: str, values: tuple[Any, ...] = ()) -> list[Any]:
        return list(self.stream(sql, values))

    def stream(self, sql: str, values: tuple[Any, ...] = ()) -> Iterator[Any]:
        self.datastore.guard.require_same_file()
        with self.refusing(), self.datastore.transaction(commit=False) as cursor:
            cursor.execute(sql, values)
            while (row := cursor.fetchone()) is not None:
                yield tuple(row)
        self.datastore.guard.require_unchanged()

    @contextmanager
    def write(self) -> Iterator[_Write]:
        with self.refusing(), self.datastore.transaction(commit=True) as cursor:
            yield _Write(self.recorder, cursor)
        self.wake()

    def append(self, facts: Sequence[Any]) -> None:
        super().append(facts)
        self.wake()

    def reading(self, question: Callable[[], T]) -> T:
        self.datastore.guard.require_same_file()
        answer = super().reading(question)
        self.datastore.guard.require_unchanged()
        return answer

    def wake(self) -> None:
        """Tell those who wait in this process that there is something new."""
        with self.written:
            self.written.notify_all()

    def save_checkpoint(self, tournament: str, size: int, note: str) -> None:
        with self.refusing(), self.datastore.transaction(commit=True) as cursor:
            cursor.execute(NOTES)
            cursor.execute(self.save_checkpoint_sql, (tournament, size, note) * 2)

    def delete_pieces(self, tournament: str, hashes: Sequence[str]) -> str:
        self.datastore.guard.require_same_file()
        with (
            self.refusing(),
            closing(sqlite3.connect(uri_of(self.path), uri=True, timeout=self.patience)) as db,
        ):
            Bounded(db, self.path)
            db.execute("PRAGMA secure_delete=ON")  # overwrites what is removed
            with db:
                db.execute("BEGIN IMMEDIATE")
                self.datastore.guard.require_sound(lambda question: db.execute(question).fetchall())
                values = [(tournament, hash) for hash in hashes]
                db.executemany("DELETE FROM private WHERE tournament=? AND hash=?", values)
            [busy, *_] = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if not busy:
            return ""
        return "the journal holds it until other programs have closed the file: erase again then"

    def settle(self) -> None:
        self.datastore.guard.require_same_file()
        with self.refusing(), self.datastore.get_connection(commit=False) as connection:
            connection.cursor().execute("PRAGMA wal_checkpoint(PASSIVE)")

    def save_signed_tree(self, size: int, position: int, note: str) -> None:
        with self.refusing(), self.datastore.transaction(commit=True) as cursor:
            cursor.execute(TREES)
            cursor.execute(self.save_tree_sql, (size, position, note))

    def wait(self, after: int, seconds: float) -> bool:
        end = time.monotonic() + seconds
        with self.written:
            while self.last_position() <= after:
                rest = end - time.monotonic()
                if rest <= 0:
                    return False
                self.written.wait(min(rest, LOOK_AGAIN))
        return True

    @contextmanager
    def refusing(self) -> Iterator[None]:
        try:
            yield
        except (IntegrityError, sqlite3.IntegrityError) as reason:
            raise VersionTaken from reason
        except ConnectionPoolClosedError:
            raise Unreachable(f"{self.path} was closed by this program: open it again") from None
        except (EventSourcingError, sqlite3.Error) as reason:
            self.datastore.guard.require_unchanged()
            raise refusal(reason.__cause__ or reason, self.path) from None

"""The log in one SQLite file."""

import random
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, cast

from eventsourcing.persistence import InfrastructureFactory, IntegrityError, PersistenceError, StoredEvent
from eventsourcing.sqlite import (
    SQLiteApplicationRecorder,
    SQLiteConnection,
    SQLiteConnectionPool,
    SQLiteCursor,
    SQLiteFactory,
)
from eventsourcing.utils import Environment

from paircard.domain.eventlog import Alone, EventLog, Overtaken, Row
from paircard.domain.events import Recorded
from paircard.domain.sqlitefile import refusal, uri_of

LOOK_AGAIN: Final = 0.1
"""Seconds between two looks for new facts: SQLite wakes nobody."""


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


class _Writer(Alone):
    def __init__(self, log: "SQLiteLog", cursor: SQLiteCursor) -> None:
        self.log, self.cursor = log, cursor

    def rows(self, tournament: str, after: int, upto: int = 2**62) -> list[Row]:
        self.cursor.execute(self.log.rows_sql, (tournament, after, upto))
        return cast(list[Row], self.cursor.fetchall())

    def add(self, stored: Sequence[StoredEvent]) -> None:
        self.log.recorded._insert_events(self.cursor, stored)


class SQLiteLog(EventLog):
    """One file. Writers wait for each other by SQLite's lock, readers for nobody."""

    listing = "INDEXED BY headlines"

    def __init__(self, path: Path, patience: float) -> None:
        self.path, self.place, self.patience = path, str(path), patience
        super().__init__(
            {
                "PERSISTENCE_MODULE": "eventsourcing.sqlite",
                "SQLITE_DBNAME": uri_of(path),
                "ORIGINATOR_ID_TYPE": "text",
                "CREATE_TABLE": "n",
            }
        )

    def construct_factory(self, env: Environment) -> InfrastructureFactory[Any]:
        factory = SQLiteFactory(env)
        factory.datastore.pool = _Pool(db_name=env["SQLITE_DBNAME"], patience=self.patience)
        return factory

    @property
    def recorded(self) -> SQLiteApplicationRecorder:
        return cast(SQLiteApplicationRecorder, self.recorder)

    def read(self, sql: str, values: tuple[Any, ...] = ()) -> list[Any]:
        with self.refusing(), self.recorded.datastore.transaction(commit=False) as cursor:
            cursor.execute(sql, values)
            return cast(list[Any], cursor.fetchall())

    def stream(self, sql: str, values: tuple[Any, ...] = ()) -> Iterator[Any]:
        with self.refusing(), self.recorded.datastore.transaction(commit=False) as cursor:
            cursor.execute(sql, values)
            yield from cursor.sqlite_cursor

    @contextmanager
    def alone(self) -> Iterator[Alone]:
        with self.refusing(), self.recorded.datastore.get_connection(commit=True) as connection:
            cursor = connection.cursor()
            self.begin(cursor)
            try:
                yield _Writer(self, cursor)
                connection.commit()
            except BaseException:
                connection.rollback()  # also after a commit that failed, on a full disk
                raise

    def begin(self, cursor: SQLiteCursor) -> None:
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
                    time.sleep(random.uniform(0.001, 0.01))
        finally:
            cursor.execute(f"PRAGMA busy_timeout={round(self.patience * 1000)}")

    def append(self, recorded: Sequence[Recorded]) -> None:
        with self.alone() as alone:
            alone.add(self.stored(recorded))

    def wait(self, after: int, seconds: float) -> bool:
        end = time.monotonic() + seconds
        while self.last_position() <= after:
            if time.monotonic() >= end:
                return False
            time.sleep(LOOK_AGAIN)
        return True

    @contextmanager
    def refusing(self) -> Iterator[None]:
        """Let no error of the library or of SQLite through, but the one that means: somebody was faster."""
        try:
            yield
        except (IntegrityError, sqlite3.IntegrityError) as reason:
            raise Overtaken from reason
        except (PersistenceError, sqlite3.Error) as reason:
            raise refusal(reason, self.path) from None

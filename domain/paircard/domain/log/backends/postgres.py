"""The log in a PostgreSQL database, through the library's recorder and without its traps.

Tables are made once by ``paircard init``, never by a process that only wants to write: several that
start at once would stumble over each other. The recorder's stored functions stay off, because with them
a reader who follows the log misses facts. Its ten silent attempts are left out, so that a lock that is
not had in time is told as such.
"""

import random
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, cast

import paircard.domain.log.backends.postgres_database as pg  # isort: skip (says what is missing)

import psycopg
from eventsourcing.persistence import IntegrityError, PersistenceError, StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresFactory
from eventsourcing.utils import Environment
from psycopg import sql
from psycopg.rows import tuple_row

from paircard.domain.errors import StoreRefused, Unreachable
from paircard.domain.log.backends.base import (
    ConnectionLost,
    EventLog,
    VersionTaken,
    WriteTransaction,
    describe_foreign,
    require_predecessor,
)
from paircard.domain.log.location import Address
from paircard.domain.log.rows import LATEST, Row

AT_ONCE: Final = 2000
"""Rows fetched at a time where all are read."""
_NOT_ASKED: Final = [f"POSTGRES_{name}" for name in ("DBNAME", "HOST", "PORT", "USER", "PASSWORD")]
"""Wanted by the library for its own pool, which is never opened."""


class _Recorder(PostgresApplicationRecorder):
    insert_events = PostgresApplicationRecorder.insert_events.__wrapped__


class _Factory(PostgresFactory):
    application_recorder_class = _Recorder


class _Writer(WriteTransaction):
    def __init__(self, log: "PostgresLog", cursor: "psycopg.Cursor[Any]") -> None:
        self.log, self.cursor = log, cursor

    def rows(self, tournament: str, after: int, upto: int = LATEST) -> list[Row]:
        with self.cursor.connection.cursor(row_factory=tuple_row) as cursor:
            cursor.execute(marked(self.log.rows_sql), (tournament, after, upto))
            return cast(list[Row], cursor.fetchall())

    def add(self, tournament: str, rows: Sequence[Row]) -> None:
        events = [StoredEvent(tournament, *row) for row in rows]
        self.log.recorder._insert_stored_events(self.cursor, events)


class PostgresLog(EventLog):
    """One schema of a database. Writers wait for each other by a lock of the table, readers for nobody."""

    position = "notification_id"

    def __init__(self, address: Address, patience: float) -> None:
        self.address, self.place, self.patience = address, address.shown, patience
        self.table = f'"{address.schema}".stored_events'
        self.notes_table = f'"{address.schema}".checkpoints'
        self.notes_there = f"SELECT 1 WHERE to_regclass('{self.notes_table}') IS NOT NULL"
        self.trees_table = f'"{address.schema}".signed_trees'
        self.trees_there = f"SELECT 1 WHERE to_regclass('{self.trees_table}') IS NOT NULL"
        self.connections = pg.Connections(address, patience)
        self.listener: psycopg.Connection[Any] | None = None
        try:
            with self.connections.connection() as first:
                ready = pg.format_of(first, address)
        except psycopg.Error as reason:
            raise pg.refusal(reason, address) from None
        if ready is None:
            self.connections.close()
            raise Unreachable(f"{self.place} has no tables of paircard: make them once with paircard init")
        asked = Environment(
            "",
            {
                **dict.fromkeys(_NOT_ASKED, "-"),
                "POSTGRES_SCHEMA": address.schema,
                "POSTGRES_LOCK_TIMEOUT": str(max(1, round(patience))),
                "POSTGRES_ENABLE_DB_FUNCTIONS": "n",
                "ORIGINATOR_ID_TYPE": "text",
                "CREATE_TABLE": "n",
            },
        )
        factory = _Factory(asked)
        factory.datastore.pool = cast(Any, self.connections)
        self.recorder = cast(PostgresApplicationRecorder, factory.application_recorder())

    def close(self) -> None:
        """Let go of all connections."""
        if self.listener is not None:
            self.listener.close()
        self.connections.close()

    def read(self, sql: str, values: tuple[Any, ...] = ()) -> list[Any]:
        end = time.monotonic() + self.patience
        while True:
            try:
                with self.refusing(), self.connections.connection() as connection:
                    cursor = connection.cursor(row_factory=tuple_row)
                    return cursor.execute(marked(sql), values).fetchall()
            except ConnectionLost as lost:
                if time.monotonic() > end:
                    raise lost.reason from None
                time.sleep(random.uniform(0.02, 0.25))

    def stream(self, sql: str, values: tuple[Any, ...] = ()) -> Iterator[Any]:
        try:
            with (
                self.refusing(),
                self.connections.connection() as connection,
                connection.transaction(),
                connection.cursor("all_facts", row_factory=tuple_row) as cursor,
            ):
                cursor.itersize = AT_ONCE
                cursor.execute(marked(sql), values)
                yield from cursor
        except ConnectionLost as lost:
            raise lost.reason from None

    @contextmanager
    def write(self) -> Iterator[WriteTransaction]:
        with (
            self.refusing(),
            self.connections.connection() as connection,
            connection.pipeline(),  # two ways to the server and back: others wait for the lock meanwhile
            connection.transaction(),
            connection.cursor() as cursor,
        ):
            self.recorder._lock_table(cursor)
            yield _Writer(self, cursor)

    def append(self, tournament: str, rows: Sequence[Row]) -> None:
        with self.write() as transaction:
            before = rows[0][0] - 1
            require_predecessor(tournament, rows, transaction.rows(tournament, before - 1, before))
            transaction.add(tournament, rows)

    def keep_note(self, tournament: str, size: int, note: str) -> None:
        if not self.read(self.notes_there):
            pg.create_schema(self.address)  # made before checkpoints were kept
        self.read(f"{self.keep_sql} RETURNING size", (tournament, size, note) * 2)

    def save_signed_tree(self, size: int, position: int, note: str) -> None:
        with self.refusing(), self.connections.connection() as connection, connection.transaction():
            connection.execute(marked(self.make_trees_sql))
            connection.execute(marked(self.save_tree_sql), (size, position, note))

    def foreign_objects(self) -> list[str]:
        return describe_foreign(self.read(pg.FOREIGN_OBJECTS, (self.address.schema,)))

    def wait(self, after: int, seconds: float) -> bool:
        """Woken by NOTIFY, which a writer sends with its facts."""
        end = time.monotonic() + seconds
        while True:
            try:
                with self.refusing():
                    if self.listener is None:
                        self.listener = pg.connected(self.address, self.patience)
                        channel = sql.Identifier(self.recorder.channel_name)
                        self.listener.execute(sql.SQL("LISTEN {}").format(channel))
                    if self.last_position() > after:
                        return True
                    rest = end - time.monotonic()
                    if rest <= 0:
                        return False
                    list(self.listener.notifies(timeout=rest, stop_after=1))
            except ConnectionLost as lost:
                self.listener = None
                if time.monotonic() > end:
                    raise lost.reason from None
                time.sleep(random.uniform(0.05, 0.25))

    @contextmanager
    def refusing(self) -> Iterator[None]:
        """Errors of the library and of psycopg as ours."""
        try:
            yield
        except (IntegrityError, psycopg.IntegrityError) as reason:
            raise VersionTaken from reason
        except (PersistenceError, psycopg.Error) as reason:
            words: StoreRefused = pg.refusal(reason, self.address)
            if self.connections.ever_connected and pg.is_transient(reason.__cause__ or reason):
                raise ConnectionLost(words) from None
            raise words from None


def marked(question: str) -> str:
    """With the marks psycopg wants."""
    return question.replace("?", "%s")

"""The log in a PostgreSQL database, through the library's recorder and without its traps.

Tables are made once by ``paircard init``, never by a process that only wants to write: several that
start at once would stumble over each other. The recorder's stored functions stay off, because with them
a reader who follows the log misses facts. Inserting is tried once: the library would try ten times in
silence, and what is said of a lock that is not had in time would come late.
"""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, cast

import paircard.domain.log.backends.postgres_database as pg  # isort: skip (says what is missing)

import psycopg
from eventsourcing.domain import EventSourcingError
from eventsourcing.persistence import DataError, InfrastructureFactory, IntegrityError, StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore, PostgresFactory
from eventsourcing.utils import Environment
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import DictRow, tuple_row

from paircard.domain.errors import CorruptFile, NewerFile, StoreRefused, Unreachable
from paircard.domain.log.backends.base import (
    ConnectionLost,
    EventLog,
    T,
    VersionTaken,
    WriteTransaction,
)
from paircard.domain.log.chain import Sealed, previous_of
from paircard.domain.log.location import Address
from paircard.domain.log.rows import LOWEST, PieceRow, Row

AT_ONCE: Final = 2000
"""Rows fetched at a time where all are read."""


class Datastore(PostgresDatastore):
    """Connects by the whole address, which may name several hosts and options of libpq."""

    def __init__(self, address: Address, patience: float) -> None:
        known = conninfo_to_dict(address.url)
        super().__init__(
            *(str(known.get(name) or "") for name in ("dbname", "host", "port", "user", "password")),
            schema=address.schema,
            lock_timeout=max(1, round(patience)),
            originator_id_type="text",
        )
        self.connections = pg.Connections(address, patience)
        self.pool = cast(Any, self.connections)


class FactRecorder(PostgresApplicationRecorder):
    """Inserts facts only after their predecessor, in the order of an advisory lock.

    The lock needs no right on the table, so whoever may add facts need not be able to change them. It is
    taken by all programs since format 2; the lock of the table that others take does not exclude it.
    """

    def __init__(self, datastore: PostgresDatastore, *, events_table_name: str = "stored_events") -> None:
        super().__init__(datastore, events_table_name=events_table_name)
        table = sql.Identifier(datastore.schema, events_table_name)
        self.lock_table_statements = [
            sql.SQL("SET LOCAL lock_timeout = '{}s'").format(datastore.lock_timeout),
            sql.SQL("SELECT pg_advisory_xact_lock({}, hashtext({}))").format(
                sql.Literal(pg.ADVISORY), sql.Literal(datastore.schema)
            ),
        ]
        self.format_statement = sql.SQL(
            "SELECT 1 / (CASE WHEN min(format) = {0} AND max(format) = {0} THEN 1 ELSE 0 END) FROM {1}"
        ).format(sql.Literal(pg.FORMAT), sql.Identifier(datastore.schema, "paircard_format"))
        """Fails on the server where another program has brought the tables to another format."""
        self.predecessor_statement = sql.SQL(
            "SELECT 1 / count(*) FROM {} WHERE originator_id = %s AND originator_version = %s "
            "AND substring(state FROM length(state) - 65 FOR 64) = %s"
        ).format(table)
        """Fails on the server where the fact before is not there: nobody has to wait for its answer."""
        self.select_statement = sql.SQL(
            "SELECT originator_version, topic, state FROM {} WHERE originator_id = %s "
            "AND originator_version > %s AND originator_version <= %s ORDER BY originator_version"
        ).format(table)
        private = sql.Identifier(datastore.schema, "private")
        self.pieces_statement = sql.SQL(
            "SELECT version, bytes FROM {} WHERE tournament = %s AND version >= %s AND version <= %s"
        ).format(private)
        self.insert_pieces_statement = sql.SQL("INSERT INTO {} VALUES (%s, %s, %s, %s)").format(private)

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> None:
        with self.writing() as cursor:
            cursor.execute(self.format_statement)
            first = stored_events[0]
            if first.originator_version > 1:
                before = previous_of(first.state).encode()
                place = (first.originator_id, first.originator_version - 1, before)
                cursor.execute(self.predecessor_statement, place)
            self.insert_in(cursor, stored_events)
        self.require_kept(cursor, stored_events)

    def require_kept(self, cursor: "psycopg.Cursor[DictRow]", events: Sequence[StoredEvent]) -> None:
        """Refuse to answer for a table that did not return a position for every fact."""
        if cursor.rowcount != len(events):
            raise CorruptFile(
                "the database did not keep what was written to it: this was not recorded as it should be, "
                "see paircard doctor"
            )

    @contextmanager
    def writing(self) -> Iterator["psycopg.Cursor[DictRow]"]:
        """A transaction in which nobody else inserts; sent in one go, as others wait for the lock."""
        with (
            self.datastore.get_connection() as connection,
            connection.pipeline(),
            connection.transaction(),
        ):
            cursor = connection.cursor()  # left open: closing it forgets how many rows were kept
            self._lock_table(cursor)
            yield cursor

    def insert_in(self, cursor: "psycopg.Cursor[DictRow]", events: Sequence[StoredEvent]) -> None:
        """As ``insert_events``, in a transaction that has begun."""
        self._insert_stored_events(cursor, events)

    def select_in(self, cursor: "psycopg.Cursor[Any]", tournament: str, after: int, upto: int) -> list[Row]:
        """As ``select_events``, in a transaction that has begun."""
        with cursor.connection.cursor(row_factory=tuple_row) as own:
            own.execute(self.select_statement, (tournament, after or LOWEST, upto))
            return cast(list[Row], own.fetchall())


class Factory(PostgresFactory):
    application_recorder_class: type[PostgresApplicationRecorder] = FactRecorder
    datastore: Datastore

    def __init__(self, env: Environment, address: Address, patience: float) -> None:
        known = conninfo_to_dict(address.url)
        names = {name: str(known.get(name.lower()) or "") for name in ("DBNAME", "HOST", "USER", "PASSWORD")}
        asked = {f"POSTGRES_{name}": value for name, value in names.items()}
        super().__init__(Environment(env.name, {**env, **asked}))
        self.datastore = Datastore(address, patience)


class _Write(WriteTransaction):
    def __init__(self, recorder: FactRecorder, cursor: "psycopg.Cursor[DictRow]") -> None:
        self.recorder, self.cursor = recorder, cursor
        self.inserted: tuple[psycopg.Cursor[DictRow], Sequence[StoredEvent]] | None = None

    def select(self, tournament: str, after: int, upto: int) -> list[Row]:
        return self.recorder.select_in(self.cursor, tournament, after, upto)

    def select_pieces(self, tournament: str, first: int, last: int) -> list[PieceRow]:
        with self.cursor.connection.cursor(row_factory=tuple_row) as own:
            own.execute(self.recorder.pieces_statement, (tournament, first, last))
            return cast(list[PieceRow], own.fetchall())

    def insert_pieces(self, pieces: Sequence[tuple[str, int, str, bytes]]) -> None:
        with self.cursor.connection.cursor() as own:
            own.executemany(self.recorder.insert_pieces_statement, pieces)

    def insert(self, events: Sequence[StoredEvent]) -> None:
        self.recorder.insert_in(self.cursor, events)
        self.inserted = self.cursor, events


class PostgresLog(EventLog):
    """One schema of a database. Writers wait for each other by a lock, readers for nobody."""

    position = "notification_id"
    piece_text = "convert_from(bytes, 'UTF8')"
    recorder: FactRecorder
    datastore: Datastore

    def __init__(self, address: Address, patience: float) -> None:
        self.address = address
        self.sound = False
        """Whether the tables were looked at, before the first write of this process."""
        self.private_table = f'"{address.schema}".private'
        self.private_there = f"SELECT 1 WHERE to_regclass('{self.private_table}') IS NOT NULL"
        self.trees_table = f'"{address.schema}".signed_trees'
        self.trees_there = f"SELECT 1 WHERE to_regclass('{self.trees_table}') IS NOT NULL"
        self.listener: psycopg.Connection[Any] | None = None
        notes = f'"{address.schema}".checkpoints'
        self.notes_there = f"SELECT 1 WHERE to_regclass('{notes}') IS NOT NULL"
        try:
            super().__init__(address.shown, patience, f'"{address.schema}".stored_events', notes)
        except (EventSourcingError, psycopg.Error) as reason:
            raise pg.refusal(reason, address) from None
        self._keeps_private = bool(self.read(self.private_there))
        [(role,)] = self.read("SELECT session_user")
        self.role = role if role.isprintable() else ""

    def construct_factory(self, env: Environment) -> InfrastructureFactory:
        factory = Factory(env, self.address, self.patience)
        self.datastore = factory.datastore
        with self.datastore.get_connection() as first:
            if pg.format_of(first, self.address) is None:
                factory.close()
                raise Unreachable(
                    f"{self.address.shown} has no tables of paircard: make them once with paircard init"
                )
        return cast(InfrastructureFactory, factory)

    def close(self) -> None:
        """Let go of all connections."""
        if self.listener is not None:
            self.listener.close()
        super().close()

    def reading(self, question: Callable[[], T]) -> T:
        """The answer, asked for again while the server is away and there is patience left."""
        end = time.monotonic() + self.patience
        while True:
            try:
                return super().reading(question)
            except TypeError:  # the library expects bytes in every row
                raise CorruptFile(f"{self.place} has facts without content: see paircard doctor") from None
            except ConnectionLost as lost:
                if time.monotonic() > end:
                    raise lost.reason from None
                time.sleep(random.uniform(0.02, 0.25))

    def read(self, sql: str, values: tuple[Any, ...] = ()) -> list[Any]:
        def question() -> list[Any]:
            with self.datastore.get_connection() as connection:
                return connection.cursor(row_factory=tuple_row).execute(marked(sql), values).fetchall()

        return self.reading(question)

    def stream(self, sql: str, values: tuple[Any, ...] = ()) -> Iterator[Any]:
        try:
            with (
                self.refusing(),
                self.datastore.get_connection() as connection,
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
        with self.refusing():
            with self.recorder.writing() as cursor:
                if self.sound:
                    cursor.execute(self.recorder.format_statement)
                else:
                    self.require_sound(lambda sql, values: self.ask(cursor, sql, values))
                    self.sound = True
                transaction = _Write(self.recorder, cursor)
                yield transaction
            if transaction.inserted:
                self.recorder.require_kept(*transaction.inserted)

    def append(self, facts: Sequence[Sealed]) -> None:
        if not self.sound:
            with self.write():  # says what is wrong with the tables, before the first fact
                pass
        super().append(facts)

    def require_sound(self, ask: "Callable[[str, tuple[Any, ...]], list[Any]]") -> None:
        """Refuse, before anything is written, tables that would lose or change it."""
        written = [
            format for (format,) in ask(f'SELECT format FROM "{self.address.schema}".paircard_format', ())
        ]
        if written != [pg.FORMAT]:
            raise NewerFile(
                f"{self.place} has format {', '.join(map(str, written)) or 'none'}, this version writes "
                f"{pg.FORMAT}: run paircard init once as the owner of the tables, or use a newer paircard"
            )
        if wrong := pg.unsound(ask, self.address.schema):
            raise CorruptFile(f"{self.place}: {'; '.join(wrong)}. Nothing was recorded: see paircard doctor")

    def ask(self, cursor: "psycopg.Cursor[Any]", sql: str, values: tuple[Any, ...]) -> list[Any]:
        with cursor.connection.cursor(row_factory=tuple_row) as own:
            return own.execute(marked(sql), values).fetchall()

    def save_checkpoint(self, tournament: str, size: int, note: str) -> None:
        self.insert_beside(self.save_checkpoint_sql, (tournament, size, note) * 2)

    def insert_beside(self, sql: str, values: tuple[Any, ...], before: str = "") -> None:
        """Write something beside the facts, into tables that were found right."""
        self.sound = False
        with self.write() as transaction:
            connection = cast(_Write, transaction).cursor.connection
            if before:
                connection.execute(marked(before))
            connection.execute(marked(sql), values)

    @property
    def keeps_private(self) -> bool:
        """A database of an earlier program has no table for personal parts until ``paircard init``."""
        return self._keeps_private

    def delete_pieces(self, tournament: str, hashes: Sequence[str]) -> str:
        self.sound = False
        with self.write():  # says what is wrong with the tables
            pass
        with self.refusing(), self.datastore.get_connection() as connection:
            connection.execute(
                marked(f"DELETE FROM {self.private_table} WHERE tournament=? AND hash=ANY(?)"),
                (tournament, list(hashes)),
            )
            connection.execute(marked(f"VACUUM FULL {self.private_table}"))
        return "the server's write-ahead log holds it until it is recycled, archived logs for longer"

    def save_signed_tree(self, size: int, position: int, note: str) -> None:
        columns = "(size bigint PRIMARY KEY, position bigint NOT NULL, note text NOT NULL)"
        made = f"CREATE TABLE IF NOT EXISTS {self.trees_table} {columns}"
        self.insert_beside(self.save_tree_sql, (size, position, note), before=made)

    def recorders(self, tournament: str) -> list[str]:
        column = "SELECT 1 FROM pg_attribute WHERE attrelid=to_regclass(?) AND attname='recorded_by'"
        if not self.read(column, (self.table,)):  # tables of format 1
            return []
        question = f"SELECT coalesce(recorded_by, '') FROM {self.table} WHERE originator_id=?"
        return [role for (role,) in self.read(f"{question} ORDER BY originator_version", (tournament,))]

    def owner(self) -> str:
        question = "SELECT pg_get_userbyid(relowner)::text FROM pg_class WHERE oid=to_regclass(?)"
        [(owner,)] = self.read(question, (self.table,))
        return str(owner)

    def faults(self) -> list[str]:
        return pg.unsound(self.read, self.address.schema)

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
        try:
            yield
        except (IntegrityError, psycopg.IntegrityError, DataError, psycopg.DataError) as reason:
            self.sound = False  # or the fact before is gone, or the format is another: the next one will tell
            raise VersionTaken from reason
        except (EventSourcingError, psycopg.Error) as reason:
            cause = reason.__cause__ or reason
            if isinstance(cause, psycopg.errors.PipelineAborted):
                raise VersionTaken from None  # nothing was recorded; what hindered it shows when locked
            words: StoreRefused = pg.refusal(reason, self.address)
            if self.datastore.connections.ever_connected and pg.is_transient(cause):
                raise ConnectionLost(words) from None
            raise words from None


def marked(question: str) -> str:
    """With the marks psycopg wants."""
    return question.replace("?", "%s")

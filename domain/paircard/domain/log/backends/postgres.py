"""The log in a PostgreSQL database, through the library's recorder and without its traps.

Tables are made once by ``paircard init``, never by a process that only wants to write: several that
start at once would stumble over each other. The recorder's stored functions stay off, because with them
a reader who follows the log misses facts. Inserting is tried once: the library would try ten times in
silence, and what is said of a lock that is not had in time would come late.
"""

import random
import selectors
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import Any, Final, cast

import paircard.domain.log.backends.postgres_database as pg  # isort: skip (says what is missing)

import psycopg
from eventsourcing.domain import EventSourcingError
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import ExecStatus
from psycopg.rows import tuple_row

from paircard.domain.errors import CorruptFile, NewerFile, StoreRefused, Unreachable
from paircard.domain.log.backends.base import Backend, ConnectionLost, NotTaken, T
from paircard.domain.log.catalogue import upsert
from paircard.domain.log.location import Address
from paircard.domain.log.stored import StoredFact
from paircard.domain.messages import Message, say

ENDS: Final = (
    b"SELECT id, originator_version, encode(substr(state, length(state) - 65, 64), 'escape') "
    b"FROM unnest($1::text[]) id CROSS JOIN LATERAL (SELECT originator_version, state FROM stored_events "
    b"WHERE originator_id=id ORDER BY originator_version DESC LIMIT 1) e"
)
"""A fact as it is stored ends with its hash, a quotation mark and a brace."""
AT_ONCE: Final = 2000
"""Rows fetched at a time where all are read."""
AT_MOST: Final = 0.05
"""Seconds until somebody who waits for a fact sees that the store is about to be closed."""


class Database(PostgresDatastore):
    """The datastore of the library on one schema, whose transactions can be joined.

    Whatever a recorder does inside a transaction of its thread is part of that one. It connects by the whole
    address, which may name several hosts and options of libpq.
    """

    def __init__(self, address: Address, patience: float) -> None:
        try:
            known = conninfo_to_dict(address.url)
        except psycopg.Error as reason:
            raise pg.refusal(reason, address) from None
        super().__init__(
            *(str(known.get(name) or "") for name in ("dbname", "host", "port", "user", "password")),
            schema=address.schema,
            lock_timeout=max(1, round(patience)),
            originator_id_type="text",
        )
        self.address = address
        self.connections = pg.Connections(address, patience)
        self.pool = cast(Any, self.connections)
        self.joined = threading.local()
        self.sound = False
        """Whether the tables were looked at, before the first write of this process."""
        self.begin_statement = sql.SQL(
            "SET LOCAL lock_timeout = '{}s'; SELECT pg_advisory_xact_lock({}, hashtext({})); "
            "SELECT format FROM paircard_format"
        ).format(self.lock_timeout, pg.ADVISORY, address.schema)
        """The lock needs no right on the table, so who may add facts need not be able to change them. It is
        taken by all programs since format 2; the lock of the table that others take does not exclude it."""

    @property
    def joined_now(self) -> "psycopg.Connection[Any] | None":
        """The connection of the transaction this thread is in, if it is in one."""
        return getattr(self.joined, "connection", None)

    @contextmanager
    def get_connection(self) -> Iterator["psycopg.Connection[Any]"]:
        """A connection, that of the transaction this thread is in if it is in one; errors are ours."""
        if (inside := self.joined_now) is not None:
            yield inside
            return
        try:
            with super().get_connection() as connection:
                yield connection
        except (EventSourcingError, psycopg.Error) as reason:
            cause = reason.__cause__ or reason
            if isinstance(cause, psycopg.IntegrityError):
                self.sound = False  # the next one will tell what stands in the way
                raise NotTaken from reason
            words: StoreRefused = pg.refusal(reason, self.address)
            if self.connections.ever_connected and pg.is_transient(cause):
                raise ConnectionLost(words) from None
            raise words from None

    @contextmanager
    def transaction(self, *, commit: bool = False) -> Iterator["psycopg.Cursor[Any]"]:
        """One transaction, or the one this thread is in; one that writes keeps all others from writing."""
        with self.get_connection() as connection:
            if not commit or self.joined_now is not None:
                yield connection.cursor(row_factory=tuple_row)
                return
            with connection.transaction(), connection.cursor(row_factory=tuple_row) as cursor:
                self.begin(cursor)
                self.joined.connection = connection
                try:
                    yield cursor
                finally:
                    self.joined.connection = None

    def begin(self, cursor: "psycopg.Cursor[Any]") -> None:
        """Take the lock; refuse, before anything is written, tables that would lose or change it."""
        cursor.execute(self.begin_statement)
        while cursor.nextset():
            pass
        written = [format for (format,) in cursor.fetchall()]
        if written != [pg.FORMAT]:
            self.sound = False
            raise NewerFile(
                "store.server-format",
                file=self.address.shown,
                value=", ".join(map(str, written)) or "none",
                highest=pg.FORMAT,
            )
        if not self.sound:
            if wrong := pg.unsound(lambda question: cursor.execute(question).fetchall()):
                raise CorruptFile("store.server-unsound", file=self.address.shown, reasons=wrong)
            self.sound = True


class PostgresEnds:
    """A connection that is asked where logs end, and never waited for."""

    def __init__(self, address: Address, patience: float) -> None:
        self.address = address
        try:
            self.connection = pg.connected(address, patience)
        except psycopg.Error as reason:
            raise pg.refusal(reason, address) from None
        self.server = self.connection.pgconn
        self.server.prepare(b"ends", ENDS)
        self.server.nonblocking = 1
        self.socket = self.server.socket  # which nobody tells any more when the connection is lost
        self.found: dict[str, tuple[int, str]] = {}

    def fileno(self) -> int:
        return self.socket

    def ask(self, tournaments: Collection[str]) -> None:
        self.found = {}
        try:
            self.server.send_query_prepared(b"ends", [f"{{{','.join(tournaments)}}}".encode()])
            self.server.flush()
        except psycopg.Error as reason:
            raise pg.refusal(reason, self.address) from None

    def answer(self) -> dict[str, tuple[int, str]] | None:
        try:
            self.server.consume_input()
            while not self.server.is_busy():
                rows = self.server.get_result()
                if rows is None:
                    return self.found
                if rows.status != ExecStatus.TUPLES_OK:
                    raise psycopg.OperationalError(str(rows.error_message, errors="replace"))
                for at in range(rows.ntuples):
                    id, version, hash = (str(rows.get_value(at, one) or b"", "utf-8") for one in range(3))
                    self.found[id] = int(version), hash
        except psycopg.Error as reason:
            raise pg.refusal(reason, self.address) from None
        return None

    def close(self) -> None:
        self.connection.close()


class PostgresBackend(Backend, PostgresApplicationRecorder):
    """One schema of a database. Writers wait for each other by a lock, readers for nobody."""

    datastore: Database
    position = "notification_id"
    upsert = upsert("notification_id")
    piece_text = "convert_from(bytes, 'UTF8')"

    def __init__(self, address: Address, patience: float) -> None:
        self.place, self.patience = address.shown, patience
        self.address = address
        self.lists = self.keeps_private = False
        self.listener: psycopg.Connection[Any] | None = None
        PostgresApplicationRecorder.__init__(
            self, Database(address, patience), events_table_name="stored_events"
        )
        try:
            with self.datastore.get_connection() as first:
                if pg.format_of(first, address) is None:
                    raise Unreachable("store.server", cause="no-tables", file=address.shown)
            [(role,)] = self.ask("SELECT session_user")
            self.role = role if role.isprintable() else ""
            self.keeps_private = self.is_there("private")
            if self.is_there("catalogue") and self.is_there("words"):
                rights = [("catalogue", right) for right in ("SELECT", "INSERT", "UPDATE")]
                rights += [("words", right) for right in ("SELECT", "INSERT", "DELETE")]
                [(self.lists,)] = self.ask(
                    "SELECT " + " AND ".join(["has_table_privilege(?, ?)"] * len(rights)),
                    tuple(text for right in rights for text in right),
                )
        except ConnectionLost as lost:
            raise lost.reason from None
        except BaseException:
            self.datastore.close()
            raise

    def insert_events(self, stored_events: Sequence[Any], **kwargs: Any) -> Sequence[int]:
        facts: Sequence[StoredFact] = stored_events
        made = [
            self.construct_pg_stored_event(one.originator_id, one.originator_version, one.topic, one.state)
            for one in facts
        ]
        parts = [
            (one.originator_id, one.originator_version, sha256(part).hexdigest(), part)
            for one in facts
            for part in one.parts
        ]
        with self.datastore.transaction(commit=True) as cursor:
            cursor.execute(sql.SQL("NOTIFY {}").format(sql.Identifier(self.channel_name)))
            positions = [at for (at,) in cursor.execute(self.insert_events_statement, (made,))]
            if parts:
                cursor.executemany("INSERT INTO private VALUES (%s, %s, %s, %s)", parts)
            if len(positions) != len(facts) or (parts and cursor.rowcount != len(parts)):
                raise CorruptFile("store.not-kept", file=self.place)
        return positions

    def ends(self) -> PostgresEnds:
        return PostgresEnds(self.address, self.patience)

    def pool(self) -> tuple[int, int]:
        return len(self.datastore.connections.used), pg.MOST

    def close(self) -> None:
        if self.listener is not None:
            self.listener.close()
        self.datastore.close()

    def reading(self, question: Callable[[], T]) -> T:
        """The answer, asked for again while the server is away and there is patience left."""
        end = time.monotonic() + self.patience
        while True:
            try:
                return question()
            except ConnectionLost as lost:
                if self.datastore.joined_now is not None:
                    raise  # who began the transaction has to begin again
                if time.monotonic() > end:
                    raise lost.reason from None
                time.sleep(random.uniform(0.02, 0.25))

    @contextmanager
    def writing(self) -> Iterator[object]:
        with self.datastore.transaction(commit=True):
            yield None

    def ask(
        self, sql: str, values: tuple[Any, ...] = (), table: str = "", *, otherwise: str = ""
    ) -> list[Any]:
        asked = marked(otherwise if table and not self.is_there(table) else sql)
        if not asked:
            return []

        def question() -> list[Any]:
            with self.datastore.transaction(commit=False) as cursor:
                return cursor.execute(asked, values).fetchall()

        return self.reading(question)

    def stream(self, sql: str, values: tuple[Any, ...] = ()) -> Iterator[Any]:
        try:
            with (
                self.datastore.get_connection() as connection,
                connection.transaction(),
                connection.cursor("all_facts", row_factory=tuple_row) as cursor,
            ):
                cursor.itersize = AT_ONCE
                cursor.execute(marked(sql), values)
                yield from cursor
        except ConnectionLost as lost:
            raise lost.reason from None

    def is_there(self, table: str) -> bool:
        if (self.lists and table in ("catalogue", "words")) or (self.keeps_private and table == "private"):
            return True
        [(there,)] = self.ask("SELECT to_regclass(?) IS NOT NULL", (table,))
        if not there or table not in ("catalogue", "words"):
            return bool(there)
        return bool(self.ask("SELECT 1 WHERE has_table_privilege(?, 'SELECT')", (table,)))

    def unsound(self) -> list[Message]:
        return pg.unsound(self.ask)

    def write_beside(self, sql: str, rows: Sequence[tuple[Any, ...]] = ((),)) -> None:
        if self.datastore.joined_now is None:
            self.datastore.sound = False
        with self.datastore.transaction(commit=True) as cursor:
            cursor.executemany(marked(sql), rows)

    def delete_parts(self, tournament: str, hashes: Sequence[str]) -> Message:
        row = tournament, list(hashes)
        self.write_beside("DELETE FROM private WHERE tournament=? AND hash=ANY(?)", [row])
        with self.datastore.get_connection() as connection:
            connection.execute("VACUUM FULL private")
            connection.execute("VACUUM FULL words")
        return say("remains.write-ahead-log")

    def recorders(self, tournament: str) -> list[str]:
        table = "pg_attribute WHERE attrelid=to_regclass('stored_events')"
        if not self.ask(f"SELECT 1 FROM {table} AND attname='recorded_by'"):  # tables of format 1
            return []
        question = "SELECT coalesce(recorded_by, '') FROM stored_events WHERE originator_id=?"
        return [role for (role,) in self.ask(f"{question} ORDER BY originator_version", (tournament,))]

    def owner(self) -> str:
        of = "oid=to_regclass('stored_events')"
        [(owner,)] = self.ask(f"SELECT pg_get_userbyid(relowner)::text FROM pg_class WHERE {of}")
        return str(owner)

    def wait(self, after: int, seconds: float) -> bool:
        """Woken by NOTIFY, which a writer sends with its facts."""
        end = time.monotonic() + seconds
        while True:
            try:
                if self.last_position() > after:
                    return True
                rest = end - time.monotonic()
                if rest <= 0 or self.ending:
                    return False
                self.listen(after, rest)
            except (ConnectionLost, psycopg.Error) as reason:
                self.listener = None
                if time.monotonic() > end:
                    lost = reason.reason if isinstance(reason, ConnectionLost) else None
                    raise lost or pg.refusal(reason, self.address) from None
                time.sleep(random.uniform(0.05, 0.25))

    def listen(self, after: int, seconds: float) -> None:
        """Wait to be woken, at most so long; not at all if a fact came before there was anybody to listen."""
        if self.listener is None:
            self.listener = pg.connected(self.address, self.patience)
            self.listener.execute(sql.SQL("LISTEN {}").format(sql.Identifier(self.channel_name)))
            if self.last_position() > after:
                return
        end = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:  # psycopg itself spins through the last millisecond
            selector.register(self.listener, selectors.EVENT_READ)
            while not self.ending and (rest := end - time.monotonic()) > 0:
                if selector.select(min(rest, AT_MOST)):
                    list(self.listener.notifies(timeout=0))
                    return


def marked(question: str) -> str:
    """With the marks psycopg wants."""
    return question.replace("?", "%s")

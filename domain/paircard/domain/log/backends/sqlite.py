"""The log in one SQLite file."""

import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cached_property
from random import uniform
from threading import Lock
from typing import Any, Final

from paircard.domain.log.backends.base import (
    EventLog,
    VersionTaken,
    WriteTransaction,
    describe_foreign,
    require_predecessor,
)
from paircard.domain.log.backends.recorder import (
    SQLiteApplicationRecorder,
    SQLiteCursor,
    SQLiteDatastore,
    StoredEvent,
)
from paircard.domain.log.backends.sqlite_file import FOREIGN_OBJECTS, INDEXES, NOTES, refusal, uri_of
from paircard.domain.log.rows import LATEST, Row

LOOK_AGAIN: Final = 0.1
"""Seconds between two looks for new facts: SQLite wakes nobody."""


class _Writer(WriteTransaction):
    def __init__(self, log: "SQLiteLog", db: sqlite3.Connection) -> None:
        self.log, self.db = log, db

    def rows(self, tournament: str, after: int, upto: int = LATEST) -> list[Row]:
        return self.db.execute(self.log.rows_sql, (tournament, after, upto)).fetchall()

    def add(self, tournament: str, rows: Sequence[Row]) -> None:

        events = [StoredEvent(tournament, *row) for row in rows]
        self.log.recorder._insert_events(SQLiteCursor(self.db.cursor()), events)


class SQLiteLog(EventLog):
    """One file. Writers wait for each other by SQLite's lock, readers for nobody."""

    def __init__(self, path: str, patience: float) -> None:
        self.path = self.place = path
        self.patience = patience
        self.uri = uri_of(path)
        self.idle: list[sqlite3.Connection] | None = []
        """Connections nobody uses now; none once the log is closed."""
        self.turn = Lock()
        """Threads that write take turns here, which costs less than meeting at SQLite's lock."""

    @cached_property
    def recorder(self) -> SQLiteApplicationRecorder:
        """The library's, without its pool of connections: it writes on ours."""

        return SQLiteApplicationRecorder(SQLiteDatastore(self.uri, originator_id_type="text"), self.table)

    @contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """A connection that is nobody else's meanwhile; errors leave as refusals."""
        with self.refusing():
            db = self.taken()
            try:
                yield db
            finally:
                if self.idle is None:
                    db.close()
                else:
                    self.idle.append(db)

    def taken(self) -> sqlite3.Connection:
        """An idle connection or a new one, with every commit on the disk before it is answered."""
        if self.idle is None:
            raise sqlite3.ProgrammingError("the log was closed")
        try:
            return self.idle.pop()
        except IndexError:
            db = sqlite3.connect(
                self.uri, uri=True, check_same_thread=False, isolation_level=None, timeout=self.patience
            )
            db.execute("PRAGMA synchronous=FULL")
            return db

    def close(self) -> None:
        idle, self.idle = self.idle or [], None
        for db in idle:
            db.close()

    def foreign_objects(self) -> list[str]:
        return describe_foreign(self.read(FOREIGN_OBJECTS))

    def damage(self) -> str:
        [(found,)] = self.read("PRAGMA integrity_check(1)")
        return "" if found == "ok" else str(found)

    @cached_property
    def indexes(self) -> set[str]:
        """Those of ours that are there, as they were made."""
        there = {sql for (sql,) in self.read("SELECT sql FROM sqlite_schema WHERE type='index'")}
        return {name for name, made in INDEXES.items() if made in there}

    def index_hint(self, index: str) -> str:
        return f"INDEXED BY {index}" if index in self.indexes else ""

    def read(self, sql: str, values: tuple[Any, ...] = ()) -> list[Any]:
        with self.connection() as db:
            return db.execute(sql, values).fetchall()

    def stream(self, sql: str, values: tuple[Any, ...] = ()) -> Iterator[Any]:
        with self.connection() as db, closing(db.execute(sql, values)) as rows:
            yield from rows

    @contextmanager
    def write(self) -> Iterator[_Writer]:
        _ = self.recorder  # imported before others have to wait
        with self.turn, self.connection() as db:
            self.begin(db)
            try:
                yield _Writer(self, db)
                db.commit()
            except BaseException:
                db.rollback()  # also after a commit that failed, on a full disk
                raise

    def begin(self, db: sqlite3.Connection) -> None:
        """Wait for the lock by short looks at random moments.

        SQLite itself would look every tenth of a second, and whoever comes later would often be first.
        """
        end = time.monotonic() + self.patience
        db.execute("PRAGMA busy_timeout=0")
        try:
            while True:
                try:
                    db.execute("BEGIN IMMEDIATE")
                    return
                except sqlite3.OperationalError as reason:
                    if "locked" not in str(reason) or time.monotonic() > end:
                        raise

                    time.sleep(uniform(0.001, 0.01))
        finally:
            db.execute(f"PRAGMA busy_timeout={round(self.patience * 1000)}")

    def append(self, tournament: str, rows: Sequence[Row]) -> None:
        with self.write() as transaction:
            before = rows[0][0] - 1
            require_predecessor(tournament, rows, transaction.rows(tournament, before - 1, before))
            transaction.add(tournament, rows)

    def keep_note(self, tournament: str, size: int, note: str) -> None:
        with self.write() as transaction:
            transaction.db.execute(NOTES)
            transaction.db.execute(self.keep_sql, (tournament, size, note) * 2)

    def save_signed_tree(self, size: int, position: int, note: str) -> None:
        with self.write() as transaction:
            transaction.db.execute(self.make_trees_sql)
            transaction.db.execute(self.save_tree_sql, (size, position, note))

    def wait(self, after: int, seconds: float) -> bool:
        end = time.monotonic() + seconds
        while self.last_position() <= after:
            if time.monotonic() >= end:
                return False
            time.sleep(LOOK_AGAIN)
        return True

    @contextmanager
    def refusing(self) -> Iterator[None]:
        """Let no error of SQLite through, but the one that means: somebody was faster."""
        try:
            yield
        except sqlite3.IntegrityError as reason:
            raise VersionTaken from reason
        except sqlite3.Error as reason:
            raise refusal(reason, self.path) from None

"""Where the access book is: with the log, in a file ``<file>-access.db`` or the schema ``<schema>_access``.

Rows are only added, and decided on all rows there are while everybody else waits: a link that works once
works once, in any process.
"""

import logging
import sqlite3
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any, Final

import msgspec

from paircard.domain.errors import Busy, CorruptFile, StoreRefused, Unreachable
from paircard.domain.log.location import Address, address_of
from paircard.domain.whole_files import make_private
from paircard.web.access.book import Book, Entry

AFTER: Final = "SELECT place, entry FROM access WHERE place > ? ORDER BY place"
ADD: Final = "INSERT INTO access (at, entry) VALUES (?, ?)"
_read: Final = msgspec.json.Decoder(Entry).decode
PATIENCE: Final = 5
trouble: Final = logging.getLogger("paircard.web")


class AccessStore(ABC):
    """The access book of one store; any thread may use it."""

    def __init__(self) -> None:
        self.answers = True
        """Whether the book could be read when it was last asked for."""
        self._book = Book()
        self._seen = 0
        self._turn = Lock()

    def book(self) -> Book:
        """The book as it is now, also after another process wrote in it."""
        with self._turn:
            try:
                with self._refusing():
                    self._catch_up()
            except StoreRefused:
                self.answers = False
                raise
            self.answers = True
        return self._book

    def write(self, decide: Callable[[Book], Sequence[Entry]]) -> None:
        """Add what is decided on the newest book while nobody else may write."""
        with self._turn, self._refusing(), self._alone():
            self._catch_up()
            for entry in decide(self._book):
                self._execute(ADD, int(time.time()), msgspec.json.encode(entry))
        self.book()

    def _catch_up(self) -> None:
        for place, content in self._execute(AFTER, self._seen):
            try:
                self._book.add((_read(content),))
            except msgspec.DecodeError:
                raise CorruptFile("http.book-damaged", number=place) from None
            self._seen = place

    @abstractmethod
    def close(self) -> None:
        """Let go of the file."""

    @abstractmethod
    def _execute(self, sql: str, *values: Any) -> list[Any]: ...

    @abstractmethod
    def _alone(self) -> Any: ...

    @abstractmethod
    def _refusing(self) -> Any: ...


class FileAccess(AccessStore):
    """The book next to a file."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self._file: tuple[int, int] = (0, 0)
        with self._refusing():
            make_private(path)
            self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=PATIENCE)
            self._file = identity(path)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=FULL")
            self._db.execute(
                "CREATE TABLE IF NOT EXISTS access "
                "(place INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, entry BLOB NOT NULL)"
            )

    def close(self) -> None:
        with self._turn:
            self._db.close()

    def _execute(self, sql: str, *values: Any) -> list[Any]:
        return self._db.execute(sql, values).fetchall()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        try:
            if any(self._file) and identity(self.path) != self._file:
                raise Unreachable("http.book-replaced", path=str(self.path))
            yield
        except (sqlite3.Error, OSError) as reason:
            if "locked" in str(reason) or "busy" in str(reason):
                raise Busy("http.book-locked") from None
            raise Unreachable("http.book-unusable", reason=str(reason)) from None


def identity(path: Path) -> tuple[int, int]:
    """Which file this is, by whatever name; zeros if there is none."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return 0, 0
    return found.st_dev or 1, found.st_ino


class DatabaseAccess(AccessStore):
    """The book in a PostgreSQL database; one connection, made again when it is lost."""

    def __init__(self, address: Address) -> None:
        super().__init__()
        import paircard.domain.log.backends.postgres_database as pg  # refuses without paircard[postgres]

        self._psycopg: Any = pg.psycopg
        self.address = address
        self._db: Any = None
        with self._refusing():
            if self._execute("SELECT to_regclass('access')") == [(None,)]:
                schema = pg.sql.Identifier(f"{address.schema}_access")
                db = self._connected()
                with db.transaction():
                    self._execute("SELECT pg_advisory_xact_lock(?)", 0x50434143)
                    db.execute(pg.sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(schema))
                    self._execute(
                        "CREATE TABLE IF NOT EXISTS access "
                        "(place bigserial PRIMARY KEY, at bigint NOT NULL, entry bytea NOT NULL)"
                    )

    def close(self) -> None:
        with self._turn, suppress(Exception):
            if self._db is not None:
                self._db.close()

    def _connected(self) -> Any:
        if self._db is None or self._db.closed:
            self._db = self._psycopg.connect(
                self.address.url,
                autocommit=True,
                connect_timeout=PATIENCE,
                application_name="paircard access",
            )
            self._db.execute(
                "SELECT set_config('search_path', quote_ident(%s), false),"
                " set_config('lock_timeout', %s, false)",
                (f"{self.address.schema}_access", f"{PATIENCE}s"),
            )
        return self._db

    def _execute(self, sql: str, *values: Any) -> list[Any]:
        cursor = self._connected().execute(sql.replace("?", "%s"), values)
        return cursor.fetchall() if cursor.description else []

    @contextmanager
    def _alone(self) -> Iterator[None]:
        with self._connected().transaction():
            self._execute("LOCK TABLE access IN EXCLUSIVE MODE")
            yield

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        try:
            yield
        except self._psycopg.Error as reason:
            said = " ".join(str(reason).split())
            if self._db is not None:
                with suppress(self._psycopg.Error):
                    self._db.close()
                self._db = None
            trouble.warning("access book of %s: %s", self.address.shown, said)
            if isinstance(reason, self._psycopg.errors.LockNotAvailable):
                raise Busy("http.book-locked") from None
            raise Unreachable("http.book-unreachable") from None


def open_access(location: str | Path) -> AccessStore:
    """The access book of the store at a location."""
    address = address_of(location)
    if isinstance(address, Address):
        return DatabaseAccess(address)
    return FileAccess(Path(f"{address}-access.db"))

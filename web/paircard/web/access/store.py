"""Where the access book is: with the log, in a file ``<file>-access.db`` or the schema ``<schema>_access``.

Rows are only added, and decided on all rows there are while everybody else waits: a link that works once
works once, in any process.
"""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Final

import msgspec
from msgspec.structs import replace

from paircard.domain.errors import Busy, CorruptFile, PaircardError, StoreRefused, Unreachable
from paircard.domain.log.location import Address, address_of
from paircard.projections.runner import File, Place, Schema, Writing
from paircard.web.access.book import Book, Entry

PATIENCE: Final = 5
COLUMNS: Final = {
    False: "place INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, entry BLOB NOT NULL",
    True: "place bigserial PRIMARY KEY, at bigint NOT NULL, entry bytea NOT NULL",
}
"""Of the table, in a file and in a database."""
AFTER: Final = {
    postgres: f"SELECT place, entry FROM access WHERE place > {mark} ORDER BY place"
    for postgres, mark in ((False, "?"), (True, "%s"))
}
ADD: Final = "INSERT INTO access (at, entry) VALUES (?, ?)"
_read: Final = msgspec.json.Decoder(Entry).decode
trouble: Final = logging.getLogger("paircard.web")


class AccessStore:
    """The access book of one store; any thread may use it."""

    def __init__(self, place: Place) -> None:
        self.answers = True
        """Whether the book could be read when it was last asked for."""
        self._place: Final = place
        self._db: Writing | None = None
        """The one connection, made again when it is lost."""
        self._file: tuple[int, int] = (0, 0)
        self._book = Book()
        self._seen = 0
        self._turn = Lock()
        with self._open() as db:
            if not db.postgres:
                db.execute("PRAGMA synchronous=FULL")
            elif db.execute("SELECT to_regclass('access')") != [(None,)]:
                return
            with place.transaction(db.connection) as first:
                place.make(first)
                first.execute(f"CREATE TABLE IF NOT EXISTS access ({COLUMNS[db.postgres]})")

    def book(self) -> Book:
        """The book as it is now, also after another process wrote in it."""
        with self._turn:
            try:
                with self._open() as db:
                    self._catch_up(db)
            except StoreRefused:
                self.answers = False
                raise
            self.answers = True
        return self._book

    def write(self, decide: Callable[[Book], Sequence[Entry]]) -> None:
        """Add what is decided on the newest book while nobody else may write."""
        with self._turn, self._open() as opened, self._place.transaction(opened.connection) as db:
            if db.postgres:  # also before a server of an older version, which knows no other lock
                db.execute("LOCK TABLE access IN EXCLUSIVE MODE")
            self._catch_up(db)
            for entry in decide(self._book):
                db.execute(ADD, (int(time.time()), msgspec.json.encode(entry)))
        self.book()

    def close(self) -> None:
        """Let go of the file."""
        with self._turn:
            self._let_go()

    def _catch_up(self, db: Writing) -> None:
        for place, content in db.connection.execute(AFTER[db.postgres], (self._seen,)).fetchall():
            try:
                self._book.add((_read(content),))
            except msgspec.DecodeError:
                raise CorruptFile("http.book-damaged", number=place) from None
            self._seen = place

    def _let_go(self) -> None:
        opened, self._db = self._db, None
        if opened is not None:
            with suppress(Exception):
                opened.connection.close()

    @contextmanager
    def _open(self) -> Iterator[Writing]:
        """The place of the book; what the database and the file system say, for people."""
        place = self._place
        try:
            if isinstance(place, File) and any(self._file) and identity(place.path) != self._file:
                raise Unreachable("http.book-replaced", path=str(place.path))
            if self._db is None:
                self._db = Writing(place.open(), postgres=isinstance(place, Schema))
                self._file = identity(place.path) if isinstance(place, File) else (0, 0)
            yield self._db
        except PaircardError:
            raise
        except Exception as error:
            reason = place.reason(error)
            if reason is None:
                raise
            trouble.warning("access book of %s: %s", place.shown, error)
            self._let_go()
            if not reason:
                raise Busy("http.book-locked") from None
            raise Unreachable("http.book-unusable", reason=reason) from None


def identity(path: Path) -> tuple[int, int]:
    """Which file this is, by whatever name; zeros if there is none."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return 0, 0
    return found.st_dev or 1, found.st_ino


def open_access(location: str | Path) -> AccessStore:
    """The access book of the store at a location."""
    address = address_of(location)
    if isinstance(address, Address):
        return AccessStore(Schema(replace(address, schema=f"{address.schema}_access"), PATIENCE))
    return AccessStore(File(Path(f"{address}-access.db"), application=0, patience=PATIENCE))

"""The log in one SQLite file, through the recorder of the eventsourcing package.

A file of ours is known by the application id in SQLite's header, read as of an immutable file: nothing of a
foreign file is created, altered or locked. It is read through SQLite, never through a descriptor of our own:
closing one lets go of all locks this process has on the file, and the next program to leave it removes the
journal we write to (sqlite.org/howtocorrupt.html, 2.2).
"""

import contextlib
import os
import re
import sqlite3
import stat
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from functools import partial
from hashlib import sha256
from random import uniform
from typing import Any, Final

from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteCursor, SQLiteDatastore

from paircard.domain.errors import (
    Busy,
    CorruptFile,
    ForeignFile,
    NewerFile,
    Replaced,
    StoreRefused,
    Unreachable,
)
from paircard.domain.log.backends.base import (
    NOTES_BY_TEXT,
    TREE_COLUMNS,
    Backend,
    ConnectionLost,
    NotTaken,
    T,
)
from paircard.domain.log.catalogue import tables, upsert
from paircard.domain.log.stored import StoredFact
from paircard.domain.messages import Message, say
from paircard.domain.system import Name

LOOK_AGAIN: Final = 0.1
"""Seconds between two looks for facts of another process: SQLite wakes nobody."""
_written: Final[defaultdict[str, threading.Condition]] = defaultdict(threading.Condition)
"""By file, how readers in this process learn at once of facts written by it."""
APPLICATION_ID: Final = 0x50435244
"""``PCRD``"""
FORMAT: Final = 6
"""Kept in ``user_version``: the rules by which a file is written. A higher one is of a newer program; a
file of a lower one gets this number when it is written to, and earlier programs then leave it alone."""
_UNCHANGING: Final = "mode=ro&immutable=1"
_JOURNAL: Final = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
"""How a write-ahead log begins (SQLite file format, section 4.1)."""
Ask = Callable[[str], list[tuple[Any, ...]]]
"""How the rows of a question are had."""
Schema = list[tuple[Any, ...]]
"""Kind, name, table and text of everything that a file has."""

NOTES: Final = (
    "CREATE TABLE checkpoints "
    "(tournament TEXT, size INTEGER, note TEXT, PRIMARY KEY (tournament, size, note))"
)
NOTES_INDEX: Final = f"CREATE INDEX checkpoints_text ON checkpoints {NOTES_BY_TEXT}"
PRIVATE: Final = (
    "CREATE TABLE private "
    "(tournament TEXT, version INTEGER, hash TEXT, bytes BLOB, PRIMARY KEY (tournament, version, hash))"
)
"""Personal parts of facts, under the hashes the facts hold: all of it may be erased."""
TABLE: Final = (
    "CREATE TABLE stored_events (originator_id TEXT, originator_version INTEGER, topic TEXT, state BLOB, "
    "PRIMARY KEY (originator_id, originator_version))"
)
REFILLED: Final = "DELETE FROM catalogue"
"""Where words are missing, rows are too: the next to write makes both from the facts."""
CATALOGUE: Final = tables("BINARY", " WITHOUT ROWID")
LATER: Final = {"checkpoints": NOTES, "checkpoints_text": NOTES_INDEX, "private": PRIVATE, **CATALOGUE}
"""What a file of an earlier program gets with the first thing that is written to it."""
SCHEMA: Final = (TABLE, *LATER.values())
_TABLES: Final = {
    "stored_events": TABLE,
    "signed_trees": f"CREATE TABLE signed_trees {TREE_COLUMNS}",
    **{name: made for name, made in LATER.items() if made.startswith("CREATE TABLE")},
}
"""The tables as SQLite has their text; files get all but the first when they are needed."""
STEPS: Final = 100_000
"""Of SQLite's machine, between two looks at how many there were."""
LEAST_STEPS: Final = 2_000_000
LARGEST: Final = 2**27
"""Bytes of a value; a fact is a thousandth of it at most."""


class Connection(sqlite3.Connection):
    """One to a file that somebody else may have made: no question takes it for ever.

    A question looks at each byte of the file a few times at most, so the steps it may take follow from the
    size. What has no such bound, a view, a computed column, is refused by ``harmful`` before it is asked.
    """

    path: str
    looks: int

    def bound(self, path: Name) -> None:
        """Count the steps of a question from here on."""
        self.path, self.looks = os.path.realpath(path), 0
        self.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST)
        self.set_progress_handler(self.too_long, STEPS)

    def too_long(self) -> bool:
        """Asked by SQLite: whether to break off."""
        self.looks += 1
        if self.looks * STEPS < LEAST_STEPS:
            return False
        names = [self.path, *journals_of(self.path)]
        return self.looks * STEPS > LEAST_STEPS + sum(map(os.path.getsize, filter(os.path.exists, names)))


def connected(uri: str, path: Name, patience: float) -> Connection:
    db = sqlite3.connect(
        uri, uri=True, check_same_thread=False, isolation_level=None, timeout=patience, factory=Connection
    )
    db.bound(path)
    return db


def uri_of(path: Name, how: str = "mode=rw") -> str:
    """The file as SQLite is to open it: existing, for reading and writing (sqlite.org/uri.html, 3.1)."""
    name = os.path.abspath(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return f"file:{name}?{how}"


def writable(path: Name) -> bool:
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def uri_to_read(path: Name) -> str:
    """The file for a program that may only read it, while nobody writes: as one that does not change.

    Else SQLite would make a journal next to it, if it can, which the owner of the file then cannot write to.
    """
    alone = not journals_of(path) and os.path.exists(path)
    if alone and not (writable(path) and writable(os.path.dirname(os.path.realpath(path)))):
        return uri_of(path, _UNCHANGING)
    return uri_of(path)


def journals_of(path: Name) -> list[str]:
    """What SQLite keeps next to a file, or a crash left there."""
    real = os.path.realpath(path)  # where a link points, as SQLite does
    return [real + end for end in ("-wal", "-journal", "-shm") if os.path.lexists(real + end)]


def check_header(path: Name) -> None:
    """Refuse what is not ours by the header of the file, and what a newer program wrote."""
    if not os.access(path, os.R_OK):
        raise unreadable(path, PermissionError(13, "Permission denied"))
    try:
        with contextlib.closing(sqlite3.connect(uri_of(path, _UNCHANGING), uri=True)) as db:
            [[owner]] = db.execute("PRAGMA application_id").fetchall()
            [[written]] = db.execute("PRAGMA user_version").fetchall()
    except sqlite3.Error as reason:
        if "malformed" in str(reason):
            return  # or the journal has the rest of it: the next to open it will see
        if "not a database" in str(reason):
            raise ForeignFile("store.not-ours", file=str(path)) from None
        raise refusal(reason, path) from None
    if owner != APPLICATION_ID:
        raise ForeignFile("store.of-another", file=str(path))
    if written > FORMAT:
        raise NewerFile("store.newer-read", file=str(path), version=written, highest=FORMAT)


def require_ours(path: Name) -> None:
    """Refuse what is under a name if it is no file of ours, or one that facts could be lost in."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        if os.path.islink(path):
            raise Unreachable("store.dead-link", file=str(path), path=os.path.realpath(path)) from None
        raise Unreachable("store.no-file", file=str(path)) from None
    except (OSError, ValueError) as reason:  # a name may hold what no file system takes
        raise unreadable(path, reason) from None
    if stat.S_ISDIR(found.st_mode):
        raise Unreachable("store.is-folder", file=str(path))
    if not stat.S_ISREG(found.st_mode):
        raise Unreachable("store.is-device", file=str(path))
    if not found.st_size:
        raise ForeignFile("store.is-empty", file=str(path))
    check_header(path)
    require_one_name(path)
    for journal in journals_of(path):
        if not (os.path.islink(journal) or os.path.isfile(journal) or os.path.isdir(journal)):
            raise Unreachable("store.journal-is-device", file=journal)


def unreadable(path: Name, reason: Exception) -> Unreachable:
    return Unreachable("store.not-readable", text=str(path), reason=words_of(reason))


def require_one_name(path: Name) -> None:
    """Refuse a file with a hard link: under two names it has two journals, and facts are lost."""
    for _ in range(50):  # the program that makes a file has it under two names for a moment
        if os.stat(path).st_nlink < 2:
            return
        time.sleep(0.01)
    raise Unreachable("store.hard-link", file=str(path))


NOTHING: Final = (0, 0)
"""The identity of a file that is not there."""


class Guard:
    """Whether a file that was opened is still the one under its name, and still made as it should be."""

    def __init__(self, path: Name) -> None:
        self.path: Final = path
        self.opened: Final = identity(path)
        self.real: Final = os.path.realpath(path)
        self.names: Final = {os.path.abspath(path), self.real}
        self.journal: Final = f"{self.real}-wal"
        self.journal_opened = NOTHING
        self.size = 0
        """The largest seen: a file of ours never shrinks."""
        self.uri: Final = uri_to_read(path)
        self.unchanging: Final = self.state() if self.uri.endswith(_UNCHANGING) else None
        """Of a file that is read as one that does not change: how it was then."""
        self.schema = -1
        """The version of the schema that was looked at."""
        self.header_at = self.written()
        """When its header was looked at, as the file was then."""
        self.there: frozenset[str] = frozenset()
        """Names of the tables and indexes it has."""
        self.wrong: list[Message] = []
        """What is wrong with that, so that nothing is written."""
        self.others: int | None = None
        """How often others have written, as the connection that writes counts it (PRAGMA data_version)."""
        self.counts = False
        """Whether that is asked at all: a server that looks often wants to know."""

    def require_same_file(self) -> None:
        """Refuse a file that was replaced, renamed, deleted or cut off since it was opened."""
        if gone := self.gone():
            raise Replaced("store.changed-while-open", file=str(self.path), cause=gone)

    def end(self) -> None:
        """After a commit: refuse to answer for a file or a journal that went away meanwhile."""
        gone = self.gone() or self.journal_gone()
        if not gone and self.journal_opened != NOTHING and not begins_as_journal(self.journal):
            gone = "journal-emptied"
        if gone:
            raise Unreachable("store.changed-while-writing", file=str(self.path), cause=gone)

    def require_unchanged(self) -> None:
        """After a look at a file that is read as one that does not change: refuse what may be half of it."""
        if self.unchanging:
            self.require_same_file()

    def require_harmless(self, ask: Ask) -> None:
        """Refuse, before anything is read, a file that computes what it should hold."""
        [(schema,)] = ask("PRAGMA schema_version")
        if schema == self.schema:
            return
        there = ask(SCHEMA_ROWS)
        if wrong := harmful(ask, there):
            raise CorruptFile("store.harmful", file=str(self.path), reasons=wrong)
        self.wrong, self.there = unsound(there), frozenset(str(name) for _, name, _, _ in there)
        self.schema = schema

    def gone(self) -> str:
        """What happened to the file; empty if it is there."""
        known = self.size  # before looking: another thread may see the file grow meanwhile
        try:
            found = os.stat(self.path)
        except OSError:
            found = None
        if not found or (found.st_dev or 1, found.st_ino) != self.opened:
            return "replaced"
        if os.path.realpath(self.path) != self.real:
            return "linked"  # others use another journal from now on
        if self.unchanging and self.unchanging != self.state():
            return "written"
        if found.st_size < known:
            return "cut-off"
        self.size = max(self.size, found.st_size)
        return ""

    def written(self) -> list[tuple[int, int, int]]:
        """When the file itself was written to last, its size, and which one it is; a link is another."""
        return [(found.st_mtime_ns, found.st_size, found.st_ino) for found in map(os.lstat, self.names)]

    def state(self) -> tuple[list[tuple[int, int, int]], int]:
        """When the file was written to, and how many journals it has."""
        return self.written(), len(journals_of(self.path))

    def journal_gone(self) -> str:
        """What happened to the journal, which stays while we have the file open; empty if it is there."""
        found = identity(self.journal)
        if self.journal_opened in (NOTHING, found):
            return ""
        return "journal-lost"

    def begin(self, ask: Ask, journal_mode: str) -> None:
        """Refuse, before anything is written, a file that would lose or change it."""
        self.require_same_file()
        if (looked := self.written()) != self.header_at:  # the file itself was written to since
            check_header(self.path)
            self.header_at = looked
        require_one_name(self.path)
        if journal_mode == "wal":
            if self.journal_opened == NOTHING:
                self.journal_opened = identity(self.journal)
            if self.journal_opened == NOTHING or self.journal_gone():
                raise Unreachable("store.journal-removed", file=str(self.path))
        others = ask("PRAGMA data_version")[0][0] if self.counts else None
        if others is not None and others == self.others:
            return  # nobody else wrote since all this was looked at
        [(written,)] = ask("PRAGMA user_version")
        if written > FORMAT:
            raise NewerFile("store.newer-written", file=str(self.path), version=written, highest=FORMAT)
        self.require_harmless(ask)
        if wrong := [*self.wrong, *([UNMARKED] if written < 1 else [])]:
            raise CorruptFile("store.unsound", file=str(self.path), reasons=wrong)
        for name, made in LATER.items():
            if name not in self.there:
                ask(made)
                self.schema, self.there = -1, self.there | {name}
                if name == "words":
                    ask(REFILLED)
        if written < FORMAT:
            ask(f"PRAGMA user_version={FORMAT}")
        self.others = others if self.schema >= 0 else None


def identity(path: Name) -> tuple[int, int]:
    """Which file is under a name now; zeros if there is none. A stick or a share may not number its files."""
    try:
        found = os.stat(path)
    except OSError:
        return NOTHING
    return found.st_dev or 1, found.st_ino


def begins_as_journal(path: str) -> bool:
    """Whether a write-ahead log has its first bytes, or none: without them nobody finds what is in it."""
    try:
        with open(path, "rb") as journal:  # the locks are on the other two files
            return journal.read(4) in (*_JOURNAL, b"")
    except OSError:
        return False


UNMARKED: Final = say("store.fault.unmarked")
SCHEMA_ROWS: Final = "SELECT type, name, tbl_name, sql FROM sqlite_schema"


def harmful(ask: Ask, there: Schema) -> list[Message]:
    """What in the place of our tables computes its rows, and could go on without end."""
    wrong = []
    for kind, name, table, sql in there:
        made = _TABLES.get(str(table).lower())
        if made is None or sql is None or _plain(sql) in (made, *LATER.values()):
            continue
        if kind == "view":
            wrong.append(say("store.fault.foreign", kind=kind, text=str(name)))
        elif kind == "index" and computes(ask, name, sql):
            wrong.append(say("store.fault.index-computes", text=str(name)))
        elif kind == "table" and not _plain(sql).upper().startswith("CREATE TABLE "):
            wrong.append(say("store.fault.table-computed", text=str(name)))
        elif kind == "table" and any(hidden for *_, hidden in ask(f"PRAGMA table_xinfo({name})")):
            wrong.append(say("store.fault.column-computed", text=str(name)))
    return wrong


def computes(ask: Ask, index: str, sql: str) -> bool:
    """Whether an index is of more than columns as they are, or calls a function to choose its rows."""
    quoted = str(index).replace('"', '""')
    _, _, chosen = _plain(sql).lower().partition(" where ")
    called = re.search(r"\b(?!in\b)\w+ ?\(", chosen)
    return bool(called) or any(at < -1 for _, at, *_ in ask(f'PRAGMA index_xinfo("{quoted}")'))


def damage(ask: Ask, most: int = 1) -> list[str]:
    """Damaged pages: of the whole file, or of our tables alone where other tables have rules of their own."""
    found = ask("SELECT name, sql FROM sqlite_schema WHERE type='table' AND name NOT LIKE 'sqlite_%'")
    alone = all(_TABLES.get(str(name)) == _plain(sql) for name, sql in found)
    ours = [name for name, sql in found if _TABLES.get(str(name)) == _plain(sql)]
    questions = [most] if alone else ours
    told = [line for about in questions for (line,) in ask(f"PRAGMA integrity_check({about})")]
    return [" ".join(str(line).split()) for line in told if line != "ok"][:most]


def _plain(sql: object) -> str:
    return " ".join(str(sql).split())


def unsound(there: Schema) -> list[Message]:
    """What is wrong with the tables of a file that is otherwise ours."""
    found = {name: sql for kind, name, _, sql in there if kind in ("table", "view")}
    if "stored_events" not in found:
        return [say("store.fault.no-facts")]
    wrong = [
        say("store.fault.table-differs", id=name)
        for name, made in _TABLES.items()
        if _plain(found.get(name, made)) != made
    ]
    foreign = {(kind, str(name)) for kind, name, _, _ in there if kind in ("trigger", "view")}
    foreign |= {
        ("unique index", str(name))
        for kind, name, table, sql in there
        if kind == "index" and table in _TABLES and _plain(sql).upper().startswith("CREATE UNIQUE")
    }
    return wrong + [say("store.fault.foreign", kind=kind, text=name) for kind, name in sorted(foreign)]


def gaps(ask: Ask) -> list[Message]:
    """How many positions between the first fact of a file and the last have no fact."""
    [(count, first, last)] = ask("SELECT count(*), min(rowid), max(rowid) FROM stored_events")
    if count and first != 1:
        return [say("store.fault.first-missing", first=first)]
    return [say("store.fault.deleted", count=last - count, most=last)] if count and last > count else []


def rows_of(db: sqlite3.Connection | sqlite3.Cursor, question: str) -> list[tuple[Any, ...]]:
    """The rows of a question without values."""
    return db.execute(question).fetchall()


class File(SQLiteDatastore):
    """The datastore of the library on one file, whose transactions can be joined.

    Whatever a recorder does inside a transaction of its thread is part of that one. Every commit is on the
    disk before it is answered.
    """

    def __init__(self, path: str, patience: float) -> None:
        self.guard: Final = Guard(path)
        super().__init__(self.guard.uri, originator_id_type="text")
        self.path, self.patience = path, patience
        self.turn = threading.Lock()
        """Threads that write take turns here; readers need not wait."""
        self.joined = threading.local()
        self.free: list[Connection] = []
        self.writer: Connection | None = None
        self.journal_mode = ""
        self.own = 0
        """Transactions of this process that wrote."""
        self.closed = False

    @contextmanager
    def transaction(self, *, commit: bool) -> Iterator[SQLiteCursor]:
        """One transaction, or the one this thread is in; one that writes keeps all others from writing."""
        inside = getattr(self.joined, "db", None)
        if inside is not None:
            yield SQLiteCursor(inside.cursor())
            return
        with self.turn if commit else nullcontext():
            self.guard.require_same_file()
            try:
                db = self.writing_connection() if commit else self.reading_connection()
                try:
                    db.looks = 0
                    cursor = db.cursor()
                    ask = partial(rows_of, cursor)
                    if commit:
                        self.take_lock(cursor)
                        self.guard.begin(ask, self.journal_mode)
                    else:
                        cursor.execute("BEGIN")
                        self.guard.require_harmless(ask)
                    self.joined.db = db
                    yield SQLiteCursor(cursor)
                    if commit:
                        db.commit()
                        self.own += 1
                finally:
                    self.joined.db = None
                    db.rollback()  # nothing is left after a commit; all of it is, where one failed
                    if not commit:
                        self.free.append(db)
            except sqlite3.IntegrityError as reason:
                raise NotTaken from reason
            except sqlite3.Error as reason:
                self.guard.require_unchanged()
                raise refusal(reason, self.path) from None
            if not commit:
                self.guard.require_unchanged()
                return
            try:
                self.guard.end()
            except Unreachable as gone:
                raise ConnectionLost(gone) from None

    def connect(self, patience: float) -> Connection:
        if self.closed:
            raise Unreachable("store.closed", file=self.path)
        return connected(self.guard.uri, self.path, patience)

    def reading_connection(self) -> Connection:
        try:
            return self.free.pop()
        except IndexError:
            return self.connect(self.patience)

    def writing_connection(self) -> Connection:
        """One for all threads, which take turns; it waits for other programs in its own way."""
        if self.writer is None:
            self.writer = self.connect(0)
            self.writer.execute("PRAGMA synchronous=FULL")
            [self.journal_mode] = self.writer.execute("PRAGMA journal_mode").fetchone()
        return self.writer

    def mark(self) -> object:
        """Changes with the file and with every write to it; None while that is not to be known."""
        self.guard.counts = True
        if not self.turn.acquire(blocking=False):
            return None
        try:
            [(others,)] = self.writing_connection().execute("PRAGMA data_version").fetchall()
            return others, self.own, self.guard.written()
        except (sqlite3.Error, OSError, Unreachable):
            return None
        finally:
            self.turn.release()

    def mark_after(self) -> object:
        """The mark after the transaction that is writing; None where nobody looks at marks."""
        others = self.guard.others
        return None if others is None else (others, self.own + 1, self.guard.written())

    def take_lock(self, cursor: sqlite3.Cursor) -> None:
        """Wait for the lock by short looks at random moments.

        SQLite itself would look every tenth of a second, and who comes later would often be first.
        """
        end = time.monotonic() + self.patience
        while True:
            try:
                cursor.execute("BEGIN IMMEDIATE")
                return
            except sqlite3.OperationalError as reason:
                if "locked" not in str(reason) or time.monotonic() > end:
                    raise
                time.sleep(uniform(0.001, 0.01))

    def close(self) -> None:
        for db in (*self.free, *([self.writer] if self.writer else [])):
            db.close()
        self.free, self.writer, self.closed = [], None, True
        super().close()


class SQLiteBackend(Backend, SQLiteApplicationRecorder):
    """One file. Writers wait for each other by SQLite's lock, readers for nobody."""

    datastore: File
    upsert = upsert("rowid")

    def __init__(self, path: str, patience: float) -> None:
        require_ours(path)
        self.place = self.path = path
        self.patience = patience
        SQLiteApplicationRecorder.__init__(self, File(path, patience))
        self.written = _written[uri_of(path)]

    def insert_events(self, stored_events: Sequence[Any], **kwargs: Any) -> Sequence[int]:
        facts: Sequence[StoredFact] = stored_events
        with self.datastore.transaction(commit=True) as cursor:
            positions = SQLiteApplicationRecorder.insert_events(self, facts, **kwargs) or ()  # type: ignore[arg-type]
            parts = [
                (one.originator_id, one.originator_version, sha256(part).hexdigest(), part)
                for one in facts
                for part in one.parts
            ]
            if parts:
                cursor.executemany("INSERT INTO private VALUES (?, ?, ?, ?)", parts)
            first, last = facts[0], facts[-1]
            kept = self.select_events(
                first.originator_id, gt=first.originator_version - 1, lte=last.originator_version
            )
            if [one.state for one in kept] != [one.state for one in facts] or any(
                not set(mine.parts) <= set(there.parts) for mine, there in zip(facts, kept, strict=True)
            ):
                raise CorruptFile("store.not-kept", file=self.path)
            return positions

    def close(self) -> None:
        self.datastore.close()

    def reading(self, question: Callable[[], T]) -> T:
        with self.datastore.transaction(commit=False):
            return question()

    def mark(self) -> object:
        return self.datastore.mark()

    @contextmanager
    def writing(self) -> Iterator[object]:
        with self.datastore.transaction(commit=True):
            yield self.datastore.mark_after()
        with self.written:
            self.written.notify_all()

    def ask(
        self, sql: str, values: tuple[Any, ...] = (), table: str = "", *, otherwise: str = ""
    ) -> list[Any]:
        with self.datastore.transaction(commit=False) as cursor:
            if table and table not in self.datastore.guard.there:
                if not otherwise:
                    return []
                sql = otherwise
            cursor.execute(sql, values)
            return cursor.fetchall()  # type: ignore[no-any-return]

    def stream(self, sql: str, values: tuple[Any, ...] = ()) -> Iterator[Any]:
        self.datastore.guard.require_same_file()
        try:
            with closing(self.datastore.connect(self.patience)) as db:
                self.datastore.guard.require_harmless(partial(rows_of, db.cursor()))
                yield from db.execute(sql, values)
        except sqlite3.Error as reason:
            self.datastore.guard.require_unchanged()
            raise refusal(reason, self.path) from None
        self.datastore.guard.require_unchanged()

    def wait(self, after: int, seconds: float) -> bool:
        end = time.monotonic() + seconds
        with self.written:
            while self.last_position() <= after:
                rest = end - time.monotonic()
                if rest <= 0 or self.ending:
                    return False
                self.written.wait(min(rest, LOOK_AGAIN))
        return True

    def end_waits(self) -> None:
        with self.written:
            self.ending = True
            self.written.notify_all()

    def settle(self) -> None:
        self.datastore.guard.require_same_file()
        self.flushed("PASSIVE")

    def flushed(self, how: str) -> bool:
        """Move what is in the journal into the file; whether no other program was in the way."""
        try:
            with closing(self.datastore.connect(self.patience)) as db:
                [busy, *_] = db.execute(f"PRAGMA wal_checkpoint({how})").fetchone()
        except sqlite3.Error as reason:
            raise refusal(reason, self.path) from None
        return not busy

    def is_there(self, table: str) -> bool:
        with self.datastore.transaction(commit=False):
            return table in self.datastore.guard.there

    def lacking(self) -> list[str]:
        with self.datastore.transaction(commit=False):
            return [name for name in LATER if name not in self.datastore.guard.there]

    def unsound(self) -> list[Message]:
        with self.datastore.transaction(commit=False):
            unmarked = [UNMARKED for (written,) in self.ask("PRAGMA user_version") if written < 1]
            return [*self.datastore.guard.wrong, *unmarked]

    def faults(self) -> list[Message]:
        damaged = [say("store.fault.pages", reason=found) for found in damage(self.ask)]
        return self.unsound() + gaps(self.ask) + damaged

    def write_beside(self, sql: str, rows: Sequence[tuple[Any, ...]] = ((),)) -> None:
        with self.datastore.transaction(commit=True) as cursor:
            cursor.execute("PRAGMA secure_delete=ON")
            for values in rows:
                cursor.execute(sql, values)

    def delete_parts(self, tournament: str, hashes: Sequence[str]) -> Message | None:
        rows = [(tournament, hash) for hash in hashes]
        self.write_beside("DELETE FROM private WHERE tournament=? AND hash=?", rows)
        if self.flushed("TRUNCATE"):
            return None
        return say("remains.journal")


def refusal(reason: BaseException, path: Name) -> StoreRefused:
    words = str(reason)
    if "locked" in words or "busy" in words:
        return Busy("store.busy", file=str(path))
    if "malformed" in words or "not a database" in words or "no such" in words or "disk image" in words:
        return CorruptFile("store.damaged", file=str(path), reason=words)
    if words == "interrupted" or "too big" in words:
        return CorruptFile("store.endless", file=str(path))
    if "full" in words or getattr(reason, "sqlite_errorname", "") == "SQLITE_IOERR_SHMSIZE":
        return Unreachable("store.disk-full", file=str(path))
    if "readonly" in words:
        return Unreachable("store.read-only", file=str(path))
    if "unable to open" in words:
        return Unreachable("store.not-opened", file=str(path))
    return Unreachable("store.unusable", file=str(path), reason=words)


def words_of(reason: Exception) -> str:
    return (getattr(reason, "strerror", None) or str(reason)).lower()

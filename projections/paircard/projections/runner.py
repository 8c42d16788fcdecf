"""A runner over the log: rows that a program makes of the facts, and how far it came, in one transaction.

What a projection writes for a batch of facts and the position the batch ends at are committed together, so
every fact counts once, whatever is killed when. It writes into a place of its own: a SQLite file, or a schema
of a PostgreSQL database. It is built again in another place next to that one, and then takes its place.
"""

import os
import sqlite3
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from glob import escape
from pathlib import Path
from typing import Any, ClassVar, Final, TypeAlias

from msgspec.structs import replace

from paircard.domain.errors import (
    Busy,
    CorruptFile,
    ForeignFile,
    Invalid,
    NewerFile,
    PaircardError,
    Unreachable,
    need_kind,
)
from paircard.domain.events import Recorded
from paircard.domain.log.location import Address, is_address, parsed_address
from paircard.domain.log.store import Tournaments
from paircard.domain.log.stored import Unreadable
from paircard.domain.messages import Message, say
from paircard.domain.system import said
from paircard.domain.whole_files import make_private

APPLICATION_ID: Final = 0x50435254
"""``PCRT``, in the header of every file made here."""
SCHEMA: Final = "paircard_tables"
"""The PostgreSQL schema that is written to, unless the address says ``?schema=``."""
POSITION: Final = (
    "CREATE TABLE position (projection text NOT NULL PRIMARY KEY, format {integer} NOT NULL,"
    " position {integer} NOT NULL, hash text NOT NULL)"
)
BATCH: Final = 500
PULSE: Final = 5.0
"""Seconds after which one who follows looks even if nobody woke it."""
PATIENCE: Final = 30
"""Seconds for which a place that another program writes to is waited for."""
Tell = Callable[[Message], object]


class Writing:
    """The open transaction of a batch: what is written through it is committed with the position."""

    def __init__(self, connection: Any, *, postgres: bool) -> None:
        self.connection = connection
        """The ``sqlite3`` or ``psycopg`` connection itself; commit nothing on it."""
        self.postgres = postgres
        self._cursor = connection.cursor()

    def execute(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        """Run a statement with ``?`` for its values; its rows."""
        self._cursor.execute(self._marked(sql), values)
        return self._cursor.fetchall() if self._cursor.description else []

    def execute_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement once for each row of values."""
        self._cursor.executemany(self._marked(sql), rows)

    def _marked(self, sql: str) -> str:
        return sql.replace("%", "%%").replace("?", "%s") if self.postgres else sql


class Projection(ABC):
    """What a program makes of the log: a name, its tables, and how facts become rows."""

    name: ClassVar[str]
    """Stands in the place it is written to, where no other projection is let in."""
    format: ClassVar[int] = 1
    """To be raised when the same facts would make other rows: then all of them are made again."""
    tables: ClassVar[Sequence[str]] = ()
    """Statements that make its tables."""
    from_now: ClassVar[bool] = False
    """Whether a new place begins with the facts to come, and not with all that there are."""

    def make(self, db: Writing) -> None:
        """Make the tables in an empty place."""
        for statement in self.tables:
            db.execute(statement)

    @abstractmethod
    def apply(self, db: Writing, facts: Sequence[Recorded], log: Sequence[Recorded]) -> None:
        """Write what new facts of one tournament mean; ``log`` is all of it up to the last of them."""


class Runner:
    """Keeps a projection up to date with a log; ``Office.runner`` makes one."""

    def __init__(self, log: Tournaments, projection: Projection, into: str | Path) -> None:
        need_kind("projection", projection, Projection)
        self.log, self.projection = log, projection
        self._place: Final = place_of(into)
        if self._place.is_log(log):
            raise Invalid("tables.log-itself", path=self._place.shown)

    def catch_up(
        self,
        *,
        batch: int = BATCH,
        rebuild: bool = False,
        tell: Tell = lambda _: None,
        taken_on: Callable[[int], object] = lambda _: None,
    ) -> int:
        """Apply every fact that is new to the projection, in batches; how many there were.

        Where the projection raises, its batch is undone and the position stays. A tournament that cannot be
        read is told of and left as it is, and the others go on. ``taken_on`` hears how many facts each batch
        had. What was made in another format, or is to be rebuilt, is built apart and takes the place in one
        step: until then readers see what was there, and they may keep it open.
        """
        place = self._place
        with refusing(place), closing(place.open()) as connection:
            with place.transaction(connection) as db:
                there = self._there(db, rebuild=rebuild)
            if there is not None and (rebuild or there[0] != self.projection.format):
                with place.beside() as (aside, other):
                    new = self._all_batches(other, aside, batch, tell, taken_on)
                    aside.take_place_of(place, other, connection)
            else:
                new = self._all_batches(connection, place, batch, tell, taken_on)
            place.settle(connection)
        return new

    def follow(self, *, batch: int = BATCH, tell: Tell = lambda _: None) -> Iterator[tuple[int, int]]:
        """Catch up whenever there is something new, without end: how many facts, and where they end."""
        while True:
            new = self.catch_up(batch=batch, tell=tell)
            position = self.position()
            if new:
                yield new, position
            self.log.wait(position, PULSE)

    def position(self) -> int:
        """Position of the last fact that was applied, 0 before the first; refuses what is of another log."""
        with self._open() as db:
            there = self._there(db)
            if there is None or there[0] != self.projection.format:
                return 0
            self._need_same_log(there[1], there[2])
            return there[1]

    def exists(self) -> bool:
        """Whether anything was made there yet; nothing is made by asking."""
        with refusing(self._place):
            return self._place.exists()

    @contextmanager
    def writing(self) -> Iterator[Writing]:
        """A transaction of one's own on the rows, between two batches."""
        with self._open() as db:
            self._there(db)
            yield db

    @contextmanager
    def _open(self) -> Iterator[Writing]:
        place = self._place
        with refusing(place), closing(place.open()) as connection, place.transaction(connection) as db:
            yield db

    def _there(self, db: Writing, *, rebuild: bool = False) -> tuple[int, int, str] | None:
        """Format, position and hash of the last fact; None for an empty place, a foreign one is refused."""
        found, path, newest = self._place.found(db), self._place.shown, self.projection.format
        if found is None:
            return None
        name, format, position, hash = found
        if name != self.projection.name:
            raise ForeignFile("tables.foreign", path=path)
        if format > newest and not rebuild:
            raise NewerFile("tables.newer", path=path, version=format, highest=newest)
        return format, position, hash

    def _all_batches(
        self, connection: Any, place: "Place", batch: int, tell: Tell, taken_on: Callable[[int], object]
    ) -> int:
        """Make the tables where there are none, and apply all facts that are new to them; how many."""
        with place.transaction(connection) as db:
            if place.found(db) is None:
                place.make(db)
                db.execute(POSITION.format(integer="bigint" if db.postgres else "integer"))
                start = self.end() if self.projection.from_now else (0, "")
                row = self.projection.name, self.projection.format, *start
                db.execute("INSERT INTO position VALUES (?, ?, ?, ?)", row)
                self.projection.make(db)
        new = 0
        while taken := self._batch(connection, place, batch, tell):
            new += taken
            taken_on(taken)
        return new

    def _batch(self, connection: Any, place: "Place", batch: int, tell: Tell) -> int:
        """Apply the next facts and move the position, in one transaction; how many there were."""
        with place.transaction(connection) as db:
            [[position, hash]] = db.execute("SELECT position, hash FROM position")
            self._need_same_log(position, hash)
            facts = self.log.notifications(position, batch)
            if not facts:
                return 0
            for tournament in dict.fromkeys(fact.tournament for fact in facts):
                mine = [fact for fact in facts if fact.tournament == tournament]
                try:
                    known = self.log.log(tournament)[: mine[-1].version]
                    new = in_order(known, mine)
                except (CorruptFile, NewerFile) as why:
                    tell(say("tables.others", what=why.said, path=place.shown))
                else:
                    self.projection.apply(db, new, known)
            db.execute("UPDATE position SET position = ?, hash = ?", (facts[-1].position, facts[-1].hash))
        return len(facts)

    def end(self) -> tuple[int, str]:
        """Position and hash of the last fact of the log."""
        last = self.log.notifications(self.log.last_position() - 1, 1)
        return (last[0].position, last[0].hash) if last else (0, "")

    def _need_same_log(self, position: int, hash: str) -> None:
        """Refuse what was made from another log: its last fact must be in this one."""
        if position:
            last = self.log.notifications(position - 1, 1)
            if not last or last[0].position != position or last[0].hash != hash:
                raise CorruptFile("tables.another-log", path=self._place.shown)


def in_order(log: list[Recorded], new: Sequence[Recorded | Unreadable]) -> list[Recorded]:
    """New facts as facts; refuses those that stand in another order in the store than in their tournament."""
    if [one.version for one in log[-len(new) :]] != [one.version for one in new]:
        raise CorruptFile("tables.out-of-order", tournament=new[0].tournament)
    return [one for one in new if isinstance(one, Recorded)]


@contextmanager
def refusing(place: "Place") -> Iterator[None]:
    """Say for people what the database and the file system say."""
    try:
        yield
    except PaircardError:
        raise
    except Exception as error:
        why = place.reason(error)
        if why is None:
            raise
        if not why:
            raise Busy("tables.busy", path=place.shown) from None
        raise Unreachable("tables.not-written", path=place.shown, reason=why) from None


class File:
    """A SQLite file apart from the log, readable by its owner alone; by default one of a projection."""

    def __init__(self, path: Path, application: int = APPLICATION_ID, patience: int = PATIENCE) -> None:
        self.path, self.shown = path, str(path)
        self.application, self.patience = application, patience

    def is_log(self, log: Tournaments) -> bool:
        """Whether the log itself is there."""
        both = bool(log.path) and os.path.exists(log.path) and self.path.exists()
        return both and os.path.samefile(self.path, log.path)

    def exists(self) -> bool:
        """Whether anything is there."""
        return self.path.exists()

    def open(self) -> sqlite3.Connection:
        """A connection; a place that is not ours is refused and left as it is.

        SQLite is asked, not the bytes of the file: after a crash its header may be in the journal.
        """
        make_private(self.path)
        connection = sqlite3.connect(
            self.path, isolation_level=None, timeout=self.patience, check_same_thread=False
        )
        try:
            connection.execute("PRAGMA secure_delete=ON")  # rows written anew leave no names of erased people
            connection.execute("PRAGMA foreign_keys=ON")
            connection.execute("PRAGMA synchronous=FULL")
            [[application]] = connection.execute("PRAGMA application_id").fetchall()
            [[tables]] = connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
            ours = application == self.application or not tables
            if ours:
                connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.DatabaseError as reason:
            connection.close()
            if "not a database" not in str(reason):
                raise
            ours = False
        if not ours:
            connection.close()
            raise ForeignFile("tables.foreign", path=self.shown)
        return connection

    @contextmanager
    def transaction(self, connection: sqlite3.Connection) -> Iterator[Writing]:
        """One transaction that keeps other writers away from its beginning on."""
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield Writing(connection, postgres=False)
            connection.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):  # a full disk has undone it already
                connection.execute("ROLLBACK")
            raise

    def found(self, db: Writing) -> tuple[str, int, int, str] | None:
        """Name, format, position and hash of the projection that is there; None if nothing is."""
        columns = [row[1] for row in db.execute("PRAGMA table_info(position)")]
        if not columns:
            return None
        if "projection" not in columns:  # read tables of 0.2
            return "paircard-tables", 0, 0, ""
        [found] = db.execute("SELECT projection, format, position, hash FROM position")
        return tuple(found)

    def make(self, db: Writing) -> None:
        """Mark an empty place as ours."""
        db.execute(f"PRAGMA application_id={self.application}")

    @contextmanager
    def beside(self) -> Iterator[tuple["File", sqlite3.Connection]]:
        """An empty place next to this one with a connection to it; it is gone afterwards."""
        other = File(self.path.with_name(f"{self.path.name}-rebuild-{os.urandom(4).hex()}"))
        try:
            with closing(other.open()) as opened:
                opened.execute("PRAGMA locking_mode=EXCLUSIVE")
                with other.transaction(opened):
                    pass  # from here on to its end nobody else gets in, and so knows that we live
                yield other, opened
        finally:
            other.remove()

    def remove(self) -> None:
        for ending in ("", "-wal", "-shm"):
            self.path.with_name(self.path.name + ending).unlink(missing_ok=True)

    def take_place_of(self, place: Any, mine: sqlite3.Connection, its: sqlite3.Connection) -> None:
        """Put what is here in the place of the other, in one step."""
        mine.backup(its)  # one transaction there: who has the file open reads on in what was, then in this

    def settle(self, connection: sqlite3.Connection) -> None:
        """Leave nothing that was deleted in a journal, nor in what a killed rebuild left."""
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        for path in self.path.parent.glob(f"{escape(self.path.name)}-rebuild*[!ml]"):  # no -shm, no -wal
            with suppress(sqlite3.Error, OSError, PaircardError):  # somebody builds there, or it is not ours
                if time.time() - path.stat().st_mtime > 60:
                    (left := File(path, patience=0)).open().close()
                    left.remove()

    def reason(self, error: Exception) -> str | None:
        """What the database says of an error; empty if another program is in the way, None if not its own."""
        if isinstance(error, sqlite3.Error):
            return "" if "locked" in str(error) or "busy" in str(error) else str(error)
        return said(error) if isinstance(error, OSError) else None


GRANTED: Final = """
SELECT format('GRANT %s ON %s TO %s%s', privilege_type || on_column, named,
    CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END,
    CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
FROM (
    SELECT format('SCHEMA %I', nspname) AS named, '' AS on_column, nspowner AS owner, nspacl AS rights
    FROM pg_namespace WHERE nspname = ?
    UNION ALL
    SELECT format('%I.%I', n.nspname, c.relname), '', c.relowner, c.relacl
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_class later
    ON later.relname = c.relname AND later.relnamespace = ?::regnamespace WHERE n.nspname = ?
    UNION ALL
    SELECT format('%I.%I', n.nspname, c.relname), format(' (%I)', a.attname), c.relowner, a.attacl
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_class later
    ON later.relname = c.relname AND later.relnamespace = ?::regnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid AND NOT a.attisdropped JOIN pg_attribute same
    ON same.attrelid = later.oid AND same.attname = a.attname WHERE n.nspname = ?
) places, aclexplode(rights) WHERE grantee <> owner
"""
"""Statements that grant again what was granted on a schema, its tables and columns, as far as they remain."""
HELD: Final = """
SELECT format('DROP %s %s', kind, string_agg(format('%I.%I', schema, name), ', ')) FROM (
    SELECT nspname AS schema, relname AS name, CASE relkind WHEN 'v' THEN 'VIEW' ELSE 'TABLE' END AS kind
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE nspname = ? AND c.relkind IN ('v', 'r', 'p') AND NOT c.relispartition
) held GROUP BY kind ORDER BY kind DESC
"""
"""Statements that drop the views of a schema, then its tables."""


class Schema:
    """A schema of a PostgreSQL database that a projection writes to; at first its owner alone can read it."""

    def __init__(self, address: Address, patience: int = PATIENCE) -> None:
        self.address, self.shown, self.patience = address, address.shown, patience
        self.key: Final = APPLICATION_ID, address.schema
        """Of the lock that one who writes here holds."""

    def is_log(self, log: Tournaments) -> bool:
        with refusing(self), closing(self.open()) as db:
            name = f'"{self.address.schema}".paircard_format'
            return bool(db.execute("SELECT to_regclass(%s) IS NOT NULL", [name]).fetchone()[0])

    def exists(self) -> bool:
        with closing(self.open()) as db, self.transaction(db) as asked:
            return self.found(asked) is not None

    def open(self) -> Any:
        import paircard.domain.log.backends.postgres_database as pg  # comes with paircard[postgres]

        connection = pg.connected(self.address, self.patience)
        connection.row_factory = pg.psycopg.rows.tuple_row
        connection.execute(
            "SELECT set_config('search_path', quote_ident(%s), false),"
            " set_config('lock_timeout', %s, false), set_config('client_min_messages', 'warning', false)",
            [self.address.schema, f"{self.patience}s"],
        )
        return connection

    @contextmanager
    def transaction(self, connection: Any) -> Iterator[Writing]:
        with connection.transaction():
            db = Writing(connection, postgres=True)
            db.execute("SELECT pg_advisory_xact_lock(?, hashtext(?))", self.key)
            yield db

    def found(self, db: Writing) -> tuple[str, int, int, str] | None:
        schema = self.address.schema
        names = "SELECT c.relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
        there = {name for (name,) in db.execute(f"{names} WHERE n.nspname = ?", (schema,))}
        columns = "SELECT count(*) FROM information_schema.columns WHERE table_schema = ? AND table_name = ?"
        [[kept]] = db.execute(f"{columns} AND column_name = 'projection'", (schema, "position"))
        if there and not kept:
            raise ForeignFile("tables.foreign", path=self.shown)
        if not there:
            return None
        [found] = db.execute(f'SELECT projection, format, position, hash FROM "{schema}".position')
        return tuple(found)

    def make(self, db: Writing) -> None:
        if not db.execute("SELECT 1 FROM pg_namespace WHERE nspname = ?", (self.address.schema,)):
            db.execute(f'CREATE SCHEMA "{self.address.schema}"')  # one that is there may be made by others

    def next_to(self) -> "Schema":
        return Schema(replace(self.address, schema=f"{self.address.schema[:55]}_rebuild"))

    @contextmanager
    def beside(self) -> Iterator[tuple["Schema", Any]]:
        other = self.next_to()
        with closing(other.open()) as opened:
            with opened.transaction(force_rollback=True), self.transaction(opened) as db:
                self.clear(db)  # whether it can be, is told before all the work
            opened.execute("SELECT pg_advisory_lock(%s, hashtext(%s))", other.key)
            with other.transaction(opened) as db:
                other.drop(db)
            try:
                yield other, opened
            finally:
                with suppress(Exception):  # a server that went away: the next one begins with this
                    other.drop(Writing(opened, postgres=True))

    def drop(self, db: Writing) -> None:
        """Remove what was built here, if it is ours."""
        self.found(db)
        db.execute(f'DROP SCHEMA IF EXISTS "{self.address.schema}" CASCADE')

    def clear(self, db: Writing) -> None:
        """Drop the schema with its tables and views; refuses to take anything with them."""
        import paircard.domain.log.backends.postgres_database as pg

        try:
            for [statement] in db.execute(HELD, (self.address.schema,)):
                db.execute(statement)
            db.execute(f'DROP SCHEMA "{self.address.schema}"')
        except pg.psycopg.errors.DependentObjectsStillExist as error:
            known = (error.diag.message_detail or str(error)).splitlines()
            raise Invalid("tables.looked-at", path=self.shown, known=known) from None

    def take_place_of(self, place: Any, mine: Any, its: Any) -> None:
        with place.transaction(its) as db:
            schema, aside = place.address.schema, self.address.schema
            grants = db.execute(GRANTED, (schema, aside, schema, aside, schema))
            place.clear(db)
            db.execute(f'ALTER SCHEMA "{aside}" RENAME TO "{schema}"')
            for [statement] in grants:
                db.execute(statement)

    def settle(self, connection: Any) -> None:
        """Leave nothing of a rebuild that was killed."""
        left = self.next_to()
        free = "SELECT 1 FROM pg_namespace WHERE nspname = ? AND pg_try_advisory_xact_lock(?, hashtext(?))"
        with suppress(PaircardError), connection.transaction():
            db = Writing(connection, postgres=True)
            if db.execute(free, (left.address.schema, *left.key)):
                left.drop(db)

    def reason(self, error: Exception) -> str | None:
        import paircard.domain.log.backends.postgres_database as pg

        if not isinstance(error, pg.psycopg.Error):
            return None
        return "" if error.sqlstate in ("55P03", "40P01") else " ".join(str(error).split())


Place: TypeAlias = File | Schema
"""Where a projection writes: opened, refused if it is somebody else's, replaced as a whole."""


def place_of(into: str | Path) -> Place:
    return Schema(parsed_address(str(into), SCHEMA)) if is_address(into) else File(Path(into))

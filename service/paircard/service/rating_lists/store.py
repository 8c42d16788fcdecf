"""The file that rating lists are imported into: SQLite, one list per name and day from which it is valid.

People lie in order of rating, so the index of names finds the best known first and stops at the limit: a
look-up in two million names answers while somebody types.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec

from paircard.domain.errors import Busy, ForeignFile, Invalid, Unknown, Unreachable
from paircard.domain.values.regulations import is_day
from paircard.domain.whole_files import make_private
from paircard.service.rating_lists.person import FIDE, ListEntry, folded

FORMAT: Final = 1
APPLICATION_ID: Final = 0x50434C53
COLUMNS: Final = ListEntry.__struct_fields__
BATCH: Final = 20_000
FOUND: Final = 400
"""Names looked at to rank the answer of a look-up."""


class RatingList(msgspec.Struct, frozen=True, kw_only=True):
    """A list in the file."""

    number: int
    name: str
    valid: str
    """First day on which it is valid."""
    people: int
    source: str
    """Name of the file it came from, the last one where several made it."""


class Fetch(msgspec.Struct, frozen=True, kw_only=True):
    """A list that is fetched again whenever it is asked for and older than a day."""

    name: str
    address: str
    fetched: str
    """When it was last fetched, in UTC."""
    tried: str
    """When that was last tried."""


class RatingLists:
    """The lists of one file, which is made at the first import."""

    def __init__(self, path: Path, *, create: bool = False) -> None:
        self.path = path
        if not create and not path.exists():
            raise Unknown(f"no rating lists at {path}: import one first")
        self.fresh = not path.exists()
        with refusing(path):
            make_private(path)
            self.db = sqlite3.connect(path, timeout=5, isolation_level=None)
            self.db.execute("PRAGMA journal_mode=WAL")
            self._prepare()

    def __enter__(self) -> "RatingLists":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file; one that was made for an import that failed is removed."""
        empty = self.fresh and not self.lists()
        self.db.close()
        if empty:
            self.path.unlink(missing_ok=True)

    def _prepare(self) -> None:
        known = self.db.execute("PRAGMA application_id").fetchone()[0]
        tables = self.db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if tables and known != APPLICATION_ID:
            raise ForeignFile(f"{self.path} is not a file of rating lists: choose another")
        if not tables:
            self.db.execute(f"PRAGMA application_id={APPLICATION_ID}")
            self.db.execute(f"PRAGMA user_version={FORMAT}")
        self.db.execute(
            "CREATE TABLE IF NOT EXISTS lists (number INTEGER PRIMARY KEY, name TEXT NOT NULL,"
            " valid TEXT NOT NULL, people INTEGER NOT NULL, source TEXT NOT NULL, UNIQUE (name, valid))"
        )
        self.db.execute(
            "CREATE TABLE IF NOT EXISTS daily (name TEXT PRIMARY KEY, address TEXT NOT NULL,"
            " fetched TEXT NOT NULL, tried TEXT NOT NULL)"
        )

    def daily(self) -> list[Fetch]:
        """The lists that are fetched again every day."""
        with refusing(self.path):
            rows = self.db.execute("SELECT name, address, fetched, tried FROM daily ORDER BY name").fetchall()
        return [
            Fetch(name=name, address=address, fetched=fetched, tried=tried)
            for name, address, fetched, tried in rows
        ]

    def keep_daily(self, fetch: Fetch) -> None:
        """Remember that, and when, a list is fetched every day."""
        with refusing(self.path):
            row = (fetch.name, fetch.address, fetch.fetched, fetch.tried)
            self.db.execute("INSERT OR REPLACE INTO daily VALUES (?, ?, ?, ?)", row)

    def stop_daily(self, name: str) -> None:
        """No longer fetch a list by itself."""
        with refusing(self.path):
            self.db.execute("DELETE FROM daily WHERE name=?", (name,))

    def lists(self) -> list[RatingList]:
        """Every list, by name and the newest first."""
        with refusing(self.path):
            rows = self.db.execute(
                "SELECT number, name, valid, people, source FROM lists ORDER BY name, valid DESC"
            )
            return [
                RatingList(number=number, name=name, valid=valid, people=people, source=source)
                for number, name, valid, people, source in rows
            ]

    def newest(self, name: str = FIDE, *, on: str = "") -> RatingList:
        """The newest list of a name; the one valid on a day, if one is given."""
        found = [each for each in self.lists() if each.name == name]
        if not found:
            names = ", ".join(sorted({each.name for each in self.lists()})) or "none"
            raise Unknown(f"no rating list is called {name!r}: there are {names}")
        valid = [each for each in found if not on or each.valid <= on]
        if not valid:
            raise Unknown(f"no list {name!r} was valid on {on}: the oldest here is of {found[-1].valid}")
        return valid[0]

    def add(self, name: str, valid: str, source: str, people: Iterable[ListEntry]) -> tuple[RatingList, int]:
        """Import people into a list, in one transaction.

        A second file for the same name and day, such as FIDE's rapid list after its standard one, adds
        to what is there; its values count where it has any. Returns the list, and how many records were
        replaced by a later one with the same id.
        """
        if not name or len(name) > 40 or not name.isprintable() or name != name.strip():
            raise Invalid(f"{name[:40]!r} is not a name for a list: up to 40 characters that can be seen")
        if not is_day(valid):
            raise Invalid(f"{valid[:40]!r} is not the day from which a list is valid, such as 2026-11-01")
        with refusing(self.path), self._transaction():
            read = self._collect(people)
            [different] = self.db.execute("SELECT count(*) FROM incoming").fetchone()
            old = self.db.execute(
                "SELECT number FROM lists WHERE name=? AND valid=?", (name, valid)
            ).fetchone()
            if old:
                self._merge(old[0])
                self._drop(old[0])
            [count] = self.db.execute("SELECT count(*) FROM incoming").fetchone()
            if not count:
                raise Invalid(f"{source} has nobody in it: no list was created")
            cursor = self.db.execute(
                "INSERT INTO lists (name, valid, people, source) VALUES (?, ?, ?, ?)",
                (name, valid, count, source),
            )
            number = int(cursor.lastrowid or 0)
            self._lay_out(number)
        made = RatingList(number=number, name=name, valid=valid, people=count, source=source)
        return made, read - different

    def remove(self, found: RatingList) -> None:
        """Take a list out of the file."""
        with refusing(self.path), self._transaction():
            self._drop(found.number)
            self.db.execute("DELETE FROM daily WHERE name NOT IN (SELECT name FROM lists)")

    def by_id(self, found: RatingList, id: str) -> ListEntry | None:
        """The person with this id of the list; None if nobody has it."""
        with refusing(self.path):
            row = self.db.execute(
                f"SELECT {', '.join(COLUMNS)} FROM people_{found.number} WHERE id=?", (id,)
            ).fetchone()
        return _entry(row) if row else None

    def by_fide_id(self, found: RatingList, fide_id: int) -> ListEntry | None:
        """The person with this FIDE id; None if nobody has it."""
        if found.name == FIDE:
            return self.by_id(found, str(fide_id))
        with refusing(self.path):
            row = self.db.execute(
                f"SELECT {', '.join(COLUMNS)} FROM people_{found.number} WHERE fide_id=? AND fide_id>0",
                (fide_id,),
            ).fetchone()
        return _entry(row) if row else None

    def find(self, found: RatingList, text: str, most: int = 20) -> list[ListEntry]:
        """People whose names have all these words, or words that begin so; the best match first.

        A number is an id. The same words in the same order come first, then the same family name, then
        the higher rating.
        """
        words = folded(text[:200]).split()[:8]
        if len(words) == 1 and words[0].isdecimal():
            person = self.by_id(found, words[0])
            return [person] if person else []
        if not words:
            return []
        asked = " AND ".join(f'"{word}" *' for word in words)
        with refusing(self.path):
            rows = self.db.execute(
                f"SELECT {', '.join(f'p.{column}' for column in COLUMNS)} FROM names_{found.number} n"
                f" JOIN people_{found.number} p ON p.place = n.rowid"
                f" WHERE names_{found.number} MATCH ? ORDER BY n.rowid LIMIT ?",
                (asked, max(most, FOUND)),
            ).fetchall()
        people = [_entry(row) for row in rows]
        people.sort(key=lambda person: _closeness(words, folded(person.name).split()))
        return people[:most]

    def _collect(self, people: Iterable[ListEntry]) -> int:
        columns = ", ".join("id TEXT PRIMARY KEY" if name == "id" else name for name in COLUMNS)
        self.db.execute("DROP TABLE IF EXISTS temp.incoming")
        self.db.execute(f"CREATE TEMP TABLE incoming ({columns}) WITHOUT ROWID")
        insert = f"INSERT OR REPLACE INTO incoming VALUES ({', '.join('?' * len(COLUMNS))})"
        batch: list[tuple[object, ...]] = []
        read = 0
        for read, person in enumerate(people, 1):  # noqa: B007
            batch.append(msgspec.structs.astuple(person))
            if len(batch) >= BATCH:
                self.db.executemany(insert, batch)
                batch.clear()
        self.db.executemany(insert, batch)
        return read

    def _merge(self, number: int) -> None:
        """Fill what the new people lack from the list as it was; who is not among the new stays."""
        numbers = ("fide_id", "standard", "rapid", "blitz", "k_factor")
        words = ("federation", "sex", "title", "birth")
        for names, empty in ((numbers, "0"), (words, "''")):
            for name in names:
                self.db.execute(
                    f"UPDATE incoming SET {name} = coalesce((SELECT o.{name} FROM people_{number} o"
                    f" WHERE o.id = incoming.id), {name}) WHERE {name} = {empty}"
                )
        columns = ", ".join(COLUMNS)
        self.db.execute(f"INSERT OR IGNORE INTO incoming SELECT {columns} FROM people_{number}")

    def _lay_out(self, number: int) -> None:
        """The people in order of rating, and the index of their names."""
        columns = ", ".join(COLUMNS)
        typed = ", ".join(f"{name} NOT NULL" for name in COLUMNS)
        self.db.execute(f"CREATE TABLE people_{number} (place INTEGER PRIMARY KEY, {typed})")
        self.db.execute(
            f"INSERT INTO people_{number} ({columns}) SELECT {columns} FROM incoming"
            " ORDER BY max(standard, rapid, blitz) DESC, name"
        )
        self.db.execute(f"CREATE UNIQUE INDEX ids_{number} ON people_{number} (id)")
        if self.db.execute(
            f"SELECT 1 FROM people_{number} WHERE fide_id > 0 AND CAST(fide_id AS TEXT) <> id LIMIT 1"
        ).fetchone():
            self.db.execute(f"CREATE INDEX fide_ids_{number} ON people_{number} (fide_id)")
        self.db.execute(
            f"CREATE VIRTUAL TABLE names_{number} USING"
            " fts5(name, content='', prefix='1 2 3', detail=none, tokenize='ascii')"
        )
        self.db.create_function("folded", 1, folded, deterministic=True)
        self.db.execute(
            f"INSERT INTO names_{number} (rowid, name) SELECT place, folded(name) FROM people_{number}"
        )
        self.db.execute("DROP TABLE temp.incoming")

    def _drop(self, number: int) -> None:
        for table in (f"names_{number}", f"people_{number}"):
            self.db.execute(f"DROP TABLE IF EXISTS {table}")
        self.db.execute("DELETE FROM lists WHERE number=?", (number,))

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self.db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self.db.execute("ROLLBACK")
            raise
        self.db.execute("COMMIT")


def _entry(row: tuple[object, ...]) -> ListEntry:
    values = dict(zip(COLUMNS, row, strict=True))
    return msgspec.convert(values | {"inactive": bool(values["inactive"])}, ListEntry)


def _closeness(asked: list[str], name: list[str]) -> tuple[bool, bool]:
    """Sorting key: the whole name, the family name; the sort is stable, so the rating decides the rest."""
    return name != asked, name[:1] != asked[:1]


@contextmanager
def refusing(path: Path) -> Iterator[None]:
    """What SQLite says, for people."""
    try:
        yield
    except sqlite3.OperationalError as reason:
        if "locked" in str(reason) or "busy" in str(reason):
            raise Busy(f"{path} is in use by another program that is writing: try again") from None
        raise Unreachable(f"{path} cannot be used: {reason}") from None
    except OSError as reason:
        raise Unreachable(f"{path} cannot be used: {(reason.strerror or str(reason)).lower()}") from None
    except sqlite3.DatabaseError:
        raise ForeignFile(f"{path} is not a file of rating lists: choose another") from None
